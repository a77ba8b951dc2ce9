// SPDX-License-Identifier: MIT
// The box of the deformed surface, from few vertices: cells and nodes of trees that cannot reach far beyond
// what has been found are left out, and the box is larger than that by what they could have reached. Without
// this tolerance the flat side of a body on the ground would be searched vertex by vertex.
#include "query/surface_query.h"

// Every level leaves at most seven children behind.
#define STACK_SIZE ( 7 * GEL_CDG_MAX_DEPTH + 8 )

// A patch of 2^29 triangles has 30 levels.
#define TREE_STACK 32

// A direction along an axis: we look for the largest sign * x.
typedef struct Extent
{
	const gelBody* body;
	bool hasTree; // boxes may be read
	int axis;
	float sign;
	float best;      // found so far
	float tolerance; // [m]
	float x[4];      // corners of a cell, times sign
	float pivot;     // the second largest of them, see cell_bounds.h
	float slack;     // margin for rounding [m]
} Extent;

static void EnterCell( Extent* extent, const gelPackCell* cell )
{
	float magnitude = 0.0f, most = -INFINITY;
	extent->pivot = -INFINITY;
	for ( int k = 0; k < 4; ++k )
	{
		float x = extent->x[k] = extent->sign * ( &extent->body->x[cell->node[k]].x )[extent->axis];
		magnitude = gelMaxFloat( magnitude, fabsf( x ) );
		extent->pivot = x > most ? most : gelMaxFloat( extent->pivot, x );
		most = gelMaxFloat( most, x );
	}
	extent->slack = GEL_BOUND_SLACK * magnitude;
}

// How far the triangles of a node reach at most.
static float BoundNode( const Extent* extent, uint32_t triangle )
{
	GEL_ASSERT( triangle < extent->body->asset->pack.header->cdgTriangleCount );
	uint64_t bounds = gelCdg_GetBounds( &extent->body->asset->pack.cdg, triangle );
	float reach = extent->pivot;
	for ( int k = 0; k < 4; ++k )
	{
		float d = extent->x[k] - extent->pivot;
		reach += d * ( d > 0.0f ? gelCdg_High( bounds, k ) : gelCdg_Low( bounds, k ) );
	}
	return reach + extent->slack;
}

// The corners of a triangle; as gelDeformVertex, one component. A sign does not change rounding.
static void TryTriangle( Extent* extent, const gelPackPatch* patch, uint32_t triangle )
{
	const gelCdgView* cdg = &extent->body->asset->pack.cdg;
	uint32_t slots[3];
	gelCdg_GetCorners( cdg, patch, triangle, slots );
	for ( int k = 0; k < 3; ++k )
	{
		float w[4];
		gelCdg_GetWeights( cdg, slots[k], w );
		float at = w[0] * extent->x[0] + w[1] * extent->x[1] + w[2] * extent->x[2] + w[3] * extent->x[3];
		extent->best = gelMaxFloat( extent->best, at );
	}
}

static void TryPatch( Extent* extent, const gelPackPatch* patch )
{
	struct
	{
		gelCdgRange range;
		float reach;
	} stack[TREE_STACK];
	int depth = 0;
	stack[depth].range = ( gelCdgRange ){ patch->triangleFirst, patch->triangleFirst + patch->triangleCount };
	stack[depth++].reach = BoundNode( extent, patch->triangleFirst );
	while ( depth > 0 )
	{
		gelCdgRange range = stack[--depth].range, half[2];
		if ( stack[depth].reach <= extent->best + extent->tolerance ) continue;
		TryTriangle( extent, patch, range.first );
		gelCdgRange_Split( range, half, half + 1 );
		float reach[2];
		for ( int i = 0; i < 2; ++i )
			reach[i] = half[i].first < half[i].end ? BoundNode( extent, half[i].first ) : -INFINITY;
		int farther = reach[1] > reach[0]; // on top
		stack[depth].range = half[1 - farther];
		stack[depth++].reach = reach[1 - farther];
		stack[depth].range = half[farther];
		stack[depth++].reach = reach[farther];
	}
}

static void TryCell( Extent* extent, uint32_t index )
{
	GEL_ASSERT( index < extent->body->asset->pack.header->cdgTetCount );
	const gelPackView* pack = &extent->body->asset->pack;
	const gelPackCell* cell = pack->cells + index;
	EnterCell( extent, cell );
	for ( uint32_t p = cell->patchFirst; p < cell->patchFirst + cell->patchCount; ++p )
		TryPatch( extent, pack->patches + p );
}

// How far a child of a node reaches at most. When the boxes are not there, it comes from the cells below,
// with the same bits: the answer must not depend on whether another thread is late. At most GEL_CDG_MAX_DEPTH
// calls deep.
static float FindReach( const Extent* extent, uint32_t node, int lane )
{
	GEL_ASSERT( lane >= 0 && lane < GEL_COARSE_LANES );
	const gelBody* body = extent->body;
	const gelCoarseNode* tree = body->asset->coarse;
	const int axis = extent->axis;
	const bool isHigh = extent->sign > 0.0f;
	if ( extent->hasTree )
		return isHigh ? body->coarse[node].high[axis][lane] : -body->coarse[node].low[axis][lane];
	const uint32_t child = tree[node].child[lane];
	if ( gelIsCell( child ) )
	{
		gelDop dop = gelCoarseNode_BoundCell_Ref( tree + node, lane, body->x );
		return isHigh ? dop.high[axis] : -dop.low[axis];
	}
	float reach = -INFINITY;
	for ( int i = 0; i < GEL_COARSE_LANES && tree[child].child[i] != GEL_CDG_NIL; ++i )
		reach = gelMaxFloat( reach, FindReach( extent, child, i ) );
	return reach;
}

static void SearchTree( Extent* extent )
{
	const gelCoarseNode* tree = extent->body->asset->coarse;
	struct
	{
		uint32_t child;
		float reach;
	} stack[STACK_SIZE];
	int depth = 0;
	stack[depth].child = (uint32_t)extent->body->asset->coarseCount - 1;
	stack[depth++].reach = INFINITY;
	while ( depth > 0 )
	{
		uint32_t child = stack[--depth].child;
		if ( stack[depth].reach <= extent->best + extent->tolerance ) continue;
		if ( gelIsCell( child ) )
		{
			TryCell( extent, child & ~GEL_COARSE_CELL );
			continue;
		}
		int bottom = depth;
		for ( int lane = 0; lane < GEL_COARSE_LANES && tree[child].child[lane] != GEL_CDG_NIL; ++lane )
		{
			float reach = FindReach( extent, child, lane );
			int i = depth++;
			for ( ; i > bottom && stack[i - 1].reach > reach; --i ) // the farthest on top
				stack[i] = stack[i - 1];
			stack[i].child = tree[child].child[lane];
			stack[i].reach = reach;
		}
	}
}

gelAabb gelBoundSurface( gelBody* body )
{
	GEL_ASSERT( body->coarse != NULL );
	bool hasTree = gelBody_NeedCoarse( body );
	gelVec3 side = gelSub( body->box.max, body->box.min );
	float tolerance = GEL_BOUNDS_TOLERANCE * gelMaxFloat( side.x, gelMaxFloat( side.y, side.z ) );
	float ends[2][3];
	for ( int axis = 0; axis < 3; ++axis )
	{
		for ( int end = 0; end < 2; ++end )
		{
			Extent extent = { .body = body,
				.hasTree = hasTree,
				.axis = axis,
				.sign = end == 0 ? -1.0f : 1.0f,
				.best = -INFINITY,
				.tolerance = tolerance };
			SearchTree( &extent );
			ends[end][axis] = extent.sign * ( extent.best + tolerance );
		}
	}
	return ( gelAabb ){ { ends[0][0], ends[0][1], ends[0][2] }, { ends[1][0], ends[1][1], ends[1][2] } };
}
