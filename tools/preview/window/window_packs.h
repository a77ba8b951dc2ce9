// SPDX-License-Identifier: MIT
// The packs of a window: they come and go while it is open.
#pragma once

#include "preview/render/art_look.h"
#include "preview/scene/loaded_packs.h"

#define GEL_MAX_WINDOW_PACKS 64

typedef struct gelWindowPacks
{
	gelAsset* assets[GEL_MAX_WINDOW_PACKS];
	const char* paths[GEL_MAX_WINDOW_PACKS]; // own copies
	char* firsts[GEL_MAX_WINDOW_PACKS];      // path of the pack that was here before any other material
	char* arts[GEL_MAX_WINDOW_PACKS];        // art file of each, or NULL
	gelArtLook looks[GEL_MAX_WINDOW_PACKS];
	gelPackSet set; // the same, as a scene wants it
} gelWindowPacks;

/// Loads a pack and adds it, or puts it in the place of number `replaced` (>= 0). No scene may use that one.
/// False: a finding was added.
bool gelWindowPacks_Load( gelWindowPacks* packs, const char* path, int replaced, gelFindings* findings );
/// Finds out which art file a pack was baked from: see gelLoadPackArt. Its colors are kept unless plain.
void gelWindowPacks_FindArt(
	gelWindowPacks* packs, int index, const char* art, bool isItsArt, bool plain, gelFindings* findings );
void gelFreeWindowPacks( gelWindowPacks* packs );
