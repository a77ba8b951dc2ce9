// SPDX-License-Identifier: MIT
// Base color textures of a glTF or GLB file: PNG and JPEG pictures in the file or beside it.
#pragma once

#include "preview/render/art_look.h"

/// Reads the picture of every material that has one. What cannot be read is a warning.
void gelLoadArtPictures(
	const char* path, gelArtTexture* textures, int materialCount, gelFindings* findings );
