// SPDX-License-Identifier: MIT
// Which supernodes are refreshed (Hecht et al. 2012, section 4.3). Costs are counted operations, so that the
// choice does not depend on the machine or on the number of threads.
#include "solvers/warp/warp_body.h"

#include "core/sort.h"

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
	GEL_ASSERT( s < tree->superCount );
	uint64_t cost = 0;
	for ( ; s < tree->superCount && !isWanted[s]; s = tree->parents[s] )
		cost += tree->costs[s];
	return cost;
}

static uint64_t Flag( const gelWarpTree* tree, uint32_t s, uint8_t* isWanted )
{
	GEL_ASSERT( s < tree->superCount );
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
	GEL_ASSERT( limit >= 0.0f );
	uint64_t cost = 0;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		if ( errors[s] > limit ) cost += Flag( tree, s, isWanted );
	}
	return cost;
}

typedef struct Urgency
{
	const float *errors, *ages;
} Urgency;

// The most urgent supernode first.
static int Compare( const void* a, const void* b, const void* context )
{
	const Urgency* urgency = context;
	uint32_t i = *(const uint32_t*)a, k = *(const uint32_t*)b;
	float x = GetPriority( urgency->errors, urgency->ages, i );
	float y = GetPriority( urgency->errors, urgency->ages, k );
	return x > y || ( x == y && i < k ) ? -1 : 1;
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
	gelSort( order, count, sizeof( uint32_t ), Compare, &( Urgency ){ errors, ages } );
	return count;
}

uint64_t gelChooseSupernodes( const gelWarpTree* tree, const gelWarpDef* def, uint64_t totalCost,
	const float* errors, const float* ages, uint32_t* order, uint8_t* isWanted )
{
	GEL_ASSERT( order != NULL && isWanted != NULL );
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
