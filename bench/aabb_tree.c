// SPDX-License-Identifier: MIT
#include "aabb_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GEL_TREE_BINS      16
#define GEL_TREE_LEAF_SIZE 4

typedef struct Box
{
	float min[3], max[3];
} Box;

static Box EmptyBox( void )
{
	return ( Box ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static float Min( float a, float b )
{
	return a < b ? a : b;
}

static float Max( float a, float b )
{
	return a > b ? a : b;
}

static Box Union( Box a, Box b )
{
	for ( int k = 0; k < 3; ++k )
	{
		a.min[k] = Min( a.min[k], b.min[k] );
		a.max[k] = Max( a.max[k], b.max[k] );
	}
	return a;
}

static float HalfArea( Box b )
{
	float x = b.max[0] - b.min[0], y = b.max[1] - b.min[1], z = b.max[2] - b.min[2];
	return x >= 0.0f ? x * y + y * z + z * x : 0.0f;
}

static Box TriangleBox( const gelVec3* positions, const uint32_t* corner )
{
	Box box = EmptyBox();
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 p = positions[corner[k]];
		box = Union( box, ( Box ){ { p.x, p.y, p.z }, { p.x, p.y, p.z } } );
	}
	return box;
}

// ---- building ----------------------------------------------------------------------------------------

typedef struct Builder
{
	gelAabbTree* tree;
	const uint32_t* triangles;
	Box* boxes;      // per triangle
	uint32_t* order; // triangles
} Builder;

static float Center( const Box* box, int axis )
{
	return 0.5f * ( box->min[axis] + box->max[axis] );
}

typedef struct Split
{
	int axis;
	float low, scale; // bin = ( center - low ) * scale
	int bin;          // first bin of the right side
	float cost;
} Split;

static int BinOf( const Split* split, const Box* box )
{
	int bin = (int)( ( Center( box, split->axis ) - split->low ) * split->scale );
	return bin < 0 ? 0 : bin >= GEL_TREE_BINS ? GEL_TREE_BINS - 1 : bin;
}

static void TryAxis(
	const Builder* b, uint32_t first, uint32_t end, int axis, float low, float high, Split* best )
{
	Split split = { .axis = axis, .low = low, .scale = GEL_TREE_BINS / ( high - low ) };
	if ( !( high > low ) || !( split.scale < 1e30f ) ) return;
	Box bins[GEL_TREE_BINS];
	uint32_t counts[GEL_TREE_BINS] = { 0 };
	float rightCost[GEL_TREE_BINS];
	for ( int i = 0; i < GEL_TREE_BINS; ++i )
		bins[i] = EmptyBox();
	for ( uint32_t i = first; i < end; ++i )
	{
		const Box* box = b->boxes + b->order[i];
		int bin = BinOf( &split, box );
		bins[bin] = Union( bins[bin], *box );
		++counts[bin];
	}
	Box side = EmptyBox();
	uint32_t count = 0;
	for ( int i = GEL_TREE_BINS - 1; i > 0; --i )
	{
		side = Union( side, bins[i] );
		count += counts[i];
		rightCost[i] = count > 0 ? HalfArea( side ) * (float)count : INFINITY;
	}
	side = EmptyBox();
	count = 0;
	for ( int i = 1; i < GEL_TREE_BINS; ++i )
	{
		side = Union( side, bins[i - 1] );
		count += counts[i - 1];
		float cost = HalfArea( side ) * (float)count + rightCost[i];
		if ( count == 0 || !( cost < best->cost ) ) continue;
		split.bin = i;
		split.cost = cost;
		*best = split;
	}
}

// Orders [first, end) by side and returns where the right side starts.
static uint32_t Partition( Builder* b, uint32_t first, uint32_t end )
{
	Split best = { .cost = INFINITY };
	for ( int axis = 0; axis < 3; ++axis )
	{
		float low = INFINITY, high = -INFINITY;
		for ( uint32_t i = first; i < end; ++i )
		{
			float c = Center( b->boxes + b->order[i], axis );
			low = Min( low, c );
			high = Max( high, c );
		}
		TryAxis( b, first, end, axis, low, high, &best );
	}
	if ( best.cost == INFINITY ) return first + ( end - first ) / 2;
	uint32_t middle = first;
	for ( uint32_t i = first; i < end; ++i )
	{
		if ( BinOf( &best, b->boxes + b->order[i] ) >= best.bin ) continue;
		uint32_t t = b->order[i];
		b->order[i] = b->order[middle];
		b->order[middle++] = t;
	}
	return middle;
}

static void Build( Builder* b )
{
	struct
	{
		uint32_t node, first, end;
	} stack[128];
	gelAabbTree* tree = b->tree;
	int depth = 0;
	tree->nodeCount = 1;
	stack[depth].node = stack[depth].first = 0;
	stack[depth++].end = tree->triangleCount;
	while ( depth > 0 )
	{
		uint32_t first = stack[--depth].first, end = stack[depth].end;
		gelAabbNode* node = tree->nodes + stack[depth].node;
		if ( end - first <= GEL_TREE_LEAF_SIZE || depth > 100 )
		{
			node->first = first;
			node->count = end - first;
			continue;
		}
		uint32_t middle = Partition( b, first, end ), child = tree->nodeCount;
		node->first = child;
		node->count = 0;
		tree->nodeCount += 2;
		stack[depth].node = child;
		stack[depth].first = first;
		stack[depth++].end = middle;
		stack[depth].node = child + 1;
		stack[depth].first = middle;
		stack[depth++].end = end;
	}
}

bool gelBuildAabbTree(
	gelAabbTree* tree, const gelVec3* positions, const uint32_t* triangles, uint32_t triangleCount )
{
	*tree = ( gelAabbTree ){ .triangleCount = triangleCount };
	Builder b = { tree, triangles, malloc( triangleCount * sizeof( Box ) ),
		malloc( triangleCount * sizeof( uint32_t ) ) };
	tree->nodes = malloc( 2 * (size_t)triangleCount * sizeof( gelAabbNode ) );
	tree->corners = malloc( 3 * (size_t)triangleCount * sizeof( uint32_t ) );
	bool ok = b.boxes != NULL && b.order != NULL && tree->nodes != NULL && tree->corners != NULL;
	if ( ok )
	{
		for ( uint32_t i = 0; i < triangleCount; ++i )
		{
			b.order[i] = i;
			b.boxes[i] = TriangleBox( positions, triangles + 3 * (size_t)i );
		}
		Build( &b );
		for ( uint32_t i = 0; i < triangleCount; ++i )
			memcpy(
				tree->corners + 3 * (size_t)i, triangles + 3 * (size_t)b.order[i], 3 * sizeof( uint32_t ) );
		gelAabbTree_Refit( tree, positions );
	}
	else
		gelFreeAabbTree( tree );
	free( b.boxes );
	free( b.order );
	return ok;
}

void gelFreeAabbTree( gelAabbTree* tree )
{
	free( tree->nodes );
	free( tree->corners );
	*tree = ( gelAabbTree ){ 0 };
}

void gelAabbTree_Refit( gelAabbTree* tree, const gelVec3* positions )
{
	for ( uint32_t i = tree->nodeCount; i-- > 0; )
	{
		gelAabbNode* node = tree->nodes + i;
		Box box = EmptyBox();
		for ( uint32_t k = 0; k < node->count; ++k )
			box = Union( box, TriangleBox( positions, tree->corners + 3 * (size_t)( node->first + k ) ) );
		for ( int k = 0; k < 3; ++k )
		{
			const gelAabbNode* child = tree->nodes + node->first;
			node->min[k] = node->count > 0 ? box.min[k] : Min( child[0].min[k], child[1].min[k] );
			node->max[k] = node->count > 0 ? box.max[k] : Max( child[0].max[k], child[1].max[k] );
		}
	}
}

// ---- rays --------------------------------------------------------------------------------------------

static gelVec3 Sub( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static gelVec3 Cross( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static float Dot( gelVec3 a, gelVec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Moeller and Trumbore 1997. Returns the fraction, or nearest when it is not hit before that.
static inline float HitTriangle(
	const gelVec3* positions, const uint32_t* corner, gelVec3 o, gelVec3 d, float nearest )
{
	gelVec3 a = positions[corner[0]];
	gelVec3 e1 = Sub( positions[corner[1]], a ), e2 = Sub( positions[corner[2]], a ), s = Sub( o, a );
	gelVec3 p = Cross( d, e2 );
	float det = Dot( e1, p );
	if ( det == 0.0f ) return nearest;
	float inv = 1.0f / det, u = Dot( s, p ) * inv;
	if ( u < 0.0f || u > 1.0f ) return nearest;
	gelVec3 q = Cross( s, e1 );
	float v = Dot( d, q ) * inv;
	if ( v < 0.0f || u + v > 1.0f ) return nearest;
	float f = Dot( e2, q ) * inv;
	return f >= 0.0f && f < nearest ? f : nearest;
}

static inline float EnterNode( const gelAabbNode* node, const float o[3], const float inv[3], float nearest )
{
	float in = 0.0f, out = nearest;
	for ( int k = 0; k < 3; ++k )
	{
		float a = ( node->min[k] - o[k] ) * inv[k], b = ( node->max[k] - o[k] ) * inv[k];
		in = Max( in, Min( a, b ) );
		out = Min( out, Max( a, b ) );
	}
	return in <= out ? in : INFINITY;
}

float gelAabbTree_CastRay( const gelAabbTree* tree, const gelVec3* positions, gelVec3 origin,
	gelVec3 translation, float maxFraction )
{
	struct
	{
		uint32_t node;
		float near;
	} stack[128];
	const float o[3] = { origin.x, origin.y, origin.z };
	const float inv[3] = { 1.0f / translation.x, 1.0f / translation.y, 1.0f / translation.z };
	float nearest = maxFraction;
	int depth = 0;
	uint32_t index = 0;
	if ( EnterNode( tree->nodes, o, inv, nearest ) == INFINITY ) return maxFraction;
	for ( ;; )
	{
		const gelAabbNode* node = tree->nodes + index;
		if ( node->count == 0 )
		{
			uint32_t left = node->first, right = left + 1;
			float nearLeft = EnterNode( tree->nodes + left, o, inv, nearest );
			float nearRight = EnterNode( tree->nodes + right, o, inv, nearest );
			if ( nearLeft != INFINITY && nearRight != INFINITY )
			{
				bool leftFirst = nearLeft <= nearRight;
				stack[depth].node = leftFirst ? right : left;
				stack[depth++].near = leftFirst ? nearRight : nearLeft;
				index = leftFirst ? left : right;
				continue;
			}
			if ( nearLeft != INFINITY || nearRight != INFINITY )
			{
				index = nearLeft != INFINITY ? left : right;
				continue;
			}
		}
		for ( uint32_t k = 0; k < node->count; ++k )
			nearest = HitTriangle(
				positions, tree->corners + 3 * (size_t)( node->first + k ), origin, translation, nearest );
		do
		{
			if ( depth == 0 ) return nearest;
			index = stack[--depth].node;
		} while ( stack[depth].near > nearest );
	}
}

float gelCastRayAtAll( const gelVec3* positions, const uint32_t* triangles, uint32_t triangleCount,
	gelVec3 origin, gelVec3 translation, float maxFraction )
{
	float nearest = maxFraction;
	for ( uint32_t i = 0; i < triangleCount; ++i )
		nearest = HitTriangle( positions, triangles + 3 * (size_t)i, origin, translation, nearest );
	return nearest;
}
