// SPDX-License-Identifier: MIT
// Turns triangles that face the other way than their neighbors: a sphere with a third of its triangles
// flipped has winding numbers near 1/3 inside, and would be taken for hollow.
#include "tetrafy/surface/surface.h"

#include "tetrafy/geometry/tet_memory.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// One use of an edge by a triangle.
typedef struct EdgeUse
{
	uint64_t key; // smaller point in the high half
	uint32_t tri;
	bool forward; // from the smaller to the larger point
} EdgeUse;

static int CompareUses( const void* left, const void* right )
{
	const EdgeUse* x = left;
	const EdgeUse* y = right;
	if ( x->key != y->key ) return x->key < y->key ? -1 : 1;
	return x->tri < y->tri ? -1 : x->tri > y->tri;
}

// Neighbors across edges of exactly two triangles: 3 per triangle, neighbor * 2 + (1 when it faces the
// other way), or GEL_NO_INDEX.
static uint32_t* FindNeighbors( const gelSurface* surface )
{
	uint32_t count = 3 * surface->edgedCount;
	EdgeUse* uses = gelTetAlloc( count, sizeof( EdgeUse ) );
	uint32_t* neighbors = gelTetAlloc( count, sizeof( uint32_t ) );
	uint8_t* filled = gelTetAlloc( surface->edgedCount, 1 );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t a = surface->tris[i], b = surface->tris[i % 3 == 2 ? i - 2 : i + 1];
		uses[i] = ( EdgeUse ){ a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, i / 3, a < b };
		neighbors[i] = GEL_NO_INDEX;
	}
	qsort( uses, count, sizeof( EdgeUse ), CompareUses );
	for ( uint32_t i = 0, end; i < count; i = end )
	{
		for ( end = i + 1; end < count && uses[end].key == uses[i].key; )
			end += 1;
		if ( end != i + 2 || uses[i].tri == uses[i + 1].tri ) continue;
		// Two triangles that agree use their common edge in opposite directions. Edges of three and more
		// triangles say nothing about who agrees with whom, and pieces end there.
		uint32_t a = uses[i].tri, b = uses[i + 1].tri, opposite = uses[i].forward == uses[i + 1].forward;
		neighbors[3 * a + filled[a]++] = 2 * b + opposite;
		neighbors[3 * b + filled[b]++] = 2 * a + opposite;
	}
	free( uses );
	free( filled );
	return neighbors;
}

typedef struct Walk
{
	const uint32_t* neighbors;
	uint8_t* sides; // 0: not seen, 1: as the first of its piece, 2: the other way
	uint32_t* queue;
	uint32_t count;
	bool twisted; // the piece has no two sides, like a Moebius strip
} Walk;

static void CollectPiece( Walk* walk, uint32_t seed )
{
	walk->count = 0;
	walk->twisted = false;
	walk->sides[seed] = 1;
	walk->queue[walk->count++] = seed;
	for ( uint32_t at = 0; at < walk->count; ++at )
	{
		uint32_t tri = walk->queue[at];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t link = walk->neighbors[3 * tri + (uint32_t)k];
			if ( link == GEL_NO_INDEX ) break;
			uint8_t side = link & 1 ? (uint8_t)( 3 - walk->sides[tri] ) : walk->sides[tri];
			if ( walk->sides[link / 2] == 0 )
			{
				walk->sides[link / 2] = side;
				walk->queue[walk->count++] = link / 2;
			}
			walk->twisted = walk->twisted || walk->sides[link / 2] != side;
		}
	}
}

static void Turn( gelSurface* surface, uint32_t tri )
{
	GEL_ASSERT( tri < surface->triCount );
	uint32_t* t = surface->tris + 3 * (size_t)tri;
	uint32_t keep = t[1];
	t[1] = t[2];
	t[2] = keep;
	gelPlaceCount* turned = &surface->turned;
	if ( turned->count == 0 || surface->triToSource[tri] < turned->firstTriangle )
	{
		turned->firstTriangle = surface->triToSource[tri];
		turned->firstPoint = surface->points[t[0]];
	}
	turned->count += 1;
}

void gelOrientSurface( gelSurface* surface )
{
	Walk walk = { 0 };
	uint32_t* neighbors = FindNeighbors( surface );
	walk.neighbors = neighbors;
	walk.sides = gelTetAlloc( surface->edgedCount, 1 );
	walk.queue = gelTetAlloc( surface->edgedCount, sizeof( uint32_t ) );
	for ( uint32_t tri = 0; tri < surface->edgedCount; ++tri )
	{
		if ( walk.sides[tri] != 0 ) continue;
		CollectPiece( &walk, tri );
		uint32_t others = 0;
		for ( uint32_t i = 0; i < walk.count; ++i )
			others += walk.sides[walk.queue[i]] == 2;
		if ( walk.twisted || others == 0 ) continue;
		// The majority is right, if anything is; with a tie the first triangle of the file is.
		uint8_t minority = 2 * others > walk.count ? 1 : 2;
		for ( uint32_t i = 0; i < walk.count; ++i )
			if ( walk.sides[walk.queue[i]] == minority ) Turn( surface, walk.queue[i] );
	}
	free( neighbors );
	free( walk.sides );
	free( walk.queue );
}
