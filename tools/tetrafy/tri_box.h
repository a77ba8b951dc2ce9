// SPDX-License-Identifier: MIT
// A quick test that sorts out boxes far from a triangle. It errs only on the side of "may meet".
#pragma once

#include "tet_math.h"

#include <stdbool.h>

typedef struct gelTriangleFrame
{
	gelDvec origin;  // a corner
	gelDvec axes[4]; // normal, and outward normals of the sides in the plane; not of unit length
	double reach[4]; // how far the triangle extends along each, from the origin
	double sum[4];   // |x| + |y| + |z| of each axis: scales the rounding errors
	gelDbox box;
	double scale; // largest coordinate [m]
} gelTriangleFrame;

gelTriangleFrame gelMakeTriangleFrame( const gelDvec p[3] );
bool gelTriangleMayMeetBox( const gelTriangleFrame* frame, const gelDbox* box );
