// SPDX-License-Identifier: MIT
// All contacts of a sub-step, body by body on any thread; ellipsoids against ellipsoids.
#include "contact/particles/particle_contact.h"
#include "state/world.h"

// Searches for a normal: steps at most.
#define GEL_GAP_STEPS 5

// The gap f(n) = n . g with g = d - A n / |..| - B n / |..|, whose part across n is the gradient on the
// sphere. Its curvature is at most |d| + reachA^2 / a + reachB^2 / b, so that steps of the inverse never
// overshoot.
float gelFindEllipsoidGap( gelSym3 A, gelSym3 B, gelVec3 d, float reachA, float reachB, gelVec3* outNormal )
{
	GEL_ASSERT( reachA >= 0.0f && reachB >= 0.0f );
	float length = gelLength( d ), best = -INFINITY;
	gelVec3 n = length > 1.0e-20f ? gelScale( 1.0f / length, d ) : gelMakeVec3( 0.0f, 1.0f, 0.0f );
	*outNormal = n;
	for ( int i = 0; i < GEL_GAP_STEPS; ++i )
	{
		gelVec3 pa, pb;
		float a = gelGetEllipsoidReach( A, n, &pa ), b = gelGetEllipsoidReach( B, n, &pb );
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

// Two ellipsoids whose centers are d apart, less than they reach.
static void TestPair( gelEllipsoidStep* step, int i, int k, gelSym3 A, gelSym3 B, gelVec3 d )
{
	const gelEllipsoid *a = step->ellipsoids + i, *b = step->ellipsoids + k;
	gelVec3 n, pa, pb;
	float gap = gelFindEllipsoidGap( A, B, d, a->reach, b->reach, &n );
	if ( !( gap < 0.0f ) ) return;
	gelEllipsoidContact* contact = gelEllipsoidStep_Add( step, i );
	if ( contact == NULL ) return;
	gelGetEllipsoidReach( A, n, &pa );
	gelGetEllipsoidReach( B, n, &pb );
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

// Whether a ellipsoid is in a box that is `shift` away from its own space.
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

static bool MayBodiesTouch( const gelEllipsoidBody* a, const gelEllipsoidBody* b )
{
	if ( a->isLost || b->isLost || ( a->body->isAsleep && b->body->isAsleep ) ) return false;
	return gelBodyContact_FiltersAgree(
		a->body->contact, b->body->contact->category, b->body->contact->mask );
}

// Ellipsoids of B in the box of A. @return how many
static int ListInside( const gelEllipsoidStep* step, const gelEllipsoidBody* a, const gelEllipsoidBody* b,
	gelVec3 shift, const gelEllipsoidScratch* scratch )
{
	int count = 0;
	for ( int k = b->ellipsoidFirst;
		  k < b->ellipsoidFirst + b->ellipsoidCount && count < GEL_MAX_NEAR_ELLIPSOIDS; ++k )
	{
		if ( !IsInBox( step->places + k, &a->box, shift ) ) continue;
		scratch->inside[count] = k;
		scratch->hasShapes[count++] = false;
	}
	return count;
}

// One ellipsoid of A against those of B that are inside. Shapes are made when they are needed, not kept:
// another thread may have the same ellipsoid.
static void TestAgainst(
	gelEllipsoidStep* step, int i, gelVec3 x, int count, const gelEllipsoidScratch* scratch )
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
		if ( !hasShape ) A = gelMakeEllipsoidShape( step, i );
		if ( !scratch->hasShapes[n] ) scratch->shapes[n] = gelMakeEllipsoidShape( step, k );
		hasShape = scratch->hasShapes[n] = true;
		TestPair( step, i, k, A, scratch->shapes[n], d );
	}
}

static void TestBodies( gelEllipsoidStep* step, const gelEllipsoidBody* a, const gelEllipsoidBody* b,
	const gelEllipsoidScratch* scratch )
{
	gelVec3 shift = gelGetBodyOffset( a->body, b->body );
	if ( !DoBoxesMeet( &a->box, &b->box, shift ) || !MayBodiesTouch( a, b ) ) return;
	int count = ListInside( step, a, b, shift, scratch );
	for ( int i = a->ellipsoidFirst; count > 0 && i < a->ellipsoidFirst + a->ellipsoidCount; ++i )
	{
		const gelVec4* place = step->places + i;
		if ( !IsInBox( place, &b->box, gelNeg( shift ) ) ) continue;
		gelVec3 x = { place->x + shift.x, place->y + shift.y, place->z + shift.z };
		TestAgainst( step, i, x, count, scratch );
	}
}

// Neighbors of entry i of the grid. @return how many there are in scratch->near
static int FindNear( gelEllipsoidStep* step, int i, const gelEllipsoidScratch* scratch )
{
	int count = gelEllipsoidGrid_Query( &step->grid, i, scratch->near, GEL_MAX_NEAR_ELLIPSOIDS );
	if ( count <= GEL_MAX_NEAR_ELLIPSOIDS ) return count;
	atomic_fetch_add( &step->droppedPairCount, count - GEL_MAX_NEAR_ELLIPSOIDS );
	return GEL_MAX_NEAR_ELLIPSOIDS;
}

// Parts of one body that overlap when it is at rest, as far as their longest radii reach, never touch.
static void TestSelf( gelEllipsoidStep* step, const gelEllipsoidBody* body )
{
	const gelEllipsoidScratch* scratch = step->scratch;
	const gelVec3* rest = gelGetParticles( body->body )->model->restPositions;
	const gelEllipsoid* ellipsoids = step->ellipsoids + body->ellipsoidFirst;
	for ( int i = 0; i < body->ellipsoidCount; ++i )
	{
		const double center[3] = { ellipsoids[i].x.x, ellipsoids[i].x.y, ellipsoids[i].x.z };
		step->grid.cells[i] = gelMakeEllipsoidCell( center, ellipsoids[i].reach );
	}
	gelEllipsoidGrid_Build( &step->grid, body->ellipsoidCount );
	for ( int i = 0; i < body->ellipsoidCount; ++i )
	{
		int count = FindNear( step, i, scratch );
		for ( int n = 0; n < count; ++n )
		{
			int low = gelMinInt( i, scratch->near[n] ), high = i + scratch->near[n] - low;
			const gelEllipsoid *a = ellipsoids + low, *b = ellipsoids + high;
			float reach = a->reach + b->reach;
			gelVec3 d = gelSub( a->x, b->x );
			if ( !( gelLengthSquared( d ) < reach * reach ) ) continue;
			if ( !( gelLengthSquared( gelSub( rest[a->slot], rest[b->slot] ) ) > reach * reach ) ) continue;
			int i0 = body->ellipsoidFirst + low, i1 = body->ellipsoidFirst + high;
			TestPair( step, i0, i1, gelEllipsoidStep_GetShape( step, i0 ),
				gelEllipsoidStep_GetShape( step, i1 ), d );
		}
	}
}

// ---- all of them -----------------------------------------------------------------------------------------

gelEllipsoidContact* gelEllipsoidStep_Add( gelEllipsoidStep* step, int ellipsoid )
{
	GEL_ASSERT( ellipsoid >= 0 && ellipsoid < step->ellipsoidCount );
	int index = atomic_fetch_add_explicit( &step->foundCount, 1, memory_order_relaxed );
	if ( index >= step->contactCapacity ) return NULL;
	gelEllipsoidContact* contact = step->contacts + index;
	*contact = ( gelEllipsoidContact ){ .a = ellipsoid, .b = -1 };
	return contact;
}

typedef struct gelFindTask
{
	struct gelWorld* world;
	const gelEllipsoidRound* round;
} gelFindTask;

static void FindBodies_Task( int begin, int end, int worker, void* context )
{
	const gelFindTask* task = context;
	gelEllipsoidStep* step = task->world->contact->ellipsoids;
	const gelEllipsoidScratch* scratch = step->scratch + worker;
	for ( int i = begin; i < end; ++i )
	{
		int count = FindNear( step, i, scratch );
		for ( int n = 0; n < count; ++n )
		{
			int low = gelMinInt( i, scratch->near[n] ), high = i + scratch->near[n] - low;
			TestBodies( step, step->bodies + low, step->bodies + high, scratch ); // A has the lower slot
		}
		if ( !gelEllipsoidBody_IsActive( step->bodies + i ) ) continue;
		gelFindEllipsoidShapes( task->world, step->bodies + i, task->round );
		gelFindEllipsoidSurfaces( task->world, step->bodies + i, task->round );
	}
}

// Bodies are found by the ellipsoids around their boxes.
static void BuildGrid( gelEllipsoidStep* step )
{
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelEllipsoidBody* body = step->bodies + i;
		const double* o = body->body->origin;
		gelVec3 c = gelScale( 0.5f, gelAdd( body->box.min, body->box.max ) );
		const double center[3] = { o[0] + c.x, o[1] + c.y, o[2] + c.z };
		float radius = 0.5f * gelLength( gelSub( body->box.max, body->box.min ) );
		step->grid.cells[i] = gelMakeEllipsoidCell( center, radius );
	}
	gelEllipsoidGrid_Build( &step->grid, step->bodyCount );
}

static void Find( gelFindTask* task, bool isParallel )
{
	gelEllipsoidStep* step = task->world->contact->ellipsoids;
	atomic_store( &step->foundCount, 0 );
	atomic_store( &step->droppedPairCount, 0 );
	BuildGrid( step );
	if ( isParallel )
		gelWorld_ParallelFor( task->world, FindBodies_Task, step->bodyCount, task );
	else
		FindBodies_Task( 0, step->bodyCount, 0, task );
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelEllipsoidBody* body = step->bodies + i;
		if ( body->touch->isSelfEnabled && gelEllipsoidBody_IsActive( body ) ) TestSelf( step, body );
	}
}

// Threads take places in the list as they come, and sorting makes an order of it. Not so when it is full:
// then it is filled again, by one thread, so that those who find no room are always the same.
void gelFindEllipsoids( struct gelWorld* world, const gelEllipsoidRound* round )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	gelFindTask task = { world, round };
	Find( &task, true );
	if ( atomic_load( &step->foundCount ) > step->contactCapacity ) Find( &task, false );
	int found = atomic_load( &step->foundCount );
	step->contactCount = gelMinInt( found, step->contactCapacity );
	world->contact->counters.droppedContactCount += found - step->contactCount;
	world->contact->counters.droppedPairCount += atomic_load( &step->droppedPairCount );
}
