// SPDX-License-Identifier: MIT
// The wide kernels, compiled for AVX-512 with registers of 256 bits: the same eight lanes, but twice as many
// registers. The element loop has registers of 512 bits for all but the last block of an odd number
// (kernels_avx512_pairs.c).
#include "kernels.h"

#if defined( __AVX512VL__ )
#define GEL_SIMD_AVX2
#include "wide_coarse.h"
#include "wide_elements.h"
#include "wide_implicit.h"
#include "wide_qr.h"
#include "wide_quality.h"
#include "wide_query.h"
#include "wide_skin.h"
#include "wide_solve.h"
#include "wide_vectors.h"
#include "wide_volume.h"

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
	return ( gelKernels ){ "avx512", UpdateElements_Avx512, SweepVolume_W, SolvePanels_W, SkinPositions_W,
		PolarSteps_Avx512, RefitCoarse_W, SearchSurface_W, GEL_IMPLICIT_KERNELS,
		{ Differentiate_Avx512, Inertia_W, DotVectors_W, CombineVectors_W } };
}

#else

gelKernels gelGetKernels_Avx512( void )
{
	return ( gelKernels ){ NULL };
}

#endif
