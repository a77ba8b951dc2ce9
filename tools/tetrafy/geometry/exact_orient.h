// SPDX-License-Identifier: MIT
// Exact geometric predicates on doubles. No epsilon decides topology anywhere in the cage mesher; these do.
#pragma once

#include <gelpack/math_double.h>

/// Sign (-1, 0, 1) of det[ b-a, c-a, d-a ], exactly. Positive: the tet (a, b, c, d) has positive volume, that
/// is, d is on the side of the plane to which the counter-clockwise normal of (a, b, c) points. Right for all
/// inputs whose triple products neither overflow nor underflow; floats widened to doubles never do.
int gelOrient3d( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d d );

/// The same, always by exact arithmetic: the twin that tests compare with.
int gelOrient3d_Exact( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d d );

/// Sign of the area of (a, b, c) seen along an axis (0: x, 1: y, 2: z), exactly.
int gelOrient2d( gelVec3d a, gelVec3d b, gelVec3d c, int axis );

/// True when the three points lie on one line (or coincide), exactly.
int gelCollinear( gelVec3d a, gelVec3d b, gelVec3d c );
