// SPDX-License-Identifier: MIT
// The one way in for art: OBJ (tinyobjloader-c), glTF/GLB (cgltf), FBX (ufbx), STL and PLY.
#pragma once

#include "common/mesh/mesh.h"
#include "common/program/findings.h"

/// Files that were read, for depfiles and provenance.
typedef struct gelImportFiles
{
	char** paths;
	int count;
	uint8_t sha256[32]; // hash of the contents in order of reading
} gelImportFiles;

/// What of a file is read, and how. Zero: all of it, as it stands.
typedef struct gelImportOptions
{
	int threads;           // at least 1, with the same result; 0 counts as 1
	const char* animation; // pose of this animation, by name or number; NULL: the rest pose
	double time;           // moment of the pose [s]
	const char* nodes;    // globs of the parts to read, with commas between them; NULL: mesh_select.c decides
	const char* excluded; // globs of the parts to leave out
	const char* project;  // folder in which buffers of glTF may be elsewhere than below the art; NULL: none
} gelImportOptions;

/// Whether a name ends like that of an art file.
bool gelIsArtName( const char* path );

/// Reads an art file. The kind follows from the content, not only from the extension. On failure one or
/// more errors were added to findings (exit code 2 or 3) and outMesh is empty.
/// @param outFiles NULL, or receives what was read
bool gelImportMesh( const char* path, gelFindings* findings, gelMesh* outMesh, gelImportFiles* outFiles );

/// The same with options.
bool gelImportMeshWith( const char* path, const gelImportOptions* options, gelFindings* findings,
	gelMesh* outMesh, gelImportFiles* outFiles );

/// The same for a file that is in memory already; path stands in messages, and files that it names are looked
/// for beside it. @param data bytes of the file, and then a zero byte
bool gelImportMeshFromMemory( const char* path, const uint8_t* data, size_t bytes, gelFindings* findings,
	gelMesh* outMesh, gelImportFiles* outFiles );

/// Turns art units into metres (--scale). Adds an error when the result does not fit into floats.
bool gelScaleImported( gelMesh* mesh, double metresPerUnit, const char* path, gelFindings* findings );

void gelFreeImportFiles( gelImportFiles* files );
