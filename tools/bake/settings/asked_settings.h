// SPDX-License-Identifier: MIT
// What was asked for, and by whom: the command line wins over the recipe, and both win over the art.
#pragma once

#include "bake/body/bake_pool.h"
#include "bake/settings/recipe.h"
#include "common/settings/setting_table.h"

typedef struct gelAskedSettings
{
	gelBakeRequest request;
	bool given[GEL_MAX_SETTINGS];  // by any of them, in the order of the table
	bool closed[GEL_MAX_SETTINGS]; // one that was read before said no: whoever comes later may not set it
	const gelRecipe* recipes;      // recipes that were applied, the last one first
	gelExtrasRecipes extras;       // what the extras of the art ask for
	gelBakePool pool;              // memory of lists and texts
} gelAskedSettings;

void gelFreeAskedSettings( gelAskedSettings* asked );

bool gelIsGiven( const gelAskedSettings* asked, const char* option );
bool gelIsClosed( const gelAskedSettings* asked, const char* option );
/// Nobody who comes later may set an option.
void gelCloseOption( gelAskedSettings* asked, const char* option );

/// Puts a value into a list that is empty, or was filled by this function with this pool.
/// @param bytes of a value
void gelAppendValue( gelValueList* list, const void* value, size_t bytes, gelBakePool* pool );

/// Takes over what nobody has set before, and marks it as given. An option is also left alone when one was
/// given that excludes it.
void gelApplyRecipe( gelRecipe* recipe, gelAskedSettings* asked );

/// Adds a finding about an option: with a place if a recipe has set it, else as a mistake of the command
/// line.
void gelFailOption( const gelAskedSettings* asked, const char* option, gelFindings* findings,
	const char* format, ... ) __attribute__( ( format( printf, 4, 5 ) ) );

/// Whether the options go together: rivals, those that need another, those that have no meaning without
/// physics; numbers of tets of levels, name of the material. Adds a finding for each mistake.
void gelCheckTogether( const gelAskedSettings* asked, gelFindings* findings );
