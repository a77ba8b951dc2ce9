// SPDX-License-Identifier: MIT
#include "contact/step/contact_step.h"

#include "contact/shapes/collider_set.h"
#include "contact/response/contact_solve.h"
#include "contact/response/ground.h"
#include "solvers/node_body.h"
#include "state/world.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Depths that tell apart contacts of which there are too many: 1, 1.5, 2, 3, 4, 6 ... times the first [m].
#define GEL_FIRST_CHOICE 1.0e-6f
#define GEL_CHOICE_COUNT 60

void gelContactStep_Begin( struct gelWorld* world, const gelStepContext* ctx )
{
	GEL_ASSERT( world->isLocked && ctx->h > 0.0f );
	gelContactStep* step = world->contact;
	gelContactStep_Clear( step );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBodyContact* touch = world->live[i]->contact;
		if ( touch == NULL ) continue;
		touch->contactCount = 0;
		touch->isNearCollider = false;
	}
	if ( !step->isEnabled ) return;
	double start = gelWorld_GetTime( world );
	gelFindBodyPairs( world, ctx->h );
	world->times.pairs += gelWorld_GetTime( world ) - start;
	gelGatherContacts( world );
	gelFindNearColliders( world, ctx );
	gelBuildIslands( step, world->live, world->liveCount );
	step->counters.contactCount = step->keptCount;
	step->counters.groupCount = step->islandCount;
}

// ---- after the candidates --------------------------------------------------------------------------------

typedef struct gelEndTask
{
	struct gelWorld* world;
	gelContactStep* step;
	const gelStepContext* ctx;
	int mostItems; // contacts with the ground and colliders that each body may have
} gelEndTask;

static void ListItems( const gelEndTask* task, gelBody* body, gelItemList* list )
{
	if ( task->ctx->hasGround ) gelFillGroundItems( body, task->ctx, list );
	gelFillColliderItems( task->world, body, task->ctx->h, list );
}

static void Collect_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelEndTask* task = context;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* body = task->step->order[i];
		body->wasPutBack = false;
		body->groundContactCount = 0;
		if ( task->ctx->hasGround && gelNodeBody_IsUsable( body ) )
			gelGround_Collect( body, task->ctx, body->x );
	}
}

// Contacts of a body with the ground and colliders that are as deep as that.
static int CountItems( const gelEndTask* task, gelBody* body, float least )
{
	gelItemList list = { .least = least };
	ListItems( task, body, &list );
	return list.count;
}

static void CountItems_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelEndTask* task = context;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* body = task->step->order[i];
		body->contact->leastDepth = -INFINITY;
		body->contact->itemCount = gelNodeBody_IsUsable( body ) ? CountItems( task, body, -INFINITY ) : 0;
	}
}

static int SumItems( const gelContactStep* step, int most )
{
	GEL_ASSERT( most >= 0 );
	int sum = 0;
	for ( int i = 0; i < step->orderCount; ++i )
		sum += gelMinInt( step->order[i]->contact->itemCount, most );
	return sum;
}

// How many of them each body may have, so that there is room for all.
static int GetMostItems( const gelContactStep* step, int room )
{
	GEL_ASSERT( room >= 0 );
	int low = 0, high = room + 1;
	while ( high - low > 1 )
	{
		int middle = low + ( high - low ) / 2;
		bool isRoom = SumItems( step, middle ) <= room;
		low = isRoom ? middle : low;
		high = isRoom ? high : middle;
	}
	return low > 0 ? low : 1;
}

static float GetChoice( int index )
{
	return index == 0 ? -INFINITY
					  : GEL_FIRST_CHOICE * ldexpf( index % 2 == 0 ? 1.5f : 1.0f, ( index - 1 ) / 2 );
}

// The deepest that a body may have; of those that are about as deep the first.
static void ChooseItems_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelEndTask* task = context;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* body = task->step->order[i];
		if ( body->contact->itemCount <= task->mostItems ) continue;
		int low = 0, high = GEL_CHOICE_COUNT;
		while ( high - low > 1 )
		{
			int middle = ( low + high ) / 2;
			bool isFull = CountItems( task, body, GetChoice( middle ) ) >= task->mostItems;
			low = isFull ? middle : low;
			high = isFull ? high : middle;
		}
		body->contact->leastDepth = GetChoice( low );
		body->contact->itemCount = task->mostItems;
	}
}

// Contacts with the ground and colliders that there is room for.
static void ChooseItems( gelEndTask* task, int room )
{
	gelContactStep* step = task->step;
	gelWorld_ParallelFor( task->world, CountItems_Task, step->orderCount, task );
	int total = SumItems( step, INT_MAX );
	if ( total <= room ) return;
	task->mostItems = GetMostItems( step, room );
	step->counters.droppedContactCount += total - gelMinInt( room, SumItems( step, task->mostItems ) );
	gelWorld_ParallelFor( task->world, ChooseItems_Task, step->orderCount, task );
}

// Gives each island a part of the items, and each pair a part of that of its island.
// @param room for what is not between bodies
static void PlaceItems( gelContactStep* step, int room )
{
	GEL_ASSERT( room >= 0 );
	int next = 0;
	for ( int i = 0; i < step->islandCount; ++i )
	{
		gelIsland* island = step->islands + i;
		island->itemFirst = next;
		island->itemCount = 0;
		int others = 0;
		for ( int k = 0; k < island->bodyCount; ++k )
			others += step->order[island->bodyFirst + k]->contact->itemCount;
		int placed = gelMinInt( others, room );
		room -= placed;
		next += island->pairItemCount + placed;
	}
	step->itemCount = next;
	for ( int i = 0; i < step->pairCount; ++i )
	{
		gelBodyPair* pair = step->pairs + i;
		if ( pair->keptCount == 0 ) continue;
		gelIsland* island = step->islands + pair->a->contact->island;
		pair->itemFirst = island->itemFirst + island->itemCount;
		island->itemCount += pair->keptCount;
	}
}

static void FillItems_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelEndTask* task = context;
	const gelContactStep* step = task->step;
	for ( int i = begin; i < end; ++i )
	{
		const gelBodyPair* pair = step->pairs + i;
		if ( pair->keptCount == 0 ) continue;
		gelFillPairItems( pair, step->kept + pair->keptFirst, task->ctx->h, step->items + pair->itemFirst );
	}
}

static void SolveIslands_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelEndTask* task = context;
	gelContactStep* step = task->step;
	for ( int i = begin; i < end; ++i )
	{
		gelIsland* island = step->islands + i;
		int last = i + 1 < step->islandCount ? island[1].itemFirst : step->itemCount;
		for ( int k = 0; k < island->bodyCount; ++k )
		{
			int next = island->itemFirst + island->itemCount;
			gelBody* body = step->order[island->bodyFirst + k];
			int room = gelMinInt( last - next, body->contact->itemCount );
			gelItemList list = { step->items + next, 0, room, body->contact->leastDepth };
			if ( room > 0 ) ListItems( task, body, &list );
			island->itemCount += gelMinInt( list.count, room );
		}
		gelSolveIsland( step, island, task->ctx );
	}
}

void gelContactStep_End( struct gelWorld* world, const gelStepContext* ctx )
{
	GEL_ASSERT( world->isLocked && ctx->h > 0.0f );
	gelContactStep* step = world->contact;
	gelEndTask task = { world, step, ctx, 0 };
	int room = step->itemCapacity - step->keptCount; // for what is not between bodies
	step->step = ctx->h;
	gelWorld_ParallelFor( world, Collect_Task, step->orderCount, &task );
	ChooseItems( &task, room );
	PlaceItems( step, room );
	gelWorld_ParallelFor( world, FillItems_Task, step->pairCount, &task );
	gelWorld_ParallelFor( world, SolveIslands_Task, step->islandCount, &task );
	for ( int i = 0; i < step->islandCount; ++i )
		gelSumReactions(
			world, step->items + step->islands[i].itemFirst, step->islands[i].itemCount, ctx->h );
}
