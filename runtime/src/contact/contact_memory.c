// SPDX-License-Identifier: MIT
#include "contact/contact_memory.h"

#include "contact/detect/contact_scratch.h"
#include "state/world.h"

#include <string.h>

static void* LayOut( gelArena* arena, const void* context )
{
	const gelWorldDef* def = context;
	int workerCount = gelCountWorkers( def );
	size_t bodies = (size_t)def->bodyCapacity, pairs = (size_t)def->contactPairCapacity;
	size_t contacts = (size_t)def->contactCapacity;
	gelContactStep part = { .workerCount = workerCount,
		.pairCapacity = def->contactPairCapacity,
		.contactCapacity = def->contactCapacity,
		.itemCapacity = 2 * def->contactCapacity };
	gelContactStep* step = gelArena_Take( arena, 1, sizeof( gelContactStep ) );
	part.proxies = gelArena_Take( arena, bodies, sizeof( gelContactProxy ) );
	part.pairs = gelArena_Take( arena, pairs, sizeof( gelBodyPair ) );
	part.todo = gelArena_Take( arena, pairs, sizeof( int ) );
	part.kept = gelArena_Take( arena, contacts, sizeof( gelKeptContact ) );
	part.items = gelArena_Take( arena, 2 * contacts, sizeof( gelContactItem ) );
	part.islands = gelArena_Take( arena, bodies, sizeof( gelIsland ) );
	part.order = gelArena_Take( arena, bodies, sizeof( gelBody* ) );
	part.events.capacity = def->contactPairCapacity;
	part.events.before = gelArena_Take( arena, pairs, sizeof( gelTouchRecord ) );
	part.events.now = gelArena_Take( arena, pairs, sizeof( gelTouchRecord ) );
	part.finds = gelArena_Take( arena, (size_t)workerCount, sizeof( gelContactFinds ) );
	for ( int w = 0; w < workerCount; ++w )
	{
		gelContactFinds finds = { .capacity = def->contactCapacity };
		finds.items = gelArena_Take( arena, contacts, sizeof( gelKeptContact ) );
		finds.found = gelArena_Take( arena, GEL_MAX_PAIR_CONTACTS, sizeof( gelFoundContact ) );
		if ( part.finds ) part.finds[w] = finds;
	}
	if ( step == NULL ) return NULL;
	*step = part;
	return step;
}

gelContactStep* gelCreateContactStep( const gelWorldDef* def )
{
	size_t bytes;
	gelContactStep* step = gelCreateBlock( &def->allocator, LayOut, def, &bytes );
	if ( step == NULL ) return NULL;
	step->bytes = bytes;
	step->isEnabled = true;
	step->limits.maxPairs = GEL_CONTACT_DEFAULT_PAIRS;
	return step;
}

void gelDestroyContactStep( const gelAllocator* allocator, gelContactStep* step )
{
	if ( step == NULL ) return;
	gelFree( allocator, step->scratch, step->scratchBytes );
	gelFree( allocator, step, step->bytes );
}

bool gelContactStep_Reserve( struct gelWorld* world, const gelAsset* asset )
{
	gelContactStep* step = world->contact;
	gelContactLimits limits = step->limits;
	gelContactLimits_Include( &limits, &asset->pack );
	if ( step->scratch != NULL && memcmp( &limits, &step->limits, sizeof( limits ) ) == 0 ) return true;
	size_t each =
		( gelContactScratch_GetBytes( &limits ) + GEL_ALIGNMENT - 1 ) / GEL_ALIGNMENT * GEL_ALIGNMENT;
	size_t bytes = (size_t)step->workerCount * each;
	if ( !gelReplaceBlock( &world->def.allocator, &step->scratch, &step->scratchBytes, bytes ) ) return false;
	step->limits = limits;
	for ( int w = 0; w < step->workerCount; ++w )
		step->finds[w].scratch =
			gelContactScratch_Init( &limits, (uint8_t*)step->scratch + (size_t)w * each );
	return true;
}

void gelContactStep_Clear( gelContactStep* step )
{
	step->counters = ( gelContactCounters ){ 0 };
	step->itemCount = step->islandCount = step->orderCount = step->pairCount = step->keptCount = 0;
	if ( step->records ) step->records->count = 0;
}

// Keeps the items and records that speak neither of the body nor of the collider.
static void Forget( gelContactStep* step, const gelBody* body, uint32_t collider1 )
{
	for ( int i = 0; i < step->islandCount; ++i )
	{
		gelIsland* island = step->islands + i;
		int kept = 0;
		for ( int k = 0; k < island->itemCount; ++k )
		{
			const gelContactItem* item = step->items + island->itemFirst + k;
			bool isOfBody = body != NULL && ( item->a.body == body || item->b.body == body );
			bool isOfCollider = collider1 != 0 && item->collider1 == collider1;
			if ( !isOfBody && !isOfCollider ) step->items[island->itemFirst + kept++] = *item;
		}
		island->itemCount = kept;
	}
	gelContactRecords none = { 0 }, *records = step->records ? step->records : &none;
	int kept = 0;
	for ( int i = 0; i < records->count; ++i )
	{
		const gelContactRecord* record = records->items + i;
		bool isOfBody = body != NULL && ( record->a == body || record->b == body );
		bool isOfCollider = collider1 != 0 && record->collider1 == collider1;
		if ( !isOfBody && !isOfCollider ) records->items[kept++] = *record;
	}
	records->count = kept;
}

void gelContactStep_Forget( gelContactStep* step, const gelBody* body )
{
	GEL_ASSERT( body != NULL );
	Forget( step, body, 0 );
}

void gelContactStep_ForgetCollider( gelContactStep* step, uint32_t collider1 )
{
	GEL_ASSERT( collider1 > 0 );
	Forget( step, NULL, collider1 );
}
