// SPDX-License-Identifier: MIT
// The collision geometry itself, for drawing and tests.
#pragma once

#include "gelpack/query.h"

/// A patch: a connected piece of the surface inside of one cell (a tet of the cage, mostly). Its triangles
/// and vertices are contiguous; vertices on its border have copies in the patches beyond.
typedef struct gelPatchInfo
{
	int triangleFirst, triangleCount;
	int vertexFirst, vertexCount;
	int cell; ///< index of the cell
	int tet;  ///< index in the cage; -1: the cell is not one
} gelPatchInfo;

/// Patches of an asset; 0 without collision geometry.
int gelAsset_GetPatches( const gelAsset* asset, gelPatchInfo* out, int outCapacity );

/// For each collision triangle the art triangle that it was cut from.
int gelAsset_GetTriangleSources( const gelAsset* asset, uint32_t* out, int outCapacity );
