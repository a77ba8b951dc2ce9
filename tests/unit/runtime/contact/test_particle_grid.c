// SPDX-License-Identifier: MIT
// The spatial hash of balls against all pairs, and the overlap of two ellipsoids against a search over many
// directions.
#include "test_support.h"

#include "contact/particles/particle_contact.h"

#include <math.h>
#include <string.h>

#define BALL_COUNT 400

typedef struct TestBall
{
	double center[3];
	float radius;
} TestBall;

static TestBall s_balls[BALL_COUNT];
static uint8_t s_seen[BALL_COUNT][BALL_COUNT];

// Radii over three decades, crowded, partly far from the origin.
static void MakeBalls( gelRandom* random, double away )
{
	for ( int i = 0; i < BALL_COUNT; ++i )
	{
		s_balls[i].radius = (float)( 0.3 * pow( 10.0, gelRandom_Uniform( random, -3.0, 0.0 ) ) );
		for ( int k = 0; k < 3; ++k )
			s_balls[i].center[k] = away + gelRandom_Uniform( random, -1.0, 1.0 );
	}
}

static bool Touches( const TestBall* a, const TestBall* b )
{
	double sum = 0.0, reach = (double)a->radius + (double)b->radius;
	for ( int k = 0; k < 3; ++k )
		sum += ( a->center[k] - b->center[k] ) * ( a->center[k] - b->center[k] );
	return sum < reach * reach;
}

static void TestEveryPairOnce( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	gelArena arena = { 0 };
	gelEllipsoidGrid_LayOut( &arena, BALL_COUNT );
	void* memory = gelAllocate( &( gelAllocator ){ 0 }, arena.bytes );
	assert_non_null( memory );
	size_t bytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	gelEllipsoidGrid grid = gelEllipsoidGrid_LayOut( &arena, BALL_COUNT );
	const double places[4] = { 0.0, -1000.0, 1e6, 1e9 };
	for ( int place = 0; place < 4; ++place )
	{
		MakeBalls( &random, places[place] );
		memset( s_seen, 0, sizeof( s_seen ) );
		for ( int i = 0; i < BALL_COUNT; ++i )
			grid.cells[i] = gelMakeEllipsoidCell( s_balls[i].center, s_balls[i].radius );
		gelEllipsoidGrid_Build( &grid, BALL_COUNT );
		int found = 0, near[BALL_COUNT];
		for ( int i = 0; i < BALL_COUNT; ++i )
		{
			int count = gelEllipsoidGrid_Query( &grid, i, near, BALL_COUNT );
			assert_true( count <= BALL_COUNT );
			for ( int k = 0; k < count; ++k )
			{
				assert_int_not_equal( near[k], i );
				assert_int_equal( s_seen[i][near[k]] + s_seen[near[k]][i], 0 );
				s_seen[i][near[k]] = 1;
			}
			found += count;
		}
		int touching = 0;
		for ( int i = 0; i < BALL_COUNT; ++i )
		{
			for ( int k = i + 1; k < BALL_COUNT; ++k )
			{
				if ( !Touches( s_balls + i, s_balls + k ) ) continue;
				++touching;
				assert_int_equal( s_seen[i][k] + s_seen[k][i], 1 );
			}
		}
		assert_true( touching > 100 && found < BALL_COUNT * BALL_COUNT / 4 );
	}
	gelFree( &( gelAllocator ){ 0 }, memory, bytes );
}

// ---- ellipsoids ------------------------------------------------------------------------------------------

static gelVec3 MakeDirection( gelRandom* random )
{
	gelVec3 n = { (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ),
		(float)gelRandom_Normal( random ) };
	return gelScale( 1.0f / gelLength( n ), n );
}

// Radii from 1 to 4 in any direction.
static gelSym3 MakeShape( gelRandom* random, float* outReach )
{
	gelQuat q = { { (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ),
					  (float)gelRandom_Normal( random ) },
		(float)gelRandom_Normal( random ) };
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( q ) );
	gelMat3 R = gelMakeMat3FromQuat( ( gelQuat ){ gelScale( inv, q.v ), inv * q.s } );
	gelVec3 r = { (float)gelRandom_Uniform( random, 1.0, 4.0 ), (float)gelRandom_Uniform( random, 1.0, 4.0 ),
		(float)gelRandom_Uniform( random, 1.0, 4.0 ) };
	*outReach = gelMaxFloat( r.x, gelMaxFloat( r.y, r.z ) );
	gelMat3 D = { gelScale( r.x, R.cx ), gelScale( r.y, R.cy ), gelScale( r.z, R.cz ) };
	gelMat3 S = gelMulByTransposedMM( D, D );
	return ( gelSym3 ){ S.cx.x, S.cy.y, S.cz.z, S.cy.x, S.cz.x, S.cz.y };
}

static float GetGap( gelSym3 A, gelSym3 B, gelVec3 d, gelVec3 n )
{
	return gelDot( n, d ) - sqrtf( gelDot( n, gelMulSym3( A, n ) ) ) -
		sqrtf( gelDot( n, gelMulSym3( B, n ) ) );
}

static void TestGap( void** state )
{
	(void)state;
	gelRandom random = { 11 };
	int apart = 0, overlapping = 0;
	for ( int i = 0; i < 400; ++i )
	{
		float ra, rb, best = -INFINITY;
		gelSym3 A = MakeShape( &random, &ra ), B = MakeShape( &random, &rb );
		gelVec3 n, d = gelScale( (float)gelRandom_Uniform( &random, 1.5, 8.0 ), MakeDirection( &random ) );
		float gap = gelFindEllipsoidGap( A, B, d, ra, rb, &n );
		assert_true( fabsf( gelLength( n ) - 1.0f ) < 1e-5f );
		assert_true( fabsf( GetGap( A, B, d, n ) - gap ) < 1e-5f );
		for ( int k = 0; k < 1500; ++k )
			best = fmaxf( best, GetGap( A, B, d, MakeDirection( &random ) ) );
		// what separates them is found, but for a thin layer; what overlaps does so by no more than that
		if ( best > 0.35f ) assert_true( gap >= 0.0f );
		if ( best < 0.0f ) assert_true( gap < 0.05f );
		apart += gap >= 0.0f;
		overlapping += gap < 0.0f;
	}
	assert_true( apart > 50 && overlapping > 50 );
	// spheres: exact
	gelSym3 one = { 1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f }, two = { 4.0f, 4.0f, 4.0f, 0.0f, 0.0f, 0.0f };
	gelVec3 n;
	assert_true( fabsf( gelFindEllipsoidGap( one, two, gelMakeVec3( 0.0f, 0.0f, 2.5f ), 1.0f, 2.0f, &n ) +
					 0.5f ) < 1e-6f );
	assert_true( n.z == 1.0f );
	assert_true( gelFindEllipsoidGap( one, two, gelMakeVec3( 0.0f, 0.0f, 0.0f ), 1.0f, 2.0f, &n ) == -3.0f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestEveryPairOnce ),
		cmocka_unit_test( TestGap ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
