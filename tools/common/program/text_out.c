// SPDX-License-Identifier: MIT
#include "common/program/text_out.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void Append( gelTextOut* out, const char* bytes, size_t count )
{
	if ( !GEL_GROW( out->bytes, out->capacity, out->count + count ) )
		gelExitWithoutMemory( out->count + count, "a text would not be whole" );
	if ( count > 0 ) memcpy( out->bytes + out->count, bytes, count );
	out->count += count;
}

void gelTextOut_Put( gelTextOut* out, const char* text )
{
	Append( out, text, strlen( text ) );
}

void gelTextOut_PutChar( gelTextOut* out, int c )
{
	const char byte = (char)c;
	Append( out, &byte, 1 );
}

void gelTextOut_Print( gelTextOut* out, const char* format, ... )
{
	char text[256];
	va_list arguments;
	va_start( arguments, format );
	int length = vsnprintf( text, sizeof( text ), format, arguments );
	va_end( arguments );
	GEL_ASSERT( length >= 0 && (size_t)length < sizeof( text ) );
	Append( out, text, (size_t)length );
}

char* gelTextOut_Finish( gelTextOut* out )
{
	gelTextOut_PutChar( out, 0 );
	char* text = out->bytes;
	*out = ( gelTextOut ){ 0 };
	return text;
}
