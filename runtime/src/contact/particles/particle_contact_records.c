// SPDX-License-Identifier: MIT
// Contacts of ellipsoids in order; islands of bodies that touch each other, which threads can solve at once;
// and the list of a step for the game.
#include "contact/particles/particle_contact.h"
#include "core/sort.h"
#include "state/world.h"

// ---- contacts in order -----------------------------------------------------------------------------------

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
		uint64_t other = b ? b->slot : (uint64_t)c->collider1 - 1 + ( (uint64_t)1 << 31 );
		uint64_t feature = (uint64_t)step->ellipsoids[c->a].particle << 32 | c->featureB;
		step->keys[i] = ( gelEllipsoidKey ){ { (uint64_t)a->slot << 32 | other, feature }, i };
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

static gelContactRecord MakeRecord( const gelEllipsoidStep* step, const gelEllipsoidKey* key )
{
	const gelEllipsoidContact* c = step->contacts + key->index;
	gelBody *a = gelEllipsoidContact_GetBodyA( step, c ), *b = gelEllipsoidContact_GetBodyB( step, c );
	gelContactRecord record = { .pair = key->id.pair,
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
	record.pointB = gelMulAdd( record.pointA, c->depth, c->normal );
	if ( c->body )
		record.materialB =
			(int)( gelGetCellMaterial( &b->asset->pack, c->cellB ) - b->asset->pack.materials );
	return record;
}

static int CompareRecords( const gelContactRecord* a, const gelContactRecord* b )
{
	const gelEllipsoidId idA = { a->pair, a->feature }, idB = { b->pair, b->feature };
	return CompareIds( &idA, &idB );
}

// Merges two ordered lists: impulses add up over the sub-steps, places are those of the last one.
void gelRecordEllipsoids( struct gelWorld* world )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	int i = 0, k = 0, count = 0;
	while ( i < step->records.count || k < step->contactCount )
	{
		if ( k < step->contactCount && gelEllipsoidContact_IsGround( step->contacts + step->keys[k].index ) )
		{
			++k;
			continue;
		}
		gelContactRecord next;
		if ( k < step->contactCount ) next = MakeRecord( step, step->keys + k );
		int order = k == step->contactCount ? -1
			: i == step->records.count      ? 1
											: CompareRecords( step->records.items + i, &next );
		if ( order < 0 ) next = step->records.items[i];
		if ( order == 0 )
		{
			next.impulse = gelAdd( next.impulse, step->records.items[i].impulse );
			next.depth = gelMaxFloat( next.depth, step->records.items[i].depth );
			next.area = gelMaxFloat( next.area, step->records.items[i].area );
		}
		i += order <= 0;
		k += order >= 0;
		if ( count < step->contactCapacity )
			step->merged[count++] = next;
		else
			++world->contact->counters.droppedContactCount;
	}
	gelContactRecord* old = step->records.items;
	step->records.items = step->merged;
	step->merged = old;
	step->records.count = count;
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
