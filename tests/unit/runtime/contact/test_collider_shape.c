// SPDX-License-Identifier: MIT
// Analytic shapes: laws of signed distances (unit slope, one minimum along any line, a point and its foot),
// entries of segments and deepest points of triangles against fine sampling.
#include "test_support.h"

#include "contact/shapes/collider_shape.h"

#include <math.h>

static gelVec3 RandomPoint( gelRandom* random, float size )
{
	return gelMakeVec3( (float)gelRandom_Uniform( random, -size, size ),
		(float)gelRandom_Uniform( random, -size, size ), (float)gelRandom_Uniform( random, -size, size ) );
}

// Spheres, capsules, boxes and rounded boxes of about 1 m.
static gelShape RandomShape( gelRandom* random, int kind )
{
	gelShape shape = { .radius = (float)gelRandom_Uniform( random, 0.2, 1.0 ) };
	if ( kind == 1 ) shape.core.y = (float)gelRandom_Uniform( random, 0.1, 1.5 );
	if ( kind >= 2 )
	{
		shape.core = gelMakeVec3( (float)gelRandom_Uniform( random, 0.1, 1.0 ),
			(float)gelRandom_Uniform( random, 0.1, 1.0 ), (float)gelRandom_Uniform( random, 0.1, 1.0 ) );
		shape.radius = kind == 2 ? 0.0f : 0.3f * shape.radius;
	}
	if ( kind == 4 ) return ( gelShape ){ .isHalfSpace = true };
	return shape;
}

enum
{
	kindCount = 5
};

static float Distance( const gelShape* shape, gelVec3 p )
{
	gelVec3 normal;
	return gelShape_GetDistance( shape, p, &normal );
}

static void TestFeet( void** state )
{
	(void)state;
	gelRandom random = { 1 };
	for ( int i = 0; i < 20000; ++i )
	{
		gelShape shape = RandomShape( &random, i % kindCount );
		gelVec3 p = RandomPoint( &random, 2.5f ), normal;
		float distance = gelShape_GetDistance( &shape, p, &normal );
		assert_float_equal( gelLength( normal ), 1.0f, 1e-5f );
		// the foot is on the surface, and out is out
		assert_float_equal( Distance( &shape, gelMulAdd( p, -distance, normal ) ), 0.0f, 2e-5f );
		assert_float_equal( Distance( &shape, gelMulAdd( p, 0.1f, normal ) ), distance + 0.1f, 2e-5f );
	}
}

static void TestSlopeAndConvexity( void** state )
{
	(void)state;
	gelRandom random = { 2 };
	for ( int i = 0; i < 20000; ++i )
	{
		gelShape shape = RandomShape( &random, i % kindCount );
		gelVec3 p = RandomPoint( &random, 2.5f ), q = RandomPoint( &random, 2.5f );
		float a = Distance( &shape, p ), b = Distance( &shape, q );
		assert_true( fabsf( a - b ) <= gelLength( gelSub( p, q ) ) + 1e-5f );
		float middle = Distance( &shape, gelScale( 0.5f, gelAdd( p, q ) ) );
		assert_true( middle <= 0.5f * ( a + b ) + 1e-5f );
	}
}

// Corners of what the distance calls solid are where the definitions say.
static void TestSizes( void** state )
{
	(void)state;
	gelShape sphere = { .radius = 0.5f };
	gelShape capsule = { .core = { 0.0f, 1.0f, 0.0f }, .radius = 0.25f };
	gelShape box = { .core = { 1.0f, 2.0f, 3.0f } };
	assert_float_equal( Distance( &sphere, gelMakeVec3( 0.0f, 0.0f, 2.0f ) ), 1.5f, 1e-6f );
	assert_float_equal( Distance( &sphere, gelMakeVec3( 0.0f, 0.0f, 0.0f ) ), -0.5f, 1e-6f );
	assert_float_equal( Distance( &capsule, gelMakeVec3( 0.0f, 2.0f, 0.0f ) ), 0.75f, 1e-6f );
	assert_float_equal( Distance( &capsule, gelMakeVec3( 1.0f, 0.5f, 0.0f ) ), 0.75f, 1e-6f );
	assert_float_equal( Distance( &capsule, gelMakeVec3( 0.0f, 0.3f, 0.0f ) ), -0.25f, 1e-6f );
	assert_float_equal( Distance( &box, gelMakeVec3( 2.0f, 0.0f, 0.0f ) ), 1.0f, 1e-6f );
	assert_float_equal( Distance( &box, gelMakeVec3( 0.0f, 1.5f, 2.9f ) ), -0.1f, 1e-6f );
	assert_float_equal( Distance( &box, gelMakeVec3( 1.3f, 2.4f, 0.0f ) ), 0.5f, 1e-6f );
	gelVec3 normal;
	gelShape_GetDistance( &capsule, gelMakeVec3( 0.0f, 0.0f, 0.0f ), &normal );
	assert_float_equal( normal.y, 0.0f, 0.0f ); // along the axis is not the way out
	gelVec3 extents = gelShape_GetExtents( &capsule );
	assert_true( extents.x == 0.25f && extents.y == 1.25f && extents.z == 0.25f );
}

static void TestEntries( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	int entered = 0, passed = 0;
	for ( int i = 0; i < 3000; ++i )
	{
		gelShape shape = RandomShape( &random, i % kindCount );
		gelVec3 p = RandomPoint( &random, 3.0f ), q = RandomPoint( &random, 3.0f );
		if ( Distance( &shape, p ) < 0.0f ) continue;
		float first = -1.0f, deepest = 0.0f;
		for ( int k = 0; k <= 1000; ++k )
		{
			float t = 0.001f * (float)k, d = Distance( &shape, gelMulAdd( p, t, gelSub( q, p ) ) );
			if ( d < 0.0f && first < 0.0f ) first = t;
			deepest = fminf( deepest, d );
		}
		float fraction = -1.0f;
		bool isFound = gelShape_FindEntry( &shape, p, q, &fraction );
		if ( deepest < -1e-3f ) assert_true( isFound ); // else it may be missed
		if ( first < 0.0f || !isFound ) continue;
		assert_true( fraction <= first + 1e-3f && fraction >= first - 2e-3f );
		++entered;
		passed += Distance( &shape, q ) >= 0.0f;
	}
	assert_true( entered > 300 && passed > 150 );
}

// The least distance over a triangle, on a grid of weights.
static float SampleTriangle( const gelShape* shape, const gelVec3 c[3] )
{
	float best = INFINITY;
	for ( int i = 0; i <= 40; ++i )
	{
		for ( int j = 0; j <= 40 - i; ++j )
		{
			float a = (float)i / 40.0f, b = (float)j / 40.0f;
			gelVec3 p = gelMulAdd( gelMulAdd( gelScale( 1.0f - a - b, c[0] ), a, c[1] ), b, c[2] );
			best = fminf( best, Distance( shape, p ) );
		}
	}
	return best;
}

static void TestDeepestPoints( void** state )
{
	(void)state;
	gelRandom random = { 4 };
	int touching = 0;
	for ( int i = 0; i < 3000; ++i )
	{
		gelShape shape = RandomShape( &random, i % kindCount );
		gelVec3 center = RandomPoint( &random, 1.5f ), c[3];
		for ( int k = 0; k < 3; ++k )
			c[k] = gelAdd( center, RandomPoint( &random, 1.0f ) );
		if ( i % 50 == 0 ) c[2] = c[1]; // no area
		float w[3], sampled = SampleTriangle( &shape, c );
		bool isInside = gelShape_FindDeepest( &shape, c, w );
		assert_true( isInside || sampled > -0.02f );
		if ( !isInside ) continue;
		assert_true( w[0] >= -1e-5f && w[1] >= 0.0f && w[2] >= 0.0f );
		assert_float_equal( w[0] + w[1] + w[2], 1.0f, 1e-5f );
		gelVec3 p = gelMulAdd( gelMulAdd( gelScale( w[0], c[0] ), w[1], c[1] ), w[2], c[2] );
		float found = Distance( &shape, p );
		assert_true( found < 0.0f && found <= sampled + 0.02f );
		float corners =
			fminf( Distance( &shape, c[0] ), fminf( Distance( &shape, c[1] ), Distance( &shape, c[2] ) ) );
		touching += corners >= 0.0f;
	}
	assert_true( touching > 100 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFeet ),
		cmocka_unit_test( TestSlopeAndConvexity ),
		cmocka_unit_test( TestSizes ),
		cmocka_unit_test( TestEntries ),
		cmocka_unit_test( TestDeepestPoints ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
