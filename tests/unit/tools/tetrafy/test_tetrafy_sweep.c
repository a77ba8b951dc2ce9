// SPDX-License-Identifier: MIT
// The stop before contact: spiky random surfaces against faces with one moving corner, and against whole
// cages that are fitted to them. Every answer is judged by exact tests of all pairs.
#include "test_support.h"

#include "exact_bounds.h"
#include "tetrafy/surface/sweep.h"
#include "test_bodies.h"
#include "test_surfaces.h"
#include "tetrafy/pipeline/tetrafy.h"
#include "tetrafy/geometry/tri_tri.h"

#include <math.h>
#include <stdlib.h>

#define KIND_COUNT 4

// A ball whose points are pulled out or pushed in at random, all of them.
static gelMesh MakeBurr( uint64_t seed )
{
	gelRandom random = { seed };
	gelMesh mesh = gelMakeTestSphere( 0.6, 5 );
	float* factors = malloc( mesh.weldCount * sizeof( float ) );
	for ( uint32_t i = 0; i < mesh.weldCount; ++i )
		factors[i] = (float)gelRandom_Uniform( &random, 0.3, 2.2 );
	for ( uint32_t i = 0; i < 3 * mesh.vertexCount; ++i )
		mesh.positions[i] *= factors[mesh.vertToWeld[i / 3]];
	free( factors );
	gelFinishMesh( &mesh );
	return mesh;
}

// Triangles anywhere; the second corner is near the first one.
static gelMesh MakeSoup( uint64_t seed, uint32_t count, double width )
{
	gelRandom random = { seed };
	gelMesh mesh = { .vertexCount = 3 * count, .triangleCount = count };
	mesh.positions = malloc( 9 * (size_t)count * sizeof( float ) );
	mesh.indices = malloc( 3 * (size_t)count * sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		mesh.indices[i] = i;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			double size = i % 3 == 1 ? width : 1.0, from = i % 3 == 1 ? mesh.positions[3 * i + k - 3] : 0.0;
			mesh.positions[3 * i + k] = (float)( from + gelRandom_Uniform( &random, -size, size ) );
		}
	}
	gelFinishMesh( &mesh );
	return mesh;
}

// A ball with spikes, a ball that is nothing else, needles, and large triangles through each other.
static gelMesh MakeSpiky( int kind, uint64_t seed )
{
	if ( kind == 0 ) return gelMakeTestUrchin( seed, 9 );
	if ( kind == 1 ) return MakeBurr( seed );
	return kind == 2 ? MakeSoup( seed, 60, 1e-3 ) : MakeSoup( seed, 12, 1.0 );
}

typedef struct Stage
{
	gelMesh mesh;
	gelSurface surface;
	gelSurfaceTree tree;
} Stage;

static Stage MakeStage( int kind, uint64_t seed )
{
	Stage stage = { .mesh = MakeSpiky( kind, seed ) };
	stage.surface = gelMakeSurface( &stage.mesh );
	return stage;
}

static void FreeStage( Stage* stage )
{
	gelFreeSurfaceTree( &stage->tree );
	gelFreeSurface( &stage->surface );
	gelFreeMesh( &stage->mesh );
}

static gelVec3d RandomPoint( gelRandom* random, double size )
{
	double x = gelRandom_Uniform( random, -size, size ), y = gelRandom_Uniform( random, -size, size );
	return ( gelVec3d ){ x, y, gelRandom_Uniform( random, -size, size ) };
}

// All pairs, exactly.
static bool Meets( const gelSurface* surface, gelVec3d x, gelVec3d p, gelVec3d q )
{
	gelVec3d face[3] = { x, p, q };
	for ( uint32_t i = 0; i < surface->triCount; ++i )
	{
		gelVec3d c[3];
		for ( int k = 0; k < 3; ++k )
			c[k] = surface->points[surface->tris[3 * (size_t)i + k]];
		if ( gelTriangleMeetsTriangle( c, face ) ) return true;
	}
	return false;
}

// The same for a face that is a little larger, which finds contacts at its border and at ends of edges.
static bool NearlyMeets( const gelSurface* surface, gelVec3d x, gelVec3d p, gelVec3d q )
{
	gelVec3d center = gelScaleD( 1.0 / 3.0, gelAddD( x, gelAddD( p, q ) ) );
	gelVec3d corners[3] = { x, p, q };
	for ( int k = 0; k < 3; ++k )
		corners[k] = gelMulAddD( corners[k], 1e-6, gelSubD( corners[k], center ) );
	return Meets( surface, corners[0], corners[1], corners[2] );
}

static gelVec3d Between( gelVec3d a, gelVec3d b, double t )
{
	return gelMulAddD( a, t, gelSubD( b, a ) );
}

typedef struct Tally
{
	int contacts, free;
} Tally;

static void TryMove( const Stage* stage, gelRandom* random, Tally* tally )
{
	const gelSurface* surface = &stage->surface;
	double size = gelRandom_Uniform( random, 0.05, 0.8 );
	gelVec3d x0 = RandomPoint( random, 1.1 );
	gelVec3d p = gelAddD( x0, RandomPoint( random, size ) ), q = gelAddD( x0, RandomPoint( random, size ) );
	if ( Meets( surface, x0, p, q ) ) return; // not a face of a cage
	gelVec3d x1 = gelAddD( x0, RandomPoint( random, 1.0 ) );
	gelBox3d region = gelBox3d_Empty();
	gelVec3d corners[4] = { x0, x1, p, q };
	for ( int k = 0; k < 4; ++k )
		gelBox3d_AddPoint( &region, corners[k] );
	gelTreeCut whole = { .count = 1 }, cut = gelSurfaceTree_Cut( &stage->tree, &region );
	gelContact contact = { .time = 1.0 }, again = { .time = 1.0 };
	gelSweepFace( &stage->tree, &whole, x0, x1, p, q, &contact );
	gelSweepFace( &stage->tree, &cut, x0, x1, p, q, &again );
	assert_true( contact.time == again.time );

	double t = contact.time;
	assert_true( t >= 0.0 && t <= 1.0 );
	for ( int i = 1; i <= 24; ++i )
		assert_false( Meets( surface, Between( x0, x1, t * ( i < 24 ? i / 24.0 : 1.0 - 1e-6 ) ), p, q ) );
	tally->free += t == 1.0;
	if ( t == 1.0 ) return;
	tally->contacts += 1;
	assert_true( NearlyMeets( surface, Between( x0, x1, t - 1e-7 ), p, q ) ||
		NearlyMeets( surface, Between( x0, x1, t + 1e-7 ), p, q ) );
}

// Until the contact nothing touches, at the contact something does; and it does not matter where in the tree
// the search starts.
static void StopsAtTheFirstContact( void** state )
{
	(void)state;
	for ( int kind = 0; kind < KIND_COUNT; ++kind )
	{
		Tally tally = { 0 };
		for ( uint64_t seed = 1; seed <= 3; ++seed )
		{
			Stage stage = MakeStage( kind, 7 * seed + (uint64_t)kind );
			stage.tree = gelMakeSurfaceTree( &stage.surface );
			gelRandom random = { 1000 * seed + 1 };
			for ( int i = 0; i < 250; ++i )
				TryMove( &stage, &random, &tally );
			FreeStage( &stage );
		}
		assert_true( tally.contacts > 50 && tally.free > 50 );
	}
}

// A cut holds all triangles of its region, each once.
static void CutsHoldTheirRegion( void** state )
{
	(void)state;
	Stage stage = MakeStage( 1, 5 );
	stage.tree = gelMakeSurfaceTree( &stage.surface );
	const gelSurfaceTree* tree = &stage.tree;
	uint8_t* held = calloc( tree->nodeCount, 1 );
	gelRandom random = { 3 };
	for ( int round = 0; round < 200; ++round )
	{
		gelVec3d at = RandomPoint( &random, 1.5 ), size = { 0.2, 0.01 * round, 0.1 };
		gelBox3d region = { gelSubD( at, size ), gelAddD( at, size ) };
		gelTreeCut cut = gelSurfaceTree_Cut( tree, &region );
		assert_true( cut.count <= GEL_CUT_ROOTS );
		for ( uint32_t i = 0; i < tree->nodeCount; ++i )
			held[i] = 0;
		for ( uint32_t r = 0; r < cut.count; ++r )
			for ( uint32_t i = cut.roots[r]; i < tree->nodes[cut.roots[r]].skip; ++i )
				held[i] += 1;
		for ( uint32_t i = 0; i < tree->nodeCount; ++i )
		{
			assert_true( held[i] <= 1 );
			bool near = tree->nodes[i].count > 0 && gelBox3d_Overlaps( &region, &tree->nodes[i].box );
			assert_true( held[i] == 1 || !near );
		}
	}
	free( held );
	FreeStage( &stage );
}

// Whole cages around spikes: the motion of every node stops in time, whatever the shape.
static void SpikyArtIsBounded( void** state )
{
	(void)state;
	for ( uint64_t seed = 1; seed <= 12; ++seed )
	{
		gelMesh mesh = MakeSpiky( (int)( seed % KIND_COUNT ), seed );
		gelTetrafySettings settings = gelDefaultTetrafySettings();
		settings.targetTets = seed % 3 == 0 ? 900 : 250;
		settings.fitPasses = seed % 2 ? 4 : 12;
		settings.relaxPasses = seed % 5 == 0 ? 3 : 0;
		gelProgram program;
		gelInitTestProgram( &program );
		gelCage cage;
		assert_true( gelTetrafy( &mesh, &settings, &program, &cage, NULL ) );
		gelExactBounds bounds = gelCheckBounds( &mesh, &cage );
		assert_int_equal( bounds.flatTets, 0 );
		assert_int_equal( bounds.crowdedFaces, 0 );
		assert_int_equal( bounds.touchedFaces, 0 );
		assert_int_equal( bounds.outsideVertices, 0 );
		assert_int_equal( bounds.doubledVertices, 0 );
		gelFreeTestProgram( &program );
		gelFreeCage( &cage );
		gelFreeMesh( &mesh );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( StopsAtTheFirstContact ),
		cmocka_unit_test( CutsHoldTheirRegion ),
		cmocka_unit_test( SpikyArtIsBounded ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
