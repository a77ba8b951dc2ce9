// SPDX-License-Identifier: MIT
#include "supernodal_solve.h"

// One panel: columns first .. first + width - 1 of L, column-major. Its first width rows are its own
// columns (the lower triangle of the diagonal block), the others lie below:
//
//          width
//        +------+
//        |\     |   diagonal block, rows[0 .. width-1]
//        | \    |
//        +------+
//        |      |   rows[width .. rowCount-1], ascending
//        |      |
//        +------+   padded to leading
typedef struct gelPanel
{
	const float* values;
	const uint32_t* rows;
	const float* invDiagonal; // of the panel's own columns
	uint32_t first, width, rowCount;
	size_t leading;
} gelPanel;

static gelPanel GetPanel( const gelPackFactorView* factor, uint32_t s )
{
	uint32_t first = factor->superFirst[s];
	uint32_t rowFirst = factor->rowFirst[s];
	uint32_t rowCount = factor->rowFirst[s + 1] - rowFirst;
	size_t leading = ( (size_t)rowCount + ( GEL_PACK_LANES - 1 ) ) & ~(size_t)( GEL_PACK_LANES - 1 );
	return ( gelPanel ){ factor->values + factor->valueFirst[s], factor->rows + rowFirst,
		factor->invDiagonal + first, first, factor->superFirst[s + 1] - first, rowCount, leading };
}

// L z = y, column by column: as soon as z_j is known it is taken out of all rows below.
static void SolveForward( const gelPanel* panel, float* y )
{
	for ( uint32_t j = 0; j < panel->width; ++j )
	{
		const float* column = panel->values + j * panel->leading;
		float* yj = y + 3 * (size_t)( panel->first + j );
		float inv = panel->invDiagonal[j];
		float zx = yj[0] * inv, zy = yj[1] * inv, zz = yj[2] * inv;
		yj[0] = zx;
		yj[1] = zy;
		yj[2] = zz;
		for ( uint32_t i = j + 1; i < panel->rowCount; ++i )
		{
			float* yi = y + 3 * (size_t)panel->rows[i];
			float l = column[i];
			yi[0] -= l * zx;
			yi[1] -= l * zy;
			yi[2] -= l * zz;
		}
	}
}

// L^T y = z: a column of L is a row of L^T.
static void SolveBackward( const gelPanel* panel, float* y )
{
	for ( uint32_t j = panel->width; j-- > 0; )
	{
		const float* column = panel->values + j * panel->leading;
		float* yj = y + 3 * (size_t)( panel->first + j );
		float sx = yj[0], sy = yj[1], sz = yj[2];
		for ( uint32_t i = j + 1; i < panel->rowCount; ++i )
		{
			const float* yi = y + 3 * (size_t)panel->rows[i];
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

void gelSolveFactor_Ref( const gelPackFactorView* factor, float* y )
{
	uint32_t superCount = factor->header->superCount;
	for ( uint32_t s = 0; s < superCount; ++s )
	{
		gelPanel panel = GetPanel( factor, s );
		SolveForward( &panel, y );
	}
	for ( uint32_t s = superCount; s-- > 0; )
	{
		gelPanel panel = GetPanel( factor, s );
		SolveBackward( &panel, y );
	}
}
