// SPDX-License-Identifier: MIT
// A shape and a body that are inside of each other because the game has put them there, or because the shape
// moved too wildly to be stopped. The nearest way out of the shape for each vertex would tear the body apart,
// or hold it where it is; here all of them get one way.
//
// Where a piece of the surface is in the shape, that is the way in which their common volume shrinks fastest:
// against the vector area of the piece, as for contacts of surfaces (contact_regions.h). Where nothing of the
// surface is, or all around, its vector area is nothing: then it is the shortest of 14 directions along which
// the body as a whole leaves the shape (exit_direction.h).
#pragma once

#include "state/body.h"
#include "contact/shapes/collider_shape.h"

/// What the triangles of a body that are deep in a shape think of the way out, weighted by area and depth.
typedef struct gelExitVotes
{
	float weight;   // sum over all that are deep [m^3]
	gelVec3 sum;    // directions of those that do not face the shape [m^3]
	float askance;  // weight of these [m^3]
	float wrong;    // weight of those that are pushed on from within [m^3]
	gelVec3 vector; // vector area of the whole piece [m^2]
	float area;     // [m^2]
} gelExitVotes;

/// Depth from which triangles vote [m]: beyond what contacts at rest or under pressure have.
float gelGetVoteDepth( const gelBody* body, const gelShape* shape );

/// @param corners of a triangle, in the space of the shape
void gelExitVotes_Add(
	gelExitVotes* votes, const gelShape* shape, const gelVec3 corners[3], float voteDepth );

/// Whether the ways contradict each other, or the side of the surface that they push on.
bool gelExitVotes_Differ( const gelExitVotes* votes );

/// Whether the middle of a shape is inside of a body.
/// @param x positions of its nodes @param rotation, center of the shape, in body space
bool gelIsMiddleInBody( const gelBody* body, const gelVec3* x, const gelMat3* rotation, gelVec3 center );

/// A direction in the space of the shape, unit, and how far the shape reaches along it.
typedef struct gelExit
{
	gelVec3 direction;
	float reach; // [m]
} gelExit;

/// Against the vector area. False: there is next to none.
bool gelExitVotes_FindWay( const gelExitVotes* votes, const gelShape* shape, gelExit* out );

/// For the whole body. @param floor in body space: what the body stands on, unit and upwards; NULL: nothing
gelExit gelFindExit( const gelBody* body, const gelVec3* x, const gelShape* shape, const gelMat3* rotation,
	gelVec3 center, const gelVec3* floor );
