// SPDX-License-Identifier: MIT
// Contact of a body with the static ground plane. The plane acts on the embedded art vertices, not on the
// cage nodes: the cage is coarse and lies outside of the art, a body resting on its cage would float.
//
// Position level, in the metric of the lumped masses: vertex p = sum w_i x_i moves by an impulse lambda
// [kg m] along n as  x_i += w_i lambda n / m_i,  its inverse effective mass is  sum w_i^2 / m_i.
// Impulses are kept from step to step (per vertex) and go into the prediction of the next one, so that at
// rest the elastic solve sees the support of the ground; without that the weight of a stiff body would
// press the few nodes in contact by h^2 g (body mass / their mass) into the body.
#pragma once

#include "body.h"

/// Adds the support of the last step to the prediction, at most the weight of the body: it can hold a body
/// but not throw it.
void gelWarmStartGround_Ref( gelBody* body, const gelStepContext* ctx, gelVec3* xTilde );

/// Lifts all art vertices out of the ground (projected Gauss-Seidel in fixed order), then applies Coulomb
/// friction to their tangential displacement since body->xOld.
void gelSolveGround_Ref( gelBody* body, const gelStepContext* ctx, gelVec3* x );

void gelClearGroundImpulses( gelBody* body );
