// SPDX-License-Identifier: MIT
// Rays against the collision geometry of one body. Public questions (query_*.c) are made of these.
//
// Two levels. The coarse tree over the cells has boxes in body space that every step refits (cell_bounds.h).
// Inside of a cell the ray is expressed in the weights of its nodes, w(t) = w_o + t w_d with the same t, and
// meets trees of quantized weight intervals that no deformation touches. Triangles are met in body space
// again, on vertices that all patches compute to the same bits.
#pragma once

#include "cell_bounds.h"
#include "pack_read_cdg.h"
#include "ray_triangle.h"

/// A ray of the caller, checked, seen from one body.
typedef struct gelBodyRay
{
	gelTrace trace; // starts where the ray enters the body's box, so that far origins cost no precision
	double start;   // distance of that from the ray's origin
	double unit;    // distances per fraction
	float slack;    // how far rounding can take a hit off the trace [m]
	// slabs of a gelDop: distances are ( low - originLow ) * inverse, ( high - originHigh ) * inverse
	float originLow[8], originHigh[8], inverse[8];
} gelBodyRay;

/// What a ray found.
typedef struct gelSurfaceHit
{
	uint32_t triangle; // GEL_CDG_NIL: nothing
	gelTriangleHit at;
} gelSurfaceHit;

/// False: the ray does not meet the box of the body. maxFraction may be smaller than the ray's own.
bool gelMakeBodyRay( const gelBody* body, const gelRay* ray, double maxFraction, gelBodyRay* out );

/// Nearest hit; equal distances: the lowest triangle.
gelSurfaceHit gelCastRay( const gelBody* body, const gelBodyRay* ray, gelRayFaces faces );

/// The same from all triangles in turn.
gelSurfaceHit gelCastRay_Ref( const gelBody* body, const gelBodyRay* ray, gelRayFaces faces );

/// Sum of all crossings ahead: how often a closed surface winds around the origin of the ray.
int gelCountWinding( const gelBody* body, const gelBodyRay* ray );
int gelCountWinding_Ref( const gelBody* body, const gelBodyRay* ray );

/// Deformed position of a collision vertex in body space, from the deformed nodes of its cell. Copies of a
/// vertex in other cells come out with the same bits: nodes ascend in every cell, and those that two cells do
/// not share have weight zero, so the same products are added in the same order.
static inline gelVec3 gelDeformVertex( const float* weights, uint32_t slot, const gelVec3 x[4] )
{
	const float* w = weights + gelCdg_WeightIndex( slot, 0 );
	gelVec3 p = gelScale( w[0], x[0] );
	p = gelMulAdd( p, w[GEL_PACK_LANES], x[1] );
	p = gelMulAdd( p, w[2 * GEL_PACK_LANES], x[2] );
	return gelMulAdd( p, w[3 * GEL_PACK_LANES], x[3] );
}

static inline void gelGetCellNodes( const gelBody* body, const gelPackCell* cell, gelVec3 x[4] )
{
	for ( int k = 0; k < 4; ++k )
		x[k] = body->x[cell->node[k]];
}

/// A box of body space in the world [m], rounded outwards.
gelAabb gelToWorldBox( const gelBody* body, gelVec3 low, gelVec3 high );

/// The patch that a collision triangle is in.
uint32_t gelFindPatch( const gelPackView* pack, uint32_t triangle );
