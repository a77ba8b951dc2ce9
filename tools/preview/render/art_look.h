// SPDX-License-Identifier: MIT
// Colors and textures of the art that a pack was baked from: packs carry shapes only.
#pragma once

#include "common/mesh/mesh.h"
#include "common/program/findings.h"

#include <gelpack/gelpack.h>

/// A picture on a material, and what else of its look is shown.
typedef struct gelArtTexture
{
	bool isWanted;     // the art names a picture
	float alphaCutoff; // parts with less alpha are left out; 0: none; negative: so much as alpha says
	float emission[3]; // linear light
	float place[6];    // u' = 0 u + 1 v + 2, v' = 3 u + 4 v + 5 of texture coordinates; all zero: as they are
	uint8_t* pixels;   // RGBA, 8 bit sRGB; NULL: none
	int width, height;
	uint8_t* file; // the PNG or JPEG file itself
	size_t fileBytes;
} gelArtTexture;

typedef struct gelArtLook
{
	bool isLoaded;
	gelMesh mesh;
	gelArtTexture* textures; // per material
} gelArtLook;

void gelFreeArtLook( gelArtLook* look );

/// Finds the art of a pack and reads it: `art`, if that is it, else the file beside the pack.
/// @param art that the person named, or NULL @param isItsArt whether it has to be the art of this pack
/// @return the file's path, also of one that is not the pack's art, which is a warning; free() it. NULL: none
char* gelLoadPackArt( gelArtLook* look, const char* pack, const char* art, bool isItsArt,
	const gelAsset* asset, gelFindings* findings );
