// SPDX-License-Identifier: MIT
// A quick test that sorts out boxes far from a triangle. It errs only on the side of "may meet".
#pragma once

#include <gelpack/math_double.h>

#include <stdbool.h>

typedef struct gelTriangleFrame
{
	gelVec3d origin;        // a corner
	gelVec3d axes[4];       // directions that may separate; not of unit length
	double low[4], high[4]; // extent of the triangle along each, from the origin
	double sum[4];          // |x| + |y| + |z| of each axis: scales the rounding errors
	gelBox3d box;
	double scale; // size of the coordinates [m]
} gelTriangleFrame;

/// Degenerate triangles are welcome.
gelTriangleFrame gelMakeTriangleFrame( const gelVec3d p[3] );
bool gelTriangleMayMeetBox( const gelTriangleFrame* frame, const gelBox3d* box );
