// SPDX-License-Identifier: MIT
// Rotation extraction: what all methods promise, and what tells them apart.
#include "random_tets.h"

#include <math.h>

static const struct
{
	const char* name;
	gelRotationKind kind;
} kinds[] = {
	{ "DAPD", gel_rotationDapd },
	{ "APD", gel_rotationApd },
	{ "PD", gel_rotationPd },
	{ "QR", gel_rotationQr },
	{ "ISVD", gel_rotationIsvd },
	{ "CSVD", gel_rotationCsvd },
	{ "Project", gel_rotationProject },
	{ "Reflect", gel_rotationReflect },
};
#define KIND_COUNT ( (int)( sizeof( kinds ) / sizeof( kinds[0] ) ) )

static gelMat3d Extract(
	gelRotationKind kind, gelMat3d F, const gelElementRest* rest, gelRotationState* state )
{
	gelImplicitVariant variant = gelDefaultImplicitVariant();
	variant.rotation = kind;
	gelRotationParams params = gelMakeRotationParams( &variant );
	return gelToDoubleMat( gelExtractRotation( &params, gelToFloatMat( F ), rest->gradients, state ) );
}

static void AssertRotation( gelMat3d R, double det, const char* name )
{
	gelMat3d I = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
	if ( !( gelMatDistance( gelMulTransposedMMD( R, R ), I ) < 3e-6 ) )
		fail_msg( "%s: not orthonormal", name );
	if ( !( fabs( gelDeterminantD( R ) - det ) < 3e-6 ) )
		fail_msg( "%s: det %g", name, gelDeterminantD( R ) );
}

static gelRotationState MakeState( gelMat3d R, int witness )
{
	return ( gelRotationState ){ gelMakeQuatFromMat3( gelToFloatMat( R ) ), (uint8_t)witness };
}

static void TestQuaternionsOfMatrices( void** state )
{
	(void)state;
	gelRandom random = { 1 };
	for ( int n = 0; n < 2000; ++n )
	{
		gelMat3d R = gelRandomRotation( &random );
		if ( n < 3 ) // half turns
			R = ( gelMat3d ){ { n == 0 ? 1 : -1, 0, 0 }, { 0, n == 1 ? 1 : -1, 0 },
				{ 0, 0, n == 2 ? 1 : -1 } };
		gelMat3d back = gelToDoubleMat( gelMakeMat3FromQuat( gelMakeQuatFromMat3( gelToFloatMat( R ) ) ) );
		assert_true( gelMatDistance( R, back ) < 1e-6 );
	}
}

// Whatever F, witness and last rotation: an orthonormal matrix, of determinant 1 but for PD.
static void TestResultsAreRotations( void** state )
{
	(void)state;
	gelRandom random = { 2 };
	for ( int n = 0; n < 4000; ++n )
	{
		gelRandomTet tet = gelMakeRandomTet( &random );
		double scale = n % 3 == 0 ? pow( 10.0, gelRandom_Uniform( &random, -9.0, 9.0 ) ) : 1.0;
		gelMat3d F = gelRandomMatrix( &random );
		if ( n % 5 == 0 ) F.cx = ( gelVec3d ){ 0.0, 0.0, 0.0 };
		if ( n % 7 == 0 ) F.cy = F.cx;
		if ( n % 11 == 0 ) F.cz = gelScaleD( 2.0, F.cy );
		F = ( gelMat3d ){ gelScaleD( scale, F.cx ), gelScaleD( scale, F.cy ), gelScaleD( scale, F.cz ) };
		gelMat3d last = gelRandomRotation( &random );
		int witness = (int)( gelRandom_Next( &random ) % gel_witnessCount );
		for ( int k = 0; k < KIND_COUNT; ++k )
		{
			gelRotationState s = MakeState( last, witness );
			gelMat3d R = Extract( kinds[k].kind, F, &tet.rest, &s );
			bool isMirror = kinds[k].kind == gel_rotationPd && gelDeterminant( gelToFloatMat( F ) ) < 0.0f;
			AssertRotation( R, isMirror ? -1.0 : 1.0, kinds[k].name );
			AssertRotation( gelToDoubleMat( gelMakeMat3FromQuat( s.q ) ), 1.0, kinds[k].name );
		}
	}
}

static void TestRotationsAreFound( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	for ( int n = 0; n < 500; ++n )
	{
		gelRandomTet tet = gelMakeRandomTet( &random );
		gelMat3d F = gelRandomRotation( &random ), last = gelRandomRotation( &random );
		for ( int k = 0; k < KIND_COUNT; ++k )
		{
			gelRotationState s = MakeState( last, gel_witnessEdge02 );
			for ( int step = 0; step < 3; ++step ) // APD stops after a while and goes on in the next step
				Extract( kinds[k].kind, F, &tet.rest, &s );
			assert_true( gelAngleBetween( Extract( kinds[k].kind, F, &tet.rest, &s ), F ) < 2e-6 );
		}
	}
}

// J >= alpha: the polar factor by all methods but QR, whose S is a triangle instead.
static void TestHealthyIsPolar( void** state )
{
	(void)state;
	gelRandom random = { 4 };
	double largest = 0.0;
	for ( int n = 0; n < 2000; ++n )
	{
		gelRandomTet tet = gelMakeRandomTet( &random );
		gelMat3d F = gelRandomGradient( &random, 0.11, 2.0 );
		gelReferenceSvd svd = gelComputeReferenceSvd( F );
		for ( int k = 0; k < KIND_COUNT; ++k )
		{
			gelRotationState s = MakeState( svd.R, gel_witnessVertex2 );
			gelMat3d R = Extract( kinds[k].kind, F, &tet.rest, &s );
			double angle = gelAngleBetween( R, svd.R );
			if ( kinds[k].kind != gel_rotationQr && angle > 2e-5 ) fail_msg( "%s: %g", kinds[k].name, angle );
			if ( kinds[k].kind != gel_rotationQr ) continue;
			largest = fmax( largest, angle );
			gelMat3d S = gelMulTransposedMMD( R, F );
			assert_true(
				fabs( S.cx.y ) + fabs( S.cx.z ) + fabs( S.cy.z ) < 2e-6 && S.cx.x > 0.0 && S.cy.y > 0.0 );
		}
	}
	assert_true( largest > 0.1 );
}

// Turning the element in space turns its rotation.
static void TestSpaceFrame( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	for ( int n = 0; n < 2000; ++n )
	{
		gelRandomTet tet = gelMakeRandomTet( &random );
		gelMat3d F = gelRandomGradient( &random, -2.0, 2.0 ), Q = gelRandomRotation( &random );
		gelReferenceSvd svd = gelComputeReferenceSvd( F );
		if ( svd.s[1] + svd.s[2] < 0.1 ) continue; // not unique for ISVD
		int witness = (int)( gelRandom_Next( &random ) % gel_witnessCount );
		for ( int k = 0; k < KIND_COUNT; ++k )
		{
			gelRotationState a = MakeState( svd.R, witness ), b = MakeState( gelMulMMD( Q, svd.R ), witness );
			gelMat3d R = Extract( kinds[k].kind, F, &tet.rest, &a );
			gelMat3d turned = Extract( kinds[k].kind, gelMulMMD( Q, F ), &tet.rest, &b );
			double angle = gelAngleBetween( turned, gelMulMMD( Q, R ) );
			if ( angle > 1e-4 ) fail_msg( "%s: %g rad, J %g", kinds[k].name, angle, gelDeterminantD( F ) );
		}
	}
}

// Turning the axes of the material turns it the other way; not for QR, which depends on them.
static void TestMaterialFrame( void** state )
{
	(void)state;
	gelRandom random = { 6 };
	double largest = 0.0;
	for ( int n = 0; n < 2000; ++n )
	{
		gelRandomTet tet = gelMakeRandomTet( &random );
		gelMat3d F = gelRandomGradient( &random, -2.0, 2.0 ), Q = gelRandomRotation( &random );
		gelReferenceSvd svd = gelComputeReferenceSvd( F );
		if ( svd.s[1] + svd.s[2] < 0.1 ) continue;
		gelElementRest other = tet.rest;
		for ( int i = 0; i < 3; ++i )
			other.gradients[i] =
				gelToFloat( gelMulMVD( gelTransposed( Q ), gelToDouble( tet.rest.gradients[i] ) ) );
		int witness = (int)( gelRandom_Next( &random ) % gel_witnessCount );
		for ( int k = 0; k < KIND_COUNT; ++k )
		{
			gelRotationState a = MakeState( svd.R, witness ), b = MakeState( gelMulMMD( svd.R, Q ), witness );
			gelMat3d R = Extract( kinds[k].kind, F, &tet.rest, &a );
			gelMat3d turned = Extract( kinds[k].kind, gelMulMMD( F, Q ), &other, &b );
			double angle = gelAngleBetween( turned, gelMulMMD( R, Q ) );
			if ( kinds[k].kind == gel_rotationQr )
				largest = fmax( largest, angle );
			else if ( angle > 1e-4 )
				fail_msg( "%s: %g rad, J %g", kinds[k].name, angle, gelDeterminantD( F ) );
		}
	}
	assert_true( largest > 0.5 );
}

static void TestFloatSvdAgainstDouble( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	int tested = 0, inverted = 0;
	for ( int n = 0; n < 20000; ++n )
	{
		gelMat3d F = gelToDoubleMat( gelToFloatMat( gelRandomMatrix( &random ) ) );
		if ( n % 4 == 0 ) F = gelToDoubleMat( gelToFloatMat( gelRandomGradient( &random, -0.01, 0.01 ) ) );
		gelReferenceSvd expected = gelComputeReferenceSvd( F );
		if ( expected.s[1] + expected.s[2] < 0.05 * expected.s[0] ) continue; // nearly critical
		gelSignedSvd svd = gelComputeSignedSvd( gelToFloatMat( F ), gelIdentity() );
		AssertRotation( gelToDoubleMat( svd.U ), 1.0, "U" );
		AssertRotation( gelToDoubleMat( svd.V ), 1.0, "V" );
		for ( int k = 0; k < 3; ++k )
			assert_true( fabs( svd.s[k] - expected.s[k] ) < 3e-6 * expected.s[0] );
		gelMat3d R = gelToDoubleMat( gelRotationIsvd( gelToFloatMat( F ), gelIdentity() ) );
		double angle = gelAngleBetween( R, expected.R );
		if ( angle > 1e-3 )
			fail_msg( "%g rad for stretches %g %g %g", angle, expected.s[0], expected.s[1], expected.s[2] );
		++tested;
		inverted += expected.s[2] < 0.0;
	}
	assert_true( tested > 10000 && inverted > 4000 );
}

// diag(1, b, -c) with b falling below c: the shortest axis changes from z to y. ISVD jumps by half a turn,
// CSVD keeps the axis in which the element was turned inside out.
static void TestCsvdKeepsItsAxis( void** state )
{
	(void)state;
	gelRandom random = { 8 };
	gelRandomTet tet = gelMakeRandomTet( &random );
	gelMat3d U = gelRandomRotation( &random );
	gelRotationState isvd = MakeState( U, 0 ), csvd = isvd;
	double jumpIsvd = 0.0, jumpCsvd = 0.0;
	gelMat3d lastIsvd = U, lastCsvd = U;
	for ( int i = 0; i <= 200; ++i )
	{
		double t = i / 200.0; // z: 0.5 -> -0.5, y: 1 -> 0.2
		gelMat3d D = { { 1.2, 0.0, 0.0 }, { 0.01, 1.0 - 0.8 * t, 0.0 }, { 0.0, 0.0, 0.5 - t } };
		gelMat3d F = gelMulMMD( U, D );
		gelMat3d a = Extract( gel_rotationIsvd, F, &tet.rest, &isvd );
		gelMat3d b = Extract( gel_rotationCsvd, F, &tet.rest, &csvd );
		if ( i > 0 ) jumpIsvd = fmax( jumpIsvd, gelAngleBetween( a, lastIsvd ) );
		if ( i > 0 ) jumpCsvd = fmax( jumpCsvd, gelAngleBetween( b, lastCsvd ) );
		if ( D.cz.z > 0.0 || D.cy.y > 0.05 - D.cz.z ) assert_true( gelAngleBetween( a, b ) < 1e-4 );
		assert_int_equal( csvd.witness, gelDeterminantD( F ) < 0.0 );
		lastIsvd = a;
		lastCsvd = b;
	}
	assert_true( jumpIsvd > 0.5 );
	assert_true( jumpCsvd < 0.2 );
}

// What is not a number does not become a rotation.
static void TestWildInput( void** state )
{
	(void)state;
	gelRandom random = { 9 };
	gelRandomTet tet = gelMakeRandomTet( &random );
	const double wild[] = { (double)NAN, (double)INFINITY, -(double)INFINITY, 3e38, 1e-42, 0.0 };
	for ( int i = 0; i < 6; ++i )
	{
		for ( int entry = 0; entry < 9; ++entry )
		{
			gelMat3d F = gelRandomMatrix( &random ), last = gelRandomRotation( &random );
			( &F.cx.x )[entry] = wild[i];
			for ( int k = 0; k < KIND_COUNT; ++k )
			{
				gelRotationState s = MakeState( last, gel_witnessVertex1 );
				gelRotationState before = s;
				gelMat3d R = Extract( kinds[k].kind, F, &tet.rest, &s );
				bool isMirror = kinds[k].kind == gel_rotationPd && gelDeterminantD( R ) < 0.0;
				AssertRotation( R, isMirror ? -1.0 : 1.0, kinds[k].name );
				if ( i < 3 ) assert_memory_equal( &s.q, &before.q, sizeof( s.q ) );
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestQuaternionsOfMatrices ),
		cmocka_unit_test( TestResultsAreRotations ),
		cmocka_unit_test( TestRotationsAreFound ),
		cmocka_unit_test( TestHealthyIsPolar ),
		cmocka_unit_test( TestSpaceFrame ),
		cmocka_unit_test( TestMaterialFrame ),
		cmocka_unit_test( TestFloatSvdAgainstDouble ),
		cmocka_unit_test( TestCsvdKeepsItsAxis ),
		cmocka_unit_test( TestWildInput ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
