// SPDX-License-Identifier: MIT
// Which body gets which level of detail.
//
// Distance and budget each give two answers: the finest level that a body may have, and the coarsest that it
// may stay in, with hysteresis between them. A body changes only when it is outside of that range, to its
// nearer end.
#include "core/sort.h"
#include "solvers/solver.h"
#include "state/world.h"

#include <math.h>

typedef struct Choice
{
	gelBody* body;
	double distance; // from the eye to the center of its box, in sizes of the body
	int level, levelCount;
	int fine, coarse; // the range that it may stay in
} Choice;

gelLodPolicy gelDefaultLodPolicy( void )
{
	gelLodPolicy policy = { .hysteresis = 0.15f, .cookie = GEL_COOKIE };
	for ( int k = 0; k < GEL_MAX_LEVELS - 1; ++k )
		policy.distances[k] = (float)( 8 << k );
	return policy;
}

static bool PolicyIsValid( const gelLodPolicy* policy )
{
	if ( policy == NULL || policy->cookie != GEL_COOKIE ) return false;
	if ( !( policy->hysteresis >= 0.0f && policy->hysteresis <= 0.9f ) ) return false;
	if ( policy->maxTets < 0 || policy->maxSwitches < 0 ) return false;
	float before = 0.0f;
	for ( int k = 0; k < GEL_MAX_LEVELS - 1; ++k )
	{
		if ( !( policy->distances[k] >= before ) ) return false; // false for NaN; infinity: never
		before = policy->distances[k];
	}
	return true;
}

// How many of the distances are reached, scaled by something up to 1.
static int CountReached( const gelLodPolicy* policy, double distance, double scale, int levelCount )
{
	GEL_ASSERT( levelCount >= 1 && levelCount <= GEL_MAX_LEVELS );
	int count = 0;
	while ( count < levelCount - 1 && distance >= scale * (double)policy->distances[count] )
		++count;
	return count;
}

static Choice MakeChoice( gelBody* body, gelVec3 eye, const gelLodPolicy* policy )
{
	const gelAsset* root = body->asset->root;
	gelVec3 low = body->box.min, high = body->box.max;
	double x = body->origin[0] + 0.5 * ( (double)low.x + high.x ) - eye.x;
	double y = body->origin[1] + 0.5 * ( (double)low.y + high.y ) - eye.y;
	double z = body->origin[2] + 0.5 * ( (double)low.z + high.z ) - eye.z;
	Choice choice = { .body = body, .level = body->asset->level, .levelCount = root->levelCount };
	if ( !body->solver->movesNodes ) choice.levelCount = 1;
	choice.distance = sqrt( x * x + y * y + z * z ) / (double)root->restSize;
	choice.fine = CountReached( policy, choice.distance, 1.0, choice.levelCount );
	choice.coarse =
		CountReached( policy, choice.distance, 1.0 - (double)policy->hysteresis, choice.levelCount );
	return choice;
}

// Sleeping bodies cost nothing; particles have a budget of their own, their count.
static int64_t GetCost( const Choice* choice, int level )
{
	GEL_ASSERT( level >= 0 && level < choice->body->asset->root->levelCount );
	if ( choice->body->isAsleep || !choice->body->solver->movesNodes ) return 0;
	return choice->body->asset->root->levels[level]->tetCount;
}

// The farthest first. A body that the budget keeps in a coarser level counts as farther than it is, so that
// two at the same distance do not take turns.
static double GetRank( const Choice* choice, const gelLodPolicy* policy )
{
	bool isKept = choice->level > choice->coarse;
	return isKept ? choice->distance / ( 1.0 - (double)policy->hysteresis ) : choice->distance;
}

static int Compare( const void* first, const void* second, const void* policy )
{
	const Choice *a = first, *b = second;
	double rankA = GetRank( a, policy ), rankB = GetRank( b, policy );
	if ( rankA != rankB ) return rankA > rankB ? -1 : 1;
	return a->body->slot < b->body->slot ? -1 : 1;
}

// Makes bodies coarser, the farthest first and as far as they go, until all together fit.
static void FitBudget( Choice* choices, int count, double budget, bool isCoarse )
{
	GEL_ASSERT( budget >= 0.0 );
	int64_t total = 0;
	for ( int i = 0; i < count; ++i )
		total += GetCost( choices + i, isCoarse ? choices[i].coarse : choices[i].fine );
	for ( int i = 0; i < count; ++i )
	{
		int* level = isCoarse ? &choices[i].coarse : &choices[i].fine;
		while (
			(double)total > budget && *level < choices[i].levelCount - 1 && GetCost( choices + i, 0 ) > 0 )
		{
			total += GetCost( choices + i, *level + 1 ) - GetCost( choices + i, *level );
			++*level;
		}
	}
}

static int GetWanted( const Choice* choice )
{
	int coarse = choice->coarse > choice->fine ? choice->coarse : choice->fine;
	if ( choice->level < choice->fine ) return choice->fine;
	return choice->level > coarse ? coarse : choice->level;
}

// Those that get coarser from the farthest on, then those that get finer from the nearest on.
static gelResult Switch(
	struct gelWorld* world, const Choice* choices, int count, const gelLodPolicy* policy, int* switchCount )
{
	for ( int i = 0; i < 2 * count; ++i )
	{
		const Choice* choice = choices + ( i < count ? i : 2 * count - 1 - i );
		int wanted = GetWanted( choice );
		if ( i < count ? wanted <= choice->level : wanted >= choice->level ) continue;
		if ( policy->maxSwitches > 0 && *switchCount >= policy->maxSwitches ) return gel_success;
		uint32_t slot = choice->body->slot;
		gelBodyId bodyId = { world, slot + 1, world->slots[slot].generation };
		gelResult result = gelBody_SetLevel( bodyId, wanted );
		if ( result == gel_errorMemory ) return result;
		*switchCount += result == gel_success;
	}
	return gel_success;
}

gelResult gelWorld_UpdateLevels(
	gelWorldId worldId, gelVec3 eye, const gelLodPolicy* policy, int* outSwitchCount )
{
	struct gelWorld* world = worldId.world;
	int switchCount = 0;
	if ( outSwitchCount ) *outSwitchCount = 0;
	if ( world == NULL || !gelIsUsable( eye ) || !PolicyIsValid( policy ) )
		return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	int count = world->liveCount;
	if ( count == 0 ) return gel_success;
	size_t bytes = (size_t)count * sizeof( Choice );
	Choice* choices = gelAllocate( &world->def.allocator, bytes );
	if ( choices == NULL ) return gel_errorMemory;
	for ( int i = 0; i < count; ++i )
		choices[i] = MakeChoice( world->live[i], eye, policy );
	gelSort( choices, (size_t)count, sizeof( Choice ), Compare, policy );
	double budget = policy->maxTets;
	if ( policy->maxTets > 0 ) FitBudget( choices, count, budget, false );
	if ( policy->maxTets > 0 )
		FitBudget( choices, count, ( 1.0 - (double)policy->hysteresis ) * budget, true );
	gelResult result = Switch( world, choices, count, policy, &switchCount );
	gelFree( &world->def.allocator, choices, bytes );
	if ( outSwitchCount ) *outSwitchCount = switchCount;
	return result;
}
