// SPDX-License-Identifier: MIT
// gel-bake --lod: coarser cages of the same art, each baked with the same settings.
#pragma once

#include "bake/command/bake_command.h"
#include "bake/body/material_regions.h"
#include "bake/body/pin_box.h"

/// What all levels have in common.
typedef struct gelLevelInputs
{
	const gelMesh* mesh;
	const gelPinBox* boxes;
	int boxCount;
	const gelMaterialRegions* regions;
	const char* regionsPath;         // that the regions are from; NULL: one material
	const gelPaintRules* paint;      // NULL: none
	const gelBakeSettings* settings; // of level 0
	const gelCage* cage;             // of level 0, as it was given
	int plainStepCount; // of settings->steps, before those that the quality mode adds; 0: it adds none
} gelLevelInputs;

/// Parses "TETS" of each level, which must get fewer; an error names the text.
/// @param recipes that they may be from, for messages; NULL: none
bool gelParseLevels(
	const gelStringList* texts, int targetTets, const gelRecipe* recipes, gelFindings* findings );

/// Makes cages and bakes them, the finest first. False: findings were added.
/// @param out [texts->count] @see gelFreeBakeLevels, also after a failure
bool gelBakeLevels(
	const gelLevelInputs* inputs, const gelStringList* texts, gelProgram* program, gelBakeLevel* out );
void gelFreeBakeLevels( gelBakeLevel* levels, int count );
