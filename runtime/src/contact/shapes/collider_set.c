// SPDX-License-Identifier: MIT
#include "contact/shapes/collider_set.h"

#include "contact/contact_lists.h"
#include "state/world.h"

#include <math.h>
#include <string.h>

// Lengths of shapes [m].
#define GEL_MAX_SHAPE 1.0e6f

gelColliderDef gelDefaultColliderDef( void )
{
	return ( gelColliderDef ){
		.transform = { .rotation = gelIdentityQuat() },
		.staticFriction = 0.6f,
		.dynamicFriction = 0.5f,
		.filter = { 1, 0xFFFFFFFFu },
		.cookie = GEL_COOKIE,
	};
}

// ---- checks --------------------------------------------------------------------------------------------

static bool IsLength( float a )
{
	return a >= 0.0f && a <= GEL_MAX_SHAPE;
}

static bool ShapeIsValid( const gelColliderDef* def )
{
	gelVec3 e = def->halfExtents;
	if ( !IsLength( def->thickness ) ) return false;
	if ( !IsLength( def->radius ) || !IsLength( def->halfLength ) ) return false;
	if ( !IsLength( e.x ) || !IsLength( e.y ) || !IsLength( e.z ) ) return false;
	switch ( def->shape )
	{
		case gel_shapePlane:
			return true;
		case gel_shapeSphere:
		case gel_shapeCapsule:
			return def->radius > 0.0f;
		case gel_shapeBox:
			return def->radius > 0.0f || ( e.x > 0.0f && e.y > 0.0f && e.z > 0.0f );
		case gel_shapeSurface:
			return def->asset != NULL;
	}
	return false;
}

static bool DefIsValid( const gelColliderDef* def )
{
	if ( def == NULL || def->cookie != GEL_COOKIE ) return false;
	if ( !( def->staticFriction >= 0.0f && def->staticFriction <= 1.0e6f ) ) return false;
	if ( !( def->dynamicFriction >= 0.0f && def->dynamicFriction <= 1.0e6f ) ) return false;
	return ShapeIsValid( def ) && gelIsTransform( def->transform );
}

// ---- shapes and poses ------------------------------------------------------------------------------------

static gelShape MakeShape( const gelColliderDef* def )
{
	gelShape shape = { .radius = def->radius };
	if ( def->shape == gel_shapePlane ) shape.isHalfSpace = true;
	if ( def->shape == gel_shapeCapsule ) shape.core.y = def->halfLength;
	if ( def->shape == gel_shapeBox ) shape.core = def->halfExtents;
	if ( def->shape == gel_shapeSurface ) // a box around it wherever it is turned, for those who must wake up
	{
		gelAabb box = gelAsset_GetInfo( def->asset ).restBounds;
		shape.core = gelMaxVec3( gelNeg( box.min ), box.max );
		shape.core = gelMaxVec3( shape.core, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	}
	return shape;
}

static gelColliderPose MakePose( const gelTransform* pose )
{
	return ( gelColliderPose ){ { pose->position.x, pose->position.y, pose->position.z },
		gelMakeMat3FromQuat( pose->rotation ) };
}

bool gelMakeQueryMotion( const gelColliderDef* def, gelColliderMotion* out )
{
	if ( !DefIsValid( def ) || def->shape == gel_shapeSurface ) return false;
	gelTransform pose = gelNormalizeTransform( def->transform );
	*out = ( gelColliderMotion ){
		.shape = MakeShape( def ), .start = MakePose( &pose ), .end = MakePose( &pose )
	};
	return true;
}

static bool IsSamePose( const gelTransform* a, const gelTransform* b )
{
	return a->position.x == b->position.x && a->position.y == b->position.y &&
		a->position.z == b->position.z && a->rotation.v.x == b->rotation.v.x &&
		a->rotation.v.y == b->rotation.v.y && a->rotation.v.z == b->rotation.v.z &&
		a->rotation.s == b->rotation.s;
}

// Whether the ball around a shape in this place reaches the box of a body, or nearly.
static bool IsNear( const gelCollider* collider, const gelTransform* pose, const gelBody* body )
{
	if ( collider->motion.shape.isHalfSpace ) return true;
	float reach = gelLength( gelShape_GetExtents( &collider->motion.shape ) ) + 0.1f * body->asset->restSize;
	gelVec3 p = gelToBody( body, pose->position );
	gelVec3 nearest = gelMaxVec3( body->box.min, gelMinVec3( body->box.max, p ) );
	return gelLengthSquared( gelSub( p, nearest ) ) <= reach * reach;
}

// Bodies that rest on a collider, or that it will meet, must notice that it moves.
static void WakeAround( struct gelWorld* world, const gelCollider* collider, const gelTransform* target )
{
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		if ( IsNear( collider, &collider->def.transform, body ) || IsNear( collider, target, body ) )
			gelBody_Wake( body );
	}
}

// ---- life ------------------------------------------------------------------------------------------------

// The collider of an id, or NULL when the id is null or stale.
static gelCollider* GetCollider( gelColliderId colliderId )
{
	struct gelWorld* world = colliderId.world;
	if ( world == NULL || !world->def.enableContact || colliderId.index1 == 0 ||
		colliderId.index1 > (uint32_t)world->def.colliderCapacity )
		return NULL;
	gelCollider* collider = world->colliders + ( colliderId.index1 - 1 );
	return collider->isUsed && collider->generation == colliderId.generation ? collider : NULL;
}

gelResult gelCreateCollider( gelWorldId worldId, const gelColliderDef* def, gelColliderId* outColliderId )
{
	if ( outColliderId == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outColliderId = ( gelColliderId ){ 0 };
	struct gelWorld* world = worldId.world;
	if ( world == NULL || !DefIsValid( def ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( !world->def.enableContact ) return gel_errorUnsupported;
	bool hasSurface = def->shape == gel_shapeSurface;
	if ( hasSurface && def->asset->coarseCount == 0 ) return gel_errorUnsupported;
	int index = 0;
	while ( index < world->def.colliderCapacity && world->colliders[index].isUsed )
		++index;
	if ( index == world->def.colliderCapacity ) return gel_errorFull;

	gelColliderSurface* surface = NULL;
	if ( hasSurface )
	{
		if ( !gelReserveContactScratch( world, def->asset ) ) return gel_errorMemory;
		surface = gelCreateColliderSurface( &world->def.allocator, def->asset );
		if ( surface == NULL ) return gel_errorMemory;
	}
	gelCollider* collider = world->colliders + index;
	uint32_t generation = collider->generation;
	gelTransform pose = gelNormalizeTransform( def->transform );
	*collider = ( gelCollider ){ .isUsed = true,
		.generation = generation,
		.def = *def,
		.surface = surface,
		.target = pose,
		.motion = { .shape = MakeShape( def ),
			.start = MakePose( &pose ),
			.end = MakePose( &pose ),
			.staticFriction = def->staticFriction,
			.dynamicFriction = def->dynamicFriction,
			.isStill = true,
			.index = (uint32_t)index } };
	collider->def.transform = pose;
	WakeAround( world, collider, &pose );
	if ( index >= world->colliderCount ) world->colliderCount = index + 1;
	*outColliderId = ( gelColliderId ){ world, (uint32_t)index + 1, generation };
	return gel_success;
}

void gelDestroyCollider( gelColliderId colliderId )
{
	gelCollider* collider = GetCollider( colliderId );
	struct gelWorld* world = colliderId.world;
	if ( collider == NULL || world->isLocked ) return;
	WakeAround( world, collider, &collider->def.transform );
	gelFreeColliderSurface( &world->def.allocator, collider->surface );
	collider->surface = NULL;
	collider->isUsed = false;
	++collider->generation;
	gelContactStep_ForgetCollider( world->contact, colliderId.index1 );
	gelForgetLoads( world, colliderId.index1 );
	while ( world->colliderCount > 0 && !world->colliders[world->colliderCount - 1].isUsed )
		--world->colliderCount;
}

bool gelCollider_IsValid( gelColliderId colliderId )
{
	return GetCollider( colliderId ) != NULL;
}

gelResult gelCollider_SetUserData( gelColliderId colliderId, void* userData )
{
	gelCollider* collider = GetCollider( colliderId );
	if ( collider == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	collider->def.userData = userData;
	return gel_success;
}

void* gelCollider_GetUserData( gelColliderId colliderId )
{
	const gelCollider* collider = GetCollider( colliderId );
	return collider ? collider->def.userData : NULL;
}

// ---- motion ----------------------------------------------------------------------------------------------

gelResult gelCollider_SetTarget( gelColliderId colliderId, gelTransform target )
{
	gelCollider* collider = GetCollider( colliderId );
	if ( collider == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( colliderId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( !gelIsTransform( target ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	target = gelNormalizeTransform( target );
	if ( !IsSamePose( &target, &collider->def.transform ) ) WakeAround( colliderId.world, collider, &target );
	collider->target = target;
	return gel_success;
}

gelResult gelCollider_Teleport( gelColliderId colliderId, gelTransform transform )
{
	gelResult result = gelCollider_SetTarget( colliderId, transform );
	if ( result != gel_success ) return result;
	gelCollider* collider = GetCollider( colliderId );
	collider->def.transform = collider->target;
	collider->motion.start = collider->motion.end = MakePose( &collider->target );
	if ( collider->surface ) collider->surface->isStale = true;
	gelForgetLoads( colliderId.world, colliderId.index1 );
	return gel_success;
}

gelResult gelCollider_GetTransform( gelColliderId colliderId, gelTransform* outTransform )
{
	const gelCollider* collider = GetCollider( colliderId );
	if ( outTransform == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outTransform = collider ? collider->def.transform : ( gelTransform ){ .rotation = gelIdentityQuat() };
	return collider ? gel_success : gel_errorStaleId;
}

gelResult gelCollider_GetReaction( gelColliderId colliderId, gelReaction* outReaction )
{
	const gelCollider* collider = GetCollider( colliderId );
	if ( outReaction == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outReaction = collider ? collider->reaction : ( gelReaction ){ 0 };
	return collider ? gel_success : gel_errorStaleId;
}

void gelWorld_AimColliders( struct gelWorld* world )
{
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		gelCollider* collider = world->colliders + i;
		if ( !collider->isUsed ) continue;
		collider->motion.end = MakePose( &collider->target );
		collider->motion.isStill = IsSamePose( &collider->def.transform, &collider->target );
		collider->reaction = ( gelReaction ){ 0 };
	}
}

void gelWorld_BeginSteps( struct gelWorld* world )
{
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		world->colliders[i].from = world->colliders[i].def.transform;
		world->colliders[i].goal = world->colliders[i].target;
	}
}

// Along a line, and the short way round.
static gelTransform MixPoses( const gelTransform* a, const gelTransform* b, float t )
{
	GEL_ASSERT( t >= 0.0f && t <= 1.0f );
	float dot = gelDot( a->rotation.v, b->rotation.v ) + a->rotation.s * b->rotation.s;
	float s = dot < 0.0f ? -t : t;
	gelTransform pose = { gelMulAdd( a->position, t, gelSub( b->position, a->position ) ),
		{ gelMulAdd( gelScale( 1.0f - t, a->rotation.v ), s, b->rotation.v ),
			( 1.0f - t ) * a->rotation.s + s * b->rotation.s } };
	return gelNormalizeTransform( pose );
}

gelColliderPose gelCollider_GetTransformAt( const gelCollider* collider, float t )
{
	GEL_ASSERT( t >= 0.0f && t <= 1.0f );
	if ( t <= 0.0f ) return collider->motion.start;
	if ( t >= 1.0f || IsSamePose( &collider->def.transform, &collider->target ) ) return collider->motion.end;
	gelTransform pose = MixPoses( &collider->def.transform, &collider->target, t );
	return MakePose( &pose );
}

void gelWorld_AimAtPart( struct gelWorld* world, int index, int count )
{
	GEL_ASSERT( count >= 1 && index >= 0 && index < count );
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		gelCollider* collider = world->colliders + i;
		float t = (float)( index + 1 ) / (float)count;
		bool isLast = index + 1 >= count || IsSamePose( &collider->from, &collider->goal );
		if ( collider->isUsed )
			collider->target = isLast ? collider->goal : MixPoses( &collider->from, &collider->goal, t );
	}
}

void gelWorld_FreeColliders( struct gelWorld* world )
{
	for ( int i = 0; i < world->colliderCount; ++i )
		gelFreeColliderSurface( &world->def.allocator, world->colliders[i].surface );
}

void gelWorld_SettleColliders( struct gelWorld* world )
{
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		gelCollider* collider = world->colliders + i;
		if ( !collider->isUsed ) continue;
		if ( collider->surface && !IsSamePose( &collider->def.transform, &collider->target ) )
			collider->surface->isStale = true;
		collider->def.transform = collider->target;
		collider->motion.start = collider->motion.end;
	}
}

// ---- state -----------------------------------------------------------------------------------------------

// State of one collider. A count of these, 8 bytes, is in front of them.
typedef struct gelColliderEntry
{
	uint32_t index, generation;
	gelTransform pose, target;
} gelColliderEntry;
_Static_assert( sizeof( gelColliderEntry ) == 64, "an entry has no padding" );

static uint64_t CountColliders( const struct gelWorld* world )
{
	uint64_t count = 0;
	for ( int i = 0; i < world->colliderCount; ++i )
		count += world->colliders[i].isUsed;
	return count;
}

size_t gelWorld_GetColliderBytes( const struct gelWorld* world )
{
	return sizeof( uint64_t ) + (size_t)CountColliders( world ) * sizeof( gelColliderEntry );
}

void gelWorld_SaveColliders( const struct gelWorld* world, uint8_t* to )
{
	uint64_t count = CountColliders( world );
	memcpy( to, &count, sizeof( count ) );
	to += sizeof( count );
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		const gelCollider* collider = world->colliders + i;
		if ( !collider->isUsed ) continue;
		gelColliderEntry entry = { (uint32_t)i, collider->generation, collider->def.transform,
			collider->target };
		memcpy( to, &entry, sizeof( entry ) );
		to += sizeof( entry );
	}
}

gelResult gelWorld_JudgeColliders( const struct gelWorld* world, const uint8_t* from, size_t byteCount )
{
	uint64_t count;
	if ( byteCount < sizeof( count ) ) return gel_errorCorrupt;
	memcpy( &count, from, sizeof( count ) );
	if ( count != CountColliders( world ) ) return gel_errorUnsupported;
	if ( byteCount != gelWorld_GetColliderBytes( world ) ) return gel_errorCorrupt;
	from += sizeof( count );
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		const gelCollider* collider = world->colliders + i;
		if ( !collider->isUsed ) continue;
		gelColliderEntry entry;
		memcpy( &entry, from, sizeof( entry ) );
		from += sizeof( entry );
		if ( entry.index != (uint32_t)i || entry.generation != collider->generation )
			return gel_errorUnsupported;
		if ( !gelIsTransform( entry.pose ) || !gelIsTransform( entry.target ) ) return gel_errorCorrupt;
	}
	return gel_success;
}

void gelWorld_RestoreColliders( struct gelWorld* world, const uint8_t* from )
{
	from += sizeof( uint64_t );
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		gelCollider* collider = world->colliders + i;
		if ( !collider->isUsed ) continue;
		gelColliderEntry entry;
		memcpy( &entry, from, sizeof( entry ) );
		from += sizeof( entry );
		collider->def.transform = entry.pose;
		collider->target = entry.target;
		collider->motion.start = collider->motion.end = MakePose( &entry.pose );
		collider->reaction = ( gelReaction ){ 0 };
		if ( collider->surface ) collider->surface->isStale = true;
	}
}
