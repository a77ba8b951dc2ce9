// SPDX-License-Identifier: MIT
// The wide kernels, compiled for any processor: plain C over eight lanes.
#include "simd/kernels.h"

#define GEL_SIMD_NONE
#include "simd/wide_kernels.h"

gelKernels gelGetKernels_Plain( void )
{
	return MakeKernels_W( "plain" );
}
