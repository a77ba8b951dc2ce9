// SPDX-License-Identifier: MIT
// The wide kernels, compiled for SSE2.
#include "simd/kernels.h"

#if defined( __SSE2__ )
#define GEL_SIMD_SSE2
#include "simd/wide_kernels.h"

gelKernels gelGetKernels_Sse2( void )
{
	return MakeKernels_W( "sse2" );
}

#else

gelKernels gelGetKernels_Sse2( void )
{
	return ( gelKernels ){ NULL };
}

#endif
