// SPDX-License-Identifier: MIT
#include "contact/contact_lists.h"

#include "contact/detect/contact_scratch.h"
#include "state/world.h"

#include <math.h>
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

// Triangles that cross, per root of the triangles of a surface: as many as cross where two surfaces meet
// along a curve. Bears of 26,000 that are thrown on each other by the dozen come up to 18, a sphere that is
// half in another to 4.
#define GEL_PAIRS_PER_ROOT 24.0
#define GEL_LEAST_PAIRS    1024.0

static uint32_t CountPairs( const gelWorldDef* def, uint32_t triangleCount )
{
	if ( def->trianglePairCapacity > 0 ) return (uint32_t)def->trianglePairCapacity;
	double count = GEL_PAIRS_PER_ROOT * sqrt( (double)triangleCount );
	return (uint32_t)fmin( fmax( count, GEL_LEAST_PAIRS ), GEL_CONTACT_DEFAULT_PAIRS );
}

// Triangles that cross in what all finds but the first have room for: most pairs of bodies have fewer.
#define GEL_USUAL_PAIRS 512u

// | scratch | found |
static void LayOutFinds( gelArena* arena, const gelContactLimits* limits, int index, gelContactFinds* out )
{
	gelContactLimits own = *limits;
	if ( index > 0 && own.maxPairs > GEL_USUAL_PAIRS ) own.maxPairs = GEL_USUAL_PAIRS;
	void* memory = gelArena_Take( arena, gelContactScratch_GetBytes( &own ), 1 );
	out->found = gelArena_Take( arena, GEL_MAX_PAIR_CONTACTS, sizeof( gelFoundContact ) );
	if ( memory != NULL ) out->scratch = gelContactScratch_Init( &own, memory );
}

bool gelReserveContactScratch( struct gelWorld* world, const gelAsset* asset )
{
	gelContactStep* step = world->contact;
	gelContactLimits limits = step->limits;
	gelContactLimits_Include( &limits, &asset->pack );
	limits.maxPairs = CountPairs( &world->def, limits.maxTriangles );
	if ( step->scratch != NULL && memcmp( &limits, &step->limits, sizeof( limits ) ) == 0 ) return true;
	gelArena arena = { 0 };
	gelContactFinds unused = { 0 };
	for ( int i = 0; i < step->findCount; ++i )
		LayOutFinds( &arena, &limits, i, &unused );
	if ( arena.overflow ||
		!gelReplaceBlock( &world->def.allocator, &step->scratch, &step->scratchBytes, arena.bytes ) )
		return false;
	step->limits = limits;
	arena = ( gelArena ){ .base = step->scratch };
	for ( int i = 0; i < step->findCount; ++i )
		LayOutFinds( &arena, &limits, i, step->finds + i );
	return true;
}
