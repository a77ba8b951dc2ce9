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

#include "contact/contact_records.h"

/// Solves the items of an island, ends the steps of its bodies and pushes them out of each other.
void gelSolveIsland( gelContactStep* step, const gelIsland* island, const gelStepContext* ctx );

/// How a body answers to impulses within a step of h seconds: fills what gelBodyContact has for the solver,
/// but for softness, bulge and nodal.
void gelPrepareBodyContact( gelBody* body, float h );

/// Replaces the impulses [kg m] in touch->nodal by the displacements [m] that they cause.
void gelAnswerBodyContact( gelBody* body );

/// Contacts that were kept of a pair.
void gelFillPairItems( const gelBodyPair* pair, const gelKeptContact* kept, float h, gelContactItem* items );

/// Contacts with the ground that the body has collected.
void gelFillGroundItems( gelBody* body, const gelStepContext* ctx, gelItemList* list );

/// What the loops over an island share.
typedef struct gelIslandWork
{
	gelBody** bodies;
	int bodyCount;
	gelContactItem* items;
	int itemCount;
	int pairItemCount; // those that were found by crossings of surfaces; they come first
	float h;           // [s]
	double leastGain;  // energy that is worth a solve [kg m^2]
} gelIslandWork;

/// How gelBodyContact.shift and turn move a point.
static inline gelVec3 gelContactPoint_GetRigid( const gelContactPoint* point )
{
	return gelBodyContact_GetRigidMove( point->body->contact, point->arm );
}

/// Takes positions as they are for those that answers are made for.
void gelPrepareIsland( const gelIslandWork* work );
/// Moves the bodies until the laws hold for item->move and item->floor, or the iterations are spent.
void gelIterateIsland( gelIslandWork* work, int iterationCount );

// ---- pushing out: contact_push.c -------------------------------------------------------------------------

/// After the impulses, before the steps end: what contacts are to do when nothing but places changes.
void gelAimPush( const gelIslandWork* work );
/// After the steps have ended, so that no velocity comes of it.
void gelPushIsland( gelIslandWork* work );
/// Lets bodies fall asleep together, unless they are being pushed out of something.
void gelRestIsland( const gelIslandWork* work );
