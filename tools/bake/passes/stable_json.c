// SPDX-License-Identifier: MIT
// JSON as stable bytes: keys sorted, no spaces, integers as they are, reals in the shortest decimal form that
// reads back to the same double. jansson has no such form: it prints 0.33 as 0.33000000000000002.
#include "bake/passes/pack_parts.h"

#include "common/program/text_out.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int CompareKeys( const void* a, const void* b )
{
	return strcmp( *(const char* const*)a, *(const char* const*)b );
}

static void PrintReal( gelTextOut* out, double value )
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
	gelTextOut_Print( out, "%s%s", text, looksInteger ? ".0" : "" );
}

// Escapes are left to jansson: their form is fixed, that of its numbers is not.
static void PrintQuoted( gelTextOut* out, const char* text )
{
	json_t* string = json_string_nocheck( text );
	char* quoted = json_dumps( string, JSON_ENCODE_ANY );
	gelTextOut_Put( out, quoted != NULL ? quoted : "\"\"" );
	free( quoted );
	json_decref( string );
}

static void PrintValue( gelTextOut* out, const json_t* value );

static void PrintObject( gelTextOut* out, const json_t* object )
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
	gelTextOut_PutChar( out, '{' );
	for ( size_t i = 0; i < count; ++i )
	{
		if ( i > 0 ) gelTextOut_PutChar( out, ',' );
		PrintQuoted( out, keys[i] );
		gelTextOut_PutChar( out, ':' );
		PrintValue( out, json_object_get( object, keys[i] ) );
	}
	gelTextOut_PutChar( out, '}' );
	gelFreeBakePool( &pool );
}

static void PrintArray( gelTextOut* out, const json_t* array )
{
	gelTextOut_PutChar( out, '[' );
	for ( size_t i = 0; i < json_array_size( array ); ++i )
	{
		if ( i > 0 ) gelTextOut_PutChar( out, ',' );
		PrintValue( out, json_array_get( array, i ) );
	}
	gelTextOut_PutChar( out, ']' );
}

static void PrintValue( gelTextOut* out, const json_t* value )
{
	switch ( json_typeof( value ) )
	{
		case JSON_OBJECT:
			PrintObject( out, value );
			break;
		case JSON_ARRAY:
			PrintArray( out, value );
			break;
		case JSON_STRING:
			PrintQuoted( out, json_string_value( value ) );
			break;
		case JSON_INTEGER:
			gelTextOut_Print( out, "%lld", (long long)json_integer_value( value ) );
			break;
		case JSON_REAL:
			PrintReal( out, json_real_value( value ) );
			break;
		default:
			gelTextOut_Put( out, json_is_true( value ) ? "true" : json_is_false( value ) ? "false" : "null" );
			break;
	}
}

char* gelFormatStableJson( const json_t* value )
{
	GEL_ASSERT( value != NULL );
	gelTextOut out = { 0 };
	PrintValue( &out, value );
	return gelTextOut_Finish( &out );
}
