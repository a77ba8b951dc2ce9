// SPDX-License-Identifier: MIT
// States of bodies. The first byte picks the solver; the rest changes a saved state at places of its own,
// whose hash is then made anew. What is accepted is stepped, and saved and restored again.
#include "fuzz.h"

#include "small_pack.h"

#include <gelpack/gelpack.h>

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 40 // magic, version, bytes, hash of the data, hash of the pack, hash of the settings
#define HASH_PLACE   16
#define STEP         ( 1.0f / 60.0f )

// Three bytes of place and four of value each.
static void ChangeState( uint8_t* state, size_t bytes, const uint8_t* changes, size_t size )
{
	for ( ; size >= 7; changes += 7, size -= 7 )
	{
		size_t place = changes[0] | (size_t)changes[1] << 8 | (size_t)changes[2] << 16;
		memcpy( state + place % ( bytes / 4 ) * 4, changes + 3, 4 );
	}
	uint64_t hash = gelPack_Hash( state + HEADER_BYTES, bytes - HEADER_BYTES );
	memcpy( state + HASH_PLACE, &hash, sizeof( hash ) );
}

static void TryState( gelWorldId world, gelBodyId body, const uint8_t* data, size_t size )
{
	size_t bytes = gelBody_GetStateBytes( body );
	uint8_t *state = malloc( bytes ), *again = malloc( bytes );
	gelDemand( gelWorld_Step( world, STEP ) == gel_success, "a body steps" );
	gelDemand( gelBody_SaveState( body, state, bytes ) == gel_success, "a state is saved" );
	ChangeState( state, bytes, data, size );
	uint64_t before = gelBody_HashState( body );
	if ( gelBody_RestoreState( body, state, bytes ) != gel_success )
		gelDemand( gelBody_HashState( body ) == before, "what is refused changes nothing" );
	for ( int i = 0; i < 3; ++i )
	{
		gelWorld_Step( world, STEP );
		gelDemand( gelBody_SaveState( body, again, bytes ) == gel_success, "a state is saved" );
		gelDemand(
			gelBody_RestoreState( body, again, bytes ) == gel_success, "a state that was saved restores" );
	}
	free( state );
	free( again );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	if ( size == 0 ) return 0;
	size_t packBytes = 0;
	uint8_t* pack = gelMakeSmallPack( &packBytes );
	gelAsset* asset = NULL;
	gelDemand( gelLoadAsset( pack, packBytes, NULL, &asset, NULL ) == gel_success, "the small pack loads" );
	free( pack );
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.bodyCapacity = 1;
	gelWorldId world;
	gelBodyId body;
	gelDemand( gelCreateWorld( &worldDef, &world ) == gel_success, "a world is made" );
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver = gelDefaultSolverDef( data[0] % 2 == 0 ? gel_solverFastCorotated : gel_solverImplicit );
	gelDemand( gelCreateBody( world, &def, &body ) == gel_success, "a body is made" );
	TryState( world, body, data + 1, size - 1 );
	gelDestroyWorld( world );
	gelDestroyAsset( asset );
	return 0;
}
