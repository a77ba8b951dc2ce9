// SPDX-License-Identifier: MIT
// Contacts of all pairs of bodies of which one is awake. In rounds: who is touched by an awake body wakes up,
// and its pairs with others are looked at in the next round.
//
// Threads add what they find to one list. When there is more than the world has room for, the deepest
// contacts are kept; the list is sorted afterwards, so it does not matter who found what when. As many
// threads look at pairs as the world has scratch for (gelContactStep.findCount). Triangles that cross by the
// thousand are looked at in the end, on one thread, which has the room.
//
// Pairs that have not moved keep the contacts that they had (contact_seen.h).
#include "state/coarse_tree.h"
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_seen.h"
#include "contact/step/contact_step.h"
#include "state/world.h"

// ---- keeping the deepest ---------------------------------------------------------------------------------

// Less worth keeping: less deep; of equals the later one.
static bool IsLess( const gelKeptContact* a, const gelKeptContact* b )
{
	if ( a->found.depth != b->found.depth ) return a->found.depth < b->found.depth;
	return a->pair != b->pair ? a->pair > b->pair : a->index > b->index;
}

static bool IsBefore( const gelKeptContact* a, const gelKeptContact* b )
{
	return a->pair != b->pair ? a->pair < b->pair : a->index < b->index;
}

typedef bool CompareFcn( const gelKeptContact* a, const gelKeptContact* b );

// Lets an item sink below those that are to be above it.
static void Sift( gelKeptContact* heap, int root, int count, CompareFcn* isAbove )
{
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && isAbove( heap + child + 1, heap + child ) ) ++child;
		if ( !isAbove( heap + child, heap + root ) ) return;
		gelKeptContact item = heap[root];
		heap[root] = heap[child];
		heap[child] = item;
		root = child;
	}
}

static void MakeHeap( gelKeptContact* items, int count, CompareFcn* isAbove )
{
	for ( int i = count / 2; i-- > 0; )
		Sift( items, i, count, isAbove );
}

// @return 1 if a contact had to go
static int Keep( gelKeptContact* items, int* count, int capacity, const gelKeptContact* item )
{
	GEL_ASSERT( *count >= 0 && *count <= capacity );
	if ( *count < capacity )
	{
		items[( *count )++] = *item;
		if ( *count == capacity ) MakeHeap( items, capacity, IsLess );
		return 0;
	}
	if ( IsLess( items, item ) )
	{
		items[0] = *item;
		Sift( items, 0, capacity, IsLess );
	}
	return 1;
}

static bool IsAfter( const gelKeptContact* a, const gelKeptContact* b )
{
	return IsBefore( b, a );
}

static void SortKept( gelKeptContact* items, int count )
{
	MakeHeap( items, count, IsAfter );
	for ( int last = count - 1; last > 0; --last )
	{
		gelKeptContact item = items[0];
		items[0] = items[last];
		items[last] = item;
		Sift( items, 0, last, IsAfter );
	}
}

// ---- detection -------------------------------------------------------------------------------------------

gelContactSurface gelBody_GetContactSurface( gelBody* body )
{
	GEL_ASSERT( body->contact != NULL && body->coarse != NULL );
	const gelAsset* asset = body->asset;
	return gelMakeContactSurface(
		&asset->pack, asset->coarse, asset->coarseCount, body->x, body->coarse, body->origin );
}

// @return how many contacts there are; isCrowded: there was no room to find all
static int DetectPair( const struct gelWorld* world, gelBodyPair* pair, gelContactFinds* finds )
{
	gelContactSurface a = gelBody_GetSeenSurface( pair->a );
	gelContactSurface b =
		pair->b ? gelBody_GetSeenSurface( pair->b ) : gelColliderSurface_Get( pair->collider->surface );
	gelDetectOptions options = gelDefaultDetectOptions();
	options.simd = world->simd;
	gelDetectStats stats;
	int count = pair->a == pair->b
		? gelDetectSelfContacts( &a, finds->scratch, &options, finds->found, GEL_MAX_PAIR_CONTACTS, &stats )
		: gelDetectContacts( &a, &b, finds->scratch, &options, finds->found, GEL_MAX_PAIR_CONTACTS, &stats );
	pair->isCrowded = stats.lostPairCount > 0;
	finds->droppedCount += (int)stats.droppedCount;
	return count;
}

static bool IsUsable( const gelFoundContact* c )
{
	float length2 = gelLengthSquared( c->normal );
	return length2 > 0.5f && length2 < 2.0f && c->depth >= 0.0f && c->depth <= GEL_MAX_COORDINATE;
}

// Adds what was found of a pair to the list of all threads.
static void KeepFound( gelContactStep* step, int index, gelContactFinds* finds, int count )
{
	gelBodyPair* pair = step->pairs + index;
	pair->foundCount = 0;
	while ( atomic_flag_test_and_set_explicit( &step->keptLock, memory_order_acquire ) )
	{
	}
	for ( int k = 0; k < count; ++k )
	{
		if ( !IsUsable( finds->found + k ) ) continue;
		gelKeptContact item = { .found = finds->found[k], .pair = index, .index = k };
		item.seenDepth = item.found.depth;
		item.found.depth = gelFollowDepth( pair, &item.found );
		finds->droppedCount += Keep( step->kept, &step->keptCount, step->contactCapacity, &item );
		++pair->foundCount;
	}
	atomic_flag_clear_explicit( &step->keptLock, memory_order_release );
}

static void LookAtPair( struct gelWorld* world, int index, gelContactFinds* finds )
{
	gelContactStep* step = world->contact;
	gelBodyPair* pair = step->pairs + index;
	if ( pair->seen != NULL )
	{
		KeepFound( step, index, finds, gelTakeSeen( step, pair, finds->found ) );
		return;
	}
	int dropped = finds->droppedCount, count = DetectPair( world, pair, finds );
	if ( pair->isCrowded && finds != step->finds )
	{
		finds->droppedCount = dropped; // the first finds will look again
		return;
	}
	finds->crowdedCount += pair->isCrowded;
	pair->isRough = pair->isCrowded;
	pair->isCrowded = false;
	count = gelUntangle( pair, finds->found, count );
	KeepFound( step, index, finds, gelThinContacts( pair, finds->found, count ) );
}

// Items are finds: each takes pairs until there are no more.
static void DetectPairs_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	struct gelWorld* world = context;
	gelContactStep* step = world->contact;
	for ( int f = begin; f < end; ++f )
	{
		for ( int i = atomic_fetch_add( &step->nextTodo, 1 ); i < step->todoCount;
			  i = atomic_fetch_add( &step->nextTodo, 1 ) )
			LookAtPair( world, step->todo[i], step->finds + f );
	}
}

static void DetectPairs( struct gelWorld* world )
{
	gelContactStep* step = world->contact;
	atomic_store( &step->nextTodo, 0 );
	gelWorld_ParallelFor( world, DetectPairs_Task, gelMinInt( step->findCount, step->todoCount ), world );
	for ( int i = 0; i < step->todoCount; ++i )
	{
		if ( step->pairs[step->todo[i]].isCrowded ) LookAtPair( world, step->todo[i], step->finds );
	}
}

// Before pairs are looked at, each body by one thread: threads that met at a body would have to wait for each
// other, and one that gives up waiting (coarse_tree.h) would lose contacts.
static void RefitBodies_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelContactStep* step = context;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* body = step->proxies[i].body;
		if ( body->contact->needsSeenTree ) gelBody_NeedSeenCoarse( body );
	}
}

// Pairs that have not been looked at, one of them awake.
static bool ListRound( gelContactStep* step )
{
	step->todoCount = 0;
	for ( int i = 0; i < step->pairCount; ++i )
	{
		gelBodyPair* pair = step->pairs + i;
		if ( pair->isDone || ( pair->a->isAsleep && ( pair->b == NULL || pair->b->isAsleep ) ) ) continue;
		pair->isDone = pair->a->contact->isPaired = true;
		if ( pair->b ) pair->b->contact->isPaired = true;
		step->todo[step->todoCount++] = i;
	}
	return step->todoCount > 0;
}

static void WakeTouched( gelContactStep* step )
{
	for ( int i = 0; i < step->todoCount; ++i )
	{
		const gelBodyPair* pair = step->pairs + step->todo[i];
		if ( pair->foundCount == 0 || pair->b == NULL || pair->a->isAsleep == pair->b->isAsleep ) continue;
		gelBody_Wake( pair->a->isAsleep ? pair->a : pair->b );
		++step->counters.wokenBodyCount;
	}
}

// Sorts the list, and gives each pair its part of it.
static void DealOut( gelContactStep* step )
{
	GEL_ASSERT( step->keptCount <= step->contactCapacity );
	for ( int i = 0; i < step->findCount; ++i )
	{
		step->counters.droppedContactCount += step->finds[i].droppedCount;
		step->counters.crowdedPairCount += step->finds[i].crowdedCount;
	}
	SortKept( step->kept, step->keptCount );
	for ( int i = 0; i < step->keptCount; ++i )
	{
		gelBodyPair* pair = step->pairs + step->kept[i].pair;
		if ( pair->keptCount++ == 0 ) pair->keptFirst = i;
	}
}

void gelGatherContacts( struct gelWorld* world )
{
	gelContactStep* step = world->contact;
	gelKeptContact* before = step->keptBefore;
	step->keptBefore = step->kept;
	step->kept = before;
	step->keptCount = 0;
	for ( int i = 0; i < step->findCount; ++i )
		step->finds[i].droppedCount = step->finds[i].crowdedCount = 0;
	while ( ListRound( step ) )
	{
		step->counters.pairCount += step->todoCount;
		gelFindSeenPairs( world );
		gelWorld_ParallelFor( world, RefitBodies_Task, step->proxyCount, step );
		DetectPairs( world );
		WakeTouched( step );
	}
	DealOut( step );
	gelRememberSeen( step );
}
