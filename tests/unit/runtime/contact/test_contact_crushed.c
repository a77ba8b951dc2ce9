// SPDX-License-Identifier: MIT
// Jellies so soft that a blow or their own weight crushes them: tets are turned inside out, and the bodies
// pass into each other. They must come apart again.
#include "test_support.h"

#include "contact_scene.h"
#include "math/gel_math.h"

#include <math.h>

static const double s_step = 1.0 / 60.0;

static const gelSolverType s_solvers[2] = { gel_solverFastCorotated, gel_solverImplicit };

// A ball of 0.6 m.
static int AddJelly( gelContactScene* scene, double youngsModulus )
{
	gelSampleDef jelly = gelDefaultSampleDef( "sphere" );
	jelly.scale = 1.2;
	jelly.tets = 300;
	jelly.youngsModulus = youngsModulus;
	return gelContactScene_AddSample( scene, &jelly );
}

static gelVec3 GetCenter( gelBodyId bodyId )
{
	return gelBody_GetDynamics( bodyId ).centerOfMass;
}

// Tets with less than a fifth of their volume, or inside out.
static int CountCrushed( const gelContactScene* scene )
{
	static gelTetState states[1000];
	int count = 0;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		int tetCount = gelBody_GetTetStates( scene->bodies[i], states, 1000 );
		assert_true( tetCount <= 1000 );
		for ( int t = 0; t < tetCount; ++t )
			count += states[t].volumeRatio < 0.2f;
	}
	return count;
}

// Five jellies of 8 kPa meet in one point of space at 12 m/s each.
static void TestThrownIntoEachOther( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
		gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
		int jelly = AddJelly( &scene, 8e3 );
		gelBodyDef def = gelDefaultBodyDef();
		def.solver = gelDefaultSolverDef( s_solvers[k] );
		for ( int i = 0; i < 5; ++i )
		{
			float angle = 6.2831853f * (float)i / 5.0f;
			gelVec3 way = { cosf( angle ), 0.3f * (float)( i % 2 ), sinf( angle ) };
			def.linearVelocity = gelScale( -12.0f, way );
			gelContactScene_AddBody( &scene, jelly, &def, gelScale( 0.9f, way ) );
		}
		float volume = gelBody_GetDynamics( scene.bodies[0] ).volume;
		gelSceneSums before = gelContactScene_Sum( &scene );
		int crushed = 0, steps = GEL_IS_SANITIZED ? 20 : 120;
		for ( int i = 0; i < steps; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			int now = CountCrushed( &scene );
			if ( now > crushed ) crushed = now;
		}
		assert_true( crushed > 100 ); // or this would prove nothing
		gelSceneSums after = gelContactScene_Sum( &scene );
		assert_true( after.kinetic + after.elastic < before.kinetic );
		if ( !GEL_IS_SANITIZED )
		{
			assert_int_equal( gelWorld_GetContactCounters( scene.world ).contactCount, 0 );
			assert_true( gelContactScene_GetSharedPart( &scene ) == 0.0 );
			for ( int i = 0; i < 5; ++i )
				assert_float_equal( gelBody_GetDynamics( scene.bodies[i] ).volume, volume, 0.05f * volume );
		}
		gelFreeContactScene( &scene );
	}
}

// Four walls around a square of 0.8 m.
static void AddPit( const gelContactScene* scene )
{
	for ( int k = 0; k < 4; ++k )
	{
		float angle = 1.5707963f * (float)k;
		gelVec3 normal = { cosf( angle ), 0.0f, sinf( angle ) };
		gelVec3 axis = gelCross( gelMakeVec3( 0.0f, 1.0f, 0.0f ), normal );
		gelColliderDef def = gelDefaultColliderDef();
		def.transform.position = gelScale( -0.4f, normal );
		def.transform.rotation = ( gelQuat ){ gelScale( 0.70710678f, axis ), 0.70710678f };
		gelColliderId id;
		assert_int_equal( gelCreateCollider( scene->world, &def, &id ), gel_success );
	}
}

// Three jellies of 8 kPa on each other in a pit: the lowest one cannot bear the others. A piston comes down
// on them, stays for a moment, and leaves. Linear material stays crushed under that weight, but the bodies
// may not stay in each other.
static void TestPressedInPit( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, s_step );
		int jelly = AddJelly( &scene, 8e3 ), count = 3;
		gelBodyDef def = gelDefaultBodyDef();
		def.solver = gelDefaultSolverDef( s_solvers[k] );
		for ( int i = 0; i < count; ++i )
			gelContactScene_AddBody( &scene, jelly, &def,
				( gelVec3 ){ 0.05f * (float)( i % 2 ), 0.02f + 0.6f * (float)i, 0.03f * (float)( i % 2 ) } );
		AddPit( &scene );
		gelColliderDef pistonDef = gelDefaultColliderDef();
		pistonDef.shape = gel_shapeBox;
		pistonDef.halfExtents = ( gelVec3 ){ 2.0f, 0.5f, 2.0f };
		pistonDef.transform.position.y = 2.5f;
		gelColliderId piston;
		assert_int_equal( gelCreateCollider( scene.world, &pistonDef, &piston ), gel_success );
		gelTransform pose = pistonDef.transform;
		double crushed = 0.0;
		for ( int i = 0; i < ( GEL_IS_SANITIZED ? 60 : 360 ); ++i )
		{
			float way = 2.0f / 60.0f;
			pose.position.y = i < 120 ? fmaxf( pose.position.y - way, 1.04f ) : pose.position.y + way;
			gelCollider_SetTarget( piston, pose );
			gelContactScene_Step( &scene, 1 );
			if ( i < 120 && i % 20 == 19 ) crushed = fmax( crushed, gelContactScene_GetSharedPart( &scene ) );
		}
		assert_true( crushed > 0.3 );
		double shared = gelContactScene_GetSharedPart( &scene );
		if ( !GEL_IS_SANITIZED ) assert_true( shared < 0.05 );
		gelFreeContactScene( &scene );
	}
}

// Five jellies are thrown into a bowl: all of them stay in it, beside each other.
static void TestThrownIntoBowl( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
		gelSampleDef bowl = gelDefaultSampleDef( "bowl" );
		bowl.scale = 5.0;
		bowl.triangles = 3000;
		bowl.tets = 250;
		bowl.isStatic = true;
		gelColliderDef bowlDef = gelDefaultColliderDef();
		bowlDef.shape = gel_shapeSurface;
		bowlDef.asset = scene.assets[gelContactScene_AddSample( &scene, &bowl )];
		bowlDef.thickness = 0.1f;
		gelColliderId id;
		assert_int_equal( gelCreateCollider( scene.world, &bowlDef, &id ), gel_success );
		int jelly = AddJelly( &scene, k == 0 ? 8e3 : 15e3 );
		gelBodyDef def = gelDefaultBodyDef();
		def.solver = gelDefaultSolverDef( s_solvers[k] );
		for ( int i = 0; i < 5; ++i )
		{
			float angle = 6.2831853f * (float)i / 5.0f, x = cosf( angle ), z = sinf( angle );
			def.linearVelocity = ( gelVec3 ){ -8.0f * x, -8.0f, -8.0f * z };
			gelContactScene_AddBody(
				&scene, jelly, &def, ( gelVec3 ){ 0.6f * x, 1.2f + 0.3f * (float)i, 0.6f * z } );
		}
		gelContactScene_Step( &scene, GEL_IS_SANITIZED ? 40 : 180 );
		for ( int i = 0; i < 5; ++i )
		{
			gelVec3 p = GetCenter( scene.bodies[i] );
			assert_true( p.y > 0.2f && p.x * p.x + p.z * p.z < 1.3f * 1.3f );
		}
		if ( !GEL_IS_SANITIZED ) assert_true( gelContactScene_GetSharedPart( &scene ) < 0.02 );
		gelFreeContactScene( &scene );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestThrownIntoEachOther ),
		cmocka_unit_test( TestPressedInPit ),
		cmocka_unit_test( TestThrownIntoBowl ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
