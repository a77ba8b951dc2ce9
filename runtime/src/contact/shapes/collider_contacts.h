// SPDX-License-Identifier: MIT
// Contacts of a body with analytic colliders, at candidate positions: a solver has found where the nodes
// would be at the end of the step, and the collider is where the game has put it by then. Vertices that end
// inside, or that passed through on the way, are contacts, and so are points in the middle of triangles that
// are large for the shape: it does not slip in between their corners. Nothing is deeper after a step than it
// was before, up to what the response leaves: a body does not sink into a collider to be noticed.
#pragma once

#include "state/body.h"
#include "contact/shapes/collider_shape.h"
#include "contact/shapes/touch_points.h"

/// Where a collider is at the start or at the end of a step.
typedef struct gelColliderPose
{
	double position[3]; // [m, world space]
	gelMat3 rotation;   // from the collider's space
} gelColliderPose;

/// A collider in one step.
typedef struct gelColliderMotion
{
	gelShape shape;
	gelColliderPose start, end;
	float staticFriction, dynamicFriction;
	bool isStill;   // start and end are the same
	uint32_t index; // its slot; UINT32_MAX: it is the ground
} gelColliderMotion;

/// Static and dynamic coefficient of a collider.
static inline void gelGetColliderFriction( const gelColliderMotion* motion, float out[2] )
{
	out[0] = motion->staticFriction;
	out[1] = motion->dynamicFriction;
}

/// How the point of a collider that starts the step at `place` moves over it [m].
/// @param place [m, relative to origin]
gelVec3 gelColliderMotion_GetMove( const gelColliderMotion* motion, const double origin[3], gelVec3 place );

/// Points of one body on one collider, added to body->contact->points. Positions of the nodes are the
/// candidates body->x, the start is body->xOld. Points that loads of this step were given for are always
/// among them.
/// @param isNear the collider may be reached at all @param isFirst in this step: points that carry load are
/// added
/// @param floor normal of the ground that the body stands on: no way out of a shape; NULL: it does not
void gelFindColliderPoints( gelBody* body, const gelColliderMotion* collider, float h, bool isNear,
	bool isFirst, const gelVec3* floor, gelPickSheet* sheet );

/// Whether something of the surface is inside of a shape that stands, where the body is now.
bool gelTouchesShape( gelBody* body, const gelColliderMotion* collider );
