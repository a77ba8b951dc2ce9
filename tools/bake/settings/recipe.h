// SPDX-License-Identifier: MIT
// Recipes: the settings of a body in a file (docs/recipes.md, docs/recipe.schema.json). A recipe is read into
// values of options, so that whatever it says could stand on the command line, which wins where it says
// something else.
#pragma once

#include "bake/body/bake_pool.h"
#include "common/program/findings.h"
#include "common/program/json_place.h"
#include "common/mesh/mesh.h"
#include "common/program/options.h"

typedef struct gelRecipeValue
{
	const char* option; // of gel-bake, without dashes
	const char* text;   // as on the command line; "" for a flag; NULL: not this, whatever others say later
	const char* place;  // in the recipe, for messages: "line 3, column 5"
	bool isUsed;        // nobody with more to say has decided otherwise
} gelRecipeValue;

typedef struct gelRecipe
{
	gelRecipeValue* values;
	int count, capacity;
	bool hasRegions;              // materials and regions, which material_regions.h reads from the same file
	const char* file;             // that it is from, or in
	int number;                   // finding that a mistake in it is
	const struct gelRecipe* next; // one that was applied before
} gelRecipe;

/// Reads and checks a recipe. Memory belongs to the pool. False: a finding with line and column was added.
bool gelReadRecipe( const char* path, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe );

/// A recipe that is no file of its own: in the extras of a glTF file.
typedef struct gelRecipeText
{
	const char* file; // that it is in; files that it names are beside that, or below
	const char* text;
	gelJsonOrigin origin;
} gelRecipeText;

bool gelReadRecipeText(
	const gelRecipeText* source, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe );

/// What the extras of an art file say, in the order in which it counts: nodes, then the scene.
typedef struct gelExtrasRecipes
{
	gelRecipeText* texts;
	gelRecipe* recipes; // of each text
	int count;
} gelExtrasRecipes;

/// Finds and reads the recipes in the extras of nodes, meshes and the scene: "gelpack", and properties such
/// as "gelpack_young". Two nodes that contradict each other are an error. False: findings were added.
bool gelReadExtrasRecipes(
	const gelMesh* mesh, const char* file, gelBakePool* pool, gelFindings* findings, gelExtrasRecipes* out );

/// Sets the options that the command line does not, and marks them as given. All options of the table must
/// have `given`. An option is also left alone when one was given that excludes it.
/// @param closed for each option of the table: no recipe may set it any more
void gelApplyRecipe( gelRecipe* recipe, const gelOption* options, bool* closed, gelBakePool* pool );

/// No recipe may set an option any more.
void gelCloseOption( const gelOption* options, const char* name, bool* closed );
bool gelIsClosed( const gelOption* options, const char* name, const bool* closed );

/// Adds a finding about an option: with a place if one of the recipes has set it, else as a mistake of the
/// command line.
void gelFailOption( const gelRecipe* recipes, const char* option, gelFindings* findings, const char* format,
	... ) __attribute__( ( format( printf, 4, 5 ) ) );
