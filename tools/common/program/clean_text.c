// SPDX-License-Identifier: MIT
// Names of files, groups and materials go to terminals, logs and reports. What a stranger put into them must
// not move the cursor, clear the screen or write text backwards, and must be UTF-8 for JSON. What is unsafe
// is shown as an escape, so that nothing disappears.
#include "common/program/clean_text.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Longest replacement of one input byte: "\x1B".
#define MAX_GROWTH 4

// Length of the valid UTF-8 sequence at s (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF), or
// 0.
static int DecodeUtf8( const unsigned char* s, uint32_t* outCode )
{
	static const uint32_t smallest[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	int length = s[0] < 0x80      ? 1
		: ( s[0] & 0xE0 ) == 0xC0 ? 2
		: ( s[0] & 0xF0 ) == 0xE0 ? 3
		: ( s[0] & 0xF8 ) == 0xF0 ? 4
								  : 0;
	if ( length == 0 ) return 0;
	uint32_t code = length == 1 ? s[0] : s[0] & ( 0x7Fu >> length );
	for ( int i = 1; i < length; ++i )
	{
		if ( ( s[i] & 0xC0 ) != 0x80 ) return 0; // also stops at the terminating zero
		code = code << 6 | ( s[i] & 0x3Fu );
	}
	if ( code < smallest[length] || code > 0x10FFFF || ( code >= 0xD800 && code <= 0xDFFF ) ) return 0;
	*outCode = code;
	return length;
}

// Characters that move the cursor, recolor the screen, break the line or reorder the text around them.
static int IsUnsafe( uint32_t code )
{
	return code < 0x20 || ( code >= 0x7F && code < 0xA0 ) || code == 0x200E || code == 0x200F ||
		( code >= 0x2028 && code <= 0x202E ) || ( code >= 0x2066 && code <= 0x2069 ) || code == 0xFEFF;
}

static int EscapeCode( char* out, uint32_t code )
{
	const char* names = "\tt\nn\rr";
	for ( const char* n = names; *n; n += 2 )
	{
		if ( code == (uint32_t)n[0] ) return snprintf( out, 12, "\\%c", n[1] );
	}
	return snprintf( out, 12, code < 0x100 ? "\\x%02X" : "\\u%04X", (unsigned)code );
}

void gelCleanTextTo( char* out, size_t capacity, const char* text )
{
	GEL_ASSERT( capacity > 0 );
	const unsigned char* s = (const unsigned char*)text;
	size_t used = 0;
	if ( capacity == 0 ) return;
	while ( *s )
	{
		char piece[12];
		uint32_t code = 0;
		int length = DecodeUtf8( s, &code ), pieceLength;
		if ( length == 0 )
		{
			pieceLength = snprintf( piece, sizeof( piece ), "\\x%02X", *s );
			length = 1;
		}
		else if ( IsUnsafe( code ) )
		{
			pieceLength = EscapeCode( piece, code );
		}
		else
		{
			memcpy( piece, s, (size_t)length );
			pieceLength = length;
		}
		if ( used + (size_t)pieceLength >= capacity ) break;
		memcpy( out + used, piece, (size_t)pieceLength );
		used += (size_t)pieceLength;
		s += length;
	}
	out[used] = 0;
}

char* gelCleanText( const char* text )
{
	size_t capacity = strlen( text ) * MAX_GROWTH + 1;
	char* out = gelTake( capacity );
	gelCleanTextTo( out, capacity, text );
	return out;
}
