// SPDX-License-Identifier: MIT
#include "world/body_life.h"

#include "contact/step/contact_step.h"
#include "contact/shapes/collider_set.h"
#include "simd/levels.h"
#include "solvers/lane_scratch.h"
#include "world/solver_table.h"

#include <math.h>

#define GEL_MAX_BODY_CAPACITY  ( 1 << 24 )
#define GEL_MAX_CONTACTS       ( 1 << 24 )
#define GEL_MAX_TRIANGLE_PAIRS ( 1 << 20 )

gelWorldDef gelDefaultWorldDef( void )
{
	return ( gelWorldDef ){
		.gravity = { 0.0f, -9.81f, 0.0f },
		.ground = { .normal = { 0.0f, 1.0f, 0.0f }, .offset = 0.0f },
		.groundStaticFriction = 0.6f,
		.groundDynamicFriction = 0.5f,
		.bodyCapacity = 256,
		.colliderCapacity = 64,
		.contactCapacity = 4096,
		.contactPairCapacity = 1024,
		.cookie = GEL_COOKIE,
	};
}

static bool IsFriction( float mu )
{
	return mu >= 0.0f && mu <= 1.0e6f;
}

static bool PlaneIsValid( const gelPlane* plane )
{
	return fabsf( gelLengthSquared( plane->normal ) - 1.0f ) < 1.0e-3f &&
		fabsf( plane->offset ) <= GEL_MAX_COORDINATE;
}

static bool DefIsValid( const gelWorldDef* def )
{
	if ( def == NULL || def->cookie != GEL_COOKIE ) return false;
	if ( !gelIsUsable( def->gravity ) ) return false;
	if ( def->hasGround && !PlaneIsValid( &def->ground ) ) return false;
	if ( !IsFriction( def->groundStaticFriction ) || !IsFriction( def->groundDynamicFriction ) ) return false;
	if ( def->bodyCapacity < 1 || def->bodyCapacity > GEL_MAX_BODY_CAPACITY ) return false;
	if ( def->enableContact &&
		( def->contactCapacity < 1 || def->contactCapacity > GEL_MAX_CONTACTS ||
			def->contactPairCapacity < 1 || def->contactPairCapacity > GEL_MAX_CONTACTS ||
			def->trianglePairCapacity < 0 || def->trianglePairCapacity > GEL_MAX_TRIANGLE_PAIRS ) )
		return false;
	if ( def->colliderCapacity < 0 || def->colliderCapacity > GEL_MAX_BODY_CAPACITY ) return false;
	if ( !gelAllocator_IsValid( &def->allocator ) ) return false;
	return def->tasks.parallelFor == NULL || def->tasks.workerCount >= 1;
}

// The block of a world: | gelWorld | slots | live | order | groupFirst | colliders |
static struct gelWorld* LayOut( gelArena* arena, const gelWorldDef* def )
{
	int bodyCapacity = def->bodyCapacity, colliderCapacity = def->enableContact ? def->colliderCapacity : 0;
	struct gelWorld* world = gelArena_Take( arena, 1, sizeof( struct gelWorld ) );
	gelBodySlot* slots = gelArena_Take( arena, (size_t)bodyCapacity, sizeof( gelBodySlot ) );
	gelBody** live = gelArena_Take( arena, (size_t)bodyCapacity, sizeof( gelBody* ) );
	gelBody** order = gelArena_Take( arena, (size_t)bodyCapacity, sizeof( gelBody* ) );
	int* groupFirst = gelArena_Take( arena, (size_t)bodyCapacity + 1, sizeof( int ) );
	gelCollider* colliders = gelArena_Take( arena, (size_t)colliderCapacity, sizeof( gelCollider ) );
	if ( world )
	{
		world->order = order;
		world->groupFirst = groupFirst;
		world->slots = slots;
		world->colliders = colliders;
		world->live = live;
	}
	return world;
}

gelResult gelCreateWorld( const gelWorldDef* def, gelWorldId* outWorldId )
{
	if ( outWorldId == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outWorldId = ( gelWorldId ){ 0 };
	if ( !DefIsValid( def ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( gelFindSimdLevel( def->simd ) == gel_simdAutomatic ) return gel_errorArgument; // not this processor

	gelArena arena = { 0 };
	LayOut( &arena, def );
	void* memory = arena.overflow ? NULL : gelAllocate( &def->allocator, arena.bytes );
	if ( memory == NULL ) return gel_errorMemory;
	size_t bytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	struct gelWorld* world = LayOut( &arena, def );
	GEL_ASSERT( arena.bytes == bytes );

	if ( def->enableContact || def->hasGround )
	{
		world->contact = gelCreateContactStep( def );
		if ( world->contact == NULL )
		{
			gelFree( &def->allocator, world, bytes );
			return gel_errorMemory;
		}
	}
	world->def = *def;
	world->bytes = bytes;
	world->simd = gelFindSimdLevel( def->simd );
	float length = gelLength( def->ground.normal );
	if ( def->hasGround ) world->def.ground.normal = gelScale( 1.0f / length, def->ground.normal );
	outWorldId->world = world;
	return gel_success;
}

void gelDestroyWorld( gelWorldId worldId )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL || world->isLocked ) return;
	for ( int i = 0; i < world->liveCount; ++i )
		gelFreeBody( world, world->live[i] );
	gelWorld_FreeLanes( world );
	gelWorld_FreeColliders( world );
	const gelParticleContact* particles = gelFindParticleContact();
	if ( world->contact && particles )
		particles->destroy( &world->def.allocator, world->contact->ellipsoids );
	gelDestroyContactStep( &world->def.allocator, world->contact );
	gelAllocator allocator = world->def.allocator;
	gelFree( &allocator, world, world->bytes );
}

void gelWorld_UpdateLive( struct gelWorld* world )
{
	GEL_ASSERT( !world->isLocked );
	world->liveCount = world->quietSteps = 0;
	world->orderIsStale = true;
	for ( int i = 0; i < world->def.bodyCapacity; ++i )
	{
		if ( world->slots[i].body ) world->live[world->liveCount++] = world->slots[i].body;
	}
}

bool gelWorld_IsValid( gelWorldId worldId )
{
	return worldId.world != NULL;
}

gelResult gelWorld_SetUserData( gelWorldId worldId, void* userData )
{
	if ( worldId.world == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	worldId.world->def.userData = userData;
	return gel_success;
}

void* gelWorld_GetUserData( gelWorldId worldId )
{
	return worldId.world ? worldId.world->def.userData : NULL;
}

gelResult gelWorld_SetGravity( gelWorldId worldId, gelVec3 gravity )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL || !gelIsUsable( gravity ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	gelVec3 old = world->def.gravity;
	bool changes = old.x != gravity.x || old.y != gravity.y || old.z != gravity.z;
	world->def.gravity = gravity;
	for ( int i = 0; i < world->liveCount && changes; ++i )
		gelBody_Wake( world->live[i] );
	return gel_success;
}

gelVec3 gelWorld_GetGravity( gelWorldId worldId )
{
	return worldId.world ? worldId.world->def.gravity : ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
}

gelWorldCounters gelWorld_GetCounters( gelWorldId worldId )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL ) return ( gelWorldCounters ){ 0 };
	gelWorldCounters counters = world->counters;
	counters.stepCount = world->stepCount;
	counters.bodyCount = world->liveCount;
	counters.tetCount = counters.awakeBodyCount = 0;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		counters.tetCount += world->live[i]->asset->tetCount;
		counters.awakeBodyCount += !world->live[i]->isAsleep;
	}
	return counters;
}
