// SPDX-License-Identifier: MIT
// Analytic colliders, in their own space. All but the half-space are a core, a box that may have no extent
// along some axes, and a radius around it: a sphere is a point, a capsule a segment along y, a box itself.
// So one signed distance serves all of them, and it is convex: along a segment or over a triangle it has one
// minimum.
#pragma once

#include "math/gel_math.h"

typedef struct gelShape
{
	bool isHalfSpace; // y < 0 is solid; nothing below is read
	gelVec3 core;     // half extents of the core, >= 0 [m]
	float radius;     // around it [m]
} gelShape;

/// Signed distance of p from the surface [m], negative inside, and the direction out of the shape in which
/// it grows. Inside of a box that is the way through the nearest face; from the middle of a sphere or
/// capsule, where no way is shorter than another, up or sideways.
float gelShape_GetDistance( const gelShape* shape, gelVec3 p, gelVec3* outNormal );

/// How far the shape reaches along a unit direction [m]; not for half-spaces.
static inline float gelShape_GetReach( const gelShape* shape, gelVec3 n )
{
	return fabsf( n.x ) * shape->core.x + fabsf( n.y ) * shape->core.y + fabsf( n.z ) * shape->core.z +
		shape->radius;
}

/// Half extents of a box around the shape; infinite for a half-space.
gelVec3 gelShape_GetExtents( const gelShape* shape );

/// Where the segment from p (outside) to q enters the shape, as a fraction of it. False: it does not.
bool gelShape_FindEntry( const gelShape* shape, gelVec3 p, gelVec3 q, float* outFraction );

/// The point of a triangle that is deepest in the shape, as weights of the corners, within about half a
/// percent of the triangle's size. The triangle may have no area. False: nothing of it is inside.
bool gelShape_FindDeepest( const gelShape* shape, const gelVec3 corners[3], float outWeights[3] );
