// SPDX-License-Identifier: MIT
#include "cage/cage_text.h"

#include "gelpack/asserts.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NUMBER_LENGTH 63
#define SHOWN_LENGTH      40 // bytes of a wrong word that a message quotes

// ---- errors ----

static bool FailV(
	gelCageError* error, const char* file, uint64_t line, const char* format, va_list arguments )
{
	if ( error->text[0] != 0 ) return false;
	snprintf( error->file, sizeof( error->file ), "%s", file != NULL ? file : "" );
	error->line = line;
	vsnprintf( error->text, sizeof( error->text ), format, arguments );
	return false;
}

bool gelCageFail( gelCageError* error, const char* file, uint64_t line, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	FailV( error, file, line, format, arguments );
	va_end( arguments );
	return false;
}

bool gelCageFailMemory( gelCageError* error, const char* file )
{
	error->isMemory = true;
	return gelCageFail( error, file, 0, "there is not enough memory" );
}

bool gelCageText_Fail( gelCageText* text, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	FailV( text->error, text->file, text->wordLine, format, arguments );
	va_end( arguments );
	return false;
}

// ---- words ----

void gelInitCageText( gelCageText* text, const char* file, const char* bytes, size_t byteCount,
	bool hashComments, gelCageError* error )
{
	GEL_ASSERT( bytes != NULL && error != NULL );
	bool mark = byteCount >= 3 && memcmp( bytes, "\xEF\xBB\xBF", 3 ) == 0; // byte order mark of some editors
	const char* start = mark ? bytes + 3 : bytes;
	*text = ( gelCageText ){ file, start, bytes + byteCount, 1, 1, hashComments, error };
}

static bool IsSpace( char c )
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

// Stops at a line feed, at the end, or at a word.
static void SkipSpaces( gelCageText* text )
{
	const char* c = text->cursor;
	while ( c < text->end && IsSpace( *c ) )
		c += 1;
	if ( text->hashComments && c < text->end && *c == '#' )
	{
		while ( c < text->end && *c != '\n' )
			c += 1;
	}
	text->cursor = c;
}

bool gelCageText_NextWordOnLine( gelCageText* text, gelCageWord* outWord )
{
	SkipSpaces( text );
	text->wordLine = text->line;
	const char* c = text->cursor;
	while ( c < text->end && !IsSpace( *c ) && *c != '\n' && !( text->hashComments && *c == '#' ) )
		c += 1;
	*outWord = ( gelCageWord ){ text->cursor, (size_t)( c - text->cursor ) };
	text->cursor = c;
	return outWord->length > 0;
}

bool gelCageText_NextWord( gelCageText* text, gelCageWord* outWord )
{
	while ( !gelCageText_NextWordOnLine( text, outWord ) )
	{
		if ( text->cursor == text->end ) return false;
		text->cursor += 1; // the line feed
		text->line += 1;
	}
	return true;
}

void gelCageText_SkipLine( gelCageText* text )
{
	const char* feed = memchr( text->cursor, '\n', (size_t)( text->end - text->cursor ) );
	text->cursor = feed != NULL ? feed + 1 : text->end;
	text->line += feed != NULL;
}

static int ShownLength( gelCageWord word )
{
	return word.length < SHOWN_LENGTH ? (int)word.length : SHOWN_LENGTH;
}

bool gelCageText_EndLine( gelCageText* text )
{
	gelCageWord word;
	if ( gelCageText_NextWordOnLine( text, &word ) )
		return gelCageText_Fail( text, "'%.*s' is too much on this line", ShownLength( word ), word.text );
	gelCageText_SkipLine( text );
	return true;
}

bool gelCageText_Expect( gelCageText* text, const char* expected )
{
	gelCageWord word;
	if ( !gelCageText_NextWord( text, &word ) )
		return gelCageText_Fail( text, "the file ends where %s should be", expected );
	if ( gelCageWord_Is( word, expected ) ) return true;
	return gelCageText_Fail(
		text, "%s should be here instead of '%.*s'", expected, ShownLength( word ), word.text );
}

bool gelCageWord_Is( gelCageWord word, const char* expected )
{
	return word.length == strlen( expected ) && memcmp( word.text, expected, word.length ) == 0;
}

bool gelCageWord_StartsWith( gelCageWord word, const char* expected )
{
	size_t length = strlen( expected );
	return word.length >= length && memcmp( word.text, expected, length ) == 0;
}

// ---- numbers ----

static bool FailNumber( gelCageText* text, gelCageWord word, const char* name, const char* wanted )
{
	return gelCageText_Fail(
		text, "'%.*s' is no %s; %s is needed", ShownLength( word ), word.text, name, wanted );
}

static bool NextNumberWord( gelCageText* text, const char* name, gelCageWord* outWord )
{
	if ( gelCageText_NextWord( text, outWord ) ) return true;
	return gelCageText_Fail( text, "the file ends where a %s should be", name );
}

static bool ParseUInt( gelCageWord word, uint64_t max, uint64_t* out )
{
	uint64_t value = 0;
	if ( word.length == 0 || word.length > 19 ) return false; // 19 digits fit
	for ( size_t i = 0; i < word.length; ++i )
	{
		if ( word.text[i] < '0' || word.text[i] > '9' ) return false;
		value = 10 * value + (uint64_t)( word.text[i] - '0' );
	}
	*out = value;
	return value <= max;
}

static bool WordToUInt( gelCageText* text, gelCageWord word, const char* name, uint64_t max, uint64_t* out )
{
	if ( ParseUInt( word, max, out ) ) return true;
	char wanted[64];
	snprintf( wanted, sizeof( wanted ), "a whole number up to %llu", (unsigned long long)max );
	return FailNumber( text, word, name, wanted );
}

bool gelCageText_ReadUInt( gelCageText* text, const char* name, uint64_t max, uint64_t* out )
{
	gelCageWord word;
	return NextNumberWord( text, name, &word ) && WordToUInt( text, word, name, max, out );
}

bool gelCageText_ReadOptionalUInt( gelCageText* text, const char* name, uint64_t max, uint64_t* out )
{
	gelCageWord word;
	return !gelCageText_NextWordOnLine( text, &word ) || WordToUInt( text, word, name, max, out );
}

bool gelCageText_ReadInt( gelCageText* text, const char* name, int64_t* out )
{
	gelCageWord word;
	uint64_t magnitude;
	if ( !NextNumberWord( text, name, &word ) ) return false;
	bool negative = word.text[0] == '-';
	gelCageWord digits = { word.text + negative, word.length - negative };
	if ( !ParseUInt( digits, INT64_MAX, &magnitude ) )
		return FailNumber( text, word, name, "a whole number" );
	*out = negative ? -(int64_t)magnitude : (int64_t)magnitude;
	return true;
}

static char DecimalPoint( void )
{
	return localeconv()->decimal_point[0];
}

// strtod alone would also take hexadecimal, "inf" and "nan", and the decimal point of the locale instead of
// ours.
static bool ParseReal( gelCageWord word, double* out )
{
	char buffer[MAX_NUMBER_LENGTH + 1];
	if ( word.length == 0 || word.length > MAX_NUMBER_LENGTH ) return false;
	for ( size_t i = 0; i < word.length; ++i )
	{
		char c = word.text[i];
		if ( c == 0 || strchr( "0123456789+-.eE", c ) == NULL ) return false;
		buffer[i] = c == '.' ? DecimalPoint() : c;
	}
	buffer[word.length] = 0;
	char* end;
	*out = strtod( buffer, &end );
	return *end == 0 && end != buffer && isfinite( *out );
}

static bool WordToReal( gelCageText* text, gelCageWord word, const char* name, double* out )
{
	return ParseReal( word, out ) || FailNumber( text, word, name, "a finite number" );
}

bool gelCageText_ReadReal( gelCageText* text, const char* name, double* out )
{
	gelCageWord word;
	return NextNumberWord( text, name, &word ) && WordToReal( text, word, name, out );
}

bool gelCageText_ReadCount(
	gelCageText* text, const char* name, size_t minItemBytes, uint32_t max, uint32_t* out )
{
	GEL_ASSERT( minItemBytes > 0 );
	uint64_t count = 0;
	if ( !gelCageText_ReadUInt( text, name, UINT32_MAX, &count ) ) return false;
	if ( count > max )
	{
		return gelCageText_Fail(
			text, "a %s of %llu is more than the limit of %u", name, (unsigned long long)count, max );
	}
	uint64_t room =
		(uint64_t)( text->end - text->cursor ) / minItemBytes + 1; // +1: the last line may lack its end
	if ( count > room )
	{
		return gelCageText_Fail( text, "a %s of %llu cannot be true: the file is too short for it", name,
			(unsigned long long)count );
	}
	*out = (uint32_t)count;
	return true;
}

// ---- writing ----

static bool Reserve( gelCageOut* out, size_t more )
{
	if ( out->failed ) return false;
	if ( out->capacity - out->count > more ) return true;
	size_t capacity = 2 * out->capacity + more + 4096;
	char* bytes = realloc( out->bytes, capacity );
	out->failed = bytes == NULL;
	if ( out->failed ) return false;
	out->bytes = bytes;
	out->capacity = capacity;
	return true;
}

void gelCageOut_Print( gelCageOut* out, const char* format, ... )
{
	char line[256]; // every line of a cage file is shorter
	va_list arguments;
	va_start( arguments, format );
	int length = vsnprintf( line, sizeof( line ), format, arguments );
	va_end( arguments );
	if ( length < 0 || (size_t)length >= sizeof( line ) || !Reserve( out, (size_t)length ) )
	{
		out->failed = true;
		return;
	}
	memcpy( out->bytes + out->count, line, (size_t)length );
	out->count += (size_t)length;
}

// The shortest of 15, 16 or 17 digits that reads back as the same double.
void gelCageOut_Real( gelCageOut* out, double value )
{
	char text[40];
	for ( int digits = 15; digits <= 17; ++digits )
	{
		snprintf( text, sizeof( text ), "%.*g", digits, value );
		if ( strtod( text, NULL ) == value ) break;
	}
	char* point = DecimalPoint() != '.' ? strchr( text, DecimalPoint() ) : NULL;
	if ( point != NULL ) *point = '.';
	gelCageOut_Print( out, "%s", text );
}

void gelCageOut_Point( gelCageOut* out, const char* separator, const double* point )
{
	for ( int i = 0; i < 3; ++i )
	{
		gelCageOut_Print( out, "%s", i == 0 ? separator : " " );
		gelCageOut_Real( out, point[i] );
	}
}

char* gelCageOut_Finish( gelCageOut* out, size_t* outBytes )
{
	if ( !Reserve( out, 1 ) )
	{
		free( out->bytes );
		*outBytes = 0;
		return NULL;
	}
	out->bytes[out->count] = 0;
	*outBytes = out->count;
	return out->bytes;
}
