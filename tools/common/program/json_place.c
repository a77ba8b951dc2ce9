// SPDX-License-Identifier: MIT
// Line and column of a value in JSON text. jansson tells where a syntax error is, but not where a value stood
// that was read well and is wrong. So the reader keeps the path to where it is (keys and indices), and only
// when something is to be said the text is walked again along that path.
#include "common/program/json_place.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- places ------------------------------------------------------------------------------------------

static const char* SkipBlanks( const char* p )
{
	return p + strspn( p, " \t\r\n" );
}

// Behind a string that starts at p.
static const char* SkipString( const char* p )
{
	for ( ++p; *p != 0 && *p != '"'; ++p )
	{
		if ( *p == '\\' && p[1] != 0 ) ++p;
	}
	return *p != 0 ? p + 1 : p;
}

// Behind any value: brackets are counted, strings passed over.
static const char* SkipValue( const char* p )
{
	int depth = 0;
	while ( *p != 0 )
	{
		if ( *p == '"' )
		{
			p = SkipString( p );
			if ( depth == 0 ) return p;
			continue;
		}
		if ( *p == '{' || *p == '[' ) depth += 1;
		// The end of what the value is in: the value was empty or a bare word.
		if ( ( *p == '}' || *p == ']' ) && depth-- == 0 ) return p;
		if ( *p == ',' && depth == 0 ) return p;
		p += 1;
		if ( depth == 0 && ( p[-1] == '}' || p[-1] == ']' ) ) return p;
	}
	return p;
}

// Keys without escapes only; a key with one is not ours anyway.
static bool IsKey( const char* p, const char* key )
{
	size_t length = strlen( key );
	return strncmp( p + 1, key, length ) == 0 && p[1 + length] == '"';
}

// From the start of an object or array to a member, or NULL. outKey: where its key is.
static const char* FindMember( const char* p, const gelJsonStep* step, const char** outKey )
{
	bool isObject = *p == '{';
	if ( ( *p != '{' && *p != '[' ) || isObject != ( step->key != NULL ) ) return NULL;
	p = SkipBlanks( p + 1 );
	for ( int i = 0; *p != 0 && *p != '}' && *p != ']'; ++i )
	{
		const char* at = p;
		if ( isObject )
		{
			p = SkipBlanks( SkipString( p ) );
			p = SkipBlanks( p + ( *p == ':' ) );
		}
		*outKey = at;
		if ( isObject ? IsKey( at, step->key ) : i == step->index ) return p;
		p = SkipBlanks( SkipValue( p ) );
		p = SkipBlanks( p + ( *p == ',' ) );
	}
	return NULL;
}

bool gelFindJsonPlace( const char* text, const gelJsonStep* path, int depth, int* outLine, int* outColumn )
{
	GEL_ASSERT( depth >= 0 );
	const char* p = SkipBlanks( text );
	const char* at = p;
	for ( int i = 0; i < depth; ++i )
	{
		p = FindMember( p, path + i, &at );
		if ( p == NULL ) return false;
	}
	*outLine = 1;
	const char* start = text;
	for ( const char* q = text; q < at; ++q )
	{
		if ( *q != '\n' ) continue;
		*outLine += 1;
		start = q + 1;
	}
	*outColumn = (int)( at - start ) + 1;
	return true;
}

// ---- reader ------------------------------------------------------------------------------------------

bool gelJson_OpenFrom( gelJsonReader* reader, const gelJsonOrigin* origin, const char* file, const char* text,
	size_t bytes, int number, gelFindings* findings )
{
	json_error_t error;
	// Editors of Windows write a mark in front of UTF-8; RFC 8259 lets readers ignore it.
	bool hasMark = bytes >= 3 && memcmp( text, "\xEF\xBB\xBF", 3 ) == 0;
	text += hasMark ? 3 : 0;
	bytes -= hasMark ? 3 : 0;
	*reader = ( gelJsonReader ){
		.file = file, .text = text, .number = number, .findings = findings, .origin = origin
	};
	// Twice the same key is a mistake that jansson would resolve silently, by the last.
	reader->root = json_loadb( text, bytes, JSON_REJECT_DUPLICATES, &error );
	if ( reader->root != NULL ) return true;
	gelFindings_Add( findings, number, file, "%s%sline %d, column %d: %s",
		origin != NULL ? origin->label : "", origin != NULL ? ", " : "", error.line, error.column,
		error.text );
	reader->failed = true;
	return false;
}

bool gelJson_Open( gelJsonReader* reader, const char* file, const char* text, size_t bytes, int number,
	gelFindings* findings )
{
	return gelJson_OpenFrom( reader, NULL, file, text, bytes, number, findings );
}

void gelJson_OpenValue( gelJsonReader* reader, const gelJsonOrigin* origin, const char* file, json_t* value,
	int number, gelFindings* findings )
{
	GEL_ASSERT( origin != NULL && !origin->hasLines );
	*reader = ( gelJsonReader ){
		.file = file, .number = number, .findings = findings, .origin = origin, .root = json_incref( value )
	};
}

void gelJson_Close( gelJsonReader* reader )
{
	json_decref( reader->root );
	reader->root = NULL;
}

// What is missing has no place of its own: that of what it is missing in.
static void FindPlace( const gelJsonReader* reader, int* outLine, int* outColumn )
{
	int depth = reader->depth;
	GEL_ASSERT( reader->text != NULL );
	*outLine = *outColumn = 1;
	// A member that is missing, or a path that is deeper than it can be noted: one level up.
	while ( depth > 0 && !gelFindJsonPlace( reader->text, reader->path, depth, outLine, outColumn ) )
		depth -= 1;
}

void gelJson_PlaceOf( gelJsonReader* reader, const char* key, int* outLine, int* outColumn )
{
	gelJson_EnterKey( reader, key );
	FindPlace( reader, outLine, outColumn );
	gelJson_Leave( reader );
}

// `label.material.young`, `label.pins[2].box`
static void PrintPath( const gelJsonReader* reader, char* out, size_t capacity )
{
	const gelJsonOrigin* origin = reader->origin;
	int depth = reader->depth < GEL_MAX_JSON_PATH ? reader->depth : GEL_MAX_JSON_PATH;
	const char* name = origin->nameOf != NULL ? origin->nameOf( reader->path, depth ) : NULL;
	int at = snprintf(
		out, capacity, "%.160s%s%.60s", origin->label, name != NULL ? "." : "", name != NULL ? name : "" );
	for ( int i = 0; i < depth && name == NULL && at > 0 && (size_t)at < capacity; ++i )
	{
		const gelJsonStep* step = reader->path + i;
		at += step->key != NULL ? snprintf( out + at, capacity - (size_t)at, ".%.60s", step->key )
								: snprintf( out + at, capacity - (size_t)at, "[%d]", step->index );
	}
}

void gelJson_PrintPlace( const gelJsonReader* reader, char* out, size_t capacity )
{
	GEL_ASSERT( capacity > 0 );
	const gelJsonOrigin* origin = reader->origin;
	int line, column;
	if ( origin != NULL && !origin->hasLines )
	{
		PrintPath( reader, out, capacity );
		return;
	}
	FindPlace( reader, &line, &column );
	snprintf( out, capacity, "%.160s%sline %d, column %d", origin != NULL ? origin->label : "",
		origin != NULL ? ", " : "", line, column );
}

static bool FailWith( gelJsonReader* reader, const char* text )
{
	char place[320];
	gelJson_PrintPlace( reader, place, sizeof( place ) );
	// One finding per file: what follows a mistake often follows from it.
	if ( !reader->failed )
		gelFindings_Add( reader->findings, reader->number, reader->file, "%s: %s", place, text );
	reader->failed = true;
	return false;
}

bool gelJson_Fail( gelJsonReader* reader, const char* format, ... )
{
	char text[240];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof( text ), format, arguments );
	va_end( arguments );
	return FailWith( reader, text );
}

bool gelJson_FailMember( gelJsonReader* reader, const char* key, const char* format, ... )
{
	char text[240];
	va_list arguments;
	va_start( arguments, format );
	int length = snprintf( text, sizeof( text ), "\"%.60s\" ", key );
	vsnprintf( text + length, sizeof( text ) - (size_t)length, format, arguments );
	va_end( arguments );
	gelJson_EnterKey( reader, key );
	FailWith( reader, text );
	gelJson_Leave( reader );
	return false;
}

static void Enter( gelJsonReader* reader, gelJsonStep step )
{
	// Deeper levels are counted but not noted, so that Enter and Leave stay balanced.
	if ( reader->depth < GEL_MAX_JSON_PATH ) reader->path[reader->depth] = step;
	reader->depth += 1;
}

void gelJson_EnterKey( gelJsonReader* reader, const char* key )
{
	Enter( reader, ( gelJsonStep ){ key, 0 } );
}

void gelJson_EnterIndex( gelJsonReader* reader, int index )
{
	GEL_ASSERT( index >= 0 );
	Enter( reader, ( gelJsonStep ){ NULL, index } );
}

void gelJson_Leave( gelJsonReader* reader )
{
	reader->depth -= 1;
}

static bool IsInList( const char* names, const char* name )
{
	size_t length = strlen( name );
	for ( const char* p = names; *p != 0; p += strspn( p, " " ) )
	{
		size_t word = strcspn( p, " " );
		if ( word == length && strncmp( p, name, length ) == 0 ) return true;
		p += word;
	}
	return false;
}

bool gelJson_CheckKeys( gelJsonReader* reader, const json_t* object, const char* names )
{
	if ( !json_is_object( object ) ) return gelJson_Fail( reader, "an object { } belongs here" );
	const char* key;
	json_t* value;
	// jansson's iterator takes a pointer that is not const, but changes nothing.
	json_object_foreach( (json_t*)(uintptr_t)object, key, value )
	{
		if ( IsInList( names, key ) ) continue;
		// where editors look for the schema of a file
		if ( reader->depth == 0 && strcmp( key, "$schema" ) == 0 && json_is_string( value ) ) continue;
		gelJson_EnterKey( reader, key );
		gelJson_Fail( reader, "there is no \"%.60s\" here; there are: %s", key, names );
		gelJson_Leave( reader );
		return false;
	}
	return true;
}

bool gelJson_Number(
	gelJsonReader* reader, const json_t* object, const char* key, double min, double max, double* value )
{
	GEL_ASSERT( min <= max );
	const json_t* member = json_object_get( object, key );
	if ( member == NULL ) return true;
	double number = json_number_value( member );
	if ( !json_is_number( member ) || !( number >= min && number <= max ) )
		return gelJson_FailMember( reader, key, "has to be a number from %g to %g", min, max );
	*value = number;
	return true;
}

bool gelJson_Integer(
	gelJsonReader* reader, const json_t* object, const char* key, int min, int max, int* value )
{
	const json_t* member = json_object_get( object, key );
	if ( member == NULL ) return true;
	json_int_t number = json_integer_value( member );
	if ( json_is_integer( member ) && number >= min && number <= max )
	{
		*value = (int)number;
		return true;
	}
	if ( min <= max )
		return gelJson_FailMember( reader, key, "has to be a whole number from %d to %d", min, max );
	gelJson_EnterKey( reader, key );
	gelJson_Fail( reader, "there is nothing that \"%s\" could be the number of", key );
	gelJson_Leave( reader );
	return false;
}

bool gelJson_Bool( gelJsonReader* reader, const json_t* object, const char* key, bool* value )
{
	const json_t* member = json_object_get( object, key );
	if ( member == NULL ) return true;
	if ( !json_is_boolean( member ) ) return gelJson_FailMember( reader, key, "has to be true or false" );
	*value = json_is_true( member );
	return true;
}

bool gelReadJsonNumbers( const json_t* array, size_t count, double max, double* out )
{
	bool ok = json_is_array( array ) && json_array_size( array ) == count;
	for ( size_t i = 0; ok && i < count; ++i )
	{
		const json_t* number = json_array_get( array, i );
		out[i] = json_number_value( number );
		ok = json_is_number( number ) && fabs( out[i] ) <= max;
	}
	return ok;
}

bool gelJson_Vector(
	gelJsonReader* reader, const json_t* object, const char* key, double max, double scale, gelVec3* value )
{
	const json_t* member = json_object_get( object, key );
	double read[3];
	if ( member == NULL ) return true;
	if ( !gelReadJsonNumbers( member, 3, max, read ) )
		return gelJson_FailMember( reader, key, "has to be three numbers [x, y, z] within +-%g", max );
	*value =
		( gelVec3 ){ (float)( scale * read[0] ), (float)( scale * read[1] ), (float)( scale * read[2] ) };
	return true;
}

bool gelJson_Word(
	gelJsonReader* reader, const json_t* object, const char* key, const char* words, int* value )
{
	const json_t* member = json_object_get( object, key );
	if ( member == NULL ) return true;
	const char* given = json_is_string( member ) ? json_string_value( member ) : "";
	size_t length = strlen( given );
	int index = 0;
	for ( const char* p = words; *p != 0; ++index )
	{
		size_t word = strcspn( p, "|" );
		if ( word == length && strncmp( p, given, length ) == 0 )
		{
			*value = index;
			return true;
		}
		p += word + ( p[word] == '|' );
	}
	return gelJson_FailMember( reader, key, "has to be one of %s", words );
}

const json_t* gelJson_Array( gelJsonReader* reader, const json_t* object, const char* key, int max )
{
	GEL_ASSERT( max > 0 );
	const json_t* member = json_object_get( object, key );
	if ( member == NULL ) return NULL;
	if ( json_is_array( member ) && json_array_size( member ) <= (size_t)max ) return member;
	gelJson_FailMember( reader, key, "has to be an array [ ] of at most %d elements", max );
	return NULL;
}
