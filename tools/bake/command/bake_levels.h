// SPDX-License-Identifier: MIT
// gel-bake --lod: coarser cages of the same art, each baked with the same settings.
#pragma once

#include "bake/body/material_regions.h"
#include "bake/body/paint.h"

/// What all levels have in common.
typedef struct gelLevelInputs
{
	const gelMesh* mesh;
	const gelPinBox* boxes;
	int boxCount;
	const gelMaterialRegions* regions;
	const char* regionsPath;         // file that the regions are from; NULL: one material
	const gelPaintRules* paint;      // NULL: none
	const gelBakeSettings* settings; // settings of level 0
	const gelCage* cage;             // cage of level 0, as it was given
	int plainStepCount; // steps in settings->steps before those that the quality mode adds; 0: it adds none
} gelLevelInputs;

/// Makes cages and bakes them, the finest first. False: findings were added.
/// @param tets to aim at, for each level
/// @param out [count] @see gelFreeBakeLevels, also after a failure
bool gelBakeLevels(
	const gelLevelInputs* inputs, const int* tets, int count, gelProgram* program, gelBakeLevel* out );
void gelFreeBakeLevels( gelBakeLevel* levels, int count );
