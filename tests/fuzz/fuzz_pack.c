// SPDX-License-Identifier: MIT
// Every input is tried as it is and with its hashes repaired, for else fuzzing would end at the checksums.
// What is accepted is read completely, asked all that can be asked, and stepped by every solver, in contact;
// states that it saves are taken back.
#include "fuzz.h"
#include "pack_drive.h"
#include "small_pack.h"

#include <gelpack/gelpack.h>

#include <stdlib.h>
#include <string.h>

#define MAX_DRIVEN_BYTES ( (size_t)1 << 18 ) // larger ones would be slow rather than new

// Save, go on, take it back: the same state.
static void CheckState( gelWorldId world, float step )
{
	size_t bytes = gelWorld_GetStateBytes( world );
	void* state = malloc( bytes );
	gelDemand( gelWorld_SaveState( world, state, bytes ) == gel_success, "a state can be saved" );
	uint64_t hash = gelWorld_HashState( world );
	gelWorld_Step( world, step );
	gelDemand(
		gelWorld_RestoreState( world, state, bytes ) == gel_success, "a state that was saved restores" );
	gelDemand( gelWorld_HashState( world ) == hash, "a state that was restored is the one that was saved" );
	free( state );
}

// Two bodies, one in the other, on the ground and on a ball.
static void DriveSolver( const gelAsset* asset, const gelFactorInfo* factor, int solver )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.enableContact = true;
	worldDef.bodyCapacity = 2;
	gelWorldId world;
	if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return;
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver = gelDefaultSolverDef( (gelSolverType)solver );
	def.pinSetId = solver == gel_solverOrientedParticles ? 0 : factor->pinSetId;
	for ( int i = 0; i < 2; ++i )
	{
		gelBodyId body;
		def.transform.position.y = 0.05f * (float)i;
		if ( gelCreateBody( world, &def, &body ) != gel_success ) break;
	}
	for ( int i = 0; i < 3; ++i )
	{
		if ( gelWorld_Step( world, factor->step ) != gel_success ) break;
		CheckState( world, factor->step );
	}
	gelDestroyWorld( world );
}

static void DriveSolvers( const uint8_t* bytes, size_t byteCount )
{
	gelAsset* asset;
	gelFactorInfo factors[4];
	if ( gelLoadAsset( bytes, byteCount, NULL, &asset, NULL ) != gel_success ) return;
	int count = gelAsset_GetFactors( asset, factors, 4 );
	for ( int i = 0; i < count && i < 2; ++i )
	{
		for ( int solver = gel_solverFastCorotated; solver <= gel_solverOrientedParticles; ++solver )
			DriveSolver( asset, factors + i, solver );
	}
	gelDestroyAsset( asset );
}

static void Try( const uint8_t* bytes, size_t byteCount )
{
	size_t scratchBytes = gelPack_ScratchBytes( bytes, byteCount );
	if ( scratchBytes > 16 + byteCount ) abort();
	void* scratch = malloc( scratchBytes );
	gelPackView view;
	gelPackFault fault;
	gelPackCode code = gelPack_Open( bytes, byteCount, scratch, scratchBytes, 0, &view, &fault );
	free( scratch );
	if ( code != gel_packOk ) return;
	gelTouchPack( &view );
	if ( byteCount > MAX_DRIVEN_BYTES ) return;
	gelDemand( gelDrivePack( bytes, byteCount ), "one reader for all" );
	DriveSolvers( bytes, byteCount );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	uint8_t* bytes;
	if ( posix_memalign( (void**)&bytes, GEL_PACK_ALIGNMENT, size ? size : 1 ) != 0 ) return 0;
	if ( size > 0 ) memcpy( bytes, data, size );
	Try( bytes, size );
	if ( size >= sizeof( gelPackHeader ) )
	{
		// A wrong magic, version or length is found at once; deeper rules are reached only behind them.
		gelPackHeader* header = (gelPackHeader*)bytes;
		memcpy( header->magic, GEL_PACK_MAGIC, sizeof( header->magic ) );
		header->versionMajor = GEL_PACK_VERSION_MAJOR;
		header->endianTag = GEL_PACK_ENDIAN_TAG;
		header->fileBytes = size;
		gelRepairPackHashes( bytes, size );
		Try( bytes, size );
	}
	free( bytes );
	return 0;
}

size_t LLVMFuzzerCustomMutator( uint8_t* data, size_t size, size_t maxSize, unsigned seed )
{
	return gelMutatePack( data, size, maxSize, seed );
}
