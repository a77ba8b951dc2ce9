// SPDX-License-Identifier: MIT
// Options of gel-bake that bake art as a pack was baked: the same cage, steps, pins, modes, particles and
// materials of parts.
// Packs do not keep the command line, so it is put together from what the runtime says about them.
#pragma once

#include <gelpack/gelpack.h>

#include <stdbool.h>

typedef struct gelRebakeOptions
{
	char** items; // ends with NULL
	int count, capacity;
	bool isIncomplete; // out of memory
} gelRebakeOptions;

/// A word, or an option with a number.
void gelRebakeOptions_Add( gelRebakeOptions* options, const char* text );
void gelRebakeOptions_AddNumber( gelRebakeOptions* options, const char* name, double value );
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
