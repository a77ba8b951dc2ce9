// SPDX-License-Identifier: MIT
// Whole bakes: same bytes every time, odd bodies, and input that has to be refused with one clear error.
#include "test_support.h"

#include "pack/pack_read.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint8_t* Bake( const gelMesh* mesh, const gelCage* cage, const gelBakeSettings* settings,
	size_t* outBytes, int* outNumber )
{
	gelProgram program;
	gelInitTestProgram( &program );
	uint8_t* bytes = gelBake( mesh, cage, settings, &program, outBytes );
	*outNumber = 0;
	for ( int i = 0; i < program.findings.count && bytes == NULL; ++i )
	{
		if ( program.findings.items[i].severity == gel_severityError )
			*outNumber = program.findings.items[i].number;
	}
	assert_true( ( bytes == NULL ) == ( program.findings.errorCount > 0 ) );
	gelFreeTestProgram( &program );
	return bytes;
}

static gelPackView Open( const uint8_t* bytes, size_t byteCount )
{
	gelPackView view;
	gelPackFault fault;
	size_t scratchBytes = gelPack_ScratchBytes( bytes, byteCount );
	void* scratch = malloc( scratchBytes );
	assert_int_equal( gelPack_Open( bytes, byteCount, scratch, scratchBytes, 0, &view, &fault ), gel_packOk );
	free( scratch );
	return view;
}

static void TestSameBytesEveryTime( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 6, 5, 4, 1.0, 1.0, 1.0, gel_boxSplitFive );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 1e-3 );
	gelBakePinSet pins[] = { gelPinNodesInSlab( &cage, 0, 0.0, 0.0 ),
		gelPinNodesInSlab( &cage, 1, 0.0, 0.0 ) };
	const double steps[] = { 1.0 / 60.0, 1.0 / 120.0, 0.01 };
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.steps = steps;
	settings.stepCount = 3;
	settings.pinSets = pins;
	settings.pinSetCount = 2;
	size_t byteCount, otherCount;
	int number;
	uint8_t* bytes = Bake( &mesh, &cage, &settings, &byteCount, &number );
	assert_non_null( bytes );
	for ( int threads = 1; threads <= 4; ++threads )
	{
		settings.threads = threads;
		uint8_t* other = Bake( &mesh, &cage, &settings, &otherCount, &number );
		assert_int_equal( byteCount, otherCount );
		assert_memory_equal( bytes, other, byteCount );
		free( other );
	}
	gelPackView view = Open( bytes, byteCount );
	assert_int_equal( gelPack_CountSections( &view, GEL_SECTION_FACT ), 9 );
	assert_int_equal( gelPack_CountSections( &view, GEL_SECTION_PINS ), 2 );
	for ( int i = 0; i < 3; ++i )
	{
		uint64_t pinSetId = gelPack_Hash( pins[0].nodes, pins[0].nodeCount * sizeof( uint32_t ) );
		uint64_t key = gelPack_FactorKey( GEL_FACTOR_FAST, steps[i], pinSetId );
		const gelPackSection* section = gelPack_FindSection( &view, GEL_SECTION_FACT, key );
		assert_non_null( section );
		assert_int_equal( gelPack_GetFactor( &view, section ).header->n, cage.nodeCount - pins[0].nodeCount );
	}
	free( bytes );
	free( pins[0].nodes );
	free( pins[1].nodes );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// What is not a setting changes nothing; what is one changes the provenance.
static void TestProvenance( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitSix );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 1e-3 );
	const double otherStep = 0.02;
	uint8_t provenance[7][32];
	for ( int i = 0; i < 7; ++i )
	{
		gelBakeSettings settings = gelDefaultBakeSettings();
		if ( i == 1 ) settings.threads = 7;
		if ( i == 2 ) settings.material.density = 1001.0;
		if ( i == 3 ) settings.steps = &otherStep;
		if ( i == 4 ) settings.inputHash[31] = 1;
		if ( i == 5 ) settings.hasWarp = true;
		if ( i == 6 ) cage.positions[0] -= 0x1p-40; // lost in the rounding to float, but another cage
		size_t byteCount;
		int number;
		uint8_t* bytes = Bake( &mesh, &cage, &settings, &byteCount, &number );
		memcpy( provenance[i], Open( bytes, byteCount ).header->provenance, 32 );
		free( bytes );
	}
	assert_memory_equal( provenance[0], provenance[1], 32 );
	for ( int i = 2; i < 7; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			if ( j != 1 ) assert_memory_not_equal( provenance[i], provenance[j], 32 );
		}
	}
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

static void TestMetaIsStableJson( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelBakeTestBox( 2, 2, 2, 1.0, 1.0, 1.0, true, &byteCount );
	gelPackView view = Open( bytes, byteCount );
	json_error_t error;
	json_t* meta = json_loadb( view.meta, view.metaBytes, 0, &error );
	assert_non_null( meta );
	assert_int_equal(
		json_integer_value( json_object_get( json_object_get( meta, "counts" ), "tets" ) ), 48 );
	char* text = malloc( view.metaBytes + 1 );
	memcpy( text, view.meta, view.metaBytes );
	text[view.metaBytes] = 0;
	assert_non_null( strstr( text, "\"poissonsRatio\":0.33," ) );
	assert_non_null(
		strstr( text, "\"youngsModulus\":100000.0}" ) || strstr( text, "\"youngsModulus\":1e+05}" ) ? text
																									: NULL );
	char* sorted = json_dumps( meta, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION( 17 ) );
	json_t* again = json_loads( sorted, 0, &error );
	assert_true( json_equal( meta, again ) ); // the short reals lose nothing
	json_decref( again );
	json_decref( meta );
	free( sorted );
	free( text );
	free( bytes );
}

static void TestOddBodies( void** state )
{
	(void)state;
	gelCage tet = gelMakeTetCage( 0.01 ), box = gelMakeBoxCage( 2, 1, 1, 1.0, 1.0, 1.0, gel_boxSplitFive );
	gelCage two = gelJoinCages( &box, &box, ( double[3] ){ 0.0, 3.0, 0.0 } );
	gelCage sliver = gelMakeBoxCage( 3, 1, 3, 1.0, 5e-4, 1.0, gel_boxSplitFive );
	gelCage far = gelMakeBoxCage( 2, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitSix );
	for ( size_t i = 0; i < 3 * (size_t)far.nodeCount; ++i )
		far.positions[i] += 4096.0;
	gelCage* cages[] = { &tet, &box, &two, &sliver, &far };
	for ( size_t i = 0; i < sizeof( cages ) / sizeof( cages[0] ); ++i )
	{
		size_t byteCount;
		uint8_t* bytes = gelBakeTestBody( cages[i], NULL, NULL, 0, NULL, 0, &byteCount );
		gelPackView view = Open( bytes, byteCount );
		assert_int_equal( view.header->tetCount, cages[i]->tetCount );
		free( bytes );
		gelFreeCage( cages[i] );
	}
}

static void ExpectRefusal(
	const gelMesh* mesh, const gelCage* cage, const gelBakeSettings* settings, int expected )
{
	size_t byteCount;
	int number;
	assert_null( Bake( mesh, cage, settings, &byteCount, &number ) );
	assert_int_equal( number, expected );
	assert_int_equal( byteCount, 0 );
}

static void TestHostileSettings( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitSix );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 1e-3 );
	const double badSteps[] = { 0.0, -1.0, NAN, INFINITY, 1e-9, 100.0 };
	for ( size_t i = 0; i < sizeof( badSteps ) / sizeof( badSteps[0] ); ++i )
	{
		gelBakeSettings settings = gelDefaultBakeSettings();
		settings.steps = badSteps + i;
		ExpectRefusal( &mesh, &cage, &settings, 509 );
	}
	const double twice[] = { 1.0 / 60.0, 1.0 / 60.0 + 1e-12 };
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.steps = twice;
	settings.stepCount = 2;
	ExpectRefusal( &mesh, &cage, &settings, 509 );
	settings.stepCount = 0;
	ExpectRefusal( &mesh, &cage, &settings, 509 );

	uint32_t nodes[32];
	for ( uint32_t i = 0; i < 32; ++i )
		nodes[i] = i;
	uint32_t unsorted[] = { 3, 2 }, repeated[] = { 2, 2 }, wild[] = { 1, 27 };
	const gelBakePinSet badPins[] = { { nodes, 0 }, { nodes, 27 }, { nodes, 28 }, { unsorted, 2 },
		{ repeated, 2 }, { wild, 2 } };
	for ( size_t i = 0; i < sizeof( badPins ) / sizeof( badPins[0] ); ++i )
	{
		settings = gelDefaultBakeSettings();
		settings.pinSets = badPins + i;
		settings.pinSetCount = 1;
		ExpectRefusal( &mesh, &cage, &settings, 510 );
	}
	const gelBakePinSet samePins[] = { { nodes, 3 }, { nodes, 3 } };
	settings.pinSets = samePins;
	settings.pinSetCount = 2;
	ExpectRefusal( &mesh, &cage, &settings, 510 );

	settings = gelDefaultBakeSettings();
	settings.material.poissonsRatio = 0.5;
	ExpectRefusal( &mesh, &cage, &settings, 508 );
	gelMesh empty = { 0 };
	settings = gelDefaultBakeSettings();
	ExpectRefusal( &empty, &cage, &settings, 514 );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

static void TestHostileCages( void** state )
{
	(void)state;
	const gelBakeSettings settings = gelDefaultBakeSettings();
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitSix );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 1e-3 );
	gelCage empty = { 0 };
	ExpectRefusal( &mesh, &empty, &settings, 501 );

	uint32_t tet = cage.tets[0];
	cage.tets[0] = cage.nodeCount;
	ExpectRefusal( &mesh, &cage, &settings, 501 );
	cage.tets[0] = cage.tets[1];
	ExpectRefusal( &mesh, &cage, &settings, 501 );
	cage.tets[0] = tet;

	double x = cage.positions[3 * 13]; // the middle node
	const double wild[] = { NAN, INFINITY, 1e300 };
	for ( int i = 0; i < 3; ++i )
	{
		cage.positions[3 * 13] = wild[i];
		ExpectRefusal( &mesh, &cage, &settings, 501 );
	}
	cage.positions[3 * 13] = 7.0; // some of its tets turn inside out
	ExpectRefusal( &mesh, &cage, &settings, 503 );
	cage.positions[3 * 13] = 0.0; // flat
	ExpectRefusal( &mesh, &cage, &settings, 503 );
	cage.positions[3 * 13] = x;

	uint32_t saved[4];
	memcpy( saved, cage.tets + 4, sizeof( saved ) );
	memcpy( cage.tets + 4, cage.tets, sizeof( saved ) ); // the same tet twice
	ExpectRefusal( &mesh, &cage, &settings, 504 );
	memcpy( cage.tets + 4, saved, sizeof( saved ) );

	cage.tetCount -= 6; // nodes without a tet
	ExpectRefusal( &mesh, &cage, &settings, 501 );
	gelFindings findings = { .quiet = true };
	assert_int_equal( gelDropUnusedNodes( &cage, &findings, "x.msh" ), 1 );
	assert_int_equal( findings.warningCount, 1 );
	ExpectRefusal( &mesh, &cage, &settings, 507 ); // now a corner of the art sticks out
	assert_int_equal( gelDropUnusedNodes( &cage, &findings, "x.msh" ), 0 );
	gelFreeFindings( &findings );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// With --warnings-as-errors a body that only deserves a warning is refused as well.
static void TestWarningsAsErrors( void** state )
{
	(void)state;
	gelCage box = gelMakeBoxCage( 1, 1, 1, 1.0, 1.0, 1.0, gel_boxSplitFive );
	gelCage two = gelJoinCages( &box, &box, ( double[3] ){ 0.0, 3.0, 0.0 } );
	gelMesh mesh = gelMeshFromCageBoundary( &box, 1e-3 );
	gelBakeSettings settings = gelDefaultBakeSettings();
	gelProgram program;
	gelInitTestProgram( &program );
	program.findings.warningsAsErrors = true;
	size_t byteCount;
	assert_null( gelBake( &mesh, &two, &settings, &program, &byteCount ) );
	assert_int_equal( program.findings.exitCode, gel_exitInput );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &two );
	gelFreeCage( &box );
}

typedef struct Draft
{
	uint8_t* bytes;
	size_t byteCount;
	int calls;
	bool spoils; // breaks the pack before it is validated; with one thread only
} Draft;

static void TakeDraft( void* context, const uint8_t* bytes, size_t byteCount )
{
	Draft* draft = context;
	++draft->calls;
	draft->byteCount = byteCount;
	draft->bytes = malloc( byteCount );
	memcpy( draft->bytes, bytes, byteCount );
	if ( draft->spoils ) ( (uint8_t*)(uintptr_t)bytes )[byteCount - 1] ^= 1;
}

// A draft is what the bake returns, once, if it returns anything.
static void TestDrafts( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitFive );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 1e-3 );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.draft = TakeDraft;
	for ( int i = 0; i < 3; ++i )
	{
		Draft draft = { .spoils = i == 2 };
		settings.draftContext = &draft;
		settings.threads = i == 1 ? 2 : 1;
		size_t byteCount;
		int number;
		uint8_t* bytes = Bake( &mesh, &cage, &settings, &byteCount, &number );
		assert_int_equal( draft.calls, 1 );
		assert_int_equal( number, draft.spoils ? 4 : 0 );
		if ( !draft.spoils )
		{
			assert_int_equal( draft.byteCount, byteCount );
			assert_memory_equal( draft.bytes, bytes, byteCount );
		}
		free( draft.bytes );
		free( bytes );
	}
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSameBytesEveryTime ),
		cmocka_unit_test( TestProvenance ),
		cmocka_unit_test( TestMetaIsStableJson ),
		cmocka_unit_test( TestOddBodies ),
		cmocka_unit_test( TestHostileSettings ),
		cmocka_unit_test( TestHostileCages ),
		cmocka_unit_test( TestWarningsAsErrors ),
		cmocka_unit_test( TestDrafts ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
