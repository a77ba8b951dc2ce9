// SPDX-License-Identifier: MIT
// Saving, restoring and hashing of states, and teleporting.
#include "world/body_state.h"

#include "constraints/constraint_set.h"
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_step.h"
#include "solvers/solver.h"
#include "state/coarse_tree.h"
#include "state/world.h"

#include <string.h>

#define GEL_STATE_MAGIC   0x534C4547u // "GELS"
#define GEL_WORLD_MAGIC   0x574C4547u // "GELW"
#define GEL_STATE_VERSION 3u          // 1: without loads of contacts; 2: without gelBodyContact.seen
#define GEL_WORLD_VERSION 2u          // 1: without colliders

// In front of a state. Little-endian machines write what little-endian machines read.
typedef struct gelStateHeader
{
	uint32_t magic, version;
	uint64_t bytes;    // size of the state, with this header
	uint64_t dataHash; // XXH64 of all behind this header
	uint64_t packHash; // hash in the header of the pack, which covers all of it
	uint64_t settings; // hash of the settings that the body was made with
} gelStateHeader;
_Static_assert( sizeof( gelStateHeader ) == 40, "a header has no padding" );

// In front of the states of a world's bodies, which its colliders follow.
typedef struct gelWorldHeader
{
	uint32_t magic, version;
	uint64_t bytes;
	uint64_t dataHash; // hash of all behind this field
	uint64_t stepCount;
	gelVec3 gravity;
	int32_t bodyCount, groundContactCount, nonFiniteBodyCount;
} gelWorldHeader;
_Static_assert( sizeof( gelWorldHeader ) == 56, "a header has no padding" );

// In front of each body of a world.
typedef struct gelWorldEntry
{
	uint32_t slot, generation;
	uint64_t bytes;
} gelWorldEntry;

// ---- the list ------------------------------------------------------------------------------------------

static gelStateScalars GetScalars( const gelBody* body )
{
	uint32_t sleep = body->isAsleep ? GEL_STATE_ASLEEP : 0u;
	if ( body->contact && body->contact->isStill ) sleep |= GEL_STATE_STILL;
	if ( body->contact && body->contact->meetsOthers ) sleep |= GEL_STATE_MEETS;
	gelStateScalars out = { { body->origin[0], body->origin[1], body->origin[2] }, { 0.0 }, body->stillTime,
		sleep, body->wasPutBack, body->groundContactCount, 0.0f, 0 };
	if ( body->contact == NULL ) return out;
	memcpy( out.seenOrigin, body->contact->seenOrigin, sizeof( out.seenOrigin ) );
	out.calmSpeed = body->contact->calmSpeed;
	return out;
}

static bool AreScalars( const gelBody* body, const uint8_t* data, size_t bytes )
{
	(void)body;
	gelStateScalars s;
	GEL_ASSERT( bytes == sizeof( s ) );
	memcpy( &s, data, bytes );
	for ( int k = 0; k < 3; ++k )
	{
		if ( !( fabs( s.origin[k] ) <= 4.0 * GEL_MAX_COORDINATE ) ) return false;
		if ( !( fabs( s.seenOrigin[k] ) <= 4.0 * GEL_MAX_COORDINATE ) ) return false;
	}
	return fabsf( s.stillTime ) <= 1.0e9f &&
		s.sleep <= ( GEL_STATE_ASLEEP | GEL_STATE_STILL | GEL_STATE_MEETS ) && s.wasPutBack <= 1 &&
		s.groundContactCount >= 0 && s.calmSpeed >= 0.0f && s.calmSpeed <= 1.0e30f && s.zero == 0;
}

// Lists the state, scalars first. @param scalars memory for those @return the number of spans
static int ListState( const gelBody* body, gelStateScalars* scalars, gelStateSpan out[GEL_MAX_STATE_SPANS] )
{
	bool hasTets = body->solver->movesNodes;
	size_t n = hasTets ? (size_t)body->asset->nodeCount * sizeof( gelVec3 ) : 0;
	size_t slots = hasTets ? GEL_BLOCK_LANES * (size_t)body->asset->blockCount : 0;
	size_t pins = (size_t)body->pinCount * sizeof( gelVec3 );
	int count = 0;
	*scalars = GetScalars( body );
	out[count++] = ( gelStateSpan ){ scalars, sizeof( *scalars ), AreScalars };
	out[count++] = ( gelStateSpan ){ body->x, n, gelState_ArePositions };
	out[count++] = ( gelStateSpan ){ body->v, n, gelState_AreVectors };
	out[count++] = ( gelStateSpan ){ body->q, slots * sizeof( gelQuat ), gelState_AreQuats };
	out[count++] = ( gelStateSpan ){ body->forces, n, gelState_AreVectors };
	out[count++] = ( gelStateSpan ){ body->pinTargets, pins, gelState_ArePositions };
	if ( body->solver->listState ) count += body->solver->listState( body, out + count );
	if ( body->constraints ) count += body->constraints->calls->listState( body->constraints, out + count );
	const gelBodyContact* touch = body->contact;
	if ( touch && touch->cacheCapacity > 0 )
		out[count++] = ( gelStateSpan ){ touch->cached,
			(size_t)touch->cacheCapacity * sizeof( gelCachedContact ), gelState_AreCachedContacts };
	if ( touch && touch->seenCount > 0 )
		out[count++] = ( gelStateSpan ){ touch->seen, n, gelState_ArePositions };
	GEL_ASSERT( count <= GEL_MAX_STATE_SPANS );
	return count;
}

static uint64_t HashState( const gelBody* body )
{
	gelStateScalars scalars;
	gelStateSpan spans[GEL_MAX_STATE_SPANS];
	uint64_t parts[GEL_MAX_STATE_SPANS] = { 0 };
	int count = ListState( body, &scalars, spans );
	for ( int i = 0; i < count; ++i )
		parts[i] = spans[i].bytes > 0 ? gelPack_Hash( spans[i].data, spans[i].bytes ) : 0;
	return gelPack_Hash( parts, sizeof( parts ) );
}

uint64_t gelBody_HashState( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body ? HashState( body ) : 0;
}

uint64_t gelWorld_HashState( gelWorldId worldId )
{
	const struct gelWorld* world = worldId.world;
	if ( world == NULL ) return 0;
	uint64_t hash = gelPack_Hash( &world->def.gravity, sizeof( gelVec3 ) );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		const uint64_t parts[3] = { hash, world->live[i]->slot, HashState( world->live[i] ) };
		hash = gelPack_Hash( parts, sizeof( parts ) );
	}
	return hash;
}

// ---- saving --------------------------------------------------------------------------------------------

static size_t GetBytes( const gelBody* body )
{
	gelStateScalars scalars;
	gelStateSpan spans[GEL_MAX_STATE_SPANS];
	int count = ListState( body, &scalars, spans );
	size_t bytes = sizeof( gelStateHeader );
	for ( int i = 0; i < count; ++i )
		bytes += spans[i].bytes;
	return bytes;
}

static uint64_t HashSettings( const gelBody* body )
{
	const gelConstraintSet* set = body->constraints;
	const uint64_t settings[6] = { (uint64_t)body->solver->type, body->solver->hashSettings( body ),
		body->pinSetId, body->enableSleep, set ? (uint64_t)set->capacity : 0,
		set ? (uint64_t)set->frameCapacity : 0 };
	return gelPack_Hash( settings, sizeof( settings ) );
}

static void Save( const gelBody* body, uint8_t* buffer )
{
	gelStateScalars scalars;
	gelStateSpan spans[GEL_MAX_STATE_SPANS];
	int count = ListState( body, &scalars, spans );
	size_t offset = sizeof( gelStateHeader );
	for ( int i = 0; i < count; offset += spans[i++].bytes )
	{
		if ( spans[i].bytes > 0 ) memcpy( buffer + offset, spans[i].data, spans[i].bytes );
	}
	gelStateHeader header = { GEL_STATE_MAGIC, GEL_STATE_VERSION, offset,
		gelPack_Hash( buffer + sizeof( header ), offset - sizeof( header ) ),
		body->asset->pack.header->headerHash, HashSettings( body ) };
	memcpy( buffer, &header, sizeof( header ) );
}

size_t gelBody_GetStateBytes( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body ? GetBytes( body ) : 0;
}

gelResult gelBody_SaveState( gelBodyId bodyId, void* buffer, size_t capacity )
{
	const gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( buffer == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( capacity < GetBytes( body ) ) return gel_errorFull;
	Save( body, buffer );
	return gel_success;
}

// ---- judging -------------------------------------------------------------------------------------------

// Everything is judged before anything is changed.
static gelResult Judge( const gelBody* body, const uint8_t* buffer, size_t byteCount )
{
	gelStateHeader header;
	if ( byteCount < sizeof( header ) ) return gel_errorTruncated;
	memcpy( &header, buffer, sizeof( header ) );
	if ( header.magic != GEL_STATE_MAGIC ) return gel_errorNotAPack;
	if ( header.version != GEL_STATE_VERSION ) return gel_errorVersion;
	if ( header.bytes != byteCount ) return gel_errorTruncated;
	if ( header.packHash != body->asset->pack.header->headerHash ) return gel_errorUnsupported;
	if ( header.settings != HashSettings( body ) || header.bytes != GetBytes( body ) )
		return gel_errorUnsupported;
	const uint8_t* data = buffer + sizeof( header );
	if ( gelPack_Hash( data, byteCount - sizeof( header ) ) != header.dataHash ) return gel_errorChecksum;
	gelStateScalars scalars;
	gelStateSpan spans[GEL_MAX_STATE_SPANS];
	int count = ListState( body, &scalars, spans );
	for ( int i = 0; i < count; data += spans[i++].bytes )
	{
		if ( spans[i].bytes > 0 && !spans[i].isValid( body, data, spans[i].bytes ) ) return gel_errorCorrupt;
	}
	return gel_success;
}

static void Restore( gelBody* body, const uint8_t* buffer )
{
	gelStateScalars scalars;
	gelStateSpan spans[GEL_MAX_STATE_SPANS];
	int count = ListState( body, &scalars, spans );
	const uint8_t* data = buffer + sizeof( gelStateHeader );
	for ( int i = 0; i < count; data += spans[i++].bytes )
	{
		if ( spans[i].bytes > 0 ) memcpy( spans[i].data, data, spans[i].bytes );
	}
	memcpy( body->origin, scalars.origin, sizeof( body->origin ) );
	gelBody_Wake( body );
	body->stillTime = scalars.stillTime;
	body->isAsleep = ( scalars.sleep & GEL_STATE_ASLEEP ) != 0;
	body->wasPutBack = scalars.wasPutBack != 0;
	body->groundContactCount = scalars.groundContactCount;
	body->hasForces = true; // perhaps
	gelBodyContact* touch = body->contact;
	if ( touch != NULL )
	{
		touch->isStill = ( scalars.sleep & GEL_STATE_STILL ) != 0;
		touch->meetsOthers = ( scalars.sleep & GEL_STATE_MEETS ) != 0;
		touch->calmSpeed = scalars.calmSpeed;
		memcpy( touch->seenOrigin, scalars.seenOrigin, sizeof( touch->seenOrigin ) );
		touch->seenStamp = 0;
		touch->hasSeenTree = false;
		gelBodyContact_CountCached( body );
	}
	if ( body->solver->endRestore ) body->solver->endRestore( body );
	gelBody_RefitCoarse( body );
}

// Makes room for the constraints of a judged state. @return false: no memory
static bool ReserveRows( const gelAllocator* allocator, gelBody* body, const uint8_t* buffer )
{
	gelStateScalars scalars;
	gelStateSpan spans[GEL_MAX_STATE_SPANS];
	int count = ListState( body, &scalars, spans );
	const uint8_t* data = buffer + sizeof( gelStateHeader );
	for ( int i = 0; i < count && body->constraints != NULL; data += spans[i++].bytes )
	{
		if ( spans[i].data == body->constraints->slots )
			return body->constraints->calls->reserveFor( allocator, body, data );
	}
	return true;
}

int gelBody_GetStateLevel( gelBodyId bodyId, const void* buffer, size_t byteCount )
{
	const gelBody* body = gelAskBody( bodyId );
	gelStateHeader header;
	if ( body == NULL || buffer == NULL || byteCount < sizeof( header ) ) return -1;
	memcpy( &header, buffer, sizeof( header ) );
	if ( header.magic != GEL_STATE_MAGIC ) return -1;
	const gelAsset* root = body->asset->root;
	for ( int i = 0; i < root->levelCount; ++i )
	{
		if ( header.packHash == root->levels[i]->pack.header->headerHash ) return i;
	}
	return -1;
}

gelResult gelBody_RestoreState( gelBodyId bodyId, const void* buffer, size_t byteCount )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( buffer == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelResult result = Judge( body, buffer, byteCount );
	if ( result != gel_success ) return result;
	if ( !ReserveRows( &bodyId.world->def.allocator, body, buffer ) ) return gel_errorMemory;
	Restore( body, buffer );
	return gel_success;
}

// ---- worlds --------------------------------------------------------------------------------------------

size_t gelWorld_GetStateBytes( gelWorldId worldId )
{
	const struct gelWorld* world = worldId.world;
	if ( world == NULL ) return 0;
	size_t bytes = sizeof( gelWorldHeader );
	for ( int i = 0; i < world->liveCount; ++i )
		bytes += sizeof( gelWorldEntry ) + GetBytes( world->live[i] );
	return bytes + gelWorld_GetColliderBytes( world );
}

// Where the hash of a world's state begins: behind the field.
#define GEL_WORLD_HASHED offsetof( gelWorldHeader, stepCount )

gelResult gelWorld_SaveState( gelWorldId worldId, void* buffer, size_t capacity )
{
	const struct gelWorld* world = worldId.world;
	if ( world == NULL || buffer == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	size_t bytes = gelWorld_GetStateBytes( worldId );
	if ( capacity < bytes ) return gel_errorFull;
	gelWorldHeader header = { GEL_WORLD_MAGIC, GEL_WORLD_VERSION, bytes, 0, world->stepCount,
		world->def.gravity, world->liveCount, world->counters.groundContactCount,
		world->counters.nonFiniteBodyCount };
	uint8_t *start = buffer, *to = start + sizeof( header );
	memcpy( start, &header, sizeof( header ) );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		const gelBody* body = world->live[i];
		gelWorldEntry entry = { body->slot, world->slots[body->slot].generation, GetBytes( body ) };
		memcpy( to, &entry, sizeof( entry ) );
		Save( body, to + sizeof( entry ) );
		to += sizeof( entry ) + entry.bytes;
	}
	gelWorld_SaveColliders( world, to );
	header.dataHash = gelPack_Hash( start + GEL_WORLD_HASHED, bytes - GEL_WORLD_HASHED );
	memcpy( start, &header, sizeof( header ) );
	return gel_success;
}

static gelResult JudgeWorld( const struct gelWorld* world, const uint8_t* buffer, size_t byteCount )
{
	gelWorldHeader header;
	if ( byteCount < sizeof( header ) ) return gel_errorTruncated;
	memcpy( &header, buffer, sizeof( header ) );
	if ( header.magic != GEL_WORLD_MAGIC ) return gel_errorNotAPack;
	if ( header.version != GEL_WORLD_VERSION ) return gel_errorVersion;
	if ( header.bytes != byteCount ) return gel_errorTruncated;
	if ( gelPack_Hash( buffer + GEL_WORLD_HASHED, byteCount - GEL_WORLD_HASHED ) != header.dataHash )
		return gel_errorChecksum;
	if ( header.bodyCount != world->liveCount ) return gel_errorUnsupported;
	if ( !gelIsUsable( header.gravity ) ) return gel_errorCorrupt;
	size_t offset = sizeof( header );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		const gelBody* body = world->live[i];
		gelWorldEntry entry;
		if ( byteCount - offset < sizeof( entry ) ) return gel_errorCorrupt;
		memcpy( &entry, buffer + offset, sizeof( entry ) );
		offset += sizeof( entry );
		if ( entry.slot != body->slot || entry.generation != world->slots[body->slot].generation )
			return gel_errorUnsupported;
		if ( entry.bytes > byteCount - offset ) return gel_errorCorrupt;
		gelResult result = Judge( body, buffer + offset, (size_t)entry.bytes );
		if ( result != gel_success ) return result;
		offset += (size_t)entry.bytes;
	}
	return gelWorld_JudgeColliders( world, buffer + offset, byteCount - offset );
}

gelResult gelWorld_RestoreState( gelWorldId worldId, const void* buffer, size_t byteCount )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL || buffer == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	gelResult result = JudgeWorld( world, buffer, byteCount );
	if ( result != gel_success ) return result;
	const uint8_t* from = (const uint8_t*)buffer + sizeof( gelWorldHeader );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		if ( !ReserveRows( &world->def.allocator, world->live[i], from + sizeof( gelWorldEntry ) ) )
			return gel_errorMemory;
		from += sizeof( gelWorldEntry ) + GetBytes( world->live[i] );
	}
	gelWorldHeader header;
	memcpy( &header, buffer, sizeof( header ) );
	world->stepCount = header.stepCount;
	world->def.gravity = header.gravity;
	world->counters.groundContactCount = header.groundContactCount;
	world->counters.nonFiniteBodyCount = header.nonFiniteBodyCount;
	if ( world->contact ) gelContactStep_Clear( world->contact );
	from = (const uint8_t*)buffer + sizeof( header );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		Restore( world->live[i], from + sizeof( gelWorldEntry ) );
		from += sizeof( gelWorldEntry ) + GetBytes( world->live[i] );
	}
	gelWorld_RestoreColliders( world, from );
	return gel_success;
}

// ---- teleporting ---------------------------------------------------------------------------------------

gelResult gelBody_Teleport( gelBodyId bodyId, gelTransform motion )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( !gelIsTransform( motion ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelQuat q = gelNormalizeQuat( motion.rotation );
	gelMat3 R = gelMakeMat3FromQuat( q );
	const double *o = body->origin, t[3] = { motion.position.x, motion.position.y, motion.position.z };
	double origin[3] = { t[0] + R.cx.x * o[0] + R.cy.x * o[1] + R.cz.x * o[2],
		t[1] + R.cx.y * o[0] + R.cy.y * o[1] + R.cz.y * o[2],
		t[2] + R.cx.z * o[0] + R.cy.z * o[1] + R.cz.z * o[2] };
	for ( int k = 0; k < 3; ++k )
	{
		if ( !( fabs( origin[k] ) <= 2.0 * GEL_MAX_COORDINATE ) )
			return GEL_CALLER_ERROR( gel_errorArgument );
	}
	gelWorld_WakeAround( bodyId.world, body );
	memcpy( body->origin, origin, sizeof( origin ) );
	body->solver->turn( body, q );
	for ( int i = 0; i < body->pinCount; ++i )
		body->pinTargets[i] = gelMulMV( R, body->pinTargets[i] );
	if ( body->constraints ) body->constraints->calls->carry( body, q, t );
	gelBodyContact_ForgetCached( body );
	gelBody_Wake( body );
	gelBody_RefitCoarse( body );
	return gel_success;
}
