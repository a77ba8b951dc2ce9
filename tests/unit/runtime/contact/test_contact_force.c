// SPDX-License-Identifier: MIT
// The laws of one contact, whatever it is pushed and rubbed by: it never pulls, friction stays in its cone
// and never turns the slip around, and a later iteration takes back what an earlier one gave too much.
#include "contact/contact_force.h"
#include "test_support.h"

#include <math.h>

// A point above a floor: the laws move it by their impulses and by nothing else.
typedef struct Point
{
	gelVec3 x;
	float invMass;
} Point;

static const gelVec3 s_up = { 0.0f, 1.0f, 0.0f };

// An impulse is given ratio times to what is ratio times as heavy.
static void Iterate( gelContactForce* c, Point* p, float ratio )
{
	float push = gelContactForce_Push( c, p->x.y, p->invMass, ratio );
	p->x = gelMulAdd( p->x, push * p->invMass, s_up );
	gelVec3 rub = gelContactForce_Rub( c, gelTangential( p->x, s_up ), p->invMass, ratio );
	p->x = gelMulAdd( p->x, p->invMass, rub );
}

static float Draw( gelRandom* random, double low, double high )
{
	return (float)gelRandom_Uniform( random, low, high );
}

static void TestLonePoint( void** state )
{
	(void)state;
	gelRandom random = { 4 };
	int active = 0, open = 0, stuck = 0, sliding = 0;
	for ( int trial = 0; trial < 1000; ++trial )
	{
		Point p = { { Draw( &random, -1, 1 ), Draw( &random, -1, 1 ), Draw( &random, -1, 1 ) },
			Draw( &random, 0.1, 10 ) },
			  start = p;
		gelContactForce c = { .mu = trial % 3 == 0 ? 0.0f : Draw( &random, 0.1, 1.5 ) };
		Iterate( &c, &p, 1.0f );
		gelContactForce_Accept( &c, 1.0f );
		if ( start.x.y > 0.0f )
		{
			assert_memory_equal( &p, &start, sizeof( p ) );
			assert_true( c.lambda == 0.0f && gelLength( c.friction ) == 0.0f );
			++open;
			continue;
		}
		++active;
		gelVec3 before = gelTangential( start.x, s_up ), after = gelTangential( p.x, s_up );
		assert_true( fabsf( p.x.y ) < 1e-6f && c.lambda > 0.0f );
		assert_true( gelLength( c.friction ) <= c.mu * c.lambda * 1.0001f );
		assert_true( fabsf( gelDot( c.friction, s_up ) ) < 1e-6f * ( 1.0f + c.lambda ) );
		assert_true( gelDot( before, after ) > -1e-6f );
		// Coulomb: no slip within the cone, the whole cone against a slip
		bool isStuck = gelLength( after ) < 1e-5f;
		if ( !isStuck )
			assert_true( fabsf( gelLength( c.friction ) - c.mu * c.lambda ) < 1e-4f * ( 1.0f + c.lambda ) );
		stuck += isStuck;
		sliding += !isStuck;
	}
	assert_true( active > 300 && open > 300 && stuck > 50 && sliding > 50 );
}

// Others push the point about between the iterations of a step. Whatever they do: no pull in sum, no friction
// beyond the cone of the sum, and a point that they lifted is let go.
static void TestSumsObeyTheLaws( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	int letGo = 0;
	for ( int trial = 0; trial < 200; ++trial )
	{
		Point p = { { 0.0f, -0.1f, 0.0f }, Draw( &random, 0.1, 10 ) };
		gelContactForce c = { .mu = Draw( &random, 0.0, 1.0 ) };
		float ratio = Draw( &random, 1, 8 );
		for ( int i = 0; i < 12; ++i )
		{
			gelVec3 push = { Draw( &random, -0.1, 0.1 ), Draw( &random, -0.1, 0.1 ),
				Draw( &random, -0.1, 0.1 ) };
			if ( i == 11 ) push = gelMakeVec3( 0.0f, 100.0f, 0.0f );
			p.x = gelAdd( p.x, push );
			float had = c.lambda;
			for ( int sweep = 0; sweep < 3; ++sweep )
				Iterate( &c, &p, ratio );
			gelContactForce_Accept( &c, ratio );
			assert_true( c.lambda >= 0.0f );
			assert_true( gelLength( c.friction ) <= c.mu * c.lambda * 1.001f + 1e-5f );
			// a push, or a gap
			assert_true( c.lambda <= 1e-5f * ratio / p.invMass || fabsf( p.x.y ) < 1e-4f );
			if ( i == 11 ) assert_true( c.lambda <= 1e-5f * ratio / p.invMass );
			letGo += i == 11 && had > 0.0f;
		}
	}
	assert_true( letGo > 100 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestLonePoint ),
		cmocka_unit_test( TestSumsObeyTheLaws ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
