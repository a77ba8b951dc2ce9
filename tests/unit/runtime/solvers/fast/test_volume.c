// SPDX-License-Identifier: MIT
// The volume constraint of one tet, against the minimizer that it stands for.
#include "test_support.h"

#include "volume_ref.h"

#include <math.h>

#define H 0.01

typedef struct OneTet
{
	double x[4][3]; // where it starts: the x~ of the stage
	double mass[4]; // [kg]
	double lambda;  // [Pa]
	double restDet; // 6 V [m^3]
} OneTet;

static double Det( double x[4][3] )
{
	double e[3][3];
	for ( int k = 0; k < 3; ++k )
		for ( int d = 0; d < 3; ++d )
			e[k][d] = x[k + 1][d] - x[0][d];
	return e[0][0] * ( e[1][1] * e[2][2] - e[1][2] * e[2][1] ) -
		e[0][1] * ( e[1][0] * e[2][2] - e[1][2] * e[2][0] ) +
		e[0][2] * ( e[1][0] * e[2][1] - e[1][1] * e[2][0] );
}

// Inertia and volume energy: sum m |x - x~|^2 / (2 h^2) + V lambda/2 (J - 1)^2
static double Energy( const OneTet* tet, double x[4][3] )
{
	double J = Det( x ) / tet->restDet;
	double sum = 0.5 * tet->lambda * tet->restDet / 6.0 * ( J - 1.0 ) * ( J - 1.0 );
	for ( int i = 0; i < 4; ++i )
		for ( int d = 0; d < 3; ++d )
			sum += 0.5 * tet->mass[i] / ( H * H ) * ( x[i][d] - tet->x[i][d] ) * ( x[i][d] - tet->x[i][d] );
	return sum;
}

// Descends along differences of the energy, scaled by the masses, with halving steps.
static void Minimize( const OneTet* tet, double x[4][3] )
{
	double step = 1.0, now = Energy( tet, x );
	for ( int iteration = 0; iteration < 3000; ++iteration )
	{
		double direction[4][3], trial[4][3];
		for ( int i = 0; i < 4; ++i )
		{
			for ( int d = 0; d < 3; ++d )
			{
				double keep = x[i][d], e = 1e-6;
				x[i][d] = keep + e;
				double up = Energy( tet, x );
				x[i][d] = keep - e;
				double down = Energy( tet, x );
				x[i][d] = keep;
				direction[i][d] = -( up - down ) / ( 2.0 * e ) * H * H / tet->mass[i];
			}
		}
		bool found = false;
		for ( int halving = 0; halving < 40 && !found; ++halving )
		{
			for ( int i = 0; i < 4; ++i )
				for ( int d = 0; d < 3; ++d )
					trial[i][d] = x[i][d] + step * direction[i][d];
			double energy = Energy( tet, trial );
			found = energy < now;
			if ( found )
				now = energy;
			else
				step *= 0.5;
		}
		if ( !found ) return;
		for ( int i = 0; i < 4; ++i )
			for ( int d = 0; d < 3; ++d )
				x[i][d] = trial[i][d];
		step *= 1.5;
	}
}

static OneTet MakeTet( double squeeze, double lambda )
{
	OneTet tet = { { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.1 } }, { 0.05, 0.04, 0.06, 0.03 },
		lambda, 0.001 };
	for ( int i = 0; i < 4; ++i )
		tet.x[i][2] *= squeeze;
	return tet;
}

// J after `sweeps` projections in float.
static double Project( const OneTet* tet, int sweeps, gelVec3 out[4] )
{
	float w[4], kappa = 0.0f;
	gelVec3* corners[4];
	for ( int i = 0; i < 4; ++i )
	{
		out[i] = gelMakeVec3( (float)tet->x[i][0], (float)tet->x[i][1], (float)tet->x[i][2] );
		w[i] = (float)( 1.0 / tet->mass[i] );
		corners[i] = out + i;
	}
	gelVolumeConstraint constraint = { (float)tet->restDet,
		(float)( 6.0 * tet->restDet / ( tet->lambda * H * H ) ), 0.05f * 0.05f };
	for ( int i = 0; i < sweeps; ++i )
		gelSolveVolumeTet_Ref( constraint, w, corners, &kappa );
	return gelTetDeterminant( out[0], out[1], out[2], out[3] ) / tet->restDet;
}

// Converged projections give the volume error of the minimizer of inertia + energy within 3 %, for soft and
// stiff volume, squeezed and inflated; and one projection already goes the right way.
static void TestConvergesToMinimizer( void** state )
{
	(void)state;
	const double squeezes[] = { 0.8, 0.9, 1.15 }, lambdas[] = { 1e3, 1e4, 1e5, 1e6 };
	for ( int s = 0; s < 3; ++s )
	{
		for ( int l = 0; l < 4; ++l )
		{
			OneTet tet = MakeTet( squeezes[s], lambdas[l] );
			double best[4][3];
			for ( int i = 0; i < 12; ++i )
				best[i / 3][i % 3] = tet.x[i / 3][i % 3];
			Minimize( &tet, best );
			double start = squeezes[s] - 1.0, expected = Det( best ) / tet.restDet - 1.0;
			gelVec3 x[4];
			double actual = Project( &tet, 50, x ) - 1.0;
			assert_true( fabs( actual - expected ) < 0.03 * fabs( start ) );
			double once = Project( &tet, 1, x ) - 1.0;
			assert_true( fabs( once ) < fabs( start ) );
		}
	}
}

static void TestRestIsExact( void** state )
{
	(void)state;
	gelVec3 x[4] = { { 0.3f, 0.7f, -0.1f }, { 0.45f, 0.71f, -0.08f }, { 0.33f, 0.9f, -0.2f },
		{ 0.31f, 0.72f, 0.13f } };
	gelVec3 before[4];
	gelVec3* corners[4];
	for ( int i = 0; i < 4; ++i )
	{
		before[i] = x[i];
		corners[i] = x + i;
	}
	const float w[4] = { 1.0f, 2.0f, 3.0f, 4.0f };
	float kappa = 0.0f;
	gelVolumeConstraint constraint = { gelTetDeterminant( x[0], x[1], x[2], x[3] ), 1.0f, 1.0f };
	gelSolveVolumeTet_Ref( constraint, w, corners, &kappa );
	assert_true( kappa == 0.0f );
	assert_memory_equal( x, before, sizeof( x ) );
}

// Momentum is kept also when the move is limited, pinned nodes stay, and nothing moves farther than allowed.
static void TestLimitsAndMomentum( void** state )
{
	(void)state;
	gelRandom random = { 31 };
	for ( int n = 0; n < 2000; ++n )
	{
		gelVec3 x[4], before[4];
		gelVec3* corners[4];
		float w[4], kappa = 0.0f;
		for ( int i = 0; i < 4; ++i )
		{
			// from flat to wildly inverted
			x[i] = gelMakeVec3( (float)gelRandom_Uniform( &random, -1.0, 1.0 ),
				(float)gelRandom_Uniform( &random, -1.0, 1.0 ),
				n % 4 == 0 ? 0.0f : (float)gelRandom_Normal( &random ) );
			if ( n % 16 == 0 ) x[i] = gelMakeVec3( 0.5f, 0.5f, 0.5f );
			before[i] = x[i];
			corners[i] = x + i;
			w[i] = (float)gelRandom_Uniform( &random, 1.0, 10.0 );
		}
		if ( n % 3 == 0 ) w[1] = 0.0f;
		gelVolumeConstraint constraint = { 0.01f, 1e-7f, 0.05f * 0.05f };
		gelSolveVolumeTet_Ref( constraint, w, corners, &kappa );
		double momentum[3] = { 0.0 };
		for ( int i = 0; i < 4; ++i )
		{
			gelVec3 move = gelSub( x[i], before[i] );
			assert_true( gelLength( move ) <= 0.0501f );
			if ( w[i] == 0.0f )
				assert_memory_equal( x + i, before + i, sizeof( gelVec3 ) );
			else
			{
				momentum[0] += move.x / w[i];
				momentum[1] += move.y / w[i];
				momentum[2] += move.z / w[i];
			}
		}
		if ( n % 3 == 0 ) continue; // the pinned node takes the rest
		for ( int k = 0; k < 3; ++k )
			assert_true( fabs( momentum[k] ) < 1e-6 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestConvergesToMinimizer ),
		cmocka_unit_test( TestRestIsExact ),
		cmocka_unit_test( TestLimitsAndMomentum ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
