// SPDX-License-Identifier: MIT
// Bounds of a part of a deforming surface without looking at its vertices.
//
// A b-DOP bounds weights: { w : a_i <= w_i <= b_i, sum w_i = 1 } for the four nodes of a cell. It never
// changes. The extent along a world axis follows from it and the nodes: with node projections x_i and any
// pivot p,
//
//   sum w_i x_i  =  p + sum w_i (x_i - p)  >=  p + sum min( a_i (x_i - p), b_i (x_i - p) )
//
// and by linear programming duality the largest of these bounds over p in { x_0 .. x_3 } is the exact minimum
// (likewise the maximum). This holds for flat and inverted cells, too, since nothing is divided.
#pragma once

#include "state/body.h"

/// A polytope with 14 faces, as bounds along x, y, z, (1,1,1), (1,1,-1), (1,-1,1), (-1,1,1) (not normalized)
/// and a lane that is always zero [m, body space]. One cache line.
typedef struct gelDop
{
	_Alignas( 64 ) float low[8];
	float high[8];
} gelDop;
static_assert( sizeof( gelDop ) == 64, "one cache line" );

#define GEL_DOP_AXES 7

/// Rounding of a position that is computed from weights, and of its projection, relative to the largest
/// coordinate: a generous multiple of the unit in the last place.
#define GEL_BOUND_SLACK 0x1p-18f

/// Projections of a vector on the axes of a gelDop.
static inline void gelProjectOnDop( gelVec3 v, float out[8] )
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
	out[3] = v.x + v.y + v.z;
	out[4] = v.x + v.y - v.z;
	out[5] = v.x - v.y + v.z;
	out[6] = -v.x + v.y + v.z;
	out[7] = 0.0f;
}

/// Bounds of all that has weights a <= w <= b in the tet x, exact but for rounding, which is outwards.
gelDop gelBoundCell_Ref( const gelVec3 x[4], const float a[4], const float b[4] );

/// To be called when nodes have moved: the box of the body follows at once; the coarse tree (coarse_tree.h)
/// becomes stale, and is refitted as soon as a query needs it. A body that nobody asks pays for its box only.
void gelBody_RefitCoarse( gelBody* body );
