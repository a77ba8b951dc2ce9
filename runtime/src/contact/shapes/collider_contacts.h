// SPDX-License-Identifier: MIT
// Contacts of a body with analytic colliders, at candidate positions: a solver has found where the nodes
// would be at the end of the step, and the collider is where the game has put it by then. Vertices that end
// inside, or that passed through on the way, are contacts, and so are points in the middle of triangles that
// are large for the shape: it does not slip in between their corners. Nothing is deeper after a step than it
// was before, up to what the response leaves: a body does not sink into a collider to be noticed.
#pragma once

#include "state/body.h"
#include "contact/shapes/collider_shape.h"
#include "contact/contact_records.h"

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
	uint32_t index; // part of the features of its contacts
} gelColliderMotion;

/// How the point of a collider that starts the step at `place` moves over it [m].
/// @param place [m, relative to origin]
gelVec3 gelColliderMotion_GetMove( const gelColliderMotion* motion, const double origin[3], gelVec3 place );

/// Contacts of one body with one collider: up to four per cell, deep and spread. Positions of the nodes are
/// the candidates body->x, the start is body->xOld.
/// @param floor normal of the ground that the body stands on: no way out of a shape; NULL: it does not
/// @param list gets them, those of the lowest cells first
void gelFindColliderContacts(
	gelBody* body, const gelColliderMotion* collider, float h, const gelVec3* floor, gelItemList* list );

/// Whether something of the surface is inside of a shape that stands, where the body is now.
bool gelTouchesShape( gelBody* body, const gelColliderMotion* collider );
