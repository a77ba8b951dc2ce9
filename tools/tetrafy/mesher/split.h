// SPDX-License-Identifier: MIT
// Feature splitting: opens the cage where two parts of the art are close but not connected.
#pragma once

#include "tetrafy/mesher/tet_mesh.h"

typedef struct gelSplitCounts
{
	uint32_t splitFaces; // shared faces that are no longer glued
	uint32_t addedNodes;
} gelSplitCounts;

/// Cuts every face between two kept tets that neither meets the surface nor lies inside the solid, and gives
/// each side its own nodes where they are not joined by another way. The number of tets does not change.
gelSplitCounts gelSplitFeatures( gelTetMesh* mesh, const gelSurfaceTree* tree, int threads );
