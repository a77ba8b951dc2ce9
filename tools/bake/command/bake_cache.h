// SPDX-License-Identifier: MIT
// A folder of packs by what they were baked from: tool, options and the bytes of all files. Several processes
// and machines may share it: entries appear complete or not at all, and what is read is validated like any
// pack, so that a damaged entry is a missing one.
//
//     FOLDER/3f/3f8a...c1.gel
#pragma once

#include "bake/body/bake_pool.h"
#include "common/program/findings.h"
#include "pack/pack_read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gelCacheKey
{
	uint8_t bytes[32];
	uint8_t artSha256[32]; // hash of the art, which a pack tells as well
} gelCacheKey;

/// What a pack depends on, apart from gel-bake itself and its libraries.
typedef struct gelCacheInputs
{
	const char* optionsText;
	const char* name;         // name of the asset
	const uint8_t* artSha256; // [32] of the art files
	const char* files[4];     // cage, recipe and the like, by their bytes; NULL: none
} gelCacheInputs;

/// SHA-256 of everything that decides about the bytes of a pack. False: a file cannot be read (T0001).
bool gelMakeCacheKey( const gelCacheInputs* inputs, gelFindings* findings, gelCacheKey* outKey );

/// The entry of a key, validated; memory belongs to the pool. False: there is none, or it is damaged or of
/// other art, in which case it was removed.
bool gelFindInCache(
	const char* folder, const gelCacheKey* key, gelBakePool* pool, gelPackView* outPack, size_t* outBytes );

/// Stores a pack. What goes wrong is an info (T0550): the pack itself is not touched by it.
void gelStoreInCache( const char* folder, const gelCacheKey* key, const uint8_t* bytes, size_t byteCount,
	gelFindings* findings );

/// Makes a folder and those above it. 0, or errno.
int gelMakeFolders( const char* path );
