// SPDX-License-Identifier: MIT
// Welds, normals and topology counts of meshes, against laws and against slow twins.
#include "test_support.h"

#include "common/mesh/mesh.h"
#include "common/mesh/triangulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelMesh MakeMesh(
	const float* positions, uint32_t vertexCount, const uint32_t* indices, uint32_t triangleCount )
{
	gelMesh mesh = { .vertexCount = vertexCount, .triangleCount = triangleCount };
	mesh.positions = malloc( 3 * vertexCount * sizeof( float ) );
	mesh.indices = malloc( 3 * triangleCount * sizeof( uint32_t ) );
	memcpy( mesh.positions, positions, 3 * vertexCount * sizeof( float ) );
	memcpy( mesh.indices, indices, 3 * triangleCount * sizeof( uint32_t ) );
	assert_true( gelMesh_Weld( &mesh ) );
	gelMesh_ComputeBounds( &mesh );
	return mesh;
}

// A torus of n by m quads in two triangles each, with every corner a vertex of its own if split.
static gelMesh MakeTorus( uint32_t n, uint32_t m, bool split )
{
	uint32_t triangles = 2 * n * m;
	float* ring = malloc( 3 * n * m * sizeof( float ) );
	uint32_t* indices = malloc( 3 * triangles * sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < n * m; ++i )
	{
		double u = 6.283185307179586 * ( i / m ) / n, v = 6.283185307179586 * ( i % m ) / m;
		ring[3 * i] = (float)( ( 3.0 + cos( v ) ) * cos( u ) );
		ring[3 * i + 1] = (float)( ( 3.0 + cos( v ) ) * sin( u ) );
		ring[3 * i + 2] = (float)sin( v );
	}
	uint32_t* out = indices;
	for ( uint32_t i = 0; i < n; ++i )
		for ( uint32_t j = 0; j < m; ++j )
		{
			uint32_t a = i * m + j, b = ( i + 1 ) % n * m + j, c = ( i + 1 ) % n * m + ( j + 1 ) % m,
					 d = i * m + ( j + 1 ) % m;
			const uint32_t quad[6] = { a, b, c, a, c, d };
			memcpy( out, quad, sizeof quad );
			out += 6;
		}
	gelMesh mesh;
	if ( split )
	{
		float* corners = malloc( 9 * triangles * sizeof( float ) );
		uint32_t* running = malloc( 3 * triangles * sizeof( uint32_t ) );
		for ( uint32_t i = 0; i < 3 * triangles; ++i )
		{
			memcpy( corners + 3 * i, ring + 3 * indices[i], 3 * sizeof( float ) );
			running[i] = i;
		}
		mesh = MakeMesh( corners, 3 * triangles, running, triangles );
		free( corners );
		free( running );
	}
	else
		mesh = MakeMesh( ring, n * m, indices, triangles );
	free( ring );
	free( indices );
	return mesh;
}

static void WeldsAreNumberedByFirstUse( void** state )
{
	(void)state;
	static const float positions[] = { 1, 0, 0, 0.0f, 0, 0, 1, 0, 0, -0.0f, -0.0f, 0.0f, 2, 0, 0 };
	static const uint32_t indices[] = { 0, 1, 4 }, welds[] = { 0, 1, 0, 1, 2 };
	gelMesh mesh = MakeMesh( positions, 5, indices, 1 );
	assert_int_equal( mesh.weldCount, 3 );
	assert_memory_equal( mesh.vertToWeld, welds, sizeof welds );
	gelFreeMesh( &mesh );
}

// Law: splitting vertices changes nothing that is counted by weld.
static void SplitsDoNotChangeTheTopology( void** state )
{
	(void)state;
	gelMesh joined = MakeTorus( 40, 24, false ), split = MakeTorus( 40, 24, true );
	assert_int_equal( split.vertexCount, 3 * split.triangleCount );
	assert_int_equal( split.weldCount, joined.weldCount );
	gelMeshTopology a = gelMesh_Analyse( &joined ), b = gelMesh_Analyse( &split );
	assert_true( a.closed && b.closed );
	assert_int_equal( a.euler, 0 );
	assert_int_equal( b.euler, 0 );
	assert_int_equal( b.componentCount, 1 );
	assert_int_equal( a.edgeCount, 3 * 960 );
	assert_true( a.area == b.area && a.signedVolume == b.signedVolume );
	// 2 pi^2 R r^2; the polygon lies inside, so a little less
	assert_in_range( (int)( 1000.0 * a.signedVolume / 59.2176 ), 970, 1000 );
	gelFreeMesh( &joined );
	gelFreeMesh( &split );
}

static void NormalsPointOutwardsAndAreUnit( void** state )
{
	(void)state;
	gelMesh joined = MakeTorus( 40, 24, false ), split = MakeTorus( 40, 24, true );
	assert_true( gelMesh_ComputeNormals( &joined ) && gelMesh_ComputeNormals( &split ) );
	for ( uint32_t i = 0; i < joined.vertexCount; ++i )
	{
		const float* p = joined.positions + 3 * i;
		const float* n = joined.normals + 3 * i;
		double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
		double ring = sqrt( p[0] * p[0] + p[1] * p[1] );
		double outward =
			( p[0] - 3.0 * p[0] / ring ) * n[0] + ( p[1] - 3.0 * p[1] / ring ) * n[1] + p[2] * n[2];
		assert_true( fabs( length - 1.0 ) < 1e-6 );
		assert_true( outward > 0.99 );
	}
	// the seam law: the copies of a vertex have the normal that it has without splits
	for ( uint32_t i = 0; i < split.vertexCount; ++i )
	{
		uint32_t twin = joined.indices[i]; // corner i is vertex i of the split mesh
		for ( int d = 0; d < 3; ++d )
			assert_true( split.normals[3 * i + d] == joined.normals[3 * twin + d] );
	}
	gelFreeMesh( &joined );
	gelFreeMesh( &split );
}

// Angle weights make a cube's corner normal the diagonal, however its faces are cut.
static void CubeCornersPointAlongTheDiagonal( void** state )
{
	(void)state;
	static const float positions[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1,
		1 };
	static const uint32_t indices[] = { 0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6,
		5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7 };
	gelMesh mesh = MakeMesh( positions, 8, indices, 12 );
	assert_true( gelMesh_ComputeNormals( &mesh ) );
	for ( int i = 0; i < 24; ++i )
		assert_true( fabs( mesh.normals[i] - ( positions[i] > 0.5f ? 1.0 : -1.0 ) / sqrt( 3.0 ) ) < 1e-6 );
	gelFreeMesh( &mesh );
}

static void FaultsAreCounted( void** state )
{
	(void)state;
	static const float positions[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 9, 9, 9, 8, 9, 9, 9, 8,
		9 };
	static const struct
	{
		const char* name;
		uint32_t indices[18], triangles;
		gelMeshTopology expected;
	} cases[] = {
		{ "tetrahedron", { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 }, 4,
			{ .edgeCount = 6, .componentCount = 1, .euler = 2, .closed = true } },
		{ "one face missing", { 0, 2, 1, 0, 1, 3, 1, 2, 3 }, 3,
			{ .edgeCount = 6, .openEdges = 3, .componentCount = 1, .euler = 1 } },
		{ "one face flipped", { 0, 1, 2, 0, 1, 3, 1, 2, 3, 0, 3, 2 }, 4,
			{ .edgeCount = 6, .flippedEdges = 3, .componentCount = 1, .euler = 2 } },
		{ "a fin", { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2, 0, 1, 5 }, 5,
			{ .edgeCount = 8, .openEdges = 2, .nonManifoldEdges = 1, .componentCount = 1, .euler = 2 } },
		{ "a doubled face", { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2, 2, 0, 1 }, 5,
			{ .edgeCount = 6,
				.nonManifoldEdges = 3,
				.duplicateTriangles = 1,
				.componentCount = 1,
				.euler = 3 } },
		{ "repeated corner", { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2, 5, 5, 6 }, 5,
			{ .edgeCount = 6, .degenerateTriangles = 1, .componentCount = 2, .euler = 4, .closed = true } },
		{ "no area", { 0, 1, 4 }, 1,
			{ .edgeCount = 3, .openEdges = 3, .degenerateTriangles = 1, .componentCount = 1, .euler = 1 } },
		{ "two parts", { 0, 2, 1, 5, 6, 7 }, 2,
			{ .edgeCount = 6, .openEdges = 6, .componentCount = 2, .euler = 2 } },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		gelMesh mesh = MakeMesh( positions, 8, cases[i].indices, cases[i].triangles );
		gelMeshTopology t = gelMesh_Analyse( &mesh ), e = cases[i].expected;
		if ( t.edgeCount != e.edgeCount || t.openEdges != e.openEdges ||
			t.nonManifoldEdges != e.nonManifoldEdges || t.flippedEdges != e.flippedEdges ||
			t.degenerateTriangles != e.degenerateTriangles || t.duplicateTriangles != e.duplicateTriangles ||
			t.componentCount != e.componentCount || t.euler != e.euler || t.closed != e.closed )
			fail_msg( "%s: edges %u open %u nonmanifold %u flipped %u degenerate %u duplicate %u parts %u "
					  "euler %lld",
				cases[i].name, t.edgeCount, t.openEdges, t.nonManifoldEdges, t.flippedEdges,
				t.degenerateTriangles, t.duplicateTriangles, t.componentCount, (long long)t.euler );
		gelFreeMesh( &mesh );
	}
}

// The volume does not suffer from a far offset beyond the rounding of the positions.
static void VolumeIsTakenNearTheBody( void** state )
{
	(void)state;
	gelMesh mesh = MakeTorus( 12, 12, false );
	for ( uint32_t i = 0; i < 3 * mesh.vertexCount; ++i )
		mesh.positions[i] = roundf( mesh.positions[i] * 64.0f ) / 64.0f;
	gelMesh_ComputeBounds( &mesh );
	double volume = gelMesh_Analyse( &mesh ).signedVolume;
	for ( uint32_t i = 0; i < 3 * mesh.vertexCount; ++i )
		mesh.positions[i] += 65536.0f; // exact: 1/64 is still a step of floats there
	gelMesh_ComputeBounds( &mesh );
	assert_true( gelMesh_Analyse( &mesh ).signedVolume == volume );
	gelFreeMesh( &mesh );
}

// Law: the triangles of a polygon that winds once around a point, seen from any side, cover its area exactly
// once.
static void StarsAreCutExactly( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	gelTriangulator triangulator = { 0 };
	for ( int round = 0; round < 400; ++round )
	{
		uint32_t count = 4 + (uint32_t)( gelRandom_Next( &random ) % 60 );
		float points[64][3];
		const float* pointers[64];
		int axis = round % 3;
		double area = 0.0, cut = 0.0, flat[64][2];
		for ( uint32_t i = 0; i < count; ++i )
		{
			double angle = 6.283185307179586 * i / count, radius = gelRandom_Uniform( &random, 0.1, 1.0 );
			points[i][axis] = (float)gelRandom_Uniform( &random, -0.01, 0.01 );
			points[i][( axis + 1 ) % 3] = (float)( radius * cos( angle ) );
			points[i][( axis + 2 ) % 3] = (float)( radius * sin( angle ) );
			flat[i][0] = points[i][( axis + 1 ) % 3];
			flat[i][1] = points[i][( axis + 2 ) % 3];
			pointers[i] = points[i];
		}
		uint32_t corners[3 * 64];
		assert_int_equal( gelTriangulate( &triangulator, pointers, count, corners ), gel_triangulationDone );
		for ( uint32_t i = 0; i < count; ++i )
			area +=
				0.5 * ( flat[i][0] * flat[( i + 1 ) % count][1] - flat[i][1] * flat[( i + 1 ) % count][0] );
		for ( uint32_t t = 0; t < count - 2; ++t )
		{
			const double *a = flat[corners[3 * t]], *b = flat[corners[3 * t + 1]],
						 *c = flat[corners[3 * t + 2]];
			double part = 0.5 * ( ( b[0] - a[0] ) * ( c[1] - a[1] ) - ( b[1] - a[1] ) * ( c[0] - a[0] ) );
			assert_true( part > 0.0 );
			cut += part;
		}
		assert_true( fabs( cut - area ) < 1e-9 );
	}
	gelFreeTriangulator( &triangulator );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( WeldsAreNumberedByFirstUse ),
		cmocka_unit_test( SplitsDoNotChangeTheTopology ),
		cmocka_unit_test( NormalsPointOutwardsAndAreUnit ),
		cmocka_unit_test( CubeCornersPointAlongTheDiagonal ),
		cmocka_unit_test( FaultsAreCounted ),
		cmocka_unit_test( VolumeIsTakenNearTheBody ),
		cmocka_unit_test( StarsAreCutExactly ),
	};
	return cmocka_run_group_tests_name( "mesh", tests, NULL, NULL );
}
