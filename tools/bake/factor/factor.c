// SPDX-License-Identifier: MIT
// The system matrix of the fast corotated solver (Kugelstadt, Koschier, Bender 2018, Alg. 1) and its Cholesky
// factor. With g_i the gradients of a tet's shape functions, the matrix is the same scalar one for x, y and
// z:
//   A_ij = delta_ij m_i + sum over tets of 2 h^2 mu V (g_i . g_j)          [kg]
// CHOLMOD's simplicial factorization is used: it calls no BLAS, so the bytes do not depend on the processor.
#include "bake/factor/factor_passes.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <cholmod.h>

// Below this ratio of pivots a factor in float loses the small ones altogether.
#define GEL_MIN_PIVOT_RATIO 1e-7

// Rounding L to float leaves about 1e-7. More than this means that the factor is not one of this matrix.
#define GEL_MAX_RESIDUAL 1e-5

// Gradients from the rounded inverse rest matrices of the pack, not from the nodes: so the matrix is that of
// the pack's own numbers and can be rebuilt from it. Shape functions sum to one, so their gradients sum to
// zero.
static void GetGradients( const gelPackTetRest* rest, double g[4][3] )
{
	for ( int c = 0; c < 3; ++c )
	{
		g[0][c] = 0.0;
		for ( int k = 1; k < 4; ++k )
		{
			g[k][c] = (double)rest->invDm[3 * ( k - 1 ) + c];
			g[0][c] -= g[k][c];
		}
	}
}

gelBakeMatrix gelAssembleMatrix( const gelBakeCage* cage, const gelBakeGather* gather,
	const gelBakeRest* rest, const gelPackMaterial* materials, const gelPackMass* masses,
	const gelBakeGraph* graph, double step, gelBakePool* pool )
{
	GEL_ASSERT( step > 0.0 && graph->n <= cage->nodeCount );
	gelBakeMatrix A = { .n = graph->n };
	size_t capacity = (size_t)graph->n + graph->neighborFirst[graph->n] / 2;
	A.columnFirst = gelBakePool_Alloc( pool, (size_t)graph->n + 1, sizeof( int ) );
	A.rows = gelBakePool_Alloc( pool, capacity, sizeof( int ) );
	A.values = gelBakePool_Alloc( pool, capacity, sizeof( double ) );
	// The factor 2: the energy density mu |F - R|^2 has the second derivative 2 mu.
	const double scale = 2.0 * step * step;

	gelBakePool scratch = { NULL };
	double* column = gelBakePool_Alloc( &scratch, graph->n, sizeof( double ) );
	int count = 0;
	for ( uint32_t j = 0; j < graph->n; ++j )
	{
		// gather the column from the tets around its node, in their order
		uint32_t node = graph->freeToNode[j];
		for ( uint32_t k = gather->nodeFirst[node]; k < gather->nodeFirst[node + 1]; ++k )
		{
			uint32_t t = gather->corners[k] / 4, corner = gather->corners[k] % 4;
			const gelPackTetRest* tet = rest->tets + t;
			double g[4][3], weight = scale * (double)materials[tet->material].mu * (double)tet->volume;
			GetGradients( tet, g );
			for ( int c = 0; c < 4; ++c )
			{
				uint32_t i = graph->nodeToFree[cage->tets[t].node[c]];
				// Pinned nodes have no rows, and the upper triangle is not stored. What pinned nodes do to
				// free ones moves to the right-hand side at run time.
				if ( i == GEL_NO_INDEX || i < j ) continue;
				column[i] +=
					weight * ( g[corner][0] * g[c][0] + g[corner][1] * g[c][1] + g[corner][2] * g[c][2] );
			}
		}
		A.rows[count] = (int)j;
		A.values[count++] = (double)masses[node].mass + column[j];
		column[j] = 0.0;
		for ( uint32_t k = graph->neighborFirst[j]; k < graph->neighborFirst[j + 1]; ++k )
		{
			// right-angled cells give exact zeros; they stay, so that the pattern depends on the tets alone
			uint32_t i = graph->neighbors[k];
			if ( i < j ) continue;
			A.rows[count] = (int)i;
			A.values[count++] = column[i];
			column[i] = 0.0;
		}
		A.columnFirst[j + 1] = count;
	}
	gelFreeBakePool( &scratch );
	return A;
}

static void StartCholmod( cholmod_common* common )
{
	if ( !cholmod_start( common ) || common->status == CHOLMOD_OUT_OF_MEMORY )
		gelExitWithoutMemory( sizeof( *common ), "use a coarser cage" );
	common->print = 0;
	// LL^T, not LDL^T: the runtime multiplies with both halves and has no step for D. Packed and monotonic
	// columns are what gelFormSupernodes reads.
	common->supernodal = CHOLMOD_SIMPLICIAL;
	common->final_ll = 1;
	common->final_pack = 1;
	common->final_monotonic = 1;
	common->nmethods = 1;
	common->method[0].ordering = CHOLMOD_GIVEN;
	common->postorder = 1; // puts the columns of a supernode side by side
}

// @return NULL when CHOLMOD failed; else a factor whose minor is n when A is positive definite
static cholmod_factor* Factorize( const gelBakeMatrix* matrix, const uint32_t* order, cholmod_common* common )
{
	GEL_ASSERT( matrix->columnFirst[0] == 0 );
	cholmod_sparse A = { 0 };
	A.nrow = A.ncol = matrix->n;
	A.nzmax = (size_t)matrix->columnFirst[matrix->n];
	A.p = matrix->columnFirst;
	A.i = matrix->rows;
	A.x = matrix->values;
	A.stype = -1; // lower triangle
	A.itype = CHOLMOD_INT;
	A.xtype = CHOLMOD_REAL;
	A.dtype = CHOLMOD_DOUBLE;
	A.sorted = 1;
	A.packed = 1;
	gelBakePool pool = { NULL };
	int* perm = gelBakePool_Alloc( &pool, matrix->n, sizeof( int ) );
	for ( uint32_t i = 0; i < matrix->n; ++i )
		perm[i] = (int)order[i];
	cholmod_factor* L = cholmod_analyze_p( &A, perm, NULL, 0, common );
	if ( L != NULL ) cholmod_factorize( &A, L, common );
	if ( common->status == CHOLMOD_OUT_OF_MEMORY )
		gelExitWithoutMemory( A.nzmax * sizeof( double ), "use a coarser cage" );
	gelFreeBakePool( &pool );
	if ( L != NULL && common->status < 0 ) cholmod_free_factor( &L, common );
	return L;
}

gelFactorStatus gelFactorMatrix( const gelBakeMatrix* matrix, const gelBakeGraph* graph,
	const uint32_t* order, gelBakePool* pool, gelBakeFactor* out )
{
	GEL_ASSERT( matrix->n > 0 && matrix->n == graph->n );
	cholmod_common common;
	StartCholmod( &common );
	cholmod_factor* L = Factorize( matrix, order, &common );
	gelFactorStatus status = gel_factorOk;
	if ( L == NULL )
	{
		status = gel_factorLibrary;
	}
	else if ( common.status == CHOLMOD_NOT_POSDEF || L->minor < L->n )
	{
		status = gel_factorNotPositive;
	}
	else
	{
		gelBakeColumns columns = { matrix->n, L->p, L->nz, L->i, L->x };
		if ( !gelFormSupernodes( &columns, pool, out ) ) status = gel_factorTooLarge;
		// Diagonals of L are roots of pivots.
		double ratio = out->minDiagonal / out->maxDiagonal;
		if ( status == gel_factorOk && !( ratio * ratio >= GEL_MIN_PIVOT_RATIO ) )
			status = gel_factorConditioned;
	}
	if ( status == gel_factorOk )
	{
		out->patternHash = graph->patternHash;
		out->perm = gelBakePool_Alloc( pool, matrix->n, sizeof( uint32_t ) );
		for ( uint32_t i = 0; i < matrix->n; ++i )
		{
			out->perm[i] = (uint32_t)( (const int*)L->Perm )[i]; // free nodes until the residual is known
		}
		cholmod_free_factor( &L, &common );
		out->residual = gelMeasureResidual( out, matrix, out->perm );
		if ( !( out->residual <= GEL_MAX_RESIDUAL ) ) status = gel_factorConditioned;
		for ( uint32_t i = 0; i < matrix->n; ++i )
			out->perm[i] = graph->freeToNode[out->perm[i]];
	}
	cholmod_free_factor( &L, &common );
	cholmod_finish( &common );
	return status;
}
