// SPDX-License-Identifier: MIT
// Looks of the materials of art: pictures (PNG, JPEG, WebP) in the file or beside it, alpha, light of their
// own.
#pragma once

#include "preview/render/art_look.h"

/// Reads what every material of the art says. Pictures that cannot be shown are one warning.
/// @param textures per material, zero
void gelLoadArtPictures(
	const char* path, const gelMesh* mesh, gelArtTexture* textures, gelFindings* findings );
