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
	gelVec3 n;
	float gap = gelFindEllipsoidGap( A, B, d, a->reach, b->reach, &n );
	if ( !( gap < 0.0f ) ) return;
	gelEllipsoidContact* contact =
		gelEllipsoidStep_Add( step, i, A, n, -gap, step->bodies[b->owner].friction );
	if ( contact == NULL ) return;
	contact->b = k;
	contact->featureB = b->particle;
	gelGetEllipsoidReach( B, n, &contact->armB );
}

// Whether an ellipsoid is in a box that is `shift` away from its own space.
static bool IsInBox( const gelVec4* place, const gelAabb* box, gelVec3 shift )
{
	gelVec3 x = { place->x - shift.x, place->y - shift.y, place->z - shift.z };
	float r = place->w;
	return x.x + r >= box->min.x && x.x - r <= box->max.x && x.y + r >= box->min.y && x.y - r <= box->max.y &&
		x.z + r >= box->min.z && x.z - r <= box->max.z;
}

// Ellipsoids of B in the box of A. @return how many
static int ListInside( const gelEllipsoidStep* step, const gelEllipsoidBody* a, const gelEllipsoidBody* b,
	gelVec3 shift, const gelEllipsoidScratch* scratch )
{
	int count = 0;
	for ( int k = b->ellipsoidFirst; k < b->ellipsoidFirst + b->ellipsoidCount; ++k )
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

// A has the lower slot.
static void TestBodies( gelEllipsoidStep* step, const gelEllipsoidBody* a, const gelEllipsoidBody* b,
	const gelEllipsoidScratch* scratch )
{
	if ( a->body->isAsleep && b->body->isAsleep ) return;
	gelVec3 shift = gelGetOffset( a->body->origin, b->body->origin );
	int count = ListInside( step, a, b, shift, scratch );
	for ( int i = a->ellipsoidFirst; count > 0 && i < a->ellipsoidFirst + a->ellipsoidCount; ++i )
	{
		const gelVec4* place = step->places + i;
		if ( !IsInBox( place, &b->box, gelNeg( shift ) ) ) continue;
		gelVec3 x = { place->x + shift.x, place->y + shift.y, place->z + shift.z };
		TestAgainst( step, i, x, count, scratch );
	}
}

// Parts of one body that overlap when it is at rest, as far as their longest radii reach, never touch.
static void TestParts( gelEllipsoidStep* step, const gelEllipsoidBody* body, int i, int k )
{
	const gelParticles* p = gelGetParticles( body->body );
	int i0 = body->ellipsoidFirst + i, i1 = body->ellipsoidFirst + k;
	const gelEllipsoid *a = step->ellipsoids + i0, *b = step->ellipsoids + i1;
	float reach = a->reach + b->reach;
	gelVec3 d = gelSub( a->x, b->x );
	gelVec3 apart = gelSub( p->model->restPositions[a->slot], p->model->restPositions[b->slot] );
	if ( !( gelLengthSquared( d ) < reach * reach && gelLengthSquared( apart ) > reach * reach ) ) return;
	TestPair( step, i0, i1, gelEllipsoidStep_GetShape( step, i0 ), gelEllipsoidStep_GetShape( step, i1 ), d );
}

static void TestSelf( gelEllipsoidStep* step, const gelEllipsoidBody* body )
{
	gelContactProxy* proxies = step->proxies;
	for ( int i = 0; i < body->ellipsoidCount; ++i )
	{
		const gelVec4* at = step->places + body->ellipsoidFirst + i;
		proxies[i] = ( gelContactProxy ){ { at->x - at->w, at->y - at->w, at->z - at->w },
			{ at->x + at->w, at->y + at->w, at->z + at->w }, body->body, i };
	}
	int axis = gelSortProxies( proxies, body->ellipsoidCount );
	for ( int i = 0; i < body->ellipsoidCount; ++i )
	{
		for ( int k = i + 1; k < body->ellipsoidCount && proxies[k].low[axis] <= proxies[i].high[axis]; ++k )
		{
			int low = gelMinInt( proxies[i].index, proxies[k].index );
			TestParts( step, body, low, proxies[i].index + proxies[k].index - low );
		}
	}
}

// ---- all of them -----------------------------------------------------------------------------------------

gelEllipsoidContact* gelEllipsoidStep_Add( gelEllipsoidStep* step, int ellipsoid, gelSym3 shape,
	gelVec3 normal, float depth, const float frictionB[2] )
{
	GEL_ASSERT( ellipsoid >= 0 && ellipsoid < step->ellipsoidCount );
	int index = atomic_fetch_add_explicit( &step->foundCount, 1, memory_order_relaxed );
	if ( index >= step->contactCapacity ) return NULL;
	gelEllipsoidContact* contact = step->contacts + index;
	*contact = ( gelEllipsoidContact ){ .a = ellipsoid, .b = -1, .normal = normal, .depth = depth };
	gelGetEllipsoidReach( shape, gelNeg( normal ), &contact->armA );
	gelEllipsoidContact_SetFriction(
		contact, step->bodies[step->ellipsoids[ellipsoid].owner].friction, frictionB );
	return contact;
}

typedef struct gelFindTask
{
	struct gelWorld* world;
	const gelEllipsoidRound* round;
	int axis, proxyCount; // bodies are sorted along it
} gelFindTask;

static void FindBodies_Task( int begin, int end, int worker, void* context )
{
	const gelFindTask* task = context;
	gelEllipsoidStep* step = task->world->contact->ellipsoids;
	const gelContactProxy* proxies = task->world->contact->proxies;
	for ( int i = begin; i < end; ++i )
	{
		const gelEllipsoidBody* body = step->bodies + proxies[i].index;
		double high = proxies[i].high[task->axis];
		for ( int k = i + 1; k < task->proxyCount && proxies[k].low[task->axis] <= high; ++k )
		{
			const gelEllipsoidBody* other = step->bodies + proxies[k].index;
			if ( gelMayProxiesTouch( proxies + i, proxies + k ) )
				TestBodies(
					step, body < other ? body : other, body < other ? other : body, step->scratch + worker );
		}
		if ( body->body->isAsleep ) continue;
		gelFindEllipsoidShapes( task->world, body, task->round );
		gelFindEllipsoidSurfaces( task->world, body, task->round );
	}
}

// Boxes of bodies, for the search for pairs that all bodies have.
static void ListProxies( struct gelWorld* world, gelFindTask* task )
{
	const gelEllipsoidStep* step = world->contact->ellipsoids;
	gelContactProxy* proxies = world->contact->proxies;
	task->proxyCount = 0;
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelEllipsoidBody* body = step->bodies + i;
		if ( !body->isLost ) proxies[task->proxyCount++] = gelMakeProxy( body->body, body->box, i );
	}
	task->axis = gelSortProxies( proxies, task->proxyCount );
}

static void Find( gelFindTask* task, bool isParallel )
{
	gelEllipsoidStep* step = task->world->contact->ellipsoids;
	atomic_store( &step->foundCount, 0 );
	if ( isParallel )
		gelWorld_ParallelFor( task->world, FindBodies_Task, task->proxyCount, task );
	else
		FindBodies_Task( 0, task->proxyCount, 0, task );
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelEllipsoidBody* body = step->bodies + i;
		if ( body->touch->isSelfEnabled && !body->isLost && !body->body->isAsleep ) TestSelf( step, body );
	}
}

// Threads take places in the list as they come, and sorting makes an order of it. Not so when it is full:
// then it is filled again, by one thread, so that those who find no room are always the same.
void gelFindEllipsoids( struct gelWorld* world, const gelEllipsoidRound* round )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	gelFindTask task = { .world = world, .round = round };
	ListProxies( world, &task );
	Find( &task, true );
	if ( atomic_load( &step->foundCount ) > step->contactCapacity ) Find( &task, false );
	int found = atomic_load( &step->foundCount );
	step->contactCount = gelMinInt( found, step->contactCapacity );
	world->contact->counters.droppedContactCount += found - step->contactCount;
}
