// SPDX-License-Identifier: MIT
// A recording as an animated binary glTF file. Every body is a mesh whose morph targets are its shapes at the
// recorded moments; an animation fades from each to the next (glTF 2.0, sections 3.7.2.2 and 3.11). Blender,
// three.js and game engines play this without an extension.
#pragma once

#include "preview/play/recording.h"
#include "preview/render/art_look.h"

/// Largest file that is made [bytes].
#define GEL_MAX_GLB_BYTES ( (uint64_t)1 << 29 )

/// Whether a file of a scene at so many moments is not too large. False: a finding was added.
bool gelCheckGlbSize( const gelScene* scene, int moments, const char* path, gelFindings* findings );

/// Leaves the scene in the shape of the last moment.
/// @param looks of the packs: their colors and textures go into the file; NULL: none
/// False: a finding was added and no file was left.
bool gelWriteAnimatedGlb( const gelRecording* recording, gelScene* scene, const gelArtLook* looks,
	const char* path, gelProgram* program );
