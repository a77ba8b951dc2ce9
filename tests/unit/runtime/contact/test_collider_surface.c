// SPDX-License-Identifier: MIT
// Surfaces of packs as colliders: bodies lie on them, are carried by them, and make the same of a ball of
// triangles as of an analytic one.
#include "test_support.h"

#include "contact_scene.h"

static const float s_step = 1.0f / 60.0f;

static gelContactScene MakeScene( void )
{
	gelWorldDef def = gelDefaultWorldDef(); // no ground
	return gelMakeContactScene( &def, s_step );
}

static gelColliderId AddSurface( const gelContactScene* scene, int asset, gelVec3 position )
{
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSurface;
	def.asset = scene->assets[asset];
	def.transform.position = position;
	gelColliderId id;
	assert_int_equal( gelCreateCollider( scene->world, &def, &id ), gel_success );
	return id;
}

static gelShapeDef MakeSlab( void )
{
	gelShapeDef slab = gelDefaultShapeDef();
	slab.size[0] = slab.size[2] = 3.0;
	slab.size[1] = 0.5;
	slab.cells[0] = slab.cells[2] = 4;
	slab.cells[1] = 1;
	return slab;
}

static gelBodyDef MakeBodyDef( int solver )
{
	gelBodyDef def = gelDefaultBodyDef();
	if ( solver == 1 ) def.solver.fast.mode = gel_modeQuality;
	if ( solver == 2 ) def.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.enableSleep = true;
	return def;
}

// A box falls on a slab, lies there with all its weight, and sleeps.
static void TestLieOnSlab( void** state )
{
	(void)state;
	for ( int k = 0; k < 3; ++k )
	{
		gelContactScene scene = MakeScene();
		gelShapeDef slab = MakeSlab(), box = gelDefaultShapeDef();
		box.youngsModulus = 1e6;
		int slabAsset = gelContactScene_AddShape( &scene, &slab ),
			boxAsset = gelContactScene_AddShape( &scene, &box );
		gelColliderId ground = AddSurface( &scene, slabAsset, ( gelVec3 ){ -1.0f, -0.49f, -1.0f } );
		gelBodyDef def = MakeBodyDef( k );
		gelContactScene_AddBody( &scene, boxAsset, &def, ( gelVec3 ){ 0.1f, 0.2f, 0.07f } );
		gelContactScene_Step( &scene, 60 );
		gelBodyDynamics before = gelBody_GetDynamics( scene.bodies[0] );
		float weight = 0.0f;
		for ( int i = 0; i < 30; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			gelReaction reaction;
			assert_int_equal( gelCollider_GetReaction( ground, &reaction ), gel_success );
			weight -= reaction.force.y / 30.0f;
		}
		if ( gelBody_IsAwake( scene.bodies[0] ) )
			assert_float_equal( weight, 9.81f * before.mass, 0.03f * 9.81f * before.mass );
		assert_true( gelContactScene_GetDepth( &scene ) < 0.01 );
		gelContactScene_Step( &scene, 150 );
		gelBodyDynamics after = gelBody_GetDynamics( scene.bodies[0] );
		assert_float_equal( after.centerOfMass.x, before.centerOfMass.x, 0.01f );
		assert_float_equal( after.centerOfMass.y, 0.48f, 0.03f );
		assert_false( gelBody_IsAwake( scene.bodies[0] ) );
		gelFreeContactScene( &scene );
	}
}

// Triangles and formula make the same ball.
static void TestBallIsBall( void** state )
{
	(void)state;
	float heights[2];
	for ( int k = 0; k < 2; ++k )
	{
		gelContactScene scene = MakeScene();
		gelShapeDef ball = gelDefaultShapeDef(), slab = MakeSlab();
		ball.isBall = true;
		ball.inset = 0.1;
		slab.youngsModulus = 3e5;
		int ballAsset = gelContactScene_AddShape( &scene, &ball ),
			slabAsset = gelContactScene_AddShape( &scene, &slab );
		gelColliderDef def = gelDefaultColliderDef();
		def.shape = gel_shapeSphere;
		def.radius = 0.45f;
		gelColliderId id;
		if ( k == 0 )
			assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
		else
			AddSurface( &scene, ballAsset, ( gelVec3 ){ -0.5f, -0.5f, -0.5f } );
		gelBodyDef bodyDef = MakeBodyDef( 0 );
		bodyDef.enableSleep = false;
		gelContactScene_AddBody( &scene, slabAsset, &bodyDef, ( gelVec3 ){ -1.5f, 0.5f, -1.5f } );
		gelContactScene_Step( &scene, 150 );
		heights[k] = gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.y;
		gelFreeContactScene( &scene );
	}
	assert_true( heights[0] > 0.3f );
	assert_float_equal( heights[0], heights[1], 0.03f );
}

// A lift: what lies on it goes up with it, and along with it when it turns sideways.
static void TestCarried( void** state )
{
	(void)state;
	gelContactScene scene = MakeScene();
	gelShapeDef slab = MakeSlab(), box = gelDefaultShapeDef();
	box.youngsModulus = 1e6;
	int slabAsset = gelContactScene_AddShape( &scene, &slab ),
		boxAsset = gelContactScene_AddShape( &scene, &box );
	gelTransform pose = { { -1.0f, -0.49f, -1.0f }, { { 0.0f, 0.0f, 0.0f }, 1.0f } };
	gelColliderId lift = AddSurface( &scene, slabAsset, pose.position );
	gelBodyDef def = MakeBodyDef( 0 );
	gelContactScene_AddBody( &scene, boxAsset, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_Step( &scene, 120 );
	gelVec3 before = gelBody_GetDynamics( scene.bodies[0] ).centerOfMass;
	for ( int i = 0; i < 120; ++i )
	{
		pose.position.y += 0.5f * s_step;
		pose.position.x += 0.2f * s_step;
		assert_int_equal( gelCollider_SetTarget( lift, pose ), gel_success );
		gelContactScene_Step( &scene, 1 );
	}
	gelVec3 after = gelBody_GetDynamics( scene.bodies[0] ).centerOfMass;
	assert_float_equal( after.y - before.y, 1.0f, 0.03f );
	assert_float_equal( after.x - before.x, 0.4f, 0.05f );
	gelTransform far = pose;
	far.position.y -= 50.0f;
	assert_int_equal( gelCollider_Teleport( lift, far ), gel_success );
	gelContactScene_Step( &scene, 30 );
	assert_true( gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.y < after.y - 0.8f );
	gelFreeContactScene( &scene );
}

static void TestRefusals( void** state )
{
	(void)state;
	gelContactScene scene = MakeScene();
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSurface;
	gelColliderId id;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorArgument ); // no asset
	gelShapeDef box = gelDefaultShapeDef();
	int asset = gelContactScene_AddShape( &scene, &box );
	for ( int i = 0; i < 3; ++i ) // memory comes and goes
	{
		id = AddSurface( &scene, asset, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		gelContactScene_Step( &scene, 1 );
		gelDestroyCollider( id );
	}
	AddSurface( &scene, asset, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } ); // goes with the world
	gelFreeContactScene( &scene );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestLieOnSlab ),
		cmocka_unit_test( TestBallIsBall ),
		cmocka_unit_test( TestCarried ),
		cmocka_unit_test( TestRefusals ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
