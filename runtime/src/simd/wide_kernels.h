// SPDX-License-Identifier: MIT
// All wide kernels, for a file that has chosen an instruction set (simd.h).
#pragma once

#include "simd/kernels.h"
#include "state/wide_coarse.h"
#include "contact/detect/wide_contact.h"
#include "simd/wide_elements.h"
#include "solvers/implicit/wide_implicit.h"
#include "simd/wide_nodes.h"
#include "solvers/particles/wide_particles.h"
#include "solvers/implicit/wide_qr.h"
#include "solvers/fast/wide_quality.h"
#include "query/wide_query.h"
#include "skin/wide_skin.h"
#include "simd/wide_solve.h"
#include "simd/wide_vectors.h"
#include "solvers/fast/wide_volume.h"
#include "solvers/warp/wide_warp.h"

// Without wide registers there is nothing to gain from bodies side by side.
#if defined( GEL_SIMD_NONE )
#define GEL_LANE_KERNELS                                                                                     \
	{                                                                                                        \
		0                                                                                                    \
	}
#define GEL_PARTICLE_LANE_KERNELS GEL_LANE_KERNELS
#else
#include "simd/wide_lanes.h"
#include "solvers/fast/wide_lanes_elements.h"
#include "simd/wide_lanes_solve.h"
#include "solvers/fast/wide_lanes_volume.h"
#include "solvers/particles/wide_particle_lanes.h"
#define GEL_LANE_KERNELS                                                                                     \
	{                                                                                                        \
		GEL_LANES, LanePredict_W, LaneElements_W, LaneSolve_W, LaneSubtractRest_W, LaneVolume_W, LaneStore_W \
	}
#define GEL_PARTICLE_LANE_KERNELS                                                                            \
	{                                                                                                        \
		GEL_LANES, LaneIterate_W                                                                             \
	}
#endif

static gelKernels MakeKernels_W( const char* name )
{
	return ( gelKernels ){ name, UpdateElements_W, SweepVolume_W, SolvePanels_W, SkinPositions_W,
		PolarSteps_W, RefitCoarse_W, SearchSurface_W, GEL_IMPLICIT_KERNELS,
		.quality = { Differentiate_W, Inertia_W, DotVectors_W, CombineVectors_W },
		.averageCofactors = AverageCofactors_W, .skinNormals = SkinNormals_W,
		.nodes = { PredictNodes_W, GatherRows_W, AddRows_W, SubtractRest_W, StoreNodes_W,
			DifferencePositions_W, BoundNodes_W },
		.contact = { DeformPatch_W, SearchPatches_W, MeetChildren_W }, .lanes = GEL_LANE_KERNELS,
		.particles = { PredictParticles_W, SweepParticles_W, SumParticles_W, FinishParticles_W, SkinNodes_W,
			SkinVertices_W },
		.particleLanes = GEL_PARTICLE_LANE_KERNELS, .warpErrors = WarpErrors_W };
}
