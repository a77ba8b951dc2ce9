// SPDX-License-Identifier: MIT
// Statics of the implicit solver: the stress of a bar, the sag of a cantilever, and how Newton's method gets
// there with each differential.
#include "test_support.h"

#include "implicit_drive.h"
#include "solvers/implicit/implicit.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

static gelStageDef StaticStageDef( void )
{
	gelStageDef def = gelDefaultStageDef();
	def.split = gel_boxSplitSix;
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.body.solver.implicit.isQuasiStatic = true;
	def.body.solver.implicit.linearIterations = 3000;
	def.body.solver.implicit.tolerance = 1e-5f;
	return def;
}

// A bar without Poisson effect, pulled by 0.1 %: the force at its end is E strain area, and all of it is
// pulled alike.
static void TestBarStress( void** state )
{
	(void)state;
	for ( int element = 0; element < 2; ++element )
	{
		gelStageDef def = StaticStageDef();
		def.cells[0] = 4;
		def.cells[1] = def.cells[2] = 2;
		def.size[0] = 2.0;
		def.size[1] = 0.5;
		def.size[2] = 0.4;
		def.poissonsRatio = 0.0;
		def.pinEnds = true;
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.element = (gelElementType)element;
		def.body.solver.implicit.variant = &variant;
		gelStage stage = gelMakeStage( &def );
		const gelBody* body = gelGetBody( stage.body );
		for ( int k = 0; k < body->pinCount; ++k )
		{
			gelVec3 target = stage.rest[body->pins[k]];
			target.x *= 1.001f;
			gelBody_SetPinTarget( stage.body, (int)body->pins[k], target );
		}
		gelStage_Step( &stage, 5 );
		gelImplicitDrive drive =
			gelMakeImplicitDrive( stage.asset, gel_differentialX, (gelElementType)element );
		gelImplicitDrive_Update( &drive, body->x );
		double pull = 0.0;
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			gelVec3 f = gelImplicitDrive_GetForce( &drive, i );
			if ( stage.rest[i].x > 1.999f ) pull -= f.x;
			assert_true( fabsf( body->x[i].x - 1.001f * stage.rest[i].x ) < 2e-6f );
		}
		double expected = def.youngsModulus * 0.001 * 0.5 * 0.4;
		assert_true( fabs( pull - expected ) < 0.005 * expected );
		gelFreeImplicitDrive( &drive );
		gelFreeStage( &stage );
	}
}

static double FindSag( int refinement, double youngsModulus, gelElementType element )
{
	gelStageDef def = StaticStageDef();
	def.cells[0] = 8 * refinement;
	def.cells[1] = def.cells[2] = 2 * refinement;
	def.size[0] = 2.0;
	def.size[1] = def.size[2] = 0.5;
	def.poissonsRatio = 0.25;
	def.youngsModulus = youngsModulus;
	def.pinLeft = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -1.0f, 0.0f };
	gelImplicitVariant variant = gelDefaultImplicitVariant();
	variant.element = element;
	def.body.solver.implicit.variant = &variant;
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 6 );
	gelStage_Fetch( &stage );
	double sum = 0.0;
	int count = 0;
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		if ( stage.rest[i].x < 1.999f ) continue;
		sum += (double)stage.rest[i].y - stage.nodes[i].y;
		++count;
	}
	gelFreeStage( &stage );
	return sum / count;
}

// Beam theory: rho A g L^4 / (8 E I) by bending and rho g L^2 / (2 k G) by shear, k = 5/6, G = E / (2 (1 +
// nu)). Linear tets are too stiff in bending, less so the finer they are. Twice the modulus, half the sag.
static void TestCantilever( void** state )
{
	(void)state;
	const double E = 2e6, g = 1.0, rho = 1000.0, L = 2.0, side = 0.5;
	double bending = rho * g * L * L * L * L / ( 8.0 * E * side * side / 12.0 );
	double shear = rho * g * L * L / ( 2.0 * 5.0 / 6.0 * E / 2.5 ), expected = bending + shear;
	for ( int element = 0; element < 2; ++element )
	{
		double sags[3];
		for ( int i = 0; i < 3; ++i )
			sags[i] = FindSag( 1 << i, E, (gelElementType)element );
		assert_true( sags[0] < sags[1] && sags[1] < sags[2] );
		double errors[3] = { expected - sags[0], expected - sags[1], expected - sags[2] };
		assert_true( errors[2] > 0.0 && errors[2] < 0.1 * expected ); // 7 %
		assert_true( errors[1] < 0.5 * errors[0] && fabs( errors[2] ) < 0.5 * errors[1] );
		double stiff = FindSag( 1, 2.0 * E, (gelElementType)element );
		assert_true( fabs( sags[0] / stiff - 2.0 ) < 0.01 );
	}
}

// The beam of Civit-Flores, 2.1 x 0.6 x 0.6 m, 324 tets, E / density = 472 m^2/s^2 (1 kPa, 1.6 kg), pulled
// along its length by 100 m/s^2.
enum
{
	maxIterations = 30
};

typedef struct NewtonRun
{
	double residuals[maxIterations]; // before each iteration
	double cosines[maxIterations];   // between a displacement and the one before
} NewtonRun;

static void RunNewton( gelDifferential differential, float pull, NewtonRun* run )
{
	gelStageDef def = StaticStageDef();
	def.cells[0] = 6;
	def.size[0] = 2.1;
	def.size[1] = def.size[2] = 0.6;
	def.poissonsRatio = 0.3;
	def.youngsModulus = 472500.0;
	def.pinLeft = true;
	def.world.gravity = ( gelVec3 ){ pull, 0.0f, 0.0f };
	gelImplicitVariant variant = gelDefaultImplicitVariant();
	variant.differential = differential;
	if ( differential == gel_differentialExact ) variant.linearSolver = gel_linearMinres;
	def.body.solver.implicit.variant = &variant;
	gelStage stage = gelMakeStage( &def );
	const gelBody* body = gelGetBody( stage.body );
	gelVec3* last = calloc( (size_t)stage.nodeCount, sizeof( gelVec3 ) );
	assert_non_null( last );
	for ( int k = 0; k < maxIterations; ++k )
	{
		gelStage_Step( &stage, 1 );
		run->residuals[k] = gelGetImplicit( body )->newtonResiduals[0];
		double product = 0.0, a = 1e-30, b = 1e-30;
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			gelVec3 d = gelSub( body->x[i], body->xOld[i] );
			product += gelDot( d, last[i] );
			a += gelDot( d, d );
			b += gelDot( last[i], last[i] );
			last[i] = d;
		}
		run->cosines[k] = product / sqrt( a * b );
	}
	free( last );
	gelFreeStage( &stage );
}

// Near the solution the exact differential squares the residual, X, H and C divide it by more than three, and
// the one without derivative of the rotation crawls.
static void TestNewtonConvergence( void** state )
{
	(void)state;
	const float pull = 60.0f; // strains up to 20 %
	NewtonRun run;
	RunNewton( gel_differentialExact, pull, &run );
	double floor = 1e-4 * run.residuals[0]; // what float leaves
	double first = run.residuals[1] / run.residuals[0], second = run.residuals[2] / run.residuals[0];
	assert_true( first < 0.2 && second < first * first && run.residuals[3] < floor );
	const gelDifferential linear[] = { gel_differentialX, gel_differentialH, gel_differentialC };
	for ( int i = 0; i < 3; ++i )
	{
		RunNewton( linear[i], pull, &run );
		for ( int k = 0; k < 4; ++k )
			assert_true( run.residuals[k + 1] < fmax( 0.3 * run.residuals[k], floor ) );
		assert_true( run.residuals[maxIterations - 1] < floor );
	}
	RunNewton( gel_differentialOne, pull, &run );
	assert_true(
		run.residuals[10] > 10.0 * floor && run.residuals[maxIterations - 1] < 0.1 * run.residuals[1] );
}

// Stretched far, variant 2 steps across the solution and back, further each time, and never settles; X and H
// do.
static void TestTwoAlternates( void** state )
{
	(void)state;
	NewtonRun run;
	RunNewton( gel_differentialTwo, 100.0f, &run );
	int back = 0;
	for ( int k = 4; k < 8; ++k )
		back += run.cosines[k] < -0.8;
	assert_true( back >= 3 );
	for ( int k = 10; k < maxIterations; ++k )
		assert_true( run.residuals[k] > run.residuals[0] );
	RunNewton( gel_differentialX, 100.0f, &run );
	assert_true( run.residuals[10] < 1e-4 * run.residuals[0] );
	RunNewton( gel_differentialH, 100.0f, &run );
	assert_true( run.residuals[10] < 1e-4 * run.residuals[0] );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBarStress ),
		cmocka_unit_test( TestCantilever ),
		cmocka_unit_test( TestNewtonConvergence ),
		cmocka_unit_test( TestTwoAlternates ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
