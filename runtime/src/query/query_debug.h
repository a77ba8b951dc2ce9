// SPDX-License-Identifier: MIT
// The collision geometry itself, for drawing and tests.
#pragma once

#include "gelpack/query.h"
#include "state/body.h"

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

/// A node of the tree over a patch's triangles.
typedef struct gelTreeNode
{
	int patch;
	int triangleFirst, triangleCount; ///< all triangles below it; the first is its own
} gelTreeNode;

/// Corners of the collision triangles: 3 per triangle, indices as of gelBody_GetPatchVertices.
int gelAsset_GetPatchTriangles( const gelAsset* asset, uint32_t* out, int outCapacity );

/// Tree nodes of one level over all patches; level 0 holds the whole patches.
int gelAsset_GetTreeNodes( const gelAsset* asset, int level, gelTreeNode* out, int outCapacity );

/// Deformed collision vertices [m, world space].
int gelBody_GetPatchVertices( gelBodyId bodyId, gelVec3* out, int outCapacity );

/// Boxes of the coarse tree over the cells [m, world space]: those of one level, and leaves above it; level 0
/// is the whole body, -1 the leaves.
int gelBody_GetCoarseBoxes( gelBodyId bodyId, int level, gelAabb* out, int outCapacity );

/// Receives a box of the coarse tree [m, world space].
typedef void gelBoxVisitor( const gelBody* body, gelAabb box, void* context );

/// Goes over the boxes of a level as gelBody_GetCoarseBoxes does. @return how many there are
int gelVisitCoarseBoxes( const gelBody* body, int level, gelBoxVisitor* visit, void* context );
