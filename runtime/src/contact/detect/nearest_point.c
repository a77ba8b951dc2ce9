// SPDX-License-Identifier: MIT
#include "contact/detect/nearest_point.h"

#include "query/surface_query.h"

// Distances that differ by less than this part are those of one edge or corner. The triangle that faces the
// center most then says which side is outside.
#define GEL_SAME_DISTANCE 1.0e-4f

// What is searched is larger than what the nearest point so far leaves, by this part: rounding.
#define GEL_SEARCH_SLACK 1.0e-3f

// Every level leaves at most seven children behind; a patch of 2^29 triangles has 30 levels.
#define GEL_NEAREST_TREE_STACK  ( 7 * GEL_CDG_MAX_DEPTH + 8 )
#define GEL_NEAREST_PATCH_STACK 32

// Scaled: in the space in which the ellipsoid is the unit sphere around the origin.
typedef struct Search
{
	const gelContactSurface* surface;
	gelVec3 center;    // middle of the ellipsoid [m]
	gelVec3 extents;   // how far the ellipsoid reaches along the axes [m]
	gelVec3 low, high; // box around what of it is left to search [m]
	gelVec3 rows[3];   // upper triangle U with U^T U = shape^-1: U ( p - center ) is scaled
	gelVec3 nodes[4];  // corners of the cell, scaled
	float edges[3][4]; // the first corner, then the way from it to the others, by axis
	float sizes[3][4]; // rounding of points of the cell, then the lengths of these ways
	gelNearestPoint* best;
} Search;

// ---- triangles -------------------------------------------------------------------------------------------

// Point of a triangle nearest to the origin as weights of corners, by regions (Ericson 2005, section 5.1.5).
static void FindClosest( const gelVec3 p[3], float w[3] )
{
	gelVec3 ab = gelSub( p[1], p[0] ), ac = gelSub( p[2], p[0] );
	float d1 = -gelDot( ab, p[0] ), d2 = -gelDot( ac, p[0] );
	float d3 = -gelDot( ab, p[1] ), d4 = -gelDot( ac, p[1] );
	float d5 = -gelDot( ab, p[2] ), d6 = -gelDot( ac, p[2] );
	float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
	float v = 0.0f, u = 0.0f; // weights of corners 1 and 2
	if ( d1 <= 0.0f && d2 <= 0.0f )
		v = u = 0.0f;
	else if ( d3 >= 0.0f && d4 <= d3 )
		v = 1.0f;
	else if ( d6 >= 0.0f && d5 <= d6 )
		u = 1.0f;
	else if ( vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f )
		v = d1 / ( d1 - d3 );
	else if ( vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f )
		u = d2 / ( d2 - d6 );
	else if ( va <= 0.0f && d4 >= d3 && d5 >= d6 )
	{
		u = ( d4 - d3 ) / ( ( d4 - d3 ) + ( d5 - d6 ) );
		v = 1.0f - u;
	}
	else
	{
		float inv = 1.0f / ( va + vb + vc );
		v = vb * inv;
		u = vc * inv;
	}
	w[0] = 1.0f - v - u;
	w[1] = v;
	w[2] = u;
}

static gelVec3 Scale( const Search* s, gelVec3 p )
{
	gelVec3 d = gelSub( p, s->center );
	return ( gelVec3 ){ gelDot( s->rows[0], d ), gelDot( s->rows[1], d ), gelDot( s->rows[2], d ) };
}

static void SetBox( Search* s )
{
	gelVec3 r = gelScale( sqrtf( s->best->distance2 ) + GEL_SEARCH_SLACK, s->extents );
	s->low = gelSub( s->center, r );
	s->high = gelAdd( s->center, r );
}

static void TryTriangle( Search* s, const gelPackPatch* patch, uint32_t triangle )
{
	const gelCdgView* cdg = &s->surface->pack->cdg;
	gelNearestPoint* best = s->best;
	uint32_t slots[3];
	gelVec3 q[3];
	float w[3];
	gelCdg_GetCorners( cdg, patch, triangle, slots );
	for ( int k = 0; k < 3; ++k )
		q[k] = gelDeformVertex( cdg, slots[k], s->nodes );
	gelVec3 normal = gelCross( gelSub( q[1], q[0] ), gelSub( q[2], q[0] ) );
	float area = gelLength( normal ), height = -gelDot( normal, q[0] );
	if ( !( area > 0.0f ) ) return; // also NaN
	// the plane of the triangle is farther than what was found
	if ( height * height > ( 1.0f + GEL_SEARCH_SLACK ) * best->distance2 * area * area ) return;
	FindClosest( q, w );
	gelVec3 at = gelMulAdd( gelMulAdd( gelScale( w[0], q[0] ), w[1], q[1] ), w[2], q[2] );
	float distance2 = gelLengthSquared( at ), facing = height / area; // scaling keeps which side is which
	bool isSame = fabsf( distance2 - best->distance2 ) <= GEL_SAME_DISTANCE * best->distance2;
	if ( isSame ? !( fabsf( facing ) > fabsf( best->facing ) ) : !( distance2 < best->distance2 ) ) return;
	best->distance2 = gelMinFloat( distance2, best->distance2 );
	best->facing = facing;
	best->triangle = triangle;
	best->cell = patch->cell;
	best->point = at;
	SetBox( s );
	float corner[3][4];
	for ( int k = 0; k < 3; ++k )
		gelCdg_GetWeights( cdg, slots[k], corner[k] );
	for ( int k = 0; k < 4; ++k )
		best->weight[k] = w[0] * corner[0][k] + w[1] * corner[1][k] + w[2] * corner[2][k];
}

// ---- search ----------------------------------------------------------------------------------------------

// Whether triangles with weights in these intervals may be nearer than what was found: bounds along the axes
// with the first corner as pivot (cell_bounds.h), by their middle and half of their length.
static bool MayBeNear( const Search* s, uint64_t bounds )
{
	float middle[4], half[4], sum = 0.0f;
	for ( int k = 1; k < 4; ++k )
	{
		float low = gelCdg_Low( bounds, k ), high = gelCdg_High( bounds, k );
		middle[k] = 0.5f * ( low + high );
		half[k] = 0.5f * ( high - low );
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		const float *d = s->edges[axis], *size = s->sizes[axis];
		float at = d[0] + d[1] * middle[1] + d[2] * middle[2] + d[3] * middle[3];
		float reach = size[0] + size[1] * half[1] + size[2] * half[2] + size[3] * half[3];
		float away = gelMaxFloat( fabsf( at ) - reach, 0.0f );
		sum += away * away;
	}
	return sum <= ( 1.0f + GEL_SEARCH_SLACK ) * s->best->distance2;
}

static void TryPatch( Search* s, const gelPackPatch* patch )
{
	gelCdgRange stack[GEL_NEAREST_PATCH_STACK];
	int depth = 0;
	stack[depth++] = ( gelCdgRange ){ patch->triangleFirst, patch->triangleFirst + patch->triangleCount };
	while ( depth > 0 )
	{
		gelCdgRange range = stack[--depth], half[2];
		if ( !MayBeNear( s, gelCdg_GetBounds( &s->surface->pack->cdg, range.first ) ) ) continue;
		TryTriangle( s, patch, range.first );
		gelCdgRange_Split( range, half, half + 1 );
		for ( int i = 0; i < 2; ++i )
		{
			if ( half[i].first < half[i].end ) stack[depth++] = half[i];
		}
	}
}

static void TryCell( Search* s, uint32_t index )
{
	const gelPackCell* cell = s->surface->pack->cells + index;
	gelGetCellNodes( s->surface->nodes, cell, s->nodes );
	for ( int k = 0; k < 4; ++k )
		s->nodes[k] = Scale( s, s->nodes[k] );
	for ( int axis = 0; axis < 3; ++axis )
	{
		float pivot = ( &s->nodes[0].x )[axis], sum = fabsf( pivot );
		s->edges[axis][0] = pivot;
		for ( int k = 1; k < 4; ++k )
		{
			s->edges[axis][k] = ( &s->nodes[k].x )[axis] - pivot;
			s->sizes[axis][k] = fabsf( s->edges[axis][k] );
			sum += s->sizes[axis][k];
		}
		s->sizes[axis][0] = GEL_BOUND_SLACK * sum;
	}
	for ( uint32_t p = cell->patchFirst; p < cell->patchFirst + cell->patchCount; ++p )
		TryPatch( s, s->surface->pack->patches + p );
}

static bool IsNearLane( const gelContactSurface* surface, uint32_t box, gelVec3 low, gelVec3 high )
{
	const gelCoarseBoxes* boxes = surface->boxes + box / GEL_COARSE_LANES;
	uint32_t lane = box % GEL_COARSE_LANES;
	return boxes->low[0][lane] <= high.x && boxes->high[0][lane] >= low.x && boxes->low[1][lane] <= high.y &&
		boxes->high[1][lane] >= low.y && boxes->low[2][lane] <= high.z && boxes->high[2][lane] >= low.z;
}

// Children of a node whose boxes meet a box. @return how many there are in the list now
static int AddChildren( const gelContactSurface* surface, uint32_t child, gelVec3 low, gelVec3 high,
	gelSurfacePiece* list, int count )
{
	const gelCoarseNode* node = surface->tree + child;
	for ( uint32_t lane = 0; lane < GEL_COARSE_LANES && node->child[lane] != GEL_CDG_NIL; ++lane )
	{
		uint32_t box = GEL_COARSE_LANES * child + lane;
		if ( IsNearLane( surface, box, low, high ) )
			list[count++] = ( gelSurfacePiece ){ node->child[lane], box };
	}
	return count;
}

void gelFindSurfacePieces(
	const gelContactSurface* surface, gelVec3 low, gelVec3 high, gelSurfacePieces* out )
{
	gelSurfacePiece* items = out->items;
	out->count = AddChildren( surface, (uint32_t)surface->treeCount - 1, low, high, items, 0 );
	for ( int i = 0; i < out->count && out->count <= GEL_MAX_PIECES - GEL_COARSE_LANES; )
	{
		uint32_t child = items[i].child;
		if ( gelIsCell( child ) )
		{
			++i;
			continue;
		}
		items[i] = items[--out->count];
		out->count = AddChildren( surface, child, low, high, items, out->count );
	}
}

static void TryPiece( Search* s, gelSurfacePiece piece )
{
	gelSurfacePiece stack[GEL_NEAREST_TREE_STACK];
	int depth = 0;
	stack[depth++] = piece;
	while ( depth > 0 )
	{
		piece = stack[--depth];
		if ( !IsNearLane( s->surface, piece.box, s->low, s->high ) ) continue; // what was found is nearer
		if ( gelIsCell( piece.child ) )
			TryCell( s, piece.child & ~GEL_COARSE_CELL );
		else
			depth = AddChildren( s->surface, piece.child, s->low, s->high, stack, depth );
	}
}

// The piece whose box is nearest, along the axis on which it is farthest away, in extents of the ellipsoid:
// what is found there leaves little of the others. @return -1: none is in reach
static int FindNearestPiece( const Search* s, const gelSurfacePieces* pieces )
{
	int first = -1;
	float least = INFINITY;
	for ( int i = 0; i < pieces->count; ++i )
	{
		uint32_t box = pieces->items[i].box;
		if ( !IsNearLane( s->surface, box, s->low, s->high ) ) continue;
		const gelCoarseBoxes* boxes = s->surface->boxes + box / GEL_COARSE_LANES;
		float away = 0.0f;
		for ( int axis = 0; axis < 3; ++axis )
		{
			float at = ( &s->center.x )[axis];
			float gap = gelMaxFloat( boxes->low[axis][box % GEL_COARSE_LANES] - at,
				at - boxes->high[axis][box % GEL_COARSE_LANES] );
			away = gelMaxFloat( gap / ( &s->extents.x )[axis], away );
		}
		if ( !( away < least ) ) continue;
		least = away;
		first = i;
	}
	return first;
}

// Rows of U from the shape: its inverse, then Cholesky. False: the ellipsoid is flat.
static bool SetMetric( Search* s, gelSym3 S )
{
	float cxx = S.yy * S.zz - S.yz * S.yz, cxy = S.xz * S.yz - S.xy * S.zz, cxz = S.xy * S.yz - S.xz * S.yy;
	float det = S.xx * cxx + S.xy * cxy + S.xz * cxz;
	if ( !( det > 0.0f ) ) return false;
	float inv = 1.0f / det;
	float xx = inv * cxx, xy = inv * cxy, xz = inv * cxz;
	float yy = inv * ( S.xx * S.zz - S.xz * S.xz ), yz = inv * ( S.xy * S.xz - S.xx * S.yz );
	float zz = inv * ( S.xx * S.yy - S.xy * S.xy );
	float a = sqrtf( xx ), b = xy / a, c = xz / a;
	float d = sqrtf( gelMaxFloat( yy - b * b, 0.0f ) ), e = ( yz - b * c ) / d;
	float f = sqrtf( gelMaxFloat( zz - c * c - e * e, 0.0f ) );
	s->rows[0] = gelMakeVec3( a, b, c );
	s->rows[1] = gelMakeVec3( 0.0f, d, e );
	s->rows[2] = gelMakeVec3( 0.0f, 0.0f, f );
	return a > 0.0f && d > 0.0f && f > 0.0f && a < INFINITY && d < INFINITY && f < INFINITY;
}

bool gelFindNearestPoint( const gelContactSurface* surface, const gelSurfacePieces* pieces, gelVec3 center,
	gelSym3 shape, float radii, gelNearestPoint* out )
{
	GEL_ASSERT( radii > 0.0f );
	Search s = { .surface = surface, .center = center, .best = out };
	*out = ( gelNearestPoint ){ .distance2 = radii * radii, .cell = GEL_CDG_NIL };
	s.extents = gelMakeVec3( sqrtf( gelMaxFloat( shape.xx, 0.0f ) ), sqrtf( gelMaxFloat( shape.yy, 0.0f ) ),
		sqrtf( gelMaxFloat( shape.zz, 0.0f ) ) );
	SetBox( &s );
	int first = FindNearestPiece( &s, pieces );
	if ( first < 0 || !SetMetric( &s, shape ) ) return false;
	for ( int i = -1; i < pieces->count; ++i )
	{
		if ( i != first ) TryPiece( &s, pieces->items[i < 0 ? first : i] );
	}
	if ( out->cell == GEL_CDG_NIL ) return false;
	// the gradient of the ellipsoid at the point, U^T q, turned outwards
	gelVec3 q = out->point;
	gelVec3 n = gelMulAdd( gelMulAdd( gelScale( q.x, s.rows[0] ), q.y, s.rows[1] ), q.z, s.rows[2] );
	float length = gelLength( n );
	out->normal = gelScale( ( out->facing < 0.0f ? 1.0f : -1.0f ) / length, n );
	gelGetCellNodes( surface->nodes, surface->pack->cells + out->cell, s.nodes );
	out->point = gelScale( out->weight[0], s.nodes[0] );
	for ( int k = 1; k < 4; ++k )
		out->point = gelMulAdd( out->point, out->weight[k], s.nodes[k] );
	return length > 0.0f && length < INFINITY;
}
