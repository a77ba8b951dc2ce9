// SPDX-License-Identifier: MIT
// Exact intersection tests between triangles and tets. Closed sets: touching counts as meeting, which is the
// only error-free side for a cage that has to bound a surface strictly.
#pragma once

#include "tetrafy/geometry/exact_orient.h"

#include <stdbool.h>

/// Does triangle s, which may be degenerate (a segment or a point), meet triangle f, which may not?
bool gelTriangleMeetsTriangle( const gelVec3d s[3], const gelVec3d f[3] );

/// Does triangle s, which may be degenerate, meet the closed tet? The tet has positive volume.
bool gelTriangleMeetsTet( const gelVec3d s[3], const gelVec3d tet[4] );

/// Is p in the closed tet of positive volume? Returns 1 inside, 0 on its surface, -1 outside.
int gelPointInTet( gelVec3d p, const gelVec3d tet[4] );

/// Vertex triples of the faces of a tet (0, 1, 2, 3) of positive volume, seen counter-clockwise from outside;
/// face k is opposite vertex k.
extern const uint8_t gelTetFaces[4][3];
