// SPDX-License-Identifier: MIT
// Memory of contacts of ellipsoids: one block by the capacities of the world, one by the ellipsoids that
// there are.
#include "contact/particles/particle_contact.h"
#include "state/world.h"

// | gelEllipsoidStep | bodies | contacts | keys | records | merged | order | islands | scratch |
static void* LayOut( gelArena* arena, const void* context )
{
	const gelWorldDef* def = context;
	size_t bodies = (size_t)def->bodyCapacity, contacts = (size_t)def->contactCapacity;
	gelEllipsoidStep part = { .contactCapacity = def->contactCapacity,
		.workerCount = gelCountWorkers( def ) };
	gelEllipsoidStep* step = gelArena_Take( arena, 1, sizeof( gelEllipsoidStep ) );
	part.bodies = gelArena_Take( arena, bodies, sizeof( gelEllipsoidBody ) );
	part.contacts = gelArena_Take( arena, contacts, sizeof( gelEllipsoidContact ) );
	part.keys = gelArena_Take( arena, contacts, sizeof( gelEllipsoidKey ) );
	part.records.items = gelArena_Take( arena, contacts, sizeof( gelContactRecord ) );
	part.merged = gelArena_Take( arena, contacts, sizeof( gelContactRecord ) );
	part.order = gelArena_Take( arena, contacts, sizeof( int ) );
	part.islands = gelArena_Take( arena, bodies, sizeof( gelEllipsoidIsland ) );
	part.scratch = gelArena_Take( arena, (size_t)part.workerCount, sizeof( gelEllipsoidScratch ) );
	if ( step != NULL ) *step = part;
	return step;
}

static gelEllipsoidStep* CreateEllipsoidStep( const gelWorldDef* def )
{
	size_t bytes;
	gelEllipsoidStep* step = gelCreateBlock( &def->allocator, LayOut, def, &bytes );
	if ( step != NULL ) step->bytes = bytes;
	return step;
}

size_t gelEllipsoidStep_GetBytes( const gelEllipsoidStep* step )
{
	return step->bytes + step->memoryBytes;
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

// | ellipsoids | places | proxies | inside, shapes, hasShapes of each worker |
static void LayOutEllipsoids( gelArena* arena, gelEllipsoidStep* step )
{
	size_t all = (size_t)step->ellipsoidCapacity, n = (size_t)step->bodyEllipsoids;
	step->ellipsoids = gelArena_Take( arena, all, sizeof( gelEllipsoid ) );
	step->places = gelArena_Take( arena, all, sizeof( gelVec4 ) );
	step->proxies = gelArena_Take( arena, n, sizeof( gelContactProxy ) );
	for ( int w = 0; w < step->workerCount; ++w )
	{
		step->scratch[w].inside = gelArena_Take( arena, n, sizeof( int ) );
		step->scratch[w].shapes = gelArena_Take( arena, n, sizeof( gelSym3 ) );
		step->scratch[w].hasShapes = gelArena_Take( arena, n, sizeof( bool ) );
	}
}

bool gelEllipsoidStep_Reserve( struct gelWorld* world, const gelAsset* asset )
{
	GEL_ASSERT( !world->isLocked );
	gelContactStep* contact = world->contact;
	if ( contact->ellipsoids == NULL ) contact->ellipsoids = CreateEllipsoidStep( &world->def );
	gelEllipsoidStep* step = contact->ellipsoids;
	if ( step == NULL ) return false;
	contact->records = &step->records;
	int own = gelGetParticleModel( asset )->count, needed = CountEllipsoids( world ) + own;
	if ( needed <= step->ellipsoidCapacity && own <= step->bodyEllipsoids ) return true;
	gelEllipsoidStep old = *step;
	step->ellipsoidCapacity =
		gelMaxInt( needed + needed / 2, old.ellipsoidCapacity ); // bodies come one by one
	step->bodyEllipsoids = gelMaxInt( own, old.bodyEllipsoids );
	gelArena arena = { 0 };
	LayOutEllipsoids( &arena, step );
	bool isLarger = !arena.overflow &&
		gelReplaceBlock( &world->def.allocator, &step->memory, &step->memoryBytes, arena.bytes );
	if ( !isLarger )
	{
		step->ellipsoidCapacity = old.ellipsoidCapacity;
		step->bodyEllipsoids = old.bodyEllipsoids;
	}
	arena = ( gelArena ){ .base = step->memory };
	LayOutEllipsoids( &arena, step );
	return isLarger;
}
