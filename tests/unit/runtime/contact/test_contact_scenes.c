// SPDX-License-Identifier: MIT
// Bodies that touch, by what comes of it: momentum is kept, energy does not grow, what lies keeps lying and
// falls asleep, what friction holds stays.
#include "test_support.h"

#include "contact_scene.h"

#include <math.h>

static const struct
{
	const char* name;
	gelSolverType solver;
	gelSolverMode mode;
	double momentumError; // error of the solver itself, while a body vibrates [part of the impulse]
} solvers[] = {
	{ "fast", gel_solverFastCorotated, gel_modePlain, 2e-5 },
	{ "quality", gel_solverFastCorotated, gel_modeQuality, 1e-3 },
	{ "implicit", gel_solverImplicit, gel_modePlain, 2e-5 },
	{ "warp", gel_solverWarpCancelling, gel_modePlain, 2e-5 },
};
#define SOLVERS ( (int)( sizeof( solvers ) / sizeof( solvers[0] ) ) )

static gelBodyDef MakeBodyDef( int solver )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = gelDefaultSolverDef( solvers[solver].solver );
	if ( solvers[solver].mode == gel_modeQuality ) def.solver.fast.mode = gel_modeQuality;
	def.enableSleep = true;
	return def;
}

static gelWorldDef MakeSpace( void )
{
	gelWorldDef def = gelDefaultWorldDef();
	def.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	return def;
}

// Two boxes meet in the air, off center: what one loses the other gains, and nothing is won.
static void TestBoxesCollideInTheAir( void** state )
{
	(void)state;
	for ( int k = 0; k < SOLVERS; ++k )
	{
		gelWorldDef worldDef = MakeSpace();
		gelContactScene scene = gelMakeContactScene( &worldDef, 1.0 / 60.0 );
		gelShapeDef shape = gelDefaultShapeDef();
		shape.youngsModulus = 1e6;
		int box = gelContactScene_AddShape( &scene, &shape );
		gelBodyDef def = MakeBodyDef( k );
		def.linearVelocity.x = 2.0f;
		gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		def.linearVelocity.x = -1.0f;
		gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 1.3f, 0.3f, 0.1f } );
		gelSceneSums before = gelContactScene_Sum( &scene );
		int touching = 0;
		for ( int i = 0; i < 60; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			gelSceneSums now = gelContactScene_Sum( &scene );
			touching += gelWorld_GetContactCounters( scene.world ).contactCount > 0;
			for ( int d = 0; d < 3; ++d )
				assert_true(
					fabs( now.momentum[d] - before.momentum[d] ) < solvers[k].momentumError * 3000.0 );
			// pushing out by positions turns a little, and the fast solver's volume stage, too
			assert_true( fabs( now.angularMomentum[2] - before.angularMomentum[2] ) < 0.05 * 900.0 );
			assert_true( now.kinetic + now.elastic < 1.001 * before.kinetic );
		}
		assert_true( touching >= 2 );
		gelBodyDynamics a = gelBody_GetDynamics( scene.bodies[0] ),
						b = gelBody_GetDynamics( scene.bodies[1] );
		assert_true(
			a.linearMomentum.x / a.mass < b.linearMomentum.x / b.mass + 1e-3f ); // apart, or together
		assert_int_equal( gelWorld_GetContactCounters( scene.world ).droppedContactCount, 0 );
		gelFreeContactScene( &scene );
	}
}

// One to three boxes on each other, a little askew, for five seconds.
static void TestStacksRest( void** state )
{
	(void)state;
	for ( int k = 0; k < SOLVERS * 2; ++k )
	{
		int count = 2 + k % 2;
		gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
		gelShapeDef shape = gelDefaultShapeDef();
		shape.youngsModulus = 5e6;
		int box = gelContactScene_AddShape( &scene, &shape );
		gelBodyDef def = MakeBodyDef( k / 2 );
		for ( int i = 0; i < count; ++i )
			gelContactScene_AddBody( &scene, box, &def,
				( gelVec3 ){ 0.03f * (float)i, 1.0f * (float)i, 0.02f * (float)( i % 2 ) } );
		gelContactScene_Step( &scene, 120 );
		gelBodyDynamics before[3];
		for ( int i = 0; i < count; ++i )
			before[i] = gelBody_GetDynamics( scene.bodies[i] );
		assert_true( gelContactScene_GetDepth( &scene ) < 0.005 );
		gelContactScene_Step( &scene, 180 );
		for ( int i = 0; i < count; ++i )
		{
			gelVec3 a = before[i].centerOfMass, b = gelBody_GetDynamics( scene.bodies[i] ).centerOfMass;
			assert_true(
				fabsf( a.x - b.x ) < 0.01f && fabsf( a.y - b.y ) < 0.01f && fabsf( a.z - b.z ) < 0.01f );
			assert_true( fabsf( b.y - ( 0.5f + 0.97f * (float)i ) ) < 0.05f );
			assert_false( gelBody_IsAwake( scene.bodies[i] ) );
		}
		gelFreeContactScene( &scene );
	}
}

// A slab whose bottom is held, tilted by tilting gravity, and a box on it: friction of 0.5 holds it where the
// slope is 0.9 times as steep, and lets it slide as Coulomb says where it is 1.1 times.
static void TestSlope( void** state )
{
	(void)state;
	for ( int k = 0; k < SOLVERS * 2; ++k )
	{
		double mu = 0.5, angle = atan( ( k % 2 == 0 ? 0.9 : 1.1 ) * mu );
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity =
			( gelVec3 ){ (float)( 9.81 * sin( angle ) ), (float)( -9.81 * cos( angle ) ), 0.0f };
		gelContactScene scene = gelMakeContactScene( &worldDef, 1.0 / 60.0 );
		gelShapeDef slab = { .cells = { 8, 2, 4 },
			.size = { 4.0, 0.5, 2.0 },
			.inset = 0.004,
			.pinBottom = true,
			.youngsModulus = 1e6,
			.poissonsRatio = 0.33,
			.density = 1000.0,
			.friction = 0.7 };
		gelShapeDef shape = gelDefaultShapeDef();
		shape.size[1] = 0.5;
		shape.youngsModulus = 1e6;
		shape.friction = 0.3; // the mean is 0.5
		gelBodyDef def = MakeBodyDef( k / 2 );
		def.enableSleep = false;
		gelContactScene_AddBody( &scene, gelContactScene_AddShape( &scene, &slab ), &def, ( gelVec3 ){ 0 } );
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &shape ), &def, ( gelVec3 ){ 0.5f, 0.495f, 0.5f } );
		gelContactScene_Step( &scene, 60 );
		gelBodyDynamics before = gelBody_GetDynamics( scene.bodies[1] );
		gelContactScene_Step( &scene, 60 );
		gelBodyDynamics after = gelBody_GetDynamics( scene.bodies[1] );
		double gain = ( (double)after.linearMomentum.x - (double)before.linearMomentum.x ) / after.mass;
		double ideal = 9.81 * ( sin( angle ) - mu * cos( angle ) );
		if ( k % 2 == 0 )
		{
			assert_true( fabsf( after.centerOfMass.x - before.centerOfMass.x ) < 5e-4f );
			assert_true( gelGetFastestNode( scene.bodies[1] ) < 5e-3 );
		}
		else
			assert_true( fabs( gain - ideal ) < 0.05 * ideal );
		gelFreeContactScene( &scene );
	}
}

// Twenty times as heavy as what it lies on.
static void TestHeavyOnLight( void** state )
{
	(void)state;
	for ( int k = 0; k < SOLVERS; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
		gelShapeDef light = gelDefaultShapeDef(), heavy = light;
		light.density = 100.0;
		heavy.density = 2000.0;
		light.youngsModulus = heavy.youngsModulus = 2e6;
		gelBodyDef def = MakeBodyDef( k );
		gelContactScene_AddBody( &scene, gelContactScene_AddShape( &scene, &light ), &def, ( gelVec3 ){ 0 } );
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &heavy ), &def, ( gelVec3 ){ 0.05f, 1.0f, 0.03f } );
		gelContactScene_Step( &scene, 300 );
		gelVec3 top = gelBody_GetDynamics( scene.bodies[1] ).centerOfMass;
		assert_true( top.y > 1.38f && top.y < 1.5f );
		assert_true( fabsf( top.x - 0.55f ) < 0.05f && fabsf( top.z - 0.53f ) < 0.05f );
		assert_true( gelGetFastestNode( scene.bodies[0] ) < 0.05 );
		gelFreeContactScene( &scene );
	}
}

// A ball on the edge of a table rolls off it and comes to lie on the ground beside it.
static void TestBallRollsOff( void** state )
{
	(void)state;
	for ( int k = 0; k < SOLVERS; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
		gelShapeDef table = { .cells = { 4, 2, 4 },
			.size = { 2.0, 0.6, 2.0 },
			.inset = 0.01,
			.youngsModulus = 5e6,
			.poissonsRatio = 0.3,
			.density = 1000.0,
			.friction = 0.8 };
		gelShapeDef ball = gelDefaultShapeDef();
		ball.isBall = true;
		ball.inset = 0.1;
		ball.size[0] = ball.size[1] = ball.size[2] = 0.6;
		ball.youngsModulus = 5e5;
		gelBodyDef def = MakeBodyDef( k );
		gelContactScene_AddBody( &scene, gelContactScene_AddShape( &scene, &table ), &def, ( gelVec3 ){ 0 } );
		def.linearVelocity.x = 1.5f;
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &ball ), &def, ( gelVec3 ){ 1.0f, 0.58f, 0.7f } );
		double turned = 0.0;
		for ( int i = 0; i < 240; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			gelBodyDynamics d = gelBody_GetDynamics( scene.bodies[1] );
			if ( d.centerOfMass.x < 1.8f ) turned = fmin( turned, (double)d.angularMomentum.z );
		}
		gelBodyDynamics d = gelBody_GetDynamics( scene.bodies[1] ),
						t = gelBody_GetDynamics( scene.bodies[0] );
		assert_true( turned < -0.2 );                                      // it rolled: about 0.4 m r v
		assert_true( d.centerOfMass.x > 2.2f );                            // off the table
		assert_true( d.centerOfMass.y > 0.2f && d.centerOfMass.y < 0.3f ); // on the ground
		assert_true( fabsf( t.centerOfMass.x - 1.0f ) < 0.05f );           // which stayed
		gelFreeContactScene( &scene );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBoxesCollideInTheAir ),
		cmocka_unit_test( TestStacksRest ),
		cmocka_unit_test( TestSlope ),
		cmocka_unit_test( TestHeavyOnLight ),
		cmocka_unit_test( TestBallRollsOff ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
