// SPDX-License-Identifier: MIT
// How good the stored factor is: max |L L^T - P A P^T| / max |A| over all entries, with L as rounded to
// float. L L^T is formed panel by panel, left-looking: a panel collects the products of itself and of the
// panels to its left that have rows among its columns. Each panel waits in the list of the panel that needs
// it next.
//
// One panel of products is alive at a time instead of all of L L^T, which would take twice the memory of the
// factor. All entries inside of the pattern of L are compared, those of the fill, where A is zero, included.
#include "bake/factor/factor_passes.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <string.h>

#define GEL_LIST_END 0xFFFFFFFFu

typedef struct Check
{
	const gelBakeFactor* factor;
	uint32_t* columnToPanel; // [n]
	uint32_t* rowToLocal;    // [n], valid for the rows of the current panel
	uint32_t* listFirst;     // [superCount]
	uint32_t* listNext;      // [superCount]
	uint32_t* cursor;        // [superCount]: first row of a panel that was not used yet
	double* product;         // current panel: rows x width
	double* column;          // one column of a contribution
} Check;

static uint32_t GetRowCount( const gelBakeFactor* factor, uint32_t s )
{
	GEL_ASSERT( s < factor->superCount );
	return factor->rowFirst[s + 1] - factor->rowFirst[s];
}

static void AllocateCheck( const gelBakeFactor* factor, gelBakePool* pool, Check* check )
{
	size_t largest = 0, tallest = 0;
	for ( uint32_t s = 0; s < factor->superCount; ++s )
	{
		size_t rows = GetRowCount( factor, s ), width = factor->superFirst[s + 1] - factor->superFirst[s];
		largest = rows * width > largest ? rows * width : largest;
		tallest = rows > tallest ? rows : tallest;
	}
	check->factor = factor;
	check->columnToPanel = gelBakePool_Alloc( pool, factor->n, sizeof( uint32_t ) );
	check->rowToLocal = gelBakePool_Alloc( pool, factor->n, sizeof( uint32_t ) );
	check->listFirst = gelBakePool_Alloc( pool, factor->superCount, sizeof( uint32_t ) );
	check->listNext = gelBakePool_Alloc( pool, factor->superCount, sizeof( uint32_t ) );
	check->cursor = gelBakePool_Alloc( pool, factor->superCount, sizeof( uint32_t ) );
	check->product = gelBakePool_Alloc( pool, largest, sizeof( double ) );
	check->column = gelBakePool_Alloc( pool, tallest, sizeof( double ) );
	for ( uint32_t s = 0; s < factor->superCount; ++s )
	{
		check->listFirst[s] = GEL_LIST_END;
		for ( uint32_t c = factor->superFirst[s]; c < factor->superFirst[s + 1]; ++c )
			check->columnToPanel[c] = s;
	}
}

// out[i] = sum over columns k of L_0k L_ik. Four columns at a time: the sums then travel through memory a
// quarter as often, which is what this loop is bound by.
static void MultiplyRow( const float* L, uint32_t leading, uint32_t rowCount, uint32_t width, double* out )
{
	memset( out, 0, rowCount * sizeof( double ) );
	uint32_t k = 0;
	for ( ; k + 4 <= width; k += 4 )
	{
		const float *a = L + (size_t)k * leading, *b = a + leading, *c = b + leading, *d = c + leading;
		const double fa = (double)a[0], fb = (double)b[0], fc = (double)c[0], fd = (double)d[0];
		for ( uint32_t i = 0; i < rowCount; ++i )
			out[i] += ( fa * (double)a[i] + fb * (double)b[i] ) + ( fc * (double)c[i] + fd * (double)d[i] );
	}
	for ( ; k < width; ++k )
	{
		const float* a = L + (size_t)k * leading;
		const double fa = (double)a[0];
		for ( uint32_t i = 0; i < rowCount; ++i )
			out[i] += fa * (double)a[i];
	}
}

// Adds the products of panel d for the columns of panel s, and hands d on to the next panel that needs it.
static void AddContribution( Check* check, uint32_t s, uint32_t d )
{
	const gelBakeFactor* factor = check->factor;
	const uint32_t* rows = factor->rows + factor->rowFirst[d];
	const uint32_t rowCount = GetRowCount( factor, d ),
				   width = factor->superFirst[d + 1] - factor->superFirst[d];
	const uint32_t leading = ( rowCount + GEL_PACK_LANES - 1 ) / GEL_PACK_LANES * GEL_PACK_LANES;
	const float* values = factor->values + factor->valueFirst[d];
	const uint32_t targetRows = GetRowCount( factor, s );
	uint32_t q = check->cursor[d];
	for ( ; q < rowCount && rows[q] < factor->superFirst[s + 1]; ++q )
	{
		MultiplyRow( values + q, leading, rowCount - q, width, check->column );
		double* target = check->product + (size_t)( rows[q] - factor->superFirst[s] ) * targetRows;
		for ( uint32_t i = 0; i < rowCount - q; ++i )
			target[check->rowToLocal[rows[q + i]]] += check->column[i];
	}
	check->cursor[d] = q;
	if ( q == rowCount ) return;
	// Panel d waits for the panel that owns its next unused row: lists of the left-looking method, one link
	// per panel, because each is in exactly one list.
	uint32_t next = check->columnToPanel[rows[q]];
	check->listNext[d] = check->listFirst[next];
	check->listFirst[next] = d;
}

static double CheckPanel( Check* check, uint32_t s, const gelBakeMatrix* A, const uint32_t* rowToFree,
	const uint32_t* freeToRow, const uint32_t* upperFirst, const uint32_t* upper )
{
	const gelBakeFactor* factor = check->factor;
	const uint32_t rowCount = GetRowCount( factor, s ), first = factor->superFirst[s];
	const uint32_t width = factor->superFirst[s + 1] - first;
	for ( uint32_t i = 0; i < rowCount; ++i )
		check->rowToLocal[factor->rows[factor->rowFirst[s] + i]] = i;
	memset( check->product, 0, (size_t)rowCount * width * sizeof( double ) );
	for ( uint32_t d = check->listFirst[s]; d != GEL_LIST_END; )
	{
		uint32_t next = check->listNext[d];
		AddContribution( check, s, d );
		d = next;
	}
	// The panel itself is the last contribution; its cursor starts at its own first column.
	check->cursor[s] = 0;
	AddContribution( check, s, s );

	// subtract the column of A, whose lower triangle is stored in another numbering: entries come from both
	// sides
	double worst = 0.0;
	for ( uint32_t c = 0; c < width; ++c )
	{
		double* column = check->product + (size_t)c * rowCount;
		uint32_t j = rowToFree[first + c];
		for ( int k = A->columnFirst[j]; k < A->columnFirst[j + 1]; ++k )
		{
			uint32_t row = freeToRow[A->rows[k]];
			if ( row >= first + c ) column[check->rowToLocal[row]] -= A->values[k];
		}
		for ( uint32_t u = upperFirst[j]; u < upperFirst[j + 1]; ++u )
		{
			uint32_t row = freeToRow[upper[2 * (size_t)u]];
			if ( row >= first + c ) column[check->rowToLocal[row]] -= A->values[upper[2 * (size_t)u + 1]];
		}
		for ( uint32_t i = c; i < rowCount; ++i )
			worst = fmax( worst, fabs( column[i] ) );
	}
	return worst;
}

// Entries of the strict upper triangle by columns: (row, position in A) pairs.
static uint32_t* BuildUpper( const gelBakeMatrix* A, uint32_t* upperFirst, gelBakePool* pool )
{
	const int entryCount = A->columnFirst[A->n];
	uint32_t* upper = gelBakePool_Alloc( pool, 2 * (size_t)entryCount, sizeof( uint32_t ) );
	uint32_t* cursor = gelBakePool_Alloc( pool, A->n, sizeof( uint32_t ) );
	for ( uint32_t j = 0; j < A->n; ++j )
	{
		for ( int k = A->columnFirst[j] + 1; k < A->columnFirst[j + 1]; ++k )
			upperFirst[A->rows[k] + 1] += 1;
	}
	for ( uint32_t j = 0; j < A->n; ++j )
	{
		upperFirst[j + 1] += upperFirst[j];
		cursor[j] = upperFirst[j];
	}
	for ( uint32_t j = 0; j < A->n; ++j )
	{
		for ( int k = A->columnFirst[j] + 1; k < A->columnFirst[j + 1]; ++k )
		{
			uint32_t u = cursor[A->rows[k]]++;
			upper[2 * (size_t)u] = j;
			upper[2 * (size_t)u + 1] = (uint32_t)k;
		}
	}
	return upper;
}

double gelMeasureResidual(
	const gelBakeFactor* factor, const gelBakeMatrix* matrix, const uint32_t* rowToFree )
{
	GEL_ASSERT( factor->n == matrix->n && rowToFree != NULL );
	gelBakePool pool = { NULL };
	Check check;
	AllocateCheck( factor, &pool, &check );
	uint32_t* freeToRow = gelBakePool_Alloc( &pool, factor->n, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < factor->n; ++i )
		freeToRow[rowToFree[i]] = i;
	uint32_t* upperFirst = gelBakePool_Alloc( &pool, (size_t)factor->n + 1, sizeof( uint32_t ) );
	uint32_t* upper = BuildUpper( matrix, upperFirst, &pool );
	double worst = 0.0, norm = 0.0;
	for ( uint32_t s = 0; s < factor->superCount; ++s )
		worst = fmax( worst, CheckPanel( &check, s, matrix, rowToFree, freeToRow, upperFirst, upper ) );
	for ( int k = 0; k < matrix->columnFirst[matrix->n]; ++k )
		norm = fmax( norm, fabs( matrix->values[k] ) );
	gelFreeBakePool( &pool );
	return worst / norm;
}
