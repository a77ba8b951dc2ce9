// SPDX-License-Identifier: MIT
// The same linear system solved by CHOLMOD, simplicial and supernodal.
#include "step_bench.h"

#include "asset/asset.h"

#include <cholmod.h>

typedef struct gelCholmodRun
{
	cholmod_common common;
	cholmod_factor* L;
	cholmod_dense *b, *x, *Y, *E;
} gelCholmodRun;

static void Solve( void* context )
{
	gelCholmodRun* run = context;
	cholmod_solve2( CHOLMOD_A, run->L, run->b, NULL, &run->x, NULL, &run->Y, &run->E, &run->common );
}

// Lower triangle of A_ij = delta_ij m_i + sum of 2 h^2 mu V (g_i . g_j); CHOLMOD adds the terms.
static cholmod_sparse* Assemble( const gelPackView* pack, double h, cholmod_common* common )
{
	size_t n = pack->header->nodeCount, terms = n + 10 * (size_t)pack->header->tetCount;
	cholmod_triplet* t = cholmod_allocate_triplet( n, n, terms, -1, CHOLMOD_REAL, common );
	int *rows = t->i, *columns = t->j;
	double* values = t->x;
	for ( size_t i = 0; i < n; ++i )
	{
		rows[t->nnz] = columns[t->nnz] = (int)i;
		values[t->nnz++] = pack->masses[i].mass;
	}
	for ( uint32_t k = 0; k < pack->header->tetCount; ++k )
	{
		const gelPackTetRest* rest = pack->tetRests + k;
		double c = 2.0 * h * h * pack->materials[rest->material].mu * rest->volume, g[4][3] = { { 0 } };
		for ( int i = 0; i < 9; ++i )
		{
			g[i / 3 + 1][i % 3] = rest->invDm[i];
			g[0][i % 3] -= rest->invDm[i];
		}
		for ( int i = 0; i < 16; ++i )
		{
			uint32_t row = pack->tets[k].node[i / 4], column = pack->tets[k].node[i % 4];
			if ( row < column || ( i / 4 < i % 4 && row == column ) ) continue;
			rows[t->nnz] = (int)row;
			columns[t->nnz] = (int)column;
			values[t->nnz++] =
				c * ( g[i / 4][0] * g[i % 4][0] + g[i / 4][1] * g[i % 4][1] + g[i / 4][2] * g[i % 4][2] );
		}
	}
	cholmod_sparse* A = cholmod_triplet_to_sparse( t, 0, common );
	cholmod_free_triplet( &t, common );
	return A;
}

static double Measure(
	gelBench* bench, const gelPackView* pack, double h, int supernodal, double* outNonzeros )
{
	gelCholmodRun run = { 0 };
	cholmod_start( &run.common );
	run.common.supernodal = supernodal;
	run.common.nmethods = 1;
	run.common.method[0].ordering = CHOLMOD_METIS;
	run.common.postorder = 1;
	run.common.final_ll = 1;
	cholmod_sparse* A = Assemble( pack, h, &run.common );
	run.L = cholmod_analyze( A, &run.common );
	cholmod_factorize( A, run.L, &run.common );
	run.b = cholmod_ones( A->nrow, 3, CHOLMOD_REAL, &run.common );
	double seconds = gelBench_Best( bench, Solve, &run );
	*outNonzeros = run.common.lnz;
	cholmod_free_dense( &run.b, &run.common );
	cholmod_free_dense( &run.x, &run.common );
	cholmod_free_dense( &run.Y, &run.common );
	cholmod_free_dense( &run.E, &run.common );
	cholmod_free_factor( &run.L, &run.common );
	cholmod_free_sparse( &A, &run.common );
	cholmod_finish( &run.common );
	return seconds;
}

bool gelMeasureCholmod( gelBench* bench, const gelAsset* asset, float step, gelCholmodTimes* out )
{
	double unused;
	out->simplicial = Measure( bench, &asset->pack, step, CHOLMOD_SIMPLICIAL, &out->nonzeros );
	out->supernodal = Measure( bench, &asset->pack, step, CHOLMOD_SUPERNODAL, &unused );
	return true;
}
