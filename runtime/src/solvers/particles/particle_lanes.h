// SPDX-License-Identifier: MIT
// Oriented particles of bodies of one asset side by side: lane k of every wide float belongs to body k, as in
// lanes.h. Constants of links and entries of the factor are the same for all lanes and poses need no
// gathering; slots that no particle fills, and links that fill up batches, cost nothing. Every body gets the
// bits that it would get alone: no two particles of a batch are neighbors, so their order does not matter.
//
// Only the iterations of a sub-step are done this way. What is before and after them is short, and belongs to
// one body: handles, ground, contacts.
#pragma once

#include "simd/panel_kernels.h"
#include "solvers/particles/particle_model.h"

#define GEL_LANE_POSE   12 // floats of a slot and lane: three rows [R | x]
#define GEL_LANE_TARGET 12 // xs, then Rs Ab / tr Ab by rows

/// What the loops work on. Lanes without a body repeat the last one, which is harmless.
typedef struct gelParticleLanes
{
	const gelParticleModel* model;
	const uint32_t* slotRows; // row of each slot in the factor
	float h;                  // length of the sub-step [s]
	int polarSteps;

	gelParticleState* states[GEL_MAX_LANES];
	const gelParticleTarget* targets[GEL_MAX_LANES];
	gelVec4* poses[GEL_MAX_LANES];

	// Scratch, aligned to 64 bytes: so many floats for each lane.
	float* q;            // 4 per slot
	float* pose;         // GEL_LANE_POSE per slot
	float* target;       // GEL_LANE_TARGET per slot
	float* y;            // 3 per row
	float* solveScratch; // 3 per row of the longest panel
} gelParticleLanes;

/// Floats of scratch memory that bodies side by side need.
size_t gelGetParticleLaneScratch( int laneCount, const gelParticleModel* model, size_t solveScratch );

/// Cuts scratch memory into the arrays above.
void gelParticleLanes_UseScratch( gelParticleLanes* lanes, int laneCount, float* scratch );
