// SPDX-License-Identifier: MIT
// Places where the outside of a cage is not a manifold: harmless for simulation and embedding, but some tools
// object.
#pragma once

#include "tetrafy/mesher/tet_mesh.h"

typedef struct gelManifoldDefects
{
	uint32_t edgeCount; // boundary edges of more than two boundary faces
	uint32_t
		vertexCount;   // nodes whose boundary faces form more than one fan; includes the ends of such edges
	uint32_t* corners; // for every node with a defect one corner (4 * tet + k) that has it, ascending by node
} gelManifoldDefects;

gelManifoldDefects gelFindManifoldDefects( const gelTetMesh* mesh );
void gelFreeManifoldDefects( gelManifoldDefects* defects );

/// Takes External tets back in around every defect of the (split) cage until there is none left. They become
/// Internal, so that all their faces are glued. @return tets taken back in
uint32_t gelFillManifoldDefects( const gelLattice* lattice, const gelSurfaceTree* tree, bool split,
	int threads, gelClassification* classes );
