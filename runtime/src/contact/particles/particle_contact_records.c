// SPDX-License-Identifier: MIT
// Contacts of ellipsoids in order, and the list of a step for the game.
#include "contact/particles/particle_contact.h"
#include "state/cell_bounds.h"
#include "state/world.h"

// ---- contacts in order -----------------------------------------------------------------------------------

static bool IsBefore( const gelEllipsoidKey* a, const gelEllipsoidKey* b )
{
	return a->pair != b->pair ? a->pair < b->pair : a->feature < b->feature;
}

static void Sift( gelEllipsoidKey* heap, int root, int count )
{
	GEL_ASSERT( root >= 0 );
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && IsBefore( heap + child, heap + child + 1 ) ) ++child;
		if ( !IsBefore( heap + root, heap + child ) ) return;
		gelEllipsoidKey key = heap[root];
		heap[root] = heap[child];
		heap[child] = key;
		root = child;
	}
}

void gelSortEllipsoidContacts( gelEllipsoidStep* step )
{
	for ( int i = 0; i < step->contactCount; ++i )
	{
		const gelEllipsoidContact* c = step->contacts + i;
		const gelEllipsoid* a = step->ellipsoids + c->a;
		uint64_t other = (uint64_t)c->collider1 - 1 + ( (uint64_t)1 << 31 );
		if ( c->body ) other = c->body->slot;
		if ( c->b >= 0 ) other = step->bodies[step->ellipsoids[c->b].owner].body->slot;
		step->keys[i] = ( gelEllipsoidKey ){ (uint64_t)step->bodies[a->owner].body->slot << 32 | other,
			(uint64_t)a->particle << 32 | c->featureB, i };
	}
	for ( int i = step->contactCount / 2; i-- > 0; )
		Sift( step->keys, i, step->contactCount );
	for ( int last = step->contactCount - 1; last > 0; --last )
	{
		gelEllipsoidKey key = step->keys[0];
		step->keys[0] = step->keys[last];
		step->keys[last] = key;
		Sift( step->keys, 0, last );
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
	const gelEllipsoid* a = step->ellipsoids + c->a;
	gelBody* body = step->bodies[a->owner].body;
	gelContactRecord record = { .pair = key->pair,
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
		record.b = step->bodies[step->ellipsoids[c->b].owner].body;
		record.materialB = 0;
	}
	return record;
}

static int CompareRecords( const gelContactRecord* a, const gelContactRecord* b )
{
	if ( a->pair != b->pair ) return a->pair < b->pair ? -1 : 1;
	return a->feature != b->feature ? ( a->feature < b->feature ? -1 : 1 ) : 0;
}

// Merges two ordered lists: impulses add up over the sub-steps, places are those of the last one.
void gelRecordEllipsoids( struct gelWorld* world )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	int i = 0, k = 0, count = 0;
	while ( i < step->records.count || k < step->contactCount )
	{
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
