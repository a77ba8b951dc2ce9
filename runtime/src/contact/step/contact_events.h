// SPDX-License-Identifier: MIT
// Touches of the last two steps, from which events are made (gelWorld_GetContactEvents).
#pragma once

#include "math/gel_math.h"

/// Two that touch.
typedef struct gelTouchRecord
{
	uint32_t slotA, generationA;
	uint32_t isCollider; // B is a collider, else a body
	uint32_t slotB, generationB;
	int contactFirst, contactCount; // in the list of gelWorld_GetContacts; none of sleepers
	float area, depth;
	gelVec3 impulse; // on A [N s]
} gelTouchRecord;

typedef struct gelContactEvents
{
	gelTouchRecord *before, *now; // [capacity], sorted by who it is
	int beforeCount, count, capacity;
	bool goesOn; // this step belongs to the ones before: `before` stays what was before all of them
} gelContactEvents;

struct gelWorld;

/// After a step: what touches now, and what did before.
void gelContactEvents_Update( struct gelWorld* world );
