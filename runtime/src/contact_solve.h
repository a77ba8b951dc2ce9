// SPDX-License-Identifier: MIT
// Impulses of the contacts of an island, on candidate positions that the solvers of its bodies have found.
//
// With D the displacement of point A against point B over the step, n from B to A:
//     n . D >= floor,   lambda >= 0, one of both an equality      contacts must not get deeper
//     |friction| <= mu lambda                                     against the tangential part of D
// (Civit-Flores, thesis, section 3.4.2, with impulses that add up over iterations, contact_force.h.) Bodies
// answer to impulses s by B s, each in its own way (contact_response.h): one linear solve per body. W = J B
// J^T, from impulses of contacts to displacements of contacts, is never built. Its stand-in is
//     W~ = J ( rigid motion of the body + softness * compliance of each node alone ) J^T
// which is cheap to apply. An iteration sweeps over the contacts with W~ (projected Gauss-Seidel), takes the
// sum of the changes as a direction, asks the bodies for their true answers, and goes along them as far as
// an exact line search says, no farther than the laws allow. What the answers differ from the rigid motion
// teaches softness, one number per body. Where the sweeps change nothing, the laws hold for the true W.
//
// Rigid motion is what makes stacks converge: a push from the ground reaches the top within one sweep, not
// one body per solve. Lumped masses alone do not know it.
#pragma once

#include "contact_step.h"

/// How a body answers to impulses within a step of h seconds: fills what gelTouch has for the solver, but for
/// softness, bulge and nodal.
void gelPrepareTouch( gelBody* body, float h );

/// Replaces the impulses [kg m] in touch->nodal by the displacements [m] that they cause.
void gelAnswerTouch( gelBody* body );

/// Contacts that were kept of a pair.
void gelFillPairItems( const gelBodyPair* pair, const gelKeptContact* kept, float h, gelContactItem* items );

/// Coulomb's coefficient in this step: dynamic when the points slide on each other at its start.
/// @param frictionB static and dynamic
float gelGetContactFriction( const gelContactItem* item, const float frictionB[2], float h );

/// Contacts with the ground that the body has collected. @return how many, at most capacity
int gelFillGroundItems( gelBody* body, const gelStepContext* ctx, gelContactItem* items, int capacity );
