// SPDX-License-Identifier: MIT
// Life of what a world has for contact.
#pragma once

#include "contact/contact_lists.h"

struct gelWorld;

/// Threads that look at pairs of bodies at the same time, at most: each takes memory by the largest surface.
#define GEL_MAX_FINDS 4

/// Threads that tasks of a world may run on.
static inline int gelCountWorkers( const gelWorldDef* def )
{
	return def->tasks.parallelFor && def->tasks.workerCount > 1 ? def->tasks.workerCount : 1;
}

/// Memory by the def of the world. @return NULL: there is none
gelContactStep* gelCreateContactStep( const gelWorldDef* def );
void gelDestroyContactStep( const gelAllocator* allocator, gelContactStep* step );

/// Makes room for the surface of an asset. To be called when a body comes. @return false: no memory
bool gelContactStep_Reserve( struct gelWorld* world, const gelAsset* asset );
