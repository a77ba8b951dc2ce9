// SPDX-License-Identifier: MIT
// The judge is judged: the brute-force check of bounds must pass good cages and find bad ones. Called with an
// art file and a cage file it judges those, for scripts.
#include "test_support.h"

#include "common/mesh/cage_file.h"
#include "exact_bounds.h"
#include "common/import/mesh_import.h"
#include "test_bodies.h"
#include "test_surfaces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A box of 5-tet cells around the ball of radius 0.5 at the middle of the unit cube, scaled to leave a gap.
static gelCage BoxAround( double size )
{
	gelCage cage = gelMakeBoxCage( 3, 3, 3, size, size, size, gel_boxSplitFive );
	for ( uint32_t i = 0; i < 3 * cage.nodeCount; ++i )
		cage.positions[i] -= 0.5 * size;
	return cage;
}

// Signs of determinants do not change with the scale, as far as floats go.
static void ScaleDoesNotWrap( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	for ( int i = 0; i < 200; ++i )
	{
		double p[4][3], q[4][3], mirrored[4][3];
		for ( int k = 0; k < 12; ++k )
			p[k / 3][k % 3] = (float)gelRandom_Uniform( &random, -1.0, 1.0 );
		if ( i % 4 == 0 ) memcpy( p[3], p[i / 4 % 3], sizeof p[3] ); // flat
		int sign = gelIntegerOrient( p[0], p[1], p[2], p[3] );
		assert_int_equal( sign == 0, i % 4 == 0 );
		for ( int exponent = -120; exponent <= 127; exponent += 13 )
		{
			for ( int k = 0; k < 12; ++k )
			{
				q[k / 3][k % 3] = ldexp( p[k / 3][k % 3], exponent );
				mirrored[k / 3][k % 3] = -q[k / 3][k % 3];
			}
			assert_int_equal( gelIntegerOrient( q[0], q[1], q[2], q[3] ), sign );
			assert_int_equal( gelIntegerOrient( mirrored[0], mirrored[1], mirrored[2], mirrored[3] ), -sign );
		}
	}
}

static void GoodCagePasses( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 0.5, 8 );
	gelCage cage = BoxAround( 1.25 );
	gelExactBounds bounds = gelCheckBounds( &mesh, &cage );
	assert_true( gelExactBounds_Hold( &bounds ) );
	assert_int_equal( bounds.boundaryFaces, 6 * 9 * 2 );
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
}

static void FaultsAreFound( void** state )
{
	(void)state;
	double low[3] = { -0.5, -0.5, -0.5 }, high[3] = { 0.5, 0.5, 0.5 };
	gelMesh mesh = gelMakeTestBoxSurface( low, high );
	gelCage exact = BoxAround( 1.0 ); // its faces lie in those of the art: touching everywhere
	gelExactBounds bounds = gelCheckBounds( &mesh, &exact );
	assert_int_equal( bounds.touchedFaces, bounds.boundaryFaces );
	assert_int_equal( bounds.outsideVertices, 0 );

	gelCage small = BoxAround( 0.9 );
	bounds = gelCheckBounds( &mesh, &small );
	assert_int_equal( bounds.touchedFaces, 0 );
	assert_int_equal( bounds.outsideVertices, 8 );

	gelCage large = BoxAround( 1.1 );
	bounds = gelCheckBounds( &mesh, &large );
	assert_true( gelExactBounds_Hold( &bounds ) );
	uint32_t keep = large.tets[0];
	large.tets[0] = large.tets[1];
	large.tets[1] = keep;
	bounds = gelCheckBounds( &mesh, &large );
	assert_int_equal( bounds.flatTets, 1 );

	double nothing[3] = { 0, 0, 0 };
	gelCage twice = gelJoinCages( &small, &small, nothing );
	gelMesh ball = gelMakeTestSphere( 0.3, 6 );
	bounds = gelCheckBounds( &ball, &twice );
	assert_true( bounds.doubledVertices > 0 );
	gelFreeMesh( &ball );
	gelFreeCage( &twice );
	gelFreeCage( &large );
	gelFreeCage( &small );
	gelFreeCage( &exact );
	gelFreeMesh( &mesh );
}

static int Judge( const char* artPath, const char* cagePath )
{
	gelFindings findings = { .quiet = true };
	gelMesh mesh = { 0 };
	gelCage cage = { 0 };
	int code = 2;
	if ( gelImportMesh( artPath, &findings, &mesh, NULL ) && gelLoadCage( cagePath, &findings, &cage ) )
	{
		gelExactBounds bounds = gelCheckBounds( &mesh, &cage );
		printf( "%u flat tets, %u crowded faces, %u of %u boundary faces touched, %u vertices outside, %u "
				"doubled\n",
			bounds.flatTets, bounds.crowdedFaces, bounds.touchedFaces, bounds.boundaryFaces,
			bounds.outsideVertices, bounds.doubledVertices );
		code = gelExactBounds_Hold( &bounds ) ? 0 : 1;
	}
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
	gelFreeFindings( &findings );
	return code;
}

int main( int argc, char** argv )
{
	if ( argc == 3 ) return Judge( argv[1], argv[2] );
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( ScaleDoesNotWrap ),
		cmocka_unit_test( GoodCagePasses ),
		cmocka_unit_test( FaultsAreFound ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
