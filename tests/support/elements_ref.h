// SPDX-License-Identifier: MIT
// The element loop step by step: what gelElementKernels.updateElements does in one pass, for tests and
// measurements.
#pragma once

#include "state/body.h"

/// One iteration of the polar decomposition per slot at positions x.
void gelUpdateRotations_Ref( const gelAsset* asset, const gelVec3* x, gelQuat* q );

/// Right-hand sides: 2 h^2 mu V (R - F) g_i per slot and corner [kg m]. They sum to zero per tet.
void gelComputeCorners_Ref(
	const gelAsset* asset, const gelVec3* xTilde, const gelQuat* q, float h, gelVec3* corners );

/// Sums the corners around each node, in the order of the slots.
void gelAddCorners_Ref( const gelAsset* asset, const gelVec3* corners, gelVec3* rhs );
