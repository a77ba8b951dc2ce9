// SPDX-License-Identifier: MIT
#include "simd/supernodal_solve.h"

// One panel: columns first .. first + width - 1 of L. Its first width rows are its own columns (the lower
// triangle of the diagonal block L11), the others lie below (L21):
//
//          width
//        +------+
//        |\     |   rows[0 .. width-1]
//        | \    |
//        +------+
//        |      |   rows[width .. rowCount-1], ascending
//        |      |
//        +------+   padded to leading
//
// Version 1 stores L by columns. Version 2 stores the solved columns
//     G11 = L11^-1,   G21 = L21 L11^-1,
// so that both halves of the solve are products with one dense matrix, without a chain of divisions:
//     forward   z1 = L11^-1 y1,  y2 -= L21 z1        is   (z1, d) = G y1,  y2 -= d
//     backward  y1 = L11^-T (z1 - L21^T y2)          is   y1 = G^T (z1, -y2)
// in tiles of 8 rows and up to 4 columns, in the order in which the sweep reads them.
typedef struct gelPanel
{
	const float* values;
	const uint32_t* rows;
	const float* invDiagonal; // inverse diagonal of the panel's own columns
	uint32_t first, width, rowCount;
	size_t leading;
} gelPanel;

static gelPanel GetPanel( const gelPackFactorView* factor, uint32_t s )
{
	GEL_ASSERT( s < factor->header->superCount );
	uint32_t first = factor->superFirst[s];
	uint32_t rowFirst = factor->rowFirst[s];
	uint32_t rowCount = factor->rowFirst[s + 1] - rowFirst;
	size_t leading = ( (size_t)rowCount + ( GEL_PACK_LANES - 1 ) ) & ~(size_t)( GEL_PACK_LANES - 1 );
	return ( gelPanel ){ factor->values + factor->valueFirst[s], factor->rows + rowFirst,
		factor->invDiagonal + first, first, factor->superFirst[s + 1] - first, rowCount, leading };
}

// ---- version 1 -----------------------------------------------------------------------------------------

// L z = y, column by column: as soon as z_j is known it is taken out of all rows below.
static void SolveForward( const gelPanel* panel, float* y, size_t stride )
{
	for ( uint32_t j = 0; j < panel->width; ++j )
	{
		const float* column = panel->values + j * panel->leading;
		float* yj = y + stride * ( panel->first + j );
		float inv = panel->invDiagonal[j];
		float zx = yj[0] * inv, zy = yj[1] * inv, zz = yj[2] * inv;
		yj[0] = zx;
		yj[1] = zy;
		yj[2] = zz;
		for ( uint32_t i = j + 1; i < panel->rowCount; ++i )
		{
			float* yi = y + stride * panel->rows[i];
			float l = column[i];
			yi[0] -= l * zx;
			yi[1] -= l * zy;
			yi[2] -= l * zz;
		}
	}
}

// L^T y = z: a column of L is a row of L^T.
static void SolveBackward( const gelPanel* panel, float* y, size_t stride )
{
	for ( uint32_t j = panel->width; j-- > 0; )
	{
		const float* column = panel->values + j * panel->leading;
		float* yj = y + stride * ( panel->first + j );
		float sx = yj[0], sy = yj[1], sz = yj[2];
		for ( uint32_t i = j + 1; i < panel->rowCount; ++i )
		{
			const float* yi = y + stride * panel->rows[i];
			float l = column[i];
			sx -= l * yi[0];
			sy -= l * yi[1];
			sz -= l * yi[2];
		}
		float inv = panel->invDiagonal[j];
		yj[0] = sx * inv;
		yj[1] = sy * inv;
		yj[2] = sz * inv;
	}
}

// ---- version 2 -----------------------------------------------------------------------------------------

// Entry (i, j) of G.
static float GetSolved( const gelPanel* panel, uint32_t i, uint32_t j )
{
	uint32_t group = j & ~3u, width = panel->width - group < 4 ? panel->width - group : 4;
	return panel->values[group * panel->leading + 8 * (size_t)width * ( i / 8 ) + 8 * ( j - group ) + i % 8];
}

// Own rows from the last to the first: row j needs what was in the rows up to j.
static void ForwardSolved( const gelPanel* panel, float* y, size_t stride )
{
	const float* y1 = y + stride * panel->first;
	for ( uint32_t i = panel->rowCount; i-- > 0; )
	{
		float sum[3] = { 0.0f, 0.0f, 0.0f };
		bool isOwn = i < panel->width;
		for ( uint32_t j = 0; j < ( isOwn ? i + 1 : panel->width ); ++j )
		{
			float g = GetSolved( panel, i, j );
			for ( int d = 0; d < 3; ++d )
				sum[d] += g * y1[stride * j + (size_t)d];
		}
		float* to = y + stride * panel->rows[i];
		for ( int d = 0; d < 3; ++d )
			to[d] = isOwn ? sum[d] : to[d] - sum[d];
	}
}

// Eight partial sums per column, row i in sum i mod 8, added by a fixed tree: that is what eight lanes do.
static void BackwardSolved( const gelPanel* panel, float* y, size_t stride )
{
	for ( uint32_t j = 0; j < panel->width; ++j )
	{
		float sum[8][3] = { { 0.0f } };
		for ( uint32_t i = j; i < panel->rowCount; ++i )
		{
			float g = GetSolved( panel, i, j );
			const float* u = y + stride * panel->rows[i];
			for ( int d = 0; d < 3; ++d )
				sum[i % 8][d] += g * ( i < panel->width ? u[d] : -u[d] );
		}
		float* to = y + stride * ( panel->first + j );
		for ( int d = 0; d < 3; ++d )
			to[d] = ( ( sum[0][d] + sum[4][d] ) + ( sum[1][d] + sum[5][d] ) ) +
				( ( sum[2][d] + sum[6][d] ) + ( sum[3][d] + sum[7][d] ) );
	}
}

static void Solve( const gelPackFactorView* factor, float* y, size_t stride )
{
	GEL_ASSERT( stride >= 1 );
	bool isSolved = factor->version == 2;
	uint32_t superCount = factor->header->superCount;
	for ( uint32_t s = 0; s < superCount; ++s )
	{
		gelPanel panel = GetPanel( factor, s );
		if ( isSolved )
			ForwardSolved( &panel, y, stride );
		else
			SolveForward( &panel, y, stride );
	}
	for ( uint32_t s = superCount; s-- > 0; )
	{
		gelPanel panel = GetPanel( factor, s );
		if ( isSolved )
			BackwardSolved( &panel, y, stride );
		else
			SolveBackward( &panel, y, stride );
	}
}

void gelSolveFactor_Ref( const gelPackFactorView* factor, float* y )
{
	Solve( factor, y, 3 );
}

void gelSolveFactor(
	gelSimdLevel level, const gelPackFactorView* factor, gelVec4* const* y, int bodyCount, float* scratch )
{
	GEL_ASSERT( bodyCount >= 1 && scratch != NULL && factor->header != NULL );
	if ( factor->version == 2 )
	{
		gelGetPanelKernels( level )->solvePanels( factor, y, bodyCount, scratch );
		return;
	}
	for ( int i = 0; i < bodyCount; ++i )
		Solve( factor, &y[i]->x, 4 );
}
