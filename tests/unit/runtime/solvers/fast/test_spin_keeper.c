// SPDX-License-Identifier: MIT
// Spin: what backward Euler takes in both modes, and what the keeper gives back.
#include "test_support.h"

#include "stage.h"
#include "state/world.h"

#include <math.h>

// 1 m, 1 MPa, one turn per second.
static gelStageDef MakeSpinDef( double step )
{
	gelStageDef def = gelDefaultStageDef();
	def.youngsModulus = 1e6;
	def.step = step;
	def.body.angularVelocity = ( gelVec3 ){ 0.0f, 6.2831853f, 0.0f };
	return def;
}

static double GetSpin( const gelStage* stage )
{
	return gelLength( gelBody_GetDynamics( stage->body ).angularMomentum );
}

// 85 / 75 / 63 % are left after a second of steps of 5 / 10 / 20 ms, in either mode; it never grows.
static void TestDecayWithoutKeeper( void** state )
{
	(void)state;
	static const double steps[] = { 0.005, 0.01, 0.02 }, left[] = { 0.85, 0.75, 0.63 };
	for ( int i = 0; i < 6; ++i )
	{
		gelStageDef def = MakeSpinDef( steps[i % 3] );
		def.body.solver.fast.mode = i < 3 ? gel_modePlain : gel_modeQuality;
		gelStage stage = gelMakeStage( &def );
		double first = GetSpin( &stage ), last = first;
		for ( int k = 0; k < (int)( 1.0 / def.step + 0.5 ); ++k )
		{
			gelStage_Step( &stage, 1 );
			double now = GetSpin( &stage );
			assert_true( now < last * ( 1.0 + 1e-4 ) );
			last = now;
		}
		if ( fabs( last / first - left[i % 3] ) > 0.03 )
			fail_msg( "mode %d, h %g s: %.3f of the spin is left", i / 3, def.step, last / first );
		gelFreeStage( &stage );
	}
}

// With the keeper more than 99 % are left after ten seconds, and never more than there was; the body keeps
// its shape, and its center moves as if nothing turned.
static void TestKeeperKeeps( void** state )
{
	(void)state;
	for ( int i = 0; i < 4; ++i )
	{
		gelStageDef def = MakeSpinDef( i % 2 == 0 ? 0.01 : 0.02 );
		def.body.solver.fast.mode = i < 2 ? gel_modePlain : gel_modeQuality;
		def.body.solver.fast.enableSpinKeeping = true;
		def.body.linearVelocity = ( gelVec3 ){ 0.3f, 0.2f, -0.1f };
		gelStage stage = gelMakeStage( &def );
		gelBodyDynamics before = gelBody_GetDynamics( stage.body );
		double first = GetSpin( &stage );
		for ( int k = 0; k < (int)( 10.0 / def.step + 0.5 ); ++k )
		{
			gelStage_Step( &stage, 1 );
			assert_true( GetSpin( &stage ) < first * 1.001 );
		}
		gelBodyDynamics after = gelBody_GetDynamics( stage.body );
		assert_true( GetSpin( &stage ) > 0.99 * first );
		gelVec3 change = gelSub( after.linearMomentum, before.linearMomentum );
		// positions round to 1e-7 m, velocities to that over the step, a thousand times; the same without
		// keeper
		assert_true( gelLength( change ) < 2e-3f * before.mass );
		assert_true( fabsf( after.volume - before.volume ) < 0.01f * before.volume );
		assert_true( after.kineticEnergy < 1.01f * before.kineticEnergy );
		gelFreeStage( &stage );
	}
}

// Forces on nodes turn a body as they should: h times the sum of r x f.
static void TestKeeperKnowsForces( void** state )
{
	(void)state;
	gelStageDef def = MakeSpinDef( 0.01 );
	def.body.angularVelocity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	def.body.solver.fast.enableSpinKeeping = true;
	gelStage stage = gelMakeStage( &def );
	int corner = 0;
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		if ( stage.rest[i].x > 0.999f && stage.rest[i].y == 0.0f && stage.rest[i].z == 0.0f ) corner = i;
	}
	gelBody_AddNodeForce( stage.body, corner, ( gelVec3 ){ 0.0f, 0.0f, -2000.0f } );
	gelStage_Step( &stage, 1 );
	gelVec3 l = gelBody_GetDynamics( stage.body ).angularMomentum;
	// arm ( 0.5, -0.5, -0.5 ) x ( 0, 0, -2000 )
	assert_true( fabsf( l.x - 10.0f ) < 0.2f && fabsf( l.y - 10.0f ) < 0.2f && fabsf( l.z ) < 0.2f );
	gelFreeStage( &stage );
}

// On the ground, held or pinned it stands back: bit by bit the motion without it, and a spinning box that is
// put down comes to rest.
static void TestKeeperStandsBack( void** state )
{
	(void)state;
	uint64_t hashes[2];
	for ( int i = 0; i < 2; ++i )
	{
		gelStageDef def = MakeSpinDef( 0.01 );
		def.pinLeft = true;
		def.body.solver.fast.enableSpinKeeping = i == 1;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		gelStage_Step( &stage, 50 );
		hashes[i] = gelBody_HashState( stage.body );
		gelFreeStage( &stage );
	}
	assert_true( hashes[0] == hashes[1] );

	gelStageDef def = MakeSpinDef( 0.01 );
	def.body.solver.fast.enableSpinKeeping = true;
	def.world.hasGround = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.transform.position = ( gelVec3 ){ 0.0f, 0.01f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	double first = GetSpin( &stage );
	gelStage_Step( &stage, 600 );
	assert_true( GetSpin( &stage ) < 0.02 * first );
	gelFreeStage( &stage );
}

// All nodes in one point have no inertia to turn: nothing happens to them but what happens without.
static void TestKeeperSurvivesCollapse( void** state )
{
	(void)state;
	gelStageDef def = MakeSpinDef( 0.01 );
	def.body.solver.fast.enableSpinKeeping = true;
	gelStage stage = gelMakeStage( &def );
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		stage.nodes[i] = gelScale( 1e-4f, stage.rest[i] );
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	double first = GetSpin( &stage );
	gelStage_Step( &stage, 200 );
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		assert_true( gelIsUsable( stage.nodes[i] ) && gelLength( stage.velocities[i] ) < 100.0f );
	assert_true( GetSpin( &stage ) < 2.0 * first + 1.0 );
	assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 0 );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestDecayWithoutKeeper ),
		cmocka_unit_test( TestKeeperKeeps ),
		cmocka_unit_test( TestKeeperKnowsForces ),
		cmocka_unit_test( TestKeeperStandsBack ),
		cmocka_unit_test( TestKeeperSurvivesCollapse ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
