// SPDX-License-Identifier: MIT
// Bodies of one asset are stepped side by side, in the lanes of wide registers. Nobody can tell: each body
// ends with the bits that it has when it is alone in its world, on every instruction set, for every number of
// bodies, with pins, ground, forces, sleep, and beside a body that breaks down.
#include "test_support.h"

#include "solvers/fast/lanes.h"
#include "stage.h"
#include "world/solver_table.h"
#include "solvers/lane_scratch.h"

#define MAX_BODIES 21

typedef struct Case
{
	gelSimdLevel simd;
	int count, passes, sweeps, stepCount;
	bool pinned, hasGround, enableSleep;
	int brokenBody; // gets absurd forces in step 3; -1: none
} Case;

static gelBodyDef MakeBodyDef( const gelAsset* asset, const Case* c, int i )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.transform.position = ( gelVec3 ){ 0.0f, 0.3f + 0.05f * (float)i, 0.0f };
	def.angularVelocity = ( gelVec3 ){ 1.0f, 0.3f * (float)i, -2.0f };
	def.solver.fast.passes = c->passes;
	def.solver.fast.volumeSweeps = c->sweeps;
	def.enableSleep = c->enableSleep;
	if ( c->pinned ) gelAsset_GetPinSets( asset, &def.pinSetId, 1 );
	return def;
}

// Hashes of bodies first .. first + count - 1 in one world.
static void Run( const gelStage* stage, const Case* c, int first, int count, uint64_t* hashes )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = c->hasGround;
	worldDef.simd = c->simd;
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_success );
	gelBodyId ids[MAX_BODIES];
	for ( int i = 0; i < count; ++i )
	{
		gelBodyDef def = MakeBodyDef( stage->asset, c, first + i );
		assert_int_equal( gelCreateBody( world, &def, ids + i ), gel_success );
	}
	bool hasLanes = gelWorld_GetLaneScratch(
						world.world, stage->asset, gelFindSolver( gel_solverFastCorotated ), 0 ) != NULL;
	assert_true( hasLanes == ( count >= GEL_MIN_LANES ) );
	for ( int step = 0; step < c->stepCount; ++step )
	{
		for ( int i = 0; i < count && step % 4 != 1; ++i ) // in some steps there are no forces at all
		{
			float f = 10.0f * (float)( first + i );
			gelBody_AddNodeForce( ids[i], step % 5, ( gelVec3 ){ f, 0.0f, -f } );
			for ( int k = 0; k < 50000 && step == 3 && first + i == c->brokenBody; ++k )
				gelBody_AddNodeForce( ids[i], 1, ( gelVec3 ){ 9e8f, 9e8f, 0.0f } );
		}
		assert_int_equal( gelWorld_Step( world, stage->step ), gel_success );
	}
	for ( int i = 0; i < count; ++i )
		hashes[i] = gelBody_HashState( ids[i] );
	assert_int_equal( gelWorld_GetCounters( world ).nonFiniteBodyCount,
		c->brokenBody >= first && c->brokenBody < first + count );
	gelDestroyWorld( world );
}

static void CheckCase( const gelStage* stage, Case c )
{
	if ( gelFindSimdLevel( c.simd ) != c.simd ) return;
	uint64_t together[MAX_BODIES];
	Run( stage, &c, 0, c.count, together );
	for ( int i = 0; i < c.count; ++i )
	{
		uint64_t alone;
		Run( stage, &c, i, 1, &alone );
		assert_true( alone == together[i] );
		if ( i > 0 && i != c.brokenBody ) assert_true( together[i] != together[i - 1] );
	}
}

static gelStage MakeStage( void )
{
	gelStageDef def = gelDefaultStageDef();
	def.poissonsRatio = 0.45;
	def.pinLeft = true;
	return gelMakeStage( &def );
}

static void TestEveryCount( void** state )
{
	(void)state;
	gelStage stage = MakeStage();
	for ( int count = 1; count <= MAX_BODIES; ++count )
		CheckCase( &stage, ( Case ){ gel_simdAutomatic, count, 2, 2, 8, false, true, false, -1 } );
	gelFreeStage( &stage );
}

static void TestEveryInstructionSet( void** state )
{
	(void)state;
	static const gelSimdLevel levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdAvx512,
		gel_simdNeon };
	gelStage stage = MakeStage();
	for ( size_t i = 0; i < sizeof( levels ) / sizeof( levels[0] ); ++i )
	{
		CheckCase( &stage, ( Case ){ levels[i], 19, 1, 1, 10, false, false, false, -1 } );
		CheckCase( &stage, ( Case ){ levels[i], 7, 3, 5, 10, true, true, false, -1 } );
		CheckCase( &stage, ( Case ){ levels[i], 17, 2, 3, 6, true, false, false, -1 } );
	}
	gelFreeStage( &stage );
}

static void TestNeighborsOfABrokenBody( void** state )
{
	(void)state;
	gelStage stage = MakeStage();
	CheckCase( &stage, ( Case ){ gel_simdAutomatic, 8, 2, 2, 12, false, true, false, 5 } );
	CheckCase( &stage, ( Case ){ gel_simdAutomatic, 16, 1, 1, 12, false, false, false, 15 } );
	gelFreeStage( &stage );
}

// Bodies that fall asleep leave their group, which then has other lanes.
static void TestSleepers( void** state )
{
	(void)state;
	gelStage stage = MakeStage();
	CheckCase( &stage, ( Case ){ gel_simdAutomatic, 13, 1, 1, 150, false, true, true, -1 } );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestEveryCount ),
		cmocka_unit_test( TestEveryInstructionSet ),
		cmocka_unit_test( TestNeighborsOfABrokenBody ),
		cmocka_unit_test( TestSleepers ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
