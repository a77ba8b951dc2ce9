// SPDX-License-Identifier: MIT
// A body as one thing: its place, its mass, its pointer; the hash of a world; what a setter takes its getter
// gives.
#include "test_support.h"

#include "random_tets.h"
#include "hostile_scene.h"

#include <math.h>

static float GetDifference( gelQuat a, gelQuat b )
{
	float dot = gelDot( a.v, b.v ) + a.s * b.s;
	return 1.0f - fabsf( dot );
}

// Wherever a body is put, that is where it says it is: half turns included.
static void TestTransformIsWhereItWasPut( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelRandom random = { 7 };
	for ( int i = 0; i < 200; ++i )
	{
		gelVec3 axis = gelToFloat( gelRandomVector( &random ) );
		float angle = i % 4 == 0 ? 3.14159265f : (float)gelRandom_Uniform( &random, -3.2, 3.2 );
		if ( i % 8 == 0 ) axis = gelMakeVec3( i % 3 == 0, i % 3 == 1, i % 3 == 2 );
		gelTransform put = { gelToFloat( gelScaleD( 5.0, gelRandomVector( &random ) ) ),
			gelMakeQuatFromAxisAngle( gelNormalize( axis ), angle ) };
		assert_int_equal( gelBody_Reset( stage.body, put ), gel_success );
		gelTransform is = gelBody_GetTransform( stage.body );
		assert_true( GetDifference( put.rotation, is.rotation ) < 1e-5f && is.rotation.s >= 0.0f );
		assert_true( gelLength( gelSub( put.position, is.position ) ) < 1e-4f );
	}
	gelFreeStage( &stage );
}

// A body that is bent keeps its center of mass; stretching along its axes does not turn it.
static void TestTransformOfBentBody( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelTransform put = { { 1.0f, 2.0f, 3.0f },
		gelMakeQuatFromAxisAngle( gelMakeVec3( 0.0f, 1.0f, 0.0f ), 2.5f ) };
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		gelVec3 x = stage.rest[i];
		stage.nodes[i] = gelTransformPoint( put, gelMakeVec3( 1.5f * x.x, 0.5f * x.y, x.z ) );
		stage.velocities[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	assert_int_equal(
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount ), gel_success );
	gelTransform is = gelBody_GetTransform( stage.body );
	assert_true( GetDifference( put.rotation, is.rotation ) < 1e-5f );
	gelVec3 center = gelBody_GetDynamics( stage.body ).centerOfMass;
	assert_int_equal( gelBody_Reset( stage.body, is ), gel_success );
	assert_true( gelLength( gelSub( center, gelBody_GetDynamics( stage.body ).centerOfMass ) ) < 1e-5f );
	assert_true( fabsf( gelBody_GetMass( stage.body ) - gelBody_GetDynamics( stage.body ).mass ) <
		1e-5f * gelBody_GetMass( stage.body ) );
	gelFreeStage( &stage );
}

static void TestWhatIsSetIsGiven( void** state )
{
	(void)state;
	gelHostileScene scene = gelMakeHostileScene( gel_solverFastCorotated );
	gelVec3 axis;
	float stiffness, damping;
	int mark;
	assert_int_equal( gelConstraint_SetAxis( scene.line, gelMakeVec3( 0.0f, 0.0f, 2.0f ) ), gel_success );
	assert_int_equal( gelConstraint_GetAxis( scene.line, &axis ), gel_success );
	assert_true( axis.x == 0.0f && axis.z == 1.0f );
	assert_int_equal( gelConstraint_GetAxis( scene.pin, &axis ), gel_success );
	assert_true( axis.z == 0.0f );
	assert_int_equal( gelConstraint_SetSpring( scene.spring, 12.0f, 3.0f ), gel_success );
	assert_int_equal( gelConstraint_GetSpring( scene.spring, &stiffness, &damping ), gel_success );
	assert_true( stiffness == 12.0f && damping == 3.0f );
	gelWorldId world = scene.stage.world;
	assert_null( gelWorld_GetUserData( world ) );
	assert_null( gelBody_GetUserData( scene.body ) );
	assert_int_equal( gelWorld_SetUserData( world, &scene ), gel_success );
	assert_int_equal( gelBody_SetUserData( scene.body, &mark ), gel_success );
	assert_ptr_equal( gelWorld_GetUserData( world ), &scene );
	assert_ptr_equal( gelBody_GetUserData( scene.body ), &mark );
	gelFreeStage( &scene.stage );

	gelStageDef def = gelDefaultStageDef();
	def.pinLeft = true;
	gelStage stage = gelMakeStage( &def );
	int pins[64];
	gelFactorInfo factor;
	gelAsset_GetFactors( stage.asset, &factor, 1 );
	assert_true( gelAsset_GetPinnedNodes( stage.asset, factor.pinSetId, pins, 64 ) > 0 );
	gelVec3 target = { 0.5f, 0.25f, 4.0f }, given;
	assert_int_equal( gelBody_SetPinTarget( stage.body, pins[0], target ), gel_success );
	assert_int_equal( gelBody_GetPinTarget( stage.body, pins[0], &given ), gel_success );
	assert_true( gelLength( gelSub( target, given ) ) < 1e-6f );
	gelFreeStage( &stage );
}

static void TestWorldHash( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = stage.asset;
	bodyDef.transform.position.x = 3.0f;
	gelBodyId other;
	uint64_t alone = gelWorld_HashState( stage.world );
	assert_int_equal( gelCreateBody( stage.world, &bodyDef, &other ), gel_success );
	uint64_t both = gelWorld_HashState( stage.world );
	assert_true( alone != both && both == gelWorld_HashState( stage.world ) );
	gelEmbeddedPoint point = { 0, { 0.25f, 0.25f, 0.25f, 0.25f } };
	gelBody_AddPointForce( other, &point, gelMakeVec3( 0.0f, 1.0f, 0.0f ) );
	assert_true( both != gelWorld_HashState( stage.world ) );
	gelDestroyBody( other );
	assert_true( alone == gelWorld_HashState( stage.world ) );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestTransformIsWhereItWasPut ),
		cmocka_unit_test( TestTransformOfBentBody ),
		cmocka_unit_test( TestWhatIsSetIsGiven ),
		cmocka_unit_test( TestWorldHash ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
