// SPDX-License-Identifier: MIT
// For tools that write packs: what is computed by the code that will use it, so that both have the same bits.
// Games do not need it; gelpack.h does not include it.
#pragma once

#include "base.h"
#include "types.h"

/// Makes the factor of the warp-cancelling solver for a body at rest.
/// @param panels, updates, tiles as many floats as the layout of the pack says (formats/pack.md, WFAC),
/// aligned to 64 bytes
/// @return gel_errorUnsupported when the pack has no fronts for the pin set; gel_errorMemory;
/// gel_errorArgument
GEL_API gelResult gelAsset_MakeWarpFactor(
	const gelAsset* asset, float step, uint64_t pinSetId, float* panels, float* updates, float* tiles );
