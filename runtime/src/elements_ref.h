// SPDX-License-Identifier: MIT
// The element loop step by step: what gelKernels.updateElements does in one pass, for tests and measurements.
#pragma once

#include "body.h"

/// One iteration of the polar decomposition per tet at positions x.
void gelUpdateRotations_Ref( const gelAsset* asset, const gelVec3* x, gelQuat* q );

/// Right-hand sides: 2 h^2 mu V (R - F) g_i per tet and corner [kg m]. They sum to zero per tet.
void gelComputeCorners_Ref(
	const gelAsset* asset, const gelVec3* xTilde, const gelQuat* q, float h, gelVec3* corners );

/// Sums the corners around each node, in fixed order.
void gelGatherCorners_Ref( const gelAsset* asset, const gelVec3* corners, gelVec3* rhs );
