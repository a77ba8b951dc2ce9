// SPDX-License-Identifier: MIT
// The elimination tree of the warp-cancelling solver and the layout of its factor.
//
// Nodes of the cage are columns in the order of elimination, three scalars each; neighboring columns with
// nearly the same pattern form a supernode. The front of a supernode is the dense matrix over its own nodes
// (width) and over those that its elimination couples (below), in the order of elimination:
//
//                  width    below
//         width  |  A11  |       |        panel:  [ L11; L21 ], factored in place
//         below  |  A21  |  A22  |        update: A22 - L21 L21^T, handed to the parent
//
// A tet lies in the front of the supernode that eliminates its first node, with all of its corners: they are
// coupled by it. So a front is the sum of its own tets, the masses of its own nodes and the updates of its
// children, and nothing else: what changes in it changes its ancestors and no other supernode (Hecht et al.
// 2012, section 4).
//
// Both parts are stored by blocks of sixteen rows; inside a block, column after column. The panel's own rows
// and columns are padded to a multiple of sixteen by those of the identity, so that the rows below start with
// a block; the update has the blocks on and below the diagonal only.
#pragma once

#include "pack/pack_layout.h"

#include <stddef.h>

#define GEL_PACK_TILE        16u
#define GEL_PACK_TILE_FLOATS ( GEL_PACK_TILE * GEL_PACK_TILE )

typedef struct gelWarpTree
{
	uint32_t n;                 // columns: free nodes
	uint32_t superCount;        // children before parents
	const uint32_t* perm;       // [n]: column -> node
	const uint32_t* superFirst; // [superCount + 1]: columns
	const uint32_t* rowFirst;   // [superCount + 1]: rows
	const uint32_t* rows;       // below, as columns, ascending
	const uint32_t* places;     // per row: its node in the parent's front
	const uint32_t* parents;    // superCount: a root
	const uint32_t* tetFirst;   // [superCount + 1]: tets
	const uint32_t* tets;       // by supernode
	const uint16_t* corners;    // four per entry of tets: nodes in the front
	const uint64_t* costs;      // operations of a refactorization

	// ---- follows from these ----
	uint64_t* panelFirst;  // [superCount + 1]: floats
	uint64_t* updateFirst; // [superCount + 1]: floats
	uint32_t* tileFirst;   // [superCount + 1]: tiles on the diagonals of panels
	uint32_t* childFirst;  // [superCount + 1]
	uint32_t*
		heightFirst; // [heightCount + 1]: supernodes; leaves have height 0, parents more than their children
	uint32_t* byHeight; // [superCount]
	uint32_t* heights;  // [superCount]
	uint32_t heightCount;
	uint32_t* children;            // ascending
	uint32_t maxColumns, maxBelow; // largest front, in padded scalars
} gelWarpTree;

static inline uint32_t gelPadToTile( uint32_t count )
{
	return ( count + GEL_PACK_TILE - 1 ) / GEL_PACK_TILE * GEL_PACK_TILE;
}

/// Floats before a block of an update.
static inline size_t gelGetUpdateOffset( size_t block )
{
	return GEL_PACK_TILE_FLOATS / 2 * block * ( block + 1 );
}

/// Fills what follows from the rest; the arrays must be there.
void gelWarpTree_Complete( gelWarpTree* tree );

/// Floats of a factor.
typedef struct gelWarpSizes
{
	uint64_t panels, updates, tiles;
} gelWarpSizes;

/// Needs superFirst and rowFirst only.
gelWarpSizes gelGetWarpSizes( const gelWarpTree* tree );

/// Multiplications and additions that it takes to refactor a supernode of so many nodes and to
/// hand its update on.
uint64_t gelGetWarpCost( uint32_t width, uint32_t below );

struct gelPackView;

/// The tree of a section UPDT of a pack that was opened; what follows from it is not filled.
gelWarpTree gelPack_GetWarpTree( const struct gelPackView* view, const gelPackSection* section );

/// Numbers of a factor in a pack.
typedef struct gelWarpNumbers
{
	const float *panels, *updates, *tiles;
} gelWarpNumbers;

gelWarpNumbers gelPack_GetWarpNumbers( const struct gelPackView* view, const gelPackSection* section );
