// SPDX-License-Identifier: MIT
// Rays and triangles: what is hit, and that nothing gets through between two triangles.
#include "test_support.h"

#include "query/ray_triangle.h"
#include "test_surfaces.h"

#include <stdlib.h>

static float Uniform( gelRandom* random, double low, double high )
{
	return (float)gelRandom_Uniform( random, low, high );
}

static gelVec3 RandomVec3( gelRandom* random, double size )
{
	return ( gelVec3 ){ Uniform( random, -size, size ), Uniform( random, -size, size ),
		Uniform( random, -size, size ) };
}

// As surface_query.c prepares rays, for a direction of any length.
static gelTrace MakeTrace( gelVec3 origin, gelVec3 d )
{
	float size[3] = { fabsf( d.x ), fabsf( d.y ), fabsf( d.z ) };
	int kz = size[0] > size[1] && size[0] > size[2] ? 0 : size[1] > size[2] ? 1 : 2;
	gelTrace trace = {
		.origin = origin, .direction = gelScale( 1.0f / size[kz], d ), .maxDistance = 1e6f, .kz = kz
	};
	bool flips = gelComponent( d, kz ) < 0.0f;
	trace.signZ = flips ? -1.0f : 1.0f;
	trace.kx = ( kz + ( flips ? 2 : 1 ) ) % 3;
	trace.ky = ( kz + ( flips ? 1 : 2 ) ) % 3;
	trace.shearX = gelComponent( trace.direction, trace.kx ) * trace.signZ;
	trace.shearY = gelComponent( trace.direction, trace.ky ) * trace.signZ;
	return trace;
}

static bool HitTriangle( const gelTrace* trace, const gelVec3 v[3], gelTriangleHit* hit )
{
	return gelHitSheared( gelShear( trace, v[0] ), gelShear( trace, v[1] ), gelShear( trace, v[2] ),
		(double)trace->maxDistance, hit );
}

static int CrossTriangle( const gelTrace* trace, const gelVec3 v[3] )
{
	return gelCrossSheared( gelShear( trace, v[0] ), gelShear( trace, v[1] ), gelShear( trace, v[2] ) );
}

static void TestHitIsOnBoth( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	int hits = 0;
	for ( int round = 0; round < 50000; ++round )
	{
		gelVec3 v[3] = { RandomVec3( &random, 1 ), RandomVec3( &random, 1 ), RandomVec3( &random, 1 ) };
		gelTrace trace = MakeTrace( RandomVec3( &random, 2 ), RandomVec3( &random, 1 ) );
		gelTriangleHit hit;
		if ( !HitTriangle( &trace, v, &hit ) ) continue;
		++hits;
		gelVec3 onRay = gelMulAdd( trace.origin, (float)hit.distance, trace.direction );
		gelVec3 onTriangle = { 0.0f, 0.0f, 0.0f };
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( hit.weight[k] >= 0.0 );
			onTriangle = gelMulAdd( onTriangle, (float)hit.weight[k], v[k] );
		}
		assert_true( gelLength( gelSub( onRay, onTriangle ) ) < 1e-5f );
		gelVec3 normal = gelCross( gelSub( v[1], v[0] ), gelSub( v[2], v[0] ) );
		float along = gelDot( normal, trace.direction );
		if ( fabsf( along ) > 1e-4f ) assert_int_equal( hit.isBackFace, along > 0.0f );
		// a perturbed ray sees the same unless it is on an edge
		if ( hit.distance > 1e-4 && fmin( hit.weight[0], fmin( hit.weight[1], hit.weight[2] ) ) > 1e-6 )
			assert_int_equal( CrossTriangle( &trace, v ), hit.isBackFace ? 1 : -1 );
	}
	assert_in_range( hits, 300, 5000 );
}

// Independent of the test above: a point inside of the triangle is hit, one outside is not.
static void TestInsideAndOutside( void** state )
{
	(void)state;
	gelRandom random = { 6 };
	for ( int round = 0; round < 50000; ++round )
	{
		gelVec3 v[3] = { RandomVec3( &random, 1 ), RandomVec3( &random, 1 ), RandomVec3( &random, 1 ) };
		gelVec3 normal = gelCross( gelSub( v[1], v[0] ), gelSub( v[2], v[0] ) );
		gelVec3 origin = RandomVec3( &random, 2 );
		float w1 = Uniform( &random, -0.5, 1.5 ), w2 = Uniform( &random, -0.5, 1.5 ), w0 = 1.0f - w1 - w2;
		gelVec3 target = gelAdd( gelScale( w0, v[0] ), gelAdd( gelScale( w1, v[1] ), gelScale( w2, v[2] ) ) );
		gelVec3 d = gelSub( target, origin );
		float margin = fminf( w0, fminf( w1, w2 ) );
		if ( fabsf( margin ) < 1e-2f || gelLength( normal ) < 0.05f ) continue;
		if ( fabsf( gelDot( d, normal ) ) < 0.05f * gelLength( d ) * gelLength( normal ) ) continue;
		gelTrace trace = MakeTrace( origin, d );
		gelTriangleHit hit;
		assert_int_equal( HitTriangle( &trace, v, &hit ), margin > 0.0f );
	}
}

// A closed surface in floats.
typedef struct Surface
{
	gelVec3* points;
	uint32_t* triangles;
	uint32_t pointCount, triangleCount;
} Surface;

static Surface MakeSphere( int n )
{
	gelMesh mesh = gelMakeTestSphere( 0.8, n );
	Surface s = { calloc( mesh.vertexCount, sizeof( gelVec3 ) ), calloc( mesh.triangleCount, 12 ),
		mesh.vertexCount, mesh.triangleCount };
	for ( uint32_t i = 0; i < mesh.vertexCount; ++i )
	{
		const float* p = mesh.positions + 3 * (size_t)i;
		s.points[i] = ( gelVec3 ){ p[0], p[1], p[2] };
	}
	for ( uint32_t i = 0; i < 3 * mesh.triangleCount; ++i )
		s.triangles[i] = mesh.indices[i];
	gelFreeMesh( &mesh );
	return s;
}

static void FreeSurface( Surface* s )
{
	free( s->points );
	free( s->triangles );
}

static void GetCorners( const Surface* s, uint32_t t, gelVec3 v[3] )
{
	for ( int k = 0; k < 3; ++k )
		v[k] = s->points[s->triangles[3 * t + (uint32_t)k]];
}

static int CountHits( const Surface* s, const gelTrace* trace )
{
	int count = 0;
	for ( uint32_t t = 0; t < s->triangleCount; ++t )
	{
		gelVec3 v[3];
		gelTriangleHit hit;
		GetCorners( s, t, v );
		count += HitTriangle( trace, v, &hit );
	}
	return count;
}

static int CountWinding( const Surface* s, const gelTrace* trace )
{
	int count = 0;
	for ( uint32_t t = 0; t < s->triangleCount; ++t )
	{
		gelVec3 v[3];
		GetCorners( s, t, v );
		count += CrossTriangle( trace, v );
	}
	return count;
}

// A target that rays like to slip through at: a corner, the middle of an edge, or a point on an edge.
static gelVec3 PickTarget( gelRandom* random, const Surface* s, int kind )
{
	gelVec3 v[3];
	GetCorners( s, (uint32_t)( gelRandom_Next( random ) % s->triangleCount ), v );
	if ( kind == 0 ) return v[0];
	float w = kind == 1 ? 0.5f : Uniform( random, 0, 1 );
	return gelAdd( gelScale( w, v[0] ), gelScale( 1.0f - w, v[1] ) );
}

// Points of a grid of 1/64: many rays meet corners and edges exactly.
static gelVec3 Snap( gelVec3 p )
{
	return ( gelVec3 ){ roundf( 64.0f * p.x ) / 64.0f, roundf( 64.0f * p.y ) / 64.0f,
		roundf( 64.0f * p.z ) / 64.0f };
}

static void TestNothingGetsThrough( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	for ( int shape = 0; shape < 4; ++shape )
	{
		Surface s = MakeSphere( 6 );
		for ( uint32_t i = 0; i < s.pointCount; ++i )
		{
			if ( shape == 1 ) s.points[i] = Snap( s.points[i] );
			if ( shape == 2 ) s.points[i].y *= 1e-3f;
			if ( shape == 3 ) s.points[i] = gelAdd( s.points[i], gelMakeVec3( 100.0f, -50.0f, 7.0f ) );
		}
		gelVec3 center = shape == 3 ? gelMakeVec3( 100.0f, -50.0f, 7.0f ) : gelMakeVec3( 0.0f, 0.0f, 0.0f );
		for ( int round = 0; round < 3000; ++round )
		{
			gelVec3 target = PickTarget( &random, &s, round % 3 );
			gelVec3 inside = gelAdd(
				center, round % 2 ? RandomVec3( &random, shape == 2 ? 1e-4 : 0.1 ) : gelMakeVec3( 0, 0, 0 ) );
			gelTrace outwards = MakeTrace( inside, gelSub( target, inside ) );
			assert_true( CountHits( &s, &outwards ) >= 1 );
			assert_int_equal( CountWinding( &s, &outwards ), 1 );
			gelVec3 far = gelAdd( center, Snap( RandomVec3( &random, 5 ) ) );
			if ( gelLength( gelSub( far, center ) ) < 1.5f ) continue;
			gelTrace inwards = MakeTrace( far, gelSub( inside, far ) );
			assert_true( CountHits( &s, &inwards ) >= 2 );
			gelTrace grazing = MakeTrace( far, gelSub( target, far ) );
			assert_int_equal( CountWinding( &s, &grazing ), 0 );
		}
		FreeSurface( &s );
	}
}

static void TestDegenerateTriangles( void** state )
{
	(void)state;
	gelTriangleHit hit;
	gelTrace trace = MakeTrace( gelMakeVec3( 0.0f, 0.0f, -1.0f ), gelMakeVec3( 0.0f, 0.0f, 1.0f ) );
	const gelVec3 point[3] = { trace.origin, trace.origin, trace.origin };
	const gelVec3 line[3] = { { -1.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f } };
	const gelVec3 edgeOn[3] = { { 0.0f, -1.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	assert_false( HitTriangle( &trace, point, &hit ) );
	assert_false( HitTriangle( &trace, line, &hit ) );
	assert_false( HitTriangle( &trace, edgeOn, &hit ) );
	assert_int_equal( CrossTriangle( &trace, point ), 0 );
	assert_int_equal( CrossTriangle( &trace, line ), 0 );
	assert_int_equal( CrossTriangle( &trace, edgeOn ), 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestHitIsOnBoth ),
		cmocka_unit_test( TestInsideAndOutside ),
		cmocka_unit_test( TestNothingGetsThrough ),
		cmocka_unit_test( TestDegenerateTriangles ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
