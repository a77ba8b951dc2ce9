// SPDX-License-Identifier: MIT
// Rigid motion around the Newton iterations of the implicit solver.
//
// A Newton iteration at x^n sees a turn as its tangent: a body that turns by the angle t in a step swells by
// t^2/2, which it pays for with its speed, the stiffer the more. A free box of 1e9 Pa with 1 rad/s and steps
// of 0.1 s kept 0.02 % of its spin over 100 steps, after a first step that stored 8 times its energy; one
// that hangs on a pin fell as slowly as in honey. So bodies that turn start from where they would be if they
// were rigid. Backward Euler is the minimum of  sum m |x - x~|^2 / 2 + h^2 W(x)  with x~ = x^n + h v^n + h^2
// f / m (Martin, Thomaszewski, Grinspun and Gross 2011, "Example-based elastic materials", section 4); of a
// rigid body, that over all poses x = c + t + R ( x^n - c ). Pins and constraints take part in it as they do
// in the step: around one held point the body turns, around two about their line, with targets that move it
// goes along, and springs and frames pull. Gauss-Newton on the six numbers of a pose in double; sums over
// nodes are taken once.
#pragma once

#include "state/body.h"

/// Fills implicit->moved and turns element rotations along; nothing for a body that hardly turns. To be
/// called with v^n, body->xOld = body->x = x^n, and the constraints of the step prepared and factored.
/// @return whether the body starts elsewhere than at x^n
bool gelStartRigid( gelBody* body, const gelStepContext* ctx );

/// Takes what rounding has done to the linear momentum of a free body out of implicit->moved: gravity, forces
/// on nodes and damping say exactly what the mean displacement is.
void gelKeepMomentum( gelBody* body, const gelStepContext* ctx );
