// SPDX-License-Identifier: MIT
// Fronts of the warp-cancelling solver in damaged packs: each rule is checked, and whatever gets past the
// checks can be stepped.
#include "test_support.h"

#include "inspect/verify.h"
#include "small_pack.h"
#include "stage.h"
#include "state/world.h"

#include <stdlib.h>
#include <string.h>

static gelStage MakeWarpStage( void )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 4;
	def.cells[1] = def.cells[2] = 2;
	def.pinLeft = true;
	def.body.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	return gelMakeStage( &def );
}

// Loads, and if that works steps. @return whether it was loaded
static bool TryPack( const uint8_t* bytes, size_t byteCount, gelLoadError* error )
{
	gelAsset* asset;
	if ( gelLoadAsset( bytes, byteCount, NULL, &asset, error ) != gel_success ) return false;
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelWorldId world;
	gelCreateWorld( &worldDef, &world );
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	def.solver.warp.tolerance = 0.0f;
	gelBodyId body;
	for ( int i = 0; i < 2; ++i )
	{
		if ( gelCreateBody( world, &def, &body ) != gel_success ) continue;
		gelWorld_Step( world, (float)( 1.0 / 60.0 ) );
		gelWorld_Step( world, 0.01f ); // a factor that is made
		gelAsset_GetPinSets( asset, &def.pinSetId, 1 );
	}
	gelDestroyWorld( world );
	gelDestroyAsset( asset );
	return true;
}

// Every word of the fronts, replaced by numbers that are wrong in different ways.
static void DamagedFrontsAreRefused( void** state )
{
	(void)state;
	gelStage stage = MakeWarpStage();
	uint8_t* bytes = gelCopyPack( stage.pack, stage.packBytes );
	int loaded = 0, refused = 0;
	for ( uint32_t index = 0; index < 2; ++index )
	{
		const gelPackSection* section = gelFindPackEntry( bytes, GEL_SECTION_UPDT, index );
		assert_non_null( section );
		uint8_t* data = bytes + section->offset;
		size_t stride = GEL_IS_SANITIZED ? 28 : 4;
		for ( size_t at = 0; at + 4 <= section->bytes; at += stride )
		{
			uint32_t old, values[5];
			memcpy( &old, data + at, 4 );
			values[0] = old + 1;
			values[1] = old - 1;
			values[2] = 0;
			values[3] = 0xFFFFFFFFu;
			values[4] = old ^ 0x00010000u;
			for ( int i = 0; i < 5; ++i )
			{
				if ( values[i] == old ) continue;
				memcpy( data + at, values + i, 4 );
				gelRepairPackHashes( bytes, stage.packBytes );
				gelLoadError error;
				bool isLoaded = TryPack( bytes, stage.packBytes, &error );
				if ( !isLoaded ) assert_memory_equal( error.section, "UPDT", 4 );
				loaded += isLoaded;
				refused += !isLoaded;
			}
			memcpy( data + at, &old, 4 );
		}
	}
	// what may change is nothing but the order of equals: every tet is where its nodes are
	assert_true( refused > ( GEL_IS_SANITIZED ? 150 : 1000 ) );
	assert_int_equal( loaded, 0 );
	free( bytes );
	gelFreeStage( &stage );
}

// Numbers of a factor only have to be finite: a wrong one moves a body wrongly, not memory.
static void DamagedNumbersAreHarmless( void** state )
{
	(void)state;
	gelStage stage = MakeWarpStage();
	uint8_t* bytes = gelCopyPack( stage.pack, stage.packBytes );
	gelRandom random = { 9 };
	const gelPackSection* section = gelFindPackEntry( bytes, GEL_SECTION_WFAC, 0 );
	assert_non_null( section );
	uint8_t* data = bytes + section->offset;
	for ( int round = 0; round < 100; ++round )
	{
		size_t at =
			64 + 4 * (size_t)gelRandom_Uniform( &random, 0.0, (double)( section->bytes - 64 ) / 4.0 - 0.01 );
		uint32_t old, bits = (uint32_t)gelRandom_Next( &random );
		memcpy( &old, data + at, 4 );
		memcpy( data + at, &bits, 4 );
		gelRepairPackHashes( bytes, stage.packBytes );
		gelLoadError error;
		if ( !TryPack( bytes, stage.packBytes, &error ) ) assert_memory_equal( error.section, "WFAC", 4 );
		memcpy( data + at, &old, 4 );
	}
	const float infinite = 1.0f / 0.0f;
	memcpy( data + 64, &infinite, 4 );
	gelRepairPackHashes( bytes, stage.packBytes );
	gelLoadError error;
	assert_false( TryPack( bytes, stage.packBytes, &error ) );
	assert_string_equal( error.rule, "numbers of a factor are finite" );
	free( bytes );
	gelFreeStage( &stage );
}

// gel-inspect --verify makes the factor again and finds the number that is off.
static void VerifyFindsWrongNumbers( void** state )
{
	(void)state;
	gelStage stage = MakeWarpStage();
	uint8_t* bytes = gelCopyPack( stage.pack, stage.packBytes );
	const gelPackSection* section = gelFindPackEntry( bytes, GEL_SECTION_WFAC, 0 );
	const gelPackWarpFactor* header = (const void*)( bytes + section->offset );
	const gelPackArray arrays[] = { header->panels, header->updates, header->tiles };
	for ( int k = -1; k < 3; ++k )
	{
		float *number =
				  (float*)(void*)( bytes + section->offset + 64 * (size_t)arrays[k < 0 ? 0 : k].offset64 ),
			  old = *number;
		if ( k >= 0 ) *number = 1.01f * old;
		gelRepairPackHashes( bytes, stage.packBytes );
		gelInspectedPack pack = { .path = "test.gel", .bytes = bytes, .byteCount = stage.packBytes };
		gelAssertPackOpens( bytes, stage.packBytes, &pack.view );
		gelProgram program;
		gelInitTestProgram( &program );
		assert_true( gelVerifyPack( &pack, &program ) == ( k < 0 ) );
		assert_int_equal( gelFindings_Total( &program.findings, gel_findingFactorWrong ), k < 0 ? 0 : 1 );
		gelFreeTestProgram( &program );
		*number = old;
	}
	free( bytes );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( DamagedFrontsAreRefused ),
		cmocka_unit_test( DamagedNumbersAreHarmless ),
		cmocka_unit_test( VerifyFindsWrongNumbers ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
