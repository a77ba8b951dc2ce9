// SPDX-License-Identifier: MIT
// The elimination tree of the warp-cancelling solver (pack_read_warp.h), out of the panels of a factor of the
// fast solver: both have a matrix entry for every pair of nodes with a common tet, so nested dissection, fill
// and elimination tree are the same.
//
// Panels of the fast solver are cut for reading. Here every supernode is refactored by dense kernels that
// work on sixteen scalars at once, and refreshed as a whole: a panel is merged with its parent when the
// modelled time does not grow, up to the width that keeps a refresh local.
#include "bake/factor/warp_bake.h"

#include <gelpack/asserts.h>

// Nodes of a supernode, where merging adds zeros (Hecht et al. 2012 have leaves of about 100 columns), and
// where it does not.
#define GEL_WARP_MAX_WIDTH       32u
#define GEL_WARP_MAX_CHAIN_WIDTH 128u

// What a supernode costs however small it is, in operations.
#define GEL_WARP_SUPER_COST 200000u

typedef struct Group
{
	uint32_t first, width, below; // columns
	uint32_t last;                // panel whose rows are those of the group
} Group;

static uint64_t GetCost( uint32_t width, uint32_t below )
{
	return gelGetWarpCost( width, below ) + GEL_WARP_SUPER_COST;
}

static uint32_t GetBelow( const gelBakeFactor* panels, uint32_t p )
{
	GEL_ASSERT( p < panels->superCount );
	uint32_t width = panels->superFirst[p + 1] - panels->superFirst[p];
	return panels->rowFirst[p + 1] - panels->rowFirst[p] - width;
}

static const uint32_t* GetRowsBelow( const gelBakeFactor* panels, uint32_t p )
{
	return panels->rows + panels->rowFirst[p + 1] - GetBelow( panels, p );
}

// The first row below a supernode is a column of its parent. Groups stand in postorder, so only the newest
// can be a child.
static bool IsChild( const gelBakeFactor* panels, const Group* child, const Group* group )
{
	if ( child->below == 0 ) return false;
	return GetRowsBelow( panels, child->last )[0] < group->first + group->width;
}

static bool PaysOff( const Group* child, const Group* group )
{
	uint32_t width = child->width + group->width;
	// A chain (the child's rows are the whole parent and its rows) merges for free; only width limits it,
	// because a supernode is refreshed as a whole when one of its tets has turned.
	bool addsZeros = child->below != group->width + group->below;
	if ( width > ( addsZeros ? GEL_WARP_MAX_WIDTH : GEL_WARP_MAX_CHAIN_WIDTH ) ) return false;
	uint64_t apart = GetCost( child->width, child->below ) + GetCost( group->width, group->below );
	return GetCost( width, group->below ) <= apart;
}

static uint32_t FindGroups( const gelBakeFactor* panels, Group* groups )
{
	uint32_t count = 0;
	for ( uint32_t p = 0; p < panels->superCount; ++p )
	{
		Group group = { panels->superFirst[p], panels->superFirst[p + 1] - panels->superFirst[p],
			GetBelow( panels, p ), p };
		while ( count > 0 && IsChild( panels, groups + count - 1, &group ) &&
			PaysOff( groups + count - 1, &group ) )
		{
			const Group* child = groups + --count;
			group.first = child->first;
			group.width += child->width;
		}
		groups[count++] = group;
	}
	return count;
}

static uint32_t* AllocIndices( gelBakePool* pool, size_t count )
{
	return gelBakePool_Alloc( pool, count, sizeof( uint32_t ) );
}

// Node of a front that a column is, by binary search among the rows below. The column is there.
static uint32_t FindPlace( const gelWarpTree* tree, uint32_t s, uint32_t column )
{
	uint32_t width = tree->superFirst[s + 1] - tree->superFirst[s];
	if ( column < tree->superFirst[s + 1] ) return column - tree->superFirst[s];
	uint32_t low = tree->rowFirst[s], high = tree->rowFirst[s + 1];
	while ( low + 1 < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( tree->rows[middle] <= column )
			low = middle;
		else
			high = middle;
	}
	return width + low - tree->rowFirst[s];
}

static void LayOutGroups(
	const gelBakeFactor* panels, const Group* groups, gelBakePool* pool, gelWarpTree* tree )
{
	uint32_t count = tree->superCount, rowCount = 0;
	uint32_t *superFirst = AllocIndices( pool, (size_t)count + 1 ),
			 *rowFirst = AllocIndices( pool, (size_t)count + 1 );
	uint32_t* superOf = AllocIndices( pool, tree->n );
	uint64_t* costs = gelBakePool_Alloc( pool, count, sizeof( uint64_t ) );
	for ( uint32_t s = 0; s < count; ++s )
	{
		rowCount += groups[s].below;
		superFirst[s + 1] = groups[s].first + groups[s].width;
		rowFirst[s + 1] = rowCount;
		costs[s] = gelGetWarpCost( groups[s].width, groups[s].below );
		for ( uint32_t c = superFirst[s]; c < superFirst[s + 1]; ++c )
			superOf[c] = s;
	}
	uint32_t *rows = AllocIndices( pool, rowCount ), *places = AllocIndices( pool, rowCount );
	uint32_t* parents = AllocIndices( pool, count );
	tree->superFirst = superFirst;
	tree->rowFirst = rowFirst;
	tree->rows = rows;
	tree->places = places;
	tree->parents = parents;
	tree->costs = costs;
	for ( uint32_t s = 0; s < count; ++s )
	{
		const uint32_t* below = GetRowsBelow( panels, groups[s].last );
		for ( uint32_t k = 0; k < groups[s].below; ++k )
			rows[rowFirst[s] + k] = below[k];
		// Roots have the number count, one past the last.
		parents[s] = groups[s].below == 0 ? count : superOf[below[0]];
	}
	for ( uint32_t s = 0; s < count; ++s )
	{
		for ( uint32_t k = rowFirst[s]; k < rowFirst[s + 1]; ++k )
			// Where each row of an update matrix goes in the front of the parent. Searched once here, so that
			// the runtime adds updates (extend-add) by plain indices.
			places[k] = FindPlace( tree, parents[s], rows[k] );
	}
}

// Tets by the supernode of their first column, and where their corners are in its front.
static void AssignTets(
	const gelPackTet* tets, uint32_t tetCount, uint32_t nodeCount, gelBakePool* pool, gelWarpTree* tree )
{
	gelBakePool scratch = { NULL };
	uint32_t *columnOf = AllocIndices( &scratch, nodeCount ), *superOf = AllocIndices( &scratch, tree->n );
	uint32_t* owners = AllocIndices( &scratch, tetCount );
	for ( uint32_t i = 0; i < nodeCount; ++i )
		columnOf[i] = GEL_NO_INDEX;
	for ( uint32_t c = 0; c < tree->n; ++c )
		columnOf[tree->perm[c]] = c;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		for ( uint32_t c = tree->superFirst[s]; c < tree->superFirst[s + 1]; ++c )
			superOf[c] = s;
	}
	uint32_t* tetFirst = AllocIndices( pool, (size_t)tree->superCount + 1 );
	for ( uint32_t t = 0; t < tetCount; ++t )
	{
		uint32_t first = GEL_NO_INDEX; // the largest number: pinned nodes come last
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t column = columnOf[tets[t].node[k]];
			first = column < first ? column : first;
		}
		// A tet is assembled into the supernode that eliminates its first node: by then none of its entries
		// has been used. Tets with all nodes pinned belong to nobody.
		owners[t] = first == GEL_NO_INDEX ? GEL_NO_INDEX : superOf[first];
		if ( owners[t] != GEL_NO_INDEX ) ++tetFirst[owners[t] + 1];
	}
	for ( uint32_t s = 0; s < tree->superCount; ++s )
		tetFirst[s + 1] += tetFirst[s];
	uint32_t total = tetFirst[tree->superCount];
	uint32_t *list = AllocIndices( pool, total ), *next = AllocIndices( &scratch, tree->superCount );
	uint16_t* corners = gelBakePool_Alloc( pool, 4 * (size_t)total, sizeof( uint16_t ) );
	for ( uint32_t t = 0; t < tetCount; ++t )
	{
		if ( owners[t] == GEL_NO_INDEX ) continue;
		uint32_t entry = tetFirst[owners[t]] + next[owners[t]]++;
		list[entry] = t;
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t column = columnOf[tets[t].node[k]];
			uint16_t* corner = corners + 4 * (size_t)entry + k;
			*corner = GEL_WARP_PINNED;
			if ( column != GEL_NO_INDEX ) *corner = (uint16_t)FindPlace( tree, owners[t], column );
		}
	}
	tree->tetFirst = tetFirst;
	tree->tets = list;
	tree->corners = corners;
	gelFreeBakePool( &scratch );
}

bool gelBuildWarpTree( const gelBakeFactor* panels, const gelPackTet* tets, uint32_t tetCount,
	uint32_t nodeCount, gelBakePool* pool, gelWarpTree* outTree )
{
	GEL_ASSERT( panels->superCount > 0 && tetCount > 0 );
	gelBakePool scratch = { NULL };
	Group* groups = gelBakePool_Alloc( &scratch, panels->superCount, sizeof( Group ) );
	gelWarpTree tree = { .n = panels->n, .perm = panels->perm };
	tree.superCount = FindGroups( panels, groups );
	LayOutGroups( panels, groups, pool, &tree );
	gelFreeBakePool( &scratch );
	for ( uint32_t s = 0; s < tree.superCount; ++s )
	{
		uint32_t nodes =
			tree.superFirst[s + 1] - tree.superFirst[s] + tree.rowFirst[s + 1] - tree.rowFirst[s];
		if ( nodes >= GEL_WARP_PINNED ) return false; // corners are 16-bit
	}
	AssignTets( tets, tetCount, nodeCount, pool, &tree );
	size_t count = (size_t)tree.superCount + 1;
	tree.panelFirst = gelBakePool_Alloc( pool, count, sizeof( uint64_t ) );
	tree.updateFirst = gelBakePool_Alloc( pool, count, sizeof( uint64_t ) );
	tree.tileFirst = AllocIndices( pool, count );
	tree.childFirst = AllocIndices( pool, count );
	tree.children = AllocIndices( pool, count );
	tree.heightFirst = AllocIndices( pool, count );
	tree.byHeight = AllocIndices( pool, count );
	tree.heights = AllocIndices( pool, count );
	gelWarpTree_Complete( &tree );
	*outTree = tree;
	return true;
}
