// SPDX-License-Identifier: MIT
// Laws of the sample meshes: closed oriented 2-manifolds of one component and the expected genus, standing on
// the ground, of the wanted size, free of self-intersections, the same bytes each time.
#include "test_support.h"

#include "sample_math.h"
#include "samples.h"
#include "tetrafy/geometry/tri_tri.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#define SAMPLE_STEP 4
#define VERY_FINE   50000
#else
#define SAMPLE_STEP 1
#define VERY_FINE   100000
#endif

static int64_t ExpectedEuler( const char* name )
{
	bool ring = strcmp( name, "knot" ) == 0 || strcmp( name, "torus" ) == 0;
	return strcmp( name, "three-torus" ) == 0 ? -4 : ring ? 0 : 2;
}

// The triangles around each weld form one closed fan. Counts the welds where they do not.
static uint32_t CountBrokenFans( const gelMesh* mesh )
{
	uint32_t* first = calloc( (size_t)mesh->weldCount + 1, sizeof( uint32_t ) );
	uint32_t* corners = malloc( 3 * (size_t)mesh->triangleCount * sizeof( uint32_t ) );
	for ( uint32_t c = 0; c < 3 * mesh->triangleCount; ++c )
		first[mesh->vertToWeld[mesh->indices[c]] + 1] += 1;
	for ( uint32_t w = 0; w < mesh->weldCount; ++w )
		first[w + 1] += first[w];
	for ( uint32_t c = 3 * mesh->triangleCount; c-- > 0; )
	{
		uint32_t w = mesh->vertToWeld[mesh->indices[c]];
		corners[--first[w + 1]] = c;
	}
	// first[w + 1] is now the start of w's run; the run ends where the next one starts
	uint32_t broken = 0;
	for ( uint32_t w = 0; w < mesh->weldCount; ++w )
	{
		uint32_t begin = first[w + 1];
		uint32_t end = w + 1 < mesh->weldCount ? first[w + 2] : 3 * mesh->triangleCount;
		uint32_t at = begin, steps = 0;
		do
		{
			uint32_t c = corners[at];
			uint32_t leaving = mesh->vertToWeld[mesh->indices[c % 3 == 0 ? c + 2 : c - 1]];
			uint32_t next = begin;
			while ( next < end )
			{
				uint32_t d = corners[next];
				if ( mesh->vertToWeld[mesh->indices[d % 3 == 2 ? d - 2 : d + 1]] == leaving ) break;
				next += 1;
			}
			at = next;
			steps += 1;
		} while ( at != begin && at < end && steps <= end - begin );
		broken += steps != end - begin || at != begin;
	}
	free( first );
	free( corners );
	return broken;
}

// ---- self-intersections ------------------------------------------------------------------------

typedef struct Grid
{
	const gelMesh* mesh;
	double cell;
	int size[3];
	uint32_t* heads; // per cell, into links, GEL_NO_INDEX: end
	uint32_t* links; // pairs: triangle, next
	size_t linkCount, linkCapacity;
} Grid;

static void TriangleBox( const gelMesh* mesh, uint32_t t, double low[3], double high[3] )
{
	for ( int d = 0; d < 3; ++d )
	{
		low[d] = 1e30;
		high[d] = -1e30;
		for ( int i = 0; i < 3; ++i )
		{
			double x = mesh->positions[3 * (size_t)mesh->indices[3 * (size_t)t + (size_t)i] + (size_t)d];
			low[d] = fmin( low[d], x );
			high[d] = fmax( high[d], x );
		}
	}
}

static bool ShareWeld( const gelMesh* mesh, uint32_t s, uint32_t t )
{
	for ( size_t i = 0; i < 9; ++i )
	{
		uint32_t a = mesh->vertToWeld[mesh->indices[3 * (size_t)s + i / 3]];
		uint32_t b = mesh->vertToWeld[mesh->indices[3 * (size_t)t + i % 3]];
		if ( a == b ) return true;
	}
	return false;
}

static bool Meet( const gelMesh* mesh, uint32_t s, uint32_t t )
{
	double lowS[3], highS[3], lowT[3], highT[3];
	TriangleBox( mesh, s, lowS, highS );
	TriangleBox( mesh, t, lowT, highT );
	for ( int d = 0; d < 3; ++d )
	{
		if ( lowS[d] > highT[d] || lowT[d] > highS[d] ) return false;
	}
	if ( ShareWeld( mesh, s, t ) ) return false;
	gelVec3d a[3], b[3];
	for ( size_t i = 0; i < 3; ++i )
	{
		const float* p = mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)s + i];
		const float* q = mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)t + i];
		a[i] = ( gelVec3d ){ p[0], p[1], p[2] };
		b[i] = ( gelVec3d ){ q[0], q[1], q[2] };
	}
	return gelTriangleMeetsTriangle( a, b );
}

// Enters a triangle into the cells of its box and counts triangles met there that came before. A pair that
// shares several cells is counted in each of them: zero is what matters.
static uint32_t EnterTriangle( Grid* grid, uint32_t t )
{
	double low[3], high[3];
	TriangleBox( grid->mesh, t, low, high );
	int from[3], to[3];
	for ( int d = 0; d < 3; ++d )
	{
		from[d] = (int)( ( low[d] - grid->mesh->boundsMin[d] ) / grid->cell );
		to[d] = (int)( ( high[d] - grid->mesh->boundsMin[d] ) / grid->cell );
	}
	uint32_t met = 0;
	for ( int z = from[2]; z <= to[2]; ++z )
	{
		for ( int y = from[1]; y <= to[1]; ++y )
		{
			for ( int x = from[0]; x <= to[0]; ++x )
			{
				uint32_t* head = grid->heads +
					( (size_t)z * (size_t)grid->size[1] + (size_t)y ) * (size_t)grid->size[0] + x;
				for ( uint32_t l = *head; l != GEL_NO_INDEX; l = grid->links[2 * (size_t)l + 1] )
					met += Meet( grid->mesh, t, grid->links[2 * (size_t)l] );
				if ( grid->linkCount == grid->linkCapacity )
				{
					grid->linkCapacity = 2 * grid->linkCapacity + 1024;
					grid->links = realloc( grid->links, 2 * grid->linkCapacity * sizeof( uint32_t ) );
				}
				grid->links[2 * grid->linkCount] = t;
				grid->links[2 * grid->linkCount + 1] = *head;
				*head = (uint32_t)grid->linkCount++;
			}
		}
	}
	return met;
}

static uint32_t CountSelfIntersections( const gelMesh* mesh, double area )
{
	Grid grid = { .mesh = mesh, .cell = 2.0 * sqrt( area / mesh->triangleCount ) };
	size_t cellCount = 1;
	for ( int d = 0; d < 3; ++d )
	{
		grid.size[d] = (int)( ( mesh->boundsMax[d] - mesh->boundsMin[d] ) / grid.cell ) + 1;
		cellCount *= (size_t)grid.size[d];
	}
	grid.heads = malloc( cellCount * sizeof( uint32_t ) );
	memset( grid.heads, 0xFF, cellCount * sizeof( uint32_t ) );
	uint32_t met = 0;
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
		met += EnterTriangle( &grid, t );
	free( grid.heads );
	free( grid.links );
	return met;
}

// ---- tests -------------------------------------------------------------------------------------

static void CheckGroups( const gelMesh* mesh )
{
	uint32_t next = 0;
	for ( uint32_t g = 0; g < mesh->groupCount; ++g )
	{
		assert_int_equal( mesh->groups[g].firstTriangle, next );
		assert_true( mesh->groups[g].triangleCount > 0 );
		next += mesh->groups[g].triangleCount;
	}
	assert_int_equal( next, mesh->triangleCount );
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
		assert_true( mesh->triMaterial[t] < mesh->materialCount );
}

// Unit normals that look where the triangles do, UVs without jumps inside a triangle
static void CheckAttributes( const gelMesh* mesh )
{
	for ( size_t v = 0; v < mesh->vertexCount; ++v )
	{
		const float* n = mesh->normals + 3 * v;
		double length = sqrt( (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2] );
		assert_true( fabs( length - 1.0 ) < 1e-5 );
		assert_true( mesh->uvs[2 * v] >= 0.0f && mesh->uvs[2 * v] < 2.0f );
		assert_true( mesh->uvs[2 * v + 1] >= 0.0f && mesh->uvs[2 * v + 1] <= 1.0f );
	}
	assert_true( mesh->vertexCount > mesh->weldCount ); // the seam
	uint32_t wide = 0;
	for ( size_t t = 0; t < mesh->triangleCount; ++t )
	{
		const uint32_t* i = mesh->indices + 3 * t;
		float low = fminf( mesh->uvs[2 * i[0]], fminf( mesh->uvs[2 * i[1]], mesh->uvs[2 * i[2]] ) );
		float high = fmaxf( mesh->uvs[2 * i[0]], fmaxf( mesh->uvs[2 * i[1]], mesh->uvs[2 * i[2]] ) );
		wide += high - low > 0.5f;
	}
	assert_true( wide <= 16 ); // only where the axis of the mapping comes out
}

static void CheckSample( const char* name, uint32_t triangles )
{
	gelMesh mesh;
	assert_true( gelMakeSample( name, triangles, 0, &mesh ) );
	gelMeshTopology topology = gelMesh_Analyse( &mesh );
	uint32_t fans = CountBrokenFans( &mesh );
	uint32_t met = CountSelfIntersections( &mesh, topology.area );
	if ( !topology.closed || fans + met != 0 || topology.euler != ExpectedEuler( name ) )
	{
		print_message( "%s %u: closed %d, euler %ld, broken fans %u, self-intersections %u\n", name,
			triangles, topology.closed, (long)topology.euler, fans, met );
	}
	assert_true( topology.closed );
	assert_int_equal( topology.degenerateTriangles, 0 );
	assert_int_equal( topology.duplicateTriangles, 0 );
	assert_int_equal( topology.componentCount, 1 );
	assert_int_equal( topology.euler, ExpectedEuler( name ) );
	assert_int_equal( fans, 0 );
	assert_int_equal( met, 0 );
	assert_true( topology.signedVolume > 0.001 );
	assert_true( fabs( (double)mesh.triangleCount / triangles - 1.0 ) <= 0.05 );
	assert_true( mesh.boundsMin[1] == 0.0f );
	for ( int d = 0; d < 3; ++d )
	{
		double size = mesh.boundsMax[d] - mesh.boundsMin[d];
		assert_true( size > 0.1 && size < 1.3 );
	}
	CheckGroups( &mesh );
	CheckAttributes( &mesh );
	gelFreeMesh( &mesh );
}

// Every step-th sample from first on; fewer where the sanitizers make everything slow. Together the tests
// below see each sample at two counts or more.
static void CheckSome( uint32_t triangles, int first, int step )
{
	int count;
	const char* const* names = gelSampleNames( &count );
	for ( int i = first; i < count; i += step * SAMPLE_STEP )
		CheckSample( names[i], triangles );
}

static void TestCoarse( void** state )
{
	(void)state;
	CheckSome( 1000, 0, 1 );
}

static void TestMiddle( void** state )
{
	(void)state;
	CheckSome( 5000, 0, 2 );
}

static void TestFine( void** state )
{
	(void)state;
	CheckSome( 20000, 1, 2 );
}

static void TestVeryFine( void** state )
{
	(void)state;
	CheckSample( "bowl", VERY_FINE );
}

static void TestOddCount( void** state )
{
	(void)state;
	CheckSample( "star", 3333 );
}

// Same arguments, same bytes; another seed, other bytes.
static void TestSameBytes( void** state )
{
	(void)state;
	gelMesh a, b, c;
	assert_true( gelMakeSample( "bear", 10000, 7, &a ) );
	assert_true( gelMakeSample( "bear", 10000, 7, &b ) );
	assert_true( gelMakeSample( "bear", 10000, 8, &c ) );
	assert_int_equal( a.vertexCount, b.vertexCount );
	assert_memory_equal( a.positions, b.positions, 12 * (size_t)a.vertexCount );
	assert_memory_equal( a.normals, b.normals, 12 * (size_t)a.vertexCount );
	assert_memory_equal( a.uvs, b.uvs, 8 * (size_t)a.vertexCount );
	assert_memory_equal( a.indices, b.indices, 12 * (size_t)a.triangleCount );
	assert_memory_equal( a.triMaterial, b.triMaterial, 4 * (size_t)a.triangleCount );
	bool differ =
		a.vertexCount != c.vertexCount || memcmp( a.positions, c.positions, 12 * (size_t)a.vertexCount ) != 0;
	assert_true( differ );
	gelFreeMesh( &a );
	gelFreeMesh( &b );
	gelFreeMesh( &c );
}

static void TestUnknownName( void** state )
{
	(void)state;
	gelMesh mesh;
	assert_false( gelMakeSample( "unicorn", 1000, 0, &mesh ) );
	assert_null( mesh.positions );
	assert_null( gelSampleSummary( "unicorn" ) );
}

// The functions that stand in for libm, against libm.
static void TestMath( void** state )
{
	(void)state;
	gelRandom random = { 1 };
	for ( int i = 0; i < 10000; ++i )
	{
		double x = gelRandom_Uniform( &random, -100.0, 100.0 ),
			   y = gelRandom_Uniform( &random, -100.0, 100.0 );
		assert_true( fabs( gelSampleSin( x ) - sin( x ) ) < 1e-13 );
		assert_true( fabs( gelSampleCos( x ) - cos( x ) ) < 1e-13 );
		assert_true( fabs( gelSampleAtan2( y, x ) - atan2( y, x ) ) < 1e-10 );
		double noise = gelSampleNoise( gelMakeVec3d( x, y, x * y ), 3 ),
			   knobs = gelSampleKnobs( gelMakeVec3d( x, y, x * y ), 3 );
		assert_true( noise >= -1.1 && noise <= 1.1 );
		assert_true( knobs >= 0.0 && knobs <= 1.0 );
	}
	assert_true( gelSampleAtan2( 0.0, 0.0 ) == 0.0 );
	assert_true( fabs( gelSampleAtan2( 0.0, -1.0 ) - GEL_SAMPLE_PI ) < 1e-10 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestMath ),
		cmocka_unit_test( TestUnknownName ),
		cmocka_unit_test( TestCoarse ),
		cmocka_unit_test( TestMiddle ),
		cmocka_unit_test( TestFine ),
		cmocka_unit_test( TestVeryFine ),
		cmocka_unit_test( TestOddCount ),
		cmocka_unit_test( TestSameBytes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
