// SPDX-License-Identifier: MIT
// What the loop over the errors of the warp-cancelling solver reads and writes.
#pragma once

#include "simd/levels.h"
#include "simd/tet_blocks.h"

/// Turns of eight tets (warp_factor.h): [corner][x y z w].
typedef struct gelTurnBlock
{
	_Alignas( 64 ) float q[4][4][GEL_BLOCK_LANES];
} gelTurnBlock;

/// error = scale / m | ( K_now - K_stale ) v | of every slot [m/s]
typedef struct gelWarpPass
{
	const gelElementBlock* elements;
	int blockCount;
	const float* lambdaVolumes; // 8 per block
	const float* inverseMasses; // 8 per block: of tets [1/kg], 0 for empty slots
	const gelQuat* q;           // 8 per block: rotations of now
	const gelVec4* nodeTurns;   // quaternions of now, with one for the padding node
	const gelVec4* velocities;  // the same
	const gelTurnBlock* turns;
	float scale;   // [s^2]
	float* errors; // 8 per block
} gelWarpPass;

typedef struct gelWarpKernels
{
	/// What the stale matrix does wrong.
	void ( *findErrors )( const gelWarpPass* pass );
} gelWarpKernels;

const gelWarpKernels* gelGetWarpKernels( gelSimdLevel level );

static inline gelQuat gelGetTetTurn( const gelTurnBlock* block, int lane, int corner )
{
	const float( *q )[GEL_BLOCK_LANES] = block->q[corner];
	return ( gelQuat ){ { q[0][lane], q[1][lane], q[2][lane] }, q[3][lane] };
}

static inline void gelSetTetTurn( gelTurnBlock* block, int lane, int corner, gelQuat turn )
{
	float( *q )[GEL_BLOCK_LANES] = block->q[corner];
	q[0][lane] = turn.v.x;
	q[1][lane] = turn.v.y;
	q[2][lane] = turn.v.z;
	q[3][lane] = turn.s;
}
