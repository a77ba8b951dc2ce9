// SPDX-License-Identifier: MIT
#include "world/step_groups.h"

#include "core/sort.h"

#include "simd/levels.h"
#include "solvers/lane_scratch.h"

#include <string.h>

static int CompareNumbers( uintptr_t a, uintptr_t b )
{
	return a < b ? -1 : a > b;
}

// Larger assets first; then what groups have in common. Addresses only bring equals together.
static int Compare( const void* first, const void* second, const void* context )
{
	(void)context;
	const gelBody *a = *(gelBody*const*)first, *b = *(gelBody*const*)second;
	if ( a->asset->tetCount != b->asset->tetCount ) return a->asset->tetCount > b->asset->tetCount ? -1 : 1;
	int order = CompareNumbers( (uintptr_t)a->asset, (uintptr_t)b->asset );
	if ( order == 0 ) order = CompareNumbers( (uintptr_t)a->solver->type, (uintptr_t)b->solver->type );
	if ( order == 0 ) order = CompareNumbers( (uintptr_t)a->solver, (uintptr_t)b->solver );
	if ( order == 0 && a->pinSetId != b->pinSetId ) order = a->pinSetId < b->pinSetId ? -1 : 1;
	if ( order == 0 && a->solver->compare ) order = a->solver->compare( a, b );
	return order;
}

// How many bodies go together at most. Threads want several groups each, so that the last one does not keep
// the others waiting; but as long as bodies go side by side, groups should fill the lanes.
static int GetGroupSize( const struct gelWorld* world, const gelBody* body )
{
	GEL_ASSERT( body->solver->step != NULL );
	const gelTaskSystem* tasks = &world->def.tasks;
	if ( tasks->parallelFor == NULL || tasks->workerCount <= 1 ) return GEL_MAX_GROUP;
	bool hasLanes = gelWorld_GetLaneScratch( world, body->asset, body->solver, 0 ) != NULL;
	int share = world->liveCount / tasks->workerCount / ( hasLanes ? 2 : 8 );
	if ( hasLanes && share < 2 * GEL_MIN_LANES )
		share = gelMinInt( 8, world->liveCount / tasks->workerCount );
	return share < 1 ? 1 : gelMinInt( share, GEL_MAX_GROUP );
}

void gelWorld_UpdateGroups( struct gelWorld* world )
{
	GEL_ASSERT( world->liveCount <= world->def.bodyCapacity );
	if ( !world->orderIsStale ) return;
	world->orderIsStale = false;
	memcpy( world->order, world->live, (size_t)world->liveCount * sizeof( gelBody* ) );
	gelSort( world->order, (size_t)world->liveCount, sizeof( gelBody* ), Compare, NULL );
	world->groupCount = 0;
	for ( int i = 0; i < world->liveCount; )
	{
		int end = i + 1, size = GetGroupSize( world, world->order[i] );
		while ( end < world->liveCount && end - i < size &&
			Compare( world->order + i, world->order + end, NULL ) == 0 )
			++end;
		world->groupFirst[world->groupCount++] = i;
		i = end;
	}
	world->groupFirst[world->groupCount] = world->liveCount;
}
