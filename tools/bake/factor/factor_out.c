// SPDX-License-Identifier: MIT
// Panels in the form in which the runtime reads them. With the diagonal block inverted, both halves of a
// solve are products with one dense matrix per panel: no chain of divisions, no triangle (formats/pack.md,
// FACT).
//
//     solve of one panel   forward   y1 = G11 b1, b2 -= G21 b1            G11 = L11^-1, G21 = L21 L11^-1
//                          backward  x1 = G11^T y1 - G21^T x2
//     values               columns in groups of 4, rows in tiles of 8: eight rows of four columns are a run
//                          of 32 floats, so a kernel reads straight through
#include "bake/factor/factor_passes.h"

#include "pack/pack_read.h"

#include <gelpack/asserts.h>

#include <string.h>

// One panel in double. G is column-major with `leading` rows.
typedef struct Panel
{
	uint32_t width, rowCount, leading;
	const float* L;
	double* G;
} Panel;

// X L11 = [1; L21] for X, column by column from the last: X_j = (E_j - sum over k > j of X_k L_kj) / L_jj.
static void SolveColumns( const Panel* p )
{
	GEL_ASSERT( p->width > 0 && p->leading >= p->width );
	for ( uint32_t j = p->width; j-- > 0; )
	{
		double* column = p->G + (size_t)j * p->leading;
		const float* l = p->L + (size_t)j * p->leading;
		for ( uint32_t i = 0; i < p->rowCount; ++i )
			column[i] = i < p->width ? ( i == j ? 1.0 : 0.0 ) : (double)l[i];
		for ( uint32_t k = j + 1; k < p->width; ++k )
		{
			const double* other = p->G + (size_t)k * p->leading;
			double factor = (double)l[k];
			// Padding of merged panels: most of these zeros are exact and cost nothing then.
			if ( factor == 0.0 ) continue;
			for ( uint32_t i = k; i < p->rowCount; ++i )
				column[i] -= factor * other[i];
		}
		double inverse = 1.0 / (double)l[j];
		for ( uint32_t i = j; i < p->rowCount; ++i )
			column[i] *= inverse;
	}
}

// Groups of up to 4 columns, tiles of 8 rows.
static void StoreTiles( const Panel* p, float* values, float* invDiagonal )
{
	for ( uint32_t j = 0; j < p->width; ++j )
	{
		uint32_t group = j / 4 * 4, groupWidth = p->width - group < 4 ? p->width - group : 4;
		for ( uint32_t i = j; i < p->rowCount; ++i )
		{
			size_t place =
				(size_t)group * p->leading + (size_t)( i / 8 ) * 8 * groupWidth + ( j - group ) * 8 + i % 8;
			values[place] = (float)p->G[(size_t)j * p->leading + i] + 0.0f; // -0 becomes +0
		}
		invDiagonal[j] = (float)p->G[(size_t)j * p->leading + j];
	}
}

// G11 = L11^-1 and G21 = L21 L11^-1 of every panel in double, rounded once, in tiles of 8 rows and up to 4
// columns: values[] of version 2 of FACT, as many as the factor has.
// @param outInvDiagonal [n]: the diagonal of G
static float* SolvePanels( const gelBakeFactor* factor, gelBakePool* pool, float** outInvDiagonal )
{
	float* values = gelBakePool_Alloc( pool, factor->valueFirst[factor->superCount], sizeof( float ) );
	float* invDiagonal = gelBakePool_Alloc( pool, factor->n, sizeof( float ) );
	for ( uint32_t s = 0; s < factor->superCount; ++s )
	{
		gelBakePool scratch = { NULL };
		Panel p = { factor->superFirst[s + 1] - factor->superFirst[s],
			factor->rowFirst[s + 1] - factor->rowFirst[s], 0, factor->values + factor->valueFirst[s], NULL };
		p.leading = ( p.rowCount + GEL_PACK_LANES - 1 ) / GEL_PACK_LANES * GEL_PACK_LANES;
		p.G = gelBakePool_Alloc( &scratch, (size_t)p.leading * p.width, sizeof( double ) );
		SolveColumns( &p );
		StoreTiles( &p, values + factor->valueFirst[s], invDiagonal + factor->superFirst[s] );
		gelFreeBakePool( &scratch );
	}
	*outInvDiagonal = invDiagonal;
	return values;
}

void gelAddFactorSection(
	gelPackWriter* writer, uint32_t fourcc, uint32_t solverKind, const gelBakeFactor* factor )
{
	GEL_ASSERT( factor->superCount > 0 && factor->rowFirst[0] == 0 );
	gelPackFactor header = { 0 };
	header.solverKind = solverKind;
	// One number for x, y and z together; WFAC has blocks of 3.
	header.blockSize = 1;
	memcpy( &header.stepBits, &factor->step, sizeof( header.stepBits ) );
	header.pinSetId = factor->pinSetId;
	header.n = factor->n;
	header.superCount = factor->superCount;
	header.nonzeroCount = factor->nonzeroCount;
	header.minDiagonal = (float)factor->minDiagonal;
	header.maxDiagonal = (float)factor->maxDiagonal;
	header.residual = (float)factor->residual;
	header.patternHash = factor->patternHash;
	const uint32_t superCount = factor->superCount;
	gelBakePool pool = { NULL };
	float* invDiagonal;
	const float* values = SolvePanels( factor, &pool, &invDiagonal );
	const gelPackInnerArray arrays[] = {
		{ factor->perm, factor->n, sizeof( uint32_t ) },
		{ factor->superFirst, superCount + 1, sizeof( uint32_t ) },
		{ factor->rowFirst, superCount + 1, sizeof( uint32_t ) },
		{ factor->rows, factor->rowFirst[superCount], sizeof( uint32_t ) },
		{ factor->valueFirst, superCount + 1, sizeof( uint64_t ) },
		{ values, (uint32_t)factor->valueFirst[superCount], sizeof( float ) },
		{ invDiagonal, factor->n, sizeof( float ) },
		{ factor->parent, superCount, sizeof( uint32_t ) },
	};
	uint64_t key = gelPack_FactorKey( solverKind, factor->step, factor->pinSetId );
	gelPackWriter_AddBlob( writer, fourcc, key, GEL_SECTION_REQUIRED, &header, sizeof( header ),
		offsetof( gelPackFactor, perm ), arrays, 8 );
	gelPackWriter_SetVersion( writer, GEL_PACK_FACTOR_VERSION );
	gelFreeBakePool( &pool );
}
