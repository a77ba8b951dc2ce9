// SPDX-License-Identifier: MIT
// Contact of the bodies of a world. One step:
//
//   pairs     bodies whose boxes overlap and whose filters agree            contact_broadphase.c
//   gather    their contacts at the start of the step, in parallel;         contact_gather.c
//             awake bodies wake those that they touch
//   islands   bodies that touch, directly or through others                 contact_islands.c
//   ...       candidate positions of all bodies, by their solvers; bodies that touch nobody end their step
//   solve     impulses of all contacts of an island, ground included        contact_solve.c
//   ...       the solvers end the step: velocities and what follows from them
//   push out  a part of the depth, by positions alone                       contact_solve.c
//
// Everything is sorted by slots of bodies, so no number of threads changes a bit. All memory is taken when
// the world and its bodies are made (contact_memory.c).
#pragma once

#include "gelpack/contact.h"
#include "contact/step/contact_memory.h"
#include "contact/step/contact_events.h"

struct gelWorld;

/// Before the bodies move: pairs, contacts, islands. Afterwards gelBody_IsTouched says who goes on below.
void gelContactStep_Begin( struct gelWorld* world, const gelStepContext* ctx );

/// Ends the step of a body that has candidate positions and touches no other body: points on the ground and
/// on shapes, their impulses.
void gelSolveAlone( struct gelWorld* world, gelBody* body, const gelStepContext* ctx, int worker );

/// After all bodies have candidate positions: solves the islands and ends the steps of their bodies. Events
/// come later, when particles have moved, too.
void gelContactStep_End( struct gelWorld* world, const gelStepContext* ctx );

/// Contact of bodies that touch by particles (contact/particles).
typedef struct gelParticleContact
{
	/// Whether a body takes part in this step: it moves in step(), after all others.
	bool ( *isIn )( const struct gelWorld* world, const gelBody* body );
	/// Makes room for another body. @return false: no memory
	bool ( *reserve )( struct gelWorld* world, const gelAsset* asset );
	/// Memory of world->contact->ellipsoids [bytes].
	size_t ( *getBytes )( const struct gelEllipsoidStep* step );
	/// Frees world->contact->ellipsoids.
	void ( *destroy )( const gelAllocator* allocator, struct gelEllipsoidStep* step );
	/// Steps all bodies that take part, sub-step by sub-step together. After the bodies of tets have moved.
	void ( *step )( struct gelWorld* world, const gelStepContext* ctx );
} gelParticleContact;

// ---- parts -----------------------------------------------------------------------------------------------

/// Box of a body from a box in its space.
gelContactProxy gelMakeProxy( gelBody* body, gelAabb box, int index );
/// Sorts boxes by where they begin, along the axis on which they lie farthest apart: a box meets none of
/// those behind it that begin after its end. @return the axis
int gelSortProxies( gelContactProxy* proxies, int count );
/// Whether boxes of two bodies meet, and their filters agree.
bool gelMayProxiesTouch( const gelContactProxy* p, const gelContactProxy* q );
void gelFindBodyPairs( struct gelWorld* world, float h );
/// Keeps bodies from passing through each other within a step; proxies are listed.
void gelGuardAgainstTunnelling( struct gelWorld* world, float h );
/// The surface of a body as contact determination wants it; the coarse tree must be fresh.
gelContactSurface gelBody_GetContactSurface( gelBody* body );
void gelGatherContacts( struct gelWorld* world );
/// Finds out whether bodies were crushed into each other, and if so makes their contacts agree on a way
/// apart. @return how many of the contacts are left, in their order
int gelUntangle( gelBodyPair* pair, gelFoundContact* found, int count );
/// Leaves of the contacts of a pair those that carried a load in the last step and the deepest of those that
/// push different nodes, or in different ways (contact_thinning.c). @return their count
int gelThinContacts( const gelBodyPair* pair, gelFoundContact* found, int count );
/// The body of an island with the lowest slot. Each starts as its own touch->parent.
gelBody* gelFindIslandRoot( gelBody* body );
void gelJoinIslands( gelBody* a, gelBody* b );
/// @param live bodies by slot
void gelBuildIslands( gelContactStep* step, gelBody* const* live, int liveCount );

// ---- between steps: contact_world.c, curve_query.c -----------------------------------------------------

/// Receives a contact of the last step.
typedef void gelContactVisitor( const gelContact* contact, void* context );

/// Goes over the contacts that gelWorld_GetContacts gives, in its order. @return how many there are
int gelVisitContacts( struct gelWorld* world, gelContactVisitor* visit, void* context );

/// Receives a piece of an intersection curve.
typedef void gelCurveVisitor( const gelCurveSegment* segment, void* context );

/// Goes over what gelBody_GetIntersectionCurves gives for two bodies. @return how many pieces there are
int gelVisitCurves( struct gelWorld* world, gelBody* a, gelBody* b, gelCurveVisitor* visit, void* context );
