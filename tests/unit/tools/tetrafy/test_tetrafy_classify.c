// SPDX-License-Identifier: MIT
// What is inside, what is outside, what is cut: closed, hollow, open, flipped, doubled and thin surfaces.
#include "test_support.h"

#include "tetrafy/mesher/classify.h"
#include "test_surfaces.h"
#include "tetrafy/geometry/tri_tri.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A surface with its tree, classified on a lattice.
typedef struct Run
{
	gelSurface* surface; // on the heap: the tree points to it
	gelSurfaceTree tree;
	gelLattice lattice;
	gelClassification classes;
} Run;

static Run Classify( const gelMesh* mesh, double cell, int threads )
{
	Run run;
	run.surface = malloc( sizeof( gelSurface ) );
	*run.surface = gelMakeSurface( mesh );
	run.tree = gelMakeSurfaceTree( run.surface );
	assert_true( gelMakeLattice( &run.surface->box, cell, 0, &run.lattice ) );
	run.classes = gelClassify( &run.lattice, &run.tree, threads );
	return run;
}

static void FreeRun( Run* run )
{
	gelFreeClassification( &run->classes );
	gelFreeLattice( &run->lattice );
	gelFreeSurfaceTree( &run->tree );
	gelFreeSurface( run->surface );
	free( run->surface );
}

static void AssertSameClasses( const Run* a, const Run* b )
{
	uint32_t count = gelLattice_TetCount( &a->lattice );
	assert_int_equal( gelLattice_TetCount( &b->lattice ), count );
	assert_memory_equal( a->classes.classes, b->classes.classes, count );
}

static uint32_t Kept( const Run* run )
{
	return run->classes.internal + run->classes.piercing;
}

// Class of the tet whose center is nearest to a point.
static gelTetClass ClassAt( const Run* run, gelVec3d p )
{
	double nearest = INFINITY;
	uint32_t found = 0;
	for ( uint32_t tet = 0; tet < gelLattice_TetCount( &run->lattice ); ++tet )
	{
		gelVec3d t[4];
		gelLattice_TetPoints( &run->lattice, tet, t );
		gelVec3d center = gelScaleD( 0.25, gelAddD( gelAddD( t[0], t[1] ), gelAddD( t[2], t[3] ) ) );
		double distance = gelLengthD( gelSubD( center, p ) );
		if ( distance >= nearest ) continue;
		nearest = distance;
		found = tet;
	}
	return run->classes.classes[found];
}

static void SphereHasInsideAndOutside( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 1.0, 24 );
	Run run = Classify( &mesh, 0.2, 1 );
	assert_true( run.surface->closed );
	assert_true( fabs( run.surface->signedVolume - 4.18879 ) < 0.1 );
	assert_int_equal( run.classes.components, 2 );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 0, 0, 0 } ), gel_tetInternal );
	assert_true( run.classes.internal > 300 && run.classes.piercing > 300 );
	// every internal tet is inside the sphere, every external one outside
	for ( uint32_t tet = 0; tet < gelLattice_TetCount( &run.lattice ); ++tet )
	{
		gelVec3d p[4];
		gelLattice_TetPoints( &run.lattice, tet, p );
		for ( int k = 0; k < 4; ++k )
		{
			double r = gelLengthD( p[k] );
			if ( run.classes.classes[tet] == gel_tetInternal ) assert_true( r < 1.0 );
			if ( run.classes.classes[tet] == gel_tetExternal )
				assert_true( r > 0.98 ); // the mesh is inscribed
		}
	}
	FreeRun( &run );
	gelFreeMesh( &mesh );
}

static gelMesh MakeToCut( int kind )
{
	if ( kind == 0 ) return gelMakeTestUrchin( 13, 7 );
	if ( kind < 3 ) return gelMakeTestSphere( 1.0, 5 );
	return kind % 2 ? gelMakeTestFork( 24 ) : gelMakeTestSphere( 1.0, 20 );
}

// The plain loop over all triangles.
static bool IsCut( const gelSurfaceTree* tree, const gelVec3d tet[4] )
{
	gelBox3d box = gelBox3d_Empty();
	for ( int k = 0; k < 4; ++k )
		gelBox3d_AddPoint( &box, tet[k] );
	for ( uint32_t i = 0; i < tree->slotCount; ++i )
	{
		const gelVec3d* corners = tree->corners + 3 * (size_t)i;
		gelBox3d own = gelBox3d_Empty();
		for ( int k = 0; k < 3; ++k )
			gelBox3d_AddPoint( &own, corners[k] );
		if ( gelBox3d_Overlaps( &box, &own ) && gelTriangleMeetsTet( corners, tet ) ) return true;
	}
	return false;
}

// A tet is cut exactly when some triangle meets it, also where triangles lie in lattice planes, touch them,
// span many cells, or are many in one cell.
static void CutTetsAreExact( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 13; ++kind )
	{
		gelMesh mesh = MakeToCut( kind );
		if ( kind == 2 )
		{
			// The corners of a lattice: every face of this box lies in a lattice plane.
			gelMesh frame = gelMakeTestSphere( 1.0, 5 );
			Run run = Classify( &frame, 0.37, 1 );
			double low[3], high[3];
			for ( int axis = 0; axis < 3; ++axis )
				low[axis] = run.lattice.coord[axis][2], high[axis] = run.lattice.coord[axis][5];
			gelMesh box = gelMakeTestBoxSurface( low, high ), joined = gelJoinMeshes( &mesh, &box );
			gelFreeMesh( &mesh );
			gelFreeMesh( &box );
			gelFreeMesh( &frame );
			FreeRun( &run );
			mesh = joined;
		}
		Run run = Classify( &mesh, kind < 3 ? 0.37 : 0.11 + 0.04 * kind, 2 );
		for ( uint32_t tet = 0; tet < gelLattice_TetCount( &run.lattice ); ++tet )
		{
			gelVec3d p[4];
			gelLattice_TetPoints( &run.lattice, tet, p );
			assert_int_equal( run.classes.classes[tet] == gel_tetPiercing, IsCut( &run.tree, p ) );
		}
		FreeRun( &run );
		gelFreeMesh( &mesh );
	}
}

static void HollowKeepsItsCavity( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestHollow( 1.0, 0.6, 30 );
	Run run = Classify( &mesh, 0.12, 1 );
	assert_true( run.surface->closed );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 0, 0, 0 } ), gel_tetExternal );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 0.8, 0, 0 } ), gel_tetInternal );
	FreeRun( &run );
	gelFreeMesh( &mesh );
}

// Missing, flipped or repeated triangles change nothing as long as holes are small.
static void DamagedSphereGivesTheSameTets( void** state )
{
	(void)state;
	gelMesh whole = gelMakeTestSphere( 1.0, 24 );
	Run expected = Classify( &whole, 0.3, 1 );
	for ( int kind = 0; kind < 3; ++kind )
	{
		gelMesh mesh = gelMakeTestSphere( 1.0, 24 );
		gelRandom random = { 17 };
		uint8_t* keep = malloc( mesh.triangleCount );
		for ( uint32_t i = 0; i < mesh.triangleCount; ++i )
		{
			bool hit = gelRandom_Uniform( &random, 0.0, 1.0 ) < 0.05;
			keep[i] = kind != 0 || !hit;
			if ( kind == 1 && hit ) gelFlipTriangle( &mesh, i );
		}
		gelFilterTriangles( &mesh, keep );
		free( keep );
		if ( kind == 2 )
		{
			gelMesh twice = gelJoinMeshes( &mesh, &mesh );
			gelFreeMesh( &mesh );
			mesh = twice;
		}
		Run run = Classify( &mesh, 0.3, 1 );
		assert_int_equal( run.surface->closed, kind != 0 );
		assert_int_equal( run.surface->turned.count > 0, kind == 1 );
		if ( kind == 2 ) assert_int_equal( run.surface->duplicate.count, whole.triangleCount );
		AssertSameClasses( &run, &expected );
		FreeRun( &run );
		gelFreeMesh( &mesh );
	}
	FreeRun( &expected );
	gelFreeMesh( &whole );
}

static void InsideOutIsTurnedRound( void** state )
{
	(void)state;
	gelMesh whole = gelMakeTestSphere( 1.0, 16 ), mesh = gelMakeTestSphere( 1.0, 16 );
	for ( uint32_t i = 0; i < mesh.triangleCount; ++i )
		gelFlipTriangle( &mesh, i );
	Run expected = Classify( &whole, 0.3, 1 ), run = Classify( &mesh, 0.3, 1 );
	assert_true( run.surface->insideOut && !expected.surface->insideOut );
	AssertSameClasses( &run, &expected );
	FreeRun( &run );
	FreeRun( &expected );
	gelFreeMesh( &mesh );
	gelFreeMesh( &whole );
}

// A third of the triangles the wrong way round: turned by their neighbors.
static void MixedFacingIsTurned( void** state )
{
	(void)state;
	gelMesh whole = gelMakeTestSphere( 1.0, 16 ), mesh = gelMakeTestSphere( 1.0, 16 );
	gelRandom random = { 41 };
	uint32_t flipped = 0;
	for ( uint32_t i = 0; i < mesh.triangleCount; ++i )
	{
		if ( gelRandom_Uniform( &random, 0.0, 1.0 ) > 0.35 ) continue;
		gelFlipTriangle( &mesh, i );
		flipped += 1;
	}
	Run expected = Classify( &whole, 0.3, 1 ), run = Classify( &mesh, 0.3, 1 );
	assert_int_equal( run.surface->turned.count, flipped );
	assert_true( run.surface->closed && !run.surface->insideOut );
	AssertSameClasses( &run, &expected );
	FreeRun( &run );
	FreeRun( &expected );
	gelFreeMesh( &mesh );
	gelFreeMesh( &whole );
}

// A strip with a half twist has no two sides: it is left alone, and bounded.
static void MoebiusStripIsLeftAlone( void** state )
{
	(void)state;
	enum
	{
		n = 40
	};
	gelMesh mesh = { .vertexCount = 2 * n, .triangleCount = 2 * n };
	mesh.positions = malloc( 6 * n * sizeof( float ) );
	mesh.indices = malloc( 6 * n * sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < 2 * n; ++i )
	{
		double angle = 6.283185307179586 * ( i / 2 ) / n, width = i % 2 ? 0.3 : -0.3;
		double r = 1.0 + width * cos( 0.5 * angle );
		float p[3] = { (float)( r * cos( angle ) ), (float)( r * sin( angle ) ),
			(float)( width * sin( 0.5 * angle ) ) };
		memcpy( mesh.positions + 3 * (size_t)i, p, sizeof p );
	}
	for ( uint32_t i = 0; i < n; ++i )
	{
		uint32_t a = 2 * i, b = a + 1, c = ( a + 2 ) % ( 2 * n ), d = ( a + 3 ) % ( 2 * n );
		if ( i == n - 1 ) c = 1, d = 0; // joined with a half twist
		uint32_t t[6] = { a, b, d, a, d, c };
		memcpy( mesh.indices + 6 * (size_t)i, t, sizeof t );
	}
	gelFinishMesh( &mesh );
	Run run = Classify( &mesh, 0.2, 1 );
	assert_int_equal( run.surface->turned.count, 0 );
	assert_true( run.surface->edges.flipped > 0 );
	assert_true( run.classes.piercing > 50 );
	FreeRun( &run );
	gelFreeMesh( &mesh );
}

// One of two parts inside out is still solid.
static void InsideOutPartIsSolid( void** state )
{
	(void)state;
	double a0[3] = { 0, 0, 0 }, a1[3] = { 1, 1, 1 }, b0[3] = { 1.4, 0, 0 }, b1[3] = { 2.2, 0.8, 0.8 };
	gelMesh a = gelMakeTestBoxSurface( a0, a1 ), b = gelMakeTestBoxSurface( b0, b1 );
	for ( uint32_t i = 0; i < b.triangleCount; ++i )
		gelFlipTriangle( &b, i );
	gelMesh mesh = gelJoinMeshes( &a, &b );
	Run run = Classify( &mesh, 0.12, 1 );
	assert_true( run.surface->closed );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 0.5, 0.5, 0.5 } ), gel_tetInternal );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 1.8, 0.4, 0.4 } ), gel_tetInternal );
	FreeRun( &run );
	gelFreeMesh( &mesh );
	gelFreeMesh( &a );
	gelFreeMesh( &b );
}

// A large hole: inside and outside are one component, and each tet is judged by itself.
static void LargeHoleIsALeakNotADisaster( void** state )
{
	(void)state;
	gelMesh whole = gelMakeTestSphere( 1.0, 24 ), mesh = gelMakeTestSphere( 1.0, 24 );
	uint8_t* keep = malloc( mesh.triangleCount );
	for ( uint32_t i = 0; i < mesh.triangleCount; ++i )
		keep[i] = mesh.positions[3 * (size_t)mesh.indices[3 * (size_t)i] + 2] < 0.8f;
	gelFilterTriangles( &mesh, keep );
	free( keep );
	Run expected = Classify( &whole, 0.2, 1 ), run = Classify( &mesh, 0.2, 1 );
	assert_false( run.surface->closed );
	assert_int_equal( run.classes.leaks, 1 );
	assert_true( run.classes.firstLeak.z > 0.3 );
	assert_true( Kept( &run ) < Kept( &expected ) );
	assert_true( Kept( &run ) > 0.9 * Kept( &expected ) );
	FreeRun( &run );
	FreeRun( &expected );
	gelFreeMesh( &mesh );
	gelFreeMesh( &whole );
}

static void SheetHasNoInside( void** state )
{
	(void)state;
	double low[3] = { 0, 0, 0 }, high[3] = { 2, 2, 1 };
	gelMesh mesh = gelMakeTestBoxSurface( low, high );
	mesh.triangleCount = 2; // the side x = 0
	gelFinishMesh( &mesh );
	Run run = Classify( &mesh, 0.3, 1 );
	assert_int_equal( run.classes.internal, 0 );
	assert_true( run.classes.piercing > 50 );
	FreeRun( &run );
	gelFreeMesh( &mesh );
}

// A plate much thinner than a cell is all cut tets, and closed.
static void ThinPlate( void** state )
{
	(void)state;
	double low[3] = { 0, 0, 0 }, high[3] = { 2, 2, 0.002 };
	gelMesh mesh = gelMakeTestBoxSurface( low, high );
	Run run = Classify( &mesh, 0.3, 1 );
	assert_true( run.surface->closed );
	assert_int_equal( run.classes.internal, 0 );
	FreeRun( &run );
	gelFreeMesh( &mesh );
}

// Two cubes that share an edge: four triangles at it, but balanced, so the winding number still decides.
static void TouchingCubes( void** state )
{
	(void)state;
	double a0[3] = { 0, 0, 0 }, a1[3] = { 1, 1, 1 }, b0[3] = { 1, 1, 0 }, b1[3] = { 2, 2, 1 };
	gelMesh a = gelMakeTestBoxSurface( a0, a1 ), b = gelMakeTestBoxSurface( b0, b1 );
	gelMesh mesh = gelJoinMeshes( &a, &b );
	Run run = Classify( &mesh, 0.13, 1 );
	assert_int_equal( run.surface->edges.nonManifold, 1 );
	assert_true( run.surface->closed );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 0.5, 0.5, 0.5 } ), gel_tetInternal );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 1.5, 1.5, 0.5 } ), gel_tetInternal );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 1.5, 0.5, 0.5 } ), gel_tetExternal );
	FreeRun( &run );
	gelFreeMesh( &mesh );
	gelFreeMesh( &a );
	gelFreeMesh( &b );
}

// Segments and points enclose nothing but are cut like the rest; T-junctions that only they close stay
// closed.
static void DegenerateTrianglesAreBounded( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 1.0, 16 );
	uint32_t first = mesh.vertexCount;
	mesh.positions = realloc( mesh.positions, 3 * ( (size_t)first + 3 ) * sizeof( float ) );
	mesh.indices = realloc( mesh.indices, 3 * ( (size_t)mesh.triangleCount + 2 ) * sizeof( uint32_t ) );
	float needle[9] = { 1.5f, 0, 0, 2.0f, 0, 0, 2.5f, 0, 0 };
	memcpy( mesh.positions + 3 * (size_t)first, needle, sizeof needle );
	uint32_t tris[6] = { first, first + 1, first + 2, first, first, first + 1 };
	memcpy( mesh.indices + 3 * (size_t)mesh.triangleCount, tris, sizeof tris );
	mesh.vertexCount += 3;
	mesh.triangleCount += 2;
	gelFinishMesh( &mesh );
	Run run = Classify( &mesh, 0.3, 1 );
	assert_int_equal( run.surface->degenerate.count, 2 );
	assert_int_equal( run.surface->triCount - run.surface->properCount, 2 );
	assert_int_equal( ClassAt( &run, ( gelVec3d ){ 0, 0, 0 } ), gel_tetInternal );
	// the tets around the needle are cut
	uint32_t cut = 0;
	for ( uint32_t tet = 0; tet < gelLattice_TetCount( &run.lattice ); ++tet )
	{
		gelVec3d p[4];
		gelLattice_TetPoints( &run.lattice, tet, p );
		cut += p[0].x > 1.6 && run.classes.classes[tet] == gel_tetPiercing;
	}
	assert_true( cut >= 3 );
	FreeRun( &run );
	gelFreeMesh( &mesh );
}

static void OrderOfTrianglesDoesNotMatter( void** state )
{
	(void)state;
	gelMesh a = gelMakeTestUrchin( 3, 14 ), b = gelMakeTestUrchin( 3, 14 );
	gelRandom random = { 21 };
	for ( uint32_t i = b.triangleCount - 1; i > 0; --i )
	{
		uint32_t j = (uint32_t)( gelRandom_Next( &random ) % ( i + 1 ) ), keep[3];
		memcpy( keep, b.indices + 3 * (size_t)i, sizeof keep );
		memcpy( b.indices + 3 * (size_t)i, b.indices + 3 * (size_t)j, sizeof keep );
		memcpy( b.indices + 3 * (size_t)j, keep, sizeof keep );
	}
	gelFinishMesh( &b );
	Run x = Classify( &a, 0.17, 1 ), y = Classify( &b, 0.17, 1 );
	AssertSameClasses( &x, &y );
	FreeRun( &x );
	FreeRun( &y );
	gelFreeMesh( &a );
	gelFreeMesh( &b );
}

static void ThreadsDoNotMatter( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestUrchin( 5, 16 );
	Run one = Classify( &mesh, 0.11, 1 ), eight = Classify( &mesh, 0.11, 8 );
	AssertSameClasses( &one, &eight );
	FreeRun( &one );
	FreeRun( &eight );
	gelFreeMesh( &mesh );
}

// The tree's far field against the plain sum.
static void WindingTreeAgreesWithTheSum( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestUrchin( 9, 20 );
	gelSurface surface = gelMakeSurface( &mesh );
	gelSurfaceTree tree = gelMakeSurfaceTree( &surface );
	gelRandom random = { 31 };
	for ( int i = 0; i < 500; ++i )
	{
		gelVec3d p = { gelRandom_Uniform( &random, -1.5, 1.5 ), gelRandom_Uniform( &random, -1.5, 1.5 ),
			gelRandom_Uniform( &random, -1.5, 1.5 ) };
		double fast = gelSurfaceTree_Winding( &tree, p ), slow = gelSurfaceTree_Winding_Ref( &tree, p );
		assert_true( fabs( fast - slow ) < 0.05 );
		assert_true( fabs( slow - round( slow ) ) < 1e-9 );
	}
	gelFreeSurfaceTree( &tree );
	gelFreeSurface( &surface );
	gelFreeMesh( &mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( SphereHasInsideAndOutside ),
		cmocka_unit_test( CutTetsAreExact ),
		cmocka_unit_test( HollowKeepsItsCavity ),
		cmocka_unit_test( DamagedSphereGivesTheSameTets ),
		cmocka_unit_test( InsideOutIsTurnedRound ),
		cmocka_unit_test( MixedFacingIsTurned ),
		cmocka_unit_test( MoebiusStripIsLeftAlone ),
		cmocka_unit_test( InsideOutPartIsSolid ),
		cmocka_unit_test( LargeHoleIsALeakNotADisaster ),
		cmocka_unit_test( SheetHasNoInside ),
		cmocka_unit_test( ThinPlate ),
		cmocka_unit_test( TouchingCubes ),
		cmocka_unit_test( DegenerateTrianglesAreBounded ),
		cmocka_unit_test( OrderOfTrianglesDoesNotMatter ),
		cmocka_unit_test( ThreadsDoNotMatter ),
		cmocka_unit_test( WindingTreeAgreesWithTheSum ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
