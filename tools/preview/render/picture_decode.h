// SPDX-License-Identifier: MIT
// Pixels of a PNG or JPEG file in memory.
#pragma once

#include "preview/render/art_look.h"

/// Decodes by what the file is, not by its name. @return NULL, or why it cannot be read: then there are no
/// pixels. The file's bytes are not touched.
const char* gelDecodePicture( gelArtTexture* texture, const uint8_t* bytes, size_t count );

/// Whether a file begins as JPEG files do.
bool gelIsJpeg( const uint8_t* bytes, size_t count );
