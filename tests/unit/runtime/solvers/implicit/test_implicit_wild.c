// SPDX-License-Identifier: MIT
// Settings that are there for comparisons must not explode either: every differential, element, linear solver
// and preconditioner, dragged about by a spring, let go, and thrown to the ground, from soft to stiff. What
// is turned inside out when it hits the ground at long steps finds back at once.
#include "test_support.h"

#include "contact_scene.h"
#include "solvers/implicit/implicit.h"
#include "stage.h"

#include <math.h>

typedef struct Wild
{
	float speed, size; // largest since the body was let go [m/s], and ever [m]
} Wild;

static void Look( gelStage* stage, Wild* wild )
{
	gelStage_Fetch( stage );
	gelAabb box = gelBody_GetBounds( stage->body );
	wild->size = fmaxf( wild->size, gelLength( gelSub( box.max, box.min ) ) );
	for ( int i = 0; i < stage->nodeCount; ++i )
		wild->speed = fmaxf( wild->speed, gelLength( stage->velocities[i] ) );
}

static Wild Throw( const gelImplicitDef* settings, double youngsModulus, double step )
{
	gelStageDef def = gelDefaultStageDef();
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.body.solver.implicit = *settings;
	def.youngsModulus = youngsModulus;
	def.step = step;
	for ( int k = 0; k < 3; ++k )
		def.size[k] = 0.4;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.world.hasGround = true;
	def.body.transform.position = ( gelVec3 ){ 0.0f, 1.0f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	gelConstraintDef grip = gelDefaultConstraintDef();
	grip.kind = gel_constraintSpring;
	grip.stiffness = 6.0e4f; // 5 Hz
	grip.damping = 2.0e3f * 2.0f;
	grip.point = gelAsset_GetNodePoint( stage.asset, 0 );
	gelBody_GetPointPosition( stage.body, &grip.point, &grip.target );
	gelVec3 start = grip.target;
	gelConstraintId id;
	assert_int_equal( gelCreateConstraint( stage.body, &grip, &id ), gel_success );
	Wild wild = { 0.0f, 0.0f };
	for ( double t = 0.0; t < 1.0; t += step )
	{
		gelVec3 hand = { (float)( 0.7 * sin( 9.4 * t ) ), (float)( 0.5 * ( 1.0 - cos( 9.4 * t ) ) ), 0.0f };
		gelConstraint_SetTarget( id, gelAdd( start, hand ) );
		gelStage_Step( &stage, 1 );
		Look( &stage, &wild );
	}
	gelDestroyConstraint( id );
	wild.speed = 0.0f;
	for ( double t = 0.0; t < 1.5; t += step )
	{
		gelStage_Step( &stage, 1 );
		Look( &stage, &wild );
	}
	gelFreeStage( &stage );
	return wild;
}

// The hand moves at 6.6 m/s at most, and the fall adds as much; soft bodies snap back. Measured: with 1e4 Pa
// up to 34 m/s and boxes of 2.2 m around the body, from 1e6 Pa on 14 m/s and 1.2 m, which is what a cube that
// turns has. With every step of the exact differential taken as it is, some grow to 16 m, and to 37 m with
// two and with the QR element if steps start with the tangent of a turn.
static void TestNothingExplodes( void** state )
{
	(void)state;
	const double moduli[] = { 1e4, 1e6, 1e9 }, steps[] = { 1.0 / 60.0, 1.0 / 30.0, 1.0 / 20.0 };
	// sanitized a fifth, which has each setting with each other
	for ( int i = 0; i < 9 * 7 * 2 * 3; i += GEL_IS_SANITIZED ? 5 : 1 )
	{
		gelImplicitDef settings = gelDefaultImplicitDef();
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		settings.variant = &variant;
		int kind = i / 9 % 7;
		variant.differential = kind < 6 ? (gelDifferential)kind : gel_differentialX;
		variant.element = kind < 6 ? gel_elementPolar : gel_elementQr;
		variant.linearSolver = i / 63 % 2 == 0 ? gel_linearCg : gel_linearMinres;
		settings.preconditioner = (gelPreconditioner)( i / 126 % 3 );
		double step = steps[i / 3 % 3];
		Wild wild = Throw( &settings, moduli[i % 3], step );
		bool isSoft = i % 3 == 0;
		if ( !( wild.size < ( isSoft ? 4.0f : 1.3f ) ) || !( wild.speed < ( isSoft ? 50.0f : 20.0f ) ) )
			fail_msg( "%g Pa, %g s, differential or element %d, solver %d, preconditioner %d: %g m/s, %g m",
				moduli[i % 3], step, kind, (int)variant.linearSolver, (int)settings.preconditioner,
				(double)wild.speed, (double)wild.size );
	}
}

// Throws a bear, turning, to the ground: the largest part of tets that are inverted from some time after the
// first contact on, for a second.
static double ThrowBear( gelContactScene* scene, int model, gelDifferential differential, gelRandom* random )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = gelDefaultSolverDef( gel_solverImplicit );
	gelImplicitVariant variant = gelDefaultImplicitVariant();
	variant.differential = differential;
	if ( differential == gel_differentialExact ) variant.linearSolver = gel_linearMinres;
	def.solver.implicit.variant = &variant;
	float v[6];
	for ( int k = 0; k < 6; ++k )
		v[k] = (float)gelRandom_Uniform( random, -1.0, 1.0 );
	def.linearVelocity = ( gelVec3 ){ 5.0f * v[0], -10.0f + 8.0f * v[1], 5.0f * v[2] };
	def.angularVelocity = ( gelVec3 ){ 10.0f * v[3], 10.0f * v[4], 10.0f * v[5] };
	gelBodyId body =
		scene->bodies[gelContactScene_AddBody( scene, model, &def, ( gelVec3 ){ 0.0f, 2.0f, 0.0f } )];
	int tetCount = gelAsset_GetInfo( scene->assets[model] ).tetCount, inverted = 0;
	for ( int i = 0, hit = -1; hit < 0 || i < hit + 26; ++i )
	{
		assert_true( i < 100 );
		assert_int_equal( gelWorld_Step( scene->world, scene->step ), gel_success );
		if ( hit < 0 && gelWorld_GetCounters( scene->world ).groundContactCount > 0 ) hit = i;
		int count = gelBody_GetDynamics( body ).invertedTetCount;
		if ( hit >= 0 && i > hit + 6 && count > inverted ) inverted = count;
	}
	gelDestroyBody( body );
	return (double)inverted / tetCount;
}

// A soft bear that falls by half of its size in a step of 1/20 s has up to a third of its tets turned inside
// out when it hits the ground, with and without enableRigidModes, and they are back within 0.3 s. (Where a
// body lands, and when, does depend on it: what was swung about keeps more of its speed, and flies further.)
static void TestThrownBodiesRecover( void** state )
{
	(void)state;
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 20.0 );
	gelSampleDef sample = gelDefaultSampleDef( "bear" );
	sample.tets = 500;
	int model = gelContactScene_AddSample( &scene, &sample );
	gelRandom random = { 31 };
	for ( int i = 0; i < ( GEL_IS_SANITIZED ? 6 : 30 ); ++i )
	{
		double part = ThrowBear( &scene, model, (gelDifferential)( i % 6 ), &random );
		scene.bodyCount = 0;
		if ( !( part < 0.03 ) ) fail_msg( "throw %d: %g of the tets are inverted", i, part );
	}
	gelFreeContactScene( &scene );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestNothingExplodes ),
		cmocka_unit_test( TestThrownBodiesRecover ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
