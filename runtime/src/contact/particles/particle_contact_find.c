// SPDX-License-Identifier: MIT
// All contacts of a sub-step, body by body on any thread; ellipsoids against ellipsoids.
#include "contact/particles/particle_contact.h"
#include "state/world.h"

// Searches for a normal: steps at most.
#define GEL_GAP_STEPS 5

// The gap f(n) = n . g with g = d - A n / |..| - B n / |..|, whose part across n is the gradient on the
// sphere. Its curvature is at most |d| + reachA^2 / a + reachB^2 / b, so that steps of the inverse never
// overshoot.
float gelFindBallGap( gelSym3 A, gelSym3 B, gelVec3 d, float reachA, float reachB, gelVec3* outNormal )
{
	float length = gelLength( d ), best = -INFINITY;
	gelVec3 n = length > 1.0e-20f ? gelScale( 1.0f / length, d ) : gelMakeVec3( 0.0f, 1.0f, 0.0f );
	*outNormal = n;
	for ( int i = 0; i < GEL_GAP_STEPS; ++i )
	{
		gelVec3 pa, pb;
		float a = gelGetBallReach( A, n, &pa ), b = gelGetBallReach( B, n, &pb );
		gelVec3 g = gelSub( d, gelAdd( pa, pb ) );
		float gap = gelDot( n, g );
		if ( gap > best )
		{
			best = gap;
			*outNormal = n;
		}
		if ( gap >= 0.0f ) break;
		float bound = length + reachA * reachA / a + reachB * reachB / b;
		gelVec3 next = gelMulAdd( n, 1.0f / bound, gelMulAdd( g, -gap, n ) );
		n = gelScale( 1.0f / gelLength( next ), next );
	}
	return best;
}

// ---- pairs -----------------------------------------------------------------------------------------------

// Two balls whose centres are d apart, less than they reach.
static void TestPair( gelBallStep* step, int i, int k, gelSym3 A, gelSym3 B, gelVec3 d )
{
	const gelBall *a = step->balls + i, *b = step->balls + k;
	gelVec3 n, pa, pb;
	float gap = gelFindBallGap( A, B, d, a->reach, b->reach, &n );
	if ( !( gap < 0.0f ) ) return;
	gelBallContact* contact = gelBallStep_Add( step, i );
	if ( contact == NULL ) return;
	gelGetBallReach( A, n, &pa );
	gelGetBallReach( B, n, &pb );
	contact->b = k;
	contact->featureB = b->particle;
	contact->normal = n;
	contact->depth = -gap;
	contact->armA = gelNeg( pa );
	contact->armB = pb;
	const float *fa = step->bodies[a->owner].friction, *fb = step->bodies[b->owner].friction;
	contact->friction[0] = 0.5f * ( fa[0] + fb[0] );
	contact->friction[1] = gelMinFloat( contact->friction[0], 0.5f * ( fa[1] + fb[1] ) );
}

// Whether a ball is in a box that is `shift` away from its own space.
static bool IsInBox( const gelVec4* place, const gelAabb* box, gelVec3 shift )
{
	gelVec3 x = { place->x - shift.x, place->y - shift.y, place->z - shift.z };
	float r = place->w;
	return x.x + r >= box->min.x && x.x - r <= box->max.x && x.y + r >= box->min.y && x.y - r <= box->max.y &&
		x.z + r >= box->min.z && x.z - r <= box->max.z;
}

// Whether two boxes meet, of which the first is shifted.
static bool DoBoxesMeet( const gelAabb* a, const gelAabb* b, gelVec3 shift )
{
	return a->min.x + shift.x <= b->max.x && a->max.x + shift.x >= b->min.x &&
		a->min.y + shift.y <= b->max.y && a->max.y + shift.y >= b->min.y && a->min.z + shift.z <= b->max.z &&
		a->max.z + shift.z >= b->min.z;
}

static bool MayBodiesTouch( const gelBallBody* a, const gelBallBody* b )
{
	if ( a->isLost || b->isLost || ( a->body->isAsleep && b->body->isAsleep ) ) return false;
	return gelTouch_FiltersAgree( a->body->touch, b->body->touch->category, b->body->touch->mask );
}

// Balls of B in the box of A. @return how many
static int ListInside( const gelBallStep* step, const gelBallBody* a, const gelBallBody* b, gelVec3 shift,
	const gelBallScratch* scratch )
{
	int count = 0;
	for ( int k = b->ballFirst; k < b->ballFirst + b->ballCount && count < GEL_MAX_NEAR_BALLS; ++k )
	{
		if ( !IsInBox( step->places + k, &a->box, shift ) ) continue;
		scratch->inside[count] = k;
		scratch->hasShapes[count++] = false;
	}
	return count;
}

// One ball of A against those of B that are inside. Shapes are made when they are needed, not kept: another
// thread may have the same ball.
static void TestAgainst( gelBallStep* step, int i, gelVec3 x, int count, const gelBallScratch* scratch )
{
	bool hasShape = false;
	gelSym3 A = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
	float own = step->places[i].w;
	for ( int n = 0; n < count; ++n )
	{
		int k = scratch->inside[n];
		const gelVec4* place = step->places + k;
		gelVec3 d = { x.x - place->x, x.y - place->y, x.z - place->z };
		float reach = own + place->w;
		if ( !( gelLengthSquared( d ) < reach * reach ) ) continue;
		if ( !hasShape ) A = gelMakeBallShape( step, i );
		if ( !scratch->hasShapes[n] ) scratch->shapes[n] = gelMakeBallShape( step, k );
		hasShape = scratch->hasShapes[n] = true;
		TestPair( step, i, k, A, scratch->shapes[n], d );
	}
}

static void TestBodies(
	gelBallStep* step, const gelBallBody* a, const gelBallBody* b, const gelBallScratch* scratch )
{
	gelVec3 shift = gelGetBodyOffset( a->body, b->body );
	if ( !DoBoxesMeet( &a->box, &b->box, shift ) || !MayBodiesTouch( a, b ) ) return;
	int count = ListInside( step, a, b, shift, scratch );
	for ( int i = a->ballFirst; count > 0 && i < a->ballFirst + a->ballCount; ++i )
	{
		const gelVec4* place = step->places + i;
		if ( !IsInBox( place, &b->box, gelNeg( shift ) ) ) continue;
		gelVec3 x = { place->x + shift.x, place->y + shift.y, place->z + shift.z };
		TestAgainst( step, i, x, count, scratch );
	}
}

// Neighbours of entry i of the grid. @return how many there are in scratch->near
static int FindNear( gelBallStep* step, int i, const gelBallScratch* scratch )
{
	int count = gelBallGrid_Query( &step->grid, i, scratch->near, GEL_MAX_NEAR_BALLS );
	if ( count <= GEL_MAX_NEAR_BALLS ) return count;
	atomic_fetch_add( &step->droppedPairCount, count - GEL_MAX_NEAR_BALLS );
	return GEL_MAX_NEAR_BALLS;
}

// Parts of one body that overlap when it is at rest, as far as their longest radii reach, never touch.
static void TestSelf( gelBallStep* step, const gelBallBody* body )
{
	const gelBallScratch* scratch = step->scratch;
	const gelVec3* rest = gelGetParticles( body->body )->model->restPositions;
	const gelBall* balls = step->balls + body->ballFirst;
	for ( int i = 0; i < body->ballCount; ++i )
	{
		const double center[3] = { balls[i].x.x, balls[i].x.y, balls[i].x.z };
		step->grid.cells[i] = gelMakeBallCell( center, balls[i].reach );
	}
	gelBallGrid_Build( &step->grid, body->ballCount );
	for ( int i = 0; i < body->ballCount; ++i )
	{
		int count = FindNear( step, i, scratch );
		for ( int n = 0; n < count; ++n )
		{
			int low = gelMinInt( i, scratch->near[n] ), high = i + scratch->near[n] - low;
			const gelBall *a = balls + low, *b = balls + high;
			float reach = a->reach + b->reach;
			gelVec3 d = gelSub( a->x, b->x );
			if ( !( gelLengthSquared( d ) < reach * reach ) ) continue;
			if ( !( gelLengthSquared( gelSub( rest[a->slot], rest[b->slot] ) ) > reach * reach ) ) continue;
			int i0 = body->ballFirst + low, i1 = body->ballFirst + high;
			TestPair( step, i0, i1, gelBallStep_GetShape( step, i0 ), gelBallStep_GetShape( step, i1 ), d );
		}
	}
}

// ---- all of them -----------------------------------------------------------------------------------------

gelBallContact* gelBallStep_Add( gelBallStep* step, int ball )
{
	int index = atomic_fetch_add_explicit( &step->foundCount, 1, memory_order_relaxed );
	if ( index >= step->contactCapacity ) return NULL;
	gelBallContact* contact = step->contacts + index;
	*contact = ( gelBallContact ){ .a = ball, .b = -1 };
	return contact;
}

typedef struct gelFindTask
{
	struct gelWorld* world;
	const gelBallRound* round;
} gelFindTask;

static void FindBodies_Task( int begin, int end, int worker, void* context )
{
	const gelFindTask* task = context;
	gelBallStep* step = task->world->contact->balls;
	const gelBallScratch* scratch = step->scratch + worker;
	for ( int i = begin; i < end; ++i )
	{
		int count = FindNear( step, i, scratch );
		for ( int n = 0; n < count; ++n )
		{
			int low = gelMinInt( i, scratch->near[n] ), high = i + scratch->near[n] - low;
			TestBodies( step, step->bodies + low, step->bodies + high, scratch ); // A has the lower slot
		}
		if ( !gelBallBody_IsActive( step->bodies + i ) ) continue;
		gelFindBallShapes( task->world, step->bodies + i, task->round );
		gelFindBallSurfaces( task->world, step->bodies + i, task->round );
	}
}

// Bodies are found by the balls around their boxes.
static void BuildGrid( gelBallStep* step )
{
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelBallBody* body = step->bodies + i;
		const double* o = body->body->origin;
		gelVec3 c = gelScale( 0.5f, gelAdd( body->box.min, body->box.max ) );
		const double center[3] = { o[0] + c.x, o[1] + c.y, o[2] + c.z };
		float radius = 0.5f * gelLength( gelSub( body->box.max, body->box.min ) );
		step->grid.cells[i] = gelMakeBallCell( center, radius );
	}
	gelBallGrid_Build( &step->grid, step->bodyCount );
}

static void Find( gelFindTask* task, bool isParallel )
{
	gelBallStep* step = task->world->contact->balls;
	atomic_store( &step->foundCount, 0 );
	atomic_store( &step->droppedPairCount, 0 );
	BuildGrid( step );
	if ( isParallel )
		gelWorld_ParallelFor( task->world, FindBodies_Task, step->bodyCount, task );
	else
		FindBodies_Task( 0, step->bodyCount, 0, task );
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelBallBody* body = step->bodies + i;
		if ( body->touch->isSelfEnabled && gelBallBody_IsActive( body ) ) TestSelf( step, body );
	}
}

// Threads take places in the list as they come, and sorting makes an order of it. Not so when it is full:
// then it is filled again, by one thread, so that those who find no room are always the same.
void gelFindBalls( struct gelWorld* world, const gelBallRound* round )
{
	gelBallStep* step = world->contact->balls;
	gelFindTask task = { world, round };
	Find( &task, true );
	if ( atomic_load( &step->foundCount ) > step->contactCapacity ) Find( &task, false );
	int found = atomic_load( &step->foundCount );
	step->contactCount = gelMinInt( found, step->contactCapacity );
	world->contact->counters.droppedContactCount += found - step->contactCount;
	world->contact->counters.droppedPairCount += atomic_load( &step->droppedPairCount );
}
