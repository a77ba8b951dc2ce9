// SPDX-License-Identifier: MIT
// Face statements: from checked corners through tinyobjloader-c into flat arrays.
#pragma once

#include "mesh.h"

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

typedef struct gelObjFaces
{
	gelObjCorner* corners;
	size_t cornerCount, cornerCapacity;
	gelObjFace* faces; // faceCount, and then one that holds the end of the corners
	size_t faceCount, faceCapacity;
	// canonical text that the library has not read yet
	char* block;
	size_t blockBytes;
	uint32_t blockFaces, blockCorners;
} gelObjFaces;

/// Adds a face with three or more checked corners. False: out of memory, or the library misread the block.
bool gelObjFaces_Add(
	gelObjFaces* faces, const gelObjCorner* corners, uint32_t count, uint32_t material, uint32_t line );

/// Has the library read what is left. To be called once behind the last face.
bool gelObjFaces_Finish( gelObjFaces* faces );

void gelFreeObjFaces( gelObjFaces* faces );
