// SPDX-License-Identifier: MIT
// Compiled for registers of 512 bits: the element loop over two blocks at once, and sixteen bodies side by
// side.
#include "kernels.h"

#if defined( __AVX512VL__ )
#define GEL_SIMD_AVX512
#include "wide_gradient.h"
#include "wide_lanes.h"
#include "wide_lanes_solve.h"

bool gelUpdateElementPairs_Avx512( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	return UpdateElements_W( blocks, blockCount, uRotation, uTilde, h, q, rhs );
}

bool gelDifferentiatePairs_Avx512( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
	const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy )
{
	return Differentiate_W( blocks, lambdaVolumes, blockCount, u, h, q, gradient, energy );
}

void gelPolarPairs_Avx512(
	const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations )
{
	PolarSteps_W( F, q, blockCount, iterations );
}

gelLaneKernels gelGetWideLanes_Avx512( void )
{
	return ( gelLaneKernels ){ GEL_LANES, LanePredict_W, LaneElements_W, LaneSolve_W, LaneSubtractRest_W,
		LaneVolume_W, LaneStore_W };
}

#endif
