// SPDX-License-Identifier: MIT
#include "bake/command/depfile.h"

#include "common/program/text_out.h"

#include <gelpack/asserts.h>

// Spaces, ':', '#' and '$' are special in a rule; a backslash only in front of one of these. Make and Ninja
// agree on no way to write ';', '%', '|', '=' and '*'.
static void PrintPath( gelTextOut* out, const char* path )
{
	for ( const char* p = path; *p != 0; ++p )
	{
		if ( *p == ' ' || *p == '\t' || *p == '#' )
		{
			// backslashes in front of the escaped character have to be doubled
			for ( const char* b = p; b > path && b[-1] == '\\'; --b )
				gelTextOut_PutChar( out, '\\' );
			gelTextOut_PutChar( out, '\\' );
		}
		if ( *p == ':' ) gelTextOut_PutChar( out, '\\' );
		if ( *p == '$' ) gelTextOut_PutChar( out, '$' );
		gelTextOut_PutChar( out, *p );
	}
}

char* gelFormatDepfile( const char* target, const char* const* files, int fileCount )
{
	GEL_ASSERT( target != NULL && ( fileCount == 0 || files != NULL ) );
	gelTextOut out = { 0 };
	PrintPath( &out, target );
	gelTextOut_PutChar( &out, ':' );
	for ( int i = 0; i < fileCount; ++i )
	{
		gelTextOut_Put( &out, " \\\n  " );
		PrintPath( &out, files[i] );
	}
	gelTextOut_PutChar( &out, '\n' );
	return gelTextOut_Finish( &out );
}
