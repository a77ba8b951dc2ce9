// SPDX-License-Identifier: MIT
// Whole cages: bounding by an independent judge, fitted, split, and the same for any number of threads.
#include "test_support.h"

#include "tetrafy/verify/cage_manifold.h"
#include "tetrafy/geometry/tet_shape.h"
#include "tetrafy/verify/cage_quality.h"
#include "exact_bounds.h"
#include "tetrafy/mesher/odt_fit.h"
#include "tetrafy/mesher/shared_tets.h"
#include "tetrafy/mesher/split.h"
#include "test_bodies.h"
#include "test_surfaces.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <string.h>

typedef struct Result
{
	bool ok;
	gelCage cage;
	gelTetrafyStats stats;
	int warnings, exitCode;
} Result;

static Result Tetrafy( const gelMesh* mesh, const gelTetrafySettings* settings )
{
	gelProgram program;
	gelInitTestProgram( &program );
	Result result = { 0 };
	result.ok = gelTetrafy( mesh, settings, &program, &result.cage, &result.stats );
	result.warnings = program.findings.warningCount;
	result.exitCode = program.findings.exitCode;
	gelFreeTestProgram( &program );
	return result;
}

static double Ratio( const Result* result )
{
	return result->stats.cageVolume / result->stats.solidVolume;
}

static void AssertBounds( const gelMesh* mesh, const gelCage* cage )
{
	gelExactBounds bounds = gelCheckBounds( mesh, cage );
	assert_int_equal( bounds.flatTets, 0 );
	assert_int_equal( bounds.crowdedFaces, 0 );
	assert_int_equal( bounds.touchedFaces, 0 );
	assert_int_equal( bounds.outsideVertices, 0 );
	assert_int_equal( bounds.doubledVertices, 0 );
	assert_true( bounds.boundaryFaces > 0 );
}

// The target of an inner node does not depend on where it is, and equals the mean of circumcenters.
static void OdtIsTheMeanOfCircumcenters( void** state )
{
	(void)state;
	// an octahedron cut into eight tets around its middle, bent a little
	gelVec3d points[7] = { { 0.1, -0.05, 0.07 }, { 1.1, 0, 0 }, { -1, 0.1, 0 }, { 0, 1, 0.1 }, { 0, -0.9, 0 },
		{ 0.1, 0, 1 }, { 0, 0, -1.2 } };
	uint32_t tets[32], corners[8];
	uint32_t count = 0;
	for ( uint32_t i = 0; i < 8; ++i )
	{
		uint32_t a = i & 1 ? 2 : 1, b = i & 2 ? 4 : 3, c = i & 4 ? 6 : 5;
		bool odd = ( i ^ i >> 1 ^ i >> 2 ) & 1;
		uint32_t t[4] = { 0, a, odd ? c : b, odd ? b : c };
		memcpy( tets + 4 * i, t, sizeof t );
		corners[count++] = 4 * i;
	}
	gelTetMesh mesh = { .points = points, .nodeCount = 7, .tets = tets, .tetCount = 8 };
	gelVec3d target = gelAddD( points[0], gelOdtDisplacement( &mesh, corners, 8 ) );
	gelVec3d sum = { 0 };
	double volume = 0.0;
	for ( uint32_t i = 0; i < 8; ++i )
	{
		gelVec3d p[4];
		gelTetMesh_TetPoints( &mesh, i, p );
		gelVec3d a = gelSubD( p[1], p[0] ), b = gelSubD( p[2], p[0] ), c = gelSubD( p[3], p[0] );
		double v = gelTetVolume( p );
		assert_true( v > 0.0 );
		// circumcenter: |center - p0| = |center - pk|, by Cramer's rule
		gelVec3d top = gelScaleD( gelDotD( a, a ), gelCrossD( b, c ) );
		top = gelMulAddD( top, gelDotD( b, b ), gelCrossD( c, a ) );
		top = gelMulAddD( top, gelDotD( c, c ), gelCrossD( a, b ) );
		gelVec3d center = gelMulAddD( p[0], 1.0 / ( 12.0 * v ), top );
		double r0 = gelLengthD( gelSubD( center, p[0] ) ), r3 = gelLengthD( gelSubD( center, p[3] ) );
		assert_true( fabs( r0 - r3 ) < 1e-12 * r0 );
		sum = gelMulAddD( sum, v, center );
		volume += v;
	}
	assert_true( gelLengthD( gelSubD( target, gelScaleD( 1.0 / volume, sum ) ) ) < 1e-12 );
	points[0] = ( gelVec3d ){ -0.2, 0.15, 0.02 };
	gelVec3d again = gelAddD( points[0], gelOdtDisplacement( &mesh, corners, 8 ) );
	assert_true( gelLengthD( gelSubD( target, again ) ) < 1e-12 );
}

static void SphereIsFitted( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 1.0, 24 );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.cellSize = 0.5;
	settings.fitPasses = 0;
	Result grid = Tetrafy( &mesh, &settings );
	settings.fitPasses = 10;
	Result fitted = Tetrafy( &mesh, &settings );
	assert_true( grid.ok && fitted.ok );
	assert_int_equal( grid.cage.tetCount, fitted.cage.tetCount );
	assert_true( Ratio( &grid ) > 1.5 );
	assert_true( Ratio( &fitted ) > 1.0 && Ratio( &fitted ) < 1.10 );
	assert_true( fitted.stats.minDihedral >= 19.9 );
	AssertBounds( &mesh, &grid.cage );
	AssertBounds( &mesh, &fitted.cage );
	gelFreeCage( &grid.cage );
	gelFreeCage( &fitted.cage );
	gelFreeMesh( &mesh );
}

static void ForkComesApart( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestFork( 32 );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.cellSize = 0.22;
	settings.fitPasses = 12;
	Result split = Tetrafy( &mesh, &settings );
	settings.noSplit = true;
	Result glued = Tetrafy( &mesh, &settings );
	assert_true( split.ok && glued.ok );
	assert_int_equal( split.cage.tetCount, glued.cage.tetCount );
	assert_true( split.cage.nodeCount > glued.cage.nodeCount );
	assert_true( Ratio( &split ) < Ratio( &glued ) - 0.1 );
	AssertBounds( &mesh, &split.cage );
	AssertBounds( &mesh, &glued.cage );
	gelFreeCage( &split.cage );
	gelFreeCage( &glued.cage );
	gelFreeMesh( &mesh );
}

// Nothing inside the material is ever cut.
static void SolidBoxIsNotSplit( void** state )
{
	(void)state;
	double low[3] = { 0, 0, 0 }, high[3] = { 1, 0.8, 0.9 };
	gelMesh mesh = gelMakeTestBoxSurface( low, high );
	gelSurface surface = gelMakeSurface( &mesh );
	gelSurfaceTree tree = gelMakeSurfaceTree( &surface );
	for ( double cell = 0.13; cell < 2.0; cell *= 1.7 )
	{
		gelLattice lattice;
		assert_true( gelMakeLattice( &surface.box, cell, 0, &lattice ) );
		gelClassification classes = gelClassify( &lattice, &tree, 1 );
		gelTetMesh cage = gelMakeTetMesh( &lattice, &classes );
		gelSplitCounts counts = gelSplitFeatures( &cage, &tree, 1 );
		assert_int_equal( counts.splitFaces, 0 );
		assert_int_equal( counts.addedNodes, 0 );
		gelFreeTetMesh( &cage );
		gelFreeClassification( &classes );
		gelFreeLattice( &lattice );
	}
	gelFreeSurfaceTree( &tree );
	gelFreeSurface( &surface );
	gelFreeMesh( &mesh );
}

static void ThreadsGiveTheSameBits( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestFork( 20 );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	Result one = Tetrafy( &mesh, &settings );
	settings.threads = 8;
	Result eight = Tetrafy( &mesh, &settings );
	assert_true( one.ok && eight.ok );
	assert_int_equal( one.cage.nodeCount, eight.cage.nodeCount );
	assert_int_equal( one.cage.tetCount, eight.cage.tetCount );
	assert_memory_equal(
		one.cage.positions, eight.cage.positions, 3 * one.cage.nodeCount * sizeof( double ) );
	assert_memory_equal( one.cage.tets, eight.cage.tets, 4 * one.cage.tetCount * sizeof( uint32_t ) );
	gelFreeCage( &one.cage );
	gelFreeCage( &eight.cage );
	gelFreeMesh( &mesh );
}

// Moving the art by whole cells moves the grid with it: the same tets, and the same nodes up to float
// rounding. Fitting turns the rounding into other moves here and there, but the cage stays as good.
static void TranslationByCells( void** state )
{
	(void)state;
	gelMesh a = gelMakeTestTorus( 0.7, 0.25, 24 ), b = gelMakeTestTorus( 0.7, 0.25, 24 );
	for ( uint32_t i = 0; i < b.vertexCount; ++i )
		for ( int k = 0; k < 3; ++k )
		{
			// both on a grid of 2^-16 m, so that the shift is exact in floats
			double x = ldexp( round( ldexp( a.positions[3 * (size_t)i + k], 16 ) ), -16 );
			a.positions[3 * (size_t)i + k] = (float)x;
			b.positions[3 * (size_t)i + k] = (float)( x + 3 * 0.25 );
		}
	gelFinishMesh( &a );
	gelFinishMesh( &b );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.cellSize = 0.25;
	for ( int pass = 0; pass < 2; ++pass )
	{
		settings.fitPasses = pass == 0 ? 0 : 4;
		Result x = Tetrafy( &a, &settings ), y = Tetrafy( &b, &settings );
		assert_true( x.ok && y.ok );
		assert_int_equal( x.cage.tetCount, y.cage.tetCount );
		assert_memory_equal( x.cage.tets, y.cage.tets, 4 * x.cage.tetCount * sizeof( uint32_t ) );
		for ( uint32_t i = 0; i < 3 * x.cage.nodeCount && pass == 0; ++i )
			assert_true( fabs( y.cage.positions[i] - x.cage.positions[i] - 0.75 ) < 1e-6 );
		assert_true( fabs( Ratio( &x ) / Ratio( &y ) - 1.0 ) < 0.02 );
		gelFreeCage( &x.cage );
		gelFreeCage( &y.cage );
	}
	gelFreeMesh( &a );
	gelFreeMesh( &b );
}

static void TargetCountIsMet( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestTorus( 0.7, 0.3, 24 );
	static const int targets[] = { 200, 500, 2000 };
	for ( int i = 0; i < 3; ++i )
	{
		gelTetrafySettings settings = gelDefaultTetrafySettings();
		settings.targetTets = targets[i];
		settings.fitPasses = 0;
		Result result = Tetrafy( &mesh, &settings );
		assert_true( result.ok );
		assert_true( fabs( result.cage.tetCount - (double)targets[i] ) <= 0.15 * targets[i] );
		gelFreeCage( &result.cage );
	}
	gelFreeMesh( &mesh );
}

// A cage can go through the mesher again: checked, refitted, not worse; and one that does not bound is
// refused.
static void CagesAreRefitted( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestTorus( 0.7, 0.3, 20 );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.fitPasses = 0;
	Result grid = Tetrafy( &mesh, &settings );
	assert_true( grid.ok );
	settings.fromCage = &grid.cage;
	Result same = Tetrafy( &mesh, &settings );
	assert_true( same.ok );
	assert_memory_equal(
		same.cage.positions, grid.cage.positions, 3 * grid.cage.nodeCount * sizeof( double ) );
	settings.fitPasses = 6;
	Result fitted = Tetrafy( &mesh, &settings );
	assert_true( fitted.ok );
	assert_int_equal( fitted.cage.tetCount, grid.cage.tetCount );
	assert_true( Ratio( &fitted ) < 0.8 * Ratio( &grid ) );
	AssertBounds( &mesh, &fitted.cage );

	for ( uint32_t i = 0; i < grid.cage.nodeCount; ++i )
		grid.cage.positions[3 * (size_t)i] += 0.5;
	Result moved = Tetrafy( &mesh, &settings );
	assert_false( moved.ok );
	assert_int_equal( moved.exitCode, gel_exitInput );
	assert_null( moved.cage.tets );
	gelFreeCage( &grid.cage );
	gelFreeCage( &same.cage );
	gelFreeCage( &fitted.cage );
	gelFreeMesh( &mesh );
}

// The cage of debris touches itself here and there, until that is filled. Splitting heals most of it already,
// so this one is not split.
static void DefectsAreFilled( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestDebris( 77, 40 );
	gelSurface surface = gelMakeSurface( &mesh );
	gelSurfaceTree tree = gelMakeSurfaceTree( &surface );
	uint32_t before = 0;
	for ( double cell = 0.11; cell < 0.4; cell *= 1.4 )
	{
		gelLattice lattice;
		assert_true( gelMakeLattice( &surface.box, cell, 0, &lattice ) );
		gelClassification classes = gelClassify( &lattice, &tree, 1 );
		for ( int pass = 0; pass < 2; ++pass )
		{
			gelTetMesh cage = gelMakeTetMesh( &lattice, &classes );
			gelManifoldDefects defects = gelFindManifoldDefects( &cage );
			if ( pass == 0 ) before += defects.vertexCount;
			if ( pass == 1 ) assert_int_equal( defects.vertexCount + defects.edgeCount, 0 );
			gelFreeManifoldDefects( &defects );
			gelFreeTetMesh( &cage );
			if ( pass == 0 ) gelFillManifoldDefects( &lattice, &tree, false, 1, &classes );
		}
		gelFreeClassification( &classes );
		gelFreeLattice( &lattice );
	}
	assert_true( before > 0 );
	gelFreeSurfaceTree( &tree );
	gelFreeSurface( &surface );
	gelFreeMesh( &mesh );
}

static void NothingToBound( void** state )
{
	(void)state;
	gelMesh mesh = { 0 };
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	Result result = Tetrafy( &mesh, &settings );
	assert_false( result.ok );
	assert_int_equal( result.exitCode, gel_exitInput );
	assert_null( result.cage.tets );

	gelMesh sphere = gelMakeTestSphere( 1.0, 8 );
	settings.cellSize = 1e-5;
	result = Tetrafy( &sphere, &settings );
	assert_false( result.ok );
	assert_int_equal( result.exitCode, gel_exitInput );
	gelFreeMesh( &sphere );
}

// Shared tets of a cage that is one tet, large enough for the boxes below.
static uint32_t CountShared( const gelMesh* mesh )
{
	static double positions[12] = { -4, -4, -4, 12, -4, -4, -4, 12, -4, -4, -4, 12 };
	static uint32_t tets[4] = { 0, 1, 2, 3 };
	gelCage cage = { .positions = positions, .nodeCount = 4, .tets = tets, .tetCount = 1 };
	gelTetMesh tetMesh = gelTetMesh_FromCage( &cage );
	gelSurface surface = gelMakeSurface( mesh );
	gelSurfaceTree tree = gelMakeSurfaceTree( &surface );
	uint32_t shared = gelCountSharedTets( &tetMesh, &tree, 1 );
	assert_int_equal( gelCountCagePieces( &tetMesh ), 1 );
	gelFreeSurfaceTree( &tree );
	gelFreeSurface( &surface );
	gelFreeTetMesh( &tetMesh );
	return shared;
}

// Two bodies with air between them are tied together by a tet; the two sides of a plate that goes through it
// belong together, and so do two prongs that meet nearby.
static void AirSeparatesParts( void** state )
{
	(void)state;
	gelMesh left = gelMakeTestBoxSurface( ( double[] ){ -1, -1, -1 }, ( double[] ){ -0.1, 1, 1 } );
	gelMesh right = gelMakeTestBoxSurface( ( double[] ){ 0.1, -1, -1 }, ( double[] ){ 1, 1, 1 } );
	gelMesh both = gelJoinMeshes( &left, &right );
	assert_int_equal( CountShared( &left ), 0 );
	assert_int_equal( CountShared( &both ), 1 );
	gelMesh plate = gelMakeTestBoxSurface( ( double[] ){ -99, -99, -0.1 }, ( double[] ){ 99, 99, 0.1 } );
	assert_int_equal( CountShared( &plate ), 0 );
	gelMesh gap = gelMakeTestBoxSurface( ( double[] ){ -99, -99, -0.9 }, ( double[] ){ 99, 99, -0.5 } );
	gelMesh plates = gelJoinMeshes( &plate, &gap );
	assert_int_equal( CountShared( &plates ), 1 );
	gelMesh fork = gelMakeTestFork( 16 );
	assert_int_equal( CountShared( &fork ), 0 );
	gelMesh* all[] = { &left, &right, &both, &plate, &gap, &plates, &fork };
	for ( int i = 0; i < 7; ++i )
		gelFreeMesh( all[i] );
}

// A sheet with two sides is closed but encloses nothing: no ratio of volumes, and it is not inside out.
static void SheetsEncloseNothing( void** state )
{
	(void)state;
	gelMesh sheet = gelMakeTestBoxSurface( ( double[] ){ -1, -1, 0 }, ( double[] ){ 1, 1, 1e-7 } );
	gelMesh plate = gelMakeTestBoxSurface( ( double[] ){ -1, -1, 0 }, ( double[] ){ 1, 1, 1e-3 } );
	gelSurface thin = gelMakeSurface( &sheet ), thick = gelMakeSurface( &plate );
	assert_true( thin.closed && !thin.encloses && !thin.insideOut );
	assert_true( thick.closed && thick.encloses );
	gelFreeSurface( &thin );
	gelFreeSurface( &thick );
	gelFreeMesh( &sheet );
	gelFreeMesh( &plate );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( OdtIsTheMeanOfCircumcenters ),
		cmocka_unit_test( SphereIsFitted ),
		cmocka_unit_test( ForkComesApart ),
		cmocka_unit_test( SolidBoxIsNotSplit ),
		cmocka_unit_test( ThreadsGiveTheSameBits ),
		cmocka_unit_test( TranslationByCells ),
		cmocka_unit_test( TargetCountIsMet ),
		cmocka_unit_test( CagesAreRefitted ),
		cmocka_unit_test( DefectsAreFilled ),
		cmocka_unit_test( NothingToBound ),
		cmocka_unit_test( AirSeparatesParts ),
		cmocka_unit_test( SheetsEncloseNothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
