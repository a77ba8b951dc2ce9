// SPDX-License-Identifier: MIT
// A world: slots for bodies, the conditions of its steps, counters.
#pragma once

#include "core/caller_error.h"
#include "state/body.h"

#include <stdatomic.h>

/// Place of a body. The generation grows with every destroyed body, so that old ids are recognized.
typedef struct gelBodySlot
{
	gelBody* body; // NULL: free
	uint32_t generation;
} gelBodySlot;

struct gelCollider;

struct gelWorld
{
	gelWorldDef def;      // allocator, tasks, gravity, ground as they are now
	size_t bytes;         // size of this block
	gelSimdLevel simd;    // level of the kernels: never automatic
	atomic_bool isLocked; // a step is running; callbacks may ask from any thread
	gelBodySlot* slots;
	struct gelCollider* colliders; // slots
	int colliderCount;             // none is used from here on
	gelBody** live;                // bodies in the order of their slots
	int liveCount;
	// The same bodies in the order of work (step_groups.h): those that share a factor side by side.
	gelBody** order;
	int* groupFirst; // groups of order[]: [groupCount + 1]
	int groupCount;
	bool orderIsStale;
	float* laneScratch; // laneFloats for each worker; NULL and 0: none
	size_t laneFloats;
	struct gelContactStep* contact; // NULL: bodies do not see each other
	uint64_t stepCount;
	int quietSteps;  // steps in a row that have ended with all bodies asleep; whoever wakes one sets it to 0
	float quietStep; // length of the last of them [s]
	uint64_t vertexCalls;      // number of calls of gelWorld_GetVertices
	gelWorldCounters counters; // counters of the last step
	gelStepTimes times;
};

/// The body of an id, or NULL when the id is null or stale.
gelBody* gelGetBody( gelBodyId bodyId );

/// The body of an id that is asked without a result; NULL: a mistake of the caller.
gelBody* gelAskBody( gelBodyId bodyId );

/// The body of an id that may be used now. gel_errorStaleId, gel_errorLocked: a mistake of the caller.
gelResult gelUseBody( gelBodyId bodyId, gelBody** outBody );

/// Lists the live bodies anew after a slot has changed.
void gelWorld_UpdateLive( struct gelWorld* world );

/// Runs a task over [0, count), on the threads of the game if there are any.
void gelWorld_ParallelFor( struct gelWorld* world, gelTaskFcn* task, int count, void* taskContext );

/// By the clock of the game [s]; 0 without one.
static inline double gelWorld_GetTime( const struct gelWorld* world )
{
	return world->def.clock ? world->def.clock( world->def.clockContext ) : 0.0;
}

/// Wakes those that lie on a body or lean on it. To be called before the body goes, moves by the hand of the
/// game, or ceases to touch others.
void gelWorld_WakeAround( struct gelWorld* world, const gelBody* body );

/// Whether the boxes of two bodies meet, or nearly. @param reach what may be between them [m]
bool gelAreNear( const gelBody* a, const gelBody* b, float reach );
