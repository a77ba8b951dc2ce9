// SPDX-License-Identifier: MIT
// Contacts of one body as a dense matrix: the laws hold afterwards whatever the matrix, the impulses are
// those of a slow twin where these are determined, and all instruction sets give the same bits.
#include "test_support.h"

#include "contact/response/lone_contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT  11
#define CASES  60
#define ROWS   ( 3 * COUNT )
#define FLOATS 20000

static const gelSimdLevel s_levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdNeon,
	gel_simdAvx512 };

// A body that lies: rigid motion, and compliance that fades away from each point. Or anything, also what no
// body would do.
static void MakeRoots( gelRandom* random, bool isBody, double b[ROWS][ROWS] )
{
	double soft = pow( 10.0, gelRandom_Uniform( random, -2.0, 0.0 ) ), place[COUNT][2];
	for ( int i = 0; i < 2 * COUNT; ++i )
		place[i / 2][i % 2] = gelRandom_Uniform( random, -1.0, 1.0 );
	for ( int i = 0; i < ROWS * ROWS; ++i )
	{
		int row = i / ROWS, column = i % ROWS, p = row % COUNT, q = column % COUNT;
		double away = hypot( place[p][0] - place[q][0], place[p][1] - place[q][1] );
		double fading = row / COUNT == column / COUNT ? exp( -1.0 * away ) : 0.0;
		b[row][column] = soft * ( isBody ? fading : gelRandom_Uniform( random, -1.0, 1.0 ) );
		if ( row < 3 ) b[row][column] += column / COUNT == row ? 0.3 : 0.0;
	}
}

// A symmetric positive definite matrix; gaps and slips; friction and old forces.
static gelLoneContacts MakeProblem( float* floats, uint64_t seed )
{
	gelRandom random = { seed };
	gelLoneContacts c = gelLayOutLone( floats, COUNT );
	bool isBody = seed % 2 == 0;
	double b[ROWS][ROWS];
	MakeRoots( &random, isBody, b );
	memset( c.matrix, 0, 9 * COUNT * (size_t)c.stride * sizeof( float ) );
	for ( int i = 0; i < ROWS; ++i )
	{
		for ( int j = 0; j < ROWS; ++j )
		{
			double sum = i == j ? ( isBody ? 1e-5 : 1e-3 ) : 0.0;
			for ( int k = 0; k < ROWS; ++k )
				sum += b[k][i] * b[k][j];
			c.matrix[( 3 * ( j % COUNT ) + j / COUNT ) * 3 * c.stride + i / COUNT * c.stride + i % COUNT] =
				(float)sum;
		}
	}
	for ( int i = 0; i < COUNT; ++i )
	{
		const float* own = c.matrix + (size_t)9 * (size_t)c.stride * (size_t)i + i;
		float tt = own[4 * c.stride], ss = own[8 * c.stride], ts = own[5 * c.stride];
		c.invs[i] = i == 5 ? 0.0f : 1.0f / own[0]; // one takes no part
		c.invs[c.stride + i] = 1.0f / ( 0.5f * ( tt + ss ) + hypotf( 0.5f * ( tt - ss ), ts ) );
		c.mu[i] = (float)( isBody ? 4.0 : gelRandom_Uniform( &random, 0.0, 0.8 ) );
		double size = isBody ? 1e-5 : 1e-3; // slips that bodies begin with [m]
		for ( int k = 0; k < 3; ++k )
			c.moves[k * c.stride + i] = (float)gelRandom_Uniform(
				&random, k == 0 ? -1e-3 : -size, k == 0 ? ( isBody ? -9e-4 : 1e-4 ) : size );
		c.forces[i] = i % 3 == 0 ? (float)gelRandom_Uniform( &random, 0.0, 1e-3 ) : 0.0f;
	}
	return c;
}

// How far the laws are from holding for a contact [m].
static double GetWrong( const gelLoneContacts* c, int i )
{
	int t = c->stride + i, s = 2 * c->stride + i;
	if ( c->invs[i] == 0.0f ) return 0.0;
	double force = (double)c->forces[i], height = (double)c->moves[i];
	double scale = 1.0 / (double)c->invs[i], side = 1.0 / (double)c->invs[c->stride + i];
	double wrong = fabs( fmax( force - height / scale, 0.0 ) - force ) * scale;
	double ft = (double)c->forces[t] - (double)c->moves[t] / side;
	double fs = (double)c->forces[s] - (double)c->moves[s] / side;
	double bound = (double)c->mu[i] * force, length = hypot( ft, fs );
	double part = length > bound ? bound / length : 1.0;
	double rub = hypot( part * ft - (double)c->forces[t], part * fs - (double)c->forces[s] ) * side;
	return fmax( wrong, rub );
}

static double GetWorst( const gelLoneContacts* c )
{
	double worst = 0.0;
	for ( int i = 0; i < COUNT; ++i )
		worst = fmax( worst, GetWrong( c, i ) );
	return worst;
}

// Moves are what they were plus the matrix times the change of the forces.
static void CheckMoves( const gelLoneContacts* c, const gelLoneContacts* before )
{
	for ( int row = 0; row < 3 * c->stride; ++row )
	{
		double sum = (double)before->moves[row], size = fabs( sum );
		for ( int k = 0; k < ROWS; ++k )
		{
			int at = k % 3 * c->stride + k / 3;
			double term = (double)c->matrix[3 * c->stride * k + row] *
				( (double)c->forces[at] - (double)before->forces[at] );
			sum += term;
			size += fabs( term );
		}
		assert_float_equal( c->moves[row], sum, 1e-5 * size + 1e-9 );
	}
}

static void TestLaws( void** state )
{
	(void)state;
	float* floats = aligned_alloc( 64, FLOATS * sizeof( float ) );
	float* first = aligned_alloc( 64, FLOATS * sizeof( float ) );
	assert_true( gelCountLoneFloats( COUNT ) <= FLOATS );
	const gelLoneKernels* kernels = gelGetLoneKernels( gelFindSimdLevel( gel_simdAutomatic ) );
	int solved = 0, sooner = 0;
	for ( uint64_t seed = 1; seed <= CASES; ++seed )
	{
		gelLoneContacts before = MakeProblem( first, seed ), c = MakeProblem( floats, seed );
		gelIterateLone( &c, kernels, 1e-9f );
		CheckMoves( &c, &before );
		double worst = GetWorst( &c );
		// as many sweeps without solves
		gelLoneContacts swept = MakeProblem( first, seed );
		for ( int i = 0; i < 60; ++i )
			kernels->sweep( &swept );
		solved += worst < 2e-6;
		sooner += worst < 2e-6 && GetWorst( &swept ) > 2e-6;
	}
	print_message(
		"%d of %d cases solved to 2e-6 m, %d of them not by sweeps alone\n", solved, CASES, sooner );
	assert_true( solved == CASES && sooner > CASES / 10 );
	free( floats );
	free( first );
}

static void TestSameBits( void** state )
{
	(void)state;
	float* floats = aligned_alloc( 64, FLOATS * sizeof( float ) );
	float* first = aligned_alloc( 64, FLOATS * sizeof( float ) );
	const gelLoneKernels* base = gelGetLoneKernels( gelGetBaseLevel() );
	for ( size_t l = 0; l < sizeof( s_levels ) / sizeof( s_levels[0] ); ++l )
	{
		if ( gelFindSimdLevel( s_levels[l] ) != s_levels[l] ) continue;
		for ( uint64_t seed = 1; seed <= 10; ++seed )
		{
			gelLoneContacts a = MakeProblem( first, seed ), b = MakeProblem( floats, seed );
			gelIterateLone( &a, base, 1e-9f );
			gelIterateLone( &b, gelGetLoneKernels( s_levels[l] ), 1e-9f );
			assert_memory_equal( a.moves, b.moves, 6 * (size_t)a.stride * sizeof( float ) );
			gelVec3 axis = { 0.3f, -0.2f, 0.9f }, turn = { 1.1f, 0.4f, -0.7f }, free = { -0.6f, 0.8f, 0.2f };
			for ( int i = 0; i < 27 * a.stride; ++i )
				a.axes[i] = b.axes[i] = sinf( (float)i );
			base->fillColumn( &a, a.moves, axis, turn, free, a.matrix );
			gelGetLoneKernels( s_levels[l] )->fillColumn( &b, b.moves, axis, turn, free, b.matrix );
			assert_memory_equal( a.matrix, b.matrix, 3 * (size_t)a.stride * sizeof( float ) );
		}
	}
	free( floats );
	free( first );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestLaws ),
		cmocka_unit_test( TestSameBits ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
