// SPDX-License-Identifier: MIT
// Which tet contains an art point. The embedding knows it within a tolerance; here it is exact, so a search
// starts at the embedding's tet and ends there or a few faces farther.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#define GEL_LOCATE_LIMIT 256 // tets that a search looks at before it looks at all of them

// Faces of the tet that the point is outside of, as bits.
static uint32_t FindOutside( const gelCdgCage* cage, uint32_t tet, gelVec3d p )
{
	const uint32_t* n = cage->tets[tet].node;
	uint32_t outside = 0;
	for ( int f = 0; f < 4; ++f )
	{
		const uint8_t* c = GEL_CELL_FACE[f];
		int side = gelArtSideOfFace( cage->nodes[n[c[0]]], cage->nodes[n[c[1]]], cage->nodes[n[c[2]]], p );
		if ( side > 0 ) outside |= 1u << f;
	}
	return outside;
}

static bool Contains( const uint32_t* tets, uint32_t count, uint32_t tet )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( tets[i] == tet ) return true;
	}
	return false;
}

// Breadth first through the faces that separate a tet from the point. In a convex cage the first of them
// would do; around a hole the straight way may leave the cage and come back.
static uint32_t SearchNear( const gelCdgCage* cage, uint32_t start, gelVec3d p )
{
	GEL_ASSERT( start < cage->tetCount );
	uint32_t queue[GEL_LOCATE_LIMIT], count = 0;
	queue[count++] = start;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t tet = queue[i], outside = FindOutside( cage, tet, p );
		if ( outside == 0 ) return tet;
		for ( uint32_t f = 0; f < 4; ++f )
		{
			uint32_t next = cage->neighbors[4 * (size_t)tet + f];
			if ( ( outside >> f & 1u ) == 0 || next == GEL_NO_INDEX || Contains( queue, count, next ) )
				continue;
			if ( count == GEL_LOCATE_LIMIT ) return GEL_NO_INDEX;
			queue[count++] = next;
		}
	}
	return GEL_NO_INDEX;
}

// Slow and certain, for the few points that lie behind a hole or a fold of the cage.
static uint32_t SearchAll( const gelCdgCage* cage, gelVec3d p )
{
	for ( uint32_t tet = 0; tet < cage->tetCount; ++tet )
	{
		if ( FindOutside( cage, tet, p ) == 0 ) return tet;
	}
	return GEL_NO_INDEX;
}

// The tet of one point; GEL_NO_INDEX: it is in none.
static uint32_t Locate( const gelCdgCage* cage, uint32_t start, gelVec3d p )
{
	uint32_t tet = SearchNear( cage, start, p );
	return tet != GEL_NO_INDEX ? tet : SearchAll( cage, p );
}

// Points that follow each other in a file are often near each other.
static uint32_t LocateInTurn(
	const gelCdgArt* art, const gelCdgCage* cage, const bool* used, uint32_t* outCells )
{
	uint32_t last = 0;
	for ( uint32_t i = 0; i < art->pointCount; ++i )
	{
		outCells[i] = GEL_NO_INDEX;
		if ( !used[i] ) continue;
		outCells[i] = Locate( cage, last, art->points[i] );
		if ( outCells[i] == GEL_NO_INDEX ) return i;
		last = outCells[i];
	}
	return GEL_NO_INDEX;
}

uint32_t gelLocatePoints( const gelCdgArt* art, const gelCdgCage* cage, const uint32_t* hints, int threads,
	uint32_t* outCells, gelBakePool* pool )
{
	GEL_ASSERT( threads >= 1 && cage->tetCount > 0 );
	bool* used = gelBakePool_Alloc( pool, art->pointCount, sizeof( bool ) );
	for ( size_t i = 0; i < 3 * (size_t)art->triangleCount; ++i )
		used[art->corners[i]] = true;
	(void)threads;
	if ( hints == NULL ) return LocateInTurn( art, cage, used, outCells );
	uint32_t outside = GEL_NO_INDEX; // the largest index of all
#pragma omp parallel for schedule( dynamic, 1024 ) num_threads( threads ) reduction( min : outside )
	for ( uint32_t i = 0; i < art->pointCount; ++i )
	{
		outCells[i] = used[i] ? Locate( cage, hints[i], art->points[i] ) : GEL_NO_INDEX;
		if ( used[i] && outCells[i] == GEL_NO_INDEX && i < outside ) outside = i;
	}
	return outside;
}
