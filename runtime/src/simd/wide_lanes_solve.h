// SPDX-License-Identifier: MIT
// The solve for bodies of one asset, one per lane (lanes.h): every entry of the factor is loaded once and
// multiplied with one row of all bodies. Sums run in the order of panel_kernels.c, so that each body gets the
// same bits.
#pragma once

#include "simd/wide_lanes.h"
#include "simd/wide_panels.h"

// Columns of the group that column c is in, and where its tiles start: `rows` blocks of 8 x width.
GEL_FORCE_INLINE const float* gelGetGroupW( const gelPanelW* panel, uint32_t c, uint32_t* outWidth )
{
	*outWidth = panel->width - c < 4 ? panel->width - c : 4;
	return panel->values + 8 * (size_t)c * panel->blockCount;
}

// sums += G u for half a block of rows and a group of columns.
GEL_FORCE_INLINE void gelAddHalfBlockW( const float* tile, uint32_t width, const float* u, gelVec3W sums[4] )
{
	for ( uint32_t c = 0; c < width; ++c )
	{
		gelVec3W uc = gelLoadLanesW( u + GEL_NODE_W * (size_t)c );
		for ( int r = 0; r < 4; ++r )
			sums[r] = gelMulAddVecW( sums[r], gelSplatW( tile[8 * c + (uint32_t)r] ), uc );
	}
}

// y1 <- G11 y1, y2 <- y2 - G21 y1
static void LaneForward_W( const gelPanelW* panel, float* y, float* own )
{
	const float* y1 = y + GEL_NODE_W * (size_t)panel->first;
	gelVec3W zero = gelSplatVecW( 0.0f, 0.0f, 0.0f );
	for ( uint32_t row = 0; row < panel->rowCount; row += 4 )
	{
		uint32_t b = row / 8, reach = 8 * b + 8; // columns beyond are zero in this block of rows
		gelVec3W sums[4] = { zero, zero, zero, zero };
		for ( uint32_t c = 0; c < panel->width && c < reach; c += 4 )
		{
			uint32_t width;
			const float* tile = gelGetGroupW( panel, c, &width );
			tile += 8 * (size_t)width * b + row % 8;
			const float* u = y1 + GEL_NODE_W * (size_t)c;
			if ( width == 4 )
				gelAddHalfBlockW( tile, 4, u, sums );
			else
				gelAddHalfBlockW( tile, width, u, sums );
		}
		for ( uint32_t r = 0; r < 4 && row + r < panel->rowCount; ++r )
		{
			if ( row + r < panel->width )
			{
				gelStoreLanesW( own + GEL_NODE_W * (size_t)( row + r ), sums[r] );
				continue;
			}
			float* to = y + GEL_NODE_W * (size_t)panel->rows[row + r];
			gelStoreLanesW( to, gelSubVecW( gelLoadLanesW( to ), sums[r] ) );
		}
	}
	for ( uint32_t c = 0; c < panel->width; ++c )
		gelStoreLanesW(
			y + GEL_NODE_W * (size_t)( panel->first + c ), gelLoadLanesW( own + GEL_NODE_W * (size_t)c ) );
}

// Partial sums in registers at a time: rows of a block by columns of a group.
#if GEL_LANES == 16
#define GEL_DOT_ROWS    4u
#define GEL_DOT_COLUMNS 2u
#else
#define GEL_DOT_ROWS    1u
#define GEL_DOT_COLUMNS 4u
#endif

// What a group of columns is multiplied with, and its tiles: `stride` floats from one block of rows to the
// next.
typedef struct gelColumnsW
{
	const gelPanelW* panel;
	const float* tiles;
	size_t stride;
	uint32_t firstBlock;
	const float *y, *own; // rows below the panel's own, and the own ones with the other sign
} gelColumnsW;

// sums[i][c] += G u for row order[i] of block b, with u = (-y1, y2).
GEL_FORCE_INLINE void gelAddRowW(
	const gelColumnsW* columns, uint32_t b, uint32_t r, uint32_t count, gelVec3W sums[GEL_DOT_COLUMNS] )
{
	const gelPanelW* panel = columns->panel;
	uint32_t row = 8 * b + r;
	const float* at = row < panel->width ? columns->own + GEL_NODE_W * (size_t)row
										 : columns->y + GEL_NODE_W * (size_t)panel->rows[row];
	const float* tile = columns->tiles + columns->stride * ( b - columns->firstBlock ) + r;
	gelVec3W u = gelLoadLanesW( at );
	for ( uint32_t c = 0; c < count; ++c )
		sums[c] = gelMulAddVecW( sums[c], gelSplatW( tile[8 * c] ), u );
}

// Sums over every eighth row, for GEL_DOT_ROWS of eight.
GEL_FORCE_INLINE void gelSumRowsW( const gelColumnsW* columns, const uint32_t* order, uint32_t count,
	gelVec3W sums[GEL_DOT_ROWS][GEL_DOT_COLUMNS] )
{
	uint32_t rowCount = columns->panel->rowCount, b = columns->firstBlock;
	for ( uint32_t i = 0; i < GEL_DOT_ROWS; ++i )
	{
		for ( uint32_t c = 0; c < count; ++c )
			sums[i][c] = gelSplatVecW( 0.0f, 0.0f, 0.0f );
	}
	for ( ; 8 * b + 8 <= rowCount; ++b )
	{
		for ( uint32_t i = 0; i < GEL_DOT_ROWS; ++i )
			gelAddRowW( columns, b, order[i], count, sums[i] );
	}
	for ( uint32_t i = 0; i < GEL_DOT_ROWS; ++i )
	{
		if ( 8 * b + order[i] < rowCount ) gelAddRowW( columns, b, order[i], count, sums[i] );
	}
}

// Half of the eight partial sums, added by a fixed tree.
GEL_FORCE_INLINE void gelSumHalfW(
	const gelColumnsW* columns, const uint32_t order[4], uint32_t count, gelVec3W out[GEL_DOT_COLUMNS] )
{
	gelVec3W sums[4][GEL_DOT_COLUMNS];
	for ( uint32_t i = 0; i < 4; i += GEL_DOT_ROWS )
		gelSumRowsW( columns, order + i, count, sums + i );
	for ( uint32_t c = 0; c < count; ++c )
		out[c] = gelAddVecW( gelAddVecW( sums[0][c], sums[1][c] ), gelAddVecW( sums[2][c], sums[3][c] ) );
}

GEL_FORCE_INLINE void gelDotColumnsW( const gelColumnsW* columns, uint32_t count, float* out )
{
	static const uint32_t orders[2][4] = { { 0, 4, 1, 5 }, { 2, 6, 3, 7 } };
	gelVec3W low[GEL_DOT_COLUMNS], high[GEL_DOT_COLUMNS];
	gelSumHalfW( columns, orders[0], count, low );
	gelSumHalfW( columns, orders[1], count, high );
	for ( uint32_t c = 0; c < count; ++c )
		gelStoreLanesW( out + GEL_NODE_W * (size_t)c,
			gelSubVecW( gelSplatVecW( 0.0f, 0.0f, 0.0f ), gelAddVecW( low[c], high[c] ) ) );
}

// y1 <- G^T (y1, -y2). The sums have the other sign: so only the panel's own rows have to be copied. They
// are never -0, since they begin with 0, and 0 - s gives each the bits that it would have otherwise.
static void LaneBackward_W( const gelPanelW* panel, float* y, float* own )
{
	for ( uint32_t c = 0; c < panel->width; ++c )
		gelStoreLanesW( own + GEL_NODE_W * (size_t)c,
			gelNegVecW( gelLoadLanesW( y + GEL_NODE_W * (size_t)( panel->first + c ) ) ) );
	for ( uint32_t c = 0; c < panel->width; c += GEL_DOT_COLUMNS )
	{
		uint32_t group = c & ~3u, width, skip = c / 8; // blocks above the diagonal are zero
		const float* tiles = gelGetGroupW( panel, group, &width ) + 8 * ( c - group );
		gelColumnsW columns = { panel, tiles + 8 * (size_t)width * skip, 8 * (size_t)width, skip, y, own };
		uint32_t count = panel->width - c;
		float* out = y + GEL_NODE_W * (size_t)( panel->first + c );
		if ( count >= GEL_DOT_COLUMNS )
			gelDotColumnsW( &columns, GEL_DOT_COLUMNS, out );
		else if ( count == 3 && GEL_DOT_COLUMNS > 3 )
			gelDotColumnsW( &columns, 3, out );
		else if ( count == 2 && GEL_DOT_COLUMNS > 2 )
			gelDotColumnsW( &columns, 2, out );
		else
			gelDotColumnsW( &columns, 1, out );
	}
}
