// SPDX-License-Identifier: MIT
// State of a body from one level of detail to another. What a body does as a whole is split off first and is
// not interpolated at all:
//
//     x_i = c + R ( X_i - C ) + u_i            c, C: center of mass now and at rest; R: the rotation between
//     them v_i = vc + w x ( x_i - c ) + d_i         vc: of the center; w = I^-1 L, of the inertia and spin
//     now
//
// Only the rest, u and d, goes through the maps of the pack (LMAP), in double. So a body that is not deformed
// is not deformed afterwards, wherever it is and however it moves, whatever the weights of the maps are.
#pragma once

#include "asset/rest_point.h"
#include "state/body.h"
#include "gelpack/math_double.h"

/// Motion of a body as a whole.
typedef struct gelWholeMotion
{
	gelVec3d center, restCenter; // centers of mass, now and at rest [m]
	gelQuat turn;                // rest -> now
	gelMat3d R;                  // the same
	gelVec3d velocity;           // [m/s]
	gelVec3d spin;               // [rad/s]
} gelWholeMotion;

/// Rotation of a quaternion that is normalized first.
gelMat3d gelMakeMat3dFromQuat( gelQuat q );

/// Fills x, v, q, forces and plastic strains of `to`, a body of the same asset and settings in another level
/// that has no state yet. Pins are not looked at but for this: they hold the body, so nothing is corrected.
/// @return false: no memory; nothing has changed
bool gelTransferState( const gelAllocator* allocator, const gelBody* from, gelBody* to );

/// Pinned nodes and their targets: they follow those of the other level as if pins near each other were a
/// rigid thing (lod_points.c).
void gelTransferPins( const gelBody* from, gelBody* to );

/// Takes strains away that the change has made up, as far as they matter; pins are in their places
/// (lod_relax.c).
void gelRelaxState( const gelBody* from, gelBody* to );

/// Constraints and frames: points are found again in the other cage at rest (lod_points.c).
void gelTransferConstraints( const gelBody* from, gelBody* to );
