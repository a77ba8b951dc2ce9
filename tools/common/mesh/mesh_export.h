// SPDX-License-Identifier: MIT
// The one way out for meshes: OBJ and binary glTF (cgltf_write).
#pragma once

#include "common/mesh/mesh.h"
#include "common/program/findings.h"

/// Writes positions, normals, UVs, groups and materials as OBJ or GLB, by the extension of path, atomically.
/// Numbers are printed so that they read back to the same floats.
bool gelExportMesh( const gelMesh* mesh, const char* path, gelFindings* findings );

/// The same as GLB, whatever the extension (mesh_export_glb.c).
bool gelExportGlb( const gelMesh* mesh, const char* path, gelFindings* findings );
