// SPDX-License-Identifier: MIT
// The values of a table of options as text, for keys of caches: whatever is added to the table is part of it.
#include "common/program/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Lengths in front of texts, so that no two lists of values give the same text.
static void PrintText( FILE* stream, const char* text )
{
	if ( text == NULL )
		fputs( " -", stream );
	else
		fprintf( stream, " %zu:%s", strlen( text ), text );
}

static void PrintValue( FILE* stream, const gelOption* option )
{
	switch ( option->type )
	{
		case gel_optionFlag:
			fprintf( stream, " %d", *(const bool*)option->target );
			break;
		case gel_optionInt:
		case gel_optionChoice:
			fprintf( stream, " %d", *(const int*)option->target );
			break;
		case gel_optionFloat:
			fprintf( stream, " %a", *(const double*)option->target );
			break;
		case gel_optionString:
			PrintText( stream, *(const char* const*)option->target );
			break;
		case gel_optionList:
			for ( int i = 0; i < ( (const gelStringList*)option->target )->count; ++i )
				PrintText( stream, ( (const gelStringList*)option->target )->items[i] );
			break;
		default:
			break;
	}
	if ( option->given != NULL ) fputs( *option->given ? " given" : " default", stream );
}

char* gelFormatOptions( const gelOption* options )
{
	char* text = NULL;
	size_t bytes = 0;
	FILE* stream = open_memstream( &text, &bytes );
	if ( stream == NULL ) return NULL;
	for ( const gelOption* option = options; option->name != NULL; ++option )
	{
		if ( option->target == NULL ) continue;
		fputs( option->name, stream );
		PrintValue( stream, option );
		fputc( '\n', stream );
	}
	if ( fclose( stream ) == 0 ) return text;
	free( text );
	return NULL;
}
