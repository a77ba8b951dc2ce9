// SPDX-License-Identifier: MIT
// The packs of the command line, loaded by the runtime.
#pragma once

#include "common/program/findings.h"

#include <gelpack/gelpack.h>

typedef struct gelPackSet
{
	gelAsset** assets;
	const char* const* paths; // borrowed
	int count;
} gelPackSet;

/// Loads packs; paths must live as long. False: a finding was added and the set is empty.
bool gelLoadPacks( gelPackSet* set, const char* const* paths, int count, gelFindings* findings );
void gelFreePacks( gelPackSet* set );
