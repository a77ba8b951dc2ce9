// SPDX-License-Identifier: MIT
// The complete state of a body as one list of memory: what is hashed, saved and restored. Everything that a
// step reads and that is neither def, asset nor scratch has to be in it.
#pragma once

#include "state/body.h"

/// How a part of the state is judged before it is restored: a buffer may come from anywhere.
typedef enum gelStateKind
{
	gel_stateScalars,
	gel_statePositions, // gelVec3 within +-1e9
	gel_stateVectors,   // floats that are finite
	gel_stateQuats,     // near unit length
	gel_stateStrains,   // floats within +-1
	gel_stateTurns,     // floats within +-1 and what rounding adds
	gel_stateWitnesses, // gelWitness as bytes
	gel_stateParticles, // gelParticleState
	gel_stateConstraints,
	gel_stateFrames,
} gelStateKind;

typedef struct gelStateSpan
{
	gelStateKind kind;
	void* data;
	size_t bytes;
} gelStateSpan;

/// Bits of gelStateScalars.sleep. The second decides whether the body wakes those around it.
#define GEL_STATE_ASLEEP 1u
#define GEL_STATE_STILL  2u // gelTouch.isStill

/// Numbers of a body that are not in arrays. No padding.
typedef struct gelStateScalars
{
	double origin[3];
	float stillTime;
	uint32_t sleep; // GEL_STATE_* bits
	uint32_t wasPutBack;
	int32_t groundContactCount;
} gelStateScalars;

#define GEL_MAX_STATE_SPANS 14

gelStateScalars gelBody_GetScalars( const gelBody* body );

/// Lists the state, scalars first. @param scalars memory for those @return the number of spans
int gelBody_ListState( const gelBody* body, gelStateScalars* scalars, gelStateSpan out[GEL_MAX_STATE_SPANS] );
