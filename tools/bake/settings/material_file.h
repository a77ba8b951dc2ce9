// SPDX-License-Identifier: MIT
// The file of --materials: materials by name, and where in the body they are (docs/materials.md).
#pragma once

#include "bake/body/material_regions.h"
#include "bake/settings/recipe.h"

/// Reads a file of materials (docs/materials.md), or the same keys of a recipe, whose other keys are not
/// looked at. What a material does not say is that of base. Memory belongs to the pool. False: findings were
/// added.
bool gelReadMaterialRegions( const char* path, bool isRecipe, const gelBakeMaterial* base, gelBakePool* pool,
	gelFindings* findings, gelMaterialRegions* out );

/// The same keys of a recipe in the art's extras.
bool gelReadExtrasRegions( const gelRecipeSource* source, const gelBakeMaterial* base, gelBakePool* pool,
	gelFindings* findings, gelMaterialRegions* out );
