// SPDX-License-Identifier: MIT
#include "common/program/confined_path.h"

#include <stddef.h>
#include <string.h>

bool gelIsConfinedPath( const char* path )
{
	if ( path[0] == 0 || path[0] == '/' || path[0] == '\\' || strlen( path ) > 1024 ) return false;
	for ( const char* p = path; *p != 0; ++p )
		if ( (unsigned char)*p < 32 || *p == 127 || *p == ':' ) return false;
	for ( const char* part = path; *part != 0; )
	{
		size_t length = strcspn( part, "/\\" );
		if ( length == 2 && part[0] == '.' && part[1] == '.' ) return false;
		part += length;
		part += *part != 0;
	}
	return true;
}

static int HexValue( char c )
{
	if ( c >= '0' && c <= '9' ) return c - '0';
	if ( c >= 'a' && c <= 'f' ) return c - 'a' + 10;
	if ( c >= 'A' && c <= 'F' ) return c - 'A' + 10;
	return -1;
}

bool gelDecodePercents( char* text )
{
	char* out = text;
	for ( const char* p = text; *p != 0; )
	{
		if ( *p != '%' )
		{
			*out++ = *p++;
			continue;
		}
		int high = HexValue( p[1] );
		int low = high < 0 ? -1 : HexValue( p[2] );
		if ( low < 0 || 16 * high + low == 0 ) return false;
		*out++ = (char)( 16 * high + low );
		p += 3;
	}
	*out = 0;
	return true;
}
