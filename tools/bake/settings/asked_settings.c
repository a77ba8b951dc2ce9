// SPDX-License-Identifier: MIT
// Who is heard, in this order: the command line, a recipe (--recipe), nodes of the art, the scene of the art.
// Sources are applied one after the other, and what an earlier one has decided stays:
//
//     given[i]    there is a value
//     closed[i]   somebody said no (false, an empty list, none), and nobody later may bring a value
//
// A setting is also decided when a rival of it is, or when "static" and physics would meet: otherwise --cage
// on the command line and "tets" in a recipe would be an error, instead of the recipe being overruled.
#include "bake/settings/asked_settings.h"

#include "pack/pack_layout.h"

#include <gelpack/asserts.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gelFreeAskedSettings( gelAskedSettings* asked )
{
	gelFreeExtrasRecipes( &asked->extras );
	gelFreeBakePool( &asked->pool );
}

static const void* GetValue( const gelAskedSettings* asked, const gelSetting* setting )
{
	return (const char*)&asked->request + setting->offset;
}

bool gelIsGiven( const gelAskedSettings* asked, const char* option )
{
	return asked->given[gelGetSettingIndex( gelFindSetting( option ) )];
}

bool gelIsClosed( const gelAskedSettings* asked, const char* option )
{
	return asked->closed[gelGetSettingIndex( gelFindSetting( option ) )];
}

void gelCloseOption( gelAskedSettings* asked, const char* option )
{
	asked->closed[gelGetSettingIndex( gelFindSetting( option ) )] = true;
}

// Whether an option was given, and not to say no.
static bool IsOn( const gelAskedSettings* asked, const gelSetting* setting )
{
	const void* value = GetValue( asked, setting );
	// "--soak=no" is given and off: enough to silence a recipe, not enough to need what --soak needs.
	bool isNo = false;
	if ( setting->kind == gel_settingFlag ) isNo = !*(const bool*)value;
	if ( setting->kind == gel_settingText || setting->kind == gel_settingFile )
		isNo = *(const char* const*)value == NULL;
	if ( setting->kind == gel_settingParticles )
		isNo = ( (const gelParticleSettings*)value )->kind == gel_particlesNone;
	if ( gelIsListSetting( setting ) ) isNo = ( (const gelValueList*)value )->count == 0;
	return asked->given[gelGetSettingIndex( setting )] && !isNo;
}

// ---- who decides ----------------------------------------------------------------------------------------

// A limit has no meaning without physics, but does not ask for it either.
static bool AsksForPhysics( const gelSetting* setting )
{
	return ( setting->traits & ( gel_traitPhysics | gel_traitAside ) ) == gel_traitPhysics;
}

static bool IsAnyPhysicsOn( const gelAskedSettings* asked )
{
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		if ( gelSettings[i].option != NULL && AsksForPhysics( gelSettings + i ) &&
			IsOn( asked, gelSettings + i ) )
			return true;
	}
	return false;
}

// Whether somebody who was heard before has this option, or one that excludes it.
static bool IsDecided( const gelAskedSettings* asked, const gelSetting* setting )
{
	const gelSetting* isStatic = gelFindSetting( "static" );
	int index = gelGetSettingIndex( setting );
	if ( asked->closed[index] ) return true;
	// Lists are decided as a whole, but for attachment points: an artist adds a point to those of a recipe.
	if ( setting->kind == gel_settingPoints ) return false; // each name is decided for itself
	if ( asked->given[index] ) return true;
	if ( setting->rival != NULL && IsOn( asked, gelFindSetting( setting->rival ) ) ) return true;
	if ( ( setting->traits & gel_traitPhysics ) != 0 && IsOn( asked, isStatic ) ) return true;
	if ( setting == isStatic && IsAnyPhysicsOn( asked ) ) return true;
	if ( setting->needs == NULL ) return false;
	const gelSetting* needed = gelFindSetting( setting->needs );
	int at = gelGetSettingIndex( needed );
	return asked->closed[at] || ( asked->given[at] && !IsOn( asked, needed ) );
}

void gelAppendValue( gelValueList* list, const void* value, size_t bytes, gelBakePool* pool )
{
	GEL_ASSERT( list->count >= 0 && bytes > 0 );
	// room for 1, 2, 4, 8 ... values
	if ( ( list->count & ( list->count - 1 ) ) == 0 )
	{
		size_t capacity = list->count > 0 ? 2 * (size_t)list->count : 1;
		void* items = gelBakePool_Alloc( pool, capacity, bytes );
		if ( list->count > 0 ) memcpy( items, list->items, (size_t)list->count * bytes );
		list->items = items;
	}
	memcpy( (char*)list->items + (size_t)list->count * bytes, value, bytes );
	list->count += 1;
}

void gelApplyRecipe( gelRecipe* recipe, gelAskedSettings* asked )
{
	GEL_ASSERT( recipe->next == NULL ); // applied once
	// First what was decided before, before anything is marked as given.
	for ( int i = 0; i < recipe->count; ++i )
		recipe->values[i].isUsed = !IsDecided( asked, recipe->values[i].setting );
	for ( int i = 0; i < recipe->count; ++i )
	{
		const gelRecipeValue* value = recipe->values + i;
		int index = gelGetSettingIndex( value->setting );
		if ( !value->isUsed ) continue;
		if ( value->value == NULL )
		{
			asked->closed[index] = true;
			continue;
		}
		void* target = gelGetSettingValue( &asked->request, value->setting );
		size_t bytes = gelGetSettingBytes( value->setting );
		if ( gelIsListSetting( value->setting ) )
			gelAppendValue( target, value->value, bytes, &asked->pool );
		else
			memcpy( target, value->value, bytes );
		asked->given[index] = true;
	}
	// Newest first. A message about an option looks for the recipe that it came from, to name line and
	// column.
	recipe->next = asked->recipes;
	asked->recipes = recipe;
}

// ---- mistakes -------------------------------------------------------------------------------------------

static const gelRecipeValue* FindUsed( const gelRecipe* recipe, const gelSetting* setting )
{
	for ( int i = 0; i < recipe->count; ++i )
	{
		const gelRecipeValue* value = recipe->values + i;
		if ( value->isUsed && value->value != NULL && value->setting == setting ) return value;
	}
	return NULL;
}

void gelFailOption(
	const gelAskedSettings* asked, const char* option, gelFindings* findings, const char* format, ... )
{
	char text[240];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof( text ), format, arguments );
	va_end( arguments );
	for ( const gelRecipe* recipe = asked->recipes; recipe != NULL; recipe = recipe->next )
	{
		const gelRecipeValue* value = FindUsed( recipe, gelFindSetting( option ) );
		if ( value == NULL ) continue;
		gelFindings_Add( findings, recipe->number, recipe->file, "%s: %s", value->place, text );
		return;
	}
	gelFindings_Add( findings, gel_findingUsage, NULL, "%s", text );
}

// Numbers of tets get fewer from level to level.
static void CheckLevels( const gelAskedSettings* asked, gelFindings* findings )
{
	const gelValueList* levels = &asked->request.levels;
	const gelSetting* setting = gelFindSetting( "lod" );
	const int* tets = levels->items;
	int before = asked->request.cagePath != NULL ? (int)setting->max : asked->request.targetTets;
	if ( levels->count > (int)GEL_PACK_MAX_LEVELS )
	{
		gelFailOption( asked, "lod", findings, "--lod is there %d times; a pack holds at most %u levels",
			levels->count, GEL_PACK_MAX_LEVELS );
		return;
	}
	for ( int i = 0; i < levels->count; before = tets[i++] )
	{
		if ( tets[i] < before ) continue;
		gelFailOption( asked, "lod", findings,
			"--lod %d is not a number of tets from %g on and below that of the level before it, %d", tets[i],
			setting->min, before );
		return;
	}
}

// The first option that a surface without physics has no use for.
static void CheckStatic( const gelAskedSettings* asked, gelFindings* findings )
{
	for ( int i = 0; i < gelSettingCount && asked->request.settings.isStatic; ++i )
	{
		const gelSetting* setting = gelSettings + i;
		bool isPhysics = setting->option != NULL && ( setting->traits & gel_traitPhysics ) != 0 &&
			setting->needs == NULL && IsOn( asked, setting );
		if ( setting->kind == gel_settingPaint && asked->request.paint.isOff ) isPhysics = false;
		if ( !isPhysics ) continue;
		gelFailOption(
			asked, setting->option, findings, "--%s has no meaning together with --static", setting->option );
		return;
	}
}

void gelCheckTogether( const gelAskedSettings* asked, gelFindings* findings )
{
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const gelSetting* setting = gelSettings + i;
		if ( setting->option == NULL || !asked->given[i] ) continue;
		const gelSetting* rival = setting->rival != NULL ? gelFindSetting( setting->rival ) : setting;
		if ( rival < setting && IsOn( asked, rival ) )
			gelFailOption( asked, setting->option, findings, "--%s has no meaning together with --%s",
				setting->option, rival->option );
		if ( setting->needs != NULL && !IsOn( asked, gelFindSetting( setting->needs ) ) )
			gelFailOption( asked, setting->option, findings, "--%s has no meaning without --%s",
				setting->option, setting->needs );
	}
	CheckLevels( asked, findings );
	CheckStatic( asked, findings );
	const gelBakeMaterial* material = &asked->request.settings.material;
	double maxBytes = gelFindSetting( "material" )->max;
	if ( (double)strlen( material->name ) <= maxBytes ) return;
	gelFindings_Add( findings, gel_findingUsage, NULL, "--material '%.60s' is longer than %g bytes",
		material->name, maxBytes );
}
