// SPDX-License-Identifier: MIT
#include "bake/command/depfile.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>

// Spaces, ':', '#' and '$' are special in a rule; a backslash only in front of one of these. Make and Ninja
// agree on no way to write ';', '%', '|', '=' and '*'.
static void PrintPath( FILE* stream, const char* path )
{
	for ( const char* p = path; *p != 0; ++p )
	{
		if ( *p == ' ' || *p == '\t' || *p == '#' )
		{
			// backslashes in front of the escaped character have to be doubled
			for ( const char* b = p; b > path && b[-1] == '\\'; --b )
				fputc( '\\', stream );
			fputc( '\\', stream );
		}
		if ( *p == ':' ) fputc( '\\', stream );
		if ( *p == '$' ) fputc( '$', stream );
		fputc( *p, stream );
	}
}

char* gelFormatDepfile( const char* target, const char* const* files, int fileCount )
{
	GEL_ASSERT( target != NULL && ( fileCount == 0 || files != NULL ) );
	char* text = NULL;
	size_t bytes = 0;
	FILE* stream = open_memstream( &text, &bytes );
	if ( stream == NULL ) return NULL;
	PrintPath( stream, target );
	fputc( ':', stream );
	for ( int i = 0; i < fileCount; ++i )
	{
		fputs( " \\\n  ", stream );
		PrintPath( stream, files[i] );
	}
	fputc( '\n', stream );
	if ( fclose( stream ) == 0 ) return text;
	free( text );
	return NULL;
}
