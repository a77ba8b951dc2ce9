// SPDX-License-Identifier: MIT
// Where the values of a recipe go: into the options that the command line leaves open.
#include "recipe.h"

#include <string.h>

static const gelOption* Find( const gelOption* options, const char* name )
{
	for ( const gelOption* o = options; o->name != NULL; ++o )
	{
		if ( strcmp( o->name, name ) == 0 ) return o;
	}
	return NULL;
}

// Whether the command line has this option, or one that excludes it.
static bool IsDecided( const gelOption* options, const char* name )
{
	static const char* const pairs[][2] = { { "cage", "tets" }, { "no-collision", "collision-cells" },
		{ "no-collision", "static" }, { "step", "static" }, { "pin-box", "static" }, { "quality", "static" },
		{ "lod", "static" }, { "paint", "static" } };
	if ( *Find( options, name )->given ) return true;
	for ( size_t i = 0; i < sizeof( pairs ) / sizeof( pairs[0] ); ++i )
	{
		for ( int side = 0; side < 2; ++side )
		{
			if ( strcmp( pairs[i][side], name ) == 0 && *Find( options, pairs[i][1 - side] )->given )
				return true;
		}
	}
	return false;
}

static void SetChoice( const gelOption* option, const char* text )
{
	int index = 0;
	for ( const char* p = option->choices; *p != 0; ++index )
	{
		size_t length = strcspn( p, "|" );
		if ( strlen( text ) == length && strncmp( p, text, length ) == 0 ) *(int*)option->target = index;
		p += length + ( p[length] == '|' );
	}
}

static void Append( gelStringList* list, const char* text, gelBakePool* pool )
{
	const char** items = gelBakePool_Alloc( pool, (size_t)list->count + 1, sizeof( char* ) );
	if ( list->count > 0 ) memcpy( items, list->items, (size_t)list->count * sizeof( char* ) );
	items[list->count++] = text;
	list->items = items;
}

static void Set( const gelOption* option, const char* text, gelBakePool* pool )
{
	double number = 0.0;
	switch ( option->type )
	{
		case gel_optionFlag:
			*(bool*)option->target = true;
			break;
		case gel_optionInt:
			gelParseNumber( text, &number );
			*(int*)option->target = (int)number;
			break;
		case gel_optionFloat:
			gelParseNumber( text, (double*)option->target );
			break;
		case gel_optionString:
			*(const char**)option->target = text;
			break;
		case gel_optionChoice:
			SetChoice( option, text );
			break;
		case gel_optionList:
			Append( option->target, text, pool );
			break;
		default:
			break;
	}
}

void gelApplyRecipe( const gelRecipe* recipe, const gelOption* options, gelBakePool* pool )
{
	// First what the command line decides, before anything is marked as given.
	bool* isOpen = gelBakePool_Alloc( pool, (size_t)recipe->count + 1, sizeof( bool ) );
	for ( int i = 0; i < recipe->count; ++i )
	{
		isOpen[i] = !IsDecided( options, recipe->values[i].option );
	}
	for ( int i = 0; i < recipe->count; ++i )
	{
		if ( !isOpen[i] ) continue;
		const gelOption* option = Find( options, recipe->values[i].option );
		Set( option, recipe->values[i].text, pool );
		*option->given = true;
	}
}
