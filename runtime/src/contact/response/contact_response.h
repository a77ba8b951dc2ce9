// SPDX-License-Identifier: MIT
// How a body answers to contact impulses within one step. Moving only the nodes that are touched, by impulse
// over lumped mass, would squash them into a stiff body: its weight would press them in by
// h^2 g (body mass / their mass), 27 mm for a tenth of the mass at 1/60 s. The answer of the implicit solve
// is A^-1 s: neighbors come along as far as the material is stiff.
//
// With rotations frozen, A resists turning as if it were strain. So the turn is taken out of the impulses and
// given back as a rigid one, with the body's true inertia I about the center of mass; with K = [r]x per node
//     y = P^T A^-1 P s + K I^-1 K^T s,     P = 1 - M K I^-1 K^T
// which is symmetric, keeps linear and angular momentum, and is M^-1 s for a body without stiffness.
#pragma once

#include "constraints/constraint_set.h"

/// Replaces impulses [kg m] on the free nodes, in the factor's order, by displacements [m].
/// @param x those that the response was made with
void gelContactResponse_Apply(
	const gelContactResponse* response, gelBody* body, const gelVec3* x, gelVec3* s );
