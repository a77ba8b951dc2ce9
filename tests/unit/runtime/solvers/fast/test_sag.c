// SPDX-License-Identifier: MIT
// Statics of the plain mode, whose splitting changes the stiffness: the sag of a clamped beam (2 x 0.5 x 0.5
// m, 192 tets, 4 MPa) relative to the static solution of the same energy must not drift away from what is
// documented in docs/solvers.md.
#include "test_support.h"

#include "beam_reference.h"
#include "stage.h"

#include <math.h>

static double MeasureSag( int cells, double poissonsRatio, double step, int passes, int sweeps )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 4 * cells, def.cells[1] = def.cells[2] = cells;
	def.size[0] = 2.0, def.size[1] = def.size[2] = 0.5;
	def.split = gel_boxSplitSix;
	def.youngsModulus = 4e6;
	def.poissonsRatio = poissonsRatio;
	def.damping = 2.0; // it is to come to rest
	def.step = step;
	def.pinLeft = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.solver.fast.passes = passes;
	def.body.solver.fast.volumeSweeps = sweeps;
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, (int)( 8.0 / step ) );
	gelStage_Fetch( &stage );
	bool isPinned[512];
	assert_true( stage.nodeCount <= 512 );
	double sag = 0.0;
	int count = 0;
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		isPinned[i] = stage.rest[i].x == 0.0f;
		if ( stage.rest[i].x < 1.999f ) continue;
		sag += stage.nodes[i].y - stage.rest[i].y;
		++count;
	}
	gelReference reference = gelMakeReference( stage.asset, isPinned, (double)-9.81f );
	gelReference_Settle( &reference );
	double wanted = gelReference_GetSag( &reference, 1.999 );
	gelFreeReference( &reference );
	gelFreeStage( &stage );
	return sag / count / wanted;
}

// The figures of a double prototype of the published method with one pass, +-10 %.
static void TestSplitting( void** state )
{
	(void)state;
	static const struct
	{
		double poissonsRatio, step;
		int sweeps;
		double ratio;
	} cases[] = { { 0.30, 0.010, 1, 0.86 }, { 0.30, 0.010, 5, 0.54 }, { 0.30, 0.010, 20, 0.46 },
		{ 0.30, 1.0 / 30.0, 1, 1.15 }, { 0.30, 1.0 / 30.0, 5, 0.58 }, { 0.30, 1.0 / 30.0, 20, 0.36 },
		{ 0.45, 0.010, 1, 1.47 }, { 0.45, 0.010, 20, 0.43 }, { 0.45, 1.0 / 30.0, 1, 1.81 },
		{ 0.45, 1.0 / 30.0, 20, 0.57 }, { 0.49, 0.010, 1, 3.1 }, { 0.49, 0.010, 20, 0.80 },
		{ 0.49, 1.0 / 30.0, 1, 3.9 }, { 0.49, 1.0 / 30.0, 20, 1.2 } };
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		double ratio = MeasureSag( 2, cases[i].poissonsRatio, cases[i].step, 1, cases[i].sweeps );
		if ( fabs( ratio / cases[i].ratio - 1.0 ) > 0.1 )
			fail_msg( "nu %g, h %g s, %d sweeps: %.3f instead of %.2f", cases[i].poissonsRatio, cases[i].step,
				cases[i].sweeps, ratio, cases[i].ratio );
	}
}

// Without volume term three passes are right within 5 % from 5 to 33 ms, on a coarse and on a finer mesh.
static void TestStretchAlone( void** state )
{
	(void)state;
	static const double steps[] = { 0.005, 0.01, 1.0 / 60.0, 0.02, 1.0 / 30.0 };
	for ( int i = 0; i < 5; ++i )
	{
		double ratio = MeasureSag( 2, 0.0, steps[i], 3, 1 );
		if ( fabs( ratio - 1.0 ) > 0.05 ) fail_msg( "h %g s: %.3f", steps[i], ratio );
	}
	assert_true( fabs( MeasureSag( 4, 0.0, 0.01, 3, 1 ) - 1.0 ) < 0.05 );
}

// The sag of the energy itself grows towards that of the beam as the mesh is refined (linear tets are too
// stiff), by less and less.
static double FindStaticSag( int cells )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 4 * cells, def.cells[1] = def.cells[2] = cells;
	def.size[0] = 2.0, def.size[1] = def.size[2] = 0.5;
	def.split = gel_boxSplitSix;
	def.youngsModulus = 4e6;
	def.poissonsRatio = 0.0;
	def.step = 1.0 / 60.0;
	def.pinLeft = true;
	def.damping = 2.0;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 600 );
	gelStage_Fetch( &stage );
	double sag = 0.0;
	int count = 0;
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		if ( stage.rest[i].x < 1.999f ) continue;
		sag -= stage.nodes[i].y - stage.rest[i].y;
		++count;
	}
	gelFreeStage( &stage );
	return sag / count;
}

static void TestRefinement( void** state )
{
	(void)state;
	double sag[4] = { FindStaticSag( 1 ), FindStaticSag( 2 ), FindStaticSag( 4 ), FindStaticSag( 6 ) };
	assert_true( sag[0] < sag[1] && sag[1] < sag[2] && sag[2] < sag[3] );
	assert_true( sag[3] - sag[2] < sag[2] - sag[1] );
	// Euler and Bernoulli: rho g A L^4 / (8 E I), and the shear of a beam of four times its height, 4 %
	double beam = 1000.0 * 9.81 * 12.0 * 16.0 / ( 8.0 * 4e6 * 0.25 );
	assert_true( sag[3] > 0.8 * beam && sag[3] < 1.05 * beam );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSplitting ),
		cmocka_unit_test( TestStretchAlone ),
		cmocka_unit_test( TestRefinement ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
