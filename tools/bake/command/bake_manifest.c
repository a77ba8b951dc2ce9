// SPDX-License-Identifier: MIT
// The manifest of a batch (docs/build_systems.md).
#include "bake/command/bake_batch.h"

#include "common/program/json_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MANIFEST_BYTES ( (size_t)64 << 20 )
#define MAX_ASSETS         1000000
#define MAX_OPTIONS        1000

typedef struct Manifest
{
	gelJsonReader reader;
	gelBakePool* pool;
	gelBatchManifest* out;
	const char* outputFolder;
	const char** options; // options for all assets
	int optionCount;
} Manifest;

// A text that is not empty; NULL: not there, or wrong.
static const char* ReadText( Manifest* m, const json_t* object, const char* key )
{
	const json_t* value = json_object_get( object, key );
	if ( value == NULL ) return NULL;
	const char* text = json_string_value( value );
	if ( text != NULL && text[0] != 0 ) return gelBakePool_CopyText( m->pool, text );
	gelJson_FailMember( &m->reader, key, "has to be a text" );
	return NULL;
}

// "--name" or "--name=value"
static bool IsOption( const char* word, const char* name )
{
	size_t length = strlen( name );
	if ( strncmp( word, "--", 2 ) != 0 || strncmp( word + 2, name, length ) != 0 ) return false;
	return word[2 + length] == 0 || word[2 + length] == '=';
}

// Options that belong to the batch as a whole, or to an asset by other means.
static bool IsForbidden( const char* word )
{
	static const char* const common[] = { "json", "help", "version" };
	bool isForbidden = false;
	for ( size_t i = 0; i < sizeof( common ) / sizeof( common[0] ); ++i )
		isForbidden = isForbidden || IsOption( word, common[i] );
	for ( int i = 0; i < gelSettingCount; ++i )
		isForbidden = isForbidden ||
			( ( gelSettings[i].traits & gel_traitBatch ) != 0 && IsOption( word, gelSettings[i].option ) );
	// Letters can be written together (-qo), so that -c is the only one that is let through.
	return isForbidden || ( word[0] == '-' && strchr( "-c.0123456789", word[1] ) == NULL );
}

// "options" of an object, after those that are there already.
static const char** ReadOptions(
	Manifest* m, const json_t* object, const char** before, int beforeCount, int* outCount )
{
	const json_t* array = gelJson_Array( &m->reader, object, "options", MAX_OPTIONS );
	size_t count = json_array_size( array );
	const char** words = gelBakePool_Alloc( m->pool, (size_t)beforeCount + count + 1, sizeof( char* ) );
	if ( beforeCount > 0 ) memcpy( words, before, (size_t)beforeCount * sizeof( char* ) );
	gelJson_EnterKey( &m->reader, "options" );
	for ( size_t i = 0; i < count && !m->reader.failed; ++i )
	{
		const char* word = json_string_value( json_array_get( array, i ) );
		gelJson_EnterIndex( &m->reader, (int)i );
		if ( word == NULL )
			gelJson_Fail( &m->reader, "an option is a text, such as \"--young\" or \"5e4\"" );
		else if ( IsForbidden( word ) )
			gelJson_Fail( &m->reader, "%.40s does not belong into a manifest", word );
		else
			// An asset's own options come behind those for all, and the last of an option wins on a command
			// line.
			words[(size_t)beforeCount + i] = gelBakePool_CopyText( m->pool, word );
		gelJson_Leave( &m->reader );
	}
	gelJson_Leave( &m->reader );
	*outCount = beforeCount + (int)count;
	return words;
}

// "art/bear.obj" -> "FOLDER/bear.gel"
static const char* MakeOutput( Manifest* m, const char* input )
{
	const char* slash = strrchr( input, '/' );
	const char* name = slash != NULL ? slash + 1 : input;
	const char* dot = strrchr( name, '.' );
	int length = dot != NULL && dot != name ? (int)( dot - name ) : (int)strlen( name );
	const char* folder = m->outputFolder != NULL ? m->outputFolder : ".";
	size_t capacity = strlen( folder ) + (size_t)length + 8;
	char* output = gelBakePool_Alloc( m->pool, capacity, 1 );
	snprintf( output, capacity, "%s/%.*s.gel", folder, length, name );
	return output;
}

static bool ReadAsset( Manifest* m, const json_t* value, gelBatchAsset* out )
{
	out->options = m->options;
	out->optionCount = m->optionCount;
	if ( json_is_string( value ) && json_string_length( value ) > 0 )
	{
		out->input = gelBakePool_CopyText( m->pool, json_string_value( value ) );
		out->output = MakeOutput( m, out->input );
		return true;
	}
	if ( !json_is_object( value ) )
		return gelJson_Fail( &m->reader, "an asset is the name of a file, or an object { } with \"input\"" );
	if ( !gelJson_CheckKeys( &m->reader, value, "input output options" ) ) return false;
	out->input = ReadText( m, value, "input" );
	out->output = ReadText( m, value, "output" );
	if ( m->reader.failed ) return false;
	if ( out->input == NULL ) return gelJson_Fail( &m->reader, "\"input\" is missing" );
	if ( out->output == NULL ) out->output = MakeOutput( m, out->input );
	out->options = ReadOptions( m, value, m->options, m->optionCount, &out->optionCount );
	return !m->reader.failed;
}

static void ReadAssets( Manifest* m )
{
	const json_t* array = gelJson_Array( &m->reader, m->reader.root, "assets", MAX_ASSETS );
	if ( array == NULL && !m->reader.failed ) gelJson_Fail( &m->reader, "\"assets\" are missing" );
	size_t count = json_array_size( array );
	m->out->assets = gelBakePool_Alloc( m->pool, count + 1, sizeof( gelBatchAsset ) );
	gelJson_EnterKey( &m->reader, "assets" );
	for ( size_t i = 0; i < count && !m->reader.failed; ++i )
	{
		gelJson_EnterIndex( &m->reader, (int)i );
		if ( ReadAsset( m, json_array_get( array, i ), m->out->assets + i ) ) m->out->count += 1;
		gelJson_Leave( &m->reader );
	}
	if ( !m->reader.failed ) gelCheckBatchPaths( m->out, m->reader.file, m->pool, &m->reader );
	gelJson_Leave( &m->reader );
}

bool gelReadBatchManifest(
	const char* path, gelBakePool* pool, gelFindings* findings, gelBatchManifest* outManifest )
{
	*outManifest = ( gelBatchManifest ){ 0 };
	size_t bytes = 0;
	char* text = (char*)gelReadFile( path, MAX_MANIFEST_BYTES, &bytes, findings );
	if ( text == NULL ) return false;
	Manifest m = { .pool = pool, .out = outManifest };
	if ( gelJson_Open( &m.reader, path, text, bytes, gel_findingManifestWrong, findings ) &&
		gelJson_CheckKeys( &m.reader, m.reader.root, "output_folder options assets" ) )
	{
		m.outputFolder = ReadText( &m, m.reader.root, "output_folder" );
		m.options = ReadOptions( &m, m.reader.root, NULL, 0, &m.optionCount );
		if ( !m.reader.failed ) ReadAssets( &m );
	}
	bool ok = !m.reader.failed;
	gelJson_Close( &m.reader );
	free( text );
	return ok;
}

bool gelParseShard( const char* text, int* outFirst, int* outStride )
{
	int first = 0, stride = 0, used = 0;
	if ( sscanf( text, "%9d/%9d%n", &first, &stride, &used ) != 2 || text[used] != 0 ) return false;
	// Every N-th asset instead of a run of them: expensive assets often stand side by side in a manifest.
	*outFirst = first - 1;
	*outStride = stride;
	return first >= 1 && first <= stride;
}
