// SPDX-License-Identifier: MIT
// The step driver: checks that every body can be stepped, steps them (in parallel if the game lends
// threads), then adds up what happened. Bodies see each other before and after all of them have moved
// (contact_step.h), never in between, so the order and the number of threads cannot change a bit of the
// result.
#include "contact/response/contact_loads.h"
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_step.h"
#include "solvers/lane_scratch.h"
#include "state/coarse_tree.h"
#include "world/solver_table.h"
#include "world/step_groups.h"

// Steps beyond these [s] are a mistake: their squares leave float.
#define GEL_MIN_STEP 1.0e-6f
#define GEL_MAX_STEP 100.0f

// Steps in a row.
#define GEL_MAX_STEPS 1000

// Steps with all bodies asleep until nothing is left to tell: in the second one no contact goes on.
#define GEL_QUIET_STEPS 3

// What the tasks share.
typedef struct gelStepTask
{
	struct gelWorld* world;
	const gelParticleContact* particles; // NULL: without contact, or left out
	gelBody* const* order;
	const int* groupFirst;
	gelStepContext ctx;
} gelStepTask;

// Bodies that all threads step together, one after another.
static bool IsLarge( const gelBody* body )
{
	return body->solver->isLarge && body->solver->isLarge( body );
}

static void BeginBody( const struct gelWorld* world, gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( !body->isAsleep );
	body->wasPutBack = false;
	body->groundContactCount = 0;
	if ( body->solver->movesNodes ) gelBody_LendFollowers( body );
	if ( body->loads != NULL ) gelGiveLoads( world, body, ctx );
}

// Ends the step of a body that touches no other: the contact step goes on with those that do.
static void FinishBody( struct gelWorld* world, gelBody* body, const gelStepContext* ctx, int worker )
{
	if ( gelBody_IsTouched( body ) ) return;
	if ( body->loads != NULL )
	{
		gelSolveAlone( world, body, ctx, worker );
		return;
	}
	if ( body->solver->movesNodes ) gelBody_EndStep( body, ctx );
	gelBody_RefitCoarse( body );
}

static void StepLarge( struct gelWorld* world, const gelStepContext* ctx )
{
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		if ( body->isAsleep || !IsLarge( body ) ) continue;
		BeginBody( world, body, ctx );
		body->solver->step( &body, 1, ctx, NULL );
		FinishBody( world, body, ctx, 0 );
	}
}

static void StepGroups_Task( int begin, int end, int worker, void* taskContext )
{
	gelStepTask* task = taskContext;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* bodies[GEL_MAX_GROUP];
		int count = 0;
		for ( int k = task->groupFirst[i]; k < task->groupFirst[i + 1]; ++k )
		{
			gelBody* body = task->order[k];
			bool isLater = task->particles && task->particles->isIn( task->world, body );
			if ( !body->isAsleep && !isLater ) bodies[count++] = body;
		}
		if ( count == 0 || IsLarge( bodies[0] ) ) continue;
		const gelSolver* solver = bodies[0]->solver;
		float* laneScratch = gelWorld_GetLaneScratch( task->world, bodies[0]->asset, solver, worker );
		for ( int k = 0; k < count; ++k )
			BeginBody( task->world, bodies[k], &task->ctx );
		solver->step( bodies, count, &task->ctx, laneScratch );
		for ( int k = 0; k < count; ++k )
			FinishBody( task->world, bodies[k], &task->ctx, worker );
	}
}

// Looks up all factors before anything moves.
static bool FindFactors( struct gelWorld* world, float dt )
{
	GEL_ASSERT( dt > 0.0f && !world->isLocked );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		if ( !world->live[i]->solver->chooseFactor( world->live[i], dt ) ) return false;
	}
	return true;
}

static void Log( const struct gelWorld* world, const char* text )
{
	if ( world->def.log ) world->def.log( world->def.logContext, text );
}

static void CountOutcomes( struct gelWorld* world )
{
	world->counters.groundContactCount = 0;
	bool isNew = false, isQuiet = true;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		isQuiet = isQuiet && body->isAsleep;
		world->counters.groundContactCount += body->groundContactCount;
		if ( !body->wasPutBack && !body->wasUnfolded ) continue;
		world->counters.nonFiniteBodyCount += body->wasPutBack;
		world->counters.unfoldedBodyCount += body->wasUnfolded;
		body->wasUnfolded = false;
		isNew = isNew || !body->hasLoggedReset;
		body->hasLoggedReset = true;
	}
	world->quietSteps = isQuiet ? gelMinInt( world->quietSteps + 1, GEL_QUIET_STEPS ) : 0;
	// once per body: what goes wrong every step would bury the rest of the log
	if ( isNew )
		Log( world,
			"gelWorld_Step: a body became NaN or infinite, or came to rest inside out, and was put back at "
			"rest" );
}

// A world whose bodies all sleep, and whose events have told so, has nothing to do: it costs the same for any
// number of bodies.
static bool IsQuiet( const struct gelWorld* world, float dt )
{
	return world->quietSteps == GEL_QUIET_STEPS && world->quietStep == dt;
}

static void StepQuietly( struct gelWorld* world, int count )
{
	world->times = ( gelStepTimes ){ 0 };
	gelWorld_AimColliders( world );
	gelWorld_SettleColliders( world );
	world->stepCount += (uint64_t)count;
}

// Everything that can fail has been looked at.
static void Step( struct gelWorld* world, float dt )
{
	GEL_ASSERT( dt > 0.0f && world->isLocked );
	gelWorld_UpdateGroups( world );
	const gelParticleContact* particles = world->def.enableContact ? gelFindParticleContact() : NULL;
	gelStepTask task = { world, particles, world->order, world->groupFirst,
		{ .h = dt,
			.gravity = world->def.gravity,
			.hasGround = world->def.hasGround,
			.ground = world->def.ground,
			.staticFriction = world->def.groundStaticFriction,
			.dynamicFriction = world->def.groundDynamicFriction } };
	double start = gelWorld_GetTime( world );
	gelWorld_AimColliders( world );
	if ( world->contact ) gelContactStep_Begin( world, &task.ctx );
	double found = gelWorld_GetTime( world );
	gelWorld_ParallelFor( world, StepGroups_Task, world->groupCount, &task );
	StepLarge( world, &task.ctx );
	double moved = gelWorld_GetTime( world );
	if ( world->contact )
	{
		gelContactStep_End( world, &task.ctx );
		if ( particles ) particles->step( world, &task.ctx );
		gelContactEvents_Update( world );
	}
	gelWorld_SettleColliders( world );
	++world->stepCount;
	CountOutcomes( world );
	double end = gelWorld_GetTime( world );
	world->times.contacts += found - start;
	world->times.bodies += moved - found;
	world->times.response += end - moved;
	world->times.total += end - start;
}

gelResult gelWorld_StepMany( gelWorldId worldId, float dt, int count )
{
	struct gelWorld* world = worldId.world;
	bool isCount = count >= 1 && count <= GEL_MAX_STEPS;
	if ( world == NULL || !isCount || !( dt >= GEL_MIN_STEP && dt <= GEL_MAX_STEP ) )
		return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( IsQuiet( world, dt ) )
	{
		StepQuietly( world, count );
		return gel_success;
	}
	if ( !FindFactors( world, dt ) )
	{
		Log( world,
			"gelWorld_Step: an asset was not baked for this step length with the pin set, mode and stiffness "
			"scale of one of its bodies (gelAsset_CanStep); nothing has moved" );
		return gel_errorNoFactor;
	}
	world->isLocked = true;
	world->times = ( gelStepTimes ){ 0 };
	gelWorld_BeginSteps( world );
	for ( int i = 0; i < count; ++i )
	{
		gelWorld_AimAtPart( world, i, count );
		if ( world->contact ) world->contact->events.goesOn = i > 0;
		Step( world, dt );
	}
	world->quietStep = dt;
	world->isLocked = false;
	return gel_success;
}

gelResult gelWorld_Step( gelWorldId worldId, float dt )
{
	return gelWorld_StepMany( worldId, dt, 1 );
}

gelStepTimes gelWorld_GetStepTimes( gelWorldId worldId )
{
	return worldId.world ? worldId.world->times : ( gelStepTimes ){ 0 };
}
