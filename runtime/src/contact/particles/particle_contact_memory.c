// SPDX-License-Identifier: MIT
// Memory of contacts of ellipsoids: one block by the capacities of the world, one by the ellipsoids that
// there are.
#include "contact/particles/particle_contact.h"
#include "state/world.h"

// | gelEllipsoidStep | bodies | contacts | keys | records | merged | order | islands | bodyOrder | scratch |
// | near, inside, shapes, hasShapes of each worker |
static void* LayOut( gelArena* arena, const void* context )
{
	const gelWorldDef* def = context;
	size_t bodies = (size_t)def->bodyCapacity, workers = (size_t)gelCountWorkers( def );
	size_t contacts = (size_t)def->contactCapacity;
	gelEllipsoidStep part = { .contactCapacity = def->contactCapacity };
	gelEllipsoidStep* step = gelArena_Take( arena, 1, sizeof( gelEllipsoidStep ) );
	part.bodies = gelArena_Take( arena, bodies, sizeof( gelEllipsoidBody ) );
	part.contacts = gelArena_Take( arena, contacts, sizeof( gelEllipsoidContact ) );
	part.keys = gelArena_Take( arena, contacts, sizeof( gelEllipsoidKey ) );
	part.records.items = gelArena_Take( arena, contacts, sizeof( gelContactRecord ) );
	part.merged = gelArena_Take( arena, contacts, sizeof( gelContactRecord ) );
	part.order = gelArena_Take( arena, contacts, sizeof( int ) );
	part.islands = gelArena_Take( arena, bodies, sizeof( gelEllipsoidIsland ) );
	part.bodyOrder = gelArena_Take( arena, bodies, sizeof( int ) );
	part.scratch = gelArena_Take( arena, workers, sizeof( gelEllipsoidScratch ) );
	for ( size_t w = 0; w < workers; ++w )
	{
		gelEllipsoidScratch scratch;
		scratch.near = gelArena_Take( arena, GEL_MAX_NEAR_ELLIPSOIDS, sizeof( int ) );
		scratch.inside = gelArena_Take( arena, GEL_MAX_NEAR_ELLIPSOIDS, sizeof( int ) );
		scratch.shapes = gelArena_Take( arena, GEL_MAX_NEAR_ELLIPSOIDS, sizeof( gelSym3 ) );
		scratch.hasShapes = gelArena_Take( arena, GEL_MAX_NEAR_ELLIPSOIDS, sizeof( bool ) );
		if ( part.scratch != NULL ) part.scratch[w] = scratch;
	}
	if ( step != NULL ) *step = part;
	return step;
}

static gelEllipsoidStep* CreateBallStep( const gelWorldDef* def )
{
	size_t bytes;
	gelEllipsoidStep* step = gelCreateBlock( &def->allocator, LayOut, def, &bytes );
	if ( step == NULL ) return NULL;
	step->bytes = bytes;
	return step;
}

void gelDestroyEllipsoidStep( const gelAllocator* allocator, gelEllipsoidStep* step )
{
	if ( step == NULL ) return;
	gelFree( allocator, step->memory, step->memoryBytes );
	gelFree( allocator, step, step->bytes );
}

static int CountEllipsoids( const struct gelWorld* world )
{
	int count = 0;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		const gelBody* body = world->live[i];
		if ( gelGetParticles( body ) && body->contact ) count += gelGetParticles( body )->model->count;
	}
	return count;
}

// | ellipsoids | places | grid |
static void LayOutEllipsoids( gelArena* arena, int count, gelEllipsoidStep* out )
{
	GEL_ASSERT( count >= 0 );
	gelEllipsoid* ellipsoids = gelArena_Take( arena, (size_t)count, sizeof( gelEllipsoid ) );
	gelVec4* places = gelArena_Take( arena, (size_t)count, sizeof( gelVec4 ) );
	gelEllipsoidGrid grid = gelEllipsoidGrid_LayOut( arena, count );
	if ( ellipsoids == NULL ) return;
	out->ellipsoids = ellipsoids;
	out->places = places;
	out->grid = grid;
}

bool gelEllipsoidStep_Reserve( struct gelWorld* world, const gelAsset* asset )
{
	GEL_ASSERT( !world->isLocked );
	gelContactStep* contact = world->contact;
	if ( contact->ellipsoids == NULL ) contact->ellipsoids = CreateBallStep( &world->def );
	gelEllipsoidStep* step = contact->ellipsoids;
	if ( step == NULL ) return false;
	contact->records = &step->records;
	int needed = CountEllipsoids( world ) + gelGetParticleModel( asset )->count;
	if ( needed <= step->ellipsoidCapacity ) return true;
	needed += needed / 2; // bodies come one by one
	gelArena arena = { 0 };
	LayOutEllipsoids( &arena, needed, step );
	if ( arena.overflow ) return false;
	if ( !gelReplaceBlock( &world->def.allocator, &step->memory, &step->memoryBytes, arena.bytes ) )
		return false;
	arena = ( gelArena ){ .base = step->memory };
	LayOutEllipsoids( &arena, needed, step );
	step->ellipsoidCapacity = needed;
	return true;
}
