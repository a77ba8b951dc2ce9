// SPDX-License-Identifier: MIT
// Recipes: the settings of a body in a file (docs/recipes.md, docs/recipe.schema.json). A recipe is read into
// values of options, so that whatever it says could stand on the command line, which wins where it says
// something else.
#pragma once

#include "bake_pool.h"
#include "findings.h"
#include "options.h"

typedef struct gelRecipeValue
{
	const char* option; // of gel-bake, without dashes
	const char* text;   // as on the command line; "" for a flag
} gelRecipeValue;

typedef struct gelRecipe
{
	gelRecipeValue* values;
	int count, capacity;
	bool hasRegions; // materials and regions, which material_regions.h reads from the same file
} gelRecipe;

/// Reads and checks a recipe. Memory belongs to the pool. False: a finding with line and column was added.
bool gelReadRecipe( const char* path, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe );

/// Sets the options that the command line does not, and marks them as given. All options of the table must
/// have `given`. An option is also left alone when one was given that excludes it.
void gelApplyRecipe( const gelRecipe* recipe, const gelOption* options, gelBakePool* pool );
