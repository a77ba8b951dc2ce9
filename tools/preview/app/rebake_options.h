// SPDX-License-Identifier: MIT
// Options of gel-bake that bake art as a pack was baked: the same cage, steps, pins, modes, particles and
// materials of parts.
// Packs do not keep the command line, so it is put together from META and what the runtime says about them.
// Options and their texts are those of the table of settings.
#pragma once

#include <gelpack/gelpack.h>

#include <stdbool.h>

typedef struct gelRebakeOptions
{
	char** items; // ends with NULL
	int count, capacity;
	bool isIncomplete; // out of memory
} gelRebakeOptions;

/// An option of gel-bake and its value.
/// @param option without dashes
/// @param value of the type of its row (setting_table.h), one item where that is a list; NULL for a flag
void gelRebakeOptions_AddSetting( gelRebakeOptions* options, const char* option, const void* value );
void gelRebakeOptions_AddReal( gelRebakeOptions* options, const char* option, double value );
void gelFreeRebakeOptions( gelRebakeOptions* options );

/// What a pack was baked with, but for its cage and materials; of the first material, damping and friction.
/// @param artSize largest side of the box of its art, in units of the file; 0: not known
void gelRebakeOptions_AddPack( gelRebakeOptions* options, const gelAsset* asset, double artSize );

/// Writes the cage of a pack into a file that gel-bake --cage reads; tets of material i > 0 are its region i.
/// False: it cannot be written.
bool gelSaveCageOf( const gelAsset* asset, const char* path );

/// Writes all materials but the first, which is that of the command line, for gel-bake --materials with a
/// cage of gelSaveCageOf. False: it cannot be written, or gel-bake would not read so many.
bool gelSaveMaterialsOf( const gelAsset* asset, const char* path );
