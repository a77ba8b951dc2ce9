// SPDX-License-Identifier: MIT
// What holds a body of the implicit solver: pins, transient constraints, the ground, nothing but its own
// sleep.
#include "test_support.h"

#include "solvers/implicit/implicit.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>

static gelStageDef ImplicitStageDef( void )
{
	gelStageDef def = gelDefaultStageDef();
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	return def;
}

// Pinned nodes are at their targets to the bit, also while those move.
static void TestPinsFollow( void** state )
{
	(void)state;
	gelStageDef def = ImplicitStageDef();
	def.pinLeft = true;
	gelStage stage = gelMakeStage( &def );
	const gelBody* body = gelGetBody( stage.body );
	for ( int step = 0; step < 60; ++step )
	{
		for ( int k = 0; k < body->pinCount; ++k )
		{
			gelVec3 target = stage.rest[body->pins[k]];
			target.x += 0.01f * (float)step;
			target.y += 0.1f * sinf( 0.2f * (float)step );
			assert_int_equal( gelBody_SetPinTarget( stage.body, (int)body->pins[k], target ), gel_success );
		}
		gelStage_Step( &stage, 1 );
		for ( int k = 0; k < body->pinCount; ++k )
			assert_memory_equal( body->x + body->pins[k], body->pinTargets + k, sizeof( gelVec3 ) );
	}
	gelFreeStage( &stage );
}

// A point that is held stays where it is while the body hangs on it; the reaction is the weight.
static void TestConstraintHolds( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 2; ++kind )
	{
		gelStageDef def = ImplicitStageDef();
		def.body.solver.implicit.massDamping = 5.0f;
		gelStage stage = gelMakeStage( &def );
		gelConstraintDef hold = gelDefaultConstraintDef();
		hold.kind = kind == 0 ? gel_constraintPoint : gel_constraintSpring;
		hold.stiffness = 1.0e5f;
		hold.point = ( gelEmbeddedPoint ){ .tet = 0, .weight = { 0.25f, 0.25f, 0.25f, 0.25f } };
		const uint32_t* node = gelAsset_GetTets( stage.asset );
		for ( int k = 0; k < 4; ++k )
			hold.target = gelMulAdd( hold.target, 0.25f, stage.rest[node[k]] );
		gelConstraintId id;
		assert_int_equal( gelCreateConstraint( stage.body, &hold, &id ), gel_success );
		gelStage_Step( &stage, 600 );
		gelStage_Fetch( &stage );
		gelVec3 p = { 0.0f, 0.0f, 0.0f };
		for ( int k = 0; k < 4; ++k )
			p = gelMulAdd( p, 0.25f, stage.nodes[node[k]] );
		float weight = 9.81f * gelAsset_GetInfo( stage.asset ).mass;
		float sag = kind == 0 ? 0.0f : weight / hold.stiffness;
		assert_true( fabsf( p.y + sag - hold.target.y ) < 1e-4f + 0.02f * sag );
		gelReaction reaction;
		assert_int_equal( gelConstraint_GetReaction( id, &reaction ), gel_success );
		assert_true( fabsf( reaction.force.y + weight ) < 0.005f * weight );
		gelFreeStage( &stage );
	}
}

// Springs as stiff as numbers allow pull a body from afar to their target: it swings there, whole.
static void TestStiffSprings( void** state )
{
	(void)state;
	for ( int i = 0; i < 12; ++i )
	{
		gelStageDef def = ImplicitStageDef();
		def.youngsModulus = i % 2 == 0 ? 1e5 : 1e6;
		def.step = i / 2 % 2 == 0 ? 1.0 / 60.0 : 0.1;
		for ( int k = 0; k < 3; ++k )
			def.size[k] = 0.4;
		gelStage stage = gelMakeStage( &def );
		gelConstraintDef spring = gelDefaultConstraintDef();
		spring.kind = gel_constraintSpring;
		spring.stiffness = i / 4 == 0 ? 1e7f : i / 4 == 1 ? 1e12f : 1e9f;
		spring.point = gelAsset_GetNodePoint( stage.asset, 0 );
		assert_int_equal(
			gelBody_GetPointPosition( stage.body, &spring.point, &spring.target ), gel_success );
		spring.target.y += 2.0f;
		gelConstraintId id;
		assert_int_equal( gelCreateConstraint( stage.body, &spring, &id ), gel_success );
		gelStage_Step( &stage, (int)( 8.0 / def.step ) );
		gelStage_Fetch( &stage );
		float fastest = 0.0f, weight = 9.81f * gelAsset_GetInfo( stage.asset ).mass;
		for ( int k = 0; k < stage.nodeCount; ++k )
			fastest = fmaxf( fastest, gelLength( stage.velocities[k] ) );
		gelReaction reaction;
		assert_int_equal( gelConstraint_GetReaction( id, &reaction ), gel_success );
		// measured: 1.5 m/s, the swing of the start; 56 and 21 tets inverted with all of 1e12 N/m in the
		// matrix
		if ( gelBody_GetDynamics( stage.body ).invertedTetCount > 0 || fastest > 3.0f ||
			fabsf( reaction.force.y + weight ) > 0.3f * weight )
			fail_msg( "%g N/m at %g s: %g m/s, %g of the weight", (double)spring.stiffness, def.step,
				(double)fastest, (double)( -reaction.force.y / weight ) );
		assert_true( gelLength( gelSub( stage.nodes[0], spring.target ) ) < 1e-3f );
		gelFreeStage( &stage );
	}
}

// Without inertia, a body that transient constraints hold is solved statically, like one with baked pins: a
// few steps and it is where the other solver ends after seconds of damping, whatever its mass and the step.
static void TestQuasiStaticConstraints( void** state )
{
	(void)state;
	float heights[3];
	for ( int i = 0; i < 3; ++i )
	{
		gelStageDef def = ImplicitStageDef();
		def.youngsModulus = 3e5;
		def.pinLeft = i == 2;
		def.body.solver.implicit.isQuasiStatic = i > 0;
		def.body.solver.implicit.massDamping = i > 0 ? 0.0f : 5.0f;
		def.body.solver.implicit.linearIterations = 300;
		gelStage stage = gelMakeStage( &def );
		for ( int k = 0; k < stage.nodeCount && i < 2; ++k )
		{
			if ( stage.rest[k].x > 0.0f ) continue;
			gelConstraintDef pin = gelDefaultConstraintDef();
			pin.kind = gel_constraintPoint;
			pin.point = gelAsset_GetNodePoint( stage.asset, k );
			pin.target = stage.rest[k];
			gelConstraintId id;
			assert_int_equal( gelCreateConstraint( stage.body, &pin, &id ), gel_success );
		}
		gelStage_Step( &stage, i == 0 ? 600 : 10 );
		heights[i] = gelBody_GetDynamics( stage.body ).centerOfMass.y;
		gelFreeStage( &stage );
	}
	float sag = 0.5f - heights[0];
	assert_true( sag > 0.01f );
	assert_true( fabsf( heights[1] - heights[0] ) < 0.002f * sag );
	assert_true( fabsf( heights[2] - heights[0] ) < 0.002f * sag );
}

// Dropped, a body comes to rest on the ground: nothing below it, no speed left, and no weight lost.
static void TestRestsOnGround( void** state )
{
	(void)state;
	const double modulus[] = { 1e5, 1e6, 1e7, 1e6 };
	for ( int i = 0; i < 4; ++i )
	{
		gelStageDef def = ImplicitStageDef();
		if ( i == 3 ) def.body.solver.implicit.preconditioner = gel_preconditionFactor;
		def.youngsModulus = modulus[i];
		def.world.hasGround = true;
		def.body.transform.position = ( gelVec3 ){ 0.0f, 0.3f, 0.0f };
		def.body.transform.rotation = ( gelQuat ){ { 0.19509032f, 0.0f, 0.0f }, 0.98078528f };
		def.body.enableSleep = true;
		def.body.solver.implicit.massDamping = 1.0f; // jelly of 1e5 Pa sways for long
		gelStage stage = gelMakeStage( &def );
		gelStage_Step( &stage, 600 );
		gelStage_Fetch( &stage );
		gelBody_GetPositions( stage.body, stage.positions, stage.vertexCount );
		float lowest = 1.0f, fastest = 0.0f;
		for ( int k = 0; k < stage.vertexCount; ++k )
			lowest = fminf( lowest, stage.positions[k].y );
		for ( int k = 0; k < stage.nodeCount; ++k )
			fastest = fmaxf( fastest, gelLength( stage.velocities[k] ) );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		assert_true( lowest > -1e-4f && lowest < 1e-2f );
		assert_true( fastest < 0.05f );
		assert_int_equal( dynamics.invertedTetCount, 0 );
		assert_false( gelBody_IsAwake( stage.body ) );
		gelFreeStage( &stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestPinsFollow ),
		cmocka_unit_test( TestConstraintHolds ),
		cmocka_unit_test( TestStiffSprings ),
		cmocka_unit_test( TestQuasiStaticConstraints ),
		cmocka_unit_test( TestRestsOnGround ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
