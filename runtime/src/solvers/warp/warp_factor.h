// SPDX-License-Identifier: MIT
// The factor of the warp-cancelled matrix (Hecht, Lee, Shewchuk, O'Brien 2012).
//
// The matrix of a corotated body is A = M + s sum over tets of Re K0 Re^T. With rotations Rn of the nodes and
// W = blockdiag( Rn ), the warp-cancelled matrix At = W^T A W has the blocks
//
//     Kt_ij = a_i K0_ij a_j^T,   a_i = Rn_i^T Re
//
// which a turn of the whole body does not change: A = W At W^T with the W of now, and a factor of At from
// before it, is exact. What has to be remembered of a tet are its four a_i, as quaternions: its turns.
//
//     K0_ij = V ( mu ( g_i . g_j ) I + mu g_j g_i^T + lambda g_i g_j^T )
#pragma once

#include "solvers/warp/dense_kernels.h"
#include "math/gel_math.h"
#include "pack/pack_read.h"
#include "pack/pack_read_warp.h"
#include "solvers/warp/warp_errors.h"

static_assert( GEL_TILE == GEL_PACK_TILE, "the kernels read what the pack stores" );

/// Numbers of a factor. Tiles: inverses of the tiles on the diagonals.
typedef struct gelWarpFactor
{
	float *panels, *updates, *tiles; // updates are NULL in the left-looking variant (warp_left.h)
} gelWarpFactor;

/// One supernode of a factor.
typedef struct gelWarpFront
{
	uint32_t width, below;     // nodes
	uint32_t columns;          // scalars of its own nodes, padded
	int tileCount, blockCount; // blocks of own rows; of rows below
	size_t step;               // floats from one block of the panel to the next
	float *panel, *update, *tiles;
} gelWarpFront;

static inline gelWarpFront gelGetWarpFront( const gelWarpTree* tree, const gelWarpFactor* factor, uint32_t s )
{
	gelWarpFront front = { .width = tree->superFirst[s + 1] - tree->superFirst[s],
		.below = tree->rowFirst[s + 1] - tree->rowFirst[s] };
	front.columns = gelPadToTile( 3 * front.width );
	front.tileCount = (int)( front.columns / GEL_TILE );
	front.blockCount = (int)( gelPadToTile( 3 * front.below ) / GEL_TILE );
	front.step = GEL_TILE * (size_t)front.columns;
	front.panel = factor->panels + tree->panelFirst[s];
	front.update = factor->updates ? factor->updates + tree->updateFirst[s] : NULL;
	front.tiles = factor->tiles + GEL_TILE_FLOATS * (size_t)tree->tileFirst[s];
	return front;
}

/// What a factor is made from.
typedef struct gelWarpSystem
{
	const gelWarpTree* tree;
	const gelPackView* pack;
	const gelDenseKernels* dense;
	const float* masses;       // masses of nodes, with damping [kg]
	float scale;               // h^2 + h b_K, of the stiffness [s^2]
	const gelTurnBlock* turns; // per slot of the blocks of the asset
	const uint32_t* tetSlots;  // per tet of the pack
	gelWarpFactor factor;
	struct gelWorld* world; // lends its threads; NULL: none
} gelWarpSystem;

/// Blocks Kt_ij of one tet times scale, j <= i, in the order 00 10 11 20 21 22 30 31 32 33 [kg].
void gelMakeWarpElement(
	const gelPackView* pack, uint32_t tet, const gelQuat turns[4], float scale, gelMat3 blocks[10] );

/// The same with the turns of a system.
void gelMakeTurnedElement( const gelWarpSystem* system, uint32_t tet, gelMat3 blocks[10] );

/// A pivot that is not positive: the diagonal grows by the first part, then by ten times that, and so on.
#define GEL_WARP_FIRST_LIFT 1.0e-6f
#define GEL_WARP_LIFTS      6

/// Factors a panel that has been put together, in place. @return false: a pivot is not positive
bool gelFactorWarpPanel( const gelWarpSystem* system, const gelWarpFront* front );

/// Factors those with a flag, which must have their parents with them; all for NULL. @return as above
int gelFactorWarp( const gelWarpSystem* system, const uint8_t* isWanted );

/// Floats of scratch for a solve.
static inline size_t gelGetWarpScratch( const gelWarpTree* tree )
{
	return (size_t)tree->maxColumns + tree->maxBelow;
}

/// b <- At^-1 b. @param b three scalars per column
void gelSolveWarp( const gelWarpTree* tree, const gelDenseKernels* dense, const gelWarpFactor* factor,
	float* b, float* scratch );
