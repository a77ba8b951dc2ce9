// SPDX-License-Identifier: MIT
// Which supernodes are refreshed (Hecht et al. 2012, section 4.3). Costs are counted operations, so that the
// choice does not depend on the machine or on the number of threads.
#include "solvers/warp/warp_body.h"

#include <string.h>

// A supernode that waits counts for more: after so many seconds twice as much, so that none waits for ever.
#define GEL_WARP_PATIENCE 0.25f

static float GetPriority( const float* errors, const float* ages, uint32_t s )
{
	return errors[s] * ( 1.0f + ages[s] * ( 1.0f / GEL_WARP_PATIENCE ) );
}

// Operations that refreshing a supernode adds to those flagged.
static uint64_t GetAddedCost( const gelWarpTree* tree, const uint8_t* isWanted, uint32_t s )
{
	uint64_t cost = 0;
	for ( ; s < tree->superCount && !isWanted[s]; s = tree->parents[s] )
		cost += tree->costs[s];
	return cost;
}

static uint64_t Flag( const gelWarpTree* tree, uint32_t s, uint8_t* isWanted )
{
	uint64_t cost = 0;
	for ( ; s < tree->superCount && !isWanted[s]; s = tree->parents[s] )
	{
		isWanted[s] = 1;
		cost += tree->costs[s];
	}
	return cost;
}

static uint64_t FlagAbove( const gelWarpTree* tree, const float* errors, float limit, uint8_t* isWanted )
{
	uint64_t cost = 0;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		if ( errors[s] > limit ) cost += Flag( tree, s, isWanted );
	}
	return cost;
}

// Whether a comes behind b.
static bool IsBehind( const float* errors, const float* ages, uint32_t a, uint32_t b )
{
	float x = GetPriority( errors, ages, a ), y = GetPriority( errors, ages, b );
	return x < y || ( x == y && a > b );
}

// Heap sort: no memory, no worst case.
static void SiftDown( const float* errors, const float* ages, uint32_t* heap, uint32_t root, uint32_t count )
{
	for ( uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && IsBehind( errors, ages, heap[child + 1], heap[child] ) ) ++child;
		if ( !IsBehind( errors, ages, heap[child], heap[root] ) ) return;
		uint32_t moved = heap[child];
		heap[child] = heap[root];
		heap[root] = moved;
		root = child;
	}
}

// Supernodes above a limit, the most urgent one first. @return how many
static uint32_t SortByPriority(
	uint32_t superCount, const float* errors, const float* ages, float limit, uint32_t* order )
{
	uint32_t count = 0;
	for ( uint32_t s = 0; s < superCount; ++s )
	{
		if ( errors[s] > limit ) order[count++] = s;
	}
	for ( uint32_t i = count / 2; i-- > 0; )
		SiftDown( errors, ages, order, i, count );
	for ( uint32_t last = count; last-- > 1; )
	{
		uint32_t least = order[0];
		order[0] = order[last];
		order[last] = least;
		SiftDown( errors, ages, order, 0, last );
	}
	return count;
}

uint64_t gelChooseSupernodes( const gelWarpTree* tree, const gelWarpDef* def, uint64_t totalCost,
	const float* errors, const float* ages, uint32_t* order, uint8_t* isWanted )
{
	memset( isWanted, 0, tree->superCount );
	if ( def->schedule == gel_warpQuality ) return FlagAbove( tree, errors, def->tolerance, isWanted );
	uint64_t cost = 0, budget = (uint64_t)( (double)def->budget * (double)totalCost );
	if ( def->schedule == gel_warpHybrid ) cost = FlagAbove( tree, errors, def->maxTolerance, isWanted );
	uint32_t count = SortByPriority( tree->superCount, errors, ages, def->tolerance, order );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( cost + GetAddedCost( tree, isWanted, order[i] ) <= budget )
			cost += Flag( tree, order[i], isWanted );
	}
	return cost;
}
