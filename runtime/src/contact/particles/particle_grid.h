// SPDX-License-Identifier: MIT
// A spatial hash of ellipsoids of any size. Each ellipsoid stands in one cell of the level whose cells are as
// wide as its diameter or up to twice that. Who touches it is in the 27 cells around it, on its own level or
// a coarser one: so a few large ellipsoids among many small ones cost little, and no world is too large for
// the table.
//
// Lists of a bucket are in the order of ellipsoids, and pairs come out ellipsoid by ellipsoid, so nothing
// depends on addresses or on how many threads there are. Nothing is allocated.
//
//   | gelEllipsoidGrid of n ellipsoids | cells | starts, one per bucket and one more | members |
#pragma once

#include "core/arena.h"
#include "math/gel_math.h"

/// Diameters are 2^(level - GEL_LEVEL_BIAS) m at most; smaller and larger ones share the last level.
#define GEL_ELLIPSOID_LEVELS 64
#define GEL_LEVEL_BIAS       32

/// Where a ellipsoid stands, in cells of its level.
typedef struct gelEllipsoidCell
{
	int64_t at[3];
	int level;
} gelEllipsoidCell;

typedef struct gelEllipsoidGrid
{
	int capacity;         // ellipsoids
	uint32_t bucketCount; // a power of two, by the ellipsoids that there are
	int count;
	gelEllipsoidCell* cells; // per ellipsoid
	uint32_t* starts;        // [bucketCount of capacity, and one] in members
	int* members;            // ellipsoids by bucket
	uint64_t levels;         // bits of those that are in use
} gelEllipsoidGrid;

/// Takes the memory of a grid from an arena; pointers are NULL while sizes are added up.
gelEllipsoidGrid gelEllipsoidGrid_LayOut( gelArena* arena, int capacity );

/// The cell of a ellipsoid. @param center [m, world space]
gelEllipsoidCell gelMakeEllipsoidCell( const double center[3], float radius );

/// Sorts ellipsoids 0 .. count - 1 into buckets, from cells.
void gelEllipsoidGrid_Build( gelEllipsoidGrid* grid, int count );

/// Ellipsoids that may touch ellipsoid i, each pair in the answer for one of both only: for the one of the
/// finer level, or for the one in the lower cell, or for the lower number.
/// @return how many there are; at most capacity are written
int gelEllipsoidGrid_Query( const gelEllipsoidGrid* grid, int i, int* out, int capacity );
