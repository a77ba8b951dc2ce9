// SPDX-License-Identifier: MIT
// Art vertices embedded in the tets of a body whose solver moves nodes: entries of its table (solver.h).
#pragma once

#include "solvers/solver.h"

void gelPrepareNodeSkin( gelBody* body, bool wantsNormals );
void gelSkinNodeTiles( const gelBody* body, const gelSkinOutput* out, int tileFirst, int tileEnd );

/// The rest normal of a vertex, not of unit length. Octahedral map: the sphere is projected on the
/// octahedron |x| + |y| + |z| = 1, whose lower half is folded outwards over the upper one.
gelVec3 gelDecodeNormal( gelPackNormal packed );
