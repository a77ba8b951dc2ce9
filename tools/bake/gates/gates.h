// SPDX-License-Identifier: MIT
// Limits that a build sets to a baked body. A body that misses one is not written, and the tool exits with 5.
#pragma once

#include "bake/body/bake.h"

typedef struct gelGates
{
	double maxBytes;        // of the pack; 0: no limit
	double maxStepMicros;   // estimated time of a step on one thread of this machine [us]; 0: no limit
	bool soak;              // try the body out (soak.h)
	double maxStrain;       // in the soak; 0: no limit
	double maxPenetration;  // after the drop, relative to the size of the body
	double maxEnergyGrowth; // of a body that nothing moves
} gelGates;

gelGates gelDefaultGates( void );

/// Checks a baked pack with all its levels of detail. Figures go to the report ("cost", "soak", and
/// "cost_levels", "soak_levels" of the coarser ones); a limit that is missed is a finding. A picture of the
/// body at the worst moment of a failed scene goes to PATH.soak-SCENE.png, of level N to
/// PATH.soak-level-N-SCENE.png.
/// @param path of the pack
/// @return whether all limits are kept
bool gelPassGates(
	const gelGates* gates, const uint8_t* bytes, size_t byteCount, const char* path, gelProgram* program );
