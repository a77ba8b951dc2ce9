// SPDX-License-Identifier: MIT
// Which tet contains an art point. The embedding knows it within a tolerance; here it is exact, so a search
// starts at the embedding's tet and ends there or a few faces farther.
#include "cdg.h"

#define GEL_LOCATE_LIMIT 256 // tets that a search looks at before it looks at all of them

// Faces of the tet that the point is outside of, as bits.
static uint32_t FindOutside( const gelCdgCage* cage, uint32_t tet, gelDvec p )
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

static uint32_t SearchNear(
	const gelCdgCage* cage, uint32_t start, gelDvec p, uint32_t* stamps, uint32_t stamp )
{
	uint32_t queue[GEL_LOCATE_LIMIT], count = 0;
	queue[count++] = start;
	stamps[start] = stamp;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t tet = queue[i], outside = FindOutside( cage, tet, p );
		if ( outside == 0 ) return tet;
		for ( uint32_t f = 0; f < 4; ++f )
		{
			uint32_t next = cage->neighbors[4 * (size_t)tet + f];
			if ( ( outside >> f & 1u ) == 0 || next == GEL_NO_INDEX || stamps[next] == stamp ) continue;
			if ( count == GEL_LOCATE_LIMIT ) return GEL_NO_INDEX;
			stamps[next] = stamp;
			queue[count++] = next;
		}
	}
	return GEL_NO_INDEX;
}

static uint32_t SearchAll( const gelCdgCage* cage, gelDvec p )
{
	for ( uint32_t tet = 0; tet < cage->tetCount; ++tet )
	{
		if ( FindOutside( cage, tet, p ) == 0 ) return tet;
	}
	return GEL_NO_INDEX;
}

uint32_t gelLocatePoints( const gelCdgArt* art, const gelCdgCage* cage, const uint32_t* hints,
	uint32_t* outCells, gelBakePool* pool )
{
	uint32_t* stamps = gelBakePool_Alloc( pool, cage->tetCount, sizeof( uint32_t ) );
	bool* used = gelBakePool_Alloc( pool, art->pointCount, sizeof( bool ) );
	for ( size_t i = 0; i < 3 * (size_t)art->triangleCount; ++i )
	{
		used[art->corners[i]] = true;
	}
	uint32_t last = 0; // points that follow each other in a file are often near each other
	for ( uint32_t i = 0; i < art->pointCount; ++i )
	{
		gelDvec p = art->points[i];
		outCells[i] = GEL_NO_INDEX;
		if ( !used[i] ) continue;
		outCells[i] = SearchNear( cage, hints != NULL ? hints[i] : last, p, stamps, i + 1 );
		if ( outCells[i] == GEL_NO_INDEX ) outCells[i] = SearchAll( cage, p );
		if ( outCells[i] == GEL_NO_INDEX ) return i;
		last = outCells[i];
	}
	return GEL_NO_INDEX;
}
