// SPDX-License-Identifier: MIT
// The coarse tree over the cells of a surface, eight children wide.
//
// The pack has a binary tree. A ray that descends it makes a dozen decisions that no processor predicts; with
// eight children per node there are three, and one instruction looks at the same face of eight boxes. So the
// asset collapses the binary tree once, at load, and the lanes of a node are its children: further nodes, and
// cells.
#pragma once

#include "pack/pack_read.h"
#include "pack/pack_read_cdg.h"

#include <assert.h>
#include <stddef.h>

#define GEL_COARSE_LANES 8

/// In gelCoarseNode.child: the child is a cell.
#define GEL_COARSE_CELL 0x80000000u

/// Eight children. Same for all bodies of an asset.
typedef struct gelCoarseNode
{
	_Alignas( 64 ) uint32_t node[4][GEL_COARSE_LANES]; // corners of the cells in leaf lanes, 0 in others
	uint64_t low[4], high[4]; // byte k: b-DOP of the cell in lane k, as gelPackCell has it
	// GEL_COARSE_CELL | cell, a node before this one, or from some lane on GEL_CDG_NIL
	uint32_t child[GEL_COARSE_LANES];
	uint32_t zero[8];
} gelCoarseNode;
static_assert( sizeof( gelCoarseNode ) == 256, "four cache lines" );

static inline bool gelIsCell( uint32_t child )
{
	return child >= GEL_COARSE_CELL && child != GEL_CDG_NIL;
}

/// Nodes that gelFillCoarseTree will make: 0 without collision geometry. Children come before their parents,
/// the root is the last.
size_t gelCountCoarseNodes( const gelPackView* pack );
void gelFillCoarseTree( const gelPackView* pack, gelCoarseNode* nodes );

/// Material of a cell of the collision geometry.
const gelPackMaterial* gelGetCellMaterial( const gelPackView* pack, uint32_t cell );
