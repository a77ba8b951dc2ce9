// SPDX-License-Identifier: MIT
// What the warp-cancelling solver is measured against: a whole factorization of the same matrix by CHOLMOD,
// and the peak of a core in single precision.
#include "warp_bench.h"

#include "asset/asset.h"
#include "solvers/warp/warp_factor.h"

#include <cholmod.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

double gelGetCpuSeconds( void )
{
	struct timespec t;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct gelRefactorRun
{
	cholmod_common common;
	cholmod_sparse* A;
	cholmod_factor* L;
	cholmod_dense *b, *x, *Y, *E;
} gelRefactorRun;

// Once per step: all numbers of the factor anew, then one right-hand side.
static void Refactor( void* context )
{
	gelRefactorRun* run = context;
	cholmod_factorize( run->A, run->L, &run->common );
	cholmod_solve2( CHOLMOD_A, run->L, run->b, NULL, &run->x, NULL, &run->Y, &run->E, &run->common );
}

// Lower triangle of M + h^2 K at rest, three scalars per node that is not pinned.
static cholmod_sparse* Assemble(
	const gelPackView* pack, const gelWarpTree* tree, float h, cholmod_common* common )
{
	size_t n = 3 * (size_t)tree->n;
	int* columns = malloc( pack->header->nodeCount * sizeof( int ) );
	for ( uint32_t i = 0; i < pack->header->nodeCount; ++i )
		columns[i] = -1;
	for ( uint32_t c = 0; c < tree->n; ++c )
		columns[tree->perm[c]] = (int)c;
	size_t terms = n + 9 * 16 * (size_t)pack->header->tetCount;
	cholmod_triplet* t = cholmod_allocate_triplet( n, n, terms, -1, CHOLMOD_REAL, common );
	int *rows = t->i, *cols = t->j;
	double* values = t->x;
	for ( size_t i = 0; i < n; ++i )
	{
		rows[t->nnz] = cols[t->nnz] = (int)i;
		values[t->nnz++] = pack->masses[tree->perm[i / 3]].mass;
	}
	const gelQuat turns[4] = { gelIdentityQuat(), gelIdentityQuat(), gelIdentityQuat(), gelIdentityQuat() };
	for ( uint32_t k = 0; k < pack->header->tetCount; ++k )
	{
		gelMat3 blocks[10];
		gelMakeWarpElement( pack, k, turns, h * h, blocks );
		for ( int i = 0, block = 0; i < 4; ++i )
		{
			for ( int j = 0; j <= i; ++j, ++block )
			{
				int row = columns[pack->tets[k].node[i]], column = columns[pack->tets[k].node[j]];
				if ( row < 0 || column < 0 ) continue;
				const float* m = &blocks[block].cx.x; // by columns
				for ( int e = 0; e < 9; ++e )
				{
					int r = 3 * row + e % 3, c = 3 * column + e / 3;
					if ( row == column && r < c ) continue;
					rows[t->nnz] = r > c ? r : c;
					cols[t->nnz] = r > c ? c : r;
					values[t->nnz++] = m[e];
				}
			}
		}
	}
	cholmod_sparse* A = cholmod_triplet_to_sparse( t, 0, common );
	cholmod_free_triplet( &t, common );
	free( columns );
	return A;
}

double gelMeasureRefactor( gelBench* bench, const gelAsset* asset, const gelWarpTree* tree, float step )
{
	gelRefactorRun run = { 0 };
	cholmod_start( &run.common );
	run.common.supernodal = CHOLMOD_SUPERNODAL;
	run.common.nmethods = 1;
	run.common.method[0].ordering = CHOLMOD_METIS;
	run.A = Assemble( &asset->pack, tree, step, &run.common );
	run.L = cholmod_analyze( run.A, &run.common );
	run.b = cholmod_ones( run.A->nrow, 1, CHOLMOD_REAL, &run.common );
	// CPU time, as that of the steps it is compared with
	double seconds = INFINITY, spent = 0.0, budget = bench->quick ? 0.02 : 1.5;
	Refactor( &run );
	for ( int i = 0; i < 3 || spent < budget; ++i )
	{
		double start = gelGetCpuSeconds();
		Refactor( &run );
		double taken = gelGetCpuSeconds() - start;
		spent += taken;
		seconds = fmin( seconds, taken );
	}
	cholmod_free_dense( &run.b, &run.common );
	cholmod_free_dense( &run.x, &run.common );
	cholmod_free_dense( &run.Y, &run.common );
	cholmod_free_dense( &run.E, &run.common );
	cholmod_free_factor( &run.L, &run.common );
	cholmod_free_sparse( &run.A, &run.common );
	cholmod_finish( &run.common );
	return seconds;
}

// ---- peak ------------------------------------------------------------------------------------------------

#if defined( __GNUC__ ) && defined( __x86_64__ )

#include <immintrin.h>

#define GEL_PEAK_CHAINS 12
#define GEL_PEAK_ROUNDS 20000

__attribute__( ( target( "avx512f" ) ) ) static void MultiplyWide( void* context )
{
	__m512 a[GEL_PEAK_CHAINS], x = _mm512_set1_ps( 0.999f ), y = _mm512_set1_ps( 1e-3f );
	for ( int i = 0; i < GEL_PEAK_CHAINS; ++i )
		a[i] = _mm512_set1_ps( (float)i );
	for ( int k = 0; k < GEL_PEAK_ROUNDS; ++k )
	{
#pragma GCC unroll 12
		for ( int i = 0; i < GEL_PEAK_CHAINS; ++i )
			a[i] = _mm512_fmadd_ps( a[i], x, y );
	}
	for ( int i = 1; i < GEL_PEAK_CHAINS; ++i )
		a[0] = _mm512_add_ps( a[0], a[i] );
	_mm512_storeu_ps( context, a[0] );
}

__attribute__( ( target( "avx2,fma" ) ) ) static void Multiply( void* context )
{
	__m256 a[GEL_PEAK_CHAINS], x = _mm256_set1_ps( 0.999f ), y = _mm256_set1_ps( 1e-3f );
	for ( int i = 0; i < GEL_PEAK_CHAINS; ++i )
		a[i] = _mm256_set1_ps( (float)i );
	for ( int k = 0; k < GEL_PEAK_ROUNDS; ++k )
	{
#pragma GCC unroll 12
		for ( int i = 0; i < GEL_PEAK_CHAINS; ++i )
			a[i] = _mm256_fmadd_ps( a[i], x, y );
	}
	for ( int i = 1; i < GEL_PEAK_CHAINS; ++i )
		a[0] = _mm256_add_ps( a[0], a[i] );
	_mm256_storeu_ps( context, a[0] );
}

double gelMeasurePeak( gelBench* bench )
{
	float sink[16];
	double best = 0.0, operations = 2.0 * GEL_PEAK_CHAINS * GEL_PEAK_ROUNDS;
	if ( __builtin_cpu_supports( "avx512f" ) )
		best = 16.0 * operations / gelBench_Best( bench, MultiplyWide, sink );
	if ( __builtin_cpu_supports( "avx2" ) && __builtin_cpu_supports( "fma" ) )
	{
		double narrow = 8.0 * operations / gelBench_Best( bench, Multiply, sink );
		best = narrow > best ? narrow : best;
	}
	return best;
}

#else

double gelMeasurePeak( gelBench* bench )
{
	(void)bench;
	return 0.0;
}

#endif
