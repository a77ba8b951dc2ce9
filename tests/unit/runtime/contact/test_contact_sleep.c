// SPDX-License-Identifier: MIT
// Sleepers that touch: what the game does to one of them wakes those that lie on it.
#include "test_support.h"

#include "contact_scene.h"

static const double s_step = 1.0 / 60.0;
static const gelQuat s_unturned = { { 0.0f, 0.0f, 0.0f }, 1.0f };
static const gelSolverType s_solvers[] = { gel_solverFastCorotated, gel_solverImplicit,
	gel_solverWarpCancelling };

static gelShapeDef MakeBox( double size )
{
	gelShapeDef shape = gelDefaultShapeDef();
	shape.cells[0] = shape.cells[1] = shape.cells[2] = 2;
	shape.size[0] = shape.size[1] = shape.size[2] = size;
	shape.youngsModulus = 1e6;
	return shape;
}

// Two boxes on the ground, asleep on each other, and one that sleeps far away.
static gelContactScene MakeSleepers( gelSolverType solver )
{
	gelContactScene scene = gelMakeContactScene( NULL, s_step );
	gelShapeDef shape = MakeBox( 0.5 );
	int box = gelContactScene_AddShape( &scene, &shape );
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSleep = true;
	def.solver = gelDefaultSolverDef( solver );
	for ( int i = 0; i < 3; ++i )
		gelContactScene_AddBody( &scene, box, &def,
			( gelVec3 ){ i < 2 ? 0.01f * (float)i : 3.0f, i < 2 ? 0.5f * (float)i : 0.0f, 0.0f } );
	gelContactScene_Step( &scene, 240 );
	assert_int_equal( gelWorld_GetCounters( scene.world ).awakeBodyCount, 0 );
	assert_true( gelBody_GetDynamics( scene.bodies[1] ).centerOfMass.y > 0.7f );
	return scene;
}

static void DestroyIt( gelContactScene* scene )
{
	gelDestroyBody( scene->bodies[0] );
}

static void TakeItOut( gelContactScene* scene )
{
	assert_int_equal( gelBody_EnableContact( scene->bodies[0], false ), gel_success );
}

static void FilterIt( gelContactScene* scene )
{
	assert_int_equal(
		gelBody_SetContactFilter( scene->bodies[0], ( gelContactFilter ){ 1, 0 } ), gel_success );
}

static void TeleportIt( gelContactScene* scene )
{
	gelVec3 away = { -4.0f, 0.0f, 0.0f };
	assert_int_equal(
		gelBody_Teleport( scene->bodies[0], ( gelTransform ){ away, s_unturned } ), gel_success );
}

static void ResetIt( gelContactScene* scene )
{
	gelVec3 place = { -4.0f, 0.0f, 0.0f };
	assert_int_equal( gelBody_Reset( scene->bodies[0], ( gelTransform ){ place, s_unturned } ), gel_success );
}

static void MoveItsNodes( gelContactScene* scene )
{
	gelVec3 x[64], v[64];
	int count = gelBody_GetNodePositions( scene->bodies[0], x, 64 );
	assert_true( count > 0 && count <= 64 );
	for ( int i = 0; i < count; ++i )
	{
		x[i].x -= 4.0f;
		v[i] = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	}
	assert_int_equal( gelBody_SetNodeState( scene->bodies[0], x, v, count ), gel_success );
}

static void SwitchOff( gelContactScene* scene )
{
	assert_int_equal( gelWorld_EnableContact( scene->world, false ), gel_success );
}

typedef void ChangeFcn( gelContactScene* scene );

// The upper one falls to the ground when the lower one is there no more; who is far away sleeps on.
static void TestNobodyFloats( void** state )
{
	(void)state;
	ChangeFcn* const changes[] = { DestroyIt, TakeItOut, FilterIt, TeleportIt, ResetIt, MoveItsNodes,
		SwitchOff };
	for ( int k = 0; k < 3; ++k )
	{
		for ( int i = 0; i < (int)( sizeof( changes ) / sizeof( changes[0] ) ); ++i )
		{
			gelContactScene scene = MakeSleepers( s_solvers[k] );
			changes[i]( &scene );
			assert_true( gelBody_IsAwake( scene.bodies[1] ) );
			if ( changes[i] != SwitchOff ) assert_false( gelBody_IsAwake( scene.bodies[2] ) );
			for ( int s = 0; s < 60; ++s )
				assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
			assert_true( gelBody_GetDynamics( scene.bodies[1] ).centerOfMass.y < 0.3f );
			gelFreeContactScene( &scene );
		}
	}
}

// A call that changes nothing wakes nobody.
static void TestNothingChanged( void** state )
{
	(void)state;
	gelContactScene scene = MakeSleepers( gel_solverFastCorotated );
	gelContactFilter filter = gelBody_GetContactFilter( scene.bodies[0] );
	assert_int_equal( gelBody_SetContactFilter( scene.bodies[0], filter ), gel_success );
	assert_int_equal( gelBody_EnableContact( scene.bodies[0], true ), gel_success );
	assert_int_equal( gelBody_SetContactFriction( scene.bodies[0], -1.0f ), gel_success );
	assert_int_equal( gelWorld_EnableContact( scene.world, true ), gel_success );
	gelContactScene_Step( &scene, 1 );
	assert_int_equal( gelWorld_GetCounters( scene.world ).awakeBodyCount, 0 );
	gelFreeContactScene( &scene );
}

// A small box inside of a large one, which is a body or a surface that stands: it gets out before it sleeps.
static void TestNobodySleepsInside( void** state )
{
	(void)state;
	for ( int k = 0; k < 6; ++k )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
		gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
		gelShapeDef small = MakeBox( 0.2 ), large = MakeBox( 2.0 );
		int smallBox = gelContactScene_AddShape( &scene, &small );
		int largeBox = gelContactScene_AddShape( &scene, &large );
		gelBodyDef def = gelDefaultBodyDef();
		def.enableSleep = true;
		def.solver = gelDefaultSolverDef( s_solvers[k % 3] );
		gelContactScene_AddBody( &scene, smallBox, &def, ( gelVec3 ){ 1.3f, 0.9f, 0.8f } );
		gelColliderDef collider = gelDefaultColliderDef();
		collider.shape = gel_shapeSurface;
		collider.asset = scene.assets[largeBox];
		gelColliderId id;
		if ( k < 3 )
			gelContactScene_AddBody( &scene, largeBox, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		else
			assert_int_equal( gelCreateCollider( scene.world, &collider, &id ), gel_success );
		gelContactScene_Step( &scene, 600 );
		gelVec3 center = gelBody_GetDynamics( scene.bodies[0] ).centerOfMass;
		if ( k < 3 )
			assert_true( gelGetSharedPart( scene.bodies[0], scene.bodies[1] ) < 0.02 );
		else
			assert_true( center.x > 2.05f );
		assert_int_equal( gelWorld_GetCounters( scene.world ).awakeBodyCount, 0 );
		gelFreeContactScene( &scene );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestNobodyFloats ),
		cmocka_unit_test( TestNothingChanged ),
		cmocka_unit_test( TestNobodySleepsInside ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
