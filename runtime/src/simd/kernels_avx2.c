// SPDX-License-Identifier: MIT
// The wide kernels, compiled for AVX2.
#include "simd/kernels.h"

#if defined( __AVX2__ )
#define GEL_SIMD_AVX2
#include "simd/wide_kernels.h"

gelKernels gelGetKernels_Avx2( void )
{
	return MakeKernels_W( "avx2" );
}

#else

gelKernels gelGetKernels_Avx2( void )
{
	return ( gelKernels ){ NULL };
}

#endif
