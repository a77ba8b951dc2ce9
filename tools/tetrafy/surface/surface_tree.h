// SPDX-License-Identifier: MIT
// A box tree over the triangles of a surface, built once per run and used by classification, splitting,
// fitting and verification; and the generalized winding number, with clusters of far triangles taken as
// dipoles.
#pragma once

#include "tetrafy/surface/surface.h"

#define GEL_CUT_ROOTS 16

// Triangles per leaf: testing four is about as dear as one more level.
#define GEL_LEAF_TRIANGLES 4u

// Nodes stand in preorder. A loop over the tree needs no stack:
//     for ( uint32_t i = 0; i < tree->nodeCount; )
//         if ( <box of node i is out of reach> ) i = tree->nodes[i].skip;
//         else { <visit triangles first .. first + count - 1 (none for an inner node)>; i += 1; }
typedef struct gelTreeNode
{
	gelBox3d box;
	uint32_t skip;         // the node after this one's subtree
	uint32_t first, count; // slots of a leaf
} gelTreeNode;

// What a subtree looks like from afar (Barill et al. 2018, "Fast winding numbers for soups and clouds", order
// 0).
typedef struct gelTreeDipole
{
	gelVec3d areaVector; // sum of area * normal [m^2]
	gelVec3d center;     // area-weighted [m]
	double radius;       // radius of a sphere around center that contains the subtree [m]
} gelTreeDipole;

typedef struct gelSurfaceTree
{
	const gelSurface* surface;
	gelTreeNode* nodes;
	gelTreeDipole* dipoles;
	uint32_t nodeCount;
	gelVec3d* corners;   // 3 per slot: triangle corners in tree order
	uint32_t* slotToTri; // triangle of the surface
	// Which corners (bits 0..2) and edges from a corner to the next (bits 3..5) a loop over the slots should
	// look at so that it sees each point of the surface once, and each edge once or, in open surfaces, at
	// least once.
	uint8_t* firstUses;
	uint32_t slotCount;
} gelSurfaceTree;

/// Shares the work as tasks with the OpenMP threads of the caller, if there are any.
gelSurfaceTree gelMakeSurfaceTree( const gelSurface* surface );
void gelFreeSurfaceTree( gelSurfaceTree* tree );

/// Does the (non-degenerate) triangle meet the surface? Exact; touching counts.
/// @param outTri NULL, or receives a triangle of the surface that it meets
bool gelSurfaceTree_MeetsTriangle( const gelSurfaceTree* tree, const gelVec3d face[3], uint32_t* outTri );

/// Subtrees that hold all triangles near a region: many searches there can leave out the top of the tree.
typedef struct gelTreeCut
{
	uint32_t count;
	uint32_t roots[GEL_CUT_ROOTS]; // nodes, ascending
} gelTreeCut;

gelTreeCut gelSurfaceTree_Cut( const gelSurfaceTree* tree, const gelBox3d* region );

/// Winding number at p: 1 inside a closed surface with outward normals, 0 outside, -1 inside a reversed one;
/// between them for open surfaces. Far clusters are approximated; the error for closed surfaces stays below
/// 0.1.
double gelSurfaceTree_Winding( const gelSurfaceTree* tree, gelVec3d p );

/// The same as the plain sum over all triangles.
double gelSurfaceTree_Winding_Ref( const gelSurfaceTree* tree, gelVec3d p );

/// Is p inside the solid? The sign of the winding number does not matter: a part that was modelled inside out
/// is solid too, while inside and outside still cancel in a cavity.
bool gelSurfaceTree_IsInside( const gelSurfaceTree* tree, gelVec3d p );

/// Finds the parts of a surface, sets of triangles that hang together at points, and notes their number in
/// it.
/// @return the part of every point, GEL_NO_INDEX without a triangle that has an area; to be freed
uint32_t* gelLabelParts( gelSurface* surface );

/// Turns closed parts that face inwards although nothing is around them, together with what is inside of
/// them, and notes what was found in the surface, which must be that of the tree.
/// @param labels from gelLabelParts
/// @return true: triangles were turned, and the tree has to be made anew
bool gelOrientParts( gelSurface* surface, const gelSurfaceTree* tree, const uint32_t* labels );

/// Pairs of triangles that go through each other; touching does not count.
typedef struct gelCrossings
{
	gelPlaceCount pairs;
	bool complete; // false: the search was ended, and there may be more
} gelCrossings;

/// The cost is bounded.
gelCrossings gelFindCrossings( const gelSurfaceTree* tree, int threads );

/// Distance from p to the nearest point of the surface [m].
double gelSurfaceTree_Distance( const gelSurfaceTree* tree, gelVec3d p );
