// SPDX-License-Identifier: MIT
// Bounds from weights: never too small, and not too large.
#include "test_support.h"

#include "state/cell_bounds.h"
#include "query/surface_query.h"

typedef enum Shape
{
	shapeRandom,
	shapeFlat,
	shapeLine,
	shapePoint,
	shapeMirrored,
	shapeFar,
	shapeCount
} Shape;

static float Uniform( gelRandom* random, double low, double high )
{
	return (float)gelRandom_Uniform( random, low, high );
}

static void MakeTet( gelRandom* random, Shape shape, gelVec3 x[4] )
{
	gelVec3 offset = { 0.0f, 0.0f, 0.0f };
	if ( shape == shapeFar )
		offset = ( gelVec3 ){ Uniform( random, -1e3, 1e3 ), Uniform( random, -1e3, 1e3 ), 100.0f };
	for ( int i = 0; i < 4; ++i )
	{
		gelVec3 p = { Uniform( random, -1, 1 ), Uniform( random, -1, 1 ), Uniform( random, -1, 1 ) };
		if ( shape == shapeFlat ) p.z = 0.25f * p.x - p.y;
		if ( shape == shapeLine ) p = gelScale( p.x, gelMakeVec3( 1.0f, -2.0f, 0.5f ) );
		if ( shape == shapePoint ) p = gelMakeVec3( 0.1f, 0.2f, 0.3f );
		x[i] = gelAdd( p, offset );
	}
	gelMat3 edges = { gelSub( x[1], x[0] ), gelSub( x[2], x[0] ), gelSub( x[3], x[0] ) };
	if ( shape == shapeMirrored && gelDeterminant( edges ) > 0.0f )
	{
		gelVec3 swap = x[2];
		x[2] = x[3];
		x[3] = swap;
	}
}

static void MakeWeights( gelRandom* random, float w[4] )
{
	double v[4], sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += v[k] =
			gelRandom_Next( random ) % 4 == 0 ? 0.0 : -log( 1e-9 + gelRandom_Uniform( random, 0, 1 ) );
	if ( sum == 0.0 ) sum = v[0] = 1.0;
	for ( int k = 0; k < 4; ++k )
		w[k] = (float)( v[k] / sum );
}

// Bounds of some weights, as a bake would store them.
static void MakeBounds( float ( *w )[4], int count, float a[4], float b[4] )
{
	for ( int k = 0; k < 4; ++k )
	{
		float low = 1.0f, high = 0.0f;
		for ( int i = 0; i < count; ++i )
		{
			low = fminf( low, w[i][k] );
			high = fmaxf( high, w[i][k] );
		}
		a[k] = fminf( 255.0f, floorf( 256.0f * low ) ) / 256.0f;
		b[k] = ( fmaxf( 0.0f, ceilf( 256.0f * high ) - 1.0f ) + 1.0f ) / 256.0f;
	}
}

static void TestHoldsAllPoints( void** state )
{
	(void)state;
	gelRandom random = { 1 };
	for ( int round = 0; round < 20000; ++round )
	{
		gelVec3 x[4];
		float w[6][4], a[4], b[4];
		MakeTet( &random, (Shape)( round % shapeCount ), x );
		int count = 1 + (int)( gelRandom_Next( &random ) % 6 );
		for ( int i = 0; i < count; ++i )
			MakeWeights( &random, w[i] );
		MakeBounds( w, count, a, b );
		gelDop dop = gelBoundCell_Ref( x, a, b );
		for ( int i = 0; i < count; ++i )
		{
			float block[32], p[8];
			for ( int k = 0; k < 4; ++k )
				block[8 * k] = w[i][k];
			gelCdgView view = { .floatWeights = block };
			gelProjectOnDop( gelDeformVertex( &view, 0, x ), p );
			for ( int k = 0; k < 8; ++k )
				assert_true( dop.low[k] <= p[k] && p[k] <= dop.high[k] );
		}
	}
}

// The smallest value of a linear function on { a <= w <= b, sum w = 1 } is at a corner, where all weights but
// one are at a bound.
static void FindExtremes( const double x[4], const float a[4], const float b[4], double* low, double* high )
{
	*low = INFINITY;
	*high = -INFINITY;
	for ( int corner = 0; corner < 32; ++corner )
	{
		int open = corner / 8, bit = 0;
		double rest = 1.0, value = 0.0;
		for ( int k = 0; k < 4; ++k )
		{
			if ( k == open ) continue;
			double w = (double)( corner >> bit++ & 1 ? b[k] : a[k] );
			rest -= w;
			value += w * x[k];
		}
		if ( rest < (double)a[open] - 1e-12 || rest > (double)b[open] + 1e-12 ) continue;
		value += rest * x[open];
		*low = fmin( *low, value );
		*high = fmax( *high, value );
	}
}

static void TestIsTight( void** state )
{
	(void)state;
	gelRandom random = { 2 };
	for ( int round = 0; round < 5000; ++round )
	{
		gelVec3 x[4];
		float w[4][4], a[4], b[4], p[4][8];
		MakeTet( &random, (Shape)( round % shapeFar ), x );
		for ( int i = 0; i < 4; ++i )
		{
			MakeWeights( &random, w[i] );
			gelProjectOnDop( x[i], p[i] );
		}
		MakeBounds( w, 4, a, b );
		gelDop dop = gelBoundCell_Ref( x, a, b );
		for ( int k = 0; k < GEL_DOP_AXES; ++k )
		{
			double low, high;
			const double along[4] = { p[0][k], p[1][k], p[2][k], p[3][k] };
			FindExtremes( along, a, b, &low, &high );
			assert_true(
				fabs( low - (double)dop.low[k] ) < 3e-5 && fabs( high - (double)dop.high[k] ) < 3e-5 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestHoldsAllPoints ),
		cmocka_unit_test( TestIsTight ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
