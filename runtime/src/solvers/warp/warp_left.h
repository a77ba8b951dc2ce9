// SPDX-License-Identifier: MIT
// The left-looking variant of the factorization, for bodies whose updates would take too much memory: a
// supernode takes the contributions of all its descendants from their panels instead of the updates of its
// children. A clean descendant costs a product then, where its update would cost an addition; nothing is kept
// but L.
#pragma once

#include "core/arena.h"
#include "solvers/warp/warp_factor.h"

typedef struct gelWarpLeft
{
	uint32_t* superOf;     // per column
	uint32_t* touchFirst;  // [superCount + 1]: touches
	uint32_t* touches;     // tets with a corner among the columns of a supernode
	uint32_t* sourceFirst; // [superCount + 1]: sources
	uint32_t* sources;     // descendants with a row among its columns, ascending
	uint32_t* columnOf;    // per node: its column; UINT32_MAX: pinned
	// ---- scratch ----
	uint32_t* places; // per column: scalar row in the panel that is made
	float* product;   // update by one descendant
} gelWarpLeft;

/// Floats of an update-free body: what the factor of a tree takes without updates.
gelWarpLeft gelWarpLeft_LayOut( gelArena* arena, const gelWarpTree* tree, uint32_t nodeCount );
void gelWarpLeft_Fill( gelWarpLeft* left, const gelWarpTree* tree, const gelPackView* pack );

/// As gelFactorWarp, without updates.
int gelFactorWarpLeft( const gelWarpSystem* system, const gelWarpLeft* left, const uint8_t* isWanted );
