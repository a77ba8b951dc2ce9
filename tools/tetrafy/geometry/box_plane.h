// SPDX-License-Identifier: MIT
// Planes that many boxes are compared with. They err only on the side of "not clearly".
#pragma once

#include <gelpack/math_double.h>

#include <stdbool.h>

// Rounding of the few products and sums below, relative to their largest terms; the true bound is below
// 10 * 2^-53.
#define GEL_PLANE_SLACK 1e-14

typedef struct gelBoxPlane
{
	gelVec3d normal; // any length
	double offset;   // offset of the plane: normal . x = offset
	double slack;
	// Which of the six numbers of a box (least x, y, z, greatest x, y, z) make its corner that is lowest
	// along the normal.
	uint8_t low[3];
} gelBoxPlane;

/// @param scale bound of all coordinates, of the boxes and of the point [m]
static inline gelBoxPlane gelMakeBoxPlane( gelVec3d normal, gelVec3d point, double scale )
{
	gelBoxPlane plane = { .normal = normal, .offset = gelDotD( normal, point ) };
	plane.slack = GEL_PLANE_SLACK * scale * ( fabs( normal.x ) + fabs( normal.y ) + fabs( normal.z ) );
	plane.low[0] = normal.x >= 0.0 ? 0 : 3;
	plane.low[1] = normal.y >= 0.0 ? 1 : 4;
	plane.low[2] = normal.z >= 0.0 ? 2 : 5;
	return plane;
}

/// Is all of the box clearly on the side that the normal points to?
static inline bool gelBoxIsAbove( const gelBoxPlane* plane, const gelBox3d* box )
{
	const double* values = (const double*)box;
	const uint8_t* at = plane->low;
	// The lowest corner of the box along the normal: eight corners need no test when one is chosen by the
	// signs of the normal.
	double lowest =
		plane->normal.x * values[at[0]] + plane->normal.y * values[at[1]] + plane->normal.z * values[at[2]];
	return lowest > plane->offset + plane->slack;
}

/// Is all of the box clearly on the other side?
static inline bool gelBoxIsBelow( const gelBoxPlane* plane, const gelBox3d* box )
{
	const double* values = (const double*)box;
	const uint8_t* at = plane->low; // the opposite corner has the other number of each axis
	double highest = plane->normal.x * values[3 - at[0]] + plane->normal.y * values[5 - at[1]] +
		plane->normal.z * values[7 - at[2]];
	return highest < plane->offset - plane->slack;
}

/// Largest absolute coordinate of a box [m].
static inline double gelBox3d_Scale( const gelBox3d* box )
{
	gelVec3d size = gelMaxVec3d( gelScaleD( -1.0, box->min ), box->max );
	return gelMaxDouble( size.x, gelMaxDouble( size.y, size.z ) );
}
