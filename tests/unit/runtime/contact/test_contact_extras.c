// SPDX-License-Identifier: MIT
// Overlaps, steps in a row, times, brakes against tunnelling, and bodies that touch themselves.
#include "test_support.h"

#include "contact_scene.h"
#include "math/gel_math.h"

#include <math.h>
#include <stdlib.h>

static const double s_step = 1.0 / 60.0;

static gelContactScene MakeSpace( void )
{
	gelWorldDef def = gelDefaultWorldDef();
	def.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	return gelMakeContactScene( &def, s_step );
}

// ---- overlaps -------------------------------------------------------------------------------------------

static void TestOverlaps( void** state )
{
	(void)state;
	gelContactScene scene = MakeSpace();
	gelShapeDef shape = gelDefaultShapeDef();
	int box = gelContactScene_AddShape( &scene, &shape );
	gelContactScene_AddBody( &scene, box, NULL, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_AddBody( &scene, box, NULL, ( gelVec3 ){ 0.7f, 0.1f, 0.1f } );
	gelContactScene_AddBody( &scene, box, NULL, ( gelVec3 ){ 3.0f, 0.0f, 0.0f } );
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSphere;
	def.radius = 0.05f;
	const struct
	{
		gelVec3 place;
		int count;
		int first;
	} cases[] = {
		{ { 0.5f, 0.5f, 0.5f }, 1, 0 },  // inside of one
		{ { 0.85f, 0.5f, 0.5f }, 2, 0 }, // inside of two
		{ { 0.0f, 0.5f, 0.5f }, 1, 0 },  // on a face, between vertices
		{ { -0.1f, 0.5f, 0.5f }, 0, 0 }, // beside
		{ { 3.5f, 0.98f, 0.5f }, 1, 2 }, // top of the third
		{ { 2.5f, 0.5f, 0.5f }, 0, 0 },
	};
	for ( int i = 0; i < (int)( sizeof( cases ) / sizeof( cases[0] ) ); ++i )
	{
		gelBodyId found[4];
		def.transform.position = cases[i].place;
		int count = gelWorld_OverlapShape( scene.world, &def, found, 4 );
		assert_int_equal( count, cases[i].count );
		if ( count > 0 ) assert_int_equal( found[0].index1, scene.bodies[cases[i].first].index1 );
	}
	def.shape = gel_shapePlane;
	def.transform.position = ( gelVec3 ){ 0.0f, 0.05f, 0.0f };
	assert_int_equal( gelWorld_OverlapShape( scene.world, &def, NULL, 0 ), 2 );
	def.filter.mask = 0;
	assert_int_equal( gelWorld_OverlapShape( scene.world, &def, NULL, 0 ), 0 );
	def.shape = gel_shapeSurface;
	assert_int_equal( gelWorld_OverlapShape( scene.world, &def, NULL, 0 ), 0 );

	bool overlaps = false;
	assert_int_equal( gelBody_OverlapsBody( scene.bodies[0], scene.bodies[1], &overlaps ), gel_success );
	assert_true( overlaps );
	assert_int_equal( gelBody_OverlapsBody( scene.bodies[1], scene.bodies[2], &overlaps ), gel_success );
	assert_false( overlaps );
	assert_int_equal(
		gelBody_OverlapsBody( scene.bodies[1], scene.bodies[1], &overlaps ), gel_errorArgument );
	gelFreeContactScene( &scene );
}

// ---- intersection curves --------------------------------------------------------------------------------

// Distance of a place from the surface of a cube [low, low + side]^3 that is shifted [m].
static float FromCube( gelVec3 p, gelVec3 shift, float low, float side )
{
	float x[3] = { p.x - shift.x, p.y - shift.y, p.z - shift.z }, nearest = -INFINITY;
	for ( int k = 0; k < 3; ++k )
		nearest = fmaxf( nearest, fabsf( x[k] - low - 0.5f * side ) - 0.5f * side );
	return fabsf( nearest );
}

// Cubes of which one sticks in the other: one closed curve, all of it on both surfaces.
static void TestIntersectionCurves( void** state )
{
	(void)state;
	gelContactScene scene = MakeSpace();
	gelShapeDef shape = gelDefaultShapeDef();
	const gelVec3 places[3] = { { 100.0f, 0.0f, 0.0f }, { 100.7f, 0.1f, 0.1f }, { 103.0f, 0.0f, 0.0f } };
	int box = gelContactScene_AddShape( &scene, &shape );
	for ( int i = 0; i < 3; ++i )
		gelContactScene_AddBody( &scene, box, NULL, places[i] );
	gelBodyId a = scene.bodies[0], b = scene.bodies[1];
	int count = gelBody_GetIntersectionCurves( a, b, NULL, 0 );
	assert_true( count > 12 );
	gelCurveSegment* s = calloc( (size_t)count + 1, sizeof( gelCurveSegment ) );
	assert_non_null( s );
	assert_int_equal( gelBody_GetIntersectionCurves( a, b, s, count ), count );
	gelVec3 area = { 0.0f, 0.0f, 0.0f };
	float low = (float)( 0.5 * shape.inset ), side = (float)( 1.0 - shape.inset );
	for ( int i = 0; i < count; ++i )
	{
		gelVec3 next = s[( i + 1 ) % count].from;
		assert_memory_equal( &s[i].to, &next, sizeof( gelVec3 ) );
		assert_true( s[i].curve == 0 && !s[i].isOpen );
		assert_true( FromCube( s[i].from, places[0], low, side ) < 1e-4f );
		assert_true( FromCube( s[i].from, places[1], low, side ) < 1e-4f );
		area =
			gelMulAdd( area, 0.5f, gelCross( gelSub( s[i].from, s[0].from ), gelSub( s[i].to, s[0].from ) ) );
	}
	// counter-clockwise around what of A is inside of B: that looks to the other body
	assert_true( area.x > 0.5f );
	s[2].curve = -1;
	assert_int_equal( gelBody_GetIntersectionCurves( a, b, s, 2 ), count );
	assert_int_equal( s[2].curve, -1 ); // beyond the capacity
	assert_int_equal( gelBody_GetIntersectionCurves( b, a, NULL, 0 ), count );
	assert_int_equal( gelBody_GetIntersectionCurves( b, scene.bodies[2], NULL, 0 ), 0 );
	assert_int_equal( gelBody_GetIntersectionCurves( a, a, NULL, 0 ), 0 );
	free( s );
	gelFreeContactScene( &scene );
}

// ---- steps in a row -------------------------------------------------------------------------------------

static double TellTime( void* context )
{
	return *(double*)context += 0.5;
}

static void TestStepsInARow( void** state )
{
	(void)state;
	uint64_t hashes[2];
	for ( int k = 0; k < 2; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, s_step );
		gelShapeDef shape = gelDefaultShapeDef();
		int box = gelContactScene_AddShape( &scene, &shape );
		gelContactScene_AddBody( &scene, box, NULL, ( gelVec3 ){ 0.0f, 0.1f, 0.0f } );
		gelContactScene_AddBody( &scene, box, NULL, ( gelVec3 ){ 0.1f, 1.2f, 0.1f } );
		for ( int i = 0; i < 30; ++i )
		{
			if ( k == 0 )
				gelContactScene_Step( &scene, 4 );
			else
				assert_int_equal( gelWorld_StepMany( scene.world, scene.step, 4 ), gel_success );
		}
		hashes[k] = gelBody_HashState( scene.bodies[0] ) ^ gelBody_HashState( scene.bodies[1] );
		assert_true( gelWorld_GetCounters( scene.world ).stepCount == 120 );
		gelFreeContactScene( &scene );
	}
	assert_true( hashes[0] == hashes[1] );
}

static void TestCollidersMoveEvenly( void** state )
{
	(void)state;
	double time = 0.0;
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	worldDef.clock = TellTime;
	worldDef.clockContext = &time;
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	gelShapeDef shape = gelDefaultShapeDef();
	int box = gelContactScene_AddShape( &scene, &shape );
	gelContactScene_AddBody( &scene, box, NULL, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSphere;
	def.radius = 0.2f;
	def.transform.position = ( gelVec3 ){ -0.5f, 0.5f, 0.5f };
	gelColliderId ball;
	assert_int_equal( gelCreateCollider( scene.world, &def, &ball ), gel_success );
	gelTransform pose = def.transform;
	pose.position.x = 0.1f;
	gelCollider_SetTarget( ball, pose );
	assert_int_equal( gelWorld_StepMany( scene.world, scene.step, 20 ), gel_success );
	// pushed by 0.3 m in a third of a second, not shot away within one step
	assert_true( gelGetFastestNode( scene.bodies[0] ) < 6.0 );
	assert_int_equal( gelWorld_GetContactEvents( scene.world, NULL, 0 ), 1 );
	gelTransform now;
	gelCollider_GetTransform( ball, &now );
	assert_true( now.position.x == pose.position.x );
	gelStepTimes times = gelWorld_GetStepTimes( scene.world );
	assert_true( times.contacts == 30.0 && times.bodies == 10.0 && times.response == 10.0 );
	assert_true( times.pairs == 10.0 && times.total == 50.0 );
	assert_int_equal( gelWorld_StepMany( scene.world, scene.step, 0 ), gel_errorArgument );
	assert_int_equal( gelWorld_StepMany( scene.world, scene.step, 1001 ), gel_errorArgument );
	assert_int_equal( gelWorld_StepMany( ( gelWorldId ){ 0 }, scene.step, 1 ), gel_errorArgument );
	assert_true( gelWorld_GetStepTimes( ( gelWorldId ){ 0 } ).total == 0.0 );
	gelFreeContactScene( &scene );
}

// ---- tunnelling -----------------------------------------------------------------------------------------

// Two plates of 20 cm meet at 60 m/s, a metre per step: they stop each other, and momentum is kept.
static void TestPlatesDoNotPass( void** state )
{
	(void)state;
	for ( int k = 0; k < 3; ++k )
	{
		gelContactScene scene = MakeSpace();
		gelShapeDef shape = gelDefaultShapeDef();
		shape.size[0] = 0.2;
		shape.cells[0] = 1;
		shape.youngsModulus = 1e6;
		int plate = gelContactScene_AddShape( &scene, &shape );
		gelBodyDef def = gelDefaultBodyDef();
		if ( k == 1 ) def.solver = gelDefaultSolverDef( gel_solverImplicit );
		def.linearVelocity.x = 60.0f;
		gelContactScene_AddBody( &scene, plate, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		def.linearVelocity.x = 0.0f;
		if ( k == 2 )
		{
			gelColliderDef wall = gelDefaultColliderDef();
			wall.shape = gel_shapeSurface;
			wall.asset = scene.assets[plate];
			wall.transform.position.x = 2.47f;
			gelColliderId id;
			assert_int_equal( gelCreateCollider( scene.world, &wall, &id ), gel_success );
		}
		else
			gelContactScene_AddBody( &scene, plate, &def, ( gelVec3 ){ 2.47f, 0.1f, 0.0f } );
		gelSceneSums before = gelContactScene_Sum( &scene );
		for ( int i = 0; i < 30; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			gelSceneSums now = gelContactScene_Sum( &scene );
			assert_true( now.kinetic + now.elastic < 1.01 * before.kinetic );
			if ( k < 2 )
				assert_true( fabs( now.momentum[0] - before.momentum[0] ) < 1e-3 * before.momentum[0] );
		}
		float a = gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.x;
		float b = k == 2 ? 2.57f : gelBody_GetDynamics( scene.bodies[1] ).centerOfMass.x;
		assert_true( a < b );
		gelFreeContactScene( &scene );
	}
}

// A ball is shot at the wall of a bowl, from inside of its box, a metre per step. It stays in, whether the
// game has told how thin the wall is or not.
static void TestThinWalls( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelContactScene scene = MakeSpace();
		gelSampleDef bowl = gelDefaultSampleDef( "bowl" ), ball = gelDefaultSampleDef( "sphere" );
		bowl.scale = 4.0;
		bowl.isStatic = true;
		ball.scale = 0.5;
		ball.triangles = 1000;
		ball.tets = 40;
		int bowlAsset = gelContactScene_AddSample( &scene, &bowl ),
			ballAsset = gelContactScene_AddSample( &scene, &ball );
		gelColliderDef def = gelDefaultColliderDef();
		def.shape = gel_shapeSurface;
		def.asset = scene.assets[bowlAsset];
		def.thickness = k == 1 ? 0.1f : 0.0f;
		gelColliderId id;
		assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
		gelBodyDef bodyDef = gelDefaultBodyDef();
		bodyDef.linearVelocity.x = 60.0f;
		gelContactScene_AddBody( &scene, ballAsset, &bodyDef, ( gelVec3 ){ 0.0f, 0.6f, 0.0f } );
		gelContactScene_Step( &scene, 30 );
		float x = gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.x;
		assert_true( x < 1.0f );
		gelFreeContactScene( &scene );
	}
}

// A body that is wholly inside of another one comes out instead of being trapped.
static void TestSwallowedBodyComesOut( void** state )
{
	(void)state;
	gelContactScene scene = MakeSpace();
	gelShapeDef large = gelDefaultShapeDef(), small = gelDefaultShapeDef();
	large.size[0] = large.size[1] = large.size[2] = 2.0;
	small.size[0] = small.size[1] = small.size[2] = 0.5;
	small.cells[0] = small.cells[1] = small.cells[2] = 1;
	large.youngsModulus = small.youngsModulus = 1e6;
	int largeAsset = gelContactScene_AddShape( &scene, &large ),
		smallAsset = gelContactScene_AddShape( &scene, &small );
	gelContactScene_AddBody( &scene, largeAsset, NULL, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_AddBody( &scene, smallAsset, NULL, ( gelVec3 ){ 0.8f, 1.2f, 0.7f } );
	bool overlaps = true;
	for ( int i = 0; i < 240 && overlaps; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		gelBody_OverlapsBody( scene.bodies[0], scene.bodies[1], &overlaps );
		assert_true( gelGetFastestNode( scene.bodies[1] ) < 10.0 );
	}
	gelContactScene_Step( &scene, 60 );
	gelVec3 out = gelBody_GetDynamics( scene.bodies[1] ).centerOfMass;
	assert_true( out.y > 2.1f ); // by the top, which is nearest
	assert_true( gelContactScene_GetDepth( &scene ) < 0.02 );
	gelFreeContactScene( &scene );
}

// ---- self -----------------------------------------------------------------------------------------------

// A bar hangs over a rod: its halves swing together under it. Only with contact with itself they stay on
// their own sides.
static float HangOverRod( bool enableSelfContact )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	gelShapeDef bar = gelDefaultShapeDef();
	bar.size[0] = 4.0;
	bar.size[1] = bar.size[2] = 0.4;
	bar.cells[0] = 12;
	bar.cells[1] = bar.cells[2] = 1;
	bar.youngsModulus = 5e4;
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSelfContact = enableSelfContact;
	gelContactScene_AddBody(
		&scene, gelContactScene_AddShape( &scene, &bar ), &def, ( gelVec3 ){ -2.0f, 0.0f, -0.2f } );
	gelColliderDef rod = gelDefaultColliderDef();
	rod.shape = gel_shapeCapsule;
	rod.radius = 0.08f;
	rod.halfLength = 1.0f;
	rod.staticFriction = rod.dynamicFriction = 5.0f;
	rod.transform.position.y = -0.09f;
	rod.transform.rotation = ( gelQuat ){ { 0.70710678f, 0.0f, 0.0f }, 0.70710678f };
	gelColliderId id;
	assert_int_equal( gelCreateCollider( scene.world, &rod, &id ), gel_success );
	float least = INFINITY;
	for ( int i = 0; i < 150; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		gelAssetInfo info = gelAsset_GetInfo( scene.assets[0] );
		gelVec3* rest = calloc( 2 * (size_t)info.nodeCount, sizeof( gelVec3 ) );
		assert_non_null( rest );
		gelVec3 *x = rest + info.nodeCount, left = { 0.0f, 0.0f, 0.0f }, right = left;
		gelAsset_GetRestNodes( scene.assets[0], rest, info.nodeCount );
		gelBody_GetNodePositions( scene.bodies[0], x, info.nodeCount );
		for ( int n = 0; n < info.nodeCount; ++n )
		{
			if ( rest[n].x < 0.01f ) left = gelMulAdd( left, 0.25f, x[n] );
			if ( rest[n].x > 3.99f ) right = gelMulAdd( right, 0.25f, x[n] );
		}
		least = fminf( least, right.x - left.x );
		free( rest );
	}
	gelFreeContactScene( &scene );
	return least;
}

static void TestSelfContact( void** state )
{
	(void)state;
	assert_true( HangOverRod( false ) < -0.5f );
	assert_true( HangOverRod( true ) > 0.15f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestOverlaps ),
		cmocka_unit_test( TestIntersectionCurves ),
		cmocka_unit_test( TestStepsInARow ),
		cmocka_unit_test( TestCollidersMoveEvenly ),
		cmocka_unit_test( TestPlatesDoNotPass ),
		cmocka_unit_test( TestThinWalls ),
		cmocka_unit_test( TestSwallowedBodyComesOut ),
		cmocka_unit_test( TestSelfContact ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
