// SPDX-License-Identifier: MIT
#include "pack/pack_read_warp.h"

#include "pack/pack_validate.h"

// Moving a float from an update into the front of the parent takes as long as this many operations.
#define GEL_MOVE_COST 8u

uint64_t gelGetWarpCost( uint32_t width, uint32_t below )
{
	uint64_t n = gelPadToTile( 3 * width ), m = gelPadToTile( 3 * below );
	uint64_t panel = n * n * n / 3 + m * n * n, update = m * m * n;
	return panel + update + GEL_MOVE_COST * ( m * m / 2 + n * ( n + m ) );
}

static uint32_t GetWidth( const gelWarpTree* tree, uint32_t s )
{
	return tree->superFirst[s + 1] - tree->superFirst[s];
}

static void ListChildren( gelWarpTree* tree )
{
	for ( uint32_t s = 0; s <= tree->superCount; ++s )
		tree->childFirst[s] = 0;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		if ( tree->parents[s] < tree->superCount ) ++tree->childFirst[tree->parents[s] + 1];
	}
	for ( uint32_t s = 0; s < tree->superCount; ++s )
		tree->childFirst[s + 1] += tree->childFirst[s];
	// childFirst[p] moves to the end of p's children and back
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		if ( tree->parents[s] < tree->superCount ) tree->children[tree->childFirst[tree->parents[s]]++] = s;
	}
	for ( uint32_t s = tree->superCount; s > 0; --s )
		tree->childFirst[s] = tree->childFirst[s - 1];
	tree->childFirst[0] = 0;
}

gelWarpSizes gelGetWarpSizes( const gelWarpTree* tree )
{
	gelWarpSizes sizes = { 0, 0, 0 };
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		uint64_t columns = gelPadToTile( 3 * GetWidth( tree, s ) );
		uint64_t below = gelPadToTile( 3 * ( tree->rowFirst[s + 1] - tree->rowFirst[s] ) );
		sizes.panels += columns * ( columns + below );
		sizes.updates += gelGetUpdateOffset( below / GEL_PACK_TILE );
		sizes.tiles += GEL_PACK_TILE * columns;
	}
	return sizes;
}

// Counting sort.
static void SortByHeight( gelWarpTree* tree )
{
	uint32_t count = tree->superCount, *heights = tree->heights;
	tree->heightCount = 0;
	for ( uint32_t s = 0; s < count; ++s )
	{
		heights[s] = 0;
		for ( uint32_t k = tree->childFirst[s]; k < tree->childFirst[s + 1]; ++k )
		{
			uint32_t height = heights[tree->children[k]] + 1;
			heights[s] = height > heights[s] ? height : heights[s];
		}
		tree->heightCount = heights[s] + 1 > tree->heightCount ? heights[s] + 1 : tree->heightCount;
	}
	for ( uint32_t h = 0; h <= tree->heightCount; ++h )
		tree->heightFirst[h] = 0;
	for ( uint32_t s = 0; s < count; ++s )
		++tree->heightFirst[heights[s] + 1];
	for ( uint32_t h = 0; h < tree->heightCount; ++h )
		tree->heightFirst[h + 1] += tree->heightFirst[h];
	// heightFirst[h] moves to the end of h and back
	for ( uint32_t s = 0; s < count; ++s )
		tree->byHeight[tree->heightFirst[heights[s]]++] = s;
	for ( uint32_t h = tree->heightCount; h > 0; --h )
		tree->heightFirst[h] = tree->heightFirst[h - 1];
	tree->heightFirst[0] = 0;
}

void gelWarpTree_Complete( gelWarpTree* tree )
{
	tree->panelFirst[0] = tree->updateFirst[0] = tree->tileFirst[0] = 0;
	tree->maxColumns = tree->maxBelow = 0;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		uint32_t columns = gelPadToTile( 3 * GetWidth( tree, s ) );
		uint32_t below = gelPadToTile( 3 * ( tree->rowFirst[s + 1] - tree->rowFirst[s] ) );
		tree->panelFirst[s + 1] = tree->panelFirst[s] + (uint64_t)columns * ( columns + below );
		tree->updateFirst[s + 1] = tree->updateFirst[s] + gelGetUpdateOffset( below / GEL_PACK_TILE );
		tree->tileFirst[s + 1] = tree->tileFirst[s] + columns / GEL_PACK_TILE;
		tree->maxColumns = columns > tree->maxColumns ? columns : tree->maxColumns;
		tree->maxBelow = below > tree->maxBelow ? below : tree->maxBelow;
	}
	ListChildren( tree );
	SortByHeight( tree );
}

gelWarpTree gelPack_GetWarpTree( const gelPackView* view, const gelPackSection* section )
{
	const gelPackWarp* h = gelPackView_Bytes( view, section );
	return ( gelWarpTree ){ .n = h->n,
		.superCount = h->superCount,
		.perm = gelPackView_Array( view, section, h->perm ),
		.superFirst = gelPackView_Array( view, section, h->superFirst ),
		.rowFirst = gelPackView_Array( view, section, h->rowFirst ),
		.rows = gelPackView_Array( view, section, h->rows ),
		.places = gelPackView_Array( view, section, h->places ),
		.parents = gelPackView_Array( view, section, h->parents ),
		.tetFirst = gelPackView_Array( view, section, h->tetFirst ),
		.tets = gelPackView_Array( view, section, h->tets ),
		.corners = gelPackView_Array( view, section, h->corners ),
		.costs = gelPackView_Array( view, section, h->costs ) };
}

gelWarpNumbers gelPack_GetWarpNumbers( const gelPackView* view, const gelPackSection* section )
{
	const gelPackWarpFactor* h = gelPackView_Bytes( view, section );
	return ( gelWarpNumbers ){ gelPackView_Array( view, section, h->panels ),
		gelPackView_Array( view, section, h->updates ), gelPackView_Array( view, section, h->tiles ) };
}
