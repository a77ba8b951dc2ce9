// SPDX-License-Identifier: MIT
// Laws of plastic flow on one tet: none below the yield point, none beyond the maximum, no recovery, the same
// for every step length and from every side.
#include "random_tets.h"

#include "solvers/plastic/plasticity.h"
#include "math/polar.h"

#include <math.h>

static gelPlasticityDef MakeDef( void )
{
	return ( gelPlasticityDef ){
		.enableYield = true, .yieldStrain = 0.05f, .creepRate = 20.0f, .maxStrain = 0.4f, .isVolumeKept = true
	};
}

static gelSym3 RandomStrain( gelRandom* random, double size )
{
	gelSym3 e;
	float* entries = &e.xx;
	for ( int i = 0; i < 6; ++i )
		entries[i] = (float)gelRandom_Normal( random );
	float scale = (float)size / gelNormSym3( e );
	for ( int i = 0; i < 6; ++i )
		entries[i] *= scale;
	return e;
}

static double Difference( gelSym3 a, gelSym3 b )
{
	gelSym3 d = { a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz };
	return gelNormSym3( d );
}

static gelSym3 Deviator( gelSym3 e )
{
	float third = ( e.xx + e.yy + e.zz ) / 3.0f;
	return ( gelSym3 ){ e.xx - third, e.yy - third, e.zz - third, e.xy, e.xz, e.yz };
}

static void TestRelaxationIsExponential( void** state )
{
	(void)state;
	for ( double x = 1e-8; x < 60.0; x *= 1.01 )
	{
		double expected = -expm1( -(double)(float)x );
		assert_true( fabs( gelRelaxation( (float)x ) - expected ) < 1e-7 * expected );
	}
	assert_true( gelRelaxation( 0.0f ) == 0.0f );
	assert_true( gelRelaxation( INFINITY ) == 1.0f );
	assert_true( gelRelaxation( NAN ) == 0.0f );
}

static void TestElasticBelowYield( void** state )
{
	(void)state;
	gelRandom random = { 1 };
	for ( int n = 0; n < 2000; ++n )
	{
		gelPlasticityDef def = MakeDef();
		def.isVolumeKept = n % 2;
		gelPlasticFlow flow = gelMakePlasticFlow( &def, 1.0f, 0.1f );
		gelSym3 plastic = RandomStrain( &random, 0.2 ), before = plastic;
		gelSym3 elastic = RandomStrain( &random, gelRandom_Uniform( &random, 0.0, 0.0499 ) );
		gelSym3 e = { plastic.xx + elastic.xx, plastic.yy + elastic.yy, plastic.zz + elastic.zz,
			plastic.xy + elastic.xy, plastic.xz + elastic.xz, plastic.yz + elastic.yz };
		assert_false( gelUpdatePlasticStrain( &flow, e, &plastic ) );
		assert_memory_equal( &plastic, &before, sizeof( plastic ) );
	}
}

// Held for a time t: the excess decays as exp(-c t), in however many steps.
static void TestStepLengthDoesNotMatter( void** state )
{
	(void)state;
	gelRandom random = { 2 };
	const int counts[] = { 1, 2, 7, 64 };
	for ( int n = 0; n < 200; ++n )
	{
		gelPlasticityDef def = MakeDef();
		def.isVolumeKept = n % 2;
		def.maxStrain = 0.9f;
		gelSym3 e = RandomStrain( &random, 0.5 );
		double t = 0.08, total = gelNormSym3( def.isVolumeKept ? Deviator( e ) : e );
		if ( total < 0.06 ) continue;
		double excess = ( total - 0.05 ) * exp( -20.0 * t ), expected = total - 0.05 - excess;
		for ( int k = 0; k < 4; ++k )
		{
			gelPlasticFlow flow = gelMakePlasticFlow( &def, 1.0f, (float)( t / counts[k] ) );
			gelSym3 plastic = { 0 };
			for ( int step = 0; step < counts[k]; ++step )
				gelUpdatePlasticStrain( &flow, e, &plastic );
			assert_true( fabs( gelNormSym3( plastic ) - expected ) < 2e-6 );
		}
	}
}

// Along a path of loading: halving the step halves the difference.
static gelSym3 FollowPath( int steps )
{
	gelPlasticityDef def = MakeDef();
	gelPlasticFlow flow = gelMakePlasticFlow( &def, 1.0f, (float)( 0.5 / steps ) );
	gelSym3 plastic = { 0 };
	for ( int i = 1; i <= steps; ++i )
	{
		double t = (double)i / steps;
		gelSym3 e = { (float)( 0.5 * sin( 4.0 * t ) ), (float)( -0.2 * t ), (float)( 0.1 * t * t ),
			(float)( 0.2 * ( 1.0 - cos( 3.0 * t ) ) ), 0.0f, (float)( -0.1 * t ) };
		gelUpdatePlasticStrain( &flow, e, &plastic );
	}
	return plastic;
}

static void TestConvergesWithTheStep( void** state )
{
	(void)state;
	gelSym3 fine = FollowPath( 4096 );
	double coarse = Difference( FollowPath( 32 ), fine ), half = Difference( FollowPath( 64 ), fine );
	assert_true( gelNormSym3( fine ) > 0.1 );
	assert_true( coarse < 0.03 && half < 0.6 * coarse && half > 0.4 * coarse );
}

static void TestNeverBeyondMaximum( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	for ( int n = 0; n < 300; ++n )
	{
		gelPlasticityDef def = MakeDef();
		def.isVolumeKept = n % 2;
		def.creepRate = n % 3 ? 20.0f : 1e9f;
		gelPlasticFlow flow = gelMakePlasticFlow( &def, 1.0f, 0.05f );
		gelSym3 plastic = { 0 };
		double largest = 0.0;
		for ( int step = 0; step < 100; ++step )
		{
			gelUpdatePlasticStrain( &flow, RandomStrain( &random, 3.0 ), &plastic );
			double size = gelNormSym3( plastic );
			assert_true( size <= 0.4 * ( 1.0 + 1e-6 ) );
			largest = fmax( largest, size );
			if ( def.isVolumeKept ) assert_true( fabsf( plastic.xx + plastic.yy + plastic.zz ) < 2e-6f );
		}
		assert_true( largest > 0.39 );
	}
}

// With the yield point as stress: 2 mu |dev e| against it.
static void TestYieldStress( void** state )
{
	(void)state;
	gelPlasticityDef def = MakeDef();
	def.yieldStress = 1000.0f;
	gelSym3 e = { 0.1f, -0.1f, 0.0f, 0.0f, 0.0f, 0.0f };
	double size = gelNormSym3( e );
	gelSym3 plastic = { 0 };
	float mu = (float)( 0.99 * 1000.0 / ( 2.0 * size ) );
	gelPlasticFlow flow = gelMakePlasticFlow( &def, mu, 0.01f );
	assert_false( gelUpdatePlasticStrain( &flow, e, &plastic ) );
	flow = gelMakePlasticFlow( &def, mu * 1.02f, 0.01f );
	assert_true( gelUpdatePlasticStrain( &flow, e, &plastic ) );
}

// The flow does not depend on where the element is turned to, and turns with the axes of the material.
static void TestFrames( void** state )
{
	(void)state;
	gelRandom random = { 4 };
	gelPlasticityDef def = MakeDef();
	gelPlasticFlow flow = gelMakePlasticFlow( &def, 1.0f, 0.05f );
	for ( int n = 0; n < 500; ++n )
	{
		gelMat3d F = gelRandomGradient( &random, 0.3, 2.0 ), Q = gelRandomRotation( &random );
		gelMat3d R = gelComputeReferenceSvd( F ).R;
		gelSym3 a = { 0 }, b = { 0 }, c = { 0 };
		gelUpdatePlasticStrain( &flow, gelComputeStrain( gelToFloatMat( R ), gelToFloatMat( F ) ), &a );
		gelUpdatePlasticStrain( &flow,
			gelComputeStrain( gelToFloatMat( gelMulMMD( Q, R ) ), gelToFloatMat( gelMulMMD( Q, F ) ) ), &b );
		assert_true( Difference( a, b ) < 2e-6 );
		gelUpdatePlasticStrain( &flow,
			gelComputeStrain( gelToFloatMat( gelMulMMD( R, Q ) ), gelToFloatMat( gelMulMMD( F, Q ) ) ), &c );
		// c = Q^T a Q
		gelMat3d A = { { a.xx, a.xy, a.xz }, { a.xy, a.yy, a.yz }, { a.xz, a.yz, a.zz } };
		gelMat3d C = gelMulTransposedMMD( Q, gelMulMMD( A, Q ) );
		gelSym3 turned = { (float)C.cx.x, (float)C.cy.y, (float)C.cz.z, (float)C.cy.x, (float)C.cz.x,
			(float)C.cz.y };
		assert_true( Difference( c, turned ) < 2e-6 );
	}
}

// An element whose plastic strain is all of its strain has neither stress nor energy.
static void TestPlasticStrainIsRestShape( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	gelRotationParams params = gelDefaultRotationParams();
	for ( int n = 0; n < 200; ++n )
	{
		gelRandomTet tet = gelMakeRandomTet( &random );
		gelSym3 plastic = RandomStrain( &random, 0.4 );
		gelMat3d U = { { 1.0 + plastic.xx, plastic.xy, plastic.xz },
			{ plastic.xy, 1.0 + plastic.yy, plastic.yz }, { plastic.xz, plastic.yz, 1.0 + plastic.zz } };
		gelMat3d F = gelMulMMD( gelRandomRotation( &random ), U );
		gelRotationState s = { gelMakeQuatFromMat3( gelToFloatMat( gelComputeReferenceSvd( F ).R ) ), 0 };
		gelElementStress stress = gelComputeElementStress( &params, &tet.rest, &plastic, F, &s );
		assert_true( stress.energyDensity < 1e-10 );
		assert_true( gelContractD( stress.P, stress.P ) < 1e-9 );
		// and the fast solver's right-hand side vanishes: R'(I + e_p) - F = 0
		gelMat3 change = gelPlasticRestChange( gelToFloatMat( F ), s.q, &plastic );
		gelMat3 R = gelMakeMat3FromQuat( s.q );
		assert_true(
			gelMatDistance( gelMulAddMatD( gelToDoubleMat( R ), 1.0, gelToDoubleMat( change ) ), F ) < 3e-6 );
	}
}

// 1/2 of the stretch energy of the fast solver, mu = 1, from the rest change alone.
static double FastEnergy( gelMat3d F, gelSym3 plastic, gelQuat q )
{
	gelMat3d rest = gelToDoubleMat( gelPlasticRestChange( gelToFloatMat( F ), q, &plastic ) );
	double d = gelMatDistance( F, gelMulAddMatD( gelToDoubleMat( gelMakeMat3FromQuat( q ) ), 1.0, rest ) );
	return 0.5 * d * d;
}

// Its force F - R'(I + e_p) is the gradient of its energy, and has no torque.
static void TestFastForceIsGradient( void** state )
{
	(void)state;
	gelRandom random = { 6 };
	for ( int n = 0; n < 200; ++n )
	{
		gelMat3d F = gelToDoubleMat( gelToFloatMat( gelRandomGradient( &random, 0.5, 1.5 ) ) );
		gelSym3 plastic = RandomStrain( &random, 0.3 );
		gelQuat q = gelMakeQuatFromMat3( gelToFloatMat( gelComputeReferenceSvd( F ).R ) );
		gelMat3d rest = gelToDoubleMat( gelPlasticRestChange( gelToFloatMat( F ), q, &plastic ) );
		gelMat3d target = gelMulAddMatD( gelToDoubleMat( gelMakeMat3FromQuat( q ) ), 1.0, rest );
		gelMat3d P = gelMulAddMatD( F, -1.0, target );
		for ( int k = 0; k < 9; ++k )
		{
			const double e = 1.0 / 256.0; // exact in float
			gelMat3d a = F, b = F;
			( &a.cx.x )[k] += e;
			( &b.cx.x )[k] -= e;
			double slope = ( FastEnergy( a, plastic, q ) - FastEnergy( b, plastic, q ) ) / ( 2.0 * e );
			assert_true( fabs( slope - ( &P.cx.x )[k] ) < 1e-3 );
		}
		gelVec3d skew = gelAxialD( gelMulMMD( P, gelTransposed( F ) ) );
		assert_true( sqrt( gelDotD( skew, skew ) ) < 1e-5 );
	}
}

static void TestWildStrains( void** state )
{
	(void)state;
	gelPlasticityDef def = MakeDef();
	gelPlasticFlow flow = gelMakePlasticFlow( &def, 1.0f, 0.05f );
	const float wild[] = { NAN, INFINITY, -INFINITY, 1e30f, 1e5f };
	for ( int i = 0; i < 5 * 6; ++i )
	{
		gelSym3 e = { 0.1f, 0.2f, 0.0f, 0.0f, 0.0f, 0.0f }, plastic = { 0 };
		( &e.xx )[i % 6] = wild[i / 6];
		gelUpdatePlasticStrain( &flow, e, &plastic );
		assert_true( gelNormSym3( plastic ) <= 0.4f * 1.000001f ); // false for NaN
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestRelaxationIsExponential ),
		cmocka_unit_test( TestElasticBelowYield ),
		cmocka_unit_test( TestStepLengthDoesNotMatter ),
		cmocka_unit_test( TestConvergesWithTheStep ),
		cmocka_unit_test( TestNeverBeyondMaximum ),
		cmocka_unit_test( TestYieldStress ),
		cmocka_unit_test( TestFrames ),
		cmocka_unit_test( TestPlasticStrainIsRestShape ),
		cmocka_unit_test( TestFastForceIsGradient ),
		cmocka_unit_test( TestWildStrains ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
