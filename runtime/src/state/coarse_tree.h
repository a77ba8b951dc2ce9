// SPDX-License-Identifier: MIT
// What of the coarse tree over the cells (coarse_nodes.h) follows a deformed body. In lanes, as the tree, so
// that the boxes of eight cells are computed together.
#pragma once

#include "asset/coarse_nodes.h"
#include "state/body.h"
#include "state/cell_bounds.h"

#include <stdatomic.h>

/// Boxes of the children of one node [m, body space]. Lanes without a child are empty: low > high.
typedef struct gelCoarseBoxes
{
	_Alignas( 64 ) float low[GEL_DOP_AXES][GEL_COARSE_LANES];
	float high[GEL_DOP_AXES][GEL_COARSE_LANES];
	gelDop all; // around all of them
} gelCoarseBoxes;
static_assert( sizeof( gelCoarseBoxes ) == 512, "eight cache lines" );

/// Bounds of the cell in a lane from deformed nodes: what a refit stores for it, to the same bits.
gelDop gelCoarseNode_BoundCell_Ref( const gelCoarseNode* node, int lane, const gelVec3* nodes );

/// Boxes from deformed nodes. Twin of the kernel refit.
void gelRefitCoarse_Ref(
	const gelCoarseNode* tree, int treeCount, const gelVec3* nodes, gelCoarseBoxes* boxes );

// ---- of a body -------------------------------------------------------------------------------------------

/// Whether boxes are those of the nodes.
typedef enum gelCoarseState
{
	gel_coarseStale,
	gel_coarseBusy, // a thread is refitting them
	gel_coarseFresh,
	gel_coarseLent, // their memory is the scratch of a step now
} gelCoarseState;

/// Before the step of a body whose solver moves nodes: what follows the nodes goes, and its memory is scratch
/// until gelBody_RefitCoarse.
void gelBody_LendFollowers( gelBody* body );

/// Boxes of the coarse tree at once, whoever needs them. For measurements.
void gelBody_RefitCoarseNow( gelBody* body );

/// Refits the coarse tree if that has not been done since the nodes moved. Any number of threads may come
/// here together: one works, the others wait for it, for some microseconds, without giving up their cores.
/// @return false: that thread does not get on (the system gives it no time). The tree must not be read
bool gelBody_NeedCoarse( gelBody* body );

/// The same for the nodes that contacts are found at, gelBodyContact.seen, in the place of what is there. By
/// one thread.
void gelBody_NeedSeenCoarse( gelBody* body );
