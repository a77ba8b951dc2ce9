// SPDX-License-Identifier: MIT
// Trees leave nothing out: what they find is what testing all triangles finds, whatever the bodies look like.
#include "contact/detect/contact_scratch.h"
#include "contact_stage.h"
#include "test_surfaces.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY 100000u

typedef struct Stage
{
	gelContactStage a, b;
	gelContactScratch* scratch;
	void* memory;
	const gelContactKernels* kernels;
	gelTrianglePair* found; // what testing all finds
} Stage;

typedef enum Art
{
	Art_Sphere,
	Art_Torus,
	Art_Box,
} Art;

static gelContactStage MakeBody( Art art )
{
	const double low[3] = { -0.5, -0.25, -0.75 }, high[3] = { 0.5, 0.25, 0.75 };
	gelMesh mesh = art == Art_Torus ? gelMakeTestTorus( 0.55, 0.25, 8 )
		: art == Art_Box            ? gelMakeTestBoxSurface( low, high )
									: gelMakeTestSphere( 0.8, 6 );
	gelContactStage stage = gelMakeContactStageFromMesh( &mesh, 3, 1.0 );
	gelFreeMesh( &mesh );
	return stage;
}

static Stage MakeStage( Art a, Art b )
{
	Stage s = { .a = MakeBody( a ), .b = MakeBody( b ) };
	s.scratch = gelMakeTestScratch( &s.a, &s.b, CAPACITY, &s.memory );
	s.kernels = gelGetContactKernels( gelFindSimdLevel( gel_simdAutomatic ) );
	s.found = malloc( CAPACITY * sizeof( gelTrianglePair ) );
	assert_non_null( s.found );
	return s;
}

static void FreeStage( Stage* s )
{
	free( s->memory );
	free( s->found );
	gelFreeContactStage( &s->a );
	gelFreeContactStage( &s->b );
}

static void Find( Stage* s, const gelContactKernels* kernels, uint32_t fewPairs )
{
	gelFindSettings settings = { kernels, fewPairs };
	gelContactScratch_Bind( s->scratch, &s->a.surface, &s->b.surface );
	gelFindTrianglePairs( &s->a.surface, &s->b.surface, &settings, &s->scratch->pairs );
	assert_int_equal( s->scratch->pairs.lostCount, 0 );
}

// All ways for the bodies as they are. Returns the number of pairs.
static uint32_t Compare( Stage* s, uint64_t* tests, uint64_t* allTests )
{
	gelTrianglePairs* pairs = &s->scratch->pairs;
	gelContactStage_Look( &s->a );
	gelContactStage_Look( &s->b );
	if ( !gelContactSurface_Pair( &s->a.surface, &s->b.surface ) ) return 0;
	gelContactScratch_Bind( s->scratch, &s->a.surface, &s->b.surface );
	gelFindTrianglePairs_Ref( &s->a.surface, &s->b.surface, pairs );
	uint32_t count = pairs->count;
	*allTests += pairs->testCount;
	memcpy( s->found, pairs->items, count * sizeof( gelTrianglePair ) );
	// T_int of 8 and 1, and all kernels of this machine
	for ( int way = 0; way < 2 + gel_simdAvx512; ++way )
	{
		gelSimdLevel level = gelFindSimdLevel( way < 2 ? gel_simdAutomatic : (gelSimdLevel)( way - 1 ) );
		if ( level == gel_simdAutomatic ) continue; // level of another machine
		Find( s, gelGetContactKernels( level ), way == 0 ? 64 : way == 1 ? 1 : 0 );
		assert_int_equal( pairs->count, count );
		assert_memory_equal( pairs->items, s->found, count * sizeof( gelTrianglePair ) );
		if ( way == 0 ) *tests += pairs->testCount;
	}
	return count;
}

static void TestEqualsBruteForce( void** state )
{
	(void)state;
	gelRandom random = { 21 };
	Stage s = MakeStage( Art_Torus, Art_Sphere );
	uint64_t pairs = 0, tests = 0, allTests = 0;
	for ( int round = 0; round < 2 * gel_shapeCount; ++round )
	{
		int shape = round % gel_shapeCount;
		gelQueryStage_Deform( &s.a.stage, (gelQueryShape)shape, &random );
		gelQueryStage_Deform( &s.b.stage, round % 2 == 0 ? gel_shapeBent : (gelQueryShape)shape, &random );
		if ( shape == gel_shapeFar ) gelContactStage_Move( &s.b, gelMakeVec3( 1e4f, -2e3f, 3e3f ) );
		gelContactStage_Move( &s.b, gelRandomVec3( &random, 0.5 ) );
		pairs += Compare( &s, &tests, &allTests );
	}
	assert_true( pairs > 1000 );
	assert_true( 20 * tests < allTests ); // the trees are of use
	FreeStage( &s );
}

// The same mesh in the same place: every sign is a tie.
static void TestIdenticalBodies( void** state )
{
	(void)state;
	gelRandom random = { 22 };
	Stage s = MakeStage( Art_Sphere, Art_Sphere );
	uint64_t tests = 0, allTests = 0;
	for ( int round = 0; round < 2; ++round )
	{
		gelQueryStage* q = &s.a.stage;
		gelQueryStage_Deform( q, round == 0 ? gel_shapeRest : gel_shapeBent, &random );
		assert_int_equal(
			gelBody_SetNodeState( s.b.stage.body, q->nodes, q->zeros, q->info.nodeCount ), gel_success );
		assert_true( Compare( &s, &tests, &allTests ) > 0 );
	}
	FreeStage( &s );
}

static gelVec3 Keep( gelVec3 rest, void* context )
{
	(void)context;
	return rest;
}

static uint32_t CompareAt( Stage* s, float x, float y, float z )
{
	uint64_t tests = 0, allTests = 0;
	gelContactStage_Map( &s->a, Keep, NULL );
	gelContactStage_Map( &s->b, Keep, NULL );
	gelContactStage_Move( &s->b, gelMakeVec3( x, y, z ) );
	return Compare( s, &tests, &allTests );
}

// Almost in the same place, half inside, and so that they barely touch or just do not.
static void TestDeepAndGrazing( void** state )
{
	(void)state;
	Stage s = MakeStage( Art_Torus, Art_Sphere );
	uint32_t deep = 0, grazing = 0, apart = 0;
	for ( int i = 0; i < 6; ++i )
	{
		float small = 1e-4f * (float)( 1 << 2 * i );
		deep += CompareAt( &s, small, -0.5f * small, 0.3f * small ) > 100;
		deep += CompareAt( &s, 0.3f + small, 0.2f, -0.1f ) > 50;
	}
	gelFreeContactStage( &s.a );
	s.a = MakeBody( Art_Sphere );
	for ( int i = 0; i < 24; ++i )
	{
		// the poles of marching tets are corners: from clearly apart to one or two triangles deep
		uint32_t pairs = CompareAt( &s, 1.5f + 0.005f * (float)i, 1e-4f, 2e-4f );
		grazing += pairs > 0 && pairs < 60;
		apart += pairs == 0;
	}
	assert_true( deep == 12 && grazing > 3 && apart > 0 );
	FreeStage( &s );
}

// Boxes on a lattice: faces in one plane, edges on edges, corners on corners.
static void TestCoplanar( void** state )
{
	(void)state;
	Stage s = MakeStage( Art_Box, Art_Box );
	uint32_t crossing = 0;
	for ( int i = 0; i < 60; ++i )
		crossing += CompareAt( &s, 0.25f * (float)( i % 5 ), 0.25f * (float)( i / 5 % 3 ),
						0.5f * (float)( i / 15 ) ) > 0;
	assert_true( crossing > 15 && crossing < 60 );
	FreeStage( &s );
}

// Without room the search gives up, and says so. So it does for bodies that have collapsed.
static void TestNoRoom( void** state )
{
	(void)state;
	Stage s = MakeStage( Art_Sphere, Art_Sphere );
	gelTrianglePairs* pairs = &s.scratch->pairs;
	gelContactStage_Move( &s.b, gelMakeVec3( 0.31f, 0.17f, -0.23f ) );
	gelContactStage_Look( &s.a );
	gelContactStage_Look( &s.b );
	assert_true( gelContactSurface_Pair( &s.a.surface, &s.b.surface ) );
	Find( &s, s.kernels, 0 );
	uint32_t full = pairs->count;
	assert_true( full > 20 );
	gelFindSettings settings = { s.kernels, 0 };
	gelContactScratch_Bind( s.scratch, &s.a.surface, &s.b.surface );
	pairs->capacity = 10;
	gelFindTrianglePairs( &s.a.surface, &s.b.surface, &settings, pairs );
	assert_int_equal( pairs->count, 10 );
	assert_true( pairs->lostCount > 0 );

	gelRandom random = { 23 };
	gelQueryStage_Deform( &s.a.stage, gel_shapePoint, &random );
	gelQueryStage_Deform( &s.b.stage, gel_shapePoint, &random );
	gelContactStage_Look( &s.a );
	gelContactStage_Look( &s.b );
	assert_true( gelContactSurface_Pair( &s.a.surface, &s.b.surface ) );
	pairs->capacity = 100;
	for ( int way = 0; way < 2; ++way )
	{
		settings.kernels = way == 0 ? gelGetContactKernels( gelGetBaseLevel() ) : s.kernels;
		gelContactScratch_Bind( s.scratch, &s.a.surface, &s.b.surface );
		gelFindTrianglePairs( &s.a.surface, &s.b.surface, &settings, pairs );
		assert_true( pairs->lostCount > 0 );
		assert_true( pairs->testCount < 513 * 100 + 160 * 160 && pairs->exactCount < 17 * 100 );
	}
	FreeStage( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestEqualsBruteForce ),
		cmocka_unit_test( TestIdenticalBodies ),
		cmocka_unit_test( TestDeepAndGrazing ),
		cmocka_unit_test( TestCoplanar ),
		cmocka_unit_test( TestNoRoom ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
