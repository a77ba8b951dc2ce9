// SPDX-License-Identifier: MIT
#include "contact/detect/contact_scratch.h"

#include "core/arena.h"

#include <string.h>

void gelContactLimits_Include( gelContactLimits* limits, const gelPackView* pack )
{
	const gelPackHeader* header = pack->header;
	if ( header->cdgVertexCount > limits->maxVertices ) limits->maxVertices = header->cdgVertexCount;
	if ( header->cdgTriangleCount > limits->maxTriangles ) limits->maxTriangles = header->cdgTriangleCount;
	if ( header->cdgPatchCount > limits->maxPatches ) limits->maxPatches = header->cdgPatchCount;
}

// Entries of the hash table for a number of pairs: a power of two, at most half full with two ends each.
static size_t GetTableSize( uint32_t pairCount )
{
	size_t size = 8;
	while ( size < 4 * (size_t)pairCount )
		size *= 2;
	return size;
}

static void LayOutSide( gelArena* arena, const gelContactLimits* limits, gelContactSideScratch* side )
{
	size_t triangles = limits->maxTriangles, patches = limits->maxPatches, pairs = limits->maxPairs;
	side->points = gelArena_Take( arena, limits->maxVertices, sizeof( gelVec4 ) );
	side->patchStamps = gelArena_Take( arena, patches, sizeof( uint32_t ) );
	side->triangleMarks = gelArena_Take( arena, triangles, sizeof( uint32_t ) );
	side->patchMarks = gelArena_Take( arena, patches, sizeof( uint32_t ) );
	side->partHeads = gelArena_Take( arena, patches, sizeof( uint32_t ) );
	side->queue = gelArena_Take( arena, triangles + patches, sizeof( uint64_t ) );
	side->order = gelArena_Take( arena, pairs, sizeof( uint32_t ) );
	side->cuts = gelArena_Take( arena, pairs, sizeof( gelCutTriangle ) );
	side->parts = gelArena_Take( arena, pairs + patches, sizeof( gelPart ) );
	side->partCapacity = (uint32_t)( pairs + patches );
}

static void LayOut( gelArena* arena, const gelContactLimits* limits, gelContactScratch* s )
{
	size_t pairs = limits->maxPairs;
	s->pairs.items = gelArena_Take( arena, pairs, sizeof( gelTrianglePair ) );
	s->pairs.capacity = limits->maxPairs;
	s->segments = gelArena_Take( arena, pairs, sizeof( gelSegment ) );
	s->ends = gelArena_Take( arena, 2 * pairs, sizeof( gelEndKey ) );
	s->next = gelArena_Take( arena, pairs, sizeof( uint32_t ) );
	s->prev = gelArena_Take( arena, pairs, sizeof( uint32_t ) );
	s->pairCurves = gelArena_Take( arena, pairs, sizeof( uint32_t ) );
	s->curves = gelArena_Take( arena, pairs, sizeof( gelCurve ) );
	s->regions = gelArena_Take( arena, pairs, sizeof( gelRegion ) );
	s->table = gelArena_Take( arena, GetTableSize( limits->maxPairs ), sizeof( uint32_t ) );
	s->keys = gelArena_Take( arena, 2 * pairs, sizeof( uint64_t ) );
	for ( int i = 0; i < gel_sideCount; ++i )
		LayOutSide( arena, limits, s->side + i );
	s->pairs.keys = s->keys;
	s->pairs.order = s->side[gel_sideA].order;
}

size_t gelContactScratch_GetBytes( const gelContactLimits* limits )
{
	gelArena arena = { NULL, 0, false };
	gelContactScratch measure;
	gelArena_Take( &arena, 1, sizeof( gelContactScratch ) );
	LayOut( &arena, limits, &measure );
	return arena.overflow ? 0 : arena.bytes;
}

gelContactScratch* gelContactScratch_Init( const gelContactLimits* limits, void* memory )
{
	gelArena arena = { memory, 0, false };
	gelContactScratch* s = gelArena_Take( &arena, 1, sizeof( gelContactScratch ) );
	memset( s, 0, sizeof( *s ) );
	s->limits = *limits;
	LayOut( &arena, limits, s );
	for ( int i = 0; i < gel_sideCount; ++i )
	{
		memset( s->side[i].patchStamps, 0, limits->maxPatches * sizeof( uint32_t ) );
		memset( s->side[i].patchMarks, 0, limits->maxPatches * sizeof( uint32_t ) );
		memset( s->side[i].partHeads, 0, limits->maxPatches * sizeof( uint32_t ) );
		memset( s->side[i].triangleMarks, 0, limits->maxTriangles * sizeof( uint32_t ) );
	}
	return s;
}

void gelContactScratch_Bind( gelContactScratch* s, gelContactSurface* a, gelContactSurface* b )
{
	if ( ++s->stamp == 0 ) // after 2^32 pairs of bodies
	{
		for ( int i = 0; i < gel_sideCount; ++i )
			memset( s->side[i].patchStamps, 0, s->limits.maxPatches * sizeof( uint32_t ) );
		s->stamp = 1;
	}
	gelContactSurface* surfaces[gel_sideCount] = { a, b };
	for ( int i = 0; i < gel_sideCount; ++i )
	{
		gelContactSideScratch* side = s->side + i;
		side->queueCount = side->cutCount = side->partCount = side->innerTriangles = 0;
		if ( surfaces[i] == NULL ) continue;
		const gelPackHeader* header = surfaces[i]->pack->header;
		(void)header;
		GEL_ASSERT( header->cdgVertexCount <= s->limits.maxVertices );
		GEL_ASSERT( header->cdgTriangleCount <= s->limits.maxTriangles );
		GEL_ASSERT( header->cdgPatchCount <= s->limits.maxPatches );
		surfaces[i]->points = side->points;
		surfaces[i]->patchStamps = side->patchStamps;
		surfaces[i]->stamp = s->stamp;
	}
	s->pairs.count = s->pairs.lostCount = s->pairs.exactCount = s->pairs.testCount = 0;
	s->curveCount = s->regionCount = 0;
}
