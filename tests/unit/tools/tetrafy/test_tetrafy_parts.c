// SPDX-License-Identifier: MIT
// Parts that face inwards, lie in each other or go through each other: told, turned, and measured once.
#include "test_support.h"

#include "tetrafy/geometry/exact_orient.h"
#include "tetrafy/surface/surface_tree.h"
#include "test_bodies.h"
#include "test_surfaces.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <stdlib.h>

static void FlipAll( gelMesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangleCount; ++i )
		gelFlipTriangle( mesh, i );
}

// A cube with this lower corner, of this side, that faces inwards when reversed.
static gelMesh MakeCube( double x, double y, double z, double side, bool reversed )
{
	gelMesh mesh =
		gelMakeTestBoxSurface( ( double[] ){ x, y, z }, ( double[] ){ x + side, y + side, z + side } );
	if ( reversed ) FlipAll( &mesh );
	return mesh;
}

static void Add( gelMesh* mesh, gelMesh part )
{
	gelMesh joined = gelJoinMeshes( mesh, &part );
	gelFreeMesh( mesh );
	gelFreeMesh( &part );
	*mesh = joined;
}

typedef struct Result
{
	bool ok;
	double solid;      // [m^3]
	uint32_t reversed; // findings
	uint32_t crossings;
} Result;

static Result Measure( const gelMesh* mesh )
{
	gelProgram program;
	gelInitTestProgram( &program );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	gelTetrafyStats stats = { 0 };
	gelCage cage;
	Result result = { 0 };
	result.ok = gelTetrafy( mesh, &settings, &program, &cage, &stats );
	result.solid = stats.solidVolume;
	result.reversed = (uint32_t)gelFindings_Total( &program.findings, gel_findingInsideOut );
	result.crossings = (uint32_t)gelFindings_Total( &program.findings, gel_findingMeshSelfIntersects );
	gelFreeCage( &cage );
	gelFreeTestProgram( &program );
	assert_true( result.ok );
	return result;
}

static void AssertSolid( const gelMesh* mesh, double volume, double tolerance, uint32_t reversed )
{
	Result result = Measure( mesh );
	assert_true( fabs( result.solid - volume ) <= tolerance * volume );
	assert_int_equal( result.reversed, reversed );
}

// Two cubes apart: whichever of them is reversed, it is told, and the solid has the volume of both.
static void ReversedPartsAreTold( void** state )
{
	(void)state;
	static const double sides[] = { 0.5, 1.0, 1.3 }; // the sum of signed volumes is positive, zero, negative
	for ( int i = 0; i < 12; ++i )
	{
		double side = sides[i % 3];
		bool first = i / 3 & 1, second = i / 6;
		gelMesh mesh = MakeCube( 0, 0, 0, 1, first );
		Add( &mesh, MakeCube( 1.6, 0.1, 0.2, side, second ) );
		AssertSolid( &mesh, 1.0 + side * side * side, 1e-5, first || second );
		gelSurface surface = gelMakeSurface( &mesh );
		gelSurfaceTree tree = gelMakeSurfaceTree( &surface );
		uint32_t* labels = gelLabelParts( &surface );
		gelOrientParts( &surface, &tree, labels );
		assert_int_equal( surface.partCount, 2 );
		assert_int_equal( surface.reversedParts.count, first + second );
		if ( first + second > 0 ) assert_int_equal( surface.reversedParts.firstTriangle, first ? 0 : 12 );
		free( labels );
		gelFreeSurfaceTree( &tree );
		gelFreeSurface( &surface );
		gelFreeMesh( &mesh );
	}
}

// A reversed part is seen beside an open one, which has no volume to judge by.
static void OpenPartsDoNotHideReversedOnes( void** state )
{
	(void)state;
	for ( int i = 0; i < 2; ++i )
	{
		gelMesh mesh = MakeCube( 3, 0, 0, 1, false ), cube = MakeCube( 0, 0, 0, 1, i );
		mesh.triangleCount -= 1; // open, and reversed without a word
		for ( uint32_t t = 0; t < mesh.triangleCount; ++t )
			gelFlipTriangle( &mesh, t );
		Add( &mesh, cube );
		Result result = Measure( &mesh );
		assert_int_equal( result.reversed, i );
		assert_true( result.solid == 0.0 );
		gelFreeMesh( &mesh );
	}
}

// A hollow is no reversed part, and stays hollow when the whole body is inside out beside another.
static void HollowsStayHollow( void** state )
{
	(void)state;
	for ( int i = 0; i < 4; ++i )
	{
		bool reversed = i & 1;
		gelMesh mesh = MakeCube( 0, 0, 0, 1, reversed );
		Add( &mesh, MakeCube( 0.2, 0.2, 0.2, 0.6, !reversed ) );
		if ( i & 2 ) Add( &mesh, MakeCube( 2, 0, 0, 0.9, false ) );
		AssertSolid( &mesh, 1.0 - 0.216 + ( i & 2 ? 0.729 : 0.0 ), 1e-5, reversed );
		gelFreeMesh( &mesh );
	}
}

// Overlapping and nested parts are one solid, whichever way they face.
static void SharedVolumeCountsOnce( void** state )
{
	(void)state;
	for ( int i = 0; i < 4; ++i )
	{
		gelMesh nested = MakeCube( 0, 0, 0, 1, false );
		Add( &nested, MakeCube( 0.2, 0.2, 0.2, 0.6, false ) );
		AssertSolid( &nested, 1.0, 0.03, 0 );
		gelFreeMesh( &nested );
		bool first = i & 1, second = i >> 1;
		gelMesh crossing = MakeCube( 0, 0, 0, 1, first );
		Add( &crossing, MakeCube( 0.5, 0.1, 0.2, 0.7, second ) );
		AssertSolid( &crossing, 1.0 + 0.343 - 0.5 * 0.7 * 0.7, 0.03, first || second );
		assert_int_equal( Measure( &crossing ).crossings, 1 );
		gelFreeMesh( &crossing );
	}
}

// The plain loop over all pairs, by whether an edge of one goes through the other.
static uint32_t CountCrossingsPlainly( const gelSurface* surface )
{
	uint32_t count = 0;
	for ( uint32_t a = 0; a < surface->triCount; ++a )
	{
		for ( uint32_t b = a + 1; b < surface->triCount; ++b )
		{
			bool crosses = false;
			for ( int k = 0; k < 6 && !crosses; ++k )
			{
				const uint32_t* edge = surface->tris + 3 * (size_t)( k < 3 ? a : b );
				const uint32_t* face = surface->tris + 3 * (size_t)( k < 3 ? b : a );
				gelVec3d u = surface->points[edge[k % 3]], w = surface->points[edge[( k + 1 ) % 3]];
				gelVec3d t[3];
				for ( int v = 0; v < 3; ++v )
					t[v] = surface->points[face[v]];
				int below = gelOrient3d( t[0], t[1], t[2], u ), above = gelOrient3d( t[0], t[1], t[2], w );
				int x = gelOrient3d( u, w, t[0], t[1] ), y = gelOrient3d( u, w, t[1], t[2] );
				int z = gelOrient3d( u, w, t[2], t[0] );
				crosses = below * above < 0 && x != 0 && x == y && y == z;
			}
			count += crosses;
		}
	}
	return count;
}

static void CrossingsAreCounted( void** state )
{
	(void)state;
	gelMesh clean = gelMakeTestTorus( 0.7, 0.25, 16 ), fork = gelMakeTestFork( 12 );
	gelMesh crossing = gelJoinMeshes( &clean, &fork ), urchin = gelMakeTestUrchin( 5, 7 );
	gelMesh* all[] = { &clean, &fork, &crossing, &urchin };
	for ( int i = 0; i < 4; ++i )
	{
		gelSurface surface = gelMakeSurface( all[i] );
		gelSurfaceTree tree = gelMakeSurfaceTree( &surface );
		gelCrossings found = gelFindCrossings( &tree, 2 );
		assert_true( found.complete );
		assert_int_equal( found.pairs.count, CountCrossingsPlainly( &surface ) );
		if ( i < 2 ) assert_int_equal( found.pairs.count, 0 );
		if ( i == 2 ) assert_true( found.pairs.count > 10 );
		gelFreeSurfaceTree( &tree );
		gelFreeSurface( &surface );
	}
	for ( int i = 0; i < 4; ++i )
		gelFreeMesh( all[i] );
}

// Cubes that touch share faces, edges or corners, and nothing goes through anything.
static void TouchingIsNoCrossing( void** state )
{
	(void)state;
	for ( int i = 1; i < 8; ++i )
	{
		gelMesh mesh = MakeCube( 0, 0, 0, 1, false );
		Add( &mesh, MakeCube( i & 1, i >> 1 & 1, i >> 2, 1, false ) );
		Add( &mesh, MakeCube( -0.5, 0.25, 0.25, 0.5, false ) ); // on the middle of a face
		assert_int_equal( Measure( &mesh ).crossings, 0 );
		gelFreeMesh( &mesh );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( ReversedPartsAreTold ),
		cmocka_unit_test( OpenPartsDoNotHideReversedOnes ),
		cmocka_unit_test( HollowsStayHollow ),
		cmocka_unit_test( SharedVolumeCountsOnce ),
		cmocka_unit_test( CrossingsAreCounted ),
		cmocka_unit_test( TouchingIsNoCrossing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
