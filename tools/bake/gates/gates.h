// SPDX-License-Identifier: MIT
// Limits that a build sets to a baked body. A body that misses one is not written, and the tool exits with 5.
#pragma once

#include "bake/body/bake.h"

/// Checks a baked pack with all its levels of detail. Figures go to the report ("runtime", "cost", "soak",
/// and "runtime_levels", "cost_levels", "soak_levels" of the coarser ones); a limit that is missed is a
/// finding. A picture of the body at the worst moment of a failed scene goes to PATH.soak-SCENE.png, of level
/// N to PATH.soak-level-N-SCENE.png.
/// @param path of the pack
/// @return whether all limits are kept
bool gelPassGates(
	const gelGates* gates, const uint8_t* bytes, size_t byteCount, const char* path, gelProgram* program );
