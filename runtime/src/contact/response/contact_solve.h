// SPDX-License-Identifier: MIT
// Impulses of the contacts of an island, on candidate positions that the solvers of its bodies have found.
//
// With D the displacement of point A against point B over the step, n from B to A:
//     n . D >= floor,   lambda >= 0, one of both an equality      contacts must not get deeper
//     |friction| <= mu lambda                                     against the tangential part of D
// (Civit-Flores, thesis, section 3.4.2, with impulses that add up over iterations, contact_force.h.)
//
// The candidates were found with the impulses of the last step already acting on the bodies
// (contact_loads.h). A body at rest satisfies the laws then, and nothing is done: contact at the price of
// looking at it, and the body lies as its own solver has it, because no answer of this file is in its
// equilibrium. Otherwise the impulses change until the laws hold: sweeps over the contacts (projected
// Gauss-Seidel) in the space of their points (point_answers.h). Where all bodies answer exactly, one true
// answer of each follows, and that is all. Where some have stand-ins, the sum of the sweeps is a direction:
// the bodies give their true answers, an exact line search says how far to go, and what the answers differ
// from rigid motion teaches softness, one number per body and step.
#pragma once

#include "contact/contact_records.h"
#include "contact/response/island_parts.h"
#include "contact/response/point_answers.h"

struct gelWorld;

/// What is not worth a change, in sizes of the smaller body: the laws hold up to this, per step. At 1/60 s
/// and 1 m that is 12 um/s; the rounding of positions is half of it.
#define GEL_CONTACT_RESIDUAL 2.0e-7f

/// Sweeps that change less than this part of what the first one did leave the rest to the next step, which
/// begins with what has been found so far.
#define GEL_CONTACT_PART 1.0e-3f

/// What the loops over an island share.
struct gelIslandWork
{
	gelBody** bodies;
	int bodyCount;
	gelContactItem* items;
	int itemCount;
	int pairItemCount; // those that were found by crossings of surfaces; they come first
	float h;           // [s]
	double leastGain;  // energy that is worth a solve [kg m^2]
	const gelContactDesk* desk;
	const gelIslandParts* parts; // NULL: it is small, one thread solves it
	const gelStepContext* ctx;
};

/// Finds the impulses of the items of an island. @return whether anything moved: the laws did not hold before
bool gelSolveImpulses( gelIslandWork* work );

/// Remembers the impulses, ends the steps of the bodies and pushes them out of each other.
void gelEndIsland( gelIslandWork* work );

/// How a body answers to impulses within a step of h seconds: fills what gelBodyContact has for the solver,
/// but for softness, bulge and nodal.
void gelPrepareBodyContact( gelBody* body, float h );

/// Replaces the impulses [kg m] in touch->nodal by the displacements [m] that they cause.
void gelAnswerBodyContact( gelBody* body );

// ---- items: contact_items.c ------------------------------------------------------------------------------

/// A point of a cell as the solver wants it; weights far outside of the cell are not believed.
gelContactPoint gelMakeCellPoint( gelBody* body, uint32_t cell, const float weights[4] );

/// Contacts that were kept of a pair.
void gelFillPairItems( const gelBodyPair* pair, const gelKeptContact* kept, float h, gelContactItem* items );

/// Points of a body on the ground and on shapes, from `first` on. @param items as many as the body has points
/// from there
void gelFillPointItems( const struct gelWorld* world, gelBody* body, const gelStepContext* ctx, int first,
	gelContactItem* items );

// ---- impulses --------------------------------------------------------------------------------------------

/// How gelBodyContact.shift and turn move a point.
static inline gelVec3 gelContactPoint_GetRigid( const gelContactPoint* point )
{
	return gelBodyContact_GetRigidMove( point->body->contact, point->arm );
}

/// Takes positions as they are for those that answers are made for, and finds the answers.
void gelPrepareIsland( const gelIslandWork* work );
/// Moves the bodies until the laws hold for item->move and item->floor, or the iterations are spent.
void gelIterateIsland( gelIslandWork* work, int iterationCount );

// ---- pushing out: contact_push.c -------------------------------------------------------------------------

/// After the impulses, before the steps end: what contacts are to do when nothing but places changes.
/// @return whether there is anything
bool gelAimPush( const gelIslandWork* work );
/// After the steps have ended, so that no velocity comes of it.
void gelPushIsland( gelIslandWork* work );
/// Lets bodies fall asleep together, unless they are being pushed out of something.
void gelRestIsland( const gelIslandWork* work );
