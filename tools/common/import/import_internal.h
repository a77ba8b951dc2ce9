// SPDX-License-Identifier: MIT
// What the importers of the single formats share. Only mesh_import.c, import_*.c and gltf_*.c include this.
#pragma once

#include "common/import/mesh_import.h"
#include "common/program/memory.h"

#include <jansson.h>
#include <nettle/sha2.h>

/// Largest file that is read [bytes].
#define GEL_IMPORT_MAX_BYTES ( (size_t)4 << 30 )
/// Render vertices: three for each triangle at most.
#define GEL_MESH_MAX_VERTICES ( 3u * GEL_MESH_MAX_TRIANGLES )

typedef struct gelGltfDecoded gelGltfDecoded; // gltf_compressed.c

typedef struct gelImporter
{
	const char* path; // path of the art file
	gelImportOptions options;
	gelFindings* findings;
	gelMesh* mesh;
	gelImportFiles files;
	struct sha256_ctx hash;
	size_t bytesRead; // sum over all files
	gelGltfDecoded* decoded;
	size_t decodedBytes; // sum over them
	json_t* sceneNodes;  // arrays of the nodes of each scene, where cgltf was not told; else NULL
	bool hasSelected;    // parts were left out, with their vertices
} gelImporter;

/// Reads a whole file (one zero byte behind it), notes its name and hashes it. NULL: T0001 or T0003 was
/// added.
uint8_t* gelImporter_ReadFile( gelImporter* importer, const char* path, size_t* outBytes );

/// Whether there is a regular file of that name.
bool gelFileExists( const char* path );

/// Name of a file beside the art file: the art file's folder and the name. NULL: out of memory.
char* gelImporter_BesidePath( const gelImporter* importer, const char* name );

/// Adds T0003. @return false
bool gelImporter_OutOfMemory( gelImporter* importer );

/// Leaves out the parts that are not wanted. False: errors were added.
bool gelSelectParts( gelImporter* importer );

/// Puts tubes around the lines of a mesh without triangles, if they have a length. False: errors were added.
bool gelMakeTubes( gelImporter* importer );

// The formats. False: errors were added.
bool gelImportObj( gelImporter* importer, const uint8_t* text, size_t bytes );
bool gelImportGltf( gelImporter* importer, const uint8_t* data, size_t bytes );
bool gelImportFbx( gelImporter* importer, const uint8_t* data, size_t bytes );
bool gelImportStl( gelImporter* importer, const uint8_t* data, size_t bytes );
bool gelImportPly( gelImporter* importer, const uint8_t* data, size_t bytes );

// What the bytes are. There is a zero byte behind them.
bool gelIsFbx( const uint8_t* data, size_t bytes );
bool gelIsStl( const uint8_t* data, size_t bytes );
bool gelIsPly( const uint8_t* data, size_t bytes );
/// Whether it is something else that is known, or no text.
bool gelIsForeignFile( const uint8_t* data, size_t bytes );
/// Says what it is and what to do. Always false.
bool gelRefuseForeignFile( gelImporter* importer, const uint8_t* data, size_t bytes );
