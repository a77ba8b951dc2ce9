// SPDX-License-Identifier: MIT
// What records of collision geometry are made of: quantized bounds, rounded weights, integers of few bits,
// and coarse trees.
#include "test_support.h"

#include "bake/surface/cdg.h"

#include <math.h>
#include <stdlib.h>

static void QuantizationIsConservative( void** state )
{
	(void)state;
	gelRandom random = { 21 };
	for ( int i = 0; i < 1000000; ++i )
	{
		gelBdop b;
		for ( int k = 0; k < 4; ++k )
		{
			float x = (float)gelRandom_Uniform( &random, 0.0, 1.0 ),
				  y = (float)gelRandom_Uniform( &random, 0.0, 1.0 );
			if ( i % 3 == 0 ) x = roundf( x * 256.0f ) / 256.0f;
			if ( i % 5 == 0 ) y = roundf( y * 16.0f ) / 16.0f;
			if ( i % 7 == 0 ) y = x;
			if ( i % 11 == 0 ) x = y = ( i % 2 == 0 ) ? 0.0f : 1.0f;
			b.low[k] = x < y ? x : y;
			b.high[k] = x < y ? y : x;
		}
		uint64_t bits = gelBdop_Quantize( &b );
		for ( int k = 0; k < 4; ++k )
		{
			assert_true( gelCdg_Low( bits, k ) <= b.low[k] && gelCdg_High( bits, k ) >= b.high[k] );
			assert_true( b.low[k] - gelCdg_Low( bits, k ) <= 1.0f / 256.0f );
			assert_true( gelCdg_High( bits, k ) - b.high[k] <= 1.0f / 256.0f );
		}
	}
}

// Integers of every width come back, and leave their neighbors alone.
static void BitArraysRoundTrip( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	for ( uint32_t bits = 1; bits <= 32; ++bits )
	{
		enum
		{
			count = 97
		};
		uint32_t values[count], words[count + 2] = { 0 };
		assert_true( gelBitArray_Words( bits, count ) <= count + 2 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			values[i] = (uint32_t)( gelRandom_Next( &random ) >> ( 64 - bits ) );
			if ( i % 7 == 0 ) values[i] = UINT32_MAX >> ( 32 - bits );
			gelBitArray_Put( words, bits, i, values[i] );
		}
		const gelBitArray array = { words, bits };
		for ( uint32_t i = 0; i < count; ++i )
			assert_int_equal( gelBitArray_Get( array, i ), values[i] );
		if ( bits < 32 ) assert_int_equal( gelBitArray_Width( 1u << bits ), bits );
		if ( bits < 32 ) assert_int_equal( gelBitArray_Width( ( 1u << bits ) + 1 ), bits + 1 );
	}
	assert_int_equal( gelBitArray_Width( 0 ), 1 );
	assert_int_equal( gelBitArray_Width( UINT32_MAX ), 32 );
}

// Rounding of weights: the sum is exact, none is 1, none moves by a unit, and what is zero stays zero but
// for one unit that a vertex on a node gives away.
static void WeightsAreRoundedOnce( void** state )
{
	(void)state;
	gelRandom random = { 41 };
	for ( int round = 0; round < 200000; ++round )
	{
		int count = 2 + round % 3;
		double w[4], sum = 0.0;
		for ( int k = 0; k < count; ++k )
		{
			w[k] = exp( gelRandom_Uniform( &random, -40.0, 0.0 ) );
			if ( gelRandom_Next( &random ) % 4 == 0 ) w[k] = 0.0;
			sum += w[k];
		}
		if ( sum == 0.0 ) w[count - 1] = sum = 1.0;
		gelCdgVertex vertex = { .node = { 3, 5, 7, 9 } };
		gelCdgVertex_SetWeights( &vertex, w, count );
		double total = 0.0;
		for ( int k = 0; k < 4; ++k )
		{
			double x = (double)vertex.weight[k], units = x * 0x1p21;
			assert_true( units == floor( units ) && units >= 0.0 && units < 0x1p21 );
			if ( k < count )
				assert_true( fabs( x - w[k] / sum ) <= 0x1p-21 );
			else
				assert_true( x == 0.0 && vertex.node[k] == GEL_NO_INDEX );
			total += x;
		}
		assert_true( total == 1.0 );
	}
}

static void CheckBvh( const gelPackBvhNode* nodes, uint32_t count )
{
	uint8_t *leaves = calloc( count, 1 ), *parents = calloc( 2 * (size_t)count, 1 ),
			*level = calloc( 2 * (size_t)count, 1 );
	for ( uint32_t i = 0; i < 2 * count - 1; ++i )
	{
		if ( nodes[i].left == GEL_CDG_NIL )
		{
			assert_true( nodes[i].right < count );
			leaves[nodes[i].right] += 1;
			continue;
		}
		assert_true( nodes[i].left > i && nodes[i].right > i && nodes[i].left < 2 * count - 1 &&
			nodes[i].right < 2 * count - 1 );
		parents[nodes[i].left] += 1;
		parents[nodes[i].right] += 1;
		level[nodes[i].left] = level[nodes[i].right] = (uint8_t)( level[i] + 1 );
		assert_true( level[i] + 2 <= (int)GEL_CDG_MAX_DEPTH );
	}
	for ( uint32_t i = 0; i < count; ++i )
		assert_int_equal( leaves[i], 1 );
	for ( uint32_t i = 1; i < 2 * count - 1; ++i )
		assert_int_equal( parents[i], 1 );
	free( leaves );
	free( parents );
	free( level );
}

static void CoarseTreesHaveEveryCellOnce( void** state )
{
	(void)state;
	static const uint32_t counts[] = { 1, 2, 3, 17, 400, 2000, 2001, 5000 };
	gelRandom random = { 2 };
	for ( size_t c = 0; c < sizeof( counts ) / sizeof( counts[0] ); ++c )
	{
		gelBakePool pool = { NULL };
		gelBox3d* boxes = gelBakePool_Alloc( &pool, counts[c], sizeof( gelBox3d ) );
		for ( uint32_t i = 0; i < counts[c]; ++i )
		{
			gelVec3d p = { gelRandom_Normal( &random ), gelRandom_Normal( &random ),
				gelRandom_Normal( &random ) };
			boxes[i] = ( gelBox3d ){ .min = p, .max = { p.x + 0.1, p.y + 0.2, p.z + 0.1 } };
		}
		CheckBvh( gelBuildCoarseBvh( boxes, counts[c], &pool ), counts[c] );
		// each box contains the one before: merging by size makes a chain that is deeper than allowed
		for ( uint32_t i = 0; i < counts[c]; ++i )
		{
			double size = pow( 1.01, (double)( i % 2000 ) );
			boxes[i] = ( gelBox3d ){ .min = { -size, -size, -size }, .max = { size, size, size } };
		}
		CheckBvh( gelBuildCoarseBvh( boxes, counts[c], &pool ), counts[c] );
		gelFreeBakePool( &pool );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( QuantizationIsConservative ),
		cmocka_unit_test( BitArraysRoundTrip ),
		cmocka_unit_test( WeightsAreRoundedOnce ),
		cmocka_unit_test( CoarseTreesHaveEveryCellOnce ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
