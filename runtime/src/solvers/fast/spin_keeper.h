// SPDX-License-Identifier: MIT
// Backward Euler damps rotation: a free box of 1 m and 1 MPa that turns once per second has 85 / 75 / 63 % of
// its angular momentum left after one second of steps of 5 / 10 / 20 ms, however well the steps are solved.
// The keeper gives back what the step took: v += dw x ( x - xc ), dw = I^-1 ( L_target - L ), with L_target
// the angular momentum before the step and what forces on nodes add to it. The turn has no part that moves
// the center, and gravity has no torque about it.
#pragma once

#include "state/body.h"

/// Before the step, while its forces are still there: fills body->spinTarget.
void gelSpinKeeper_Begin( gelBody* body, float h );

/// After the velocities of the step are known, before they are damped. Nothing for bodies with pins, or that
/// touched the ground or were held in this step: what these do to the spin is theirs.
void gelSpinKeeper_End( gelBody* body, float h );
