// SPDX-License-Identifier: MIT
// Contacts of all pairs of bodies of which one is awake. In rounds: who is touched by an awake body wakes up,
// and its pairs with others are looked at in the next round.
//
// Workers keep what they find to themselves. When there is more than the world has room for, the deepest
// contacts are kept: those of each worker's that are among the deepest of all are among the deepest of its
// own, so it does not matter who found what.
#include "state/coarse_tree.h"
#include "contact/shapes/collider_set.h"
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
		&asset->pack, asset->coarse, asset->coarseCount, body->x, body->coarse, body->frames, body->origin );
}

static int DetectPair( const struct gelWorld* world, const gelBodyPair* pair, gelContactFinds* finds )
{
	gelContactSurface a = gelBody_GetContactSurface( pair->a );
	gelContactSurface b =
		pair->b ? gelBody_GetContactSurface( pair->b ) : gelColliderSurface_Get( pair->collider->surface );
	gelDetectOptions options = gelDefaultDetectOptions();
	options.simd = world->simd;
	gelDetectStats stats;
	int count = pair->a == pair->b
		? gelDetectSelfContacts( &a, finds->scratch, &options, finds->found, GEL_MAX_PAIR_CONTACTS, &stats )
		: gelDetectContacts( &a, &b, finds->scratch, &options, finds->found, GEL_MAX_PAIR_CONTACTS, &stats );
	finds->droppedCount += (int)stats.droppedCount;
	finds->crowdedCount += stats.lostPairCount > 0;
	return count;
}

static bool IsUsable( const gelFoundContact* c )
{
	float length2 = gelLengthSquared( c->normal );
	return length2 > 0.5f && length2 < 2.0f && c->depth >= 0.0f && c->depth <= GEL_MAX_COORDINATE;
}

static void DetectPairs_Task( int begin, int end, int worker, void* context )
{
	const struct gelWorld* world = context;
	gelContactStep* step = world->contact;
	gelContactFinds* finds = step->finds + worker;
	for ( int i = begin; i < end; ++i )
	{
		gelBodyPair* pair = step->pairs + step->todo[i];
		int count = gelUntangle( pair, finds->found, DetectPair( world, pair, finds ) );
		count = gelThinContacts( pair, finds->found, count );
		pair->foundCount = 0;
		for ( int k = 0; k < count; ++k )
		{
			if ( !IsUsable( finds->found + k ) ) continue;
			gelKeptContact item = { .found = finds->found[k], .pair = step->todo[i], .index = k };
			finds->droppedCount += Keep( finds->items, &finds->count, finds->capacity, &item );
			++pair->foundCount;
		}
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
		if ( body->contact->isPaired ) gelBody_NeedCoarse( body );
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

static void Merge( gelContactStep* step )
{
	GEL_ASSERT( step->keptCount <= step->contactCapacity );
	for ( int w = 0; w < step->workerCount; ++w )
	{
		const gelContactFinds* finds = step->finds + w;
		step->counters.droppedContactCount += finds->droppedCount;
		step->counters.crowdedPairCount += finds->crowdedCount;
		for ( int i = 0; i < finds->count; ++i )
			step->counters.droppedContactCount +=
				Keep( step->kept, &step->keptCount, step->contactCapacity, finds->items + i );
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
	step->keptCount = 0;
	for ( int w = 0; w < step->workerCount; ++w )
		step->finds[w].count = step->finds[w].droppedCount = step->finds[w].crowdedCount = 0;
	while ( ListRound( step ) )
	{
		step->counters.pairCount += step->todoCount;
		gelWorld_ParallelFor( world, RefitBodies_Task, step->proxyCount, step );
		gelWorld_ParallelFor( world, DetectPairs_Task, step->todoCount, world );
		WakeTouched( step );
	}
	Merge( step );
}
