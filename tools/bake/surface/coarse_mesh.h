// SPDX-License-Identifier: MIT
// A cage that loses nodes, for coarse_cells.c: what merging one node into a neighbor would do, and whether
// the tets that are left are still a cage.
#pragma once

#include "bake/surface/cdg.h"

#define GEL_COARSE_STAR 192 // tets around a node; merges that would leave more are not made

typedef struct gelCoarseList
{
	uint32_t count, capacity;
	uint32_t* items;
} gelCoarseList;

void gelCoarseList_Add( gelCoarseList* list, uint32_t item, gelBakePool* pool );

typedef struct gelCoarseFace
{
	uint32_t node[3]; // counter-clockwise from outside
} gelCoarseFace;

typedef struct gelCoarseMesh
{
	const gelVec3d* nodes;
	uint32_t nodeCount, tetCount, faceCount, faceCapacity;
	gelPackTet* tets;
	bool* alive;           // per tet
	gelCoarseList* around; // per node: its tets, all alive
	gelCoarseFace* faces;  // the outside
	gelBox3d* faceBoxes;
	double longestEdge; // longest edge that a move may make [m]
	gelBakePool* pool;
} gelCoarseMesh;

gelCoarseMesh gelMakeCoarseMesh( const gelCdgCage* cage, gelBakePool* pool );

/// Moves `node` to the place of `to`: tets with both vanish.
typedef struct gelCoarseMove
{
	uint32_t node, to;
	uint32_t keptCount, bareCount;
	uint32_t keptTet[GEL_COARSE_STAR];      // tets around `node` that do not vanish
	gelPackTet kept[GEL_COARSE_STAR];       // tets with `to` for `node`
	gelCoarseFace bare[GEL_COARSE_STAR];    // faces that get to the outside by the move, or change on it
	uint32_t freshCount;                    // inner faces (to, a, b) that the move makes
	uint32_t fresh[3 * GEL_COARSE_STAR][2]; // a < b
} gelCoarseMove;

/// @param leastQuality tets may get no worse than this (1: regular), or than the worst around the node is
/// @return false: a tet would be bad or inside out, or a face would have three tets
bool gelPlanCoarseMove(
	const gelCoarseMesh* mesh, uint32_t node, uint32_t to, double leastQuality, gelCoarseMove* out );

/// Does the outside stay free of crossings and contacts? With positive tets that means: no two tets overlap,
/// because each point is in as many tets as the outside winds around it. Exact.
bool gelCoarseMove_KeepsOutside( const gelCoarseMesh* mesh, const gelCoarseMove* move );

void gelMakeCoarseMove( gelCoarseMesh* mesh, const gelCoarseMove* move );

/// Distinct nodes of the tets around a node, ascending, without itself. @return their number, at most
/// capacity
uint32_t gelCoarseMesh_Neighbors(
	const gelCoarseMesh* mesh, uint32_t node, uint32_t* out, uint32_t capacity );
