// SPDX-License-Identifier: MIT
// The command line of gel-bake and what it does: import, cage, bake, write.
#pragma once

#include "bake/body/bake.h"
#include "bake/body/bake_pool.h"
#include "bake/gates/gates.h"
#include "bake/body/paint.h"
#include "bake/settings/recipe.h"

#define GEL_MAX_BAKE_OPTIONS 64

typedef struct gelBakeCommand
{
	const char* inputPath;
	const char* outputPath;
	const char* cagePath;      // NULL: the cage is made from the art
	const char* depfilePath;   // NULL: none
	const char* materialsPath; // NULL: none
	const char* recipePath;    // NULL: none
	const char* regionsPath;   // where regions of materials stand: one of these two; NULL: one material
	bool hasRecipeRegions;     // it is the recipe
	const gelRecipeText*
		extrasRegions; // regions in the extras of the art, if there are none in a file; or NULL
	double scale;      // metres per unit of the art
	int targetTets;    // when the cage is made
	bool targetTetsGiven;
	bool noCollision;
	bool forQuality;    // also bake what the quality mode needs
	bool isStatic;      // nothing to simulate, only to touch
	int collisionCells; // 0: fine, 1: coarse
	bool collisionCellsGiven;
	const char* particleText; // NULL: no particles
	bool verify;              // compare with the pack that is there instead of writing it
	gelGates gates;
	bool maxStrainGiven;
	const char* manifestPath; // NULL: one asset
	const char* shardText;    // NULL: all of the manifest
	int jobs;                 // processes of a batch
	bool jobsGiven;
	const char* cachePath; // NULL: none
	bool force;            // bake in spite of the cache
	char* optionsText;     // all options that change what is baked, files aside
	gelStringList stepTexts;
	gelStringList pinBoxTexts;
	gelStringList attachTexts; // of the command line first, then of the recipe, then of the art
	int ownAttachCount;        // of the command line
	gelStringList levelTexts;  // coarser levels: tets to aim at
	gelStringList paintTexts;
	gelBakeSettings settings;
	bool given[GEL_MAX_BAKE_OPTIONS];  // by the command line or the recipe, in the order of the table
	bool closed[GEL_MAX_BAKE_OPTIONS]; // a recipe said no to it
	const gelRecipe* recipes;          // that were applied, the last one first
	const gelOption* options;          // the table, in the pool; its targets are the members above
	gelBakePool pool;                  // of what the recipe says
} gelBakeCommand;

/// Parses; false: nothing more to do.
bool gelBakeCommand_Parse( gelBakeCommand* command, gelProgram* program, int argc, char** argv );

void gelFreeBakeCommand( gelBakeCommand* command );

/// Sets what neither the command line nor a recipe says from the extras of the art. False: findings were
/// added.
bool gelBakeCommand_ApplyExtras( gelBakeCommand* command, const gelMesh* mesh, gelProgram* program );

/// Bakes one pack. Errors are in program->findings; then no output was written.
/// @param command changed by what the art says
void gelBakeCommand_Run( gelBakeCommand* command, gelProgram* program );
