// SPDX-License-Identifier: MIT
// What a step of the implicit solver minimizes, for the one differential that may lead away from the minimum.
//
// Backward Euler is the minimum of  sum m |x - x~|^2 / 2 + h^2 W(x)  with x~ = x^n + h v^n + h^2 f / m,
// springs included in W. The exact differential has negative eigenvalues where elements are squashed, and
// minimal residuals find what is stationary, not what is least: a body that hits the ground is squashed
// further, and explodes. An iteration that does not lower the energy is repeated with C.
#pragma once

#include "state/body.h"

/// At x_k with implicit->moved and the strains of the elements there [kg m^2].
/// @param isRelative for an observer who moves with the body: what it is at the start of a free one's step
double gelGetStepEnergy( const gelBody* body, const gelStepContext* ctx, bool isRelative );

/// gelImplicit.iterate of gel_differentialExact.
void gelIterateExact( gelBody* body, const gelStepContext* ctx, bool isFirst );
