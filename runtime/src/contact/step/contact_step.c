// SPDX-License-Identifier: MIT
#include "contact/step/contact_step.h"

#include "constraints/constraint_set.h"
#include "contact/response/contact_loads.h"
#include "contact/shapes/collider_set.h"
#include "solvers/node_body.h"
#include "state/world.h"

#include <limits.h>

// ---- before the candidates -------------------------------------------------------------------------------

typedef struct gelBeginTask
{
	gelContactStep* step;
	float h;
} gelBeginTask;

static void Recall_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelBeginTask* task = context;
	for ( int i = begin; i < end; ++i )
	{
		const gelBodyPair* pair = task->step->pairs + i;
		if ( pair->keptCount > 0 ) gelRecallLoads( pair, task->step->kept + pair->keptFirst, task->h );
	}
}

void gelContactStep_Begin( struct gelWorld* world, const gelStepContext* ctx )
{
	GEL_ASSERT( world->isLocked && ctx->h > 0.0f );
	gelContactStep* step = world->contact;
	gelContactStep_Clear( step );
	step->step = ctx->h;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		body->hasLoads = false;
		if ( body->contact ) body->contact->contactCount = 0;
	}
	if ( !step->isEnabled || !world->def.enableContact ) return;
	double start = gelWorld_GetTime( world );
	gelFindBodyPairs( world, ctx->h );
	world->times.pairs += gelWorld_GetTime( world ) - start;
	gelGatherContacts( world );
	gelBuildIslands( step, world->live, world->liveCount );
	gelBeginTask task = { step, ctx->h };
	gelWorld_ParallelFor( world, Recall_Task, step->pairCount, &task );
	for ( int i = 0; i < step->pairCount; ++i )
	{
		if ( step->pairs[i].keptCount > 0 )
			gelGivePairLoads( step->pairs + i, step->kept + step->pairs[i].keptFirst );
	}
	step->counters.contactCount = step->keptCount;
	step->counters.groupCount = step->islandCount;
}

// Rounds of finding points and solving for them, at most.
#define GEL_POINT_ROUNDS 4

// Answers that no search follows on, in sizes of the body.
#define GEL_LEAST_ANSWER 5.0e-6f

// How far a body is moved out of what they leave, in its sizes.
#define GEL_MAX_RAISE 1.0e-3f

// ---- bodies that touch no other --------------------------------------------------------------------------

// Points that the rounds have left: the body is moved out of the deepest of them, with where it was at the
// start of the step, so that no velocity comes of it; the rest is for the next step.
static void RaiseOut( gelBody* body, int first )
{
	gelBodyContact* touch = body->contact;
	const gelTouchPoint* deepest = touch->points + first;
	for ( int i = first; i < touch->pointCount; ++i )
	{
		if ( touch->points[i].depth > deepest->depth ) deepest = touch->points + i;
	}
	float way = gelMinFloat( deepest->depth, GEL_MAX_RAISE * body->asset->restSize );
	bool isHeld = body->pinCount > 0 || gelBody_IsConstrained( body );
	for ( int i = 0; i < body->asset->nodeCount && !isHeld; ++i )
	{
		body->x[i] = gelMulAdd( body->x[i], way, deepest->normal );
		body->xOld[i] = gelMulAdd( body->xOld[i], way, deepest->normal );
	}
	touch->pointCount = first;
}

// Whether the answers have moved a body by so much that vertices may touch that did not: those that are less
// deep than four times this make no points (collider_contacts.c).
static bool HasMoved( const gelBody* body )
{
	const gelVec3 *x = body->x, *at = body->contact->at;
	float largest2 = 0.0f, least = GEL_LEAST_ANSWER * body->asset->restSize;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		largest2 = gelMaxFloat( gelLengthSquared( gelSub( x[i], at[i] ) ), largest2 );
	return largest2 > least * least;
}

void gelSolveAlone( struct gelWorld* world, gelBody* body, const gelStepContext* ctx, int worker )
{
	GEL_ASSERT( body->contact != NULL && !gelBody_IsTouched( body ) );
	const gelContactDesk* desk = world->contact->desks + worker;
	gelBodyContact* touch = body->contact;
	touch->pointCount = 0;
	if ( gelNodeBody_IsUsable( body ) ) gelFindTouchPoints( world, body, ctx, desk->sheet );
	if ( touch->pointCount == 0 )
	{
		gelBodyContact_ForgetCached( body );
		gelBody_EndStep( body, ctx );
		gelBody_RefitCoarse( body );
		return;
	}
	gelFillPointItems( world, body, ctx, 0, desk->items );
	gelIslandWork work = { .bodies = &body,
		.bodyCount = 1,
		.items = desk->items,
		.itemCount = touch->pointCount,
		.h = ctx->h,
		.desk = desk,
		.ctx = ctx };
	for ( int round = 1; gelSolveImpulses( &work ); ++round )
	{
		// what has moved may touch elsewhere
		if ( !HasMoved( body ) ) break;
		gelFindMorePoints( world, body, ctx, desk->sheet );
		if ( touch->pointCount == work.itemCount ) break;
		if ( round == GEL_POINT_ROUNDS )
		{
			RaiseOut( body, work.itemCount );
			break;
		}
		gelFillPointItems( world, body, ctx, work.itemCount, desk->items + work.itemCount );
		work.itemCount = touch->pointCount;
	}
	gelEndIsland( &work );
}

// ---- after the candidates --------------------------------------------------------------------------------

typedef struct gelEndTask
{
	struct gelWorld* world;
	gelContactStep* step;
	const gelStepContext* ctx;
} gelEndTask;

static void FindPoints_Task( int begin, int end, int worker, void* context )
{
	const gelEndTask* task = context;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* body = task->step->order[i];
		body->wasPutBack = false;
		body->groundContactCount = body->contact->pointCount = 0;
		if ( gelNodeBody_IsUsable( body ) )
			gelFindTouchPoints( task->world, body, task->ctx, task->step->desks[worker].sheet );
	}
}

static int SumPoints( const gelContactStep* step, int most )
{
	GEL_ASSERT( most >= 0 );
	int sum = 0;
	for ( int i = 0; i < step->orderCount; ++i )
		sum += gelMinInt( step->order[i]->contact->pointCount, most );
	return sum;
}

// How many of them each body may have, so that there is room for all.
static int GetMostPoints( const gelContactStep* step, int room )
{
	GEL_ASSERT( room >= 0 );
	int low = 0, high = room + 1;
	while ( high - low > 1 )
	{
		int middle = low + ( high - low ) / 2;
		bool isRoom = SumPoints( step, middle ) <= room;
		low = isRoom ? middle : low;
		high = isRoom ? high : middle;
	}
	return low;
}

// Keeps the deepest points of a body.
static void DropPoints( gelBodyContact* touch, int most )
{
	while ( touch->pointCount > most )
	{
		int least = 0;
		for ( int i = 1; i < touch->pointCount; ++i )
		{
			if ( touch->points[i].depth < touch->points[least].depth ) least = i;
		}
		--touch->pointCount;
		for ( int i = least; i < touch->pointCount; ++i )
			touch->points[i] = touch->points[i + 1];
	}
}

// Points that there is room for.
static void ChoosePoints( gelContactStep* step, int room )
{
	int total = SumPoints( step, INT_MAX );
	if ( total <= room ) return;
	int most = GetMostPoints( step, room );
	for ( int i = 0; i < step->orderCount; ++i )
		DropPoints( step->order[i]->contact, most );
	step->counters.droppedContactCount += total - SumPoints( step, INT_MAX );
}

// Gives each island a part of the items, and each pair a part of that of its island.
static void PlaceItems( gelContactStep* step )
{
	int next = 0;
	for ( int i = 0; i < step->islandCount; ++i )
	{
		gelIsland* island = step->islands + i;
		island->itemFirst = next;
		island->itemCount = 0;
		next += island->pairItemCount;
		for ( int k = 0; k < island->bodyCount; ++k )
			next += step->order[island->bodyFirst + k]->contact->pointCount;
	}
	step->itemCount = next;
	GEL_ASSERT( next <= step->itemCapacity );
	for ( int i = 0; i < step->pairCount; ++i )
	{
		gelBodyPair* pair = step->pairs + i;
		if ( pair->keptCount == 0 ) continue;
		gelIsland* island = step->islands + pair->a->contact->island;
		pair->itemFirst = island->itemFirst + island->itemCount;
		island->itemCount += pair->keptCount;
	}
}

// Gives each island what the answers of its bodies take, as long as there is any left.
static void PlaceFloats( gelContactStep* step )
{
	size_t next = 0;
	for ( int i = 0; i < step->islandCount; ++i )
	{
		gelIsland* island = step->islands + i;
		size_t wanted = 0;
		for ( int k = 0; k < island->bodyCount; ++k )
		{
			const gelBodyContact* touch = step->order[island->bodyFirst + k]->contact;
			int ownCount = touch->isSelfEnabled ? 2 * touch->contactCount : touch->contactCount;
			wanted += gelCountAnswerFloats( ownCount + touch->pointCount );
		}
		island->floatFirst = next;
		island->floatCount = wanted < step->floatCount - next ? wanted : step->floatCount - next;
		next += island->floatCount;
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

// Contacts between bodies are there; points on the ground and on shapes come behind them.
static void FillIslandPoints( const gelEndTask* task, gelIsland* island )
{
	gelContactStep* step = task->step;
	for ( int k = 0; k < island->bodyCount; ++k )
	{
		gelBody* body = step->order[island->bodyFirst + k];
		gelContactItem* items = step->items + island->itemFirst + island->itemCount;
		gelFillPointItems( task->world, body, task->ctx, 0, items );
		island->itemCount += body->contact->pointCount;
	}
}

static void SolveIsland( const gelEndTask* task, const gelIsland* island, int worker, bool isLarge )
{
	gelContactStep* step = task->step;
	gelContactDesk desk = step->desks[worker];
	desk.floats = step->floats + island->floatFirst;
	desk.floatCount = island->floatCount;
	gelIslandWork work = { .bodies = step->order + island->bodyFirst,
		.bodyCount = island->bodyCount,
		.items = step->items + island->itemFirst,
		.itemCount = island->itemCount,
		.pairItemCount = island->pairItemCount,
		.h = task->ctx->h,
		.desk = &desk,
		.ctx = task->ctx };
	gelIslandParts parts;
	if ( isLarge )
	{
		parts = gelCutIsland( task->world, &work, step->itemOrder + island->itemFirst );
		work.parts = &parts;
	}
	gelSolveImpulses( &work );
	gelEndIsland( &work );
}

static void SolveIslands_Task( int begin, int end, int worker, void* context )
{
	const gelEndTask* task = context;
	for ( int i = begin; i < end; ++i )
	{
		gelIsland* island = task->step->islands + i;
		FillIslandPoints( task, island );
		if ( !gelIsLargeIsland( island ) ) SolveIsland( task, island, worker, false );
	}
}

// After the small ones, which have one thread each.
static void SolveLargeIslands( const gelEndTask* task )
{
	for ( int i = 0; i < task->step->islandCount; ++i )
	{
		const gelIsland* island = task->step->islands + i;
		if ( gelIsLargeIsland( island ) ) SolveIsland( task, island, 0, true );
	}
}

// In the order of bodies, then contacts: the same sums for any number of threads.
static void SumReactions( struct gelWorld* world, float h )
{
	const gelContactStep* step = world->contact;
	for ( int i = 0; i < world->liveCount && world->colliderCount > 0; ++i )
	{
		const gelBodyContact* touch = world->live[i]->contact;
		if ( touch && touch->pointStamp == step->stamp ) gelSumPointReactions( world, world->live[i], h );
	}
	for ( int i = 0; i < step->islandCount; ++i )
	{
		const gelIsland* island = step->islands + i;
		for ( int k = 0; k < island->pairItemCount; ++k )
		{
			const gelContactItem* item = step->items + island->itemFirst + k;
			if ( item->collider1 != 0 ) gelAddSurfaceReaction( world, item, h );
		}
	}
}

void gelContactStep_End( struct gelWorld* world, const gelStepContext* ctx )
{
	GEL_ASSERT( world->isLocked && ctx->h > 0.0f );
	gelContactStep* step = world->contact;
	gelEndTask task = { world, step, ctx };
	gelWorld_ParallelFor( world, FindPoints_Task, step->orderCount, &task );
	ChoosePoints( step, step->itemCapacity - step->keptCount );
	PlaceItems( step );
	PlaceFloats( step );
	gelWorld_ParallelFor( world, FillItems_Task, step->pairCount, &task );
	gelWorld_ParallelFor( world, SolveIslands_Task, step->islandCount, &task );
	SolveLargeIslands( &task );
	SumReactions( world, ctx->h );
}
