// SPDX-License-Identifier: MIT
// Disjoint sets over 0 .. n-1: parents[i] is an element of the same set, a root is its own parent.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The root of the set of i; halves the way for the next call.
static inline uint32_t gelFindRoot( uint32_t* parents, uint32_t i )
{
	while ( parents[i] != i )
	{
		parents[i] = parents[parents[i]];
		i = parents[i];
	}
	return i;
}

/// Joins two sets. The smaller root wins, so the roots do not depend on the order of the calls.
/// @return true when they were two
static inline bool gelJoinSets( uint32_t* parents, uint32_t a, uint32_t b )
{
	a = gelFindRoot( parents, a );
	b = gelFindRoot( parents, b );
	parents[a < b ? b : a] = a < b ? a : b;
	return a != b;
}
