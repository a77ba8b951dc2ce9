// SPDX-License-Identifier: MIT
#include "solvers/lane_scratch.h"

#include "simd/levels.h"

// Larger bodies gain nothing: their state side by side falls out of the second-level cache [floats].
#define GEL_MAX_LANE_SCRATCH ( 1u << 20 )

// 0: bodies of this solver never go side by side.
static size_t CountLaneFloats( const gelAsset* asset, const gelSolver* solver )
{
	size_t floats = solver->countLaneFloats ? solver->countLaneFloats( asset ) : 0;
	return ( floats + 15 ) / 16 * 16; // whole cache lines
}

static size_t CountWorkers( const struct gelWorld* world )
{
	const gelTaskSystem* tasks = &world->def.tasks;
	return tasks->parallelFor && tasks->workerCount > 1 ? (size_t)tasks->workerCount : 1;
}

bool gelWorld_ReserveLanes( struct gelWorld* world, const gelAsset* asset, const gelSolver* solver )
{
	GEL_ASSERT( !world->isLocked );
	size_t floats = CountLaneFloats( asset, solver );
	if ( floats <= world->laneFloats || floats > GEL_MAX_LANE_SCRATCH ) return true;
	int count = 1; // the one that comes
	for ( int i = 0; i < world->liveCount && count < GEL_MIN_LANES; ++i )
		count += world->live[i]->asset == asset;
	if ( count < GEL_MIN_LANES ) return true;
	float* memory = gelAllocate( &world->def.allocator, CountWorkers( world ) * floats * sizeof( float ) );
	if ( memory == NULL ) return false;
	gelWorld_FreeLanes( world );
	world->laneScratch = memory;
	world->laneFloats = floats;
	return true;
}

size_t gelWorld_GetLaneBytes( const struct gelWorld* world )
{
	return CountWorkers( world ) * world->laneFloats * sizeof( float );
}

void gelWorld_FreeLanes( struct gelWorld* world )
{
	gelFree( &world->def.allocator, world->laneScratch, gelWorld_GetLaneBytes( world ) );
	world->laneScratch = NULL;
	world->laneFloats = 0;
}

float* gelWorld_GetLaneScratch(
	const struct gelWorld* world, const gelAsset* asset, const gelSolver* solver, int worker )
{
	GEL_ASSERT( worker >= 0 && (size_t)worker < CountWorkers( world ) );
	size_t floats = CountLaneFloats( asset, solver );
	return floats > 0 && floats <= world->laneFloats ? world->laneScratch + world->laneFloats * (size_t)worker
													 : NULL;
}
