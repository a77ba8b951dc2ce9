// SPDX-License-Identifier: MIT
#include "preview/render/art_pictures.h"

#include "common/program/confined_path.h"
#include "common/program/output_file.h"
#include "preview/render/picture_decode.h"

#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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

// A picture file below the folder of the art. free() it; NULL: there is none that may be read.
static uint8_t* ReadFileBeside( const char* art, const char* name, size_t* outBytes )
{
	char path[4096];
	if ( !gelIsConfinedPath( name ) ) return NULL;
	const char* slash = strrchr( art, '/' );
	int folder = slash != NULL ? (int)( slash - art ) + 1 : 0;
	if ( snprintf( path, sizeof( path ), "%.*s%s", folder, art, name ) >= (int)sizeof( path ) ) return NULL;
	struct stat info;
	if ( stat( path, &info ) != 0 || !S_ISREG( info.st_mode ) ) return NULL;
	gelFindings own = { .quiet = true };
	uint8_t* bytes = gelReadFile( path, GEL_MAX_PICTURE_BYTES, outBytes, &own );
	gelFreeFindings( &own );
	return bytes;
}

static uint8_t* ReadBeside( const Source* s, const json_t* image, size_t* outBytes )
{
	const char* uri = json_string_value( json_object_get( image, "uri" ) );
	char name[1024];
	if ( uri == NULL || snprintf( name, sizeof( name ), "%s", uri ) >= (int)sizeof( name ) ) return NULL;
	return gelDecodePercents( name ) ? ReadFileBeside( s->path, name, outBytes ) : NULL;
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

// What cannot be shown, of all materials.
typedef struct Problems
{
	int count, first; // materials
	const char* text;
} Problems;

static void ShowFile( gelArtTexture* texture, int material, Problems* problems )
{
	const char* problem = texture->file != NULL
		? gelDecodePicture( texture, texture->file, texture->fileBytes )
		: "it is not there";
	texture->isWanted = true;
	if ( problem == NULL || problems->count++ > 0 ) return;
	problems->first = material;
	problems->text = problem;
}

static double NumberOf( const json_t* array, size_t i, double missing )
{
	const json_t* value = json_array_get( array, i );
	return json_is_number( value ) ? json_number_value( value ) : missing;
}

// KHR_texture_transform: scale, then rotation, counter-clockwise where v runs down, then offset.
static void ReadPlace( const json_t* info, float place[6] )
{
	const json_t* from = json_object_get( json_object_get( info, "extensions" ), "KHR_texture_transform" );
	if ( from == NULL ) return;
	const json_t *offset = json_object_get( from, "offset" ), *scale = json_object_get( from, "scale" );
	double angle = json_number_value( json_object_get( from, "rotation" ) );
	double c = cos( angle ), s = sin( angle ), su = NumberOf( scale, 0, 1.0 ), sv = NumberOf( scale, 1, 1.0 );
	const double values[6] = { c * su, s * sv, NumberOf( offset, 0, 0.0 ), -s * su, c * sv,
		NumberOf( offset, 1, 0.0 ) };
	for ( int i = 0; i < 6; ++i )
		place[i] = isfinite( values[i] ) ? (float)values[i] : 0.0f;
}

// The image of a texture: WebP has an entry of its own, and so does KTX2, which is not read.
static const json_t* FindImage( const Source* s, const json_t* entry )
{
	const json_t* webp = json_object_get( json_object_get( entry, "extensions" ), "EXT_texture_webp" );
	const json_t* image = Element( s->root, "images", json_object_get( webp, "source" ) );
	if ( image == NULL ) image = Element( s->root, "images", json_object_get( entry, "source" ) );
	const json_t* basis = json_object_get( json_object_get( entry, "extensions" ), "KHR_texture_basisu" );
	return image != NULL ? image : Element( s->root, "images", json_object_get( basis, "source" ) );
}

static void ReadLook(
	const Source* s, const json_t* material, gelArtTexture* texture, int number, Problems* problems )
{
	const char* mode = json_string_value( json_object_get( material, "alphaMode" ) );
	const json_t* cutoff = json_object_get( material, "alphaCutoff" );
	if ( mode != NULL && strcmp( mode, "MASK" ) == 0 )
		texture->alphaCutoff = json_is_number( cutoff ) ? (float)json_number_value( cutoff ) : 0.5f;
	if ( mode != NULL && strcmp( mode, "BLEND" ) == 0 ) texture->alphaCutoff = -1.0f;
	// A picture of the light is not read, and its factor alone would make everything shine.
	if ( json_object_get( material, "emissiveTexture" ) == NULL )
		for ( size_t k = 0; k < 3; ++k )
			texture->emission[k] = (float)NumberOf( json_object_get( material, "emissiveFactor" ), k, 0.0 );
	const json_t* info =
		json_object_get( json_object_get( material, "pbrMetallicRoughness" ), "baseColorTexture" );
	const json_t* entry = Element( s->root, "textures", json_object_get( info, "index" ) );
	if ( entry == NULL ) return;
	ReadPlace( info, texture->place );
	texture->file = TakeFile( s, FindImage( s, entry ), &texture->fileBytes );
	ShowFile( texture, number, problems );
}

static void ReadGltfLooks( const char* path, const gelMesh* mesh, gelArtTexture* textures,
	gelFindings* findings, Problems* problems )
{
	Source source;
	if ( OpenSource( &source, path, findings ) )
	{
		const json_t* materials = json_object_get( source.root, "materials" );
		for ( size_t i = 0; i < mesh->materialCount && i < json_array_size( materials ); ++i )
			ReadLook( &source, json_array_get( materials, i ), textures + i, (int)i, problems );
	}
	CloseSource( &source );
}

// OBJ and FBX name files, often with folders of the machine that they were made on. Their v runs up.
static void ReadNamedPictures(
	const char* path, const gelMesh* mesh, gelArtTexture* textures, Problems* problems )
{
	for ( uint32_t i = 0; i < mesh->materialCount; ++i )
	{
		const char* name = mesh->materials[i].picture;
		if ( mesh->uvs == NULL ) return;
		const float upsideDown[6] = { 1.0f, 0.0f, 0.0f, 0.0f, -1.0f, 1.0f };
		memcpy( textures[i].place, upsideDown, sizeof upsideDown );
		if ( name == NULL ) continue;
		const char* slash = strrchr( name, '/' );
		textures[i].file = ReadFileBeside( path, name, &textures[i].fileBytes );
		if ( textures[i].file == NULL && slash != NULL )
			textures[i].file = ReadFileBeside( path, slash + 1, &textures[i].fileBytes );
		ShowFile( textures + i, (int)i, problems );
	}
}

void gelLoadArtPictures(
	const char* path, const gelMesh* mesh, gelArtTexture* textures, gelFindings* findings )
{
	Problems problems = { 0 };
	const char* dot = strrchr( path, '.' );
	const bool isGltf = dot != NULL && ( strcasecmp( dot, ".glb" ) == 0 || strcasecmp( dot, ".gltf" ) == 0 );
	if ( isGltf )
		ReadGltfLooks( path, mesh, textures, findings, &problems );
	else
		ReadNamedPictures( path, mesh, textures, &problems );
	char more[48] = "";
	if ( problems.count > 1 ) snprintf( more, sizeof more, ", nor are %d others", problems.count - 1 );
	if ( problems.count > 0 )
		gelFindings_Add( findings, gel_findingTextureNotShown, path,
			"the picture of material %d is not shown%s: %s", problems.first, more, problems.text );
}
