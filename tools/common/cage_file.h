// SPDX-License-Identifier: MIT
// Cages from and to files, for tools: what formats/cage_io.h does, with findings and atomic output.
#pragma once

#include "cage_io.h"
#include "findings.h"

/// Reads a cage. On failure an error with file and line was added. Tets that had to be turned round are
/// reported.
bool gelLoadCage( const char* path, gelFindings* findings, gelCage* outCage );

/// Writes a cage in the format that the extension names (.msh .msh4 .vtk .node .ele); TetGen's two files
/// appear together or not at all.
bool gelSaveCage( const gelCage* cage, const char* path, gelFindings* findings );
