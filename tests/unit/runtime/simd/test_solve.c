// SPDX-License-Identifier: MIT
// The supernodal float solve against a dense double Cholesky of the matrix that the factor stands for.
#include "test_support.h"

#include "asset/asset.h"
#include "stage.h"
#include "simd/supernodal_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A in the order of the factor: m_i + sum over tets of 2 h^2 mu V (g_i . g_j), pinned rows left out.
static double* AssembleDense( const gelAsset* asset, const gelPackFactorView* factor, double h )
{
	const gelPackView* pack = &asset->pack;
	size_t n = factor->header->n;
	double* a = calloc( n * n, sizeof( double ) );
	size_t* rowOf = malloc( (size_t)asset->nodeCount * sizeof( size_t ) );
	assert_true( a && rowOf );
	for ( int i = 0; i < asset->nodeCount; ++i )
		rowOf[i] = SIZE_MAX;
	for ( size_t row = 0; row < n; ++row )
	{
		rowOf[factor->perm[row]] = row;
		a[row * n + row] = pack->masses[factor->perm[row]].mass;
	}
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		const gelPackTetRest* rest = pack->tetRests + t;
		double c = 2.0 * h * h * pack->materials[rest->material].mu * rest->volume, g[4][3] = { { 0 } };
		for ( int k = 0; k < 3; ++k )
		{
			for ( int d = 0; d < 3; ++d )
			{
				g[k + 1][d] = rest->invDm[3 * k + d];
				g[0][d] -= g[k + 1][d];
			}
		}
		for ( int i = 0; i < 4; ++i )
		{
			for ( int j = 0; j < 4; ++j )
			{
				size_t ri = rowOf[pack->tets[t].node[i]], rj = rowOf[pack->tets[t].node[j]];
				if ( ri == SIZE_MAX || rj == SIZE_MAX ) continue;
				a[ri * n + rj] += c * ( g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2] );
			}
		}
	}
	free( rowOf );
	return a;
}

// Cholesky in place (lower), then both triangular solves.
static void SolveDense( double* a, size_t n, double* b )
{
	for ( size_t j = 0; j < n; ++j )
	{
		for ( size_t k = 0; k < j; ++k )
		{
			for ( size_t i = j; i < n; ++i )
				a[i * n + j] -= a[i * n + k] * a[j * n + k];
		}
		double d = sqrt( a[j * n + j] );
		for ( size_t i = j; i < n; ++i )
			a[i * n + j] /= d;
	}
	for ( size_t i = 0; i < n; ++i )
	{
		for ( size_t k = 0; k < i; ++k )
			b[i] -= a[i * n + k] * b[k];
		b[i] /= a[i * n + i];
	}
	for ( size_t i = n; i-- > 0; )
	{
		for ( size_t k = i + 1; k < n; ++k )
			b[i] -= a[k * n + i] * b[k];
		b[i] /= a[i * n + i];
	}
}

static void CompareWithDense( bool pinned, double youngsModulus )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 5;
	def.cells[1] = 4;
	def.youngsModulus = youngsModulus;
	def.pinLeft = pinned;
	gelStage stage = gelMakeStage( &def );
	uint64_t pinSet = 0;
	gelAsset_GetPinSets( stage.asset, &pinSet, 1 );
	gelPackFactorView factor;
	assert_true( gelAsset_FindFactor( stage.asset, stage.step, pinSet, &factor ) );
	size_t n = factor.header->n;
	assert_true( factor.header->superCount > 1 && factor.header->superCount < n ); // real panels
	float* y = malloc( 3 * n * sizeof( float ) );
	double* b = malloc( n * sizeof( double ) );
	assert_true( y && b );
	gelRandom random = { 21 };
	for ( size_t i = 0; i < 3 * n; ++i )
		y[i] = (float)gelRandom_Uniform( &random, -1.0, 1.0 );
	for ( int column = 0; column < 3; ++column )
	{
		float* solved = malloc( 3 * n * sizeof( float ) );
		assert_non_null( solved );
		memcpy( solved, y, 3 * n * sizeof( float ) );
		gelSolveFactor_Ref( &factor, solved );
		double* a = AssembleDense( stage.asset, &factor, stage.step );
		double size = 0.0, worst = 0.0;
		for ( size_t i = 0; i < n; ++i )
			b[i] = y[3 * i + (size_t)column];
		SolveDense( a, n, b );
		for ( size_t i = 0; i < n; ++i )
		{
			size = fmax( size, fabs( b[i] ) );
			worst = fmax( worst, fabs( b[i] - solved[3 * i + (size_t)column] ) );
		}
		assert_true( worst < 1e-5 * size );
		free( a );
		free( solved );
	}
	free( b );
	free( y );
	gelFreeStage( &stage );
}

static void TestEqualsDenseCholesky( void** state )
{
	(void)state;
	CompareWithDense( false, 1e5 );
	CompareWithDense( true, 1e5 );
	CompareWithDense( true, 1e6 );
}

// Each of x, y and z gives the same bits whatever the other two are.
static void TestColumnsAreIndependent( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelPackFactorView factor;
	assert_true( gelAsset_FindFactor( stage.asset, stage.step, 0, &factor ) );
	size_t n = factor.header->n;
	float* full = calloc( 3 * n, sizeof( float ) );
	float* single = calloc( 3 * n, sizeof( float ) );
	assert_true( full && single );
	for ( size_t column = 0; column < 3; ++column )
	{
		gelRandom random = { 22 };
		memset( single, 0, 3 * n * sizeof( float ) );
		for ( size_t i = 0; i < 3 * n; ++i )
		{
			full[i] = (float)gelRandom_Uniform( &random, -1.0, 1.0 );
			if ( i % 3 == column ) single[i] = full[i];
		}
		gelSolveFactor_Ref( &factor, full );
		gelSolveFactor_Ref( &factor, single );
		for ( size_t i = 0; i < 3 * n; ++i )
		{
			if ( i % 3 == column )
				assert_memory_equal( full + i, single + i, sizeof( float ) );
			else
				assert_true( single[i] == 0.0f );
		}
	}
	free( full );
	free( single );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestEqualsDenseCholesky ),
		cmocka_unit_test( TestColumnsAreIndependent ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
