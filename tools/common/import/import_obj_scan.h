// SPDX-License-Identifier: MIT
// OBJ text to checked arrays (import_obj_scan.c) and its material files (import_mtl.c). Only import_obj.c
// uses this.
#pragma once

#include "common/import/import_internal.h"
#include "common/import/import_obj_faces.h"
#include "common/import/name_table.h"

/// A `g` or `o` statement with at least one face behind it.
typedef struct gelObjGroup
{
	uint32_t name; // in groupNames
	uint32_t firstFace;
} gelObjGroup;

/// Everything an OBJ file says that we use. All numbers are finite, all indices in range.
typedef struct gelObjScan
{
	float* positions; // 3 each
	size_t positionCapacity;
	float* colors; // 4 each, white where the file gives none; NULL without any
	size_t colorCapacity;
	float* uvs; // 2 each
	size_t uvCapacity;
	float* normals; // 3 each
	size_t normalCapacity;
	uint32_t positionCount, uvCount, normalCount;
	gelObjFaces faces;
	uint32_t* lines; // 2 positions per segment of an `l` statement
	size_t lineCount, lineCapacity;
	gelNameTable materialNames;
	gelNameTable groupNames;
	gelObjGroup* groups;
	size_t groupCount, groupCapacity;
	gelNameTable libraries; // operands of mtllib, whole lines
} gelObjScan;

/// Scans the text (a zero byte stands behind it). False: errors with line numbers were added.
bool gelScanObj( gelImporter* importer, const char* text, size_t bytes, gelObjScan* out );

void gelFreeObjScan( gelObjScan* scan );

/// Makes the mesh's materials, one for each usemtl name in order of first use, with the colors that the
/// material files give. What is missing there is only a warning: colors do not change the shape. False: out
/// of memory.
bool gelReadObjMaterials( gelImporter* importer, const gelObjScan* scan );
