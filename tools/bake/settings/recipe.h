// SPDX-License-Identifier: MIT
// Recipes: the settings of a body in a file (docs/recipes.md, docs/recipe.schema.json), or in the art. Values
// are read once, into the types of their rows (setting_table.h); asked_settings.h decides which of them
// count.
#pragma once

#include "bake/body/bake_pool.h"
#include "common/mesh/mesh.h"
#include "common/program/findings.h"
#include "common/program/json_place.h"
#include "common/settings/setting_table.h"

#include <stdio.h>

typedef struct gelRecipeValue
{
	const gelSetting* setting; // a row that has an option
	const void*
		value; // a value of its type, or an item of its list; NULL: not this, whatever others say later
	const char* place; // in the recipe, for messages: "line 3, column 5"
	bool isUsed;       // nobody with more to say has decided otherwise
} gelRecipeValue;

typedef struct gelRecipe
{
	gelRecipeValue* values;
	int count, capacity;
	bool hasRegions;              // materials and regions, which material_file.h reads from the same file
	const char* file;             // path that it is from, or in
	int number;                   // finding that a mistake in it is
	const struct gelRecipe* next; // one that was applied before
} gelRecipe;

/// Reads and checks a recipe. Memory belongs to the pool. False: a finding with line and column was added.
bool gelReadRecipe( const char* path, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe );

/// A recipe that is no file of its own: in the extras of a glTF file.
typedef struct gelRecipeSource
{
	const char* file; // path that it is in; files that it names are beside that, or below
	const char* text; // NULL: it is the value
	json_t* value;    // NULL: it is the text
	gelJsonOrigin origin;
} gelRecipeSource;

/// Opens it for reading. False: a finding was added.
bool gelOpenRecipeSource( gelJsonReader* reader, const gelRecipeSource* source, gelFindings* findings );

bool gelReadRecipeSource(
	const gelRecipeSource* source, gelBakePool* pool, gelFindings* findings, gelRecipe* outRecipe );

/// What the extras of an art file say, in the order in which it counts: nodes, then the scene.
typedef struct gelExtrasRecipes
{
	gelRecipeSource* sources;
	gelRecipe* recipes; // recipe of each source
	int count;
} gelExtrasRecipes;

/// Finds and reads the recipes in the extras of nodes, meshes and the scene: "gelpack", and properties such
/// as "gelpack_young". Two nodes that contradict each other are an error. False: findings were added.
/// @param out also after a failure: gelFreeExtrasRecipes
bool gelReadExtrasRecipes(
	const gelMesh* mesh, const char* file, gelBakePool* pool, gelFindings* findings, gelExtrasRecipes* out );
void gelFreeExtrasRecipes( gelExtrasRecipes* extras );

/// The members of "material" of a recipe, apart from its name; also those of "materials" (material_file.h).
/// The reader is at the object. False: a finding was added.
bool gelReadMaterialNumbers( gelJsonReader* reader, const json_t* object, gelBakeMaterial* inout );

/// Whether a row is in a group (NULL: in a recipe itself), and whether it is the first one of its group.
bool gelIsInRecipeGroup( const gelSetting* setting, const char* group );
bool gelIsFirstOfRecipeGroup( const gelSetting* setting );

/// The JSON schema of recipes: docs/recipe.schema.json is what this prints (recipe_schema.c).
void gelPrintRecipeSchema( FILE* stream );
