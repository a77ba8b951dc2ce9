// SPDX-License-Identifier: MIT
// Who is across each edge of a cut triangle. No edge has to be searched for by its ends alone: it is a
// diagonal of a polygon, or lies on a cage face inside of one art triangle, or on an edge of the art.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// A side of a cut triangle on an edge of the art.
typedef struct SheetSide
{
	uint32_t low, high; // vertices
	uint32_t half;      // 3 * triangle + side
} SheetSide;

static int CompareSides( const void* left, const void* right )
{
	const SheetSide *a = left, *b = right;
	if ( a->low != b->low ) return a->low < b->low ? -1 : 1;
	if ( a->high != b->high ) return a->high < b->high ? -1 : 1;
	return a->half < b->half ? -1 : a->half > b->half;
}

// Halves are 3 * triangle + side. Each becomes the neighbor of the other.
static void Join( gelCdgSurface* surface, uint32_t halfA, uint32_t halfB )
{
	GEL_ASSERT( halfA != halfB );
	surface->triangles[halfA / 3].neighbor[halfA % 3] = halfB / 3;
	surface->triangles[halfB / 3].neighbor[halfB % 3] = halfA / 3;
}

static SheetSide MakeSide( const gelCdgSurface* surface, uint32_t half )
{
	const gelCdgTri* t = surface->triangles + half / 3;
	uint32_t a = t->vertex[half % 3], b = t->vertex[( half % 3 + 1 ) % 3];
	return ( SheetSide ){ a < b ? a : b, a < b ? b : a, half };
}

// Both sides of a sheet are cut at the same vertices.
static void JoinSheet( gelCdgSurface* surface, SheetSide* sides, uint32_t count )
{
	if ( count > 2 ) qsort( sides, count, sizeof( SheetSide ), CompareSides );
	for ( uint32_t i = 0; i + 1 < count; ++i )
	{
		if ( sides[i].low != sides[i + 1].low || sides[i].high != sides[i + 1].high ) continue;
		Join( surface, sides[i].half, sides[i + 1].half );
		++i;
	}
}

static void JoinSheets( gelCdgSurface* surface, const gelCdgEdgeTag* tags, uint32_t sheetCount )
{
	gelBakePool scratch = { NULL };
	const uint32_t halfCount = 3 * surface->triangleCount;
	uint32_t* first = gelBakePool_Alloc( &scratch, (size_t)sheetCount + 2, sizeof( uint32_t ) );
	for ( uint32_t h = 0; h < halfCount; ++h )
	{
		if ( tags[h].kind == 1 ) first[tags[h].index + 2] += 1;
	}
	for ( uint32_t i = 2; i < sheetCount + 2; ++i )
		first[i] += first[i - 1];
	SheetSide* sides = gelBakePool_Alloc( &scratch, first[sheetCount + 1], sizeof( SheetSide ) );
	for ( uint32_t h = 0; h < halfCount; ++h )
	{
		if ( tags[h].kind == 1 ) sides[first[tags[h].index + 1]++] = MakeSide( surface, h );
	}
	for ( uint32_t i = 0; i < sheetCount; ++i )
		JoinSheet( surface, sides + first[i], first[i + 1] - first[i] );
	gelFreeBakePool( &scratch );
}

// Triangles of one art triangle follow each other, and a face cuts it once.
static void JoinFaces( gelCdgSurface* surface, const gelCdgEdgeTag* tags, uint32_t faceCount )
{
	gelBakePool scratch = { NULL };
	uint32_t* seen = gelBakePool_Alloc( &scratch, faceCount, sizeof( uint32_t ) ); // half + 1 of a first side
	for ( uint32_t h = 0; h < 3 * surface->triangleCount; ++h )
	{
		if ( tags[h].kind == 0 ) surface->triangles[h / 3].neighbor[h % 3] = tags[h].index / 3;
		if ( tags[h].kind != 2 ) continue;
		uint32_t* other = seen + tags[h].index;
		if ( *other == 0 ||
			surface->triangles[( *other - 1 ) / 3].source != surface->triangles[h / 3].source )
		{
			*other = h + 1;
			continue;
		}
		Join( surface, h, *other - 1 );
		*other = 0;
	}
	gelFreeBakePool( &scratch );
}

// Two triangles that share two edges: "which side of my neighbor am I" would have two answers, and floods
// would run in a circle. It happens where a sheet is one triangle wide between two cuts.
static bool HasTwin( const gelCdgTri* t )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( t->neighbor[k] != GEL_NO_INDEX && t->neighbor[k] == t->neighbor[( k + 1 ) % 3] ) return true;
	}
	return false;
}

// Mean of the weights of the corners: the centroid, in every deformation of the tet.
static gelCdgVertex MakeMiddle( const gelCdgSurface* surface, const gelCdgTri* t, const uint32_t tetNodes[4] )
{
	gelCdgVertex middle;
	double weights[4];
	for ( int k = 0; k < 4; ++k )
	{
		double sum = 0.0;
		middle.node[k] = tetNodes[k];
		for ( int c = 0; c < 3; ++c )
			sum += (double)gelCdgVertex_Weight( surface->vertices + t->vertex[c], tetNodes[k] );
		weights[k] = sum;
	}
	gelCdgVertex_SetWeights( &middle, weights, 4 );
	return middle;
}

// The neighbor across an edge sees it the other way round.
static void RedirectNeighbor( gelCdgTri* t, const uint32_t edge[2], uint32_t to )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( t->vertex[k] == edge[1] && t->vertex[( k + 1 ) % 3] == edge[0] ) t->neighbor[k] = to;
	}
}

// Three triangles around a new vertex: the first takes the old place, two go to the end.
static void SplitTriangle( gelCdgSurface* surface, uint32_t index, const uint32_t tetNodes[4] )
{
	GEL_ASSERT( index < surface->triangleCount );
	gelCdgTri old = surface->triangles[index];
	uint32_t middle = surface->vertexCount++,
			 parts[3] = { index, surface->triangleCount, surface->triangleCount + 1 };
	surface->triangleCount += 2;
	surface->vertices[middle] = MakeMiddle( surface, &old, tetNodes );
	for ( int k = 0; k < 3; ++k )
	{
		const uint32_t edge[2] = { old.vertex[k], old.vertex[( k + 1 ) % 3] };
		gelCdgTri* part = surface->triangles + parts[k];
		*part = old;
		part->vertex[0] = edge[0];
		part->vertex[1] = edge[1];
		part->vertex[2] = middle;
		part->neighbor[0] = old.neighbor[k];
		part->neighbor[1] = parts[( k + 1 ) % 3];
		part->neighbor[2] = parts[( k + 2 ) % 3];
		if ( old.neighbor[k] != GEL_NO_INDEX )
			RedirectNeighbor( surface->triangles + old.neighbor[k], edge, parts[k] );
	}
}

// A vertex in the middle of one of two twins makes three triangles of it, of which each has one side of the
// old. The surface stays what it was: the new vertex lies in its plane.
static void SplitTwins( gelCdgSurface* surface, const gelCdgCage* cage, gelBakePool* pool )
{
	uint32_t twinCount = 0;
	const uint32_t oldCount = surface->triangleCount;
	for ( uint32_t i = 0; i < oldCount; ++i )
		twinCount += HasTwin( surface->triangles + i );
	if ( twinCount == 0 ) return;
	const gelCdgSurface old = *surface;
	surface->vertices =
		gelBakePool_Alloc( pool, (size_t)old.vertexCount + twinCount, sizeof( gelCdgVertex ) );
	surface->triangles =
		gelBakePool_Alloc( pool, (size_t)oldCount + 2 * (size_t)twinCount, sizeof( gelCdgTri ) );
	memcpy( surface->vertices, old.vertices, old.vertexCount * sizeof( gelCdgVertex ) );
	memcpy( surface->triangles, old.triangles, oldCount * sizeof( gelCdgTri ) );
	for ( uint32_t i = 0; i < oldCount; ++i )
	{
		// a split gives its neighbor different ones, so of two twins one is split
		if ( !HasTwin( surface->triangles + i ) ) continue;
		uint32_t nodes[4];
		memcpy( nodes, cage->tets[surface->triangles[i].tet].node, sizeof( nodes ) );
		gelSortNodes( nodes );
		SplitTriangle( surface, i, nodes );
	}
}

void gelPairTriangles( gelCdgSurface* surface, const gelCdgCage* cage, const gelCdgEdgeTag* tags,
	uint32_t sheetCount, gelBakePool* pool )
{
	for ( uint32_t i = 0; i < surface->triangleCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
			surface->triangles[i].neighbor[k] = GEL_NO_INDEX;
	}
	JoinFaces( surface, tags, cage->faceCount );
	JoinSheets( surface, tags, sheetCount );
	SplitTwins( surface, cage, pool );
}
