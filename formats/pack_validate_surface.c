// SPDX-License-Identifier: MIT
// Collision triangles (formats/pack.md section 10): records, neighbours, the implicit trees over the
// triangles of a patch, and the links between patches that follow from them.
#include "pack_read_cdg.h"
#include "pack_validate.h"

#define FAIL( code, section, index, element, text )                                                          \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

// What a check of one triangle needs around it.
typedef struct Surface
{
	const gelPackSection* section; // CTRI
	const uint32_t* words;
	uint32_t wordCount; // per triangle
} Surface;

static gelCdgTriangle GetTriangle( const Surface* surface, uint32_t index )
{
	const gelCdgView cdg = { .triangles = surface->words, .words = surface->wordCount };
	return gelCdg_GetTriangle( &cdg, NULL, index );
}

static const uint32_t* GetWords( const Surface* surface, uint32_t index )
{
	return surface->words + (uint64_t)surface->wordCount * index;
}

static uint32_t FindPatch( const gelPackView* view, uint32_t triangle )
{
	uint32_t first = 0, end = view->header->cdgPatchCount;
	while ( end - first > 1 )
	{
		uint32_t middle = first + ( end - first ) / 2;
		if ( view->patches[middle].triangleFirst <= triangle )
			first = middle;
		else
			end = middle;
	}
	return first;
}

static bool HasTriangle( const gelPackPatch* patch, uint32_t triangle )
{
	return triangle >= patch->triangleFirst && triangle - patch->triangleFirst < patch->triangleCount;
}

static bool CheckRecord( gelPackChecker* checker, const Surface* surface, uint32_t i, uint32_t patchIndex )
{
	const gelPackPatch* patch = checker->view->patches + patchIndex;
	const uint32_t triangleCount = checker->view->header->cdgTriangleCount;
	const gelPackSection* s = surface->section;
	const uint32_t* words = GetWords( surface, i );
	gelCdgTriangle t = GetTriangle( surface, i );
	bool border = false;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t v = t.vertex[k], n = t.neighbor[k], nextN = t.neighbor[( k + 1 ) % 3];
		if ( v < patch->vertexFirst || v - patch->vertexFirst >= patch->vertexCount )
			return FAIL( gel_packIndex, s, i, words, "corners of a collision triangle are in its patch" );
		if ( v == t.vertex[( k + 1 ) % 3] )
			return FAIL( gel_packStructure, s, i, words, "corners of a collision triangle are different" );
		if ( n != GEL_CDG_NIL && ( n >= triangleCount || n == i ) )
			return FAIL( gel_packIndex, s, i, words, "a neighbour is another collision triangle, or none" );
		if ( n != GEL_CDG_NIL && n == nextN )
			return FAIL( gel_packStructure, s, i, words, "two triangles share one edge at most" );
		border = border || n == GEL_CDG_NIL || !HasTriangle( patch, n );
		// low <= high + 1: a flat b-DOP has low = high + 1
		if ( gelCdg_Low( t.bounds, k ) > gelCdg_High( t.bounds, k ) ||
			gelCdg_Low( t.bounds, 3 ) > gelCdg_High( t.bounds, 3 ) )
			return FAIL( gel_packValue, s, i, words, "the bounds of a collision triangle are not empty" );
	}
	if ( ( t.flags & ~GEL_CDG_TRIANGLE_BORDER ) != 0 || ( t.flags != 0 ) != border )
	{
		return FAIL( gel_packValue, s, i, words,
			"the border flag says whether an edge has no neighbour in the patch; the other flag is 0" );
	}
	return true;
}

// The neighbour points back across the same edge, which both know by the same two welds.
static bool CheckNeighbor( gelPackChecker* checker, const Surface* surface, uint32_t i, int k,
	const gelPackPatch* patch, const gelPackPatch* otherPatch )
{
	const gelCdgView* cdg = &checker->view->cdg;
	gelCdgTriangle t = GetTriangle( surface, i ), other = GetTriangle( surface, t.neighbor[k] );
	uint32_t a = gelCdg_GetWeld( cdg, patch, t.vertex[k] );
	uint32_t b = gelCdg_GetWeld( cdg, patch, t.vertex[( k + 1 ) % 3] );
	for ( int j = 0; j < 3; ++j )
	{
		if ( other.neighbor[j] != i ) continue;
		uint32_t c = other.vertex[j], d = other.vertex[( j + 1 ) % 3];
		if ( gelCdg_GetWeld( cdg, otherPatch, c ) == b && gelCdg_GetWeld( cdg, otherPatch, d ) == a )
			return true;
	}
	return FAIL( gel_packStructure, surface->section, i, GetWords( surface, i ),
		"a neighbour has the same edge, in the other direction, and points back" );
}

static bool HasLink( const gelPackLink* links, const gelPackPatch* patch, uint32_t patchIndex )
{
	uint32_t first = patch->linkFirst, end = patch->linkFirst + patch->linkCount;
	while ( first < end )
	{
		uint32_t middle = first + ( end - first ) / 2;
		if ( links[middle].patch == patchIndex ) return true;
		if ( links[middle].patch < patchIndex )
			first = middle + 1;
		else
			end = middle;
	}
	return false;
}

static bool CheckNeighbors( gelPackChecker* checker, const Surface* surface, uint32_t i, uint32_t patchIndex,
	const gelPackLink* links )
{
	const gelPackView* view = checker->view;
	const gelPackPatch* patch = view->patches + patchIndex;
	gelCdgTriangle t = GetTriangle( surface, i );
	for ( int k = 0; k < 3; ++k )
	{
		if ( t.neighbor[k] == GEL_CDG_NIL ) continue;
		uint32_t other = HasTriangle( patch, t.neighbor[k] ) ? patchIndex : FindPatch( view, t.neighbor[k] );
		if ( !CheckNeighbor( checker, surface, i, k, patch, view->patches + other ) ) return false;
		if ( other == patchIndex || HasLink( links, patch, other ) ) continue;
		return FAIL( gel_packStructure, surface->section, i, GetWords( surface, i ),
			"a patch has a link to every patch that it touches" );
	}
	return true;
}

// ---- trees ---------------------------------------------------------------------------------------

static bool Contains( uint64_t outer, uint64_t inner )
{
	for ( int k = 0; k < 4; ++k )
	{
		if ( gelCdg_Low( inner, k ) < gelCdg_Low( outer, k ) ||
			gelCdg_High( inner, k ) > gelCdg_High( outer, k ) )
			return false;
	}
	return true;
}

static bool HoldsTriangle( const gelPackView* view, const gelCdgTriangle* t )
{
	for ( int k = 0; k < 12; ++k )
	{
		float w[4];
		gelCdg_GetWeights( &view->cdg, t->vertex[k / 4], w );
		if ( w[k % 4] < gelCdg_Low( t->bounds, k % 4 ) || w[k % 4] > gelCdg_High( t->bounds, k % 4 ) )
			return false;
	}
	return true;
}

// Every range holds its own triangle and the bounds of its children, so by induction all triangles below.
static bool CheckTree( gelPackChecker* checker, const Surface* surface, const gelPackPatch* patch )
{
	gelCdgRange stack[GEL_CDG_MAX_DEPTH]; // one range waits on each level; 2^29 triangles have 30 levels
	uint32_t top = 0;
	stack[top++] = ( gelCdgRange ){ patch->triangleFirst, patch->triangleFirst + patch->triangleCount };
	while ( top > 0 )
	{
		gelCdgRange range = stack[--top], child[2];
		gelCdgTriangle t = GetTriangle( surface, range.first );
		bool holds = HoldsTriangle( checker->view, &t );
		gelCdgRange_Split( range, child, child + 1 );
		for ( int k = 0; k < 2; ++k )
		{
			if ( child[k].first == child[k].end ) continue;
			holds = holds && Contains( t.bounds, GetTriangle( surface, child[k].first ).bounds );
			stack[top++] = child[k];
		}
		if ( !holds )
		{
			return FAIL( gel_packStructure, surface->section, range.first, GetWords( surface, range.first ),
				"the bounds of a tree node hold all triangles of its range" );
		}
	}
	return true;
}

// ---- links ---------------------------------------------------------------------------------------

static bool CheckLinks( gelPackChecker* checker, const gelPackSection* s, const Surface* surface )
{
	const gelPackView* view = checker->view;
	const gelPackLink* links = gelPackView_Bytes( view, s );
	for ( uint32_t p = 0; p < view->header->cdgPatchCount; ++p )
	{
		const gelPackPatch* patch = view->patches + p;
		for ( uint32_t i = patch->linkFirst; i < patch->linkFirst + patch->linkCount; ++i )
		{
			const gelPackLink* link = links + i;
			if ( link->patch >= view->header->cdgPatchCount || link->patch == p ||
				( i > patch->linkFirst && link->patch <= links[i - 1].patch ) )
				return FAIL( gel_packIndex, s, i, link, "links lead to other patches, ascending" );
			if ( !HasTriangle( view->patches + link->patch, link->entry ) )
				return FAIL( gel_packIndex, s, i, link, "the entry of a link is in the patch of the link" );
			gelCdgTriangle t = GetTriangle( surface, link->entry );
			if ( !HasTriangle( patch, t.neighbor[0] ) && !HasTriangle( patch, t.neighbor[1] ) &&
				!HasTriangle( patch, t.neighbor[2] ) )
				return FAIL( gel_packStructure, s, i, link, "the entry of a link touches the patch" );
		}
	}
	return true;
}

bool gelPackChecker_CheckSurface( gelPackChecker* checker )
{
	gelPackView* view = checker->view;
	const gelPackSection* s = gelPack_FindSection( view, GEL_SECTION_CTRI, 0 );
	const gelPackSection* linkSection = gelPack_FindSection( view, GEL_SECTION_CADJ, 0 );
	const gelPackLink* links = gelPackView_Bytes( view, linkSection );
	Surface surface = { s, gelPackView_Bytes( view, s ), s->stride / (uint32_t)sizeof( uint32_t ) };
	if ( surface.wordCount == GEL_CDG_NARROW_WORDS &&
		( view->header->cdgVertexCount > GEL_CDG_NARROW_NIL || s->count > GEL_CDG_NARROW_NIL ) )
	{
		return FAIL( gel_packSize, s, 0, surface.words, "narrow triangles need counts below 2^21" );
	}
	for ( uint32_t p = 0; p < view->header->cdgPatchCount; ++p )
	{
		const gelPackPatch* patch = view->patches + p;
		for ( uint32_t i = 0; i < patch->triangleCount; ++i )
		{
			if ( !CheckRecord( checker, &surface, patch->triangleFirst + i, p ) ) return false;
		}
	}
	if ( !CheckLinks( checker, linkSection, &surface ) ) return false;
	for ( uint32_t p = 0; p < view->header->cdgPatchCount; ++p )
	{
		const gelPackPatch* patch = view->patches + p;
		for ( uint32_t i = 0; i < patch->triangleCount; ++i )
		{
			if ( !CheckNeighbors( checker, &surface, patch->triangleFirst + i, p, links ) ) return false;
		}
		if ( !CheckTree( checker, &surface, patch ) ) return false;
	}
	view->cdg.triangles = surface.words;
	view->cdg.words = surface.wordCount;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		gelCdgTriangle t = GetTriangle( &surface, i );
		for ( int k = 0; k < 3; ++k )
		{
			view->cdgOpenEdges += t.neighbor[k] == GEL_CDG_NIL;
		}
	}
	view->links = links;
	view->linkCount = linkSection->count;
	return true;
}
