// SPDX-License-Identifier: MIT
// Compiled for two registers of 512 bits at a time: the element loops over four blocks.
#include "simd/kernels.h"

#if defined( __AVX512VL__ )
#define GEL_SIMD_AVX512_TWICE
#include "simd/wide_gradient.h"

bool gelUpdateElementQuads_Avx512( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	return UpdateElements_W( blocks, blockCount, uRotation, uTilde, h, q, rhs );
}

bool gelDifferentiateQuads_Avx512( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
	const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy )
{
	return Differentiate_W( blocks, lambdaVolumes, blockCount, u, h, q, gradient, energy );
}

void gelPolarQuads_Avx512(
	const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations )
{
	PolarSteps_W( F, q, blockCount, iterations );
}

#endif
