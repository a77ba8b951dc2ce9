// SPDX-License-Identifier: MIT
// The step of a body in two halves, for the contact step: a solver finds candidate positions in body->x,
// relative to body->xOld, for bodies that touch others (gelBody_IsTouched) without looking at the ground;
// contacts change them; the solver ends the step.
//
// What a solver has to offer to take part: candidate positions, an answer to impulses (contact_response.h),
// and the end below. After the candidate it must not need xTilde, uTilde, p, b and y of the body any more.
#pragma once

#include "state/body.h"

/// From positions after contacts to the state after the step: velocities, plastic flow, constraints, origin,
/// how long the body has been still.
void gelBody_EndStep( gelBody* body, const gelStepContext* ctx );

/// Puts bodies that touch to sleep when all of them may and have been still for long enough.
void gelSleepTogether( gelBody* const* bodies, int count );
