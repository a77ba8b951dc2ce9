// SPDX-License-Identifier: MIT
// Compiled for registers of 512 bits: sixteen bodies, or vertices, side by side.
#include "simd/kernels.h"

#if defined( __AVX512VL__ )
#define GEL_SIMD_AVX512
#include "simd/wide_lanes.h"
#include "solvers/fast/wide_lanes_elements.h"
#include "simd/wide_lanes_solve.h"
#include "solvers/fast/wide_lanes_volume.h"
#include "solvers/particles/wide_particle_lanes.h"
#include "skin/wide_skin_blocks.h"

gelLaneKernels gelGetWideLanes_Avx512( void )
{
	return ( gelLaneKernels ){ GEL_LANES, LanePredict_W, LaneElements_W, LaneSolve_W, LaneSubtractRest_W,
		LaneVolume_W, LaneStore_W };
}

gelParticleLaneKernels gelGetWideParticleLanes_Avx512( void )
{
	return ( gelParticleLaneKernels ){ GEL_LANES, LaneIterate_W };
}

void gelSkinVertices_Avx512( const gelSkinPass* pass )
{
	SkinVertices_W( pass );
}

#endif
