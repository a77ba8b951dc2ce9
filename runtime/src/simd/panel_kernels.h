// SPDX-License-Identifier: MIT
// The solve with a baked factor, panel by panel.
#pragma once

#include "math/vec4.h"
#include "pack/pack_read.h"
#include "simd/levels.h"

typedef struct gelPanelKernels
{
	/// Solves for the bodies' right-hand sides, in the row order of a factor of version 2. Each panel is read
	/// once for all of them. @param scratch gelGetSolveScratch floats, aligned to 64 bytes
	void ( *solvePanels )(
		const gelPackFactorView* factor, gelVec4* const* y, int bodyCount, float* scratch );
} gelPanelKernels;

const gelPanelKernels* gelGetPanelKernels( gelSimdLevel level );

#define GEL_SOLVE_SCRATCH_PER_BLOCK 56u // x y z of eight rows, twice: by lanes and by rows

/// Floats of scratch memory for solving with a factor whose longest panel has rowCount rows.
static inline size_t gelGetSolveScratch( size_t rowCount )
{
	size_t blocks = ( rowCount + 7 ) / 8;
	return GEL_SOLVE_SCRATCH_PER_BLOCK * blocks;
}
