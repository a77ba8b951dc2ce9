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

/// How weights change in a deformed cell: w_k( p ) = [k = 0] + dot( g_k, p - x_0 ). One cache line.
typedef struct gelCellFrame
{
	_Alignas( 64 ) float gx[4]; // components of the four gradients [1/m]
	float gy[4], gz[4];
	float x0[3]; // the first corner [m]
	// Rounding of weights that are computed with this frame near the cell, relative to 1 + |w|: see
	// gelMakeCellFrame_Ref. Infinite or NaN for a cell without volume.
	float flatness;
} gelCellFrame;
static_assert( sizeof( gelCellFrame ) == 64, "one cache line" );

/// In units of edge^3 / |det|, see gelMakeCellFrame_Ref.
#define GEL_FRAME_ERROR 0x1p-15f

/// Tets smaller than this [m] are left to double precision: the products of their edges would underflow.
#define GEL_TINY_EDGE 1.0e-9f

/// Frame of a tet. Error of a weight, with E the largest edge from x0 (sum of components), u = 2^-24, and p
/// nearer than 3 E: gradients times the determinant are off by 5 u E^2 per component, the determinant, a
/// common factor, by 10 u E^3; products and sums add 4 u. The first weight adds up the errors of the others,
/// and a direction has as much error again over the length of the cell. In all below 512 u E^3 / |det| times
/// 1 + |w|: the flatness.
gelCellFrame gelMakeCellFrame_Ref( const gelVec3 x[4] );

/// Bounds of the cell in a lane from deformed nodes: what a refit stores for it, to the same bits.
gelDop gelCoarseNode_BoundCell_Ref( const gelCoarseNode* node, int lane, const gelVec3* nodes );

/// Boxes and frames from deformed nodes. Twin of the kernel refitCoarse.
/// @param frames one per cell
void gelRefitCoarse_Ref( const gelCoarseNode* tree, int treeCount, const gelVec3* nodes,
	gelCoarseBoxes* boxes, gelCellFrame* frames );

// ---- of a body -------------------------------------------------------------------------------------------

/// Whether boxes and frames are those of the nodes.
typedef enum gelCoarseState
{
	gel_coarseStale,
	gel_coarseBusy, // a thread is refitting them
	gel_coarseFresh,
} gelCoarseState;

/// Boxes and frames of the coarse tree at once, whoever needs them. For measurements.
void gelBody_RefitCoarseNow( gelBody* body );

/// Refits the coarse tree if that has not been done since the nodes moved. Any number of threads may come
/// here together: one works, the others wait for it, for some microseconds, without giving up their cores.
/// @return false: that thread does not get on (the system gives it no time). The tree must not be read
bool gelBody_NeedCoarse( gelBody* body );

/// The same for the nodes that contacts are found at, gelBodyContact.seen, in the place of what is there. By
/// one thread.
void gelBody_NeedSeenCoarse( gelBody* body );
