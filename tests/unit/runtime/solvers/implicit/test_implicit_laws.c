// SPDX-License-Identifier: MIT
// Laws of the implicit solver as a whole: rest, free fall, momentum, affine states, stress of a bar, spin,
// and no NaN whatever happens.
#include "test_support.h"

#include "solvers/implicit/implicit.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

static double Distance( gelVec3 a, gelVec3 b )
{
	double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
	return sqrt( x * x + y * y + z * z );
}

static gelStageDef ImplicitStageDef( void )
{
	gelStageDef def = gelDefaultStageDef();
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	return def;
}

static void Shake( gelStage* stage, double size, double speed, uint64_t seed )
{
	gelRandom random = { seed };
	gelStage_Fetch( stage );
	for ( int i = 0; i < stage->nodeCount; ++i )
	{
		float *x = &stage->nodes[i].x, *v = &stage->velocities[i].x;
		for ( int k = 0; k < 3; ++k )
		{
			x[k] += (float)gelRandom_Uniform( &random, -size, size );
			v[k] += (float)gelRandom_Uniform( &random, -speed, speed );
		}
	}
	assert_int_equal(
		gelBody_SetNodeState( stage->body, stage->nodes, stage->velocities, stage->nodeCount ), gel_success );
}

static void TestRestStaysAtRest( void** state )
{
	(void)state;
	gelAssertRestStays( ImplicitStageDef(), 200 );
}

// Without air, all bodies fall alike: stiff ones with one iteration of the linear solver, at any speed, with
// a step length that nobody baked.
static void TestFreeFall( void** state )
{
	(void)state;
	const double modulus[] = { 1e4, 1e8 };
	for ( int i = 0; i < 2; ++i )
	{
		gelStageDef def = ImplicitStageDef();
		def.youngsModulus = modulus[i];
		def.body.solver.implicit.linearIterations = 1;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		def.body.linearVelocity = ( gelVec3 ){ 1000.0f, 0.0f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		stage.step = 0.007f;
		gelStage_Step( &stage, 100 );
		gelStage_Fetch( &stage );
		for ( int k = 0; k < stage.nodeCount; ++k )
		{
			assert_true( fabsf( stage.velocities[k].y + 9.81f * 0.7f ) < 2e-3f );
			assert_true( fabsf( stage.velocities[k].x - 1000.0f ) < 0.05f );
		}
		gelFreeStage( &stage );
	}
}

// Elements push only in pairs, and what few iterations leave is taken out of the mean: a free body keeps its
// linear momentum, with both solvers and all variants.
static void TestLinearMomentum( void** state )
{
	(void)state;
	for ( int kind = gel_differentialX; kind <= gel_differentialExact; ++kind )
	{
		gelStageDef def = ImplicitStageDef();
		def.body.linearVelocity = ( gelVec3 ){ 1.0f, 2.0f, -3.0f };
		def.poissonsRatio = 0.45;
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.differential = (gelDifferential)kind;
		def.body.solver.implicit.variant = &variant;
		def.body.solver.implicit.linearIterations = 3; // far from converged
		if ( kind == gel_differentialExact ) variant.linearSolver = gel_linearMinres;
		gelStage stage = gelMakeStage( &def );
		Shake( &stage, 0.05, 2.0, 12 );
		gelBodyDynamics before = gelBody_GetDynamics( stage.body );
		double scale = 0.0; // sum of m |v|
		for ( int i = 0; i < stage.nodeCount; ++i )
			scale += before.mass / stage.nodeCount * gelLength( stage.velocities[i] );
		gelStage_Step( &stage, 100 );
		gelBodyDynamics after = gelBody_GetDynamics( stage.body );
		assert_true( Distance( before.linearMomentum, after.linearMomentum ) < 5e-6 * scale );
		gelFreeStage( &stage );
	}
}

// Elastic forces of stiff bodies are large, and rounding does not let them cancel: gravity, forces on nodes
// and damping say how fast the body is, whatever the iterations leave. Mean velocity after a second against
// ( 1 + a h ) p' = p + h ( m g + f ); without gelKeepMomentum it is off by 4e-4 to 7e-3 m/s here.
static void TestStiffMomentum( void** state )
{
	(void)state;
	for ( int i = 0; i < 8; ++i )
	{
		gelStageDef def = ImplicitStageDef();
		if ( i / 4 == 1 ) def.body.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
		def.youngsModulus = 1e9;
		def.damping = i % 2 == 0 ? 0.0 : 0.7;
		def.body.linearVelocity = ( gelVec3 ){ 1.0f, 0.3f, 0.0f };
		def.body.angularVelocity = ( gelVec3 ){ 0.0f, 2.0f, 10.0f };
		def.world.gravity = ( gelVec3 ){ 0.0f, i / 2 % 2 == 0 ? 0.0f : -2.0f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		Shake( &stage, 0.03, 0.0, 3 );
		gelBodyDynamics start = gelBody_GetDynamics( stage.body );
		gelEmbeddedPoint point = gelAsset_GetNodePoint( stage.asset, 5 );
		gelVec3 force = { 0.0f, 0.0f, i / 2 % 2 == 0 ? 0.0f : start.mass };
		gelVec3 wanted = gelScale( 1.0f / start.mass, start.linearMomentum );
		for ( int k = 0; k < 60; ++k )
		{
			assert_int_equal( gelBody_AddPointForce( stage.body, &point, force ), gel_success );
			gelStage_Step( &stage, 1 );
			wanted = gelMulAdd( wanted, stage.step, def.world.gravity );
			wanted = gelMulAdd( wanted, stage.step / start.mass, force );
			wanted = gelScale( 1.0f / ( 1.0f + stage.step * (float)def.damping ), wanted );
		}
		gelVec3 is = gelScale( 1.0f / start.mass, gelBody_GetDynamics( stage.body ).linearMomentum );
		if ( !( Distance( is, wanted ) < 1e-5 ) ) fail_msg( "%d: off by %g m/s", i, Distance( is, wanted ) );
		gelFreeStage( &stage );
	}
}

// Affine positions of the boundary give the same affine map inside.
static void TestPatch( void** state )
{
	(void)state;
	const gelMat3 maps[] = { { { 1.1f, 0.05f, 0.0f }, { 0.0f, 0.9f, 0.1f }, { 0.02f, 0.0f, 1.05f } },
		{ { 0.0f, 1.2f, 0.0f }, { -0.9f, 0.0f, 0.1f }, { 0.0f, 0.0f, 1.0f } } };
	for ( int m = 0; m < 2; ++m )
	{
		gelStageDef def = ImplicitStageDef();
		def.pinBoundary = true;
		def.body.solver.implicit.isQuasiStatic = true;
		def.body.solver.implicit.linearIterations = 200;
		def.body.solver.implicit.tolerance = 1e-6f;
		gelStage stage = gelMakeStage( &def );
		int pins[512],
			pinCount = gelAsset_GetPinnedNodes( stage.asset, gelGetBody( stage.body )->pinSetId, pins, 512 );
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			// inner nodes somewhere else
			stage.nodes[i] = gelMulMV( maps[m], stage.rest[i] );
			stage.velocities[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		}
		gelRandom random = { 5 };
		for ( int i = 0, p = 0; i < stage.nodeCount; ++i )
		{
			bool isPinned = p < pinCount && pins[p] == i;
			p += isPinned;
			if ( !isPinned ) stage.nodes[i].x += (float)gelRandom_Uniform( &random, 0.01, 0.03 );
		}
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 20 );
		gelStage_Fetch( &stage );
		for ( int i = 0; i < stage.nodeCount; ++i )
			assert_true( Distance( stage.nodes[i], gelMulMV( maps[m], stage.rest[i] ) ) < 1e-5 );
		gelFreeStage( &stage );
	}
}

// A spinning body: never gains angular momentum, does not swell. 10 turns per second.
static void TestSpin( void** state )
{
	(void)state;
	gelStageDef def = ImplicitStageDef();
	def.youngsModulus = 1e6;
	def.step = 1.0 / 240.0;
	def.body.angularVelocity = ( gelVec3 ){ 0.0f, 62.831853f, 0.0f };
	def.body.solver.implicit.newtonIterations = 2;
	def.body.solver.implicit.linearIterations = 50;
	gelStage stage = gelMakeStage( &def );
	double first = gelLength( gelBody_GetDynamics( stage.body ).angularMomentum ), last = first;
	for ( int i = 0; i < 240; ++i )
	{
		gelStage_Step( &stage, 1 );
		gelBodyDynamics now = gelBody_GetDynamics( stage.body );
		double size = gelLength( now.angularMomentum );
		assert_true( size < last * ( 1.0 + 1e-3 ) );
		// the stretch of a spinning body: rho w^2 r^2 / E, 2 MPa m^-2 0.5 m^2 / 1 MPa at most
		assert_true( now.volume < 4.0f && now.volume > 0.9f );
		assert_int_equal( now.invertedTetCount, 0 );
		last = size;
	}
	gelFreeStage( &stage );
}

// At 1e8 Pa the strain of the same spin is rho w^2 r^2 / E = 0.02 at most: no element may swell by more.
static void TestStiffSpinDoesNotSwell( void** state )
{
	(void)state;
	for ( int i = 0; i < 3; ++i )
	{
		gelStageDef def = ImplicitStageDef();
		def.youngsModulus = 1e8;
		def.step = i == 0 ? 1.0 / 240.0 : i == 1 ? 1.0 / 60.0 : 1.0 / 30.0;
		def.body.angularVelocity = ( gelVec3 ){ 0.0f, 62.831853f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		int tetCount = gelAsset_GetInfo( stage.asset ).tetCount;
		gelTetState* tets = calloc( (size_t)tetCount, sizeof( gelTetState ) );
		assert_non_null( tets );
		double worst = 0.0;
		for ( int k = 0; k < 60; ++k )
		{
			gelStage_Step( &stage, 1 );
			gelBody_GetTetStates( stage.body, tets, tetCount );
			for ( int t = 0; t < tetCount; ++t )
				worst = fmax( worst, (double)tets[t].strain[0] + tets[t].strain[1] + tets[t].strain[2] );
		}
		if ( !( worst < 0.03 ) ) fail_msg( "%g s: tr(e) is %g", def.step, worst );
		free( tets );
		gelFreeStage( &stage );
	}
}

static void TestNothingIsNotANumber( void** state )
{
	(void)state;
	const double modulus[] = { 1e2, 1e9 }, steps[] = { 1e-6, 0.1, 10.0 };
	for ( int m = 0; m < 2; ++m )
		for ( int s = 0; s < 3; ++s )
			for ( int mess = 0; mess < 2; ++mess )
			{
				gelStageDef def = ImplicitStageDef();
				def.youngsModulus = modulus[m];
				def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
				gelStage stage = gelMakeStage( &def );
				stage.step = (float)steps[s];
				gelStage_Fetch( &stage );
				for ( int i = 0; i < stage.nodeCount && mess == 0; ++i )
					stage.nodes[i] = gelMakeVec3( 0.3f, 0.2f, 0.1f );
				gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
				if ( mess == 1 ) Shake( &stage, 0.6, 10.0, 3 );
				gelStage_Step( &stage, 50 );
				gelStage_Fetch( &stage );
				for ( int i = 0; i < stage.nodeCount; ++i )
					assert_true( gelIsUsable( stage.nodes[i] ) && isfinite( stage.velocities[i].y ) );
				gelFreeStage( &stage );
			}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestRestStaysAtRest ),
		cmocka_unit_test( TestFreeFall ),
		cmocka_unit_test( TestLinearMomentum ),
		cmocka_unit_test( TestStiffMomentum ),
		cmocka_unit_test( TestPatch ),
		cmocka_unit_test( TestSpin ),
		cmocka_unit_test( TestStiffSpinDoesNotSwell ),
		cmocka_unit_test( TestNothingIsNotANumber ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
