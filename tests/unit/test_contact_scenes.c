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
	double momentumError; // of the solver itself, while a body vibrates [part of the impulse]
} solvers[] = {
	{ "fast", gel_solverFastCorotated, gel_modePlain, 2e-5 },
	{ "quality", gel_solverFastCorotated, gel_modeQuality, 1e-3 },
	{ "implicit", gel_solverImplicit, gel_modePlain, 2e-5 },
};
#define SOLVERS ( (int)( sizeof( solvers ) / sizeof( solvers[0] ) ) )

static gelBodyDef MakeBodyDef( int solver )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = solvers[solver].solver;
	def.mode = solvers[solver].mode;
	def.allowSleep = true;
	return def;
}

static gelWorldDef MakeSpace( void )
{
	gelWorldDef def = gelDefaultWorldDef();
	def.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	return def;
}

// Two boxes meet in the air, off centre: what one loses the other gains, and nothing is won.
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

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBoxesCollideInTheAir ),
		cmocka_unit_test( TestStacksRest ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
