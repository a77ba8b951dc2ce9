// SPDX-License-Identifier: MIT
// Embedding: positions are reproduced, weights keep their rules, copies of a vertex stay together, ties go to
// the lowest tet, and a slow search over all tets finds the same.
#include "test_support.h"

#include "bake/body/body_passes.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture
{
	gelProgram program;
	gelBakePool pool;
	gelBakeCage cage;
	gelBakeEmbedding embedding;
} Fixture;

static bool Embed( Fixture* f, const gelMesh* mesh, const gelCage* cage, int threads )
{
	memset( f, 0, sizeof( *f ) );
	gelInitTestProgram( &f->program );
	assert_true( gelCheckCage( cage, NULL, &f->pool, &f->program.findings, &f->cage ) );
	return gelEmbedVertices( mesh, NULL, &f->cage, threads, &f->pool, &f->program.findings, &f->embedding );
}

static void Teardown( Fixture* f )
{
	gelFreeBakePool( &f->pool );
	gelFreeTestProgram( &f->program );
}

static gelMesh MakePoints( uint32_t count )
{
	gelMesh mesh = { 0 };
	mesh.vertexCount = count;
	mesh.positions = calloc( 3 * (size_t)count, sizeof( float ) );
	mesh.vertToSource = calloc( count, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < count; ++i )
		mesh.vertToSource[i] = i;
	return mesh;
}

// Random points in the box [0, s]^3, some of them on grid planes, grid lines and grid points.
static gelMesh MakeBoxPoints( uint32_t count, const double size[3], int cells, gelRandom* random )
{
	gelMesh mesh = MakePoints( count );
	for ( size_t i = 0; i < 3 * (size_t)count; ++i )
	{
		double u = gelRandom_Uniform( random, 0.0, 1.0 );
		bool onPlane = gelRandom_Uniform( random, 0.0, 1.0 ) < 0.3;
		u = onPlane ? floor( u * ( cells + 1 ) ) / cells : u;
		mesh.positions[i] = (float)( size[i % 3] * u );
	}
	gelMesh_Weld( &mesh );
	return mesh;
}

static void CheckWeights( const Fixture* f, const gelMesh* mesh, double tolerance )
{
	for ( uint32_t v = 0; v < mesh->vertexCount; ++v )
	{
		const float* w = f->embedding.weights + 4 * (size_t)v;
		float sum = ( ( w[0] + w[1] ) + w[2] ) + w[3];
		assert_true( f->embedding.tets[v] < f->cage.tetCount );
		assert_true( fabsf( sum - 1.0f ) <= 0x1p-22f );
		double p[3] = { 0.0, 0.0, 0.0 };
		for ( int k = 0; k < 4; ++k )
		{
			const gelPackNode* n = f->cage.nodes + f->cage.tets[f->embedding.tets[v]].node[k];
			assert_true( w[k] >= 0.0f && w[k] <= 1.0f );
			p[0] += (double)w[k] * (double)n->x;
			p[1] += (double)w[k] * (double)n->y;
			p[2] += (double)w[k] * (double)n->z;
		}
		for ( int c = 0; c < 3; ++c )
			assert_true( fabs( p[c] - (double)mesh->positions[3 * (size_t)v + (size_t)c] ) <= tolerance );
	}
}

static void TestPositionsAreReproduced( void** state )
{
	(void)state;
	gelRandom random = { 11 };
	const double size[3] = { 3.0, 1.0, 0.7 };
	gelCage cage = gelMakeBoxCage( 6, 6, 6, size[0], size[1], size[2], gel_boxSplitFive );
	gelMesh mesh = MakeBoxPoints( 5000, size, 6, &random );
	Fixture f;
	assert_true( Embed( &f, &mesh, &cage, 1 ) );
	CheckWeights( &f, &mesh, 1e-6 * 3.0 );
	assert_true( f.embedding.maxError <= 1e-6 * 3.0 );
	Teardown( &f );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// Smallest weight of a point in a tet by four determinants, independent of the tree and of its gradients.
static double SmallestWeight( const gelBakeCage* cage, uint32_t tet, const float* point )
{
	double x[5][3], smallest = INFINITY, volume[5];
	for ( int k = 0; k < 4; ++k )
	{
		const gelPackNode* n = cage->nodes + cage->tets[tet].node[k];
		x[k][0] = (double)n->x, x[k][1] = (double)n->y, x[k][2] = (double)n->z;
	}
	x[4][0] = (double)point[0], x[4][1] = (double)point[1], x[4][2] = (double)point[2];
	for ( int k = 0; k < 5; ++k )
	{
		double e[3][3];
		for ( int j = 0; j < 3; ++j )
		{
			for ( int c = 0; c < 3; ++c )
				e[j][c] = x[j + 1 == k ? 4 : j + 1][c] - x[k == 0 ? 4 : 0][c];
		}
		volume[k] = e[0][0] * ( e[1][1] * e[2][2] - e[1][2] * e[2][1] ) -
			e[0][1] * ( e[1][0] * e[2][2] - e[1][2] * e[2][0] ) +
			e[0][2] * ( e[1][0] * e[2][1] - e[1][1] * e[2][0] );
	}
	for ( int k = 0; k < 4; ++k )
		smallest = fmin( smallest, volume[k] / volume[4] );
	return smallest;
}

static void TestSameTetAsSlowSearch( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	const double size[3] = { 1.0, 1.0, 1.0 };
	gelCage cage = gelMakeBoxCage( 4, 4, 4, 1.0, 1.0, 1.0, gel_boxSplitSix );
	gelMesh mesh = MakeBoxPoints( 2000, size, 4, &random );
	Fixture f;
	assert_true( Embed( &f, &mesh, &cage, 1 ) );
	for ( uint32_t v = 0; v < mesh.vertexCount; ++v )
	{
		uint32_t lowest = 0;
		while ( SmallestWeight( &f.cage, lowest, mesh.positions + 3 * (size_t)v ) < -1e-10 )
			lowest += 1;
		assert_int_equal( f.embedding.tets[v], lowest );
	}
	Teardown( &f );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

static void TestCopiesAreIdentical( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	const double size[3] = { 1.0, 1.0, 1.0 };
	gelCage cage = gelMakeBoxCage( 3, 3, 3, 1.0, 1.0, 1.0, gel_boxSplitFive );
	gelMesh base = MakeBoxPoints( 300, size, 3, &random );
	gelMesh mesh = MakePoints( 900 );
	for ( size_t i = 0; i < 900; ++i )
		memcpy( mesh.positions + 3 * i, base.positions + 3 * ( i * 7 % 300 ), 3 * sizeof( float ) );
	gelMesh_Weld( &mesh );
	Fixture f;
	assert_true( Embed( &f, &mesh, &cage, 2 ) );
	for ( size_t v = 300; v < 900; ++v )
	{
		assert_int_equal( f.embedding.tets[v], f.embedding.tets[v - 300] );
		assert_memory_equal(
			f.embedding.weights + 4 * v, f.embedding.weights + 4 * ( v - 300 ), 4 * sizeof( float ) );
	}
	Teardown( &f );
	gelFreeMesh( &base );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

static void TestThreadsDoNotMatter( void** state )
{
	(void)state;
	gelRandom random = { 17 };
	const double size[3] = { 1.0, 2.0, 1.0 };
	gelCage cage = gelMakeBoxCage( 5, 5, 5, 1.0, 2.0, 1.0, gel_boxSplitFive );
	gelMesh mesh = MakeBoxPoints( 20000, size, 5, &random );
	Fixture one, three;
	assert_true( Embed( &one, &mesh, &cage, 1 ) && Embed( &three, &mesh, &cage, 3 ) );
	assert_memory_equal( one.embedding.tets, three.embedding.tets, mesh.vertexCount * sizeof( uint32_t ) );
	assert_memory_equal(
		one.embedding.weights, three.embedding.weights, 4 * mesh.vertexCount * sizeof( float ) );
	Teardown( &one );
	Teardown( &three );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// A cage of one size 1e6 times smaller than the other: a balanced tree does not care.
static void TestUnevenCage( void** state )
{
	(void)state;
	const double offset[3] = { 0.01, 0.02, 0.03 };
	gelCage big = gelMakeTetCage( 1000.0 ),
			small = gelMakeBoxCage( 8, 8, 8, 1e-2, 1e-2, 1e-2, gel_boxSplitSix );
	gelCage cage = gelJoinCages( &small, &big, offset );
	gelMesh mesh = gelMeshFromCageBoundary( &small, 1e-3 );
	Fixture f;
	assert_true( Embed( &f, &mesh, &cage, 1 ) );
	CheckWeights( &f, &mesh, 1e-6 * 1000.0 );
	for ( uint32_t v = 0; v < mesh.vertexCount; ++v )
	{
		assert_true( f.embedding.tets[v] < small.tetCount ); // the small ones are the lower ones
	}
	Teardown( &f );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	gelFreeCage( &small );
	gelFreeCage( &big );
}

static void TestVertexOutsideIsAnError( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitFive );
	const float outside[][3] = { { 1.0001f, 0.5f, 0.5f }, { 0.5f, -1e-4f, 0.5f }, { 100.0f, 100.0f, 100.0f },
		{ 3e38f, 0.0f, 0.0f } };
	for ( size_t i = 0; i < sizeof( outside ) / sizeof( outside[0] ); ++i )
	{
		gelMesh mesh = MakePoints( 2 );
		memcpy( mesh.positions + 3, outside[i], sizeof( outside[i] ) );
		gelMesh_Weld( &mesh );
		Fixture f;
		assert_false( Embed( &f, &mesh, &cage, 1 ) );
		assert_int_equal( f.program.findings.exitCode, gel_exitInput );
		assert_int_equal( f.program.findings.items[0].number, 507 );
		Teardown( &f );
		gelFreeMesh( &mesh );
	}
	gelFreeCage( &cage );
}

// The art may lie on the boundary even where the cage was rounded: in thirds, none of them a float.
static void TestArtOnTheBoundaryIsInside( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 3, 3, 3, 1.0, 1.0, 1.0, gel_boxSplitSix );
	for ( size_t i = 0; i < 3 * (size_t)cage.nodeCount; ++i )
		cage.positions[i] = cage.positions[i] * 0.7 + 0.1;
	gelRandom random = { 23 };
	gelMesh mesh = MakePoints( 3000 );
	for ( size_t i = 0; i < mesh.vertexCount; ++i )
	{
		for ( size_t c = 0; c < 3; ++c )
		{
			double u = c == i % 3 ? (double)( i / 3 % 2 ) : gelRandom_Uniform( &random, 0.0, 1.0 );
			mesh.positions[3 * i + c] = (float)( u * 0.7 + 0.1 );
		}
	}
	gelMesh_Weld( &mesh );
	Fixture f;
	assert_true( Embed( &f, &mesh, &cage, 1 ) );
	CheckWeights( &f, &mesh, 1e-6 );
	Teardown( &f );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestPositionsAreReproduced ),
		cmocka_unit_test( TestSameTetAsSlowSearch ),
		cmocka_unit_test( TestCopiesAreIdentical ),
		cmocka_unit_test( TestThreadsDoNotMatter ),
		cmocka_unit_test( TestUnevenCage ),
		cmocka_unit_test( TestVertexOutsideIsAnError ),
		cmocka_unit_test( TestArtOnTheBoundaryIsInside ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
