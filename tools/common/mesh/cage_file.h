// SPDX-License-Identifier: MIT
// Cages from and to files, for tools: what formats/cage/cage_io.h does, with findings and atomic output.
#pragma once

#include "cage/cage_io.h"
#include "common/program/findings.h"

/// Reads a cage. On failure an error with file and line was added. Tets that had to be turned round are
/// reported.
bool gelLoadCage( const char* path, gelFindings* findings, gelCage* outCage );

/// Writes cages in the formats that the extensions name (.msh .msh4 .vtk .vtu .usda .node .ele). All files,
/// TetGen's two included, are complete under temporary names before the first gets its final one: on failure
/// an error was added and older files are untouched.
bool gelSaveCages( const gelCage* const* cages, const char* const* paths, int count, gelFindings* findings );

/// The same for one.
bool gelSaveCage( const gelCage* cage, const char* path, gelFindings* findings );
