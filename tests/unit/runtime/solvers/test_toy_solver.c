// SPDX-License-Identifier: MIT
// A solver that the library does not know, by its table alone: it lives in a world beside bodies of the
// library's own, falls, spins, is pushed, saved, restored, teleported, skinned, and sleeps.
#include "test_support.h"

#include "gelpack/interact.h"
#include "gelpack/query.h"
#include "stage.h"
#include "toy_solver.h"
#include "world/body_life.h"

#include <math.h>
#include <stdlib.h>

// A soft box in a world, and a toy of the same asset at (2, height, 0).
typedef struct Scene
{
	gelStage stage;
	gelBodyId toy;
} Scene;

static Scene MakeScene( bool hasGround, float height )
{
	gelStageDef def = gelDefaultStageDef();
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.world.hasGround = hasGround;
	def.body.enableSleep = true;
	def.body.transform.position.y = 10.0f;
	Scene scene = { .stage = gelMakeStage( &def ) };
	gelBodyDef body = gelDefaultBodyDef();
	body.asset = scene.stage.asset;
	body.enableSleep = true;
	body.transform.position = ( gelVec3 ){ 2.0f, height, 0.0f };
	assert_int_equal(
		gelCreateBodyWith( scene.stage.world, &body, &gel_toySolver, &scene.toy ), gel_success );
	return scene;
}

static gelVec3 GetCenter( gelBodyId body )
{
	return gelBody_GetDynamics( body ).centerOfMass;
}

static void TestFallsAndSpins( void** state )
{
	(void)state;
	Scene scene = MakeScene( false, 0.0f );
	float h = scene.stage.step, start = GetCenter( scene.toy ).y;
	gelVec3 spin = { 0.0f, 3.0f, 0.0f };
	gelGetBody( scene.toy )->solver->setVelocity( gelGetBody( scene.toy ), spin, spin );
	gelStage_Step( &scene.stage, 60 );
	// symplectic Euler: y = v t + g h^2 n (n + 1) / 2
	float expected = start + 3.0f * 60.0f * h - 9.81f * h * h * 60.0f * 61.0f / 2.0f;
	assert_true( fabsf( GetCenter( scene.toy ).y - expected ) < 1e-4f );
	gelBodyDynamics dynamics = gelBody_GetDynamics( scene.toy );
	assert_true( dynamics.angularMomentum.y > 0.0f && dynamics.invertedTetCount == 0 );
	gelFreeStage( &scene.stage );
}

static void TestStaysRigid( void** state )
{
	(void)state;
	Scene scene = MakeScene( false, 0.0f );
	gelVec3 *before = scene.stage.positions,
			*after = calloc( (size_t)scene.stage.vertexCount, sizeof( gelVec3 ) );
	assert_non_null( after );
	assert_int_equal(
		gelBody_GetPositions( scene.toy, before, scene.stage.vertexCount ), scene.stage.vertexCount );
	gelEmbeddedPoint point = gelAsset_GetVertexPoint( scene.stage.asset, 0 );
	assert_int_equal(
		gelBody_AddPointImpulse( scene.toy, &point, ( gelVec3 ){ 40.0f, 900.0f, 70.0f } ), gel_success );
	gelStage_Step( &scene.stage, 30 );
	gelBody_GetPositions( scene.toy, after, scene.stage.vertexCount );
	for ( int i = 1; i < scene.stage.vertexCount; ++i )
	{
		float a = gelLength( gelSub( before[i], before[0] ) ), b = gelLength( gelSub( after[i], after[0] ) );
		assert_true( fabsf( a - b ) < 1e-4f );
	}
	assert_true( gelLength( gelSub( after[0], before[0] ) ) > 0.01f );
	free( after );
	gelFreeStage( &scene.stage );
}

static void TestAnswersAtPoints( void** state )
{
	(void)state;
	Scene scene = MakeScene( false, 0.0f );
	gelEmbeddedPoint point = gelAsset_GetVertexPoint( scene.stage.asset, 3 );
	float mass;
	assert_int_equal( gelBody_GetPointMass( scene.toy, &point, &mass ), gel_success );
	assert_true( mass > 0.0f && mass < gelBody_GetDynamics( scene.toy ).mass );
	gelVec3 push = { 0.0f, 0.0f, 100.0f }, v;
	assert_int_equal( gelBody_AddPointForce( scene.toy, &point, push ), gel_success );
	gelStage_Step( &scene.stage, 1 );
	assert_int_equal( gelBody_GetPointVelocity( scene.toy, &point, &v ), gel_success );
	assert_true( v.z > 0.0f );
	float given = gelBody_GetDynamics( scene.toy ).linearMomentum.z;
	assert_true( fabsf( given - 100.0f * scene.stage.step ) < 1e-4f );
	// what it does not have is refused, not done halfway
	gelConstraintDef constraint = gelDefaultConstraintDef();
	gelConstraintId id;
	constraint.point = point;
	assert_int_equal( gelCreateConstraint( scene.toy, &constraint, &id ), gel_errorUnsupported );
	gelFreeStage( &scene.stage );
}

static void TestRepeatsFromASavedState( void** state )
{
	(void)state;
	Scene scene = MakeScene( true, 3.0f );
	gelStage_Step( &scene.stage, 20 );
	size_t bytes = gelWorld_GetStateBytes( scene.stage.world );
	void* saved = malloc( bytes );
	assert_non_null( saved );
	assert_int_equal( gelWorld_SaveState( scene.stage.world, saved, bytes ), gel_success );
	gelStage_Step( &scene.stage, 60 );
	uint64_t hash = gelBody_HashState( scene.toy );
	assert_int_equal( gelWorld_RestoreState( scene.stage.world, saved, bytes ), gel_success );
	assert_true( gelBody_HashState( scene.toy ) != hash );
	gelStage_Step( &scene.stage, 60 );
	assert_true( gelBody_HashState( scene.toy ) == hash );
	free( saved );
	gelFreeStage( &scene.stage );
}

static void TestLandsAndSleeps( void** state )
{
	(void)state;
	Scene scene = MakeScene( true, 1.0f );
	gelStage_Step( &scene.stage, 120 );
	assert_false( gelBody_IsAwake( scene.toy ) );
	gelAabb box = gelBody_GetBounds( scene.toy );
	assert_true( fabsf( box.min.y ) < 1e-3f );
	// Teleporting wakes it
	gelQuat none = { { 0.0f, 0.0f, 0.0f }, 1.0f };
	assert_int_equal(
		gelBody_Teleport( scene.toy, ( gelTransform ){ ( gelVec3 ){ 0.0f, 1.0f, 0.0f }, none } ),
		gel_success );
	assert_true( gelBody_IsAwake( scene.toy ) );
	gelStage_Step( &scene.stage, 5 );
	assert_true( GetCenter( scene.toy ).y > 0.5f );
	gelDestroyBody( scene.toy );
	gelStage_Step( &scene.stage, 5 );
	gelFreeStage( &scene.stage );
}

// The body of the library's own gets the bits that it gets without a toy beside it.
static void TestLeavesOthersAlone( void** state )
{
	(void)state;
	Scene scene = MakeScene( true, 1.0f ), alone = MakeScene( true, 1.0f );
	gelDestroyBody( alone.toy );
	gelStage_Step( &scene.stage, 60 );
	gelStage_Step( &alone.stage, 60 );
	assert_true( gelBody_HashState( scene.stage.body ) == gelBody_HashState( alone.stage.body ) );
	gelFreeStage( &scene.stage );
	gelFreeStage( &alone.stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFallsAndSpins ),
		cmocka_unit_test( TestStaysRigid ),
		cmocka_unit_test( TestAnswersAtPoints ),
		cmocka_unit_test( TestRepeatsFromASavedState ),
		cmocka_unit_test( TestLandsAndSleeps ),
		cmocka_unit_test( TestLeavesOthersAlone ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
