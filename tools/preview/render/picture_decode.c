// SPDX-License-Identifier: MIT
#include "preview/render/picture_decode.h"

#include <gelpack/asserts.h>

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h> // needs stdio.h before it
#ifdef GEL_HAS_WEBP
#include <webp/decode.h>
#endif

#define GEL_MAX_TEXTURE_SIDE 16384u

bool gelIsJpeg( const uint8_t* bytes, size_t count )
{
	return count >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF;
}

static const char* DecodePng( gelArtTexture* texture, const uint8_t* bytes, size_t count )
{
	GEL_ASSERT( bytes != NULL );
	png_image image = { .version = PNG_IMAGE_VERSION };
	if ( !png_image_begin_read_from_memory( &image, bytes, count ) ) return "it is no PNG, JPEG or WebP file";
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

// ---- WebP --------------------------------------------------------------------------------------------

#ifdef GEL_HAS_WEBP
// The file becomes a PNG file, which is what others can show.
static bool MakePngFile( gelArtTexture* texture )
{
	png_image image = { .version = PNG_IMAGE_VERSION,
		.width = (png_uint_32)texture->width,
		.height = (png_uint_32)texture->height,
		.format = PNG_FORMAT_RGBA };
	png_alloc_size_t bytes = 0;
	if ( !png_image_write_to_memory( &image, NULL, &bytes, 0, texture->pixels, 0, NULL ) ) return false;
	uint8_t* file = malloc( bytes );
	if ( file == NULL || !png_image_write_to_memory( &image, file, &bytes, 0, texture->pixels, 0, NULL ) )
	{
		free( file );
		return false;
	}
	free( texture->file );
	texture->file = file;
	texture->fileBytes = bytes;
	return true;
}

static const char* DecodeWebp( gelArtTexture* texture, const uint8_t* bytes, size_t count )
{
	int width = 0, height = 0;
	if ( !WebPGetInfo( bytes, count, &width, &height ) ) return "it is damaged";
	if ( width > (int)GEL_MAX_TEXTURE_SIDE || height > (int)GEL_MAX_TEXTURE_SIDE ) return "it is too large";
	size_t pixelBytes = 4 * (size_t)width * (size_t)height;
	uint8_t* pixels = malloc( pixelBytes );
	if ( pixels == NULL ) return "there is no memory for it";
	texture->pixels = pixels;
	texture->width = width;
	texture->height = height;
	if ( WebPDecodeRGBAInto( bytes, count, pixels, pixelBytes, 4 * width ) != NULL && MakePngFile( texture ) )
		return NULL;
	free( pixels );
	texture->pixels = NULL;
	return "it is damaged";
}
#endif

static const char* NameForeign( const uint8_t* bytes, size_t count )
{
	if ( count >= 5 && memcmp( bytes, "\xABKTX ", 5 ) == 0 )
		return "it is a KTX2 texture, which the preview does not read; the body is grey there";
	if ( count >= 12 && memcmp( bytes + 8, "WEBP", 4 ) == 0 )
		return "it is a WebP picture, and this build has no libwebp; the body is grey there";
	if ( count >= 12 && memcmp( bytes + 4, "ftypavif", 8 ) == 0 )
		return "it is an AVIF picture, which the preview does not read; the body is grey there";
	return NULL;
}

const char* gelDecodePicture( gelArtTexture* texture, const uint8_t* bytes, size_t count )
{
	if ( gelIsJpeg( bytes, count ) ) return DecodeJpeg( texture, bytes, count );
#ifdef GEL_HAS_WEBP
	if ( count >= 12 && memcmp( bytes, "RIFF", 4 ) == 0 && memcmp( bytes + 8, "WEBP", 4 ) == 0 )
		return DecodeWebp( texture, bytes, count );
#endif
	const char* foreign = NameForeign( bytes, count );
	return foreign != NULL ? foreign : DecodePng( texture, bytes, count );
}
