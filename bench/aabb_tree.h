// SPDX-License-Identifier: MIT
// What raycasts and contacts are measured against: a bounding volume hierarchy of boxes over the triangles of
// the art, built once at rest by binned surface area heuristic, refitted to the deformed positions every
// step.
#pragma once

#include <gelpack/types.h>

typedef struct gelAabbNode
{
	float min[3];
	uint32_t first; // leaf: first of `order`; else the left child, the right one follows it
	float max[3];
	uint32_t count; // triangles of a leaf; 0: not a leaf
} gelAabbNode;

typedef struct gelAabbTree
{
	gelAabbNode* nodes; // children behind their parents
	uint32_t nodeCount;
	uint32_t* corners; // 3 vertices per triangle, in the order of the leaves
	uint32_t triangleCount;
} gelAabbTree;

bool gelBuildAabbTree(
	gelAabbTree* tree, const gelVec3* positions, const uint32_t* triangles, uint32_t triangleCount );
void gelFreeAabbTree( gelAabbTree* tree );

/// Moves the boxes to new positions.
void gelAabbTree_Refit( gelAabbTree* tree, const gelVec3* positions );

/// Nearest hit of origin + f * translation, 0 <= f <= maxFraction; maxFraction when there is none.
float gelAabbTree_CastRay( const gelAabbTree* tree, const gelVec3* positions, gelVec3 origin,
	gelVec3 translation, float maxFraction );

/// The same from all triangles in turn.
float gelCastRayAtAll( const gelVec3* positions, const uint32_t* triangles, uint32_t triangleCount,
	gelVec3 origin, gelVec3 translation, float maxFraction );

/// How many triangles of two trees cross, both refitted.
uint32_t gelAabbTree_CountPairs(
	const gelAabbTree* a, const gelVec3* positionsA, const gelAabbTree* b, const gelVec3* positionsB );
