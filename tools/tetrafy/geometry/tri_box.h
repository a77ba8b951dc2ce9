// SPDX-License-Identifier: MIT
// A quick test that sorts out boxes far from a triangle. It errs only on the side of "may meet".
#pragma once

#include "tetrafy/geometry/tet_math.h"

#include <stdbool.h>

typedef struct gelTriangleFrame
{
	gelDvec origin;         // a corner
	gelDvec axes[4];        // directions that may separate; not of unit length
	double low[4], high[4]; // extent of the triangle along each, from the origin
	double sum[4];          // |x| + |y| + |z| of each axis: scales the rounding errors
	gelDbox box;
	double scale; // size of the coordinates [m]
} gelTriangleFrame;

/// Degenerate triangles are welcome.
gelTriangleFrame gelMakeTriangleFrame( const gelDvec p[3] );
bool gelTriangleMayMeetBox( const gelTriangleFrame* frame, const gelDbox* box );
