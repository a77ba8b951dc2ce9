// SPDX-License-Identifier: MIT
// Bodies on the ground: they come to rest where statics says, on their art and not on their cage, and slide
// only when friction cannot hold them.
#include "test_support.h"

#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

#define G 9.81

static gelStageDef MakeDef( double youngsModulus, double size, int cells )
{
	gelStageDef def = gelDefaultStageDef();
	for ( int k = 0; k < 3; ++k )
	{
		def.cells[k] = cells;
		def.size[k] = size;
	}
	def.youngsModulus = youngsModulus;
	def.world.hasGround = true;
	def.world.groundStaticFriction = def.world.groundDynamicFriction = 0.5f;
	def.world.gravity = ( gelVec3 ){ 0.0f, -(float)G, 0.0f };
	return def;
}

// Height of the lowest art vertex.
static double Lowest( gelStage* stage )
{
	gelBody_GetPositions( stage->body, stage->positions, stage->vertexCount );
	double low = INFINITY;
	for ( int i = 0; i < stage->vertexCount; ++i )
		low = fmin( low, stage->positions[i].y );
	return low;
}

static const struct
{
	const char* name;
	double youngsModulus, size;
	int cells;
	double tilt; // [rad] about a skew horizontal axis
} drops[] = {
	{ "soft", 1e5, 1.0, 4, 0.0 },
	{ "firm", 1e6, 1.0, 4, 0.0 },
	{ "small", 1e5, 0.2, 3, 0.0 },
	{ "small and hard", 1e7, 0.1, 3, 0.0 },
	{ "on a corner", 1e5, 0.3, 3, 0.6 },
	{ "firm on a corner", 1e6, 0.3, 3, 0.6 },
};

// Dropped from half a body size: no art vertex is ever notably below the ground, and after six seconds the
// body lies still, its energy of motion a millionth of what it fell with, its center where its weight presses
// it.
static void TestDroppedComesToRest( void** state )
{
	(void)state;
	for ( size_t i = 0; i < sizeof( drops ) / sizeof( drops[0] ); ++i )
	{
		gelStageDef def = MakeDef( drops[i].youngsModulus, drops[i].size, drops[i].cells );
		double s = sin( 0.5 * drops[i].tilt ), size = drops[i].size;
		def.body.transform.rotation = ( gelQuat ){ { (float)( 0.6 * s ), 0.0f, (float)( 0.8 * s ) },
			(float)cos( 0.5 * drops[i].tilt ) };
		def.body.transform.position =
			( gelVec3 ){ 0.0f, (float)( ( drops[i].tilt > 0.0 ? 1.0 : 0.5 ) * size ), 0.0f };
		gelStage stage = gelMakeStage( &def );
		double mass = gelBody_GetDynamics( stage.body ).mass, fallEnergy = mass * G * 0.5 * size;
		for ( int step = 0; step < 360; ++step )
		{
			gelStage_Step( &stage, 1 );
			assert_true( Lowest( &stage ) > -5e-4 * size ); // what the sweeps leave in the step of a blow
		}
		gelBodyDynamics rest = gelBody_GetDynamics( stage.body );
		if ( rest.kineticEnergy > 1e-6 * fallEnergy ) fail_msg( "%s: still moving", drops[i].name );
		assert_true(
			Lowest( &stage ) < 1e-4 * size ); // the art touches: not the cage, which is a little larger
		assert_true( gelWorld_GetCounters( stage.world ).groundContactCount > 0 );
		// under its own weight a column is shorter by rho g H / (2 E), its center lower by rho g H^2 / (3 E)
		double sag = 1000.0 * G * size * size / ( 3.0 * drops[i].youngsModulus );
		if ( fabs( rest.centerOfMass.y - ( 0.4995 * size - sag ) ) > 0.5 * sag + 0.005 * size )
			fail_msg( "%s: center at %g", drops[i].name, rest.centerOfMass.y );
		assert_int_equal( rest.invertedTetCount, 0 );

		// and stays there
		gelStage_Step( &stage, 120 );
		gelBodyDynamics later = gelBody_GetDynamics( stage.body );
		double drift =
			hypot( later.centerOfMass.x - rest.centerOfMass.x, later.centerOfMass.z - rest.centerOfMass.z );
		assert_true( drift < 1e-3 * size );
		assert_true( fabs( later.centerOfMass.y - rest.centerOfMass.y ) < 1e-3 * size );
		gelFreeStage( &stage );
	}
}

// Distance that a box slides in two seconds on level ground with initial speed 1 m/s.
static double Slide( double friction )
{
	gelStageDef def = MakeDef( 1e6, 0.3, 3 );
	def.friction = friction;
	def.world.groundStaticFriction = def.world.groundDynamicFriction = (float)friction;
	def.body.linearVelocity = ( gelVec3 ){ 1.0f, 0.0f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	double start = gelBody_GetDynamics( stage.body ).centerOfMass.x;
	gelStage_Step( &stage, 120 );
	double way = gelBody_GetDynamics( stage.body ).centerOfMass.x - start;
	gelFreeStage( &stage );
	return way;
}

static void TestFrictionStops( void** state )
{
	(void)state;
	assert_true( fabs( Slide( 0.0 ) - 2.0 ) < 0.02 ); // keeps its speed
	double way = Slide( 0.5 );                        // v^2 / (2 mu g) = 0.10 m
	assert_true( way > 0.05 && way < 0.2 );
}

// Way down a slope of 1 : 2 in two seconds, for a body that is set down on it; [m]
static double SlideDownSlope( double friction )
{
	gelStageDef def = MakeDef( 1e5, 0.3, 3 );
	def.friction = friction;
	def.world.groundStaticFriction = def.world.groundDynamicFriction = (float)friction;
	double angle = atan( 0.5 );
	def.world.gravity = ( gelVec3 ){ (float)( G * sin( angle ) ), (float)( -G * cos( angle ) ), 0.0f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 120 );
	double way = gelBody_GetDynamics( stage.body ).centerOfMass.x - 0.15;
	gelFreeStage( &stage );
	return way;
}

static void TestSlope( void** state )
{
	(void)state;
	double angle = atan( 0.5 );
	double free = 0.5 * G * sin( angle ) * 4.0;
	double held = 0.5 * G * ( sin( angle ) - 0.3 * cos( angle ) ) * 4.0;
	assert_true( fabs( SlideDownSlope( 0.0 ) - free ) < 0.03 * free );
	assert_true( fabs( SlideDownSlope( 0.3 ) - held ) < 0.15 * held );
	assert_true( fabs( SlideDownSlope( 0.8 ) ) < 0.05 ); // leans, but stays
}

// A tilted plane far from the world's origin is the same plane.
static void TestPlaneFarAway( void** state )
{
	(void)state;
	double low[2];
	for ( int i = 0; i < 2; ++i )
	{
		gelStageDef def = MakeDef( 1e5, 0.3, 2 );
		double far = i == 0 ? 0.0 : 4096.0;
		def.world.ground = ( gelPlane ){ { 0.0f, 0.8f, 0.6f }, (float)( 0.8 * far ) };
		def.world.gravity = ( gelVec3 ){ 0.0f, -7.848f, -5.886f }; // along the normal
		def.body.transform.position = ( gelVec3 ){ 0.0f, (float)far + 0.5f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		gelStage_Step( &stage, 180 );
		const gelBody* body = gelGetBody( stage.body );
		low[i] = INFINITY;
		for ( int k = 0; k < stage.nodeCount; ++k )
		{
			double height =
				0.8 * ( body->origin[1] - far + body->x[k].y ) + 0.6 * ( body->origin[2] + body->x[k].z );
			low[i] = fmin( low[i], height );
		}
		gelFreeStage( &stage );
	}
	assert_true( fabs( low[0] ) < 2e-3 && fabs( low[1] - low[0] ) < 1e-3 );
}

// Created below the plane: comes out by places alone, and has next to no speed on its way.
static void TestPlacedBelow( void** state )
{
	(void)state;
	const gelSolverType solvers[2] = { gel_solverFastCorotated, gel_solverImplicit };
	for ( int k = 0; k < 2; ++k )
	{
		gelStageDef def = MakeDef( 1e5, 0.3, 3 );
		def.body.transform.position = ( gelVec3 ){ 0.0f, -0.15f, 0.0f };
		def.body.solver = gelDefaultSolverDef( solvers[k] );
		gelStage stage = gelMakeStage( &def );
		double highest = 0.0, fastest = 0.0;
		for ( int step = 0; step < 240; ++step )
		{
			gelStage_Step( &stage, 1 );
			gelBodyDynamics d = gelBody_GetDynamics( stage.body );
			highest = fmax( highest, d.centerOfMass.y );
			fastest = fmax( fastest, sqrt( 2.0 * d.kineticEnergy / d.mass ) );
		}
		assert_true( highest < 0.2 );
		assert_true(
			fastest < 0.2 ); // what it falls into its own weight; 1 if the ground lifts by velocities
		assert_true( Lowest( &stage ) > -1e-5 );
		gelFreeStage( &stage );
	}
}

typedef struct Rest
{
	double height, speed; // height of the center [m], root mean square speed of the nodes [m/s]
} Rest;

// Where a cube of one cell lies after five seconds, with art of n x n squares on each side.
static Rest RestOnArt( gelSolverType solver, int n )
{
	gelCage cage = gelMakeBoxCage( 1, 1, 1, 0.4, 0.4, 0.4, gel_boxSplitFive );
	gelCage fine = gelMakeBoxCage( n, n, n, 0.4, 0.4, 0.4, gel_boxSplitFive );
	gelMesh art = gelMeshFromCageBoundary( &fine, 1e-3 );
	gelProgram program;
	gelInitTestProgram( &program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	size_t bytes;
	uint8_t* pack = gelBake( &art, &cage, &settings, &program, &bytes );
	assert_non_null( pack );
	gelAsset* asset;
	assert_int_equal( gelOpenAsset( pack, bytes, NULL, &asset, NULL ), gel_success );
	gelWorldDef worldDef = MakeDef( 1e5, 0.4, 1 ).world;
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_success );
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver = gelDefaultSolverDef( solver );
	def.enableSleep = false;
	def.transform.position.y = 0.1f;
	gelBodyId body;
	assert_int_equal( gelCreateBody( world, &def, &body ), gel_success );
	for ( int i = 0; i < 300; ++i )
		assert_int_equal( gelWorld_Step( world, 1.0f / 60.0f ), gel_success );
	gelBodyDynamics dynamics = gelBody_GetDynamics( body );
	gelDestroyWorld( world );
	gelDestroyAsset( asset );
	free( pack );
	gelFreeTestProgram( &program );
	gelFreeMesh( &art );
	gelFreeCage( &fine );
	gelFreeCage( &cage );
	return ( Rest ){ (double)dynamics.centerOfMass.y,
		sqrt( 2.0 * (double)dynamics.kineticEnergy / (double)dynamics.mass ) };
}

// Hundreds of vertices of one tet on the ground hold the body as four do: it lies as deep, and does not
// tremble.
static void TestManyContactsInOneTet( void** state )
{
	(void)state;
	const gelSolverType solvers[2] = { gel_solverFastCorotated, gel_solverImplicit };
	for ( int i = 0; i < 2; ++i )
	{
		Rest few = RestOnArt( solvers[i], 1 ), many = RestOnArt( solvers[i], 24 ); // 625 in five tets
		assert_true( few.speed < 1e-3 && many.speed < 1e-3 );
		assert_true( fabs( few.height - many.height ) < 4e-4 ); // a thousandth of the body
	}
}

// Pinned nodes are not moved by the ground, free ones beside them are kept out of it.
static void TestPinnedOverGround( void** state )
{
	(void)state;
	gelStageDef def = MakeDef( 1e5, 1.0, 4 );
	def.pinLeft = true;
	gelStage stage = gelMakeStage( &def );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		gelVec3 target = stage.rest[i];
		target.y -= 0.1f;
		if ( stage.rest[i].x == 0.0f )
			assert_int_equal( gelBody_SetPinTarget( stage.body, i, target ), gel_success );
	}
	gelStage_Step( &stage, 240 );
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		if ( stage.rest[i].x == 0.0f )
			assert_true( stage.nodes[i].y == stage.rest[i].y - 0.1f );
		else if ( stage.rest[i].x > 0.3f )
			assert_true( stage.nodes[i].y > -2e-3f ); // the cage is 0.5 mm larger than the art
	}
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestDroppedComesToRest ),
		cmocka_unit_test( TestFrictionStops ),
		cmocka_unit_test( TestSlope ),
		cmocka_unit_test( TestPlaneFarAway ),
		cmocka_unit_test( TestPlacedBelow ),
		cmocka_unit_test( TestPinnedOverGround ),
		cmocka_unit_test( TestManyContactsInOneTet ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
