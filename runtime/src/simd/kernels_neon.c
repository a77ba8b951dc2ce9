// SPDX-License-Identifier: MIT
// The wide kernels, compiled for NEON.
#include "simd/kernels.h"

#if defined( __aarch64__ )
#define GEL_SIMD_NEON
#include "simd/wide_kernels.h"

gelKernels gelGetKernels_Neon( void )
{
	return MakeKernels_W( "neon" );
}

#else

gelKernels gelGetKernels_Neon( void )
{
	return ( gelKernels ){ NULL };
}

#endif
