// SPDX-License-Identifier: MIT
// Scenes as JSON files; docs/preview.md has the schema.
#pragma once

#include "common/program/findings.h"
#include "preview/scene/scene_def.h"

typedef struct gelSceneFile
{
	gelSceneDef def;
	char** packs; // paths, as seen from the current folder; none: those of the command line
	int packCount;
} gelSceneFile;

/// Reads a scene. Which pack a body has is checked when the number of packs is known
/// (gelSceneFile_CheckPacks). False: a finding with line and column was added, and nothing is left.
bool gelReadSceneFile( gelSceneFile* file, const char* path, gelFindings* findings );
void gelFreeSceneFile( gelSceneFile* file );

/// Whether every body's pack is there. False: a finding was added.
bool gelSceneFile_CheckPacks(
	const gelSceneFile* file, const char* path, int packCount, gelFindings* findings );
