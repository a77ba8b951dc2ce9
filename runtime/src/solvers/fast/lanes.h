// SPDX-License-Identifier: MIT
// Bodies of one asset side by side: lane k of every wide float belongs to body k. Constants of tets and
// entries of the factor are then the same for all lanes, and nodes need no gathering: eight bodies together
// cost about half of what they cost one after the other. Every body gets the bits that it would get alone.
//
// Nodes are stored as x[lanes] y[lanes] z[lanes]. Scratch memory belongs to a worker, not to a body: it stays
// in the caches from one group to the next.
#pragma once

#include "simd/panel_kernels.h"
#include "solvers/fast/fast_kernels.h"

/// Fewer bodies than this are not faster in sixteen lanes than in eight (GEL_MIN_LANES).
#define GEL_MIN_WIDE_LANES 12

/// What the loops over lanes work on. Lanes without a body repeat the last one, which is harmless: they do
/// and store the same.
typedef struct gelLanes
{
	int nodeCount, blockCount; // nodes and blocks of elements in the asset
	const gelElementBlock* elements;
	const gelVolumeBlock* volumes;
	const gelPackNode* rest;
	const float* invMasses; // the same for all: bodies of a group have the same pins
	float h, elasticStep;   // [s], see gelBody
	gelVec3 gravity;
	bool hasForces; // some body has external forces

	const gelVec3* x[GEL_MAX_LANES];
	const gelVec3* v[GEL_MAX_LANES];
	const gelVec3* forces[GEL_MAX_LANES];
	gelQuat* q[GEL_MAX_LANES];
	gelVec3* out[GEL_MAX_LANES]; // positions after the step

	// Scratch, aligned to 64 bytes. Nodes and the padding node, which is zero.
	float *xTilde, *uTilde, *p, *b, *y;
	float* kappa;        // one per slot of each lane
	float* solveScratch; // two nodes per row of the longest panel
} gelLanes;

/// Floats of scratch memory that a group of bodies needs.
static inline size_t gelGetLaneScratch( int laneCount, int nodeCount, int blockCount, size_t solveScratch )
{
	size_t rows = solveScratch / GEL_SOLVE_SCRATCH_PER_BLOCK * 8, lanes = (size_t)laneCount;
	return 3 * lanes * ( 5 * ( (size_t)nodeCount + 1 ) + rows ) +
		lanes * GEL_BLOCK_LANES * (size_t)blockCount;
}
