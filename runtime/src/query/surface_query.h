// SPDX-License-Identifier: MIT
// Rays against the collision geometry of one body. Public questions (query_*.c) are made of these.
//
// Two levels. The coarse tree over the cells has boxes in body space, which the first query after a step
// refits (coarse_tree.h).
// Inside of a cell the ray is expressed in the weights of its nodes, w(t) = w_o + t w_d with the same t, and
// meets trees of quantized weight intervals that no deformation touches. Triangles are met in body space
// again, on vertices that all patches compute to the same bits. The search itself is a kernel:
// query_kernels.c.
#pragma once

#include "state/coarse_tree.h"
#include "query/ray_triangle.h"

/// A ray along one axis of a gelDop: it enters a box at the distance ( near - nearOrigin ) * inverse.
typedef struct gelSlab
{
	float nearOrigin, farOrigin, inverse;
	uint32_t nearRow, farRow; // where in gelCoarseBoxes the bounds are that it meets first and last [floats]
} gelSlab;

/// A ray of the caller, checked, seen from one body.
typedef struct gelBodyRay
{
	gelSlab slabs[GEL_DOP_AXES];
	float origin[3]; // start of the trace, in the order kx, ky, kz
	gelTrace trace;  // starts where the ray enters the body's box, so that far origins cost no precision
	double start;    // distance of that from the ray's origin
	double unit;     // distances per fraction
	float slack;     // how far rounding can take a hit off the trace [m]
} gelBodyRay;

/// Rounding of hits, relative to the largest coordinate; see query_kernels.c.
#define GEL_RAY_SLACK ( 128.0 * 0x1p-24 )

/// Directions below this are taken as this: the distances that come out are beyond any other, but finite.
#define GEL_TINY_DIRECTION 1.0e-20f

static inline float gelInverseDirection( float d )
{
	if ( fabsf( d ) >= GEL_TINY_DIRECTION ) return 1.0f / d;
	return d < 0.0f ? -1.0f / GEL_TINY_DIRECTION : 1.0f / GEL_TINY_DIRECTION;
}

/// What a ray found.
typedef struct gelSurfaceHit
{
	uint32_t triangle; // GEL_CDG_NIL: nothing
	uint32_t patch;
	gelTriangleHit at;
} gelSurfaceHit;

/// One search: what it looks for, and what it has found.
typedef struct gelSurfaceSearch
{
	const gelPackView* pack;
	const gelVec3* nodes; // deformed [m, body space]
	// the coarse tree; not for gelSearchSurface_Ref
	const gelCoarseNode* tree;
	uint32_t root;
	const gelCoarseBoxes* boxes;
	const gelBodyRay* ray;
	gelRayFaces faces;
	bool counts; // crossings, instead of looking for the nearest hit
	float limit; // no node that starts beyond this distance matters
	int winding; // sum of crossings
	gelSurfaceHit best;
} gelSurfaceSearch;

/// Takes a triangle of a patch into account, given its sheared corners.
static inline void gelSurfaceSearch_Test( gelSurfaceSearch* s, uint32_t triangle, uint32_t patch,
	gelShearedPoint a, gelShearedPoint b, gelShearedPoint c )
{
	if ( s->counts )
	{
		s->winding += gelCrossSheared( a, b, c );
		return;
	}
	gelTriangleHit hit;
	if ( !gelHitSheared( a, b, c, (double)s->ray->trace.maxDistance, &hit ) ) return;
	if ( s->faces != gel_facesBoth && hit.isBackFace != ( s->faces == gel_facesBack ) ) return;
	bool isNearer = hit.distance < s->best.at.distance ||
		( hit.distance == s->best.at.distance && triangle < s->best.triangle );
	if ( s->best.triangle != GEL_CDG_NIL && !isNearer ) return;
	s->best = ( gelSurfaceHit ){ triangle, patch, hit };
	s->limit = (float)hit.distance * ( 1.0f + 0x1p-22f ); // not below the distance itself
}

/// A search of a ray through the collision geometry of a body.
typedef void gelSearchFcn( gelSurfaceSearch* search );

/// All triangles in turn.
gelSearchFcn gelSearchSurface_Ref;

typedef struct gelQueryKernels
{
	/// Finds the same as gelSearchSurface_Ref.
	gelSearchFcn* searchSurface;
} gelQueryKernels;

const gelQueryKernels* gelGetQueryKernels( gelSimdLevel level );

/// A ray origin + f t, 0 <= f <= maxFraction, in the space of a body that is in a box. False: they do not
/// meet.
bool gelMakeBoxRay(
	const gelAabb* box, const double origin[3], const double t[3], double maxFraction, gelBodyRay* out );

/// False: the ray does not meet the box of the body. maxFraction may be smaller than the ray's own.
bool gelMakeBodyRay( const gelBody* body, const gelRay* ray, double maxFraction, gelBodyRay* out );

/// Where the ray enters the box of the body [fraction]. False: it does not before maxFraction. Cheaper than
/// gelMakeBodyRay, and never says no when that says yes.
bool gelEnterBody( const gelBody* body, const gelRay* ray, double maxFraction, double* outFraction );

/// The fastest search that can be used on a body now. Refits its coarse tree if nobody has.
gelSearchFcn* gelBody_NeedSearch( gelBody* body );

/// Nearest hit; equal distances: the lowest triangle.
/// @param search gelBody_NeedSearch, or gelSearchSurface_Ref
gelSurfaceHit gelCastRay(
	const gelBody* body, const gelBodyRay* ray, gelRayFaces faces, gelSearchFcn* search );

/// Sum of all crossings ahead: how often a closed surface winds around the origin of the ray.
int gelCountWinding( const gelBody* body, const gelBodyRay* ray, gelSearchFcn* search );

/// Error of gelBoundSurface as a part of the longest side of the cage: as coarse as the trees.
#define GEL_BOUNDS_TOLERANCE 0x1p-7f

/// A box around all deformed collision vertices [m, body space], on each side too large by the tolerance at
/// most.
gelAabb gelBoundSurface( gelBody* body );

/// Everything that a hit tells, but for the id of the body.
void gelFillHit( const gelBody* body, const gelBodyRay* ray, gelSurfaceHit found, gelRayHit* out );

/// Deformed position of a collision vertex in body space, from the deformed nodes of its cell. Copies of a
/// vertex in other cells come out with the same bits: nodes ascend in every cell, and those that two cells do
/// not share have weight zero, so the same products are added in the same order.
static inline gelVec3 gelDeformVertex( const gelCdgView* cdg, uint32_t slot, const gelVec3 x[4] )
{
	float w[4];
	gelCdg_GetWeights( cdg, slot, w );
	gelVec3 p = gelScale( w[0], x[0] );
	p = gelMulAdd( p, w[1], x[1] );
	p = gelMulAdd( p, w[2], x[2] );
	return gelMulAdd( p, w[3], x[3] );
}

static inline void gelGetCellNodes( const gelVec3* nodes, const gelPackCell* cell, gelVec3 x[4] )
{
	for ( int k = 0; k < 4; ++k )
		x[k] = nodes[cell->node[k]];
}

/// A box of body space in the world [m], rounded outwards.
gelAabb gelToWorldBox( const gelBody* body, gelAabb box );
