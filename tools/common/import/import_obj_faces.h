// SPDX-License-Identifier: MIT
// Face statements: from checked corners through tinyobjloader-c into flat arrays.
#pragma once

#include "common/mesh/mesh.h"

/// A corner of a face, zero-based; GEL_NO_INDEX where the statement has no texture coordinate or normal.
typedef struct gelObjCorner
{
	uint32_t position, uv, normal;
} gelObjCorner;

typedef struct gelObjFace
{
	uint32_t firstCorner;
	uint32_t material; // number of a usemtl name, or GEL_NO_INDEX
	uint32_t line;     // in the file, from 1
} gelObjFace;

/// Some faces that follow each other: canonical text until the library has read it, then corners.
typedef struct gelObjBlock
{
	char* text; // NULL: it was read, or the corners are too many for the library
	size_t textBytes;
	uint32_t faceCount, cornerCount;
	gelObjCorner* corners;
	bool isClosed; // nothing is added any more
	bool failed;   // no memory, or the library misread the text
} gelObjBlock;

typedef struct gelObjFaces
{
	gelObjCorner* corners; // once finished
	size_t cornerCount;
	gelObjFace* faces; // faceCount, and then one that holds the end of the corners
	size_t faceCount, faceCapacity;
	gelObjBlock** blocks; // the last one is being written
	size_t blockCount, blockCapacity;
} gelObjFaces;

/// Adds a face with three or more checked corners. Inside of a parallel region, blocks that are full become
/// tasks. False: out of memory.
bool gelObjFaces_Add(
	gelObjFaces* faces, const gelObjCorner* corners, uint32_t count, uint32_t material, uint32_t line );

/// Has the library read what is left and puts the corners together. To be called once behind the last face.
/// False: out of memory, or the library misread a block.
bool gelObjFaces_Finish( gelObjFaces* faces );

void gelFreeObjFaces( gelObjFaces* faces );
