// SPDX-License-Identifier: MIT
// The solve for bodies of one asset, one per lane (lanes.h): every entry of the factor is loaded once and
// multiplied with one row of all bodies. Sums run in the order of wide_solve.h, so that each body gets the
// same bits.
#pragma once

#include "wide_lanes.h"
#include "wide_panels.h"

#include <string.h>

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
	memcpy( y + GEL_NODE_W * (size_t)panel->first, own, GEL_NODE_W * sizeof( float ) * panel->width );
}

// Columns of one group: eight partial sums over every eighth row, added by a fixed tree.
GEL_FORCE_INLINE void gelDotColumnsW(
	const float* tiles, uint32_t width, uint32_t rowCount, const float* u, float* out )
{
	gelVec3W sums[8][4];
	for ( uint32_t r = 0; r < 8; ++r )
	{
		uint32_t blockCount = ( rowCount + 7 - r ) / 8; // rows behind the last one are zero
		gelVec3W s[4];
		for ( uint32_t c = 0; c < width; ++c )
			s[c] = gelSplatVecW( 0.0f, 0.0f, 0.0f );
		for ( uint32_t b = 0; b < blockCount; ++b )
		{
			gelVec3W ub = gelLoadLanesW( u + GEL_NODE_W * (size_t)( 8 * b + r ) );
			const float* tile = tiles + 8 * (size_t)width * b + r;
			for ( uint32_t c = 0; c < width; ++c )
				s[c] = gelMulAddVecW( s[c], gelSplatW( tile[8 * c] ), ub );
		}
		for ( uint32_t c = 0; c < width; ++c )
			sums[r][c] = s[c];
	}
	for ( uint32_t c = 0; c < width; ++c )
	{
		gelVec3W low =
			gelAddVecW( gelAddVecW( sums[0][c], sums[4][c] ), gelAddVecW( sums[1][c], sums[5][c] ) );
		gelVec3W high =
			gelAddVecW( gelAddVecW( sums[2][c], sums[6][c] ), gelAddVecW( sums[3][c], sums[7][c] ) );
		gelStoreLanesW( out + GEL_NODE_W * (size_t)c, gelAddVecW( low, high ) );
	}
}

// y1 <- G^T (y1, -y2)
static void LaneBackward_W( const gelPanelW* panel, float* y, float* u )
{
	memcpy( u, y + GEL_NODE_W * (size_t)panel->first, GEL_NODE_W * sizeof( float ) * panel->width );
	for ( uint32_t i = panel->width; i < panel->rowCount; ++i )
		gelStoreLanesW( u + GEL_NODE_W * (size_t)i,
			gelNegVecW( gelLoadLanesW( y + GEL_NODE_W * (size_t)panel->rows[i] ) ) );
	for ( uint32_t c = 0; c < panel->width; c += 4 )
	{
		uint32_t width, skip = c / 8;
		const float* tiles = gelGetGroupW( panel, c, &width );
		tiles += 8 * (size_t)width * skip;
		const float* from = u + 8 * GEL_NODE_W * (size_t)skip;
		float* out = y + GEL_NODE_W * (size_t)( panel->first + c );
		uint32_t count = panel->rowCount - 8 * skip;
		if ( width == 4 )
			gelDotColumnsW( tiles, 4, count, from, out );
		else if ( width == 3 )
			gelDotColumnsW( tiles, 3, count, from, out );
		else if ( width == 2 )
			gelDotColumnsW( tiles, 2, count, from, out );
		else
			gelDotColumnsW( tiles, 1, count, from, out );
	}
}

static void LaneSolve_W( const gelLanes* lanes, const gelPackFactorView* factor )
{
	uint32_t superCount = factor->header->superCount, n = factor->header->n;
	for ( uint32_t row = 0; row < n; ++row )
		gelStoreLanesW( lanes->y + GEL_NODE_W * (size_t)row,
			gelLoadLanesW( lanes->b + GEL_NODE_W * (size_t)factor->perm[row] ) );
	for ( uint32_t s = 0; s < superCount; ++s )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		LaneForward_W( &panel, lanes->y, lanes->solveScratch );
	}
	for ( uint32_t s = superCount; s-- > 0; )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		LaneBackward_W( &panel, lanes->y, lanes->solveScratch );
	}
	for ( uint32_t row = 0; row < n; ++row )
	{
		size_t node = GEL_NODE_W * (size_t)factor->perm[row];
		gelStoreLanesW( lanes->p + node,
			gelAddVecW( gelLoadLanesW( lanes->xTilde + node ),
				gelLoadLanesW( lanes->y + GEL_NODE_W * (size_t)row ) ) );
	}
}
