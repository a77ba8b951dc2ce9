// SPDX-License-Identifier: MIT
// The command line of gel-bake and what it does: import, cage, bake, write.
#pragma once

#include "bake/body/bake.h"
#include "bake/settings/asked_settings.h"

typedef struct gelBakeCommand
{
	const char* inputPath;
	gelAskedSettings asked;
	const char*
		regionsPath;       // where regions of materials stand: --materials, or the recipe; NULL: one material
	bool hasRecipeRegions; // it is the recipe
	const gelRecipeSource*
		extrasRegions; // regions in the extras of the art, if there are none in a file; or NULL
	char* optionsText; // all options that change what is baked, files aside
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
