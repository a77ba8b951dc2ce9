// SPDX-License-Identifier: MIT
// A box as a GLB file, with custom properties and vertex attributes that a test makes up; and bakes of it in
// this process.
#pragma once

#include "common/mesh/glb_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GEL_GLB_MAX_ATTRIBUTES 4

typedef struct gelGlbAttribute
{
	const char* name; // NULL: none
	int componentType;
	const char* type; // "SCALAR", "VEC4"
	bool normalized;
	const void* data;
	size_t bytes;
	uint32_t count; // 0: that of the vertices
} gelGlbAttribute;

/// Sides are divided into equal squares. Zero is a box without anything.
typedef struct gelGlbBox
{
	float size[3]; // [m], from the origin on
	int divisions;
	int nodeCount;              // the same mesh that often, each beside the one before; 0: one
	const char* nodeExtras;     // JSON, or NULL; of the first node
	const char* lastNodeExtras; // extras of the last of several nodes
	const char* moreNodes;      // JSON of further nodes, roots of the scene, separated by commas, or NULL
	int moreNodeCount;
	const char* meshExtras;
	const char* sceneExtras;
	gelGlbAttribute attributes[GEL_GLB_MAX_ATTRIBUTES];
} gelGlbBox;

/// Vertices of the box; 3 floats each. @return heap memory
float* gelGlbBox_MakePositions( const gelGlbBox* box, uint32_t* outCount );

/// Writes the file into gelImportFolder().
void gelWriteGlbBox( const char* name, const gelGlbBox* box );

/// What a run of gel-bake gave.
typedef struct gelBakeRunResult
{
	int exitCode;
	char* messages; // what went to standard error; heap memory
	uint8_t* bytes; // the pack, aligned for the reader, or NULL; heap memory
	size_t byteCount;
} gelBakeRunResult;

/// gel-bake with a file of gelImportFolder() and options, separated by blanks.
gelBakeRunResult gelRunBake( const char* input, const char* options );
void gelFreeBakeRun( gelBakeRunResult* result );

/// Whether two packs hold the same sections and bytes, but for META, which names the input.
bool gelIsSamePack( const gelBakeRunResult* a, const gelBakeRunResult* b );
