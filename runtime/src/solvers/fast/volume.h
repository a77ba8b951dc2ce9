// SPDX-License-Identifier: MIT
// Volume resistance as compliant constraints, solved by Gauss-Seidel over batches of tets
// without common nodes.
// Kugelstadt, Koschier, Bender 2018, section 3.2; compliance as in XPBD (Macklin, Mueller, Chentanez 2016).
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

/// sweepCount sweeps over all tets in the order of gelAsset.slotTets, always forward. Turning every second
/// sweep round, as is often done against drift, was tried and lost: on a strained beam of nu 0.49 two sweeps
/// then leave 2.0 % of volume error instead of 0.6 %, and a clamped beam bends further to the side, not less.
/// @param kappa 8 per batch; set to zero first
void gelSolveVolume_Ref(
	const gelAsset* asset, const float* invMasses, float h, int sweepCount, float* kappa, gelVec3* x );
