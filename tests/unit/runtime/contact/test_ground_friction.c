// SPDX-License-Identifier: MIT
// Friction on slopes and rest on level ground: a body slides if, and only if, the slope is steeper than
// friction holds; it never goes uphill by friction; and rest is rest.
#include "test_support.h"

#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdio.h>

static const struct
{
	const char* name;
	gelSolverType solver;
	double youngsModulus, size;
	int cells;
} bodies[] = {
	{ "fast, small and soft", gel_solverFastCorotated, 3e4, 0.1, 3 },
	{ "fast", gel_solverFastCorotated, 1e6, 0.5, 3 },
	{ "fast, small and firm", gel_solverFastCorotated, 1e6, 0.1, 4 },
	{ "implicit", gel_solverImplicit, 1e6, 0.5, 3 },
};
#define BODY_COUNT ( (int)( sizeof( bodies ) / sizeof( bodies[0] ) ) )

// The coefficients are means of the body's and the ground's.
static gelStage MakeOnSlope( int i, double fixed, double moving, double slope )
{
	gelStageDef def = gelDefaultStageDef();
	for ( int k = 0; k < 3; ++k )
	{
		def.cells[k] = bodies[i].cells;
		def.size[k] = bodies[i].size;
	}
	def.youngsModulus = bodies[i].youngsModulus;
	def.body.solver = gelDefaultSolverDef( bodies[i].solver );
	def.friction = 0.5 * ( fixed + moving );
	def.world.hasGround = true;
	def.world.groundStaticFriction = (float)( 1.5 * fixed - 0.5 * moving );
	def.world.groundDynamicFriction = (float)( 1.5 * moving - 0.5 * fixed );
	// the ground stays level, and gravity leans
	double angle = atan( slope );
	def.world.gravity = ( gelVec3 ){ (float)( 9.81 * sin( angle ) ), (float)( -9.81 * cos( angle ) ), 0.0f };
	return gelMakeStage( &def );
}

static double GetWay( const gelStage* stage )
{
	return (double)gelBody_GetDynamics( stage->body ).centerOfMass.x;
}

static void TestSlidesIffSteeperThanFriction( void** state )
{
	(void)state;
	const double mu = 0.5;
	for ( int i = 0; i < BODY_COUNT; ++i )
	{
		gelStage stage = MakeOnSlope( i, mu, mu, 0.9 * mu );
		gelStage_Step( &stage, 120 );
		double start = GetWay( &stage );
		gelStage_Step( &stage, 240 );
		double creep = ( GetWay( &stage ) - start ) / 4.0; // [m/s]
		gelFreeStage( &stage );

		stage = MakeOnSlope( i, mu, mu, 1.1 * mu );
		start = GetWay( &stage );
		double last = start, back = 0.0;
		for ( int step = 0; step < 180; ++step )
		{
			gelStage_Step( &stage, 1 );
			double way = GetWay( &stage );
			if ( step > 60 ) back = fmax( back, last - way );
			last = way;
		}
		double angle = atan( 1.1 * mu ), wanted = 0.5 * 9.81 * ( sin( angle ) - mu * cos( angle ) ) * 9.0;
		printf(
			"%s: creeps %.2e m/s, slides %.3f m of %.3f m\n", bodies[i].name, creep, last - start, wanted );
		assert_true( fabs( creep ) < 5e-5 );
		assert_true( last - start > 0.65 * wanted && last - start < 1.1 * wanted );
		assert_true( back < 1e-4 ); // friction never drives it uphill
		gelFreeStage( &stage );
	}
}

// Static friction holds where dynamic friction would not: contacts must not break loose one by one.
static void TestStaticFrictionHolds( void** state )
{
	(void)state;
	for ( int i = 0; i < BODY_COUNT; ++i )
	{
		gelStage stage = MakeOnSlope( i, 0.8, 0.3, 0.5 );
		gelStage_Step( &stage, 60 );
		double start = GetWay( &stage );
		gelStage_Step( &stage, 240 );
		double creep = ( GetWay( &stage ) - start ) / 4.0;
		gelFreeStage( &stage );

		// pushed, it slides on, by the dynamic coefficient
		stage = MakeOnSlope( i, 0.8, 0.3, 0.5 );
		gelStage_Step( &stage, 60 );
		gelStage_Fetch( &stage );
		for ( int k = 0; k < stage.nodeCount; ++k )
			stage.velocities[k].x += 1.0f;
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		start = GetWay( &stage );
		gelStage_Step( &stage, 120 );
		double way = GetWay( &stage ) - start, angle = atan( 0.5 );
		double wanted = 2.0 + 0.5 * 9.81 * ( sin( angle ) - 0.3 * cos( angle ) ) * 4.0;
		printf(
			"%s: creeps %.2e m/s, pushed it slides %.3f m of %.3f m\n", bodies[i].name, creep, way, wanted );
		assert_true( fabs( creep ) < 1e-3 );
		assert_true( way > 0.6 * wanted && way < 1.3 * wanted );
		gelFreeStage( &stage );
	}
}

// Dropped from its own height: after three seconds next to nothing of the energy of the fall is left as
// motion, in ten seconds none comes back, and no vertex is below the ground.
static void TestRestIsRest( void** state )
{
	(void)state;
	for ( int i = 0; i < BODY_COUNT; ++i )
	{
		gelStageDef def = gelDefaultStageDef();
		for ( int k = 0; k < 3; ++k )
		{
			def.cells[k] = bodies[i].cells;
			def.size[k] = bodies[i].size;
		}
		def.youngsModulus = bodies[i].youngsModulus;
		def.body.solver = gelDefaultSolverDef( bodies[i].solver );
		def.body.transform.position.y = (float)bodies[i].size;
		def.world.hasGround = true;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		double fallen = (double)gelBody_GetDynamics( stage.body ).mass * 9.81 * bodies[i].size;
		gelStage_Step( &stage, 180 );
		double worst = 0.0, lowest = 1.0;
		for ( int step = 0; step < 420; ++step )
		{
			gelStage_Step( &stage, 1 );
			worst = fmax( worst, (double)gelBody_GetDynamics( stage.body ).kineticEnergy );
			gelBody_GetPositions( stage.body, stage.positions, stage.vertexCount );
			for ( int k = 0; k < stage.vertexCount; ++k )
				lowest = fmin( lowest, (double)stage.positions[k].y );
		}
		printf( "%s: energy of motion %.2e of the fall, lowest vertex %.2e m\n", bodies[i].name,
			worst / fallen, lowest );
		assert_true( worst < 1e-4 * fallen );
		assert_true( lowest > -2e-3 * bodies[i].size );
		gelFreeStage( &stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSlidesIffSteeperThanFriction ),
		cmocka_unit_test( TestStaticFrictionHolds ),
		cmocka_unit_test( TestRestIsRest ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
