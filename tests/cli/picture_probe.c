// SPDX-License-Identifier: MIT
// Looks at pictures for scripts: PNG files, and the screen of Xvfb (XWD, as Xvfb -fbdir keeps it).
//     picture_probe size FILE                       WIDTH HEIGHT
//     picture_probe count FILE RRGGBB TOLERANCE     pixels of about this color
//     picture_probe hue FILE r|g|b MARGIN           pixels in which this channel is above both others by so
//     much picture_probe diff FILE FILE TOLERANCE        pixels that differ picture_probe at FILE X Y RRGGBB
#include <png.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Picture
{
	int width, height;
	uint8_t* pixels; // RGB
} Picture;

static void Die( const char* text, const char* path )
{
	fprintf( stderr, "picture_probe: %s: %s\n", path, text );
	exit( 2 );
}

static Picture ReadPng( const char* path )
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	if ( !png_image_begin_read_from_file( &image, path ) ) Die( image.message, path );
	image.format = PNG_FORMAT_RGB;
	Picture p = { (int)image.width, (int)image.height, malloc( PNG_IMAGE_SIZE( image ) ) };
	if ( p.pixels == NULL || !png_image_finish_read( &image, NULL, p.pixels, 0, NULL ) )
		Die( "cannot be read", path );
	return p;
}

static uint32_t BigEndian( const uint8_t* b )
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

// Head of an XWD file: 25 words of 32 bits, big-endian; then a name, colors of 12 bytes, pixels of 32 bits.
static Picture ReadXwd( const char* path )
{
	FILE* file = fopen( path, "rb" );
	uint8_t header[100];
	if ( file == NULL || fread( header, 1, sizeof( header ), file ) != sizeof( header ) )
		Die( "is short", path );
	uint32_t headerSize = BigEndian( header ), width = BigEndian( header + 16 ),
			 height = BigEndian( header + 20 );
	uint32_t order = BigEndian( header + 28 ), bits = BigEndian( header + 44 ),
			 line = BigEndian( header + 48 );
	uint32_t colors = BigEndian( header + 76 );
	if ( bits != 32 || width == 0 || width > 10000 || height > 10000 ) Die( "is no screen of 32 bits", path );
	fseek( file, (long)( headerSize + 12 * colors ), SEEK_SET );
	Picture p = { (int)width, (int)height, malloc( 3 * (size_t)width * height ) };
	uint8_t* row = malloc( line );
	for ( uint32_t y = 0; y < height; ++y )
	{
		if ( fread( row, 1, line, file ) != line ) Die( "is short", path );
		for ( uint32_t x = 0; x < width; ++x )
		{
			const uint8_t* q = row + 4 * x; // BGRX or XRGB
			uint8_t* o = p.pixels + 3 * ( (size_t)y * width + x );
			o[0] = order == 0 ? q[2] : q[1], o[1] = order == 0 ? q[1] : q[2], o[2] = order == 0 ? q[0] : q[3];
		}
	}
	free( row );
	fclose( file );
	return p;
}

static Picture Read( const char* path )
{
	size_t length = strlen( path );
	return length > 4 && strcmp( path + length - 4, ".png" ) == 0 ? ReadPng( path ) : ReadXwd( path );
}

static int Distance( const uint8_t* a, const uint8_t* b )
{
	int largest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		int d = abs( a[k] - b[k] );
		largest = d > largest ? d : largest;
	}
	return largest;
}

static long CountHue( const Picture* p, int channel, int margin )
{
	long count = 0;
	for ( int i = 0; i < p->width * p->height; ++i )
	{
		const uint8_t* c = p->pixels + 3 * (size_t)i;
		int a = c[channel], b = c[( channel + 1 ) % 3], d = c[( channel + 2 ) % 3];
		count += a > b + margin && a > d + margin;
	}
	return count;
}

static long CountNear( const Picture* p, const Picture* other, uint32_t color, int tolerance, int near )
{
	const uint8_t c[3] = { (uint8_t)( color >> 16 ), (uint8_t)( color >> 8 ), (uint8_t)color };
	long count = 0;
	for ( int i = 0; i < p->width * p->height; ++i )
	{
		int d = Distance( p->pixels + 3 * (size_t)i, other != NULL ? other->pixels + 3 * (size_t)i : c );
		count += near ? d <= tolerance : d > tolerance;
	}
	return count;
}

int main( int argc, char** argv )
{
	if ( argc < 3 ) Die( "wrong call", "arguments" );
	const char* verb = argv[1];
	Picture p = Read( argv[2] ), q = { 0 };
	if ( strcmp( verb, "size" ) == 0 )
		printf( "%d %d\n", p.width, p.height );
	else if ( strcmp( verb, "count" ) == 0 && argc == 5 )
		printf( "%ld\n", CountNear( &p, NULL, (uint32_t)strtoul( argv[3], NULL, 16 ), atoi( argv[4] ), 1 ) );
	else if ( strcmp( verb, "hue" ) == 0 && argc == 5 )
		printf( "%ld\n", CountHue( &p, argv[3][0] == 'r' ? 0 : argv[3][0] == 'g' ? 1 : 2, atoi( argv[4] ) ) );
	else if ( strcmp( verb, "diff" ) == 0 && argc == 5 )
	{
		q = Read( argv[3] );
		if ( q.width != p.width || q.height != p.height ) Die( "has another size", argv[3] );
		printf( "%ld\n", CountNear( &p, &q, 0, atoi( argv[4] ), 0 ) );
	}
	else if ( strcmp( verb, "at" ) == 0 && argc == 5 && atoi( argv[3] ) < p.width &&
		atoi( argv[4] ) < p.height )
	{
		const uint8_t* c =
			p.pixels + 3 * ( (size_t)atoi( argv[4] ) * (size_t)p.width + (size_t)atoi( argv[3] ) );
		printf( "%02X%02X%02X\n", c[0], c[1], c[2] );
	}
	else
		Die( "wrong call", verb );
	free( p.pixels );
	free( q.pixels );
	return 0;
}
