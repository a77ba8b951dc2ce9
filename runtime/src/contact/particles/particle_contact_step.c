// SPDX-License-Identifier: MIT
// Steps of all bodies of particles that take part in contact: sub-step by sub-step together, contacts after
// each. Bodies with fewer sub-steps than others wait in between, and can be pushed while they do.
#include "contact/particles/particle_contact.h"
#include "solvers/lane_scratch.h"
#include "state/world.h"

#include <string.h>

// ---- ellipsoids
// -----------------------------------------------------------------------------------------------

bool gelIsInEllipsoidStep( const struct gelWorld* world, const gelBody* body )
{
	return gelGetParticles( body ) != NULL && body->contact != NULL && body->contact->isEnabled &&
		world->contact->isEnabled;
}

static void ListBodies( struct gelWorld* world )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	step->bodyCount = step->ellipsoidCount = step->records.count = 0;
	step->hasTets = false;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		if ( body->contact ) body->contact->isHit = body->contact->wakesUp = false;
		if ( gelGetParticles( body ) == NULL && body->contact ) step->hasTets = true;
		if ( !gelIsInEllipsoidStep( world, body ) ) continue;
		const gelPackMaterial* material = body->asset->pack.materials;
		float given = body->contact->friction;
		gelEllipsoidBody* out = step->bodies + step->bodyCount++;
		*out = ( gelEllipsoidBody ){ .body = body,
			.touch = body->contact,
			.ellipsoidFirst = step->ellipsoidCount,
			.ellipsoidCount = gelGetParticles( body )->model->count,
			.friction = { given >= 0.0f ? given : material->staticFriction,
				given >= 0.0f ? given : material->dynamicFriction } };
		body->contact->ellipsoidOwner = step->bodyCount - 1;
		step->ellipsoidCount += out->ellipsoidCount;
	}
}

// Where the ellipsoids of a body are: what the search needs. gelHitEllipsoidBody adds the rest.
static void GatherBody( gelEllipsoidStep* step, int owner )
{
	gelEllipsoidBody* from = step->bodies + owner;
	const gelParticles* p = gelGetParticles( from->body );
	from->isHit = false;
	from->meetsOthers = false;
	if ( from->touch->meetsOthers ) from->body->groundContactCount = 0;
	from->isLost = !gelParticles_AreUsable( p );
	gelVec3 low = { INFINITY, INFINITY, INFINITY }, high = gelNeg( low );
	for ( int i = 0; i < from->ellipsoidCount; ++i )
	{
		uint32_t slot = p->model->particleSlots[i];
		float reach = p->model->radii[slot];
		gelVec3 x = gelGetLane3( p->states[slot / GEL_BLOCK_LANES].x[0], (int)( slot % GEL_BLOCK_LANES ) );
		gelVec3 r = { reach, reach, reach };
		gelEllipsoid* ellipsoid = step->ellipsoids + from->ellipsoidFirst + i;
		ellipsoid->x = x;
		ellipsoid->reach = reach;
		ellipsoid->owner = owner;
		ellipsoid->particle = (uint32_t)i;
		ellipsoid->slot = slot;
		ellipsoid->hasShape = false;
		step->places[from->ellipsoidFirst + i] = ( gelVec4 ){ x.x, x.y, x.z, reach };
		low = gelMinVec3( low, gelSub( x, r ) );
		high = gelMaxVec3( high, gelAdd( x, r ) );
	}
	from->box = ( gelAabb ){ low, high };
}

// R S R^T by columns of R S.
gelSym3 gelMakeEllipsoidShape( const gelEllipsoidStep* step, int index )
{
	GEL_ASSERT( index >= 0 && index < step->ellipsoidCount );
	const gelEllipsoid* ellipsoid = step->ellipsoids + index;
	const gelParticles* p = gelGetParticles( step->bodies[ellipsoid->owner].body );
	gelMat3 R = gelMakeMat3FromQuat( gelGetLaneQuat(
		p->states[ellipsoid->slot / GEL_BLOCK_LANES].q[0], (int)( ellipsoid->slot % GEL_BLOCK_LANES ) ) );
	gelSym3 S = p->model->shapes[ellipsoid->slot];
	gelVec3 a = { R.cx.x, R.cy.x, R.cz.x }, b = { R.cx.y, R.cy.y, R.cz.y }, c = { R.cx.z, R.cy.z, R.cz.z };
	gelVec3 sa = gelMulSym3( S, a ), sb = gelMulSym3( S, b ), sc = gelMulSym3( S, c );
	return ( gelSym3 ){ gelDot( a, sa ), gelDot( b, sb ), gelDot( c, sc ), gelDot( a, sb ), gelDot( a, sc ),
		gelDot( b, sc ) };
}

gelSym3 gelEllipsoidStep_GetShape( gelEllipsoidStep* step, int index )
{
	GEL_ASSERT( index >= 0 && index < step->ellipsoidCount );
	gelEllipsoid* ellipsoid = step->ellipsoids + index;
	if ( !ellipsoid->hasShape ) ellipsoid->shape = gelMakeEllipsoidShape( step, index );
	ellipsoid->hasShape = true;
	return ellipsoid->shape;
}

// ---- the step --------------------------------------------------------------------------------------------

typedef enum gelEllipsoidStage
{
	gel_ballsBegin,
	gel_ballsMove,
	gel_ballsEnd,
} gelEllipsoidStage;

typedef struct gelEllipsoidTask
{
	struct gelWorld* world;
	const gelStepContext* ctx;
	gelEllipsoidStage stage;
	int round, roundCount;
	gelEllipsoidRound part; // what is done in the round
} gelEllipsoidTask;

// The sub-step that a body makes in a round; -1: it waits.
static int GetSubStep( const gelEllipsoidTask* task, int subStepCount )
{
	int before = task->round * subStepCount / task->roundCount;
	int after = ( task->round + 1 ) * subStepCount / task->roundCount;
	return after > before ? before : -1;
}

static void MoveGroup( const gelEllipsoidTask* task, gelBody* const* bodies, int count, int worker )
{
	GEL_ASSERT( count >= 1 && worker >= 0 );
	if ( task->stage == gel_ballsBegin ) gelParticles_BeginStep( bodies, count, task->ctx );
	if ( task->stage == gel_ballsMove )
	{
		int subStep = GetSubStep( task, gelGetParticles( bodies[0] )->def.subSteps );
		float* laneScratch =
			gelWorld_GetLaneScratch( task->world, bodies[0]->asset, bodies[0]->solver, worker );
		if ( subStep >= 0 ) gelParticles_SubStep( bodies, count, task->ctx, subStep, laneScratch );
		for ( int i = 0; i < count; ++i )
			GatherBody( task->world->contact->ellipsoids, bodies[i]->contact->ellipsoidOwner );
	}
	if ( task->stage != gel_ballsEnd ) return;
	gelParticles_EndStep( bodies, count, task->ctx );
	for ( int i = 0; i < count; ++i )
		gelBody_RefitCoarse( bodies[i] );
}

static void MoveGroups_Task( int begin, int end, int worker, void* context )
{
	const gelEllipsoidTask* task = context;
	const struct gelWorld* world = task->world;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* bodies[GEL_MAX_GROUP];
		int count = 0;
		for ( int k = world->groupFirst[i]; k < world->groupFirst[i + 1]; ++k )
		{
			gelBody* body = world->order[k];
			if ( !body->isAsleep && gelIsInEllipsoidStep( world, body ) ) bodies[count++] = body;
		}
		if ( count > 0 ) MoveGroup( task, bodies, count, worker );
	}
}

// How far a body comes in a step.
static float GetReach( const gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	float fastest2 = 0.0f;
	for ( int i = 0; gelGetParticles( body ) && i < gelGetParticles( body )->model->blockCount; ++i )
	{
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
			fastest2 = gelMaxFloat(
				gelLengthSquared( gelGetLane3( gelGetParticles( body )->states[i].v[0], lane ) ), fastest2 );
	}
	for ( int i = 0; !gelGetParticles( body ) && i < body->asset->nodeCount; ++i )
		fastest2 = gelMaxFloat( gelLengthSquared( body->v[i] ), fastest2 );
	return h * sqrtf( fastest2 );
}

// Who moves wakes the sleepers that it may hit, by their boxes: a blow must not meet a body that does not
// give way.
static void WakeAround( struct gelWorld* world, float h )
{
	GEL_ASSERT( h > 0.0f );
	const gelEllipsoidStep* step = world->contact->ellipsoids;
	for ( int k = 0; k < step->bodyCount; ++k )
	{
		gelBody* sleeper = step->bodies[k].body;
		for ( int i = 0; i < world->liveCount && sleeper->isAsleep; ++i )
		{
			const gelBody* body = world->live[i];
			const gelBodyContact* touch = body->contact;
			if ( touch == NULL || !touch->isEnabled || body->isAsleep || touch->isStill ) continue;
			if ( !gelFiltersAgree( sleeper->contact->filter, touch->filter ) ) continue;
			if ( !gelAreNear( body, sleeper, GetReach( body, h ) ) ) continue;
			gelBody_Wake( sleeper );
			++world->contact->counters.wokenBodyCount;
		}
	}
}

static int CountRounds( const gelEllipsoidStep* step )
{
	int most = 0;
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelBody* body = step->bodies[i].body;
		int count = gelGetParticles( body )->def.subSteps;
		if ( !body->isAsleep && count > most ) most = count;
	}
	return most;
}

static void SolveIslands_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelEllipsoidTask* task = context;
	gelEllipsoidStep* step = task->world->contact->ellipsoids;
	for ( int i = begin; i < end; ++i )
	{
		const gelEllipsoidIsland* island = step->islands + i;
		gelSolveEllipsoidIsland( task->world, island, &task->part );
		gelPushEllipsoidIsland( step, island, &task->part );
	}
}

static void ScatterBodies_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelEllipsoidTask* task = context;
	const gelEllipsoidStep* step = task->world->contact->ellipsoids;
	for ( int i = begin; i < end; ++i )
	{
		const gelEllipsoidBody* body = step->bodies + i;
		if ( body->isHit && !body->body->isAsleep ) gelScatterEllipsoidBody( step, body );
	}
}

static void MakeRound( gelEllipsoidTask* task )
{
	struct gelWorld* world = task->world;
	gelEllipsoidStep* step = world->contact->ellipsoids;
	task->part = ( gelEllipsoidRound ){ (float)task->round / (float)task->roundCount,
		(float)( task->round + 1 ) / (float)task->roundCount, task->ctx->h, task->ctx };
	task->stage = gel_ballsMove;
	gelWorld_ParallelFor( world, MoveGroups_Task, world->groupCount, task );
	gelFindEllipsoids( world, &task->part );
	if ( step->contactCount > 0 )
	{
		gelSortEllipsoidContacts( step );
		gelBuildEllipsoidIslands( step );
		gelWorld_ParallelFor( world, SolveIslands_Task, step->islandCount, task );
		gelWorld_ParallelFor( world, ScatterBodies_Task, step->bodyCount, task );
		gelWakeAndSumReactions( world, &task->part );
		gelRecordEllipsoids( world );
	}
	for ( int i = 0; i < step->bodyCount; ++i )
		step->bodies[i].touch->meetsOthers = step->bodies[i].meetsOthers;
}

static void WakeTouched( struct gelWorld* world )
{
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBodyContact* touch = world->live[i]->contact;
		if ( touch == NULL || !touch->wakesUp ) continue;
		gelBody_Wake( world->live[i] );
		++world->contact->counters.wokenBodyCount;
	}
}

static void StepEllipsoids( struct gelWorld* world, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->h > 0.0f && world->isLocked );
	gelEllipsoidStep* step = world->contact->ellipsoids;
	if ( step == NULL || !world->contact->isEnabled ) return;
	ListBodies( world );
	WakeAround( world, ctx->h );
	gelEllipsoidTask task = {
		.world = world, .ctx = ctx, .stage = gel_ballsBegin, .roundCount = CountRounds( step )
	};
	if ( task.roundCount == 0 ) return;         // all of them sleep
	for ( int i = 0; i < step->bodyCount; ++i ) // sleepers stay where they are
	{
		if ( step->bodies[i].body->isAsleep ) GatherBody( step, i );
	}
	gelWorld_ParallelFor( world, MoveGroups_Task, world->groupCount, &task );
	for ( task.round = 0; task.round < task.roundCount; ++task.round )
		MakeRound( &task );
	gelRecordGround( world, ctx ); // before the origins move
	task.stage = gel_ballsEnd;
	gelWorld_ParallelFor( world, MoveGroups_Task, world->groupCount, &task );
	gelAnswerEllipsoids( world, ctx->h );
	WakeTouched( world );
	gelCountEllipsoidRecords( world );
}

const gelParticleContact gel_particleContact = { gelIsInEllipsoidStep, gelEllipsoidStep_Reserve,
	gelEllipsoidStep_GetBytes, gelDestroyEllipsoidStep, StepEllipsoids };
