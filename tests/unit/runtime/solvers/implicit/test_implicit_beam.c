// SPDX-License-Identifier: MIT
// The swinging beam of Civit-Flores, 2.1 x 0.6 x 0.6 m, 324 tets and 112 nodes, E / density = 472 m^2/s^2 (1
// kPa, 1.6 kg), nu 0.35, held at one end: what the differentials do to its energy.
#include "test_support.h"

#include "solvers/implicit/implicit.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>

static const double s_gravity = 9.81;

static gelStageDef BeamDef( gelDifferential differential, int newtonIterations )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 6;
	def.size[0] = 2.1;
	def.size[1] = def.size[2] = 0.6;
	def.split = gel_boxSplitSix;
	def.poissonsRatio = 0.35;
	def.youngsModulus = 472500.0;
	def.pinLeft = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, (float)-s_gravity, 0.0f };
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	static gelImplicitVariant variant;
	variant = gelDefaultImplicitVariant();
	variant.differential = differential;
	def.body.solver.implicit.variant = &variant;
	def.body.solver.implicit.newtonIterations = newtonIterations;
	def.body.solver.implicit.linearIterations = 200;
	def.body.solver.implicit.tolerance = 1e-4f;
	if ( differential == gel_differentialExact ) variant.linearSolver = gel_linearMinres;
	return def;
}

// Energy of motion, strain and height [J].
static double GetEnergy( gelBodyId id )
{
	gelBodyDynamics d = gelBody_GetDynamics( id );
	return (double)d.kineticEnergy + d.elasticEnergy + d.mass * s_gravity * d.centerOfMass.y;
}

typedef struct Swing
{
	double lost;     // energy after 5 s, of the range of the swing
	double growth;   // the largest in one step, of that range
	double lowest;   // lowest center of mass, below its start [m]
	double velocity; // kinetic energy after 5 s, of the range
} Swing;

static Swing RunSwing( gelDifferential differential, int newtonIterations, double step )
{
	gelStageDef def = BeamDef( differential, newtonIterations );
	gelStage stage = gelMakeStage( &def );
	stage.step = (float)step;
	double start = GetEnergy( stage.body ), last = start;
	double height = gelBody_GetDynamics( stage.body ).centerOfMass.y;
	Swing swing = { 0 };
	for ( int i = 0; i < (int)( 5.0 / step + 0.5 ); ++i )
	{
		gelStage_Step( &stage, 1 );
		double now = GetEnergy( stage.body );
		swing.growth = fmax( swing.growth, now - last );
		swing.lowest = fmax( swing.lowest, height - gelBody_GetDynamics( stage.body ).centerOfMass.y );
		last = now;
	}
	gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
	double range = dynamics.mass * s_gravity * swing.lowest;
	swing.lost = ( start - last ) / range;
	swing.growth /= range;
	swing.velocity = dynamics.kineticEnergy / range;
	gelFreeStage( &stage );
	return swing;
}

// Energy never grows. One iteration with X keeps as much of it as four with the exact differential, within 3
// %; without derivative of the rotation the swing dies, and four iterations do not bring it back.
static void TestEnergy( void** state )
{
	(void)state;
	const double step = 1.0 / 120.0;
	Swing exact = RunSwing( gel_differentialExact, 4, step );
	Swing x = RunSwing( gel_differentialX, 1, step ), h = RunSwing( gel_differentialH, 1, step );
	Swing one = RunSwing( gel_differentialOne, 1, step ), four = RunSwing( gel_differentialOne, 4, step );
	assert_true( exact.growth < 1e-6 && x.growth < 1e-6 && h.growth < 1e-6 && one.growth < 1e-6 );
	assert_true( fabs( x.lost - exact.lost ) < 0.03 );
	assert_true( fabs( h.lost - exact.lost ) < 0.03 );
	assert_true( fabs( RunSwing( gel_differentialX, 2, step ).lost - exact.lost ) < 0.002 );
	assert_true( one.lowest < 0.7 * exact.lowest && one.velocity < 1e-3 * exact.velocity );
	assert_true( fabs( four.lost - exact.lost ) > 0.03 && four.lowest > 0.98 * exact.lowest );
}

// Half the step is worth more than twice the iterations.
static void TestShorterSteps( void** state )
{
	(void)state;
	Swing fine = RunSwing( gel_differentialX, 2, 1.0 / 960.0 );
	Swing twice = RunSwing( gel_differentialX, 2, 1.0 / 60.0 );
	Swing half = RunSwing( gel_differentialX, 1, 1.0 / 120.0 );
	assert_true( fabs( half.lost - fine.lost ) < 0.8 * fabs( twice.lost - fine.lost ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestEnergy ),
		cmocka_unit_test( TestShorterSteps ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
