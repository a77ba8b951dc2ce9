// SPDX-License-Identifier: MIT
// The wide kernels, compiled for AVX-512 with registers of 256 bits: the same eight lanes, but twice as many
// registers. The element loop has registers of 512 bits for all but the last block of an odd number
// (kernels_avx512_pairs.c).
#include "kernels.h"

#if defined( __AVX512VL__ )
#define GEL_SIMD_AVX2
#include "wide_kernels.h"

static bool UpdateElements_Avx512( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	int even = blockCount & ~1;
	bool usable = gelUpdateElementPairs_Avx512( blocks, even, uRotation, uTilde, h, q, rhs );
	gelQuat* rest = q + GEL_BLOCK_LANES * (size_t)even;
	return UpdateElements_W( blocks + even, blockCount - even, uRotation, uTilde, h, rest, rhs ) && usable;
}

static bool Differentiate_Avx512( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
	const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy )
{
	int even = blockCount & ~1;
	size_t slot = GEL_BLOCK_LANES * (size_t)even;
	bool usable = gelDifferentiatePairs_Avx512( blocks, lambdaVolumes, even, u, h, q, gradient, energy );
	return Differentiate_W(
			   blocks + even, lambdaVolumes + slot, blockCount - even, u, h, q + slot, gradient, energy ) &&
		usable;
}

static void PolarSteps_Avx512(
	const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations )
{
	int even = blockCount & ~1;
	gelPolarPairs_Avx512( F, q, even, iterations );
	PolarSteps_W( F + even, q + GEL_BLOCK_LANES * (size_t)even, blockCount - even, iterations );
}

gelKernels gelGetKernels_Avx512( void )
{
	gelKernels kernels = MakeKernels_W( "avx512" );
	kernels.updateElements = UpdateElements_Avx512;
	kernels.quality.differentiate = Differentiate_Avx512;
	kernels.polarSteps = PolarSteps_Avx512;
	kernels.wideLanes = gelGetWideLanes_Avx512();
	return kernels;
}

#else

gelKernels gelGetKernels_Avx512( void )
{
	return ( gelKernels ){ NULL };
}

#endif
