// SPDX-License-Identifier: MIT
// Sorted boxes against all pairs, and the overlap of two ellipsoids against a search over many directions.
#include "test_support.h"

#include "contact/particles/particle_contact.h"

#include <math.h>
#include <string.h>

#define BALL_COUNT 400

static gelContactProxy s_proxies[BALL_COUNT];
static uint8_t s_seen[BALL_COUNT][BALL_COUNT];

// Balls with radii over three decades, crowded, partly far from the origin.
static void MakeProxies( gelRandom* random, double away )
{
	for ( int i = 0; i < BALL_COUNT; ++i )
	{
		double radius = 0.3 * pow( 10.0, gelRandom_Uniform( random, -3.0, 0.0 ) );
		s_proxies[i] = ( gelContactProxy ){ .index = i };
		for ( int k = 0; k < 3; ++k )
		{
			double at = away + gelRandom_Uniform( random, -1.0, 1.0 );
			s_proxies[i].low[k] = at - radius;
			s_proxies[i].high[k] = at + radius;
		}
	}
}

static bool Meet( const gelContactProxy* a, const gelContactProxy* b )
{
	bool meet = true;
	for ( int k = 0; k < 3; ++k )
		meet = meet && a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
	return meet;
}

// Sorted boxes: whoever looks at those behind it that begin before its end sees each pair that meets once.
static void TestEveryPairOnce( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	const double places[4] = { 0.0, -1000.0, 1e6, 1e9 };
	static gelBody body; // the same for all
	for ( int place = 0; place < 4; ++place )
	{
		MakeProxies( &random, places[place] );
		for ( int i = 0; i < BALL_COUNT; ++i )
			s_proxies[i].body = &body;
		memset( s_seen, 0, sizeof( s_seen ) );
		int axis = gelSortProxies( s_proxies, BALL_COUNT ), looked = 0, touching = 0;
		for ( int i = 0; i < BALL_COUNT; ++i )
		{
			const gelContactProxy* p = s_proxies + i;
			for ( int k = i + 1; k < BALL_COUNT && s_proxies[k].low[axis] <= p->high[axis]; ++k )
			{
				const gelContactProxy* q = s_proxies + k;
				assert_int_equal( s_seen[p->index][q->index] + s_seen[q->index][p->index], 0 );
				s_seen[p->index][q->index] = 1;
				++looked;
			}
		}
		for ( int i = 0; i < BALL_COUNT * BALL_COUNT; ++i )
		{
			const gelContactProxy *p = s_proxies + i / BALL_COUNT, *q = s_proxies + i % BALL_COUNT;
			if ( p >= q || !Meet( p, q ) ) continue;
			++touching;
			assert_int_equal( s_seen[p->index][q->index] + s_seen[q->index][p->index], 1 );
		}
		assert_true( touching > 100 && looked < BALL_COUNT * BALL_COUNT / 8 );
	}
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
