// SPDX-License-Identifier: MIT
// Steps of all bodies of particles that take part in contact: sub-step by sub-step together, contacts after
// each. Bodies with fewer sub-steps than others wait in between, and can be pushed while they do.
#include "ball_contact.h"
#include "cell_bounds.h"
#include "fast_corotated.h"
#include "ground.h"
#include "particle_handles.h"
#include "world.h"

#include <string.h>

// ---- memory ----------------------------------------------------------------------------------------------

// | gelBallStep | bodies | contacts | keys | records | merged | near | inside |
static gelBallStep* LayOut( gelArena* arena, const gelWorldDef* def )
{
	size_t contacts = (size_t)def->contactCapacity;
	gelBallStep part = { .contactCapacity = def->contactCapacity };
	gelBallStep* step = gelArena_Take( arena, 1, sizeof( gelBallStep ) );
	part.bodies = gelArena_Take( arena, (size_t)def->bodyCapacity, sizeof( gelBallBody ) );
	part.contacts = gelArena_Take( arena, contacts, sizeof( gelBallContact ) );
	part.keys = gelArena_Take( arena, contacts, sizeof( gelBallKey ) );
	part.records = gelArena_Take( arena, contacts, sizeof( gelBallRecord ) );
	part.merged = gelArena_Take( arena, contacts, sizeof( gelBallRecord ) );
	part.near = gelArena_Take( arena, GEL_MAX_NEAR_BALLS, sizeof( int ) );
	part.inside = gelArena_Take( arena, GEL_MAX_NEAR_BALLS, sizeof( int ) );
	if ( step != NULL ) *step = part;
	return step;
}

static gelBallStep* CreateBallStep( const gelWorldDef* def )
{
	gelArena arena = { 0 };
	LayOut( &arena, def );
	void* memory = arena.overflow ? NULL : gelAllocate( &def->allocator, arena.bytes );
	if ( memory == NULL ) return NULL;
	size_t bytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	gelBallStep* step = LayOut( &arena, def );
	GEL_ASSERT( arena.bytes == bytes );
	step->bytes = bytes;
	return step;
}

void gelDestroyBallStep( const gelAllocator* allocator, gelBallStep* step )
{
	if ( step == NULL ) return;
	gelFree( allocator, step->memory, step->memoryBytes );
	gelFree( allocator, step, step->bytes );
}

static int CountBalls( const struct gelWorld* world )
{
	int count = 0;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		const gelBody* body = world->live[i];
		if ( body->particles && body->touch ) count += body->particles->model->count;
	}
	return count;
}

bool gelBallStep_Reserve( struct gelWorld* world, const gelAsset* asset )
{
	gelContactStep* contact = world->contact;
	if ( contact->balls == NULL ) contact->balls = CreateBallStep( &world->def );
	gelBallStep* step = contact->balls;
	if ( step == NULL ) return false;
	int needed = CountBalls( world ) + asset->particles->count;
	if ( needed <= step->ballCapacity ) return true;
	needed += needed / 2; // bodies come one by one
	gelArena arena = { 0 };
	gelArena_Take( &arena, (size_t)needed, sizeof( gelBall ) );
	gelArena_Take( &arena, (size_t)needed, sizeof( gelVec4 ) );
	gelBallGrid_LayOut( &arena, needed );
	void* memory = arena.overflow ? NULL : gelAllocate( &world->def.allocator, arena.bytes );
	if ( memory == NULL ) return false;
	gelFree( &world->def.allocator, step->memory, step->memoryBytes );
	step->memory = memory;
	step->memoryBytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	step->balls = gelArena_Take( &arena, (size_t)needed, sizeof( gelBall ) );
	step->places = gelArena_Take( &arena, (size_t)needed, sizeof( gelVec4 ) );
	step->grid = gelBallGrid_LayOut( &arena, needed );
	step->ballCapacity = needed;
	return true;
}

// ---- balls -----------------------------------------------------------------------------------------------

bool gelIsInBallStep( const struct gelWorld* world, const gelBody* body )
{
	return body->particles != NULL && body->touch != NULL && body->touch->isEnabled &&
		world->contact->isEnabled;
}

static void ListBodies( struct gelWorld* world )
{
	gelBallStep* step = world->contact->balls;
	step->bodyCount = step->ballCount = step->recordCount = 0;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		if ( body->touch ) body->touch->isHit = body->touch->wakesUp = false;
		if ( !gelIsInBallStep( world, body ) ) continue;
		const gelPackMaterial* material = body->asset->pack.materials;
		float given = body->touch->friction;
		gelBallBody* out = step->bodies + step->bodyCount++;
		*out = ( gelBallBody ){ .body = body,
			.touch = body->touch,
			.ballFirst = step->ballCount,
			.ballCount = body->particles->model->count,
			.friction = { given >= 0.0f ? given : material->staticFriction,
				given >= 0.0f ? given : material->dynamicFriction } };
		step->ballCount += out->ballCount;
	}
}

static void GatherBody( gelBallStep* step, int owner, float h )
{
	gelBallBody* from = step->bodies + owner;
	const gelParticles* p = from->body->particles;
	from->isHit = false;
	from->isLost = !gelParticles_AreUsable( p );
	gelVec3 low = { INFINITY, INFINITY, INFINITY }, high = gelNeg( low );
	float subStep = h / (float)p->def.subSteps;
	bool isHeld = p->handles != NULL && p->handles->count > 0;
	for ( int i = 0; i < from->ballCount; ++i )
	{
		uint32_t slot = p->model->particleSlots[i];
		const gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		int lane = (int)( slot % GEL_BLOCK_LANES );
		bool isFree = !from->body->isAsleep;
		float h2 = subStep * subStep, own = 1.0f / gelGetInvInertia( p->model, slot );
		float inertia = own + h2 * p->model->turnStiffness[slot], reach = p->model->radii[slot];
		float lone = p->model->blocks[slot / GEL_BLOCK_LANES].mass[lane];
		float mass = isHeld ? lone + h2 * p->model->stiffness[slot] : lone;
		gelVec3 x = gelGetLane3( state->x[0], lane ), r = { reach, reach, reach };
		step->balls[from->ballFirst + i] = ( gelBall ){ .x = x,
			.reach = reach,
			.v = gelGetLane3( state->v[0], lane ),
			.w = gelGetLane3( state->w[0], lane ),
			.v0 = gelGetLane3( state->v[0], lane ),
			.w0 = gelGetLane3( state->w[0], lane ),
			.h = subStep,
			.invMass = isFree ? 1.0f / mass : 0.0f,
			.invInertia = isFree ? 1.0f / inertia : 0.0f,
			.rest = isFree ? 1.0f - lone / mass : 0.0f,
			.turnRest = isFree ? 1.0f - own / inertia : 0.0f,
			.owner = owner,
			.particle = (uint32_t)i,
			.slot = slot };
		step->places[from->ballFirst + i] = ( gelVec4 ){ x.x, x.y, x.z, reach };
		low = gelMinVec3( low, gelSub( x, r ) );
		high = gelMaxVec3( high, gelAdd( x, r ) );
	}
	from->box = ( gelAabb ){ low, high };
}

bool gelBallBody_IsActive( const gelBallBody* body )
{
	return !body->body->isAsleep && !body->isLost;
}

// R S R^T by columns of R S.
gelSym3 gelBallStep_GetShape( gelBallStep* step, int index )
{
	gelBall* ball = step->balls + index;
	if ( ball->hasShape ) return ball->shape;
	const gelParticles* p = step->bodies[ball->owner].body->particles;
	gelMat3 R = gelMakeMat3FromQuat( gelGetLaneQuat(
		p->states[ball->slot / GEL_BLOCK_LANES].q[0], (int)( ball->slot % GEL_BLOCK_LANES ) ) );
	gelSym3 S = p->model->shapes[ball->slot];
	gelVec3 a = { R.cx.x, R.cy.x, R.cz.x }, b = { R.cx.y, R.cy.y, R.cz.y }, c = { R.cx.z, R.cy.z, R.cz.z };
	gelVec3 sa = gelMulSym3( S, a ), sb = gelMulSym3( S, b ), sc = gelMulSym3( S, c );
	ball->shape = ( gelSym3 ){ gelDot( a, sa ), gelDot( b, sb ), gelDot( c, sc ), gelDot( a, sb ),
		gelDot( a, sc ), gelDot( b, sc ) };
	ball->hasShape = true;
	return ball->shape;
}

// ---- contacts in order -----------------------------------------------------------------------------------

gelBallContact* gelBallStep_Add( struct gelWorld* world, int ball )
{
	gelBallStep* step = world->contact->balls;
	if ( step->contactCount == step->contactCapacity )
	{
		++world->contact->counters.droppedContactCount;
		return NULL;
	}
	gelBallContact* contact = step->contacts + step->contactCount++;
	*contact = ( gelBallContact ){ .a = ball, .b = -1 };
	return contact;
}

static bool IsBefore( const gelBallKey* a, const gelBallKey* b )
{
	return a->pair != b->pair ? a->pair < b->pair : a->feature < b->feature;
}

static void Sift( gelBallKey* heap, int root, int count )
{
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && IsBefore( heap + child, heap + child + 1 ) ) ++child;
		if ( !IsBefore( heap + root, heap + child ) ) return;
		gelBallKey key = heap[root];
		heap[root] = heap[child];
		heap[child] = key;
		root = child;
	}
}

// By bodies, then by what touches: the order in which the game gets them, and in which they are solved.
static void SortContacts( gelBallStep* step )
{
	for ( int i = 0; i < step->contactCount; ++i )
	{
		const gelBallContact* c = step->contacts + i;
		const gelBall* a = step->balls + c->a;
		uint64_t other = (uint64_t)c->collider1 - 1 + ( (uint64_t)1 << 31 );
		if ( c->body ) other = c->body->slot;
		if ( c->b >= 0 ) other = step->bodies[step->balls[c->b].owner].body->slot;
		step->keys[i] = ( gelBallKey ){ (uint64_t)step->bodies[a->owner].body->slot << 32 | other,
			(uint64_t)a->particle << 32 | c->featureB, i };
	}
	for ( int i = step->contactCount / 2; i-- > 0; )
		Sift( step->keys, i, step->contactCount );
	for ( int last = step->contactCount - 1; last > 0; --last )
	{
		gelBallKey key = step->keys[0];
		step->keys[0] = step->keys[last];
		step->keys[last] = key;
		Sift( step->keys, 0, last );
	}
}

// ---- the list of a step ----------------------------------------------------------------------------------

// A disk where two spheres of these radii overlap by the depth.
static float GetArea( const gelBallStep* step, const gelBallContact* c )
{
	float a = step->balls[c->a].reach, b = c->b >= 0 ? step->balls[c->b].reach : INFINITY;
	float radius = b < INFINITY ? a * b / ( a + b ) : a;
	return 6.2831853f * radius * c->depth;
}

static gelBallRecord MakeRecord( const gelBallStep* step, const gelBallKey* key )
{
	const gelBallContact* c = step->contacts + key->index;
	const gelBall* a = step->balls + c->a;
	gelBody* body = step->bodies[a->owner].body;
	gelBallRecord record = { .pair = key->pair,
		.feature = key->feature,
		.a = body,
		.b = c->body,
		.collider1 = c->collider1,
		.materialB = -1,
		.pointA = gelToWorld( body, gelAdd( a->x, c->armA ) ),
		.normal = c->normal,
		.depth = c->depth,
		.area = GetArea( step, c ),
		.impulse = gelMulAdd( c->rub, c->lambda, c->normal ) };
	record.pointB = gelMulAdd( record.pointA, c->depth, c->normal );
	if ( c->body )
	{
		const gelPackView* pack = &c->body->asset->pack;
		record.materialB = (int)( gelGetCellMaterial( pack, c->cellB ) - pack->materials );
	}
	if ( c->b >= 0 )
	{
		record.b = step->bodies[step->balls[c->b].owner].body;
		record.materialB = 0;
	}
	return record;
}

static int CompareRecords( const gelBallRecord* a, const gelBallRecord* b )
{
	if ( a->pair != b->pair ) return a->pair < b->pair ? -1 : 1;
	return a->feature != b->feature ? ( a->feature < b->feature ? -1 : 1 ) : 0;
}

// Merges two ordered lists: impulses add up over the sub-steps, places are those of the last one.
static void Record( struct gelWorld* world )
{
	gelBallStep* step = world->contact->balls;
	int i = 0, k = 0, count = 0;
	while ( i < step->recordCount || k < step->contactCount )
	{
		gelBallRecord next;
		if ( k < step->contactCount ) next = MakeRecord( step, step->keys + k );
		int order = k == step->contactCount ? -1
			: i == step->recordCount        ? 1
											: CompareRecords( step->records + i, &next );
		if ( order < 0 ) next = step->records[i];
		if ( order == 0 )
		{
			next.impulse = gelAdd( next.impulse, step->records[i].impulse );
			next.depth = gelMaxFloat( next.depth, step->records[i].depth );
			next.area = gelMaxFloat( next.area, step->records[i].area );
		}
		i += order <= 0;
		k += order >= 0;
		if ( count < step->contactCapacity )
			step->merged[count++] = next;
		else
			++world->contact->counters.droppedContactCount;
	}
	gelBallRecord* old = step->records;
	step->records = step->merged;
	step->merged = old;
	step->recordCount = count;
}

static void CountRecords( struct gelWorld* world )
{
	const gelBallStep* step = world->contact->balls;
	gelContactCounters* counters = &world->contact->counters;
	for ( int i = 0; i < step->recordCount; ++i )
	{
		const gelBallRecord* record = step->records + i;
		if ( record->b == NULL ) continue;
		++counters->contactCount;
		counters->touchingPairCount += i == 0 || record->pair != record[-1].pair;
	}
}

void gelBallStep_Forget( gelBallStep* step, const gelBody* body, uint32_t collider1 )
{
	int kept = 0;
	for ( int i = 0; step != NULL && i < step->recordCount; ++i )
	{
		const gelBallRecord* record = step->records + i;
		bool isOfBody = body != NULL && ( record->a == body || record->b == body );
		bool isOfCollider = collider1 != 0 && record->collider1 == collider1;
		if ( !isOfBody && !isOfCollider ) step->records[kept++] = *record;
	}
	if ( step != NULL ) step->recordCount = kept;
}

// ---- the step --------------------------------------------------------------------------------------------

typedef enum gelBallStage
{
	gel_ballsBegin,
	gel_ballsMove,
	gel_ballsEnd,
} gelBallStage;

typedef struct gelBallTask
{
	struct gelWorld* world;
	const gelStepContext* ctx;
	gelBallStage stage;
	int round, roundCount;
} gelBallTask;

// The sub-step that a body makes in a round; -1: it waits.
static int GetSubStep( const gelBallTask* task, int subStepCount )
{
	int before = task->round * subStepCount / task->roundCount;
	int after = ( task->round + 1 ) * subStepCount / task->roundCount;
	return after > before ? before : -1;
}

static void MoveGroup( const gelBallTask* task, gelBody* const* bodies, int count )
{
	if ( task->stage == gel_ballsBegin ) gelParticles_BeginStep( bodies, count, task->ctx );
	if ( task->stage == gel_ballsMove )
	{
		int subStep = GetSubStep( task, bodies[0]->particles->def.subSteps );
		if ( subStep >= 0 ) gelParticles_SubStep( bodies, count, task->ctx, subStep );
	}
	if ( task->stage != gel_ballsEnd ) return;
	gelParticles_EndStep( bodies, count, task->ctx );
	for ( int i = 0; i < count; ++i )
		gelBody_RefitCoarse( bodies[i] );
}

static void MoveGroups_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelBallTask* task = context;
	const struct gelWorld* world = task->world;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* bodies[GEL_MAX_GROUP];
		int count = 0;
		for ( int k = world->groupFirst[i]; k < world->groupFirst[i + 1]; ++k )
		{
			gelBody* body = world->order[k];
			if ( !body->isAsleep && gelIsInBallStep( world, body ) ) bodies[count++] = body;
		}
		if ( count > 0 ) MoveGroup( task, bodies, count );
	}
}

// How far a body comes in a step.
static float GetReach( const gelBody* body, float h )
{
	float fastest2 = 0.0f;
	for ( int i = 0; body->particles && i < body->particles->model->blockCount; ++i )
	{
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
			fastest2 = gelMaxFloat(
				gelLengthSquared( gelGetLane3( body->particles->states[i].v[0], lane ) ), fastest2 );
	}
	for ( int i = 0; !body->particles && i < body->asset->nodeCount; ++i )
		fastest2 = gelMaxFloat( gelLengthSquared( body->v[i] ), fastest2 );
	return h * sqrtf( fastest2 );
}

// Who moves wakes the sleepers that it may hit, by their boxes: a blow must not meet a body that does not
// give way.
static void WakeAround( struct gelWorld* world, float h )
{
	const gelBallStep* step = world->contact->balls;
	for ( int k = 0; k < step->bodyCount; ++k )
	{
		gelBody* sleeper = step->bodies[k].body;
		for ( int i = 0; i < world->liveCount && sleeper->isAsleep; ++i )
		{
			const gelBody* body = world->live[i];
			const gelTouch* touch = body->touch;
			if ( touch == NULL || !touch->isEnabled || body->isAsleep || touch->isStill ) continue;
			if ( !gelTouch_FiltersAgree( sleeper->touch, touch->category, touch->mask ) ) continue;
			if ( !gelAreNear( body, sleeper, GetReach( body, h ) ) ) continue;
			gelBody_Wake( sleeper );
			++world->contact->counters.wokenBodyCount;
		}
	}
}

static int CountRounds( const gelBallStep* step )
{
	int most = 0;
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelBody* body = step->bodies[i].body;
		int count = body->particles->def.subSteps;
		if ( !body->isAsleep && count > most ) most = count;
	}
	return most;
}

// Sleepers stay where they are.
static void Gather( gelBallStep* step, float h, bool isFirst )
{
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		if ( isFirst || !step->bodies[i].body->isAsleep ) GatherBody( step, i, h );
	}
}

static void MakeRound( gelBallTask* task )
{
	struct gelWorld* world = task->world;
	gelBallStep* step = world->contact->balls;
	gelBallRound round = { (float)task->round / (float)task->roundCount,
		(float)( task->round + 1 ) / (float)task->roundCount, task->ctx->h, task->ctx };
	task->stage = gel_ballsMove;
	gelWorld_ParallelFor( world, MoveGroups_Task, world->groupCount, task );
	Gather( step, task->ctx->h, task->round == 0 );
	step->contactCount = 0;
	gelFindBallPairs( world );
	gelFindBallColliders( world, &round );
	gelFindBallSurfaces( world, &round );
	if ( step->contactCount == 0 ) return;
	SortContacts( step );
	gelSolveBalls( world, &round );
	gelPushBalls( world, &round );
	Record( world );
	gelScatterBalls( step );
}

static void WakeTouched( struct gelWorld* world )
{
	gelBallStep* step = world->contact->balls;
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		if ( !step->bodies[i].wakesUp ) continue;
		gelBody_Wake( step->bodies[i].body );
		++world->contact->counters.wokenBodyCount;
	}
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelTouch* touch = world->live[i]->touch;
		if ( touch == NULL || !touch->wakesUp ) continue;
		gelBody_Wake( world->live[i] );
		++world->contact->counters.wokenBodyCount;
	}
}

void gelStepBalls( struct gelWorld* world, const gelStepContext* ctx )
{
	gelBallStep* step = world->contact->balls;
	if ( step == NULL || !world->contact->isEnabled ) return;
	ListBodies( world );
	WakeAround( world, ctx->h );
	gelBallTask task = { world, ctx, gel_ballsBegin, 0, CountRounds( step ) };
	if ( task.roundCount == 0 ) return; // all of them sleep
	gelWorld_ParallelFor( world, MoveGroups_Task, world->groupCount, &task );
	for ( task.round = 0; task.round < task.roundCount; ++task.round )
		MakeRound( &task );
	task.stage = gel_ballsEnd;
	gelWorld_ParallelFor( world, MoveGroups_Task, world->groupCount, &task );
	gelAnswerBalls( world, ctx->h );
	WakeTouched( world );
	CountRecords( world );
}
