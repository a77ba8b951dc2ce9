// SPDX-License-Identifier: MIT
#include "asset/coarse_nodes.h"
#include "gelpack/asserts.h"

// Children of a node that is still to be made.
typedef struct gelSlots
{
	uint32_t child[GEL_COARSE_LANES];
	int count;
} gelSlots;

typedef struct gelCoarseBuilder
{
	const gelPackView* pack;
	gelCoarseNode* nodes; // NULL: they are only counted
	uint32_t count;
} gelCoarseBuilder;

static void PutCell( const gelPackCell* cell, int lane, gelCoarseNode* out )
{
	GEL_ASSERT( lane >= 0 && lane < GEL_COARSE_LANES );
	for ( int k = 0; k < 4; ++k )
	{
		out->node[k][lane] = cell->node[k];
		out->low[k] |= (uint64_t)cell->low[k] << 8 * lane;
		out->high[k] |= (uint64_t)cell->high[k] << 8 * lane;
	}
}

// Makes a node, which takes one place instead of several.
static void Close( gelCoarseBuilder* builder, gelSlots* slots )
{
	uint32_t index = builder->count++;
	if ( builder->nodes != NULL )
	{
		gelCoarseNode* node = builder->nodes + index;
		*node = ( gelCoarseNode ){ 0 };
		for ( int lane = 0; lane < GEL_COARSE_LANES; ++lane )
		{
			uint32_t child = node->child[lane] = lane < slots->count ? slots->child[lane] : GEL_CDG_NIL;
			if ( gelIsCell( child ) )
				PutCell( builder->pack->cells + ( child & ~GEL_COARSE_CELL ), lane, node );
		}
	}
	slots->child[0] = index;
	slots->count = 1;
}

// The children of both children, if there is room for them; else the larger family gets a node of its own.
// As deep as the binary tree: at most GEL_CDG_MAX_DEPTH calls.
static gelSlots Collect( gelCoarseBuilder* builder, uint32_t binary )
{
	const gelPackBvhNode* node = builder->pack->bvh + binary;
	if ( node->left == GEL_CDG_NIL )
		return ( gelSlots ){ .child = { GEL_COARSE_CELL | node->right }, .count = 1 };
	gelSlots left = Collect( builder, node->left ), right = Collect( builder, node->right );
	gelSlots *larger = left.count >= right.count ? &left : &right,
			 *smaller = larger == &left ? &right : &left;
	if ( left.count + right.count > GEL_COARSE_LANES ) Close( builder, larger );
	if ( left.count + right.count > GEL_COARSE_LANES ) Close( builder, smaller );
	for ( int i = 0; i < right.count; ++i )
		left.child[left.count++] = right.child[i];
	return left;
}

static uint32_t Collapse( const gelPackView* pack, gelCoarseNode* nodes )
{
	gelCoarseBuilder builder = { .pack = pack, .nodes = nodes };
	if ( pack->bvh == NULL ) return 0;
	gelSlots root = Collect( &builder, 0 );
	Close( &builder, &root );
	return builder.count;
}

size_t gelCountCoarseNodes( const gelPackView* pack )
{
	return Collapse( pack, NULL );
}

void gelFillCoarseTree( const gelPackView* pack, gelCoarseNode* nodes )
{
	Collapse( pack, nodes );
}

const gelPackMaterial* gelGetCellMaterial( const gelPackView* pack, uint32_t cell )
{
	GEL_ASSERT( cell < pack->header->cdgTetCount );
	uint32_t tet = pack->cells[cell].tet;
	if ( tet == GEL_CDG_NIL )
	{
		uint32_t triangle = pack->patches[pack->cells[cell].patchFirst].triangleFirst;
		tet = pack->embedTets[pack->triangles[gelCdg_GetSource( &pack->cdg, triangle )].vertex[0]];
	}
	return pack->materials + pack->tetRests[tet].material;
}
