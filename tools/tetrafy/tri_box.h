// SPDX-License-Identifier: MIT
// A quick test that sorts out boxes far from a triangle. It errs only on the side of "may meet".
#pragma once

#include "tet_math.h"

#include <stdbool.h>

typedef struct gelTriangleFrame
{
	gelDvec p[3];
	gelDvec edges[3];
	gelDvec normal; // not of unit length
	gelDbox box;
	double scale; // largest coordinate [m]: bounds the rounding errors
} gelTriangleFrame;

gelTriangleFrame gelMakeTriangleFrame( const gelDvec p[3] );
bool gelTriangleMayMeetBox( const gelTriangleFrame* frame, const gelDbox* box );
