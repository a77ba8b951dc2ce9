// SPDX-License-Identifier: MIT
// Contacts of ellipsoids in order; islands of bodies that touch each other, which threads can solve at once;
// and the list of a step for the game.
#include "contact/particles/particle_contact.h"
#include "core/sort.h"
#include "state/world.h"

// ---- contacts in order -----------------------------------------------------------------------------------

// A body and the ground: between the pairs with bodies and those with colliders.
static uint64_t MakePair( const gelBody* a, const gelBody* b, uint32_t collider1 )
{
	uint64_t other = b ? b->slot : (uint64_t)collider1 - 1 + ( (uint64_t)1 << 31 );
	return (uint64_t)a->slot << 32 | other;
}

static int CompareIds( const gelEllipsoidId* a, const gelEllipsoidId* b )
{
	if ( a->pair != b->pair ) return a->pair < b->pair ? -1 : 1;
	return a->feature != b->feature ? ( a->feature < b->feature ? -1 : 1 ) : 0;
}

static int CompareKeys( const void* a, const void* b, const void* context )
{
	(void)context;
	return CompareIds( &( (const gelEllipsoidKey*)a )->id, &( (const gelEllipsoidKey*)b )->id );
}

void gelSortEllipsoidContacts( gelEllipsoidStep* step )
{
	for ( int i = 0; i < step->contactCount; ++i )
	{
		const gelEllipsoidContact* c = step->contacts + i;
		const gelBody *a = gelEllipsoidContact_GetBodyA( step, c ),
					  *b = gelEllipsoidContact_GetBodyB( step, c );
		uint64_t feature = (uint64_t)step->ellipsoids[c->a].particle << 32 | c->featureB;
		step->keys[i] = ( gelEllipsoidKey ){ { MakePair( a, b, c->collider1 ), feature }, i };
	}
	gelSort( step->keys, (size_t)step->contactCount, sizeof( gelEllipsoidKey ), CompareKeys, NULL );
}

// ---- islands ---------------------------------------------------------------------------------------------

static void StandAlone( gelBody* body )
{
	if ( body == NULL ) return;
	body->contact->parent = body;
	body->contact->island = -1;
}

static void JoinBodies( const gelEllipsoidStep* step )
{
	for ( int i = 0; i < step->contactCount; ++i )
	{
		StandAlone( gelEllipsoidContact_GetBodyA( step, step->contacts + i ) );
		StandAlone( gelEllipsoidContact_GetBodyB( step, step->contacts + i ) );
	}
	for ( int i = 0; i < step->contactCount; ++i )
	{
		const gelEllipsoidContact* c = step->contacts + i;
		gelBody *a = gelEllipsoidContact_GetBodyA( step, c ), *b = gelEllipsoidContact_GetBodyB( step, c );
		if ( b != NULL ) gelJoinIslands( a, b );
	}
}

// Islands by their first contact; their contacts are counted, then put in place.
void gelBuildEllipsoidIslands( gelEllipsoidStep* step )
{
	int sum = 0;
	step->islandCount = 0;
	JoinBodies( step );
	for ( int i = 0; i < step->contactCount; ++i )
	{
		gelBody* a = gelEllipsoidContact_GetBodyA( step, step->contacts + step->keys[i].index );
		gelBodyContact* root = gelFindIslandRoot( a )->contact;
		if ( root->island < 0 )
		{
			step->islands[step->islandCount] = ( gelEllipsoidIsland ){ 0 };
			root->island = step->islandCount++;
		}
		++step->islands[root->island].count;
	}
	for ( int i = 0; i < step->islandCount; ++i )
	{
		step->islands[i].first = sum;
		sum += step->islands[i].count;
		step->islands[i].count = 0;
	}
	for ( int i = 0; i < step->contactCount; ++i )
	{
		gelBody* a = gelEllipsoidContact_GetBodyA( step, step->contacts + step->keys[i].index );
		gelEllipsoidIsland* island = step->islands + gelFindIslandRoot( a )->contact->island;
		step->order[island->first + island->count++] = i;
	}
}

// ---- the list of a step ----------------------------------------------------------------------------------

// A disk where two spheres of these radii overlap by the depth.
static float GetArea( const gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	float a = step->ellipsoids[c->a].reach, b = c->b >= 0 ? step->ellipsoids[c->b].reach : INFINITY;
	float radius = b < INFINITY ? a * b / ( a + b ) : a;
	return 6.2831853f * radius * c->depth;
}

// Makes the record of contact i of an ordered list. @return false: it has none
typedef bool gelMakeRecordFcn(
	const gelEllipsoidStep* step, int i, const gelStepContext* ctx, gelContactRecord* out );

static bool MakeRecord(
	const gelEllipsoidStep* step, int i, const gelStepContext* ctx, gelContactRecord* out )
{
	(void)ctx;
	const gelEllipsoidKey* key = step->keys + i;
	const gelEllipsoidContact* c = step->contacts + key->index;
	gelBody *a = gelEllipsoidContact_GetBodyA( step, c ), *b = gelEllipsoidContact_GetBodyB( step, c );
	*out = ( gelContactRecord ){ .pair = key->id.pair,
		.feature = key->id.feature,
		.a = a,
		.b = b,
		.collider1 = c->collider1,
		.materialB = b ? 0 : -1,
		.pointA = gelToWorld( a, gelAdd( step->ellipsoids[c->a].x, c->armA ) ),
		.normal = c->normal,
		.depth = c->depth,
		.area = GetArea( step, c ),
		.impulse = gelMulAdd( c->force.frictionChange, c->force.lambdaChange, c->normal ) };
	out->pointB = gelMulAdd( out->pointA, c->depth, c->normal );
	if ( c->body )
		out->materialB = (int)( gelGetCellMaterial( &b->asset->pack, c->cellB ) - b->asset->pack.materials );
	return true;
}

static bool MakeGround(
	const gelEllipsoidStep* step, int i, const gelStepContext* ctx, gelContactRecord* out )
{
	gelBody* body = step->bodies[i].body;
	const gelGroundTouch* ground = &gelGetParticles( body )->ground;
	if ( body->isAsleep || !( ground->depth > 0.0f ) ) return false;
	gelVec3 point = gelToWorld( body, ground->point );
	*out = ( gelContactRecord ){ .pair = MakePair( body, NULL, 0 ),
		.feature = UINT64_MAX,
		.a = body,
		.materialB = -1,
		.pointA = point,
		.pointB = gelMulAdd( point, ground->depth, ctx->ground.normal ),
		.normal = ctx->ground.normal,
		.depth = ground->depth,
		.impulse = ground->impulse };
	return true;
}

static int CompareRecords( const gelContactRecord* a, const gelContactRecord* b )
{
	const gelEllipsoidId idA = { a->pair, a->feature }, idB = { b->pair, b->feature };
	return CompareIds( &idA, &idB );
}

// Merges two ordered lists: impulses add up over the sub-steps, places are those of the last one.
static void Merge( struct gelWorld* world, gelMakeRecordFcn* make, int newCount, const gelStepContext* ctx )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	gelContactRecord next = { 0 };
	bool hasNext = false;
	for ( int i = 0, k = 0, count = 0;; )
	{
		while ( !hasNext && k < newCount )
			hasNext = make( step, k++, ctx, &next );
		const gelContactRecord* old = i < step->records.count ? step->records.items + i : NULL;
		if ( old == NULL && !hasNext )
		{
			gelContactRecord* merged = step->merged;
			step->merged = step->records.items;
			step->records = ( gelContactRecords ){ merged, count, step->records.capacity };
			return;
		}
		int order = !hasNext ? -1 : old == NULL ? 1 : CompareRecords( old, &next );
		gelContactRecord record = order < 0 ? *old : next;
		if ( order == 0 )
		{
			record.impulse = gelAdd( next.impulse, old->impulse );
			record.depth = gelMaxFloat( next.depth, old->depth );
			record.area = gelMaxFloat( next.area, old->area );
		}
		i += order <= 0;
		hasNext = hasNext && order < 0;
		if ( count < step->contactCapacity )
			step->merged[count++] = record;
		else
			++world->contact->counters.droppedContactCount;
	}
}

void gelRecordEllipsoids( struct gelWorld* world )
{
	Merge( world, MakeRecord, world->contact->ellipsoids->contactCount, NULL );
}

void gelRecordGround( struct gelWorld* world, const gelStepContext* ctx )
{
	if ( ctx->hasGround ) Merge( world, MakeGround, world->contact->ellipsoids->bodyCount, ctx );
}

void gelCountEllipsoidRecords( struct gelWorld* world )
{
	const gelEllipsoidStep* step = world->contact->ellipsoids;
	gelContactCounters* counters = &world->contact->counters;
	for ( int i = 0; i < step->records.count; ++i )
	{
		const gelContactRecord* record = step->records.items + i;
		if ( record->b == NULL ) continue;
		++counters->contactCount;
		counters->touchingPairCount += i == 0 || record->pair != record[-1].pair;
	}
}
