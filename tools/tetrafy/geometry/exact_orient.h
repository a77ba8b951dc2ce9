// SPDX-License-Identifier: MIT
// Exact geometric predicates on doubles. No epsilon decides topology anywhere in the cage mesher; these do.
#pragma once

#include "tetrafy/geometry/tet_math.h"

/// Sign (-1, 0, 1) of det[ b-a, c-a, d-a ], exactly. Positive: the tet (a, b, c, d) has positive volume, that
/// is, d is on the side of the plane to which the counter-clockwise normal of (a, b, c) points. Right for all
/// inputs whose triple products neither overflow nor underflow; floats widened to doubles never do.
int gelOrient3d( gelDvec a, gelDvec b, gelDvec c, gelDvec d );

/// The same, always by exact arithmetic: the twin that tests compare with.
int gelOrient3d_Exact( gelDvec a, gelDvec b, gelDvec c, gelDvec d );

/// Sign of the area of (a, b, c) seen along an axis (0: x, 1: y, 2: z), exactly.
int gelOrient2d( gelDvec a, gelDvec b, gelDvec c, int axis );

/// True when the three points lie on one line (or coincide), exactly.
int gelCollinear( gelDvec a, gelDvec b, gelDvec c );
