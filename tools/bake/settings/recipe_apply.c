// SPDX-License-Identifier: MIT
// Where the values of a recipe go: into the options that the command line leaves open.
#include "bake/settings/recipe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const gelOption* Find( const gelOption* options, const char* name )
{
	for ( const gelOption* o = options; o->name != NULL; ++o )
	{
		if ( strcmp( o->name, name ) == 0 ) return o;
	}
	return NULL;
}

// An option that was given, and not to say no: that excludes nothing.
static bool IsOn( const gelOption* option )
{
	bool isNo = false;
	if ( option->type == gel_optionFlag ) isNo = !*(const bool*)option->target;
	if ( option->type == gel_optionString ) isNo = *(const char* const*)option->target == NULL;
	if ( option->type == gel_optionList ) isNo = ( (const gelStringList*)option->target )->count == 0;
	return *option->given && !isNo;
}

// Whether the command line has this option, or one that excludes it.
static bool IsDecided( const gelOption* options, const bool* closed, const char* name )
{
	// The second one excludes the first one.
	static const char* const pairs[][2] = { { "cage", "tets" }, { "tets", "cage" },
		{ "no-collision", "collision-cells" }, { "collision-cells", "no-collision" },
		{ "no-collision", "static" }, { "static", "no-collision" }, { "step", "static" },
		{ "static", "step" }, { "pin-box", "static" }, { "static", "pin-box" }, { "quality", "static" },
		{ "static", "quality" }, { "lod", "static" }, { "static", "lod" }, { "paint", "static" },
		{ "static", "paint" }, { "warp", "static" }, { "static", "warp" }, { "particles", "static" },
		{ "static", "particles" }, { "soak", "static" }, { "max-strain", "static" },
		{ "max-step-us", "static" } };
	const gelOption* option = Find( options, name );
	if ( closed[option - options] ) return true;
	if ( strcmp( name, "attach" ) == 0 )
		return false; // each name is decided for itself (attachment_points.h)
	if ( *option->given ) return true;
	for ( size_t i = 0; i < sizeof( pairs ) / sizeof( pairs[0] ); ++i )
	{
		if ( strcmp( pairs[i][0], name ) == 0 && IsOn( Find( options, pairs[i][1] ) ) ) return true;
	}
	// A limit of the soak is none without it.
	const gelOption* soak = Find( options, "soak" );
	bool isSoakOff = closed[soak - options] || ( *soak->given && !IsOn( soak ) );
	return isSoakOff && strcmp( name, "max-strain" ) == 0;
}

void gelCloseOption( const gelOption* options, const char* name, bool* closed )
{
	closed[Find( options, name ) - options] = true;
}

bool gelIsClosed( const gelOption* options, const char* name, const bool* closed )
{
	return closed[Find( options, name ) - options];
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

void gelApplyRecipe( gelRecipe* recipe, const gelOption* options, bool* closed, gelBakePool* pool )
{
	// First what the command line decides, before anything is marked as given.
	bool* isOpen = gelBakePool_Alloc( pool, (size_t)recipe->count + 1, sizeof( bool ) );
	for ( int i = 0; i < recipe->count; ++i )
	{
		isOpen[i] = !IsDecided( options, closed, recipe->values[i].option );
	}
	for ( int i = 0; i < recipe->count; ++i )
	{
		recipe->values[i].isUsed = isOpen[i];
		if ( !isOpen[i] ) continue;
		const gelOption* option = Find( options, recipe->values[i].option );
		if ( recipe->values[i].text == NULL )
		{
			closed[option - options] = true;
			continue;
		}
		Set( option, recipe->values[i].text, pool );
		*option->given = true;
	}
}

static const gelRecipeValue* FindUsed( const gelRecipe* recipe, const char* option )
{
	for ( int i = 0; i < recipe->count; ++i )
	{
		const gelRecipeValue* value = recipe->values + i;
		if ( value->isUsed && value->text != NULL && strcmp( value->option, option ) == 0 ) return value;
	}
	return NULL;
}

void gelFailOption(
	const gelRecipe* recipes, const char* option, gelFindings* findings, const char* format, ... )
{
	char text[240];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof( text ), format, arguments );
	va_end( arguments );
	for ( const gelRecipe* recipe = recipes; recipe != NULL; recipe = recipe->next )
	{
		const gelRecipeValue* value = FindUsed( recipe, option );
		if ( value == NULL ) continue;
		gelFindings_Add( findings, recipe->number, recipe->file, "%s: %s", value->place, text );
		return;
	}
	gelFindings_Add( findings, gel_findingUsage, NULL, "%s", text );
}
