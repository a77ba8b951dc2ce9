// SPDX-License-Identifier: MIT
// Analytic polar decomposition against finite differences of its energy and against a double SVD.
#include "test_support.h"

#include "gelpack/types.h"
#include "solvers/fast/fast_kernels.h"
#include "math/polar.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct Mat
{
	double m[3][3];
} Mat;

static Mat Mul( Mat a, Mat b )
{
	Mat c = { { { 0 } } };
	for ( int i = 0; i < 3; ++i )
		for ( int j = 0; j < 3; ++j )
			for ( int k = 0; k < 3; ++k )
				c.m[i][j] += a.m[i][k] * b.m[k][j];
	return c;
}

static Mat Transpose( Mat a )
{
	Mat c;
	for ( int i = 0; i < 3; ++i )
		for ( int j = 0; j < 3; ++j )
			c.m[i][j] = a.m[j][i];
	return c;
}

static double Det( Mat a )
{
	return a.m[0][0] * ( a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1] ) -
		a.m[0][1] * ( a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0] ) +
		a.m[0][2] * ( a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0] );
}

static Mat FromFloat( gelMat3 f )
{
	return ( Mat ){ { { f.cx.x, f.cy.x, f.cz.x }, { f.cx.y, f.cy.y, f.cz.y }, { f.cx.z, f.cy.z, f.cz.z } } };
}

static gelMat3 ToFloat( Mat a )
{
	return ( gelMat3 ){ { (float)a.m[0][0], (float)a.m[1][0], (float)a.m[2][0] },
		{ (float)a.m[0][1], (float)a.m[1][1], (float)a.m[2][1] },
		{ (float)a.m[0][2], (float)a.m[1][2], (float)a.m[2][2] } };
}

// Rotation by the vector w (Rodrigues).
static Mat Rotation( const double w[3] )
{
	double angle = sqrt( w[0] * w[0] + w[1] * w[1] + w[2] * w[2] );
	double a = angle > 1e-12 ? sin( angle ) / angle : 1.0;
	double b = angle > 1e-6 ? ( 1.0 - cos( angle ) ) / ( angle * angle ) : 0.5;
	Mat k = { { { 0.0, -w[2], w[1] }, { w[2], 0.0, -w[0] }, { -w[1], w[0], 0.0 } } };
	Mat k2 = Mul( k, k ), r;
	for ( int i = 0; i < 3; ++i )
		for ( int j = 0; j < 3; ++j )
			r.m[i][j] = ( i == j ) + a * k.m[i][j] + b * k2.m[i][j];
	return r;
}

// Angle between two rotations [rad]; accurate near 0, where acos of the trace is not.
static double AngleBetween( Mat a, Mat b )
{
	double d2 = 0.0;
	for ( int i = 0; i < 3; ++i )
		for ( int j = 0; j < 3; ++j )
			d2 += ( a.m[i][j] - b.m[i][j] ) * ( a.m[i][j] - b.m[i][j] );
	return 2.0 * asin( fmin( 1.0, sqrt( d2 / 8.0 ) ) );
}

// Rotation of the SVD where the smallest singular value takes the sign of det F: F^T F = V S^2 V^T by Jacobi.
// outGap is the sum of the two smallest signed singular values: 0 means that the rotation is not unique.
static Mat PolarBySvd( Mat f, double* outGap )
{
	Mat a = Mul( Transpose( f ), f ), v = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
	for ( int sweep = 0; sweep < 60; ++sweep )
	{
		for ( int p = 0; p < 2; ++p )
		{
			for ( int q = p + 1; q < 3; ++q )
			{
				if ( fabs( a.m[p][q] ) < 1e-300 ) continue;
				double angle = 0.5 * atan2( 2.0 * a.m[p][q], a.m[q][q] - a.m[p][p] );
				Mat g = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
				g.m[p][p] = g.m[q][q] = cos( angle );
				g.m[p][q] = sin( angle );
				g.m[q][p] = -sin( angle );
				a = Mul( Transpose( g ), Mul( a, g ) );
				v = Mul( v, g );
			}
		}
	}
	double s[3];
	int smallest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		s[k] = sqrt( fmax( 0.0, a.m[k][k] ) );
		if ( s[k] < s[smallest] ) smallest = k;
	}
	if ( Det( f ) < 0.0 ) s[smallest] = -s[smallest];
	double second = fmin( s[( smallest + 1 ) % 3], s[( smallest + 2 ) % 3] );
	*outGap = second + s[smallest];
	// R = sum of u_k v_k^T with u_k = F v_k / s_k
	Mat fv = Mul( f, v ), u;
	for ( int k = 0; k < 3; ++k )
		for ( int i = 0; i < 3; ++i )
			u.m[i][k] = fv.m[i][k] / s[k];
	return Mul( u, Transpose( v ) );
}

static Mat RandomMatrix( gelRandom* random )
{
	Mat f;
	for ( int i = 0; i < 3; ++i )
		for ( int j = 0; j < 3; ++j )
			f.m[i][j] = gelRandom_Normal( random );
	return f;
}

static gelQuat RandomQuat( gelRandom* random )
{
	double q[4], n = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = gelRandom_Normal( random );
		n += q[i] * q[i];
	}
	n = 1.0 / sqrt( n );
	return (
		gelQuat ){ { (float)( q[0] * n ), (float)( q[1] * n ), (float)( q[2] * n ) }, (float)( q[3] * n ) };
}

// A random direction times an angle.
static void RandomTurn( gelRandom* random, double angle, double w[3] )
{
	double n = 0.0;
	for ( int i = 0; i < 3; ++i )
	{
		w[i] = gelRandom_Normal( random );
		n += w[i] * w[i];
	}
	for ( int i = 0; i < 3; ++i )
		w[i] *= angle / sqrt( n );
}

static double Energy( Mat f, Mat r0, const double w[3] )
{
	Mat r = Mul( r0, Rotation( w ) );
	double sum = 0.0;
	for ( int i = 0; i < 3; ++i )
		for ( int j = 0; j < 3; ++j )
			sum += 0.5 * ( r.m[i][j] - f.m[i][j] ) * ( r.m[i][j] - f.m[i][j] );
	return sum;
}

// Newton step of the energy, gradient and Hessian by central differences. False when not positive definite.
static bool NewtonByDifferences( Mat f, Mat r0, double dw[3] )
{
	const double e = 1e-4;
	double g[3];
	Mat h;
	for ( int i = 0; i < 3; ++i )
	{
		double p[3] = { 0 }, m[3] = { 0 }, zero[3] = { 0 };
		p[i] = e;
		m[i] = -e;
		g[i] = ( Energy( f, r0, p ) - Energy( f, r0, m ) ) / ( 2.0 * e );
		h.m[i][i] = ( Energy( f, r0, p ) - 2.0 * Energy( f, r0, zero ) + Energy( f, r0, m ) ) / ( e * e );
		for ( int j = 0; j < i; ++j )
		{
			double pp[3] = { 0 }, pm[3] = { 0 }, mp[3] = { 0 }, mm[3] = { 0 };
			pp[i] = pm[i] = mp[j] = pp[j] = e;
			pm[j] = mp[i] = mm[i] = mm[j] = -e;
			h.m[i][j] = h.m[j][i] =
				( Energy( f, r0, pp ) - Energy( f, r0, pm ) - Energy( f, r0, mp ) + Energy( f, r0, mm ) ) /
				( 4.0 * e * e );
		}
	}
	double det = Det( h );
	double minor = h.m[0][0] * h.m[1][1] - h.m[0][1] * h.m[0][1];
	if ( h.m[0][0] < 0.1 || minor < 0.1 || det < 0.1 ) return false;
	for ( int k = 0; k < 3; ++k )
	{
		Mat c = h;
		for ( int i = 0; i < 3; ++i )
			c.m[i][k] = -g[i];
		dw[k] = Det( c ) / det;
	}
	return true;
}

// The Newton increment that turned q into r: the Cayley map p = ((1-a)/(1+a), dw/(2(1+a))) and the
// shortening of dw, read backwards.
static void IncrementBetween( gelQuat q, gelQuat r, double dw[3] )
{
	gelQuat inverse = { gelNeg( q.v ), q.s };
	gelQuat p = gelMulQuat( inverse, r );
	double a = ( 1.0 - p.s ) / ( 1.0 + p.s );
	double length2 = 4.0 * ( 1.0 + a ) * ( 1.0 + a ) * (double)gelLengthSquared( p.v );
	double scale = 2.0 * ( 1.0 + a ) / sqrt( 1.0 - length2 / 1.6 );
	dw[0] = scale * p.v.x;
	dw[1] = scale * p.v.y;
	dw[2] = scale * p.v.z;
}

static void TestStepIsNewtonOfEnergy( void** state )
{
	(void)state;
	gelRandom random = { 1 };
	int tested = 0;
	for ( int n = 0; n < 2000; ++n )
	{
		gelQuat q = RandomQuat( &random );
		Mat r0 = FromFloat( gelMakeMat3FromQuat( q ) );
		double w[3], expected[3], actual[3];
		RandomTurn( &random, gelRandom_Uniform( &random, 0.0, 1.0 ), w );
		Mat stretch = RandomMatrix( &random );
		for ( int i = 0; i < 9; ++i )
			stretch.m[i / 3][i % 3] = ( i % 4 == 0 ) + 0.3 * stretch.m[i / 3][i % 3];
		Mat f = FromFloat( ToFloat( Mul( r0, Mul( Rotation( w ), stretch ) ) ) );
		if ( !NewtonByDifferences( f, r0, expected ) ) continue;
		IncrementBetween( q, gelPolarStep_Ref( ToFloat( f ), q, NULL ), actual );
		double length =
			sqrt( expected[0] * expected[0] + expected[1] * expected[1] + expected[2] * expected[2] );
		if ( length > 1.0 ) continue; // reading a large increment back from a float quaternion loses digits
		for ( int k = 0; k < 3; ++k )
			assert_true( fabs( actual[k] - expected[k] ) < 2e-5 * ( 1.0 + length ) );
		++tested;
	}
	assert_true( tested > 1000 );
}

// One step finds a pure rotation up to fifth order in its angle.
static void TestOneStepForRotations( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	for ( int i = 1; i < 50; ++i )
	{
		double angle = 0.02 * i, w[3];
		RandomTurn( &random, angle, w );
		gelQuat q = gelPolarStep_Ref( ToFloat( Rotation( w ) ), gelIdentityQuat(), NULL );
		double error = AngleBetween( FromFloat( gelMakeMat3FromQuat( q ) ), Rotation( w ) );
		assert_true( error < 0.06 * pow( angle, 5.0 ) + 1e-6 );
	}
}

static void TestResultIsRotation( void** state )
{
	(void)state;
	gelRandom random = { 2 };
	for ( int n = 0; n < 20000; ++n )
	{
		double scale = pow( 10.0, gelRandom_Uniform( &random, -12.0, 12.0 ) );
		Mat f = RandomMatrix( &random );
		for ( int i = 0; i < 9; ++i )
			f.m[i / 3][i % 3] *= scale;
		if ( n % 5 == 0 ) f.m[0][0] = f.m[0][1] = f.m[0][2] = 0.0;  // flat
		if ( n % 15 == 0 ) f.m[1][0] = f.m[1][1] = f.m[1][2] = 0.0; // a needle
		gelQuat q = RandomQuat( &random );
		for ( int i = 0; i < 5; ++i )
			q = gelPolarStep_Ref( ToFloat( f ), q, NULL );
		Mat r = FromFloat( gelMakeMat3FromQuat( q ) );
		Mat rr = Mul( Transpose( r ), r );
		assert_true( Det( r ) > 0.999998 );
		for ( int i = 0; i < 9; ++i )
			assert_true( fabs( rr.m[i / 3][i % 3] - ( i % 4 == 0 ) ) < 2e-6 );
	}
}

static void TestEqualsSvd( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	int inverted = 0;
	for ( int n = 0; n < 3000; ++n )
	{
		Mat f = FromFloat( ToFloat( RandomMatrix( &random ) ) );
		double gap;
		Mat expected = PolarBySvd( f, &gap );
		if ( gap < 0.05 ) continue; // nearly any rotation about one axis is as near: not unique
		gelQuat q = gelPolarSolve_Ref( ToFloat( f ), gelIdentityQuat(), 200 );
		assert_true( AngleBetween( FromFloat( gelMakeMat3FromQuat( q ) ), expected ) < 1e-4 );
		inverted += Det( f ) < 0.0;
	}
	assert_true( inverted > 1000 );
}

static void TestTrueRotationIsFixedPoint( void** state )
{
	(void)state;
	gelRandom random = { 4 };
	for ( int n = 0; n < 1000; ++n )
	{
		Mat f = FromFloat( ToFloat( RandomMatrix( &random ) ) );
		double gap;
		PolarBySvd( f, &gap );
		if ( gap < 0.2 ) continue;
		gelQuat q = gelPolarSolve_Ref( ToFloat( f ), gelIdentityQuat(), 200 );
		float change;
		gelPolarStep_Ref( ToFloat( f ), q, &change );
		assert_true( sqrt( change ) < 2e-6 ); // a few roundings of H^-1 axl2, with |H^-1| <= 1/gap
	}
	float change;
	gelQuat identity = gelPolarStep_Ref( gelIdentity(), gelIdentityQuat(), &change );
	assert_true( change == 0.0f );
	assert_true( identity.s == 1.0f && identity.v.x == 0.0f && identity.v.y == 0.0f && identity.v.z == 0.0f );
}

// Starts with errors uniform in 0 .. 180 degrees: how many are within a degree after k iterations.
static double Converged( int iterations )
{
	gelRandom random = { 5 };
	int good = 0;
	const int count = 4000;
	for ( int n = 0; n < count; ++n )
	{
		double w[3];
		RandomTurn( &random, gelRandom_Uniform( &random, 0.0, PI ), w );
		Mat f = RandomMatrix( &random );
		for ( int i = 0; i < 9; ++i )
			f.m[i / 3][i % 3] = ( i % 4 == 0 ) + 0.1 * f.m[i / 3][i % 3];
		double gap;
		Mat expected = PolarBySvd( f, &gap );
		gelQuat q = gelIdentityQuat();
		Mat g = Mul( Rotation( w ), f );
		expected = Mul( Rotation( w ), expected );
		for ( int i = 0; i < iterations; ++i )
			q = gelPolarStep_Ref( ToFloat( g ), q, NULL );
		good += AngleBetween( FromFloat( gelMakeMat3FromQuat( q ) ), expected ) < PI / 180.0;
	}
	return (double)good / count;
}

static void TestColdStarts( void** state )
{
	(void)state;
	assert_true( Converged( 5 ) > 0.97 );
	assert_true( Converged( 12 ) > 0.999 );
}

// Exactly half a turn off: the gradient is zero, and the answer is still found.
static void TestHalfTurns( void** state )
{
	(void)state;
	gelQuat starts[3] = { { { 1, 0, 0 }, 0 }, { { 0, 1, 0 }, 0 }, { { 0, 0, 1 }, 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		gelQuat q = starts[i];
		for ( int k = 0; k < 40; ++k )
			q = gelPolarStep_Ref( gelIdentity(), q, NULL );
		assert_true( fabsf( q.s ) > 0.999999f );
	}
}

static void TestCollapsedGivesStartBack( void** state )
{
	(void)state;
	gelRandom random = { 6 };
	gelMat3 zero = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
	gelQuat q = RandomQuat( &random );
	gelQuat r = gelPolarStep_Ref( zero, q, NULL );
	assert_memory_equal( &q, &r, sizeof( q ) );
}

// Rotations of the reference and of every kernel after one step from the identity.
static int StepAll( gelMat3 F, gelQuat out[8] )
{
	int count = 0;
	out[count++] = gelPolarStep_Ref( F, ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f }, NULL );
	const gelSimdLevel levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdNeon,
		gel_simdAvx512 };
	for ( size_t l = 0; l < sizeof( levels ) / sizeof( levels[0] ); ++l )
	{
		if ( gelFindSimdLevel( levels[l] ) != levels[l] ) continue;
		_Alignas( 64 ) float block[1][9][GEL_BLOCK_LANES];
		_Alignas( 64 ) gelQuat q[GEL_BLOCK_LANES];
		const float entries[9] = { F.cx.x, F.cx.y, F.cx.z, F.cy.x, F.cy.y, F.cy.z, F.cz.x, F.cz.y, F.cz.z };
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
		{
			q[lane] = ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f };
			for ( int k = 0; k < 9; ++k )
				block[0][k][lane] = entries[k];
		}
		gelGetElementKernels( levels[l] )->polarSteps( (const float( * )[9][GEL_BLOCK_LANES])block, q, 1, 1 );
		out[count++] = q[GEL_BLOCK_LANES - 1];
	}
	return count;
}

// An element squeezed to a fibre leaves the turn about itself open. The Hessian is nearly singular there, and
// rounding of the deformation gradient must not be taken for a turn.
static void TestFibreDoesNotSpin( void** state )
{
	(void)state;
	const float thins[] = { 1.0e-7f, 1.0e-12f, 1.0e-30f }, noises[] = { 0.0f, 1.0e-8f, 1.0e-20f };
	for ( int i = 0; i < 9; ++i )
	{
		float thin = thins[i / 3], noise = noises[i % 3];
		gelMat3 F = { { 1.0f, 0.0f, 0.0f }, { 0.0f, thin, noise }, { 0.0f, -noise, thin } };
		for ( int axis = 0; axis < 3; ++axis )
		{
			gelQuat q[8];
			int count = StepAll( F, q );
			for ( int k = 0; k < count; ++k )
			{
				assert_true( fabs( gelLengthSquaredQuat( q[k] ) - 1.0 ) < 1e-5 ); // false for NaN
				assert_true( gelLength( q[k].v ) < 0.005f );
			}
			// the same along the next axis
			F = ( gelMat3 ){ { F.cz.z, F.cz.x, F.cz.y }, { F.cx.z, F.cx.x, F.cx.y },
				{ F.cy.z, F.cy.x, F.cy.y } };
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestStepIsNewtonOfEnergy ),
		cmocka_unit_test( TestOneStepForRotations ),
		cmocka_unit_test( TestResultIsRotation ),
		cmocka_unit_test( TestEqualsSvd ),
		cmocka_unit_test( TestTrueRotationIsFixedPoint ),
		cmocka_unit_test( TestColdStarts ),
		cmocka_unit_test( TestHalfTurns ),
		cmocka_unit_test( TestCollapsedGivesStartBack ),
		cmocka_unit_test( TestFibreDoesNotSpin ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
