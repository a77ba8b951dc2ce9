// SPDX-License-Identifier: MIT
// Cutting along the cage: what a surface is (area, volume, Euler number, closedness) does not change, however
// its vertices, edges and triangles lie on faces, edges and nodes of the cage. Cage and art on one small
// integer lattice make such cases the rule.
#include "test_support.h"

#include "cdg_stage.h"
#include "test_surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void CheckLaws( const gelMesh* mesh, const gelCage* cage )
{
	gelCdgStage stage;
	gelCdgStage_Begin( &stage, mesh, cage );
	if ( !stage.ok )
		fail_msg( "status %d near %g %g %g", stage.fault.status, stage.fault.place.x, stage.fault.place.y,
			stage.fault.place.z );
	gelCheckCutSurface( &stage );
	gelCdgFigures art = gelMeasureArt( &stage.art ), cut = gelMeasureCutSurface( &stage );
	double scale = stage.cage.maxCoordinate;
	assert_int_equal( cut.euler, art.euler );
	assert_int_equal( cut.openEdges > 0, art.openEdges > 0 );
	// Weights are rounded by up to 2^-22, which moves the long sides of needles by as much of a tet: it only
	// matters for art that is small for its cage.
	double isSmall = art.area < 0.5 * scale * scale ? 1.0 : 0.0;
	assert_true( fabs( cut.area - art.area ) <= 1e-6 * art.area + isSmall * 0x1p-22 * scale * scale );
	assert_true( fabs( cut.volume - art.volume ) <= 1e-6 * ( fabs( art.volume ) + art.area * scale ) );
	gelVec3d d = gelSubD( cut.vectorArea, art.vectorArea );
	assert_true( sqrt( gelDotD( d, d ) ) <= 1e-6 * ( art.area + 1e-3 * scale * scale ) );
	gelCdgPatches patches = gelFormPatches( &stage.surface, &stage.cells, &stage.pool );
	gelBakeCdg cdg;
	assert_true( gelPackPatches(
		&stage.surface, &stage.cells, &patches, true, GEL_CDG_SHORT_WORDS, 1, &stage.pool, &cdg ) );
	assert_true( fabs( cdg.area - cut.area ) <= 1e-9 * ( cut.area + scale * scale ) );
	gelCdgStage_End( &stage );
}

static const gelBoxSplit s_splits[] = { gel_boxSplitFive, gel_boxSplitSix };

static void SmoothSurfacesKeepTheirFigures( void** state )
{
	(void)state;
	for ( int split = 0; split < 2; ++split )
	{
		gelCage cage = gelMakeBoxCage( 4, 5, 3, 3.0, 3.0, 3.0, s_splits[split] );
		gelMesh meshes[] = { gelMakeTestSphere( 1.2, 17 ), gelMakeTestTorus( 0.9, 0.35, 22 ),
			gelMakeTestFork( 16 ), gelMakeTestSphere( 0.05, 9 ), gelMakeTestHollow( 1.3, 0.8, 15 ) };
		for ( size_t m = 0; m < sizeof( meshes ) / sizeof( meshes[0] ); ++m )
		{
			for ( size_t i = 0; i < 3 * (size_t)meshes[m].vertexCount; ++i )
			{
				// the fork is larger than the others
				meshes[m].positions[i] = meshes[m].positions[i] * ( m == 2 ? 0.6f : 1.0f ) + 1.5f;
			}
			gelFinishMesh( meshes + m );
			CheckLaws( meshes + m, &cage );
			gelFreeMesh( meshes + m );
		}
		gelFreeCage( &cage );
	}
}

// Surfaces whose vertices all lie on the lattice of the cage, or halfway between its points: their facets lie
// in cage faces, their edges on cage edges, their vertices on nodes.
static void LatticeSurfacesKeepTheirFigures( void** state )
{
	(void)state;
	for ( int split = 0; split < 2; ++split )
	{
		gelCage cage = gelMakeBoxCage( 4, 4, 4, 4.0, 4.0, 4.0, s_splits[split] );
		for ( int step = 1; step <= 2; ++step )
		{
			const double low[3] = { 1.0, 1.0, 1.0 }, high[3] = { 3.0, 1.0 + step, 2.0 };
			gelMesh box = gelMakeTestBoxSurface( low, high );
			CheckLaws( &box, &cage );
			gelFreeMesh( &box );
			gelMesh ball = gelMakeTestSphere( 1.0, 4 * step );
			for ( size_t i = 0; i < 3 * (size_t)ball.vertexCount; ++i )
				ball.positions[i] = roundf( 2.0f * ( ball.positions[i] + 2.0f ) ) * 0.5f;
			gelFinishMesh( &ball );
			CheckLaws( &ball, &cage );
			gelFreeMesh( &ball );
		}
		gelFreeCage( &cage );
	}
}

static void RandomLatticeTetsKeepTheirFigures( void** state )
{
	(void)state;
	static const uint32_t corners[12] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3 };
	gelRandom random = { 5 };
	gelCage cages[4] = { gelMakeBoxCage( 4, 4, 4, 4.0, 4.0, 4.0, gel_boxSplitFive ),
		gelMakeBoxCage( 4, 4, 4, 4.0, 4.0, 4.0, gel_boxSplitSix ),
		gelMakeBoxCage( 8, 8, 8, 4.0, 4.0, 4.0, gel_boxSplitFive ),
		gelMakeBoxCage( 1, 1, 1, 4.0, 4.0, 4.0, gel_boxSplitFive ) };
	for ( int round = 0; round < 1500; ++round )
	{
		double p[12];
		for ( int i = 0; i < 12; ++i )
		{
			// 1, 1.5 .. 3: flat ones, needles and points that coincide are among them
			p[i] = 1.0 + 0.5 * (double)( gelRandom_Next( &random ) % 5 );
		}
		gelMesh mesh = gelMakeTestMesh( p, 4, corners, 4 );
		gelCdgArt art;
		gelBakePool pool = { NULL };
		art = gelBuildCdgArt( &mesh, &pool );
		bool whole = art.triangleCount == 4;
		gelFreeBakePool( &pool );
		if ( whole ) CheckLaws( &mesh, cages + round % 4 );
		gelFreeMesh( &mesh );
	}
	for ( int i = 0; i < 4; ++i )
		gelFreeCage( cages + i );
}

// Larger closed surfaces with vertices moved to lattice points at random.
static void PartlySnappedSurfacesKeepTheirFigures( void** state )
{
	(void)state;
	gelRandom random = { 77 };
	gelCage cage = gelMakeBoxCage( 5, 5, 5, 5.0, 5.0, 5.0, gel_boxSplitFive );
	for ( int round = 0; round < 12; ++round )
	{
		gelMesh mesh =
			round % 2 == 0 ? gelMakeTestSphere( 1.7, 11 + round ) : gelMakeTestTorus( 1.2, 0.5, 14 + round );
		uint8_t* snaps = calloc( 3 * (size_t)mesh.weldCount, 1 );
		for ( size_t i = 0; i < 3 * (size_t)mesh.weldCount; ++i )
			snaps[i] = gelRandom_Uniform( &random, 0.0, 1.0 ) < 0.4;
		for ( size_t i = 0; i < 3 * (size_t)mesh.vertexCount; ++i )
		{
			// moving one coordinate puts a vertex on a face, two on an edge, three on a node
			float x = mesh.positions[i] + 2.5f;
			bool snap = snaps[3 * (size_t)mesh.vertToWeld[i / 3] + i % 3] && fabsf( x - roundf( x ) ) < 0.12f;
			mesh.positions[i] = snap ? roundf( x ) : x;
		}
		free( snaps );
		gelFinishMesh( &mesh );
		CheckLaws( &mesh, &cage );
		gelFreeMesh( &mesh );
	}
	gelFreeCage( &cage );
}

static void OpenSurfacesStayOpen( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 3, 3, 3, 3.0, 3.0, 3.0, gel_boxSplitSix );
	gelMesh mesh = gelMakeTestSphere( 1.1, 13 );
	uint8_t* keep = calloc( mesh.triangleCount, 1 );
	for ( uint32_t i = 0; i < mesh.triangleCount; ++i )
		keep[i] = i % 7 != 3;
	gelFilterTriangles( &mesh, keep );
	for ( size_t i = 0; i < 3 * (size_t)mesh.vertexCount; ++i )
		mesh.positions[i] += 1.5f;
	gelFinishMesh( &mesh );
	CheckLaws( &mesh, &cage );
	free( keep );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// Two boxes that share an edge have four triangles there. Each stays a box of its own.
static void BoxesThatTouchAlongAnEdgeStayApart( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 3, 3, 3, 3.0, 3.0, 3.0, gel_boxSplitFive );
	const double lowA[3] = { 0.6, 0.6, 0.6 }, highA[3] = { 1.5, 1.5, 2.2 };
	const double lowB[3] = { 1.5, 1.5, 0.6 }, highB[3] = { 2.4, 2.4, 2.2 };
	gelMesh a = gelMakeTestBoxSurface( lowA, highA ), b = gelMakeTestBoxSurface( lowB, highB );
	gelMesh both = gelJoinMeshes( &a, &b );
	gelCdgStage stage;
	gelCdgStage_Begin( &stage, &both, &cage );
	assert_true( stage.ok && stage.art.nonManifoldEdges == 1 && stage.art.openEdges == 0 );
	gelCheckCutSurface( &stage );
	for ( uint32_t i = 0; i < stage.surface.triangleCount; ++i )
	{
		const gelCdgTri* t = stage.surface.triangles + i;
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( t->neighbor[k] != GEL_NO_INDEX );
			const gelCdgTri* n = stage.surface.triangles + t->neighbor[k];
			assert_int_equal( t->source < a.triangleCount, n->source < a.triangleCount );
		}
	}
	gelCdgStage_End( &stage );
	gelFreeMesh( &both );
	gelFreeMesh( &a );
	gelFreeMesh( &b );
	gelFreeCage( &cage );
}

// Three triangles at an edge cannot be paired; a triangle and its back share three edges.
static void OddEdgesAreRefusedAndTwinsAreSplit( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 2.0, 2.0, 2.0, gel_boxSplitFive );
	const double p[15] = { 0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 1.0, 1.5, 0.5, 1.0, 0.5, 1.5, 1.0, 0.2, 1.2 };
	const uint32_t fan[9] = { 0, 1, 2, 0, 1, 3, 1, 0, 4 }, twins[6] = { 0, 1, 2, 0, 2, 1 };
	gelMesh mesh = gelMakeTestMesh( p, 5, fan, 3 );
	gelCdgStage stage;
	gelCdgStage_Begin( &stage, &mesh, &cage );
	assert_false( stage.ok );
	assert_int_equal( stage.fault.status, gel_cdgOddEdge );
	gelCdgStage_End( &stage );
	gelFreeMesh( &mesh );

	gelCage single = gelMakeTetCage( 8.0 );
	mesh = gelMakeTestMesh( p, 3, twins, 2 );
	for ( int i = 0; i < 2; ++i )
	{
		gelCdgStage_Begin( &stage, &mesh, i == 0 ? &cage : &single );
		assert_true( stage.ok );
		gelCheckCutSurface( &stage );
		gelCdgFigures f = gelMeasureCutSurface( &stage );
		assert_int_equal( f.euler, 2 );
		assert_int_equal( f.openEdges, 0 );
		gelCdgStage_End( &stage );
	}
	gelFreeMesh( &mesh );
	gelFreeCage( &single );
	gelFreeCage( &cage );
}

static uint32_t CountComponents( const gelCdgSurface* surface )
{
	uint32_t count = 0, *queue = calloc( surface->triangleCount, sizeof( uint32_t ) );
	uint8_t* seen = calloc( surface->triangleCount, 1 );
	for ( uint32_t seed = 0; seed < surface->triangleCount; ++seed )
	{
		if ( seen[seed] ) continue;
		uint32_t end = 0;
		count += 1;
		seen[seed] = 1;
		queue[end++] = seed;
		for ( uint32_t i = 0; i < end; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				uint32_t n = surface->triangles[queue[i]].neighbor[k];
				if ( n == GEL_NO_INDEX || seen[n] ) continue;
				seen[n] = 1;
				queue[end++] = n;
			}
		}
	}
	free( queue );
	free( seen );
	return count;
}

// A sheet of n^2 squares with a back to each triangle: front and back are joined round the rim only. A ball
// with a back is two balls.
static void TwoSidedSheetsStayWhole( void** state )
{
	(void)state;
	enum
	{
		n = 12
	};
	double points[3 * ( n + 1 ) * ( n + 1 )];
	uint32_t corners[12 * n * n], count = 0;
	for ( int i = 0; i < ( n + 1 ) * ( n + 1 ); ++i )
	{
		double x = i % ( n + 1 ) / (double)n, y = i / ( n + 1 ) / (double)n;
		points[3 * i] = 0.5 + 2.0 * x;
		points[3 * i + 1] = 0.5 + 2.0 * y;
		points[3 * i + 2] = 1.3 + 0.4 * sin( 3.0 * x + y );
	}
	for ( uint32_t i = 0; i < n * n; ++i )
	{
		uint32_t a = i / n * ( n + 1 ) + i % n, b = a + 1, c = a + n + 1, d = c + 1;
		const uint32_t square[12] = { a, b, d, a, d, c, a, d, b, a, c, d };
		memcpy( corners + 12 * count++, square, sizeof( square ) );
	}
	gelCage cage = gelMakeBoxCage( 3, 3, 3, 3.0, 3.0, 3.0, gel_boxSplitFive );
	gelMesh ball = gelMakeTestSphere( 1.1, 11 ), back = gelMakeTestSphere( 1.1, 11 );
	for ( uint32_t i = 0; i < ball.triangleCount; ++i )
		gelFlipTriangle( &back, i );
	gelMesh meshes[2] = { gelMakeTestMesh( points, ( n + 1 ) * ( n + 1 ), corners, 4 * n * n ),
		gelJoinMeshes( &ball, &back ) };
	for ( size_t i = 0; i < 3 * (size_t)meshes[1].vertexCount; ++i )
		meshes[1].positions[i] += 1.5f;
	gelFinishMesh( meshes + 1 );
	for ( int m = 0; m < 2; ++m )
	{
		gelCdgStage stage;
		gelCdgStage_Begin( &stage, meshes + m, &cage );
		assert_true( stage.ok && stage.art.turnedParts == 0 && stage.art.openEdges == 0 );
		gelCheckCutSurface( &stage );
		assert_int_equal( CountComponents( &stage.surface ), m + 1 );
		gelCdgStage_End( &stage );
		gelFreeMesh( meshes + m );
	}
	gelFreeMesh( &ball );
	gelFreeMesh( &back );
	gelFreeCage( &cage );
}

// Two boxes with a face in common, triangles and all, are two boxes.
static void BoxesThatTouchWithAFaceStayTwo( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 3, 3, 3, 3.0, 3.0, 3.0, gel_boxSplitFive );
	// z up; the common face is 4 5 6 7
	const double p[36] = { 0.5, 0.5, 0.5, 2, 0.5, 0.5, 2, 2, 0.5, 0.5, 2, 0.5, 0.5, 0.5, 1.4, 2, 0.5, 1.4, 2,
		2, 1.4, 0.5, 2, 1.4, 0.5, 0.5, 2.3, 2, 0.5, 2.3, 2, 2, 2.3, 0.5, 2, 2.3 };
	uint32_t corners[72], count = 0;
	for ( uint32_t box = 0; box < 2; ++box )
	{
		const uint32_t o = 4 * box;
		const uint32_t quads[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 }, { 1, 2, 6, 5 },
			{ 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
		for ( int q = 0; q < 6; ++q )
		{
			// the common face gets the same diagonal from both
			static const int order[6] = { 0, 1, 2, 0, 2, 3 };
			for ( int k = 0; k < 6; ++k )
				corners[count++] = quads[q][order[k]] + o;
		}
	}
	gelMesh mesh = gelMakeTestMesh( p, 12, corners, 24 );
	gelCdgStage stage;
	gelCdgStage_Begin( &stage, &mesh, &cage );
	assert_true( stage.ok && stage.art.turnedParts == 0 );
	gelCheckCutSurface( &stage );
	assert_int_equal( CountComponents( &stage.surface ), 2 );
	assert_int_equal( gelMeasureCutSurface( &stage ).euler, gelMeasureArt( &stage.art ).euler );
	gelCdgStage_End( &stage );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// Parts: a ball, a ball with a hollow, a ball in the hollow. Any of the three bodies may be inside out.
static void InsideOutPartsAreTurned( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 3, 3, 3, 6.0, 3.0, 3.0, gel_boxSplitSix );
	gelMesh ball = gelMakeTestSphere( 1.1, 9 ), hollow = gelMakeTestHollow( 1.2, 0.8, 14 ),
			core = gelMakeTestSphere( 0.4, 5 );
	gelMesh two = gelJoinMeshes( &ball, &hollow ), all = gelJoinMeshes( &two, &core );
	const uint32_t ends[3] = { ball.triangleCount, two.triangleCount, all.triangleCount };
	for ( size_t i = 0; i < all.vertexCount; ++i )
	{
		all.positions[3 * i] += i < ball.vertexCount ? 1.5f : 4.5f;
		all.positions[3 * i + 1] += 1.5f;
		all.positions[3 * i + 2] += 1.5f;
	}
	gelFinishMesh( &all );
	gelBakePool pool = { NULL };
	gelCdgArt right = gelBuildCdgArt( &all, &pool );
	assert_int_equal( right.turnedParts, 0 );
	const uint32_t expected[8] = { 0, 1, 2, 3, 1, 2, 3, 4 }; // the hollow has two parts
	for ( uint32_t mask = 1; mask < 8; ++mask )
	{
		for ( uint32_t i = 0; i < all.triangleCount; ++i )
		{
			uint32_t body = i < ends[0] ? 0 : i < ends[1] ? 1 : 2;
			if ( mask >> body & 1 ) gelFlipTriangle( &all, i );
		}
		gelCdgArt art = gelBuildCdgArt( &all, &pool );
		CheckLaws( &all, &cage );
		assert_int_equal( art.turnedParts, expected[mask] );
		assert_memory_equal( art.corners, right.corners, 3 * sizeof( uint32_t ) * art.triangleCount );
		for ( uint32_t i = 0; i < all.triangleCount; ++i )
		{
			uint32_t body = i < ends[0] ? 0 : i < ends[1] ? 1 : 2;
			if ( mask >> body & 1 ) gelFlipTriangle( &all, i );
		}
	}
	gelFreeBakePool( &pool );
	gelFreeMesh( &ball );
	gelFreeMesh( &hollow );
	gelFreeMesh( &core );
	gelFreeMesh( &two );
	gelFreeMesh( &all );
	gelFreeCage( &cage );
}

static void ArtOutsideOfTheCageIsRefused( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 2.0, 2.0, 2.0, gel_boxSplitFive );
	const double low[3] = { 0.5, 0.5, 0.5 };
	const double high[][3] = { { 2.5, 1.5, 1.5 }, { 1.5, 2.0, 1.5 }, { 1.5, 1.5, 9.0 } };
	for ( int i = 0; i < 3; ++i )
	{
		gelMesh mesh = gelMakeTestBoxSurface( low, high[i] );
		gelCdgStage stage;
		gelCdgStage_Begin( &stage, &mesh, &cage );
		assert_false( stage.ok );
		assert_int_equal( stage.fault.status, gel_cdgOutside );
		gelCdgStage_End( &stage );
		gelFreeMesh( &mesh );
	}
	gelFreeCage( &cage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( SmoothSurfacesKeepTheirFigures ),
		cmocka_unit_test( LatticeSurfacesKeepTheirFigures ),
		cmocka_unit_test( RandomLatticeTetsKeepTheirFigures ),
		cmocka_unit_test( PartlySnappedSurfacesKeepTheirFigures ),
		cmocka_unit_test( OpenSurfacesStayOpen ),
		cmocka_unit_test( BoxesThatTouchAlongAnEdgeStayApart ),
		cmocka_unit_test( OddEdgesAreRefusedAndTwinsAreSplit ),
		cmocka_unit_test( TwoSidedSheetsStayWhole ),
		cmocka_unit_test( BoxesThatTouchWithAFaceStayTwo ),
		cmocka_unit_test( InsideOutPartsAreTurned ),
		cmocka_unit_test( ArtOutsideOfTheCageIsRefused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
