// SPDX-License-Identifier: MIT
// Who has begun or ceased to touch whom. A touch is a pair of bodies, or of a body and a collider, with
// contacts in a step. Touches are kept from step to step, sorted by who it is, so that two lists tell what
// has changed. Those between sleepers stay as they are: nobody looks at them.
#include "contact/step/contact_events.h"

#include "contact/step/contact_step.h"
#include "contact/shapes/collider_set.h"
#include "state/world.h"

static int CompareIds( uint32_t a, uint32_t b )
{
	return a < b ? -1 : a > b;
}

// By slots; bodies come before colliders. A body that has taken the slot of another one is someone else.
static int CompareTouches( const gelTouchRecord* p, const gelTouchRecord* q )
{
	int order = CompareIds( p->slotA, q->slotA );
	if ( order == 0 ) order = CompareIds( p->kindB, q->kindB );
	if ( order == 0 ) order = CompareIds( p->slotB, q->slotB );
	if ( order == 0 ) order = CompareIds( p->generationA, q->generationA );
	return order != 0 ? order : CompareIds( p->generationB, q->generationB );
}

static void Sift( gelTouchRecord* heap, int root, int count )
{
	GEL_ASSERT( root >= 0 );
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && CompareTouches( heap + child, heap + child + 1 ) < 0 ) ++child;
		if ( CompareTouches( heap + root, heap + child ) >= 0 ) return;
		gelTouchRecord record = heap[root];
		heap[root] = heap[child];
		heap[child] = record;
		root = child;
	}
}

static void Sort( gelTouchRecord* records, int count )
{
	for ( int i = count / 2; i-- > 0; )
		Sift( records, i, count );
	for ( int last = count - 1; last > 0; --last )
	{
		gelTouchRecord record = records[0];
		records[0] = records[last];
		records[last] = record;
		Sift( records, 0, last );
	}
}

// ---- touches of this step
// ----------------------------------------------------------------------------------

// What a contact adds to a touch.
typedef struct gelTouchPart
{
	const gelBody *a, *b;
	uint32_t collider1;
	float area, depth;
	gelVec3 impulse; // [N s]
} gelTouchPart;

static gelTouchRecord MakeRecord( const struct gelWorld* world, const gelTouchPart* part )
{
	gelTouchRecord record = { .slotA = part->a->slot,
		.generationA = world->slots[part->a->slot].generation,
		.kindB = part->b      ? GEL_TOUCHES_BODY
			: part->collider1 ? GEL_TOUCHES_COLLIDER
							  : GEL_TOUCHES_GROUND };
	if ( record.kindB == GEL_TOUCHES_GROUND ) return record;
	record.slotB = part->b ? part->b->slot : part->collider1 - 1;
	record.generationB =
		part->b ? world->slots[record.slotB].generation : world->colliders[record.slotB].generation;
	return record;
}

// Contacts of a pair stand together: in the items, and so in the list that the game gets.
static void AddContact(
	struct gelWorld* world, gelContactEvents* events, const gelTouchPart* part, int index )
{
	GEL_ASSERT( index >= 0 && events->count <= events->capacity );
	gelTouchRecord record = MakeRecord( world, part );
	gelTouchRecord* last = events->count > 0 ? events->now + events->count - 1 : NULL;
	if ( last == NULL || CompareTouches( last, &record ) != 0 )
	{
		if ( events->count == events->capacity )
		{
			++world->contact->counters.droppedTouchCount;
			return;
		}
		record.contactFirst = index;
		last = events->now + events->count++;
		*last = record;
	}
	++last->contactCount;
	last->area += part->area;
	last->depth = fmaxf( last->depth, part->depth );
	last->impulse = gelAdd( last->impulse, part->impulse );
}

// Those of one collider stand together. @return how many there are
static int ListPoints( struct gelWorld* world, gelContactEvents* events, const gelBody* body, int index )
{
	const gelBodyContact* touch = body->contact;
	int count = 0;
	if ( touch == NULL || touch->pointStamp != world->contact->stamp ) return 0;
	for ( int i = 0; i < touch->pointCount; ++i )
	{
		const gelTouchPoint* point = touch->points + i;
		if ( !gelTouchPoint_Pushes( point ) ) continue;
		gelTouchPart part = { body, NULL, point->collider1, 0.0f, fmaxf( -point->gap, 0.0f ),
			gelScale( 1.0f / world->contact->step, point->impulse ) };
		AddContact( world, events, &part, index + count++ );
	}
	return count;
}

static void ListTouches( struct gelWorld* world, gelContactEvents* events )
{
	const gelContactStep* step = world->contact;
	int index = 0;
	for ( int i = 0; i < step->islandCount; ++i )
	{
		const gelIsland* island = step->islands + i;
		for ( int k = 0; k < island->pairItemCount; ++k )
		{
			const gelContactItem* item = step->items + island->itemFirst + k;
			gelTouchPart part = { item->a.body, item->b.body, item->collider1, item->area, item->depth,
				gelScale( 1.0f / step->step, item->impulse ) };
			AddContact( world, events, &part, index++ );
		}
	}
	for ( int i = 0; i < world->liveCount; ++i )
		index += ListPoints( world, events, world->live[i], index );
	for ( int i = 0; step->records != NULL && i < step->records->count; ++i )
	{
		const gelContactRecord* record = step->records->items + i;
		gelTouchPart part = { record->a, record->b, record->collider1, record->area, record->depth,
			record->impulse };
		AddContact( world, events, &part, index++ );
	}
}

static const gelBody* FindBody( const struct gelWorld* world, uint32_t slot, uint32_t generation )
{
	const gelBodySlot* found = world->slots + slot;
	return found->generation == generation ? found->body : NULL;
}

static bool IsAsleep( const struct gelWorld* world, const gelTouchRecord* record )
{
	const gelBody* a = FindBody( world, record->slotA, record->generationA );
	if ( a == NULL || !a->isAsleep ) return false;
	if ( record->kindB == GEL_TOUCHES_GROUND ) return true;
	if ( record->kindB == GEL_TOUCHES_COLLIDER )
	{
		const gelCollider* collider = world->colliders + record->slotB;
		return collider->isUsed && collider->generation == record->generationB;
	}
	const gelBody* b = FindBody( world, record->slotB, record->generationB );
	return b != NULL && b->isAsleep;
}

// Bodies that fell asleep in this step are in both lists.
static bool IsListed( const gelContactEvents* events, const gelTouchRecord* record )
{
	int low = 0, high = events->count;
	while ( low < high )
	{
		int middle = low + ( high - low ) / 2;
		if ( CompareTouches( events->now + middle, record ) < 0 )
			low = middle + 1;
		else
			high = middle;
	}
	return low < events->count && CompareTouches( events->now + low, record ) == 0;
}

static void KeepSleepers( const struct gelWorld* world, gelContactEvents* events )
{
	int awakeCount = events->count, added = 0;
	for ( int i = 0; i < events->beforeCount; ++i )
	{
		gelTouchRecord record = events->before[i];
		if ( !IsAsleep( world, &record ) || IsListed( events, &record ) ) continue;
		if ( awakeCount + added == events->capacity ) break;
		record.contactFirst = record.contactCount = 0;
		events->now[awakeCount + added++] = record; // behind those that are searched
	}
	events->count = awakeCount + added;
	Sort( events->now, events->count );
}

// ---- changes ---------------------------------------------------------------------------------------------

void gelContactEvents_Update( struct gelWorld* world )
{
	gelContactEvents* events = &world->contact->events;
	if ( !events->goesOn )
	{
		gelTouchRecord* old = events->before;
		events->before = events->now;
		events->beforeCount = events->count;
		events->now = old;
	}
	events->count = 0;
	ListTouches( world, events );
	Sort( events->now, events->count );
	KeepSleepers( world, events );
}

static gelContactEvent MakeEvent(
	struct gelWorld* world, const gelTouchRecord* record, gelContactEventType type )
{
	gelContactEvent event = { .type = type,
		.bodyA = { world, record->slotA + 1, record->generationA },
		.contactFirst = record->contactFirst,
		.contactCount = record->contactCount,
		.area = record->area,
		.depth = record->depth,
		.impulse = record->impulse };
	if ( record->kindB == GEL_TOUCHES_COLLIDER )
		event.colliderB = ( gelColliderId ){ world, record->slotB + 1, record->generationB };
	if ( record->kindB == GEL_TOUCHES_BODY )
		event.bodyB = ( gelBodyId ){ world, record->slotB + 1, record->generationB };
	if ( type != gel_touchEnd ) return event;
	event.contactFirst = event.contactCount = 0;
	event.area = event.depth = 0.0f;
	event.impulse = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	return event;
}

int gelWorld_GetContactEvents( gelWorldId worldId, gelContactEvent* out, int outCapacity )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL || world->contact == NULL ) return 0;
	const gelContactEvents* events = &world->contact->events;
	int i = 0, k = 0, count = 0;
	while ( i < events->beforeCount || k < events->count )
	{
		int order = i == events->beforeCount ? 1
			: k == events->count             ? -1
											 : CompareTouches( events->before + i, events->now + k );
		const gelTouchRecord* record = order < 0 ? events->before + i : events->now + k;
		gelContactEventType type = order < 0 ? gel_touchEnd : order > 0 ? gel_touchBegin : gel_touchPersist;
		bool isTold = type != gel_touchPersist || record->contactCount > 0; // sleepers have nothing to tell
		i += order <= 0;
		k += order >= 0;
		if ( !isTold ) continue;
		if ( out != NULL && count < outCapacity ) out[count] = MakeEvent( world, record, type );
		++count;
	}
	return count;
}
