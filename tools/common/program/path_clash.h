// SPDX-License-Identifier: MIT
// The files of one command: an output must be no other file of it, neither one that it reads nor another
// output. Otherwise "gel-bake bear.obj -o bear.gel --json bear.gel" would lose a pack and report success.
#pragma once

#include "common/program/findings.h"

#include <stdbool.h>

typedef struct gelNamedPath gelNamedPath;

/// Zero bits are a valid empty set.
typedef struct gelPathSet
{
	gelNamedPath* items;
	int count;
	size_t capacity;
} gelPathSet;

/// Adds a file and compares it with all before it: by name, and by what the names stand for, so that links
/// and "./a" against "a" do not hide a clash. Devices and pipes never clash. On a clash T0005 names both
/// files and the result is false. Call these before anything is written.
/// @param path NULL: nothing to add
/// @param role what the file is in messages: "-o", "--json", "the art"; has to outlive the set
bool gelPathSet_AddInput( gelPathSet* set, const char* path, const char* role, gelFindings* findings );
bool gelPathSet_AddOutput( gelPathSet* set, const char* path, const char* role, gelFindings* findings );

/// The same for an output of which there are too many to remember, such as the pictures of a sequence.
bool gelPathSet_AllowsOutput( gelPathSet* set, const char* path, const char* role, gelFindings* findings );

/// A cage: TetGen's is two files, of which the path names one.
bool gelPathSet_AddCage(
	gelPathSet* set, const char* path, const char* role, bool isOutput, gelFindings* findings );

/// Whether the file that was added under this path clashed with another one.
bool gelPathSet_HasClash( const gelPathSet* set, const char* path );

void gelFreePathSet( gelPathSet* set );
