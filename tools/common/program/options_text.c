// SPDX-License-Identifier: MIT
// The values of a table of options as text, for keys of caches: whatever is added to the table is part of it.
#include "common/program/options.h"

#include "common/program/text_out.h"

#include <string.h>

// Lengths in front of texts, so that no two lists of values give the same text.
static void PrintText( gelTextOut* out, const char* text )
{
	if ( text != NULL ) gelTextOut_Print( out, " %zu:", strlen( text ) );
	gelTextOut_Put( out, text != NULL ? text : " -" );
}

static void PrintValue( gelTextOut* out, const gelOption* option )
{
	switch ( option->type )
	{
		case gel_optionFlag:
			gelTextOut_Print( out, " %d", *(const bool*)option->target );
			break;
		case gel_optionInt:
		case gel_optionChoice:
			gelTextOut_Print( out, " %d", *(const int*)option->target );
			break;
		case gel_optionFloat:
			gelTextOut_Print( out, " %a", *(const double*)option->target );
			break;
		case gel_optionString:
			PrintText( out, *(const char* const*)option->target );
			break;
		case gel_optionList:
			for ( int i = 0; i < ( (const gelStringList*)option->target )->count; ++i )
				PrintText( out, ( (const gelStringList*)option->target )->items[i] );
			break;
		default:
			break;
	}
	if ( option->given != NULL ) gelTextOut_Put( out, *option->given ? " given" : " default" );
}

char* gelFormatOptions( const gelOption* options )
{
	gelTextOut out = { 0 };
	for ( const gelOption* option = options; option->name != NULL; ++option )
	{
		if ( option->target == NULL ) continue;
		gelTextOut_Put( &out, option->name );
		PrintValue( &out, option );
		gelTextOut_PutChar( &out, '\n' );
	}
	return gelTextOut_Finish( &out );
}
