// SPDX-License-Identifier: MIT
// Does a factor belong to its body? The system matrix
//
//     A_ij = delta_ij m_i + sum over tets of 2 h^2 mu V (g_i . g_j)     [kg]  (Kugelstadt et al. 2018)
//
// is rebuilt in double from the numbers of the pack, its pattern is hashed, and A x is compared with
// L (L^T x) for random x. The stored L is a double factor rounded to float: |dL| <= 2^-24 |L| entry by entry,
// so that row i of the difference is at most (2 * 2^-24) (|L| |L^T| |x|)_i. That bound needs no norm and no
// condition number and holds row by row, so a wrong entry shows in a body of any size.
//
// Written apart from the bake on purpose, with other loops and without CHOLMOD: a check that shared the code
// of what it checks would share its mistakes. L L^T is never formed; three random vectors miss a wrong entry
// only if it happens to be multiplied by almost nothing three times.
#include "inspect/verify.h"

#include "pack/pack_write.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_ROW      UINT32_MAX
#define TRIAL_COUNT 3

// Lower triangle of A by columns over the free nodes in ascending order, diagonal first.
typedef struct Matrix
{
	uint32_t n;
	uint32_t* rowOfNode;   // [nodeCount], NO_ROW: pinned
	uint32_t* columnFirst; // [n + 1]
	uint32_t* rows;
	double* values;
} Matrix;

static void FreeMatrix( Matrix* a )
{
	free( a->rowOfNode );
	free( a->columnFirst );
	free( a->rows );
	free( a->values );
}

static int CompareRows( const void* left, const void* right )
{
	uint32_t a = *(const uint32_t*)left, b = *(const uint32_t*)right;
	return ( a > b ) - ( a < b );
}

// Rows are free nodes, ascending, as in the bake: the hash of the pattern depends on that order.
static bool NumberFreeNodes( Matrix* a, const gelPackView* view, uint64_t pinSetId )
{
	uint32_t nodeCount = view->header->nodeCount;
	// The array is a mark first (NO_ROW: pinned) and a number afterwards.
	a->rowOfNode = calloc( nodeCount, sizeof( uint32_t ) );
	if ( a->rowOfNode == NULL ) return false;
	const gelPackSection* pins = pinSetId ? gelPack_FindSection( view, GEL_SECTION_PINS, pinSetId ) : NULL;
	const uint32_t* pinned = pins ? (const uint32_t*)( view->bytes + pins->offset ) : NULL;
	for ( uint32_t i = 0; pins != NULL && i < pins->count; ++i )
		a->rowOfNode[pinned[i]] = NO_ROW;
	for ( uint32_t i = 0; i < nodeCount; ++i )
	{
		if ( a->rowOfNode[i] != NO_ROW ) a->rowOfNode[i] = a->n++;
	}
	return true;
}

// Rows below or on the diagonal in the column of a node, unsorted and with repeats. @return how many
static uint32_t CollectRows( const Matrix* a, const gelPackView* view, uint32_t node, uint32_t* out )
{
	GEL_ASSERT( node < view->header->nodeCount );
	uint32_t count = 0, column = a->rowOfNode[node];
	for ( uint32_t i = view->gatherFirst[node]; i < view->gatherFirst[node + 1]; ++i )
	{
		const gelPackTet* tet = view->tets + view->gatherCorners[i] / 4;
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t row = a->rowOfNode[tet->node[k]];
			if ( row != NO_ROW && row >= column ) out[count++] = row;
		}
	}
	return count;
}

// Two nodes share several tets, and so meet as often; the matrix has one entry for them.
static uint32_t SortUnique( uint32_t* rows, uint32_t count )
{
	qsort( rows, count, sizeof( uint32_t ), CompareRows );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( kept == 0 || rows[i] != rows[kept - 1] ) rows[kept++] = rows[i];
	}
	return kept;
}

static bool BuildPattern( Matrix* a, const gelPackView* view )
{
	// Every corner of a tet sees its 4 nodes: 16 per tet, repeats included, is enough for all columns.
	a->columnFirst = malloc( ( (size_t)a->n + 1 ) * sizeof( uint32_t ) );
	a->rows = malloc( (size_t)view->header->tetCount * 16 * sizeof( uint32_t ) );
	if ( a->columnFirst == NULL || a->rows == NULL ) return false;
	uint32_t count = 0;
	for ( uint32_t node = 0; node < view->header->nodeCount; ++node )
	{
		if ( a->rowOfNode[node] == NO_ROW ) continue;
		a->columnFirst[a->rowOfNode[node]] = count;
		uint32_t found = CollectRows( a, view, node, a->rows + count );
		count += SortUnique( a->rows + count, found );
	}
	a->columnFirst[a->n] = count;
	a->values = calloc( count ? count : 1, sizeof( double ) );
	return a->values != NULL;
}

// Rows ascend within a column, so a search by halves finds the entry.
static double* FindEntry( Matrix* a, uint32_t row, uint32_t column )
{
	GEL_ASSERT( column < a->n && row >= column );
	const uint32_t* first = a->rows + a->columnFirst[column];
	uint32_t count = a->columnFirst[column + 1] - a->columnFirst[column];
	const uint32_t* entry = bsearch( &row, first, count, sizeof( uint32_t ), CompareRows );
	GEL_ASSERT( entry != NULL ); // the pattern was made from the same tets
	return a->values + ( entry - a->rows );
}

// The share of a tet, 2 h^2 mu V (g_i . g_j) [kg], to the entries of the lower triangle.
static void AssembleTet( Matrix* a, const gelPackView* view, uint32_t t, double step )
{
	GEL_ASSERT( t < view->header->tetCount && step > 0.0 );
	const gelPackTetRest* rest = view->tetRests + t;
	const uint32_t* nodes = view->tets[t].node;
	double g[4][3] = { { 0.0 } }; // gradients of the shape functions [1/m]; they sum to 0
	for ( int k = 0; k < 9; ++k )
	{
		g[k / 3 + 1][k % 3] = rest->invDm[k];
		g[0][k % 3] -= rest->invDm[k];
	}
	double scale = 2.0 * step * step * view->materials[rest->material].mu * rest->volume;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			uint32_t row = a->rowOfNode[nodes[i]], column = a->rowOfNode[nodes[j]];
			if ( row == NO_ROW || column == NO_ROW || row < column ) continue;
			*FindEntry( a, row, column ) +=
				scale * ( g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2] );
		}
	}
}

static void AssembleValues( Matrix* a, const gelPackView* view, const gelPackFactor* header )
{
	double step;
	memcpy( &step, &header->stepBits, sizeof( step ) );
	for ( uint32_t t = 0; t < view->header->tetCount; ++t )
		AssembleTet( a, view, t, step );
	for ( uint32_t node = 0; node < view->header->nodeCount; ++node )
	{
		uint32_t row = a->rowOfNode[node];
		if ( row == NO_ROW ) continue;
		double* diagonal = a->values + a->columnFirst[row];
		// Regularization is 0 in packs of gel-bake; the format allows other bakers to state one.
		*diagonal = ( *diagonal + view->masses[node].mass ) * ( 1.0 + header->regularisation );
	}
}

// y = A x; only the lower triangle is there, so every entry off the diagonal counts twice.
static void MultiplyMatrix( const Matrix* a, const double* x, double* y )
{
	memset( y, 0, a->n * sizeof( double ) );
	for ( uint32_t j = 0; j < a->n; ++j )
	{
		for ( uint32_t k = a->columnFirst[j]; k < a->columnFirst[j + 1]; ++k )
		{
			uint32_t i = a->rows[k];
			y[i] += a->values[k] * x[j];
			if ( i != j ) y[j] += a->values[k] * x[i];
		}
	}
}

// Entry (i, j) of a panel in tiles of 8 rows and up to 4 columns.
static double GetSolved( const float* values, size_t padded, uint32_t width, uint32_t i, uint32_t j )
{
	GEL_ASSERT( i >= j && j < width && i < padded );
	uint32_t group = j / 4 * 4, groupWidth = width - group < 4 ? width - group : 4;
	return (double)values[group * padded + 8 * (size_t)groupWidth * ( i / 8 ) + 8 * ( j - group ) + i % 8];
}

// L of a panel by columns, in double: as stored, or from G11 = L11^-1 and G21 = L21 L11^-1 (version 2), that
// is from L11 G11 = 1 and L21 = G21 L11.
static void FillPanel( const gelPackFactorView* f, uint32_t s, double* L )
{
	GEL_ASSERT( s < f->header->superCount );
	uint32_t count = f->rowFirst[s + 1] - f->rowFirst[s], width = f->superFirst[s + 1] - f->superFirst[s];
	size_t padded = ( (size_t)count + 7 ) / 8 * 8;
	const float* values = f->values + f->valueFirst[s];
	if ( f->version == GEL_PACK_SECTION_VERSION )
	{
		for ( size_t i = 0; i < padded * width; ++i )
			L[i] = (double)values[i];
		return;
	}
	for ( uint32_t j = 0; j < width; ++j )
	{
		double* column = L + j * padded;
		for ( uint32_t i = 0; i < j; ++i )
			column[i] = 0.0;
		for ( uint32_t i = j; i < width; ++i )
		{
			double sum = i == j ? 1.0 : 0.0;
			// Forward substitution with the inverse: row i of L11 G11 = 1, which has G_ii on the diagonal.
			for ( uint32_t k = j; k < i; ++k )
				sum -= GetSolved( values, padded, width, i, k ) * column[k];
			column[i] = sum / GetSolved( values, padded, width, i, i );
		}
		for ( uint32_t i = width; i < count; ++i )
		{
			column[i] = 0.0;
			for ( uint32_t k = j; k < width; ++k )
				column[i] += GetSolved( values, padded, width, i, k ) * column[k];
		}
	}
}

// y = L (L^T x) and bound = |L| (|L^T| |x|), both in the order of the factor. work has 2 n numbers.
static void MultiplyFactor(
	const gelPackFactorView* f, const double* x, double* y, double* bound, double* work, double* panel )
{
	uint32_t n = f->header->n;
	// z = L^T x and w = |L^T| |x|. Column j of L is complete in its panel, so both halves of the product are
	// done in one walk: z_j needs column j only, and so does what it adds to y.
	double *z = work, *w = work + n;
	memset( y, 0, n * sizeof( double ) );
	memset( bound, 0, n * sizeof( double ) );
	for ( uint32_t s = 0; s < f->header->superCount; ++s )
	{
		const uint32_t* rows = f->rows + f->rowFirst[s];
		uint32_t count = f->rowFirst[s + 1] - f->rowFirst[s];
		size_t padded = ( (size_t)count + 7 ) / 8 * 8;
		FillPanel( f, s, panel );
		for ( uint32_t j = f->superFirst[s]; j < f->superFirst[s + 1]; ++j )
		{
			const double* column = panel + ( j - f->superFirst[s] ) * padded;
			z[j] = w[j] = 0.0;
			for ( uint32_t i = j - f->superFirst[s]; i < count; ++i )
			{
				z[j] += column[i] * x[rows[i]];
				w[j] += fabs( column[i] * x[rows[i]] );
			}
			for ( uint32_t i = j - f->superFirst[s]; i < count; ++i )
			{
				y[rows[i]] += column[i] * z[j];
				bound[rows[i]] += fabs( column[i] ) * w[j];
			}
		}
	}
}

// xorshift64*, uniform in [-1, 1]
static double NextRandom( uint64_t* state )
{
	uint64_t x = *state;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return (double)(int64_t)( x * 0x2545F4914F6CDD1Du ) * 0x1p-63;
}

static void MeasureResidual(
	const Matrix* a, const gelPackFactorView* f, double* work, double* panel, gelFactorCheck* check )
{
	GEL_ASSERT( a->n == f->header->n );
	uint32_t n = a->n;
	double *x = work, *Ax = work + n, *px = work + 2 * (size_t)n, *y = work + 3 * (size_t)n;
	double *bound = work + 4 * (size_t)n, *inner = work + 5 * (size_t)n;
	uint64_t seed = 0x9E3779B97F4A7C15u;
	for ( int trial = 0; trial < TRIAL_COUNT; ++trial )
	{
		for ( uint32_t i = 0; i < n; ++i )
			x[i] = NextRandom( &seed );
		MultiplyMatrix( a, x, Ax );
		for ( uint32_t i = 0; i < n; ++i )
			px[i] = x[a->rowOfNode[f->perm[i]]];
		MultiplyFactor( f, px, y, bound, inner, panel );
		for ( uint32_t i = 0; i < n; ++i )
		{
			// Relative to |L| |L^T| |x| of the same row: 2^-23 is what rounding explains, whatever the size
			// of the numbers.
			double residual = fabs( Ax[a->rowOfNode[f->perm[i]]] - y[i] ) / bound[i];
			if ( !isfinite( residual ) ) residual = 1e300; // hostile values may overflow
			if ( residual <= check->residual ) continue;
			check->residual = residual;
			check->worstNode = f->perm[i];
		}
	}
}

// ---- particles -------------------------------------------------------------------------------------------

// A of Choi and Lee (2017, Eq. 7) times h^2: A_ii = m_i + h^2 k sum (V_i + V_j), A_ij = -h^2 k (V_i + V_j).
static bool BuildParticleMatrix( Matrix* a, const gelParticleView* view, const gelPackFactor* header )
{
	double step;
	memcpy( &step, &header->stepBits, sizeof( step ) );
	double scale = step * step * (double)view->header->stiffness;
	a->n = view->header->particleCount;
	size_t most = (size_t)a->n + view->header->edgeCount;
	a->rowOfNode = malloc( (size_t)a->n * sizeof( uint32_t ) );
	a->columnFirst = malloc( ( (size_t)a->n + 1 ) * sizeof( uint32_t ) );
	a->rows = malloc( most * sizeof( uint32_t ) );
	a->values = malloc( most * sizeof( double ) );
	if ( !a->rowOfNode || !a->columnFirst || !a->rows || !a->values ) return false;
	uint32_t count = 0;
	for ( uint32_t j = 0; j < a->n; ++j )
	{
		// Springs of all neighbors add to the diagonal, those of higher neighbors are entries of this column.
		uint32_t diagonal = count++;
		a->rowOfNode[j] = j;
		a->columnFirst[j] = diagonal;
		a->rows[diagonal] = j;
		a->values[diagonal] = (double)view->particles[j].mass;
		for ( uint32_t k = view->neighborFirst[j]; k < view->neighborFirst[j + 1]; ++k )
		{
			uint32_t i = view->neighbors[k]; // ascending
			double spring = scale * ( (double)view->particles[i].volume + (double)view->particles[j].volume );
			a->values[diagonal] += spring;
			if ( i < j ) continue;
			a->rows[count] = i;
			a->values[count++] = -spring;
		}
		a->values[diagonal] *= 1.0 + (double)header->regularisation;
	}
	a->columnFirst[a->n] = count;
	return true;
}

// The largest panel as doubles. free() it.
static double* MakePanel( const gelPackFactorView* f )
{
	uint64_t largest = 0;
	for ( uint32_t s = 0; s < f->header->superCount; ++s )
	{
		uint64_t count = f->valueFirst[s + 1] - f->valueFirst[s];
		largest = count > largest ? count : largest;
	}
	return malloc( (size_t)largest * sizeof( double ) );
}

// Either kind of factor, once its matrix can be made.
static gelFactorCheck Check( const gelPackView* view, const gelPackFactorView* factor, bool isOfParticles )
{
	GEL_ASSERT( factor->header->n > 0 && factor->header->superCount > 0 );
	gelFactorCheck check = { .outOfMemory = true };
	Matrix a = { 0 };
	double* work = malloc( 7 * (size_t)factor->header->n * sizeof( double ) );
	double* panel = MakePanel( factor );
	bool ok = work != NULL && panel != NULL;
	if ( isOfParticles )
		ok = ok && BuildParticleMatrix( &a, &view->particles, factor->header );
	else
		ok = ok && NumberFreeNodes( &a, view, factor->header->pinSetId ) && BuildPattern( &a, view );
	if ( ok && gelPackPatternHash( a.columnFirst, a.rows, a.n, &check.patternHash ) )
	{
		check.outOfMemory = false;
		if ( !isOfParticles ) AssembleValues( &a, view, factor->header );
		MeasureResidual( &a, factor, work, panel, &check );
	}
	FreeMatrix( &a );
	free( panel );
	free( work );
	return check;
}

gelFactorCheck gelCheckFactor( const gelPackView* view, const gelPackFactorView* factor )
{
	return Check( view, factor, false );
}

gelFactorCheck gelCheckParticleFactor( const gelPackView* view, const gelPackFactorView* factor )
{
	return Check( view, factor, true );
}
