// SPDX-License-Identifier: MIT
// JSON as stable bytes: keys sorted, no spaces, integers as they are, reals in the shortest decimal form that
// reads back to the same double. jansson has no such form: it prints 0.33 as 0.33000000000000002.
#include "bake/passes/pack_parts.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int CompareKeys( const void* a, const void* b )
{
	return strcmp( *(const char* const*)a, *(const char* const*)b );
}

static void PrintReal( FILE* stream, double value )
{
	char text[64];
	// 17 digits always read back; most settings need three. Both snprintf and strtod round correctly in the C
	// libraries that we know.
	for ( int digits = 1; digits <= 17; ++digits )
	{
		snprintf( text, sizeof( text ), "%.*g", digits, value );
		if ( strtod( text, NULL ) == value ) break;
	}
	// a real stays a real for readers that tell 1 and 1.0 apart
	bool looksInteger = strpbrk( text, ".e" ) == NULL;
	fprintf( stream, "%s%s", text, looksInteger ? ".0" : "" );
}

// Escapes are left to jansson: their form is fixed, that of its numbers is not.
static void PrintQuoted( FILE* stream, const char* text )
{
	json_t* string = json_string_nocheck( text );
	char* quoted = json_dumps( string, JSON_ENCODE_ANY );
	fputs( quoted != NULL ? quoted : "\"\"", stream );
	free( quoted );
	json_decref( string );
}

static void PrintValue( FILE* stream, const json_t* value );

static void PrintObject( FILE* stream, const json_t* object )
{
	gelBakePool pool = { NULL };
	size_t count = 0, capacity = json_object_size( object );
	const char** keys = gelBakePool_Alloc( &pool, capacity, sizeof( char* ) );
	// jansson iterates over non-const objects only, though nothing is changed
	json_t* mutableObject = (json_t*)(uintptr_t)object;
	for ( void* i = json_object_iter( mutableObject ); i != NULL;
		  i = json_object_iter_next( mutableObject, i ) )
	{
		keys[count++] = json_object_iter_key( i );
	}
	qsort( keys, count, sizeof( char* ), CompareKeys );
	fputc( '{', stream );
	for ( size_t i = 0; i < count; ++i )
	{
		if ( i > 0 ) fputc( ',', stream );
		PrintQuoted( stream, keys[i] );
		fputc( ':', stream );
		PrintValue( stream, json_object_get( object, keys[i] ) );
	}
	fputc( '}', stream );
	gelFreeBakePool( &pool );
}

static void PrintArray( FILE* stream, const json_t* array )
{
	fputc( '[', stream );
	for ( size_t i = 0; i < json_array_size( array ); ++i )
	{
		if ( i > 0 ) fputc( ',', stream );
		PrintValue( stream, json_array_get( array, i ) );
	}
	fputc( ']', stream );
}

static void PrintValue( FILE* stream, const json_t* value )
{
	switch ( json_typeof( value ) )
	{
		case JSON_OBJECT:
			PrintObject( stream, value );
			break;
		case JSON_ARRAY:
			PrintArray( stream, value );
			break;
		case JSON_STRING:
			PrintQuoted( stream, json_string_value( value ) );
			break;
		case JSON_INTEGER:
			fprintf( stream, "%lld", (long long)json_integer_value( value ) );
			break;
		case JSON_REAL:
			PrintReal( stream, json_real_value( value ) );
			break;
		default:
			fputs( json_is_true( value ) ? "true" : json_is_false( value ) ? "false" : "null", stream );
			break;
	}
}

char* gelFormatStableJson( const json_t* value )
{
	GEL_ASSERT( value != NULL );
	char* text = NULL;
	size_t bytes = 0;
	FILE* stream = open_memstream( &text, &bytes );
	if ( stream == NULL ) return NULL;
	PrintValue( stream, value );
	if ( fclose( stream ) == 0 ) return text;
	free( text );
	return NULL;
}
