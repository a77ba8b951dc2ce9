// SPDX-License-Identifier: MIT
// Memory of contacts of balls: one block by the capacities of the world, one by the balls that there are.
#include "contact/particles/particle_contact.h"
#include "state/world.h"

// | gelBallStep | bodies | contacts | keys | records | merged | order | islands | bodyOrder | scratch |
// | near, inside, shapes, hasShapes of each worker |
static void* LayOut( gelArena* arena, const void* context )
{
	const gelWorldDef* def = context;
	size_t bodies = (size_t)def->bodyCapacity, workers = (size_t)gelCountWorkers( def );
	size_t contacts = (size_t)def->contactCapacity;
	gelBallStep part = { .contactCapacity = def->contactCapacity };
	gelBallStep* step = gelArena_Take( arena, 1, sizeof( gelBallStep ) );
	part.bodies = gelArena_Take( arena, bodies, sizeof( gelBallBody ) );
	part.contacts = gelArena_Take( arena, contacts, sizeof( gelBallContact ) );
	part.keys = gelArena_Take( arena, contacts, sizeof( gelBallKey ) );
	part.records.items = gelArena_Take( arena, contacts, sizeof( gelContactRecord ) );
	part.merged = gelArena_Take( arena, contacts, sizeof( gelContactRecord ) );
	part.order = gelArena_Take( arena, contacts, sizeof( int ) );
	part.islands = gelArena_Take( arena, bodies, sizeof( gelBallIsland ) );
	part.bodyOrder = gelArena_Take( arena, bodies, sizeof( int ) );
	part.scratch = gelArena_Take( arena, workers, sizeof( gelBallScratch ) );
	for ( size_t w = 0; w < workers; ++w )
	{
		gelBallScratch scratch;
		scratch.near = gelArena_Take( arena, GEL_MAX_NEAR_BALLS, sizeof( int ) );
		scratch.inside = gelArena_Take( arena, GEL_MAX_NEAR_BALLS, sizeof( int ) );
		scratch.shapes = gelArena_Take( arena, GEL_MAX_NEAR_BALLS, sizeof( gelSym3 ) );
		scratch.hasShapes = gelArena_Take( arena, GEL_MAX_NEAR_BALLS, sizeof( bool ) );
		if ( part.scratch != NULL ) part.scratch[w] = scratch;
	}
	if ( step != NULL ) *step = part;
	return step;
}

static gelBallStep* CreateBallStep( const gelWorldDef* def )
{
	size_t bytes;
	gelBallStep* step = gelCreateBlock( &def->allocator, LayOut, def, &bytes );
	if ( step == NULL ) return NULL;
	step->bytes = bytes;
	return step;
}

void gelDestroyBallStep( const gelAllocator* allocator, gelBallStep* step )
{
	if ( step == NULL ) return;
	gelFree( allocator, step->memory, step->memoryBytes );
	gelFree( allocator, step, step->bytes );
}

static int CountBalls( const struct gelWorld* world )
{
	int count = 0;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		const gelBody* body = world->live[i];
		if ( gelGetParticles( body ) && body->touch ) count += gelGetParticles( body )->model->count;
	}
	return count;
}

// | balls | places | grid |
static void LayOutBalls( gelArena* arena, int count, gelBallStep* out )
{
	gelBall* balls = gelArena_Take( arena, (size_t)count, sizeof( gelBall ) );
	gelVec4* places = gelArena_Take( arena, (size_t)count, sizeof( gelVec4 ) );
	gelBallGrid grid = gelBallGrid_LayOut( arena, count );
	if ( balls == NULL ) return;
	out->balls = balls;
	out->places = places;
	out->grid = grid;
}

bool gelBallStep_Reserve( struct gelWorld* world, const gelAsset* asset )
{
	gelContactStep* contact = world->contact;
	if ( contact->balls == NULL ) contact->balls = CreateBallStep( &world->def );
	gelBallStep* step = contact->balls;
	if ( step == NULL ) return false;
	contact->records = &step->records;
	int needed = CountBalls( world ) + gelGetParticleModel( asset )->count;
	if ( needed <= step->ballCapacity ) return true;
	needed += needed / 2; // bodies come one by one
	gelArena arena = { 0 };
	LayOutBalls( &arena, needed, step );
	if ( arena.overflow ) return false;
	if ( !gelReplaceBlock( &world->def.allocator, &step->memory, &step->memoryBytes, arena.bytes ) )
		return false;
	arena = ( gelArena ){ .base = step->memory };
	LayOutBalls( &arena, needed, step );
	step->ballCapacity = needed;
	return true;
}
