// SPDX-License-Identifier: MIT
// A spatial hash of balls of any size. Each ball stands in one cell of the level whose cells are as wide as
// its diameter or up to twice that. Who touches it is in the 27 cells around it, on its own level or a
// coarser one: so a few large balls among many small ones cost little, and no world is too large for the
// table.
//
// Lists of a bucket are in the order of balls, and pairs come out ball by ball, so nothing depends on
// addresses or on how many threads there are. Nothing is allocated.
//
//   | gelBallGrid of n balls | cells | starts, one per bucket and one more | members |
#pragma once

#include "core/arena.h"
#include "math/gel_math.h"

/// Diameters are 2^(level - GEL_LEVEL_BIAS) m at most; smaller and larger ones share the last level.
#define GEL_BALL_LEVELS 64
#define GEL_LEVEL_BIAS  32

/// Where a ball stands, in cells of its level.
typedef struct gelBallCell
{
	int64_t at[3];
	int level;
} gelBallCell;

typedef struct gelBallGrid
{
	int capacity;         // balls
	uint32_t bucketCount; // a power of two, by the balls that there are
	int count;
	gelBallCell* cells; // per ball
	uint32_t* starts;   // [bucketCount of capacity, and one] in members
	int* members;       // balls by bucket
	uint64_t levels;    // bits of those that are in use
} gelBallGrid;

/// Takes the memory of a grid from an arena; pointers are NULL while sizes are added up.
gelBallGrid gelBallGrid_LayOut( gelArena* arena, int capacity );

/// The cell of a ball. @param center [m, world space]
gelBallCell gelMakeBallCell( const double center[3], float radius );

/// Sorts balls 0 .. count - 1 into buckets, from cells.
void gelBallGrid_Build( gelBallGrid* grid, int count );

/// Balls that may touch ball i, each pair in the answer for one of both only: for the one of the finer level,
/// or for the one in the lower cell, or for the lower number.
/// @return how many there are; at most capacity are written
int gelBallGrid_Query( const gelBallGrid* grid, int i, int* out, int capacity );
