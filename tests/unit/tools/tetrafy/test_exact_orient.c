// SPDX-License-Identifier: MIT
// Exact predicates against integers: near-coplanar points are where floating point lies.
#include "test_support.h"

#include "exact_bounds.h"
#include "tetrafy/geometry/exact_orient.h"
#include "tetrafy/geometry/tri_box.h"
#include "tetrafy/geometry/tri_tri.h"

#include <math.h>

static gelVec3d ToVec( const double p[3] )
{
	return ( gelVec3d ){ p[0], p[1], p[2] };
}

static int Orient( double p[4][3] )
{
	return gelOrient3d( ToVec( p[0] ), ToVec( p[1] ), ToVec( p[2] ), ToVec( p[3] ) );
}

// Points of a small integer lattice scaled by a float: many exactly coplanar quadruples.
static void OrientIsExactOnLattices( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	int zeros = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		double p[4][3];
		double scale = (float)gelRandom_Uniform( &random, 0.1, 3.0 );
		for ( int k = 0; k < 12; ++k )
			p[k / 3][k % 3] = (float)( scale * (double)( gelRandom_Next( &random ) % 5 ) );
		int expected = gelIntegerOrient( p[0], p[1], p[2], p[3] );
		assert_int_equal( Orient( p ), expected );
		zeros += expected == 0;
	}
	assert_true( zeros > 1000 );
}

// The fourth point lies on the plane of the others up to a few last bits.
static void OrientIsExactNearPlanes( void** state )
{
	(void)state;
	gelRandom random = { 11 };
	int signs[3] = { 0 };
	for ( int i = 0; i < 20000; ++i )
	{
		double p[4][3];
		for ( int k = 0; k < 9; ++k )
			p[k / 3][k % 3] = gelRandom_Uniform( &random, -1.0, 1.0 );
		double u = gelRandom_Uniform( &random, -1.0, 2.0 ), v = gelRandom_Uniform( &random, -1.0, 2.0 );
		for ( int k = 0; k < 3; ++k )
			p[3][k] = p[0][k] + u * ( p[1][k] - p[0][k] ) + v * ( p[2][k] - p[0][k] );
		int nudges = (int)( gelRandom_Next( &random ) % 3 );
		for ( int k = 0; k < nudges; ++k )
			p[3][2] = nextafter( p[3][2], 2.0 );
		int expected = gelIntegerOrient( p[0], p[1], p[2], p[3] );
		assert_int_equal( Orient( p ), expected );
		assert_int_equal(
			gelOrient3d_Exact( ToVec( p[0] ), ToVec( p[1] ), ToVec( p[2] ), ToVec( p[3] ) ), expected );
		signs[expected + 1] += 1;
	}
	assert_true( signs[0] > 1000 && signs[2] > 1000 );
}

static void OrientSigns( void** state )
{
	(void)state;
	gelVec3d o = { 0, 0, 0 }, x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 };
	assert_int_equal( gelOrient3d( o, x, y, z ), 1 );
	assert_int_equal( gelOrient3d( x, o, y, z ), -1 );
	assert_int_equal( gelOrient2d( o, x, y, 2 ), 1 );
	assert_int_equal( gelOrient2d( o, y, z, 0 ), 1 );
	assert_int_equal( gelOrient2d( o, z, x, 1 ), 1 );
	assert_true( gelCollinear( o, x, ( gelVec3d ){ 3, 0, 0 } ) );
	assert_true( gelCollinear( x, x, x ) );
	assert_false( gelCollinear( o, x, ( gelVec3d ){ 3, 0, 1e-300 } ) );
}

// A permutation of the corners changes the sign by its parity, for any input.
static void OrientIsAntisymmetric( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	for ( int i = 0; i < 2000; ++i )
	{
		gelVec3d p[4];
		for ( int k = 0; k < 4; ++k )
		{
			double scale = exp( gelRandom_Uniform( &random, -60.0, 60.0 ) );
			p[k] = ( gelVec3d ){ scale * gelRandom_Normal( &random ), gelRandom_Normal( &random ), scale };
		}
		int sign = gelOrient3d( p[0], p[1], p[2], p[3] );
		assert_int_equal( gelOrient3d( p[1], p[0], p[2], p[3] ), -sign );
		assert_int_equal( gelOrient3d( p[1], p[2], p[0], p[3] ), sign );
		assert_int_equal( gelOrient3d( p[3], p[1], p[2], p[0] ), -sign );
	}
}

static void RandomTriangle( gelRandom* random, double p[3][3], gelVec3d out[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
			p[i][k] = 0.25 * (double)( gelRandom_Next( random ) % 7 );
		out[i] = ToVec( p[i] );
	}
}

// On a coarse lattice triangles touch, cross, overlap in a plane and collapse all the time.
static void TrianglesMeetAsIntegersSay( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	int meets = 0, apart = 0;
	for ( int i = 0; i < 30000; ++i )
	{
		double s[3][3], f[3][3];
		gelVec3d sv[3], fv[3];
		RandomTriangle( &random, s, sv );
		RandomTriangle( &random, f, fv );
		if ( i % 3 == 0 ) // all in one plane
			for ( int k = 0; k < 3; ++k )
				s[k][2] = f[k][2] = sv[k].z = fv[k].z = 0.5;
		if ( gelCollinear( fv[0], fv[1], fv[2] ) ) continue;
		const double* sp[3] = { s[0], s[1], s[2] };
		const double* fp[3] = { f[0], f[1], f[2] };
		bool expected = gelIntegerTrianglesMeet( sp, fp );
		assert_int_equal( gelTriangleMeetsTriangle( sv, fv ), expected );
		gelTriangleFrame frame = gelMakeTriangleFrame( fv );
		gelBox3d box = gelBox3d_Empty();
		for ( int k = 0; k < 3; ++k )
			gelBox3d_AddPoint( &box, sv[k] );
		if ( expected ) assert_true( gelTriangleMayMeetBox( &frame, &box ) );
		meets += expected;
		apart += !expected;
	}
	assert_true( meets > 1000 && apart > 1000 );
}

// A closed tet meets a triangle when one of its faces does or it holds a corner.
static void TrianglesMeetTets( void** state )
{
	(void)state;
	gelRandom random = { 9 };
	int meets = 0, apart = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		double s[3][3], t[4][3];
		gelVec3d sv[3], tv[4];
		RandomTriangle( &random, s, sv );
		for ( int k = 0; k < 12; ++k )
			t[k / 3][k % 3] = 0.25 * (double)( gelRandom_Next( &random ) % 7 );
		for ( int k = 0; k < 4; ++k )
			tv[k] = ToVec( t[k] );
		if ( gelIntegerOrient( t[0], t[1], t[2], t[3] ) <= 0 ) continue;
		bool expected = false;
		for ( int k = 0; k < 4; ++k )
		{
			const double* sp[3] = { s[0], s[1], s[2] };
			const double* fp[3] = { t[gelTetFaces[k][0]], t[gelTetFaces[k][1]], t[gelTetFaces[k][2]] };
			expected = expected || gelIntegerTrianglesMeet( sp, fp );
		}
		for ( int k = 0; k < 3; ++k )
		{
			int a = gelIntegerOrient( s[k], t[1], t[2], t[3] ),
				b = gelIntegerOrient( t[0], s[k], t[2], t[3] );
			int c = gelIntegerOrient( t[0], t[1], s[k], t[3] ),
				d = gelIntegerOrient( t[0], t[1], t[2], s[k] );
			int low = a < b ? a : b;
			low = c < low ? c : low;
			low = d < low ? d : low;
			assert_int_equal( gelPointInTet( sv[k], tv ), low > 0 ? 1 : low == 0 ? 0 : -1 );
			expected = expected || low >= 0;
		}
		assert_int_equal( gelTriangleMeetsTet( sv, tv ), expected );
		meets += expected;
		apart += !expected;
	}
	assert_true( meets > 1000 && apart > 1000 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( OrientSigns ),
		cmocka_unit_test( OrientIsExactOnLattices ),
		cmocka_unit_test( OrientIsExactNearPlanes ),
		cmocka_unit_test( OrientIsAntisymmetric ),
		cmocka_unit_test( TrianglesMeetAsIntegersSay ),
		cmocka_unit_test( TrianglesMeetTets ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
