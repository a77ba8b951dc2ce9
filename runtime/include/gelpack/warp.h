// SPDX-License-Identifier: MIT
// Bodies with gel_solverWarpCancelling; their settings are gelWarpDef. Included by gelpack.h. A guide is
// docs/warp.md.
#pragma once

#include "base.h"
#include "types.h"

/// What a step did to the factor of a body with gel_solverWarpCancelling.
typedef struct gelWarpStats
{
	int superCount, refreshedCount; ///< supernodes
	float operations; ///< work of the refresh, as a part of that of a whole factorization; without
					  ///< making all of it for another step length or a restored state
	float error;      ///< largest of an element before the refresh [m/s]
	float residual;   ///< norm of what the solve left, relative to its right-hand side
	int liftCount;    ///< pivots that had to be raised; 0 in a healthy body
} gelWarpStats;

/// What the last step did to the factor of a body; zeros for a body with another solver.
GEL_API gelWarpStats gelBody_GetWarpStats( gelBodyId bodyId );

/// For tools that write packs: makes the factor of a body at rest, by the code that will use it, so that both
/// have the same bits. Games do not need it.
/// @param step length of a step [s]
/// @param panels, updates, tiles as many floats as the layout of the pack says (formats/pack.md, WFAC),
/// aligned to 64 bytes
/// @return gel_errorUnsupported when the pack has no fronts for the pin set; gel_errorMemory;
/// gel_errorArgument
GEL_API gelResult gelAsset_MakeWarpFactor(
	const gelAsset* asset, float step, uint64_t pinSetId, float* panels, float* updates, float* tiles );
