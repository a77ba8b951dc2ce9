// SPDX-License-Identifier: MIT
// The shortest way out of something: of a few directions the one along which two things that are inside of
// each other have to move least until they are apart. Moving along it makes it shorter still, and the others
// less so, so the choice lasts from step to step.
#pragma once

#include "math/gel_math.h"

/// Three axes and four diagonals, and one that the caller may have.
#define GEL_WAY_COUNT 8

/// Directions, each with its opposite.
typedef struct gelWays
{
	gelVec3 way[GEL_WAY_COUNT]; // unit
	int count;
} gelWays;

/// How far a thing reaches along each [m].
typedef struct gelSpans
{
	float low[GEL_WAY_COUNT], high[GEL_WAY_COUNT];
} gelSpans;

/// Up comes first: of equals the first one is taken.
gelWays gelMakeWays( void );

gelSpans gelMakeEmptySpans( void );
void gelSpans_Include( gelSpans* spans, int way, float low, float high );

/// The way on which A leaves B. @param floor unit and upwards: what A stands on; NULL: nothing
gelVec3 gelFindShortestWay( const gelWays* ways, const gelSpans* a, const gelSpans* b, const gelVec3* floor );
