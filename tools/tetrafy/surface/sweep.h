// SPDX-License-Identifier: MIT
// When does a triangle with one moving corner first touch the surface?
#pragma once

#include "tetrafy/surface/surface_tree.h"

typedef struct gelContact
{
	double time;     // share of the move
	gelVec3d normal; // normal of the plane along which the corner can still move; any length and sign
} gelContact;

/// The face (x(t), p, q) with x(t) = x0 + t (x1 - x0) sweeps the tet (x0, x1, p, q). It does not touch the
/// surface at t = 0. Sets contact to the first one, if that is earlier than contact->time on entry.
/// @param cut where to look; its region must contain the swept tet
void gelSweepFace( const gelSurfaceTree* tree, const gelTreeCut* cut, gelVec3d x0, gelVec3d x1, gelVec3d p,
	gelVec3d q, gelContact* contact );
