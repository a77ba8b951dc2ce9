// SPDX-License-Identifier: MIT
// The cell size that gives about the wanted number of tets.
#pragma once

#include "classify.h"

typedef struct gelCellSearch
{
	double cell;   // [m]; 0: none was possible
	uint32_t tets; // kept at this size
	int evaluations;
} gelCellSearch;

/// Classifies at most twelve lattices. The sizes tried have three significant digits, so that the result does
/// not hang on the last bits of a measure of the surface.
gelCellSearch gelFindCell( const gelSurfaceTree* tree, uint32_t targetTets, int threads );
