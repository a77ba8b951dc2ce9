// SPDX-License-Identifier: MIT
#include "preview/render/image.h"

#include "common/program/output_file.h"

#include <gelpack/asserts.h>

#include <png.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gelCreateImage( gelImage* image, int width, int height )
{
	GEL_ASSERT( width > 0 && height > 0 );
	image->width = width;
	image->height = height;
	image->pixels = calloc( (size_t)width * (size_t)height, 3 );
	return image->pixels != NULL;
}

void gelFreeImage( gelImage* image )
{
	free( image->pixels );
	memset( image, 0, sizeof( *image ) );
}

static uint8_t* Row( const gelImage* image, int y )
{
	return image->pixels + 3 * (size_t)image->width * (size_t)y;
}

void gelImage_FlipRows( gelImage* image )
{
	size_t rowBytes = 3 * (size_t)image->width;
	for ( int y = 0; y < image->height / 2; ++y )
	{
		uint8_t* a = Row( image, y );
		uint8_t* b = Row( image, image->height - 1 - y );
		for ( size_t i = 0; i < rowBytes; ++i )
		{
			uint8_t swap = a[i];
			a[i] = b[i];
			b[i] = swap;
		}
	}
}

void gelImage_Fill( gelImage* image, gelColor8 color )
{
	size_t count = (size_t)image->width * (size_t)image->height;
	for ( size_t i = 0; i < count; ++i )
	{
		image->pixels[3 * i + 0] = color.r;
		image->pixels[3 * i + 1] = color.g;
		image->pixels[3 * i + 2] = color.b;
	}
}

gelColor8 gelImage_Pixel( const gelImage* image, int x, int y )
{
	const uint8_t* p = Row( image, y ) + 3 * (size_t)x;
	return ( gelColor8 ){ p[0], p[1], p[2] };
}

void gelImage_Paste( gelImage* image, const gelImage* source, int x, int y )
{
	int x0 = x < 0 ? -x : 0;
	int x1 = image->width - x < source->width ? image->width - x : source->width;
	if ( x1 <= x0 ) return;
	for ( int row = 0; row < source->height; ++row )
	{
		if ( y + row < 0 || y + row >= image->height ) continue;
		memcpy( Row( image, y + row ) + 3 * (size_t)( x + x0 ), Row( source, row ) + 3 * (size_t)x0,
			3 * (size_t)( x1 - x0 ) );
	}
}

typedef struct PngMessage
{
	char text[96];
} PngMessage;

// libpng reports errors through a callback that may not return. The message is kept for the finding.
static void OnPngError( png_structp png, png_const_charp message )
{
	PngMessage* kept = png_get_error_ptr( png );
	snprintf( kept->text, sizeof( kept->text ), "%s", message );
	png_longjmp( png, 1 );
}

static void OnPngWarning( png_structp png, png_const_charp message )
{
	(void)png;
	(void)message;
}

// False: the message says why.
static bool EncodePng( const gelImage* image, FILE* stream, PngMessage* outMessage )
{
	snprintf( outMessage->text, sizeof( outMessage->text ), "out of memory" );
	png_structp png = png_create_write_struct( PNG_LIBPNG_VER_STRING, outMessage, OnPngError, OnPngWarning );
	if ( png == NULL ) return false;
	png_infop info = png_create_info_struct( png );
	if ( info == NULL || setjmp( png_jmpbuf( png ) ) != 0 )
	{
		png_destroy_write_struct( &png, &info );
		return false;
	}
	png_init_io( png, stream );
	png_set_IHDR( png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8, PNG_COLOR_TYPE_RGB,
		PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT );
	png_set_sRGB( png, info, PNG_sRGB_INTENT_PERCEPTUAL );
	png_write_info( png, info );
	for ( int y = 0; y < image->height; ++y )
		png_write_row( png, Row( image, y ) );
	png_write_end( png, NULL );
	png_destroy_write_struct( &png, &info );
	return true;
}

bool gelWritePng( const gelImage* image, const char* path, gelFindings* findings )
{
	gelOutputFile file;
	if ( !gelOutputFile_Begin( &file, path, findings ) ) return false;
	PngMessage message;
	if ( !EncodePng( image, file.stream, &message ) )
	{
		gelOutputFile_Abort( &file );
		gelFindings_Add(
			findings, gel_findingCannotWrite, path, "the picture cannot be written: %s", message.text );
		return false;
	}
	return gelOutputFile_Commit( &file, findings );
}
