// SPDX-License-Identifier: MIT
// Coloring: tets of one color share no node, so their order cannot change the result of a volume sweep.
// Greedy in tet order, then colors by size, the largest first: full SIMD batches early, the small rest last.
//
// The runtime sweeps by the batches of batches.c; where a pack has none, it cuts these colors into batches.
#include "bake/body/body_passes.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// Colors taken by the tets around each node, one bit each. Nodes with few tets are by far the most common,
// so the sets have the width that the highest color so far needs, and grow for all nodes together.
typedef struct ColorSets
{
	uint64_t* bits; // nodeCount * words
	uint32_t words;
} ColorSets;

static void GrowSets( ColorSets* sets, uint32_t nodeCount, gelBakePool* pool )
{
	GEL_ASSERT( nodeCount > 0 );
	uint32_t words = sets->words == 0 ? 1 : 2 * sets->words;
	uint64_t* bits = gelBakePool_Alloc( pool, (size_t)nodeCount * words, sizeof( uint64_t ) );
	for ( size_t i = 0; i < (size_t)nodeCount * sets->words; ++i )
		bits[i / sets->words * words + i % sets->words] = sets->bits[i];
	sets->bits = bits;
	sets->words = words;
}

// Lowest color that no tet around the four nodes has; may be 64 * words.
static uint32_t FindFreeColor( const ColorSets* sets, const gelPackTet* tet )
{
	for ( uint32_t w = 0; w < sets->words; ++w )
	{
		uint64_t taken = 0;
		for ( int c = 0; c < 4; ++c )
			taken |= sets->bits[(size_t)tet->node[c] * sets->words + w];
		for ( uint32_t b = 0; b < 64 && taken != UINT64_MAX; ++b )
		{
			if ( ( taken >> b & 1 ) == 0 ) return 64 * w + b;
		}
	}
	return 64 * sets->words;
}

typedef struct ColorSize
{
	uint32_t color, count;
} ColorSize;

static int CompareSizes( const void* a, const void* b )
{
	const ColorSize *x = a, *y = b;
	if ( x->count != y->count ) return x->count > y->count ? -1 : 1;
	return x->color < y->color ? -1 : 1;
}

// Counting sort of the tets by the rank of their color.
static void CollectColors(
	const uint32_t* tetToColor, uint32_t tetCount, gelBakePool* pool, gelBakeColoring* out )
{
	GEL_ASSERT( tetCount > 0 );
	ColorSize* sizes = gelBakePool_Alloc( pool, out->colorCount, sizeof( ColorSize ) );
	for ( uint32_t c = 0; c < out->colorCount; ++c )
		sizes[c].color = c;
	for ( uint32_t t = 0; t < tetCount; ++t )
		sizes[tetToColor[t]].count += 1;
	qsort( sizes, out->colorCount, sizeof( ColorSize ), CompareSizes );

	out->colorFirst = gelBakePool_Alloc( pool, (size_t)out->colorCount + 1, sizeof( uint32_t ) );
	out->tets = gelBakePool_Alloc( pool, tetCount, sizeof( uint32_t ) );
	uint32_t* cursor = gelBakePool_Alloc( pool, out->colorCount, sizeof( uint32_t ) );
	for ( uint32_t rank = 0; rank < out->colorCount; ++rank )
	{
		out->colorFirst[rank + 1] = out->colorFirst[rank] + sizes[rank].count;
		cursor[sizes[rank].color] = out->colorFirst[rank];
	}
	for ( uint32_t t = 0; t < tetCount; ++t )
		out->tets[cursor[tetToColor[t]]++] = t;
}

bool gelColorTets( const gelBakeCage* cage, gelBakePool* pool, gelFindings* findings, gelBakeColoring* out )
{
	GEL_ASSERT( cage->tetCount > 0 );
	ColorSets sets = { NULL, 0 };
	uint32_t* tetToColor = gelBakePool_Alloc( pool, cage->tetCount, sizeof( uint32_t ) );
	out->colorCount = 0;
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		const gelPackTet* tet = cage->tets + t;
		uint32_t color = FindFreeColor( &sets, tet );
		if ( color == GEL_PACK_MAX_COLORS )
		{
			gelFindings_Add( findings, gel_findingFormatLimit, cage->file,
				"tet %u shares its nodes with more than %u other tets; refine the cage around node %u",
				gelGetSourceTet( cage, t ), GEL_PACK_MAX_COLORS - 1, gelGetSourceNode( cage, tet->node[0] ) );
			return false;
		}
		if ( color == 64 * sets.words ) GrowSets( &sets, cage->nodeCount, pool );
		for ( int c = 0; c < 4; ++c )
			sets.bits[(size_t)tet->node[c] * sets.words + color / 64] |= (uint64_t)1 << color % 64;
		tetToColor[t] = color;
		out->colorCount = color + 1 > out->colorCount ? color + 1 : out->colorCount;
	}
	CollectColors( tetToColor, cage->tetCount, pool, out );
	return true;
}
