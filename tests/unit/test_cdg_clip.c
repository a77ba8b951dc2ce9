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
	// weights are rounded by up to 2^-22, which moves the long sides of needles by as much of a tet
	assert_true( fabs( cut.area - art.area ) <= 1e-6 * art.area + 0x1p-22 * scale * scale );
	assert_true( fabs( cut.volume - art.volume ) <= 1e-6 * ( fabs( art.volume ) + art.area * scale ) );
	gelDvec d = gelDvec_Sub( cut.vectorArea, art.vectorArea );
	assert_true( sqrt( gelDvec_Dot( d, d ) ) <= 1e-6 * ( art.area + 1e-3 * scale * scale ) );
	gelCdgPatches patches = gelFormPatches( &stage.surface, &stage.cells, &stage.pool );
	gelBakeCdg cdg;
	assert_true( gelPackPatches(
		&stage.surface, &stage.cells, &patches, true, GEL_CDG_SHORT_WORDS, &stage.pool, &cdg ) );
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
			{
				ball.positions[i] = roundf( 2.0f * ( ball.positions[i] + 2.0f ) ) * 0.5f;
			}
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
	{
		gelFreeCage( cages + i );
	}
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
		{
			snaps[i] = gelRandom_Uniform( &random, 0.0, 1.0 ) < 0.4;
		}
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
	{
		keep[i] = i % 7 != 3;
	}
	gelFilterTriangles( &mesh, keep );
	for ( size_t i = 0; i < 3 * (size_t)mesh.vertexCount; ++i )
	{
		mesh.positions[i] += 1.5f;
	}
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

// A coarser cage over the same nodes: same outside and volume, fewer tets, fewer pieces, the same surface.
static void CoarseCellsKeepTheOutsideAndTheSurface( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 5, 5, 5, 3.0, 3.0, 3.0, gel_boxSplitFive );
	gelMesh mesh = gelMakeTestSphere( 1.2, 9 );
	for ( size_t i = 0; i < 3 * (size_t)mesh.vertexCount; ++i )
	{
		mesh.positions[i] += 1.5f;
	}
	gelFinishMesh( &mesh );
	gelCdgStage stage;
	gelCdgStage_Begin( &stage, &mesh, &cage );
	gelPackTet* tets;
	gelCage coarse = cage;
	coarse.tetCount = gelCoarsenCells( &stage.cells, &stage.pool, &tets );
	coarse.tets = (uint32_t*)tets;
	assert_true( coarse.tetCount < cage.tetCount );
	double volume = 0.0;
	for ( uint32_t i = 0; i < coarse.tetCount; ++i )
	{
		const gelDvec* x = stage.cells.nodes;
		const uint32_t* n = tets[i].node;
		gelDvec u = gelDvec_Sub( x[n[1]], x[n[0]] ), v = gelDvec_Sub( x[n[2]], x[n[0]] );
		double det = gelDvec_Dot( gelDvec_Sub( x[n[3]], x[n[0]] ), gelDvec_Cross( u, v ) );
		assert_true( det > 0.0 );
		volume += det / 6.0;
	}
	assert_true( fabs( volume - 27.0 ) <= 1e-5 );
	gelDropUnusedNodes( &coarse, &stage.program.findings, NULL ); // a cage on its own has no others
	CheckLaws( &mesh, &coarse );
	gelCdgStage other;
	gelCdgStage_Begin( &other, &mesh, &coarse );
	assert_true( other.ok && other.surface.triangleCount < stage.surface.triangleCount );
	gelCdgStage_End( &other );
	gelCdgStage_End( &stage );
	gelFreeMesh( &mesh );
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
		cmocka_unit_test( ArtOutsideOfTheCageIsRefused ),
		cmocka_unit_test( CoarseCellsKeepTheOutsideAndTheSurface ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
