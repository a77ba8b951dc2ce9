// SPDX-License-Identifier: MIT
// The collision geometry for debug drawing: patches, trees, boxes.
#include "query/query_debug.h"

#include "query/surface_query.h"
#include "state/world.h"

int gelAsset_GetPatches( const gelAsset* asset, gelPatchInfo* out, int outCapacity )
{
	if ( asset == NULL || asset->pack.patches == NULL ) return 0;
	const gelPackView* pack = &asset->pack;
	int count = (int)pack->header->cdgPatchCount;
	for ( int i = 0; out != NULL && i < gelMinInt( count, outCapacity ); ++i )
	{
		const gelPackPatch* patch = pack->patches + i;
		uint32_t tet = pack->cells[patch->cell].tet;
		out[i] =
			( gelPatchInfo ){ (int)patch->triangleFirst, (int)patch->triangleCount, (int)patch->vertexFirst,
				(int)patch->vertexCount, (int)patch->cell, tet == GEL_CDG_NIL ? -1 : (int)tet };
	}
	return count;
}

int gelAsset_GetPatchTriangles( const gelAsset* asset, uint32_t* out, int outCapacity )
{
	if ( asset == NULL || asset->pack.patches == NULL ) return 0;
	const gelPackView* pack = &asset->pack;
	const gelPackPatch* patch = pack->patches;
	int count = 3 * (int)pack->header->cdgTriangleCount;
	for ( int i = 0; out != NULL && i < gelMinInt( count, outCapacity ); ++i )
	{
		uint32_t triangle = (uint32_t)i / 3, slots[3];
		if ( triangle - patch->triangleFirst == patch->triangleCount ) ++patch;
		gelCdg_GetCorners( &pack->cdg, patch, triangle, slots );
		out[i] = slots[i % 3];
	}
	return count;
}

int gelAsset_GetTriangleSources( const gelAsset* asset, uint32_t* out, int outCapacity )
{
	if ( asset == NULL || asset->pack.patches == NULL ) return 0;
	int count = (int)asset->pack.header->cdgTriangleCount;
	for ( int i = 0; out != NULL && i < gelMinInt( count, outCapacity ); ++i )
		out[i] = gelCdg_GetSource( &asset->pack.cdg, (uint32_t)i );
	return count;
}

// Where tree nodes are written to.
typedef struct NodeList
{
	gelTreeNode* out;
	int count, capacity;
} NodeList;

static void Add( NodeList* list, int patch, gelCdgRange range )
{
	if ( list->out != NULL && list->count < list->capacity )
		list->out[list->count] = ( gelTreeNode ){ patch, (int)range.first, (int)( range.end - range.first ) };
	++list->count;
}

// Nodes of a level below a range, left to right: the path from the root tells left (0) from right (1) in its
// bits, most significant first.
static void AddLevel( NodeList* list, int patch, gelCdgRange root, int level )
{
	GEL_ASSERT( level >= 0 && level <= 30 );
	for ( uint32_t path = 0; path < 1u << level; ++path )
	{
		gelCdgRange range = root;
		for ( int k = level - 1; k >= 0 && range.first < range.end; --k )
		{
			gelCdgRange left, right;
			gelCdgRange_Split( range, &left, &right );
			range = path >> k & 1u ? right : left;
		}
		if ( range.first < range.end ) Add( list, patch, range );
	}
}

int gelAsset_GetTreeNodes( const gelAsset* asset, int level, gelTreeNode* out, int outCapacity )
{
	if ( asset == NULL || asset->pack.patches == NULL || level < 0 ) return 0;
	NodeList list = { out, 0, outCapacity };
	for ( uint32_t i = 0; i < asset->pack.header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = asset->pack.patches + i;
		// a patch of n triangles has no node at level log2( n ) + 1
		if ( level > 30 || patch->triangleCount >> level == 0 ) continue;
		AddLevel( &list, (int)i,
			( gelCdgRange ){ patch->triangleFirst, patch->triangleFirst + patch->triangleCount }, level );
	}
	return list.count;
}

int gelBody_GetPatchVertices( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	const gelBody* body = gelGetBody( bodyId );
	if ( body == NULL || body->asset->pack.patches == NULL ) return 0;
	const gelPackView* pack = &body->asset->pack;
	int count = (int)pack->header->cdgVertexCount, filled = out ? gelMinInt( count, outCapacity ) : 0;
	for ( uint32_t i = 0; i < pack->header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = pack->patches + i;
		int end = i + 1 < pack->header->cdgPatchCount ? (int)patch[1].vertexFirst : count;
		gelVec3 x[4];
		gelGetCellNodes( body->x, pack->cells + patch->cell, x );
		for ( int slot = (int)patch->vertexFirst; slot < gelMinInt( end, filled ); ++slot )
			out[slot] = gelToWorld( body, gelDeformVertex( &pack->cdg, (uint32_t)slot, x ) );
	}
	return count;
}

// ---- coarse boxes ------------------------------------------------------------------------------------

static gelAabb BoundLeaf( const gelBody* body, const gelPackCell* cell )
{
	gelVec3 x[4];
	float a[4], b[4];
	gelGetCellNodes( body->x, cell, x );
	for ( int k = 0; k < 4; ++k )
	{
		a[k] = (float)cell->low[k] * 0x1p-8f;
		b[k] = (float)( cell->high[k] + 1 ) * 0x1p-8f;
	}
	gelDop dop = gelBoundCell_Ref( x, a, b );
	return ( gelAabb ){ { dop.low[0], dop.low[1], dop.low[2] }, { dop.high[0], dop.high[1], dop.high[2] } };
}

// Around all leaves below a node.
static gelAabb BoundNode( const gelBody* body, uint32_t root )
{
	GEL_ASSERT( root < 2 * body->asset->pack.header->cdgTetCount );
	const gelPackView* pack = &body->asset->pack;
	uint32_t stack[GEL_CDG_MAX_DEPTH + 1];
	int depth = 0;
	gelAabb box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	stack[depth++] = root;
	while ( depth > 0 )
	{
		const gelPackBvhNode* node = pack->bvh + stack[--depth];
		if ( node->left != GEL_CDG_NIL )
		{
			stack[depth++] = node->right;
			stack[depth++] = node->left;
			continue;
		}
		gelAabb leaf = BoundLeaf( body, pack->cells + node->right );
		box = ( gelAabb ){ gelMinVec3( box.min, leaf.min ), gelMaxVec3( box.max, leaf.max ) };
	}
	return box;
}

// Boxes of the binary tree in the pack, not of the wider one that rays descend. Depth-first, so that boxes
// come in the same order whatever the level.
int gelVisitCoarseBoxes( const gelBody* body, int level, gelBoxVisitor* visit, void* context )
{
	if ( body->coarse == NULL ) return 0;
	const gelPackBvhNode* bvh = body->asset->pack.bvh;
	struct
	{
		uint32_t node;
		int level;
	} stack[GEL_CDG_MAX_DEPTH + 1];
	int depth = 0, count = 0;
	stack[depth].node = 0;
	stack[depth++].level = 0;
	while ( depth > 0 )
	{
		uint32_t node = stack[--depth].node;
		int at = stack[depth].level;
		if ( bvh[node].left != GEL_CDG_NIL && ( level < 0 || at < level ) )
		{
			stack[depth].node = bvh[node].right;
			stack[depth++].level = at + 1;
			stack[depth].node = bvh[node].left;
			stack[depth++].level = at + 1;
			continue;
		}
		if ( visit ) visit( body, gelToWorldBox( body, BoundNode( body, node ) ), context );
		++count;
	}
	return count;
}

typedef struct BoxList
{
	gelAabb* out;
	int count, capacity;
} BoxList;

static void TakeBox( const gelBody* body, gelAabb box, void* context )
{
	(void)body;
	BoxList* list = context;
	if ( list->count < list->capacity ) list->out[list->count++] = box;
}

int gelBody_GetCoarseBoxes( gelBodyId bodyId, int level, gelAabb* out, int outCapacity )
{
	const gelBody* body = gelGetBody( bodyId );
	BoxList list = { out, 0, outCapacity };
	return body ? gelVisitCoarseBoxes( body, level, out ? TakeBox : NULL, &list ) : 0;
}
