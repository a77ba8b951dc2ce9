// SPDX-License-Identifier: MIT
// Contact of a body with the static ground plane. The plane acts on the surface inside of the cage, not on
// the cage nodes: the cage is coarse and lies outside of the art, a body resting on its cage would float. The
// surface is that of the collision geometry, which has vertices in every cell that it passes. A pack without
// it is held by its art vertices alone: a large triangle may then sink in between its corners.
//
// Up to four of the vertices below the plane stand for each cell. In turns, a sweep over them in the metric
// of the lumped masses gives the direction of the normal impulses (or of friction), and the answer of the
// whole body to that direction (contact_response.h), scaled by an exact line search, is what moves it. In the
// end all vertices still below the plane are lifted one by one, so that none is left there.
//
// What starts a step notably below the plane has been put there. It must not sink further, and the body as a
// whole is raised, a part of the depth per step, which gives it no speed. Bodies that something holds are
// dented instead, at a speed.
#pragma once

#include "state/body.h"
#include "contact/contact_force.h"

/// A vertex that stands for its cell. In the metric of the lumped masses, an impulse s [kg m] at
/// p = sum w_i x_i moves the nodes by w_i s / m_i and p by s times invMass = sum w_i^2 / m_i.
typedef struct gelGroundContact
{
	const uint32_t* node;
	float w[4];
	float invMass;       // [1/kg]
	float allowedHeight; // <= 0: where a vertex may be that started the step below the plane [m]
	bool isSunk;         // was put there
	gelContactForce force;
	uint32_t next; // while collecting: contact with the same first node
} gelGroundContact;

/// Capacity of gelBody.groundContacts. Cells beyond it are only reached by the final lift, which lets a body
/// tremble by millimetres, so it must not be scarce: thin bodies that lie flat have 1.6 to 2.3 contacts per
/// node.
static inline size_t gelGetGroundCapacity( const gelAsset* asset )
{
	return 4 * (size_t)asset->nodeCount + 64;
}

/// Lifts all vertices out of the ground and applies Coulomb friction to their tangential displacement
/// since body->xOld. Uses body->xTilde, p, b and y as scratch; counts in body->groundContactCount.
void gelSolveGround_Ref( gelBody* body, const gelStepContext* ctx, gelVec3* x );

// ---- for bodies that touch others: the contact step solves (contact_solve.h) ----------------------------

/// Lists the vertices that stand for their cells in body->groundContacts.
void gelGround_Collect( gelBody* body, const gelStepContext* ctx, const gelVec3* x );

/// How far a contact is below the plane [m]. @param x positions of the nodes
float gelGround_GetDepth(
	gelBody* body, const gelStepContext* ctx, const gelGroundContact* contact, const gelVec3* x );

/// Lifts what is still below the plane.
void gelGround_Lift( gelBody* body, const gelStepContext* ctx, gelVec3* x );
