// SPDX-License-Identifier: MIT
// Contacts between pairs of embedded points: what a lone one does exactly, what many do in sum, and that
// neither their order nor their number shows.
#include "test_support.h"

#include "contact_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES     4
#define MAX_PAIRS 256

// A tet of loose nodes: contacts are judged without any solver around them.
typedef struct Tet
{
	gelVec3 x[NODES], xOld[NODES], v[NODES], sums[NODES];
	float invMasses[NODES], counts[NODES];
} Tet;

static gelContactBody MakeBody( Tet* tet )
{
	return ( gelContactBody ){ tet->x, tet->xOld, tet->v, tet->invMasses, tet->sums, tet->counts };
}

static gelVec3 MakeVector( gelRandom* random, double size )
{
	return ( gelVec3 ){ (float)gelRandom_Uniform( random, -size, size ),
		(float)gelRandom_Uniform( random, -size, size ), (float)gelRandom_Uniform( random, -size, size ) };
}

static Tet MakeTet( gelRandom* random )
{
	Tet tet = { 0 };
	for ( int i = 0; i < NODES; ++i )
	{
		tet.xOld[i] = MakeVector( random, 1.0 );
		tet.x[i] = gelAdd( tet.xOld[i], MakeVector( random, 0.05 ) );
		tet.invMasses[i] = (float)gelRandom_Uniform( random, 0.2, 20.0 );
	}
	return tet;
}

static gelContactSide MakeSide( gelRandom* random, int body )
{
	gelContactSide side = { .body = body, .node = { 0, 1, 2, 3 } };
	double w[4], sum = 0;
	for ( int k = 0; k < 4; ++k )
		sum += w[k] = gelRandom_Uniform( random, 0.0, 1.0 );
	for ( int k = 0; k < 4; ++k )
		side.w[k] = (float)( w[k] / sum );
	return side;
}

static gelVec3 GetMomentum( const Tet* tet, const Tet* before )
{
	gelVec3 sum = { 0, 0, 0 };
	for ( int i = 0; i < NODES; ++i )
	{
		if ( tet->invMasses[i] > 0.0f )
			sum = gelMulAdd( sum, 1.0f / tet->invMasses[i], gelSub( tet->x[i], before->x[i] ) );
	}
	return sum;
}

// A lone contact that approaches ends with n . D = -max( g, 0 ), one that separates is left alone, and
// whatever happens, the momentum of both bodies together does not change. Friction never turns the slip
// around.
static void TestLoneContact( void** state )
{
	(void)state;
	gelRandom random = { 4 };
	int activeCount = 0, openCount = 0;
	for ( int trial = 0; trial < 400; ++trial )
	{
		Tet tets[2] = { MakeTet( &random ), MakeTet( &random ) }, before[2];
		memcpy( before, tets, sizeof( tets ) );
		gelContactBody bodies[2] = { MakeBody( tets ), MakeBody( tets + 1 ) };
		gelContactPair pair = { .a = MakeSide( &random, 0 ),
			.b = MakeSide( &random, trial % 4 == 3 ? -1 : 1 ) };
		pair.normal = MakeVector( &random, 1.0 );
		pair.gap = (float)gelRandom_Uniform( &random, -0.02, 0.02 );
		pair.mu = trial % 3 == 0 ? 0.0f : (float)gelRandom_Uniform( &random, 0.1, 1.0 );
		pair.b.move = MakeVector( &random, 0.02 );
		assert_int_equal( gelContactPairs_Prepare( &pair, 1, bodies, 0.01f ), 1 );
		gelVec3 D0 = gelContactPair_GetMove( &pair, bodies );
		float floor = -fmaxf( pair.gap, 0.0f );
		bool isActive = gelDot( pair.normal, D0 ) < floor;
		gelContactPairs_Sweep( &pair, 1, bodies );
		gelVec3 D1 = gelContactPair_GetMove( &pair, bodies );
		if ( !isActive )
		{
			assert_memory_equal( tets, before, sizeof( tets ) );
			++openCount;
			continue;
		}
		++activeCount;
		assert_true( fabsf( gelDot( pair.normal, D1 ) - floor ) < 1e-6f );
		gelVec3 T0 = gelTangential( D0, pair.normal ), T1 = gelTangential( D1, pair.normal );
		assert_true( gelDot( T0, T1 ) > -1e-9f );
		assert_true( gelLength( pair.force.friction ) <= pair.mu * pair.force.lambda * 1.0001f );
		if ( pair.mu == 0.0f ) assert_true( gelLength( gelSub( T0, T1 ) ) < 1e-6f );
		gelVec3 pa = GetMomentum( tets, before ), pb = GetMomentum( tets + 1, before + 1 );
		if ( pair.b.body >= 0 ) assert_true( gelLength( gelAdd( pa, pb ) ) < 1e-6f );
	}
	assert_true( activeCount > 50 && openCount > 50 );
}

// A bounce only above half a metre per second.
static void TestBounce( void** state )
{
	(void)state;
	for ( int fast = 0; fast < 2; ++fast )
	{
		Tet tet = { 0 };
		float speed = fast ? 2.0f : 0.3f, h = 0.01f;
		for ( int i = 0; i < NODES; ++i )
		{
			tet.invMasses[i] = 1.0f;
			tet.v[i] = ( gelVec3 ){ 0, -speed, 0 };
			tet.x[i] = gelMulAdd( tet.xOld[i], h, tet.v[i] );
		}
		gelContactBody body = MakeBody( &tet );
		gelContactPair pair = { .a = { 0, 0, { 0, 1, 2, 3 }, { 0.25f, 0.25f, 0.25f, 0.25f }, { 0, 0, 0 } },
			.b = { .body = -1 },
			.normal = { 0, 1, 0 },
			.restitution = 0.5f };
		assert_int_equal( gelContactPairs_Prepare( &pair, 1, &body, h ), 1 );
		gelContactPairs_Sweep( &pair, 1, &body );
		float after = gelContactPair_GetMove( &pair, &body ).y / h;
		assert_true( fabsf( after - ( fast ? 0.5f * speed : 0.0f ) ) < 1e-5f );
	}
}

// ---- a tet at rest on many contacts
// ------------------------------------------------------------------------

typedef struct Rest
{
	double depth, speed; // [m], rms over the last second [m/s]
	double energy;       // of the motion, the largest in the last second [J]
	gelVec3 x[NODES];
} Rest;

// One tet with stiff springs along its edges, dropped onto the floor y = 0, where `count` points of its lower
// face touch. The order in which the contacts are found is shuffled in every step.
static Rest DropTet( int count, bool isShared, uint64_t seed, bool useMemory )
{
	gelRandom random = { seed };
	Tet tet = { 0 };
	const gelVec3 rest[NODES] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 }, { 0.3f, 1, 0.3f } };
	for ( int i = 0; i < NODES; ++i )
	{
		tet.x[i] = gelAdd( rest[i], gelMakeVec3( 0, 0.1f, 0 ) );
		tet.invMasses[i] = i == 1 ? 0.1f : 1.0f; // heavier at one corner
	}
	gelContactBody body = MakeBody( &tet );
	static gelContactPair pairs[MAX_PAIRS];
	static gelContactMemory memory[MAX_PAIRS];
	int memoryCount = 0, nodeCount = NODES;
	const float h = 1.0f / 60.0f, slop = 1e-3f;
	Rest result = { 0 };
	for ( int step = 0; step < 600; ++step )
	{
		memcpy( tet.xOld, tet.x, sizeof( tet.x ) );
		for ( int i = 0; i < NODES; ++i )
		{
			tet.v[i].y -= h * 9.81f;
			tet.x[i] = gelMulAdd( tet.xOld[i], h, tet.v[i] );
		}
		// shape matching without a turn: the shape is kept about its centre of mass
		float total = 0;
		gelVec3 center = { 0, 0, 0 }, restCenter = { 0, 0, 0 };
		for ( int i = 0; i < NODES; ++i )
		{
			total += 1.0f / tet.invMasses[i];
			center = gelMulAdd( center, 1.0f / tet.invMasses[i], tet.x[i] );
			restCenter = gelMulAdd( restCenter, 1.0f / tet.invMasses[i], rest[i] );
		}
		gelVec3 shift = gelScale( 1.0f / total, gelSub( center, restCenter ) );
		for ( int i = 0; i < NODES; ++i )
			tet.x[i] = gelMulAdd( tet.x[i], 0.5f, gelSub( gelAdd( rest[i], shift ), tet.x[i] ) );

		gelRandom places = { 77 };
		for ( int i = 0; i < count; ++i )
		{
			gelContactPair pair = { .a = { .body = 0, .node = { 0, 1, 2, 3 } },
				.b = { .body = -1 },
				.normal = { 0, 1, 0 },
				.mu = 0.5f };
			double a = gelRandom_Uniform( &places, 0, 1 ), b = gelRandom_Uniform( &places, 0, 1 - a );
			if ( i < 3 ) a = i == 0, b = i == 1; // the corners always
			pair.a.w[0] = (float)a, pair.a.w[1] = (float)b, pair.a.w[2] = (float)( 1 - a - b );
			pair.feature = (uint64_t)i;
			for ( int k = 0; k < 3; ++k )
				pair.gap += pair.a.w[k] * tet.xOld[k].y;
			pairs[i] = pair;
		}
		for ( int i = count - 1; i > 0; --i ) // shuffle
		{
			int k = (int)( gelRandom_Next( &random ) % (uint64_t)( i + 1 ) );
			gelContactPair pair = pairs[i];
			pairs[i] = pairs[k];
			pairs[k] = pair;
		}
		int kept = gelContactPairs_Prepare( pairs, count, &body, h );
		if ( useMemory ) gelContactPairs_WarmStart( pairs, kept, &body, memory, memoryCount );
		for ( int sweep = 0; sweep < 8; ++sweep )
		{
			if ( isShared )
				gelContactPairs_SweepShared( pairs, kept, &body, &nodeCount, 1 );
			else
				gelContactPairs_Sweep( pairs, kept, &body );
		}
		gelContactPairs_Remember( pairs, kept, memory );
		memoryCount = kept;
		double speed2 = 0, energy = 0;
		for ( int i = 0; i < NODES; ++i )
		{
			tet.v[i] = gelScale( 1.0f / h, gelSub( tet.x[i], tet.xOld[i] ) );
			speed2 += (double)gelLengthSquared( tet.v[i] ) / NODES;
			energy += 0.5 * (double)gelLengthSquared( tet.v[i] ) / (double)tet.invMasses[i];
		}
		gelContactPairs_Stabilise( pairs, kept, &body, &nodeCount, 1, 0.3f, slop );
		if ( step >= 540 )
		{
			result.speed += speed2 / 60.0;
			result.energy = fmax( result.energy, energy );
		}
	}
	result.speed = sqrt( result.speed );
	for ( int i = 0; i < 3; ++i )
		result.depth = fmax( result.depth, -(double)tet.x[i].y );
	memcpy( result.x, tet.x, sizeof( tet.x ) );
	return result;
}

// 200 contacts in one tet are as calm as 4, and as deep.
static void TestRedundantContactsAreCalm( void** state )
{
	(void)state;
	const double slop = 1e-3, drop = 13.0 * 9.81 * 0.1;
	for ( int isShared = 0; isShared < 2; ++isShared )
	{
		Rest few = DropTet( 4, isShared == 1, 1, isShared == 1 ),
			 many = DropTet( 200, isShared == 1, 1, isShared == 1 );
		printf( "%s: 4 contacts %.2e m deep, %.2e m/s; 200 contacts %.2e m, %.2e m/s\n",
			isShared ? "shared" : "in turn", few.depth, few.speed, many.depth, many.speed );
		assert_true( few.depth < 2.0 * slop && many.depth < 2.0 * slop );
		assert_true( fabs( few.depth - many.depth ) < slop );
		assert_true( few.speed < 1e-3 && many.speed < 1e-3 );
		assert_true( few.energy < 1e-4 * drop && many.energy < 1e-4 * drop );
	}
}

static void TestOrderDoesNotMatter( void** state )
{
	(void)state;
	for ( int mode = 0; mode < 4; ++mode )
	{
		Rest a = DropTet( 50, mode & 1, 1, mode & 2 ), b = DropTet( 50, mode & 1, 999, mode & 2 );
		assert_memory_equal( a.x, b.x, sizeof( a.x ) );
	}
}

// What is hopeless is dropped: no normal, NaN, nothing that can be moved.
static void TestHopelessContacts( void** state )
{
	(void)state;
	gelRandom random = { 8 };
	Tet tet = MakeTet( &random ), fixed = MakeTet( &random );
	memset( fixed.invMasses, 0, sizeof( fixed.invMasses ) );
	gelContactBody bodies[2] = { MakeBody( &tet ), MakeBody( &fixed ) };
	gelContactPair pairs[5];
	for ( int i = 0; i < 5; ++i )
		pairs[i] = ( gelContactPair ){
			.a = MakeSide( &random, 0 ), .b = { .body = -1 }, .normal = { 0, 1, 0 }, .feature = (uint64_t)i
		};
	pairs[0].normal.y = 0.0f;
	pairs[1].normal.y = NAN;
	pairs[2].gap = INFINITY;
	pairs[3].a.body = 1;
	pairs[4].a.w[0] = 1e9f; // is clamped
	assert_int_equal( gelContactPairs_Prepare( pairs, 5, bodies, 0.01f ), 1 );
	assert_int_equal( pairs[0].feature, 4 );
	gelContactPairs_Sweep( pairs, 1, bodies );
	for ( int i = 0; i < NODES; ++i )
		assert_true( gelLength( tet.x[i] ) < 10.0f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestLoneContact ),
		cmocka_unit_test( TestBounce ),
		cmocka_unit_test( TestRedundantContactsAreCalm ),
		cmocka_unit_test( TestOrderDoesNotMatter ),
		cmocka_unit_test( TestHopelessContacts ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
