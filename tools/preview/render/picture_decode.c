// SPDX-License-Identifier: MIT
#include "preview/render/picture_decode.h"

#include <gelpack/asserts.h>

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h> // needs stdio.h before it

#define GEL_MAX_TEXTURE_SIDE 16384u

bool gelIsJpeg( const uint8_t* bytes, size_t count )
{
	return count >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF;
}

static const char* DecodePng( gelArtTexture* texture, const uint8_t* bytes, size_t count )
{
	GEL_ASSERT( bytes != NULL );
	png_image image = { .version = PNG_IMAGE_VERSION };
	if ( !png_image_begin_read_from_memory( &image, bytes, count ) )
		return "it is neither a PNG nor a JPEG file";
	image.format = PNG_FORMAT_RGBA;
	bool ok = image.width <= GEL_MAX_TEXTURE_SIDE && image.height <= GEL_MAX_TEXTURE_SIDE;
	uint8_t* pixels = ok ? malloc( PNG_IMAGE_SIZE( image ) ) : NULL;
	if ( pixels == NULL || !png_image_finish_read( &image, NULL, pixels, 0, NULL ) )
	{
		png_image_free( &image );
		free( pixels );
		return ok ? "it is damaged" : "it is too large";
	}
	texture->pixels = pixels;
	texture->width = (int)image.width;
	texture->height = (int)image.height;
	return NULL;
}

// ---- JPEG --------------------------------------------------------------------------------------------

// libjpeg leaves by longjmp, so what has to be freed lives here and not on the stack.
typedef struct Jpeg
{
	struct jpeg_decompress_struct info;
	struct jpeg_error_mgr errors;
	jmp_buf leave;
	uint8_t* pixels;
	uint8_t* row; // RGB
} Jpeg;

static void LeaveJpeg( j_common_ptr info )
{
	Jpeg* jpeg = info->client_data;
	longjmp( jpeg->leave, 1 );
}

static void KeepSilent( j_common_ptr info )
{
	(void)info;
}

// A file that ends too early is filled up with grey by the library, with a warning: that is no picture.
static void CountWarning( j_common_ptr info, int level )
{
	if ( level < 0 ) LeaveJpeg( info );
}

static const char* ReadJpeg( Jpeg* jpeg, const uint8_t* bytes, size_t count )
{
	struct jpeg_decompress_struct* info = &jpeg->info;
	if ( setjmp( jpeg->leave ) != 0 ) return "it is damaged";
	jpeg_create_decompress( info );
	jpeg_mem_src( info, bytes, (unsigned long)count );
	jpeg_read_header( info, TRUE );
	if ( info->image_width > GEL_MAX_TEXTURE_SIDE || info->image_height > GEL_MAX_TEXTURE_SIDE )
		return "it is too large";
	if ( info->num_components == 4 ) return "it is a JPEG file with four inks, as printers want it";
	info->out_color_space = JCS_RGB;
	jpeg_start_decompress( info );
	size_t width = info->output_width, height = info->output_height;
	jpeg->pixels = malloc( 4 * width * height );
	jpeg->row = malloc( 3 * width );
	if ( jpeg->pixels == NULL || jpeg->row == NULL ) return "there is no memory for it";
	while ( info->output_scanline < height )
	{
		uint8_t* out = jpeg->pixels + 4 * width * info->output_scanline;
		JSAMPROW rows[1] = { jpeg->row };
		if ( jpeg_read_scanlines( info, rows, 1 ) != 1 ) return "it is damaged";
		for ( size_t i = 0; i < width; ++i, out += 4 )
		{
			memcpy( out, jpeg->row + 3 * i, 3 );
			out[3] = 255;
		}
	}
	jpeg_finish_decompress( info );
	return NULL;
}

static const char* DecodeJpeg( gelArtTexture* texture, const uint8_t* bytes, size_t count )
{
	GEL_ASSERT( bytes != NULL );
	Jpeg* jpeg = calloc( 1, sizeof( Jpeg ) );
	if ( jpeg == NULL ) return "there is no memory for it";
	jpeg->info.err = jpeg_std_error( &jpeg->errors );
	jpeg->errors.error_exit = LeaveJpeg;
	jpeg->errors.emit_message = CountWarning;
	jpeg->errors.output_message = KeepSilent;
	jpeg->info.client_data = jpeg;
	const char* problem = ReadJpeg( jpeg, bytes, count );
	if ( problem == NULL )
	{
		texture->pixels = jpeg->pixels;
		texture->width = (int)jpeg->info.output_width;
		texture->height = (int)jpeg->info.output_height;
		jpeg->pixels = NULL;
	}
	jpeg_destroy_decompress( &jpeg->info );
	free( jpeg->pixels );
	free( jpeg->row );
	free( jpeg );
	return problem;
}

const char* gelDecodePicture( gelArtTexture* texture, const uint8_t* bytes, size_t count )
{
	return gelIsJpeg( bytes, count ) ? DecodeJpeg( texture, bytes, count )
									 : DecodePng( texture, bytes, count );
}
