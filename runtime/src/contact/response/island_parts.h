// SPDX-License-Identifier: MIT
// Large islands, which all threads solve together. Bodies are cut into slabs across the longest side of the
// island, of as many contacts each. A sweep goes over the contacts within the slabs, which have no body in
// common, all slabs at once, and then over those between slabs. That is a sweep in another order, so it
// converges as one; the order is that of the island and not of the threads, so no bit depends on these.
#pragma once

#include "contact/contact_records.h"

struct gelWorld;
typedef struct gelIslandWork gelIslandWork;

#define GEL_MAX_PARTS 8

typedef struct gelIslandParts
{
	struct gelWorld* world;
	int count;
	const int* order;             // items of each part, then those between parts
	int first[GEL_MAX_PARTS + 2]; // in order; the last is the number of items
} gelIslandParts;

/// Whether an island is cut into parts.
bool gelIsLargeIsland( const gelIsland* island );

/// Cuts an island, whose items are filled. @param order memory for as many numbers as it has items
gelIslandParts gelCutIsland( struct gelWorld* world, const gelIslandWork* work, int* order );

/// Work on body or item `index` of an island.
typedef void gelIslandFcn( const gelIslandWork* work, int index, int worker );

/// Calls a function for all bodies, in any order, by all threads if the island is large.
void gelForIslandBodies( const gelIslandWork* work, gelIslandFcn* fcn );
/// The same for all items.
void gelForIslandItems( const gelIslandWork* work, gelIslandFcn* fcn );
