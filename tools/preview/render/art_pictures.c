// SPDX-License-Identifier: MIT
#include "preview/render/art_pictures.h"

#include "common/program/confined_path.h"
#include "common/program/output_file.h"
#include "preview/render/picture_decode.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GEL_MAX_ART_BYTES     ( (size_t)4 << 30 )
#define GEL_MAX_PICTURE_BYTES ( (size_t)1 << 28 )

// A glTF file as JSON, and the binary chunk of a GLB file.
typedef struct Source
{
	const char* path;
	uint8_t* bytes;
	json_t* root;
	const uint8_t* bin;
	size_t binBytes;
	gelFindings* findings;
} Source;

static size_t GetU32( const uint8_t* p )
{
	return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

static bool OpenSource( Source* s, const char* path, gelFindings* findings )
{
	size_t count = 0;
	*s = ( Source ){ .path = path, .findings = findings };
	s->bytes = gelReadFile( path, GEL_MAX_ART_BYTES, &count, findings );
	if ( s->bytes == NULL ) return false;
	const char* text = (const char*)s->bytes;
	size_t textBytes = count;
	if ( count >= 20 && memcmp( s->bytes, "glTF", 4 ) == 0 )
	{
		size_t jsonBytes = GetU32( s->bytes + 12 );
		if ( jsonBytes > count - 20 ) return false;
		text += 20;
		textBytes = jsonBytes;
		size_t left = count - 20 - jsonBytes;
		const uint8_t* chunk = s->bytes + 20 + jsonBytes;
		if ( left >= 8 && GetU32( chunk ) <= left - 8 )
		{
			s->bin = chunk + 8;
			s->binBytes = GetU32( chunk );
		}
	}
	s->root = json_loadb( text, textBytes, JSON_DISABLE_EOF_CHECK, NULL );
	return s->root != NULL;
}

static void CloseSource( Source* s )
{
	json_decref( s->root );
	free( s->bytes );
}

static const json_t* Element( const json_t* root, const char* list, const json_t* index )
{
	if ( !json_is_integer( index ) || json_integer_value( index ) < 0 ) return NULL;
	return json_array_get( json_object_get( root, list ), (size_t)json_integer_value( index ) );
}

// Bytes of a picture inside of the file. NULL: it is not there.
static const uint8_t* FindBytes( const Source* s, const json_t* image, size_t* outBytes )
{
	const json_t* view = Element( s->root, "bufferViews", json_object_get( image, "bufferView" ) );
	json_int_t buffer = json_integer_value( json_object_get( view, "buffer" ) );
	json_int_t offset = json_integer_value( json_object_get( view, "byteOffset" ) );
	json_int_t length = json_integer_value( json_object_get( view, "byteLength" ) );
	if ( view == NULL || buffer != 0 || offset < 0 || length <= 0 || (size_t)offset > s->binBytes ||
		(size_t)length > s->binBytes - (size_t)offset )
		return NULL;
	*outBytes = (size_t)length;
	return s->bin + offset;
}

// A picture file beside the art. free() it; NULL: there is none that may be read.
static uint8_t* ReadBeside( const Source* s, const json_t* image, size_t* outBytes )
{
	const char* uri = json_string_value( json_object_get( image, "uri" ) );
	char name[1024], path[4096];
	if ( uri == NULL || snprintf( name, sizeof( name ), "%s", uri ) >= (int)sizeof( name ) ) return NULL;
	if ( !gelDecodePercents( name ) || !gelIsConfinedPath( name ) ) return NULL;
	const char* slash = strrchr( s->path, '/' );
	int folder = slash != NULL ? (int)( slash - s->path ) + 1 : 0;
	if ( snprintf( path, sizeof( path ), "%.*s%s", folder, s->path, name ) >= (int)sizeof( path ) )
		return NULL;
	struct stat info;
	if ( stat( path, &info ) != 0 || !S_ISREG( info.st_mode ) ) return NULL;
	gelFindings own = { .quiet = true };
	uint8_t* bytes = gelReadFile( path, GEL_MAX_PICTURE_BYTES, outBytes, &own );
	gelFreeFindings( &own );
	return bytes;
}

// "data:image/png;base64,...": the picture is in the JSON itself.
static const char* FindBase64( const json_t* image )
{
	const char* uri = json_string_value( json_object_get( image, "uri" ) );
	if ( uri == NULL || strncmp( uri, "data:", 5 ) != 0 ) return NULL;
	const char* comma = strchr( uri, ',' );
	bool isBase64 = comma != NULL && comma - uri > 7 && strncmp( comma - 7, ";base64", 7 ) == 0;
	return isBase64 ? comma + 1 : NULL;
}

static int Base64Digit( char c )
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char* at = c != 0 ? strchr( digits, c ) : NULL;
	return at != NULL ? (int)( at - digits ) : -1;
}

// RFC 4648, section 4. free() the result; NULL: it is not base64.
static uint8_t* DecodeBase64( const char* text, size_t* outBytes )
{
	size_t length = strlen( text ), count = 0;
	while ( length > 0 && text[length - 1] == '=' )
		length -= 1;
	uint8_t* bytes = malloc( length / 4 * 3 + 4 );
	uint32_t bits = 0;
	for ( size_t i = 0; bytes != NULL && i < length; ++i )
	{
		int digit = Base64Digit( text[i] );
		if ( digit < 0 )
		{
			free( bytes );
			return NULL;
		}
		bits = bits << 6 | (uint32_t)digit;
		if ( i % 4 != 0 ) bytes[count++] = (uint8_t)( bits >> ( 6 - 2 * ( i % 4 ) ) );
	}
	*outBytes = count;
	return bytes;
}

// The file of a picture. free() it; NULL: it is not there.
static uint8_t* TakeFile( const Source* s, const json_t* image, size_t* outBytes )
{
	if ( image == NULL ) return NULL;
	const char* base64 = FindBase64( image );
	if ( base64 != NULL ) return DecodeBase64( base64, outBytes );
	const uint8_t* inside = FindBytes( s, image, outBytes );
	if ( inside == NULL ) return ReadBeside( s, image, outBytes );
	uint8_t* copy = malloc( *outBytes );
	if ( copy != NULL ) memcpy( copy, inside, *outBytes );
	return copy;
}

static void LoadPicture( const Source* s, const json_t* material, gelArtTexture* texture, int number )
{
	const json_t* pbr = json_object_get( material, "pbrMetallicRoughness" );
	const json_t* info = json_object_get( pbr, "baseColorTexture" );
	const json_t* entry = Element( s->root, "textures", json_object_get( info, "index" ) );
	if ( entry == NULL ) return;
	const json_t* image = Element( s->root, "images", json_object_get( entry, "source" ) );
	texture->file = TakeFile( s, image, &texture->fileBytes );
	const char* problem = texture->file != NULL
		? gelDecodePicture( texture, texture->file, texture->fileBytes )
		: "it is not there";
	if ( problem != NULL )
		gelFindings_Add( s->findings, gel_findingTextureNotShown, s->path,
			"the picture of material %d is not shown: %s", number, problem );
}

void gelLoadArtPictures( const char* path, gelArtTexture* textures, int materialCount, gelFindings* findings )
{
	Source source;
	if ( OpenSource( &source, path, findings ) )
	{
		const json_t* materials = json_object_get( source.root, "materials" );
		for ( int i = 0; i < materialCount && (size_t)i < json_array_size( materials ); ++i )
			LoadPicture( &source, json_array_get( materials, (size_t)i ), textures + i, i );
	}
	CloseSource( &source );
}
