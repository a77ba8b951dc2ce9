// SPDX-License-Identifier: MIT
// A cage that was made elsewhere or edited by hand, as the mesher sees it.
#pragma once

#include "tetrafy/mesher/tet_mesh.h"

/// Tet classes from the surface, a cell size from the mean volume, and whether the coordinates are floats.
/// The tets must have positive volumes.
void gelAdoptCage( gelTetMesh* mesh, const gelSurfaceTree* tree, int threads );
