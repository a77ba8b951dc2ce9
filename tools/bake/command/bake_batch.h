// SPDX-License-Identifier: MIT
// Many assets: a manifest, and one process for each of them, several at once.
#pragma once

#include "bake/command/bake_command.h"
#include "bake/body/bake_pool.h"
#include "common/program/json_place.h"

typedef struct gelBatchAsset
{
	const char* input;
	const char* output;
	const char** options; // options for gel-bake, those of the whole manifest first
	int optionCount;
} gelBatchAsset;

typedef struct gelBatchManifest
{
	gelBatchAsset* assets;
	int count;
} gelBatchManifest;

/// Reads a manifest (docs/build_systems.md, docs/manifest.schema.json). Memory belongs to the pool. False:
/// findings were added, with line and column.
bool gelReadBatchManifest(
	const char* path, gelBakePool* pool, gelFindings* findings, gelBatchManifest* outManifest );

/// No file may be written twice, nor written and read. False: a finding was added. The reader is at the
/// array of assets.
bool gelCheckBatchPaths(
	const gelBatchManifest* manifest, const char* manifestPath, gelBakePool* pool, gelJsonReader* reader );

/// "2/5": every fifth asset from the second on. False: not of that form.
bool gelParseShard( const char* text, int* outFirst, int* outStride );

/// Bakes the assets of command->manifestPath. An asset that fails does not keep the others from being baked;
/// the exit code is the worst of all.
void gelBakeBatch( const gelBakeCommand* command, gelProgram* program );
