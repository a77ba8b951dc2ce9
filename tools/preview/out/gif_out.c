// SPDX-License-Identifier: MIT
// Animated GIF: 256 colors for the whole film, chosen by median cut (Heckbert 1982) over a histogram of 32 x
// 32 x 32 bins of all pictures. One palette, because palettes of their own would make still areas flicker.
#include "preview/out/gif_out.h"

#include <gelpack/asserts.h>

#include <gif_lib.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_BINS ( 32 * 32 * 32 )

// ---- palette -----------------------------------------------------------------------------------------

static int Bin( int r, int g, int b )
{
	return ( r >> 3 ) << 10 | ( g >> 3 ) << 5 | b >> 3;
}

void gelGifPalette_Count( gelGifPalette* palette, const gelImage* image )
{
	size_t count = (size_t)image->width * (size_t)image->height;
	for ( size_t i = 0; i < count; ++i )
	{
		const uint8_t* p = image->pixels + 3 * i;
		palette->counts[Bin( p[0], p[1], p[2] )] += 1;
	}
}

// A box of bins, by 5-bit channel.
typedef struct Box
{
	int min[3], max[3];
	uint64_t count;
	int longest; // channel
} Box;

// Tight around what is in use: splits then part colors, not empty space.
static void Shrink( const gelGifPalette* palette, Box* box )
{
	Box old = *box;
	*box = ( Box ){ { 31, 31, 31 }, { 0, 0, 0 }, 0, 0 };
	for ( int r = old.min[0]; r <= old.max[0]; ++r )
		for ( int g = old.min[1]; g <= old.max[1]; ++g )
			for ( int b = old.min[2]; b <= old.max[2]; ++b )
			{
				uint32_t count = palette->counts[r << 10 | g << 5 | b];
				if ( count == 0 ) continue;
				const int c[3] = { r, g, b };
				box->count += count;
				for ( int k = 0; k < 3; ++k )
				{
					box->min[k] = c[k] < box->min[k] ? c[k] : box->min[k];
					box->max[k] = c[k] > box->max[k] ? c[k] : box->max[k];
				}
			}
	for ( int k = 1; k < 3; ++k )
	{
		if ( box->max[k] - box->min[k] > box->max[box->longest] - box->min[box->longest] ) box->longest = k;
	}
}

static uint64_t CountSlice( const gelGifPalette* palette, const Box* box, int channel, int value )
{
	GEL_ASSERT( channel >= 0 && channel < 3 );
	Box slice = *box;
	slice.min[channel] = slice.max[channel] = value;
	Shrink( palette, &slice );
	return slice.count;
}

// Where the pixels on both sides are about as many; both sides keep at least one slice.
static void Split( const gelGifPalette* palette, Box* box, Box* other )
{
	int channel = box->longest, at = box->min[channel];
	uint64_t below = CountSlice( palette, box, channel, at );
	while ( 2 * below < box->count && at + 1 < box->max[channel] )
		below += CountSlice( palette, box, channel, ++at );
	*other = *box;
	box->max[channel] = at;
	other->min[channel] = at + 1;
	Shrink( palette, box );
	Shrink( palette, other );
}

static void Mean( const gelGifPalette* palette, const Box* box, uint8_t out[3] )
{
	double sum[3] = { 0.0, 0.0, 0.0 }, total = 0.0;
	for ( int r = box->min[0]; r <= box->max[0]; ++r )
		for ( int g = box->min[1]; g <= box->max[1]; ++g )
			for ( int b = box->min[2]; b <= box->max[2]; ++b )
			{
				double w = palette->counts[r << 10 | g << 5 | b];
				sum[0] += w * ( 8 * r + 4 ), sum[1] += w * ( 8 * g + 4 ), sum[2] += w * ( 8 * b + 4 );
				total += w;
			}
	for ( int k = 0; k < 3; ++k )
		out[k] = total > 0.0 ? (uint8_t)( sum[k] / total ) : 0;
}

static int Nearest( const gelGifPalette* palette, int r, int g, int b )
{
	int best = 0, bestDistance = INT32_MAX;
	for ( int i = 0; i < 256; ++i )
	{
		const uint8_t* c = palette->colors[i];
		int dr = r - c[0], dg = g - c[1], db = b - c[2];
		int distance = 3 * dr * dr + 4 * dg * dg + 2 * db * db; // the eye sees green best
		if ( distance >= bestDistance ) continue;
		best = i;
		bestDistance = distance;
	}
	return best;
}

void gelGifPalette_Choose( gelGifPalette* palette )
{
	Box boxes[256];
	int count = 1;
	boxes[0] = ( Box ){ { 0, 0, 0 }, { 31, 31, 31 }, 0, 0 };
	Shrink( palette, boxes );
	while ( count < 256 )
	{
		// The one with the most pixels times its size: large even areas need few colors.
		int pick = -1;
		double most = 0.0;
		for ( int i = 0; i < count; ++i )
		{
			int size = boxes[i].max[boxes[i].longest] - boxes[i].min[boxes[i].longest];
			double worth = (double)boxes[i].count * size;
			if ( worth > most ) most = worth, pick = i;
		}
		if ( pick < 0 ) break;
		Split( palette, boxes + pick, boxes + count++ );
	}
	memset( palette->colors, 0, sizeof( palette->colors ) );
	for ( int i = 0; i < count; ++i )
		Mean( palette, boxes + i, palette->colors[i] );
	for ( int i = 0; i < GEL_BINS; ++i )
		// Worked out once for all bins, so that a pixel is one look into a table.
		palette->nearest[i] =
			(uint8_t)Nearest( palette, 8 * ( i >> 10 ) + 4, 8 * ( i >> 5 & 31 ) + 4, 8 * ( i & 31 ) + 4 );
}

// ---- file --------------------------------------------------------------------------------------------

static int WriteBytes( GifFileType* gif, const GifByteType* bytes, int count )
{
	return (int)fwrite( bytes, 1, (size_t)count, gif->UserData );
}

bool gelGif_Begin(
	gelGif* gif, const char* path, int width, int height, gelGifPalette* palette, gelFindings* findings )
{
	GEL_ASSERT( width > 0 && height > 0 );
	*gif = ( gelGif ){ .palette = palette, .width = width, .height = height };
	if ( !gelOutputFile_Begin( &gif->file, path, findings ) ) return false;
	gif->row = malloc( (size_t)width );
	GifColorType colors[256];
	for ( int i = 0; i < 256; ++i )
		colors[i] = ( GifColorType ){ palette->colors[i][0], palette->colors[i][1], palette->colors[i][2] };
	ColorMapObject* map = GifMakeMapObject( 256, colors );
	int error = 0;
	GifFileType* file =
		map != NULL && gif->row != NULL ? EGifOpen( gif->file.stream, WriteBytes, &error ) : NULL;
	gif->gif = file;
	bool ok = file != NULL;
	if ( ok )
	{
		EGifSetGifVersion( file, true );
		// Sub-block 1, and 0 repetitions, which means without end.
		const uint8_t forever[3] = { 1, 0, 0 };
		ok = EGifPutScreenDesc( file, width, height, 8, 0, map ) == GIF_OK &&
			EGifPutExtensionLeader( file, APPLICATION_EXT_FUNC_CODE ) == GIF_OK &&
			EGifPutExtensionBlock( file, 11, "NETSCAPE2.0" ) == GIF_OK &&
			EGifPutExtensionBlock( file, 3, forever ) == GIF_OK && EGifPutExtensionTrailer( file ) == GIF_OK;
	}
	GifFreeMapObject( map );
	if ( ok ) return true;
	gelGif_End( gif, false, findings );
	gelFindings_Add( findings, gel_findingCannotWrite, path, "the GIF file cannot be begun" );
	return false;
}

bool gelGif_Add( gelGif* gif, const gelImage* image, int centiseconds )
{
	GEL_ASSERT( centiseconds >= 0 );
	GifFileType* file = gif->gif;
	GraphicsControlBlock control = { DISPOSE_DO_NOT, false, centiseconds, NO_TRANSPARENT_COLOR };
	GifByteType bytes[4];
	EGifGCBToExtension( &control, bytes );
	if ( EGifPutExtension( file, GRAPHICS_EXT_FUNC_CODE, 4, bytes ) != GIF_OK ) return false;
	if ( EGifPutImageDesc( file, 0, 0, gif->width, gif->height, false, NULL ) != GIF_OK ) return false;
	// A 4 x 4 Bayer matrix hides the steps of the palette; it stands still, so nothing shimmers.
	static const int bayer[16] = { 0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5 };
	for ( int y = 0; y < gif->height; ++y )
	{
		const uint8_t* p = image->pixels + 3 * (size_t)image->width * (size_t)y;
		for ( int x = 0; x < gif->width; ++x, p += 3 )
		{
			// -4 .. 3 of 255: half a bin to both sides.
			int push = bayer[( y & 3 ) << 2 | ( x & 3 )] / 2 - 4, c[3];
			for ( int k = 0; k < 3; ++k )
			{
				int value = p[k] + push;
				c[k] = value < 0 ? 0 : value > 255 ? 255 : value;
			}
			gif->row[x] = gif->palette->nearest[Bin( c[0], c[1], c[2] )];
		}
		if ( EGifPutLine( file, gif->row, gif->width ) != GIF_OK ) return false;
	}
	return true;
}

bool gelGif_End( gelGif* gif, bool keep, gelFindings* findings )
{
	int error = 0;
	if ( gif->gif != NULL && EGifCloseFile( gif->gif, &error ) != GIF_OK ) keep = false;
	free( gif->row );
	gif->gif = NULL;
	gif->row = NULL;
	if ( keep ) return gelOutputFile_Commit( &gif->file, findings );
	gelOutputFile_Abort( &gif->file );
	return false;
}
