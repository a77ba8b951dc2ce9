// SPDX-License-Identifier: MIT
// Solve with a factor in panels of solved columns (formats/pack.md, FACT version 2), three right-hand sides
// at once and any number of bodies. Twin of SolvePanels_Ref (supernodal_solve.c), where the method is
// explained.
//
// Narrow panels are many and small: a solve with them is bound by arithmetic and by getting at the rows, so
// sums stay in registers. Wide panels are few and hold most of a large factor: a solve with them is bound by
// memory, so it reads them from the first to the last value.
#include "simd/panel_kernels.h"

#include "simd/wide_math.h"
#include "simd/wide_panels.h"

// Panels up to this many columns are narrow.
#define GEL_NARROW_PANEL 16u

// How far ahead of the values in use memory is asked for [floats], as long as values follow each other.
#define GEL_PREFETCH_AHEAD 2048

// Blocks of eight rows that are multiplied together: nine sums are in the works at a time.
#define GEL_ROW_BLOCKS 3

// ---- forward: y1 <- G11 y1, y2 <- y2 - G21 y1 ------------------------------------------------------------

// sums of `count` blocks from block b on, over columns 0 .. end - 1, in that order. A group of 4 columns has
// its tiles one after the other.
GEL_FORCE_INLINE void gelMultiplyBlocksW( const gelPanelW* panel, uint32_t b, uint32_t end, int count,
	const gelVec4* u, gelVec3W sums[GEL_ROW_BLOCKS] )
{
	for ( int k = 0; k < count; ++k )
		sums[k].x = sums[k].y = sums[k].z = gelSplatW( 0.0f );
	for ( uint32_t c = 0; c < end; c += 4 )
	{
		uint32_t width = panel->width - c < 4 ? panel->width - c : 4;
		const float* tile = panel->values + 8 * ( (size_t)c * panel->blockCount + (size_t)width * b );
		for ( int k = 0; k < count; ++k )
			gelPrefetchTile( tile + 8 * (size_t)width * (size_t)k, panel->ahead );
		for ( uint32_t i = 0; i < width; ++i )
		{
			gelFloatW x = gelSplatW( u[c + i].x ), y = gelSplatW( u[c + i].y ), z = gelSplatW( u[c + i].z );
			for ( int k = 0; k < count; ++k )
			{
				gelFloatW l = gelLoadW( tile + 8 * ( (size_t)width * (size_t)k + i ) );
				sums[k].x = gelAddW( sums[k].x, gelMulW( l, x ) );
				sums[k].y = gelAddW( sums[k].y, gelMulW( l, y ) );
				sums[k].z = gelAddW( sums[k].z, gelMulW( l, z ) );
			}
		}
	}
}

// Lanes of block b that are rows of the panel's own columns.
GEL_FORCE_INLINE gelMaskW gelFindOwnW( const gelPanelW* panel, uint32_t b )
{
	_Alignas( 32 ) static const float lanes[8] = { 0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f };
	return gelGreaterW( gelSplatW( (float)panel->width - 8.0f * (float)b ), gelLoadW( lanes ) );
}

GEL_FORCE_INLINE gelVec3W gelNegateOthersW( gelMaskW mask, gelVec3W a )
{
	return gelSelectVecW( mask, a, gelNegVecW( a ) );
}

// Sums of block b go to their rows. Rows below lose them; the panel's own, which are zero, gain them.
GEL_FORCE_INLINE void gelPutBlockW( const gelPanelW* panel, uint32_t b, gelVec3W sums, gelVec4* y )
{
	gelVec3W d = gelNegateOthersW( gelFindOwnW( panel, b ), sums );
	gelFloat4 parts[8];
	gelDistributeLanesW( ( gelNodesW ){ d.x, d.y, d.z, gelSplatW( 0.0f ) }, parts );
	const uint32_t* rows = panel->rows + 8 * (size_t)b;
	uint32_t count = panel->rowCount - 8 * b;
	for ( uint32_t r = 0; r < 8; ++r )
	{
		if ( r >= count ) break;
		gelStore4( y + rows[r], gelAdd4( gelLoad4( y + rows[r] ), parts[r] ) );
	}
}

static void ForwardNarrowW( const gelPanelW* panel, const gelVec4* u, gelVec4* y )
{
	gelVec3W sums[GEL_ROW_BLOCKS];
	uint32_t b = 0;
	for ( ; 8 * b + 8 < panel->width; ++b ) // columns beyond are zero in these rows
	{
		gelMultiplyBlocksW( panel, b, 8 * b + 8, 1, u, sums );
		gelPutBlockW( panel, b, sums[0], y );
	}
	for ( ; b + GEL_ROW_BLOCKS <= panel->blockCount; b += GEL_ROW_BLOCKS )
	{
		gelMultiplyBlocksW( panel, b, panel->width, GEL_ROW_BLOCKS, u, sums );
		for ( uint32_t k = 0; k < GEL_ROW_BLOCKS; ++k )
			gelPutBlockW( panel, b + k, sums[k], y );
	}
	for ( ; b < panel->blockCount; ++b )
	{
		gelMultiplyBlocksW( panel, b, panel->width, 1, u, sums );
		gelPutBlockW( panel, b, sums[0], y );
	}
}

// sums += G u for a group of `width` <= 4 columns. sums: x[8] y[8] z[8] per block of rows.
GEL_FORCE_INLINE void gelAddGroupW(
	const float* tile, int width, uint32_t blockCount, const gelVec4* u, bool isFirst, float* sums )
{
	gelVec3W v[4];
	for ( int c = 0; c < width; ++c )
		v[c] = ( gelVec3W ){ gelSplatW( u[c].x ), gelSplatW( u[c].y ), gelSplatW( u[c].z ) };
	for ( uint32_t b = 0; b < blockCount; ++b, tile += 8 * width, sums += 24 )
	{
		gelFloatW zero = gelSplatW( 0.0f );
		gelFloatW x = isFirst ? zero : gelLoadW( sums ), y = isFirst ? zero : gelLoadW( sums + 8 );
		gelFloatW z = isFirst ? zero : gelLoadW( sums + 16 );
		gelPrefetchTile( tile, GEL_PREFETCH_AHEAD );
		for ( int c = 0; c < width; ++c )
		{
			gelFloatW l = gelLoadW( tile + 8 * c );
			x = gelAddW( x, gelMulW( l, v[c].x ) );
			y = gelAddW( y, gelMulW( l, v[c].y ) );
			z = gelAddW( z, gelMulW( l, v[c].z ) );
		}
		gelStoreW( sums, x );
		gelStoreW( sums + 8, y );
		gelStoreW( sums + 16, z );
	}
}

// Blocks of rows above the diagonal of a group are zero and skipped.
static void ForwardWideW( const gelPanelW* panel, const gelVec4* u, float* sums, gelVec4* y )
{
	const float* tiles = panel->values;
	for ( uint32_t c = 0; c < panel->width; c += 4, tiles += 32 * (size_t)panel->blockCount )
	{
		uint32_t skip = c / 8, count = panel->blockCount - skip, width = panel->width - c;
		float* to = sums + 24 * (size_t)skip;
		bool isFirst = c == 0;
		if ( width >= 4 )
			gelAddGroupW( tiles + 32 * (size_t)skip, 4, count, u + c, isFirst, to );
		else if ( width == 3 )
			gelAddGroupW( tiles + 24 * (size_t)skip, 3, count, u + c, isFirst, to );
		else if ( width == 2 )
			gelAddGroupW( tiles + 16 * (size_t)skip, 2, count, u + c, isFirst, to );
		else
			gelAddGroupW( tiles + 8 * (size_t)skip, 1, count, u + c, isFirst, to );
	}
	for ( uint32_t b = 0; b < panel->blockCount; ++b )
	{
		const float* s = sums + 24 * (size_t)b;
		gelPutBlockW( panel, b, ( gelVec3W ){ gelLoadW( s ), gelLoadW( s + 8 ), gelLoadW( s + 16 ) }, y );
	}
}

// Scratch: | sums | y1 as it was |
static void ForwardPanelW( const gelPanelW* panel, gelVec4* y, float* scratch )
{
	gelVec4* u = (gelVec4*)( scratch + 24 * (size_t)panel->blockCount );
	for ( uint32_t i = 0; i < panel->width; ++i )
	{
		gelStore4( u + i, gelLoad4( y + panel->first + i ) );
		gelStore4( y + panel->first + i, gelSplat4( 0.0f ) );
	}
	if ( panel->width <= GEL_NARROW_PANEL )
		ForwardNarrowW( panel, u, y );
	else
		ForwardWideW( panel, u, scratch, y );
}

// ---- backward: y1 <- G^T (y1, -y2) -----------------------------------------------------------------------

// out[c] = sum over rows of G_ic u_i for a group of `width` <= 4 columns.
GEL_FORCE_INLINE void gelDotGroupW(
	const float* tile, int width, uint32_t blockCount, const float* u, ptrdiff_t ahead, gelVec4* out )
{
	gelFloatW x[4], y[4], z[4];
	for ( int c = 0; c < width; ++c )
		x[c] = y[c] = z[c] = gelSplatW( 0.0f );
	for ( uint32_t b = 0; b < blockCount; ++b, tile += 8 * width, u += 24 )
	{
		gelFloatW ux = gelLoadW( u ), uy = gelLoadW( u + 8 ), uz = gelLoadW( u + 16 );
		gelPrefetchTile( tile, ahead );
		for ( int c = 0; c < width; ++c )
		{
			gelFloatW l = gelLoadW( tile + 8 * c );
			x[c] = gelAddW( x[c], gelMulW( l, ux ) );
			y[c] = gelAddW( y[c], gelMulW( l, uy ) );
			z[c] = gelAddW( z[c], gelMulW( l, uz ) );
		}
	}
	for ( int c = 0; c + 1 < width; c += 2 )
		gelSumTwoW( x + c, y + c, z + c, out + c );
	if ( width % 2 != 0 )
		gelStore4( out + width - 1, gelSumLanesW( x[width - 1], y[width - 1], z[width - 1] ) );
}

// (y1, -y2), x[8] y[8] z[8] per block of rows. Rows behind the last one repeat it: their values are zero.
GEL_FORCE_INLINE void gelTakeBlockW( const gelPanelW* panel, uint32_t b, const gelVec4* y, float* u )
{
	const uint32_t* rows = panel->rows + 8 * (size_t)b;
	uint32_t last = panel->rowCount - 8 * b - 1;
	gelFloat4 parts[8];
	for ( uint32_t r = 0; r < 8; ++r )
		parts[r] = gelLoad4( y + rows[r < last ? r : last] );
	gelNodesW n = gelCollectLanesW( parts );
	gelVec3W v = gelNegateOthersW( gelFindOwnW( panel, b ), ( gelVec3W ){ n.x, n.y, n.z } );
	gelStoreW( u, v.x );
	gelStoreW( u + 8, v.y );
	gelStoreW( u + 16, v.z );
}

static void BackwardPanelW( const gelPanelW* panel, gelVec4* y, float* u )
{
	for ( uint32_t b = 0; b < panel->blockCount; ++b )
		gelTakeBlockW( panel, b, y, u + 24 * (size_t)b );
	const float* tiles = panel->values;
	ptrdiff_t ahead = panel->width <= GEL_NARROW_PANEL ? panel->ahead : GEL_PREFETCH_AHEAD;
	for ( uint32_t c = 0; c < panel->width; c += 4, tiles += 32 * (size_t)panel->blockCount )
	{
		uint32_t skip = c / 8, count = panel->blockCount - skip, width = panel->width - c;
		const float* from = u + 24 * (size_t)skip;
		gelVec4* out = y + panel->first + c;
		if ( width >= 4 )
			gelDotGroupW( tiles + 32 * (size_t)skip, 4, count, from, ahead, out );
		else if ( width == 3 )
			gelDotGroupW( tiles + 24 * (size_t)skip, 3, count, from, ahead, out );
		else if ( width == 2 )
			gelDotGroupW( tiles + 16 * (size_t)skip, 2, count, from, ahead, out );
		else
			gelDotGroupW( tiles + 8 * (size_t)skip, 1, count, from, ahead, out );
	}
}

static void SolvePanels_W( const gelPackFactorView* factor, gelVec4* const* y, int bodyCount, float* scratch )
{
	uint32_t superCount = factor->header->superCount;
	for ( uint32_t s = 0; s < superCount; ++s )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		panel.ahead = GEL_PREFETCH_AHEAD;
		for ( int i = 0; i < bodyCount; ++i )
			ForwardPanelW( &panel, y[i], scratch );
	}
	for ( uint32_t s = superCount; s-- > 0; )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		// panels come in reverse order, the values of each do not: ask for the same place of the next one
		panel.ahead = s > 0 ? -(ptrdiff_t)( factor->valueFirst[s] - factor->valueFirst[s - 1] ) : 0;
		for ( int i = 0; i < bodyCount; ++i )
			BackwardPanelW( &panel, y[i], scratch );
	}
}

GEL_KERNELS( gelPanelKernels, gelGetPanelKernels ) = { SolvePanels_W };
