// SPDX-License-Identifier: MIT
// Solve with a factor in panels of solved columns (formats/pack.md, FACT version 2), three right-hand sides
// at once and any number of bodies. Twin of SolvePanels_Ref (supernodal_solve.c), where the method is
// explained.
#pragma once

#include "kernels.h"
#include "wide_math.h"
#include "wide_panels.h"

// sums += G u for a group of `width` <= 4 columns. sums: x[8] y[8] z[8] per block of rows.
GEL_FORCE_INLINE void gelAddGroupW(
	const float* tile, int width, uint32_t blockCount, const gelVec4* u, bool isFirst, float* sums )
{
	gelFloatW ux[4], uy[4], uz[4];
	for ( int c = 0; c < width; ++c )
	{
		ux[c] = gelSplatW( u[c].x );
		uy[c] = gelSplatW( u[c].y );
		uz[c] = gelSplatW( u[c].z );
	}
	for ( uint32_t b = 0; b < blockCount; ++b, tile += 8 * width, sums += 24 )
	{
		gelFloatW zero = gelSplatW( 0.0f );
		gelFloatW x = isFirst ? zero : gelLoadW( sums ), y = isFirst ? zero : gelLoadW( sums + 8 );
		gelFloatW z = isFirst ? zero : gelLoadW( sums + 16 );
		for ( int c = 0; c < width; ++c )
		{
			gelFloatW l = gelLoadW( tile + 8 * c );
			x = gelAddW( x, gelMulW( l, ux[c] ) );
			y = gelAddW( y, gelMulW( l, uy[c] ) );
			z = gelAddW( z, gelMulW( l, uz[c] ) );
		}
		gelStoreW( sums, x );
		gelStoreW( sums + 8, y );
		gelStoreW( sums + 16, z );
	}
}

// All columns of a panel, in groups of 4. Blocks of rows above the diagonal of a group are zero and skipped.
static void SumColumnsW( const gelPanelW* panel, const gelVec4* u, float* sums )
{
	const float* tiles = panel->values;
	for ( uint32_t c = 0; c < panel->width; c += 4 )
	{
		uint32_t skip = c / 8, count = panel->blockCount - skip;
		float* to = sums + 24 * (size_t)skip;
		uint32_t width = panel->width - c;
		bool isFirst = c == 0;
		if ( width >= 4 )
			gelAddGroupW( tiles + 32 * (size_t)skip, 4, count, u + c, isFirst, to );
		else if ( width == 3 )
			gelAddGroupW( tiles + 24 * (size_t)skip, 3, count, u + c, isFirst, to );
		else if ( width == 2 )
			gelAddGroupW( tiles + 16 * (size_t)skip, 2, count, u + c, isFirst, to );
		else
			gelAddGroupW( tiles + 8 * (size_t)skip, 1, count, u + c, isFirst, to );
		tiles += 32 * (size_t)panel->blockCount;
	}
}

// y1 <- G11 y1, y2 <- y2 - G21 y1
static void ForwardPanelW( const gelPanelW* panel, gelVec4* y, float* scratch )
{
	float* sums = scratch;
	gelVec4* rows = (gelVec4*)( scratch + 24 * (size_t)panel->blockCount );
	SumColumnsW( panel, y + panel->first, sums );
	for ( uint32_t b = 0; b < panel->blockCount; ++b )
	{
		const float* s = sums + 24 * (size_t)b;
		gelStoreNodesW( rows + 8 * (size_t)b,
			( gelNodesW ){ gelLoadW( s ), gelLoadW( s + 8 ), gelLoadW( s + 16 ), gelSplatW( 0.0f ) } );
	}
	for ( uint32_t i = 0; i < panel->width; ++i )
		gelStore4( y + panel->first + i, gelLoad4( rows + i ) );
	for ( uint32_t i = panel->width; i < panel->rowCount; ++i )
	{
		gelVec4* to = y + panel->rows[i];
		gelStore4( to, gelSub4( gelLoad4( to ), gelLoad4( rows + i ) ) );
	}
}

// out[c] = sum over rows of G_ic u_i for a group of `width` <= 4 columns.
GEL_FORCE_INLINE void gelDotGroupW(
	const float* tile, int width, uint32_t blockCount, const float* u, gelVec4* out )
{
	gelFloatW x[4], y[4], z[4];
	for ( int c = 0; c < width; ++c )
		x[c] = y[c] = z[c] = gelSplatW( 0.0f );
	for ( uint32_t b = 0; b < blockCount; ++b, tile += 8 * width, u += 24 )
	{
		gelFloatW ux = gelLoadW( u ), uy = gelLoadW( u + 8 ), uz = gelLoadW( u + 16 );
		for ( int c = 0; c < width; ++c )
		{
			gelFloatW l = gelLoadW( tile + 8 * c );
			x[c] = gelAddW( x[c], gelMulW( l, ux ) );
			y[c] = gelAddW( y[c], gelMulW( l, uy ) );
			z[c] = gelAddW( z[c], gelMulW( l, uz ) );
		}
	}
	for ( int c = 0; c < width; ++c )
		gelStore4( out + c, gelSumLanesW( x[c], y[c], z[c] ) );
}

// y1 <- G^T (y1, -y2)
static void BackwardPanelW( const gelPanelW* panel, gelVec4* y, float* scratch )
{
	float* u = scratch;
	gelVec4* rows = (gelVec4*)( scratch + 24 * (size_t)panel->blockCount );
	for ( uint32_t i = 0; i < panel->width; ++i )
		gelStore4( rows + i, gelLoad4( y + panel->first + i ) );
	for ( uint32_t i = panel->width; i < panel->rowCount; ++i )
		gelStore4( rows + i, gelNeg4( gelLoad4( y + panel->rows[i] ) ) );
	for ( uint32_t i = panel->rowCount; i < 8 * panel->blockCount; ++i )
		gelStore4( rows + i, gelSplat4( 0.0f ) );
	for ( uint32_t b = 0; b < panel->blockCount; ++b )
	{
		gelNodesW n = gelLoadNodesW( rows + 8 * (size_t)b );
		float* to = u + 24 * (size_t)b;
		gelStoreW( to, n.x );
		gelStoreW( to + 8, n.y );
		gelStoreW( to + 16, n.z );
	}
	const float* tiles = panel->values;
	for ( uint32_t c = 0; c < panel->width; c += 4 )
	{
		uint32_t skip = c / 8, count = panel->blockCount - skip, width = panel->width - c;
		const float* from = u + 24 * (size_t)skip;
		gelVec4* out = y + panel->first + c;
		if ( width >= 4 )
			gelDotGroupW( tiles + 32 * (size_t)skip, 4, count, from, out );
		else if ( width == 3 )
			gelDotGroupW( tiles + 24 * (size_t)skip, 3, count, from, out );
		else if ( width == 2 )
			gelDotGroupW( tiles + 16 * (size_t)skip, 2, count, from, out );
		else
			gelDotGroupW( tiles + 8 * (size_t)skip, 1, count, from, out );
		tiles += 32 * (size_t)panel->blockCount;
	}
}

static void SolvePanels_W( const gelPackFactorView* factor, gelVec4* const* y, int bodyCount, float* scratch )
{
	uint32_t superCount = factor->header->superCount;
	for ( uint32_t s = 0; s < superCount; ++s )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		for ( int i = 0; i < bodyCount; ++i )
			ForwardPanelW( &panel, y[i], scratch );
	}
	for ( uint32_t s = superCount; s-- > 0; )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		for ( int i = 0; i < bodyCount; ++i )
			BackwardPanelW( &panel, y[i], scratch );
	}
}
