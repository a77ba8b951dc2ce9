// SPDX-License-Identifier: MIT
#include "contact/contact_lists.h"

#include "contact/detect/contact_scratch.h"
#include "state/world.h"

#include <string.h>

void gelContactStep_Clear( gelContactStep* step )
{
	++step->stamp;
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
		for ( int k = 0; k < island->pairItemCount; ++k )
		{
			const gelContactItem* item = step->items + island->itemFirst + k;
			bool isOfBody = body != NULL && ( item->a.body == body || item->b.body == body );
			bool isOfCollider = collider1 != 0 && item->collider1 == collider1;
			if ( !isOfBody && !isOfCollider ) step->items[island->itemFirst + kept++] = *item;
		}
		island->pairItemCount = island->itemCount = kept;
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

// Keeps the order of what stays.
static void ForgetOther( gelBodyContact* touch, uint32_t other )
{
	int kept = 0;
	for ( int i = 0; i < touch->cachedCount; ++i )
	{
		gelCachedContact cached = touch->cached[i];
		touch->cached[i] = ( gelCachedContact ){ 0 };
		if ( ( cached.other & ~GEL_OTHER_SURFACE ) != other ) touch->cached[kept++] = cached;
	}
	touch->cachedCount = kept;
	kept = 0;
	for ( int i = 0; i < touch->pointCount; ++i )
	{
		if ( touch->points[i].collider1 != other ) touch->points[kept++] = touch->points[i];
	}
	touch->pointCount = kept;
}

void gelForgetLoads( struct gelWorld* world, uint32_t other )
{
	for ( int i = 0; i < world->liveCount; ++i )
	{
		if ( world->live[i]->contact ) ForgetOther( world->live[i]->contact, other );
	}
}

bool gelReserveContactScratch( struct gelWorld* world, const gelAsset* asset )
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
