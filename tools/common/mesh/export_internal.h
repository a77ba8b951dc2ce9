// SPDX-License-Identifier: MIT
// The formats of mesh_export.c.
#pragma once

#include "common/mesh/mesh.h"
#include "common/program/findings.h"

bool gelExportObj( const gelMesh* mesh, const char* path, gelFindings* findings );
bool gelExportGlb( const gelMesh* mesh, const char* path, gelFindings* findings );
