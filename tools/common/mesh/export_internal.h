// SPDX-License-Identifier: MIT
// The formats of mesh_export.c.
#pragma once

#include "common/program/findings.h"
#include "common/mesh/mesh.h"

bool gelExportObj( const gelMesh* mesh, const char* path, gelFindings* findings );
bool gelExportGlb( const gelMesh* mesh, const char* path, gelFindings* findings );
