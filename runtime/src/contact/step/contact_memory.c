// SPDX-License-Identifier: MIT
#include "contact/step/contact_memory.h"

#include "contact/response/point_answers.h"
#include "contact/shapes/touch_points.h"
#include "state/world.h"

static void* LayOut( gelArena* arena, const void* context )
{
	const gelWorldDef* def = context;
	int workerCount = gelCountWorkers( def );
	bool hasPairs = def->enableContact; // else there is nothing but the ground
	size_t bodies = (size_t)def->bodyCapacity, pairs = (size_t)( hasPairs ? def->contactPairCapacity : 0 );
	size_t contacts = hasPairs ? (size_t)def->contactCapacity : 0;
	gelContactStep part = { .workerCount = workerCount,
		.pairCapacity = (int)pairs,
		.contactCapacity = (int)contacts,
		.itemCapacity = 2 * (int)contacts };
	gelContactStep* step = gelArena_Take( arena, 1, sizeof( gelContactStep ) );
	part.proxies = gelArena_Take( arena, bodies, sizeof( gelContactProxy ) );
	part.pairs = gelArena_Take( arena, pairs, sizeof( gelBodyPair ) );
	part.todo = gelArena_Take( arena, pairs, sizeof( int ) );
	part.kept = gelArena_Take( arena, contacts, sizeof( gelKeptContact ) );
	part.items = gelArena_Take( arena, 2 * contacts, sizeof( gelContactItem ) );
	part.islands = gelArena_Take( arena, bodies, sizeof( gelIsland ) );
	part.order = gelArena_Take( arena, bodies, sizeof( gelBody* ) );
	size_t touches = pairs + bodies; // each body may touch the ground, too
	part.events.capacity = (int)touches;
	part.events.before = gelArena_Take( arena, touches, sizeof( gelTouchRecord ) );
	part.events.now = gelArena_Take( arena, touches, sizeof( gelTouchRecord ) );
	part.desks = gelArena_Take( arena, (size_t)workerCount, sizeof( gelContactDesk ) );
	part.finds = gelArena_Take( arena, (size_t)workerCount, sizeof( gelContactFinds ) );
	for ( int w = 0; w < workerCount; ++w )
	{
		gelContactFinds finds = { .capacity = (int)contacts };
		finds.items = gelArena_Take( arena, contacts, sizeof( gelKeptContact ) );
		finds.found = gelArena_Take( arena, hasPairs ? GEL_MAX_PAIR_CONTACTS : 0, sizeof( gelFoundContact ) );
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
	gelFree( allocator, step->deskMemory, step->deskBytes );
	gelFree( allocator, step, step->bytes );
}

// Floats for the answers of points (point_answers.h) that a worker has for each body of the world, as all of
// them may be one island: some eighty points each. What does not fit is solved by stand-ins.
#define GEL_BODY_FLOATS ( 83u * 80u )

// Bodies that the desks have room for at least, and at most: an island of more is solved by stand-ins.
#define GEL_MIN_DESK_BODIES 4
#define GEL_MAX_DESK_BODIES 128

// What a worker has for bodies of up to so many nodes:
// | sheet | picks | touched | heights | sides | items | floats | blend |
static void LayOutDesk( gelArena* arena, int nodeCount, int bodyCount, gelContactDesk* out )
{
	size_t n = (size_t)nodeCount, points = (size_t)gelCountTouchPoints( nodeCount );
	size_t own = gelCountAnswerFloats( (int)points ), all = GEL_BODY_FLOATS * (size_t)bodyCount;
	gelContactDesk desk = { .floatCount = own > all ? own : all };
	desk.sheet = gelArena_Take( arena, 1, sizeof( gelPickSheet ) );
	gelPickSheet sheet = { .picks = gelArena_Take( arena, n, sizeof( gelPick ) ) };
	sheet.touched = gelArena_Take( arena, n, sizeof( uint32_t ) );
	sheet.heights = gelArena_Take( arena, n, sizeof( float ) );
	sheet.sides = gelArena_Take( arena, n, sizeof( uint8_t ) );
	desk.items = gelArena_Take( arena, points, sizeof( gelContactItem ) );
	desk.floats = gelArena_Take( arena, desk.floatCount, sizeof( float ) );
	desk.blend = gelArena_Take( arena, ( n + 15 ) & ~(size_t)15, sizeof( float ) );
	if ( desk.sheet == NULL ) return;
	*desk.sheet = sheet;
	*out = desk;
}

// Room for one more body of so many nodes. Desks grow by doubling.
static bool ReserveDesks( struct gelWorld* world, int nodeCount )
{
	gelContactStep* step = world->contact;
	int bodyCount = step->deskBodies > 0 ? step->deskBodies : GEL_MIN_DESK_BODIES;
	while ( bodyCount < world->liveCount + 1 && bodyCount < GEL_MAX_DESK_BODIES )
		bodyCount *= 2;
	if ( nodeCount <= step->deskNodes && bodyCount == step->deskBodies ) return true;
	if ( nodeCount < step->deskNodes ) nodeCount = step->deskNodes;
	gelArena arena = { 0 };
	gelContactDesk unused;
	for ( int w = 0; w < step->workerCount; ++w )
		LayOutDesk( &arena, nodeCount, bodyCount, &unused );
	if ( arena.overflow ||
		!gelReplaceBlock( &world->def.allocator, &step->deskMemory, &step->deskBytes, arena.bytes ) )
		return false;
	arena = ( gelArena ){ .base = step->deskMemory };
	for ( int w = 0; w < step->workerCount; ++w )
		LayOutDesk( &arena, nodeCount, bodyCount, step->desks + w );
	step->deskNodes = nodeCount;
	step->deskBodies = bodyCount;
	return true;
}

bool gelContactStep_Reserve( struct gelWorld* world, const gelAsset* asset )
{
	if ( !ReserveDesks( world, asset->nodeCount ) ) return false;
	if ( !world->def.enableContact || asset->coarseCount == 0 ) return true;
	return gelReserveContactScratch( world, asset );
}
