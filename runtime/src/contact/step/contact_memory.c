// SPDX-License-Identifier: MIT
#include "contact/step/contact_memory.h"

#include "contact/response/lone_contacts.h"
#include "contact/response/point_answers.h"
#include "contact/shapes/touch_points.h"
#include "state/world.h"

#include <string.h>

// | gelContactStep | proxies | pairs | todo | islands | order | events before, now | desks | finds |
static void* LayOut( gelArena* arena, const void* context )
{
	const gelWorldDef* def = context;
	int workerCount = gelCountWorkers( def ), findCount = gelMinInt( workerCount, GEL_MAX_FINDS );
	size_t bodies = (size_t)def->bodyCapacity;
	size_t pairs = def->enableContact ? (size_t)def->contactPairCapacity : 0; // else only the ground
	gelContactStep part = { .workerCount = workerCount,
		.findCount = def->enableContact ? findCount : 0,
		.pairCapacity = (int)pairs };
	gelContactStep* step = gelArena_Take( arena, 1, sizeof( gelContactStep ) );
	part.proxies = gelArena_Take( arena, bodies, sizeof( gelContactProxy ) );
	part.pairs = gelArena_Take( arena, pairs, sizeof( gelBodyPair ) );
	part.todo = gelArena_Take( arena, pairs, sizeof( int ) );
	part.seenPairs = gelArena_Take( arena, pairs, sizeof( gelSeenPair ) );
	part.islands = gelArena_Take( arena, bodies, sizeof( gelIsland ) );
	part.order = gelArena_Take( arena, bodies, sizeof( gelBody* ) );
	size_t touches = pairs + bodies; // each body may touch the ground, too
	part.events.capacity = (int)touches;
	part.events.before = gelArena_Take( arena, touches, sizeof( gelTouchRecord ) );
	part.events.now = gelArena_Take( arena, touches, sizeof( gelTouchRecord ) );
	part.desks = gelArena_Take( arena, (size_t)workerCount, sizeof( gelContactDesk ) );
	part.finds = gelArena_Take( arena, (size_t)part.findCount, sizeof( gelContactFinds ) );
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
	atomic_flag_clear( &step->keptLock );
	return step;
}

void gelDestroyContactStep( const gelAllocator* allocator, gelContactStep* step )
{
	if ( step == NULL ) return;
	gelFree( allocator, step->scratch, step->scratchBytes );
	gelFree( allocator, step->deskMemory, step->deskBytes );
	gelFree( allocator, step->listMemory, step->listBytes );
	gelFree( allocator, step->floats, step->floatCount * sizeof( float ) );
	gelFree( allocator, step, step->bytes );
}

// ---- desks -----------------------------------------------------------------------------------------------

// What a worker has for a body of up to so many nodes:
// | sheet | picks | touched | heights | sides | items | floats | blend | lone |
static void LayOutDesk( gelArena* arena, int nodeCount, gelContactDesk* out )
{
	size_t n = (size_t)nodeCount, points = (size_t)gelCountTouchPoints( nodeCount );
	gelContactDesk desk = { .floatCount = gelCountAnswerFloats( (int)points ) };
	desk.sheet = gelArena_Take( arena, 1, sizeof( gelPickSheet ) );
	gelPickSheet sheet = { .picks = gelArena_Take( arena, n, sizeof( gelPick ) ) };
	sheet.touched = gelArena_Take( arena, n, sizeof( uint32_t ) );
	sheet.heights = gelArena_Take( arena, n, sizeof( float ) );
	sheet.sides = gelArena_Take( arena, n, sizeof( uint8_t ) );
	desk.items = gelArena_Take( arena, points, sizeof( gelContactItem ) );
	desk.floats = gelArena_Take( arena, desk.floatCount, sizeof( float ) );
	desk.blend = gelArena_Take( arena, ( n + 15 ) & ~(size_t)15, sizeof( float ) );
	desk.lone = gelArena_Take( arena, gelCountLoneFloats( (int)points ), sizeof( float ) );
	if ( desk.sheet == NULL ) return;
	*desk.sheet = sheet;
	*out = desk;
}

// Room for bodies of so many nodes.
static bool ReserveDesks( struct gelWorld* world, int nodeCount )
{
	gelContactStep* step = world->contact;
	if ( nodeCount <= step->deskNodes ) return true;
	gelArena arena = { 0 };
	gelContactDesk unused;
	for ( int w = 0; w < step->workerCount; ++w )
		LayOutDesk( &arena, nodeCount, &unused );
	if ( arena.overflow ||
		!gelReplaceBlock( &world->def.allocator, &step->deskMemory, &step->deskBytes, arena.bytes ) )
		return false;
	arena = ( gelArena ){ .base = step->deskMemory };
	for ( int w = 0; w < step->workerCount; ++w )
		LayOutDesk( &arena, nodeCount, step->desks + w );
	step->deskNodes = nodeCount;
	return true;
}

// ---- lists -----------------------------------------------------------------------------------------------

// Contacts that there is room for at first, for each body, and for each of the first bodies in addition: a
// heap of thirty that are thrown on each other has 45 for each, and worlds of hundreds have more than one
// heap.
#define GEL_FIRST_CONTACTS 256
#define GEL_BODY_CONTACTS  16
#define GEL_HEAP_CONTACTS  32
#define GEL_HEAP_BODIES    32

// Each body comes with its part of the room, up to gelWorldDef.contactCapacity.
static int CountContacts( const gelWorldDef* def, int bodyCount )
{
	int64_t heap = GEL_HEAP_CONTACTS * (int64_t)gelMinInt( bodyCount, GEL_HEAP_BODIES );
	int64_t room = GEL_FIRST_CONTACTS + GEL_BODY_CONTACTS * (int64_t)bodyCount + heap;
	return room < def->contactCapacity ? (int)room : def->contactCapacity;
}

// | kept | keptBefore | items | itemOrder |. Points on the ground and on shapes have items, too.
static void LayOutLists( gelArena* arena, int contacts, gelContactStep* out )
{
	out->contactCapacity = contacts;
	out->itemCapacity = 2 * contacts;
	out->kept = gelArena_Take( arena, (size_t)contacts, sizeof( gelKeptContact ) );
	out->keptBefore = gelArena_Take( arena, (size_t)contacts, sizeof( gelKeptContact ) );
	out->items = gelArena_Take( arena, 2 * (size_t)contacts, sizeof( gelContactItem ) );
	out->itemOrder = gelArena_Take( arena, 2 * (size_t)contacts, sizeof( int ) );
}

// Room for the contacts of so many bodies; those of the last step stay.
static bool ReserveLists( struct gelWorld* world, int bodyCount )
{
	gelContactStep *step = world->contact, grown = *step;
	if ( CountContacts( &world->def, bodyCount ) <= step->contactCapacity ) return true;
	int contacts = CountContacts( &world->def, bodyCount + bodyCount / 4 ); // bodies come one by one
	gelArena arena = { 0 };
	LayOutLists( &arena, contacts, &grown );
	void* memory = arena.overflow ? NULL : gelAllocate( &world->def.allocator, arena.bytes );
	if ( memory == NULL ) return false;
	grown.listMemory = memory;
	grown.listBytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	LayOutLists( &arena, contacts, &grown );
	if ( step->itemCount > 0 )
		memcpy( grown.items, step->items, (size_t)step->itemCount * sizeof( gelContactItem ) );
	gelFree( &world->def.allocator, step->listMemory, step->listBytes );
	grown.seenPairCount = 0; // looked at again
	*step = grown;
	return true;
}

// Floats for the answers of points (point_answers.h) for each body of the world, as all of them may be in
// islands: some eighty points each. What does not fit is solved by stand-ins.
#define GEL_BODY_FLOATS ( 83u * 80u )

// Bodies that there are answers for at least, and at most.
#define GEL_MIN_ANSWER_BODIES 4
#define GEL_MAX_ANSWER_BODIES 128

static bool ReserveFloats( struct gelWorld* world, int bodyCount )
{
	gelContactStep* step = world->contact;
	int count = GEL_MIN_ANSWER_BODIES;
	while ( count < bodyCount && count < GEL_MAX_ANSWER_BODIES )
		count *= 2;
	size_t floatCount = GEL_BODY_FLOATS * (size_t)count;
	if ( floatCount <= step->floatCount ) return true;
	void* memory = step->floats;
	size_t bytes = step->floatCount * sizeof( float );
	if ( !gelReplaceBlock( &world->def.allocator, &memory, &bytes, floatCount * sizeof( float ) ) )
		return false;
	step->floats = memory;
	step->floatCount = floatCount;
	return true;
}

bool gelContactStep_Reserve( struct gelWorld* world, const gelAsset* asset )
{
	int bodyCount = world->liveCount + 1;
	if ( !ReserveDesks( world, asset->nodeCount ) ) return false;
	if ( !world->def.enableContact || asset->coarseCount == 0 ) return true;
	return ReserveLists( world, bodyCount ) && ReserveFloats( world, bodyCount ) &&
		gelReserveContactScratch( world, asset );
}
