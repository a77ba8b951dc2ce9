// SPDX-License-Identifier: MIT
// Art vertices embedded in the tets of a body whose solver moves nodes: entries of its table (solver.h).
#pragma once

#include "solvers/solver.h"

void gelPrepareNodeSkin( gelBody* body, bool wantsNormals );
void gelSkinNodeTiles( const gelBody* body, const gelSkinOutput* out, int tileFirst, int tileEnd );
