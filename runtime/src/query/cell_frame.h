// SPDX-License-Identifier: MIT
// The weights of a deformed cell as functions of space. Made when a ray comes to the cell: rays visit a few
// of a body's hundreds of cells, and 64 bytes for each would be a third of the memory of a body.
#pragma once

#include "math/gel_math.h"

#include <assert.h>

/// How weights change in a deformed cell: w_k( p ) = [k = 0] + dot( g_k, p - x_0 ). One cache line.
typedef struct gelCellFrame
{
	_Alignas( 64 ) float gx[4]; // components of the four gradients [1/m]
	float gy[4], gz[4];
	float x0[3]; // the first corner [m]
	// Rounding of weights that are computed with this frame near the cell, relative to 1 + |w|: see
	// gelMakeCellFrame. Infinite or NaN for a cell without volume.
	float flatness;
} gelCellFrame;
static_assert( sizeof( gelCellFrame ) == 64, "one cache line" );

/// In units of edge^3 / |det|, see gelMakeCellFrame.
#define GEL_FRAME_ERROR 0x1p-15f

/// Tets smaller than this [m] are left to double precision: the products of their edges would underflow.
#define GEL_TINY_EDGE 1.0e-9f

/// Frame of a tet. Error of a weight, with E the largest edge from x0 (sum of components), u = 2^-24, and p
/// nearer than 3 E: gradients times the determinant are off by 5 u E^2 per component, the determinant, a
/// common factor, by 10 u E^3; products and sums add 4 u. The first weight adds up the errors of the others,
/// and a direction has as much error again over the length of the cell. In all below 512 u E^3 / |det| times
/// 1 + |w|: the flatness.
static inline gelCellFrame gelMakeCellFrame( const gelVec3 x[4] )
{
	gelVec3 a = gelSub( x[1], x[0] ), b = gelSub( x[2], x[0] ), c = gelSub( x[3], x[0] );
	gelVec3 g1 = gelCross( b, c ), g2 = gelCross( c, a ), g3 = gelCross( a, b );
	float det = gelDot( a, g1 ), inv = 1.0f / det;
	gelVec3 w1 = gelScale( inv, g1 ), w2 = gelScale( inv, g2 ), w3 = gelScale( inv, g3 );
	gelVec3 w0 = gelAdd( gelAdd( w1, w2 ), w3 );
	float lengthA = fabsf( a.x ) + fabsf( a.y ) + fabsf( a.z ),
		  lengthB = fabsf( b.x ) + fabsf( b.y ) + fabsf( b.z ),
		  lengthC = fabsf( c.x ) + fabsf( c.y ) + fabsf( c.z );
	float edge = lengthA > lengthB ? lengthA : lengthB;
	edge = edge > lengthC ? edge : lengthC;
	return ( gelCellFrame ){
		.gx = { -w0.x, w1.x, w2.x, w3.x },
		.gy = { -w0.y, w1.y, w2.y, w3.y },
		.gz = { -w0.z, w1.z, w2.z, w3.z },
		.x0 = { x[0].x, x[0].y, x[0].z },
		.flatness = edge > GEL_TINY_EDGE ? GEL_FRAME_ERROR * ( edge * edge ) * edge * fabsf( inv ) : INFINITY,
	};
}
