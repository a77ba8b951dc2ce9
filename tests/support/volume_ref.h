// SPDX-License-Identifier: MIT
// The volume constraint of one tet, and sweeps over all: twins of wide_volume_moves.h, where the formulas
// are.
#pragma once

#include "asset/asset.h"

/// What one constraint needs besides the state.
typedef struct gelVolumeConstraint
{
	float restDet;    // 6 V [m^3]
	float compliance; // (6 V)^2 / (lambda V h^2) [m^4/kg]
	float maxMove2;   // square of the longest move of a node in one projection [m^2]
} gelVolumeConstraint;

/// One projection of one tet.
/// @param w inverse masses [1/kg], 0: fixed
/// @param kappa multiplier of the step so far, divided by 6 V
void gelSolveVolumeTet_Ref( gelVolumeConstraint constraint, const float w[4], gelVec3* x[4], float* kappa );

/// sweepCount sweeps over all tets in the order of gelAsset.slotTets, always forward.
/// @param kappa 8 per batch; set to zero first
void gelSolveVolume_Ref(
	const gelAsset* asset, const float* invMasses, float h, int sweepCount, float* kappa, gelVec3* x );
