// SPDX-License-Identifier: MIT
// Contact between bodies: their surfaces, as detailed as the pack has them, push and rub on each other.
//
//     gelWorldDef worldDef = gelDefaultWorldDef();
//     worldDef.enableContact = true;                         // reserves memory for it
//     ...
//     bodyDef.contactFilter.category = gameProp;             // who it is
//     bodyDef.contactFilter.mask = gameProp | gameHero;      // whom it touches
//     ...
//     gelContact contacts[64];                               // after gelWorld_Step
//     int count = gelWorld_GetContacts( world, contacts, 64 );
//
// Contacts are found where surfaces cross at the start of a step, so bodies that touch overlap a little: by
// about a thousandth of their size at rest. Speed of approach is taken away within the step (restitution is
// 0), by Coulomb friction also speed along the surface. Depth is taken back by positions alone, a part of it
// in every step, and never becomes speed.
//
// Bodies take part when their world has contact, their pack has collision geometry and their def allows it.
// Bodies of oriented particles (particles.h) need no collision geometry. They touch as ellipsoids, after each
// of their sub-steps; a contact in the list is then the sum of a step, and its area that of two spheres.
// Groups of bodies that touch fall asleep together, and an awake body wakes the group that it touches.
#pragma once

#include "collider.h"
#include "types.h"

/// One contact of the last step.
typedef struct gelContact
{
	/// Who touches whom. B is a body or a collider, the other one of the two is null; both: it is the ground.
	gelBodyId bodyA, bodyB;
	gelColliderId colliderB;
	/// On both surfaces, where they are now [m, world space].
	gelVec3 pointA, pointB;
	/// Unit vector from B to A: bodyA is pushed this way.
	gelVec3 normal;
	/// How far the points had passed each other at the start of the step [m], >= 0.
	float depth;
	/// Area of the piece of surface that the contact stands for [m^2].
	float area;
	/// Impulse that A received in the step, friction included [N s]. B received the opposite.
	gelVec3 impulse;
	/// Materials of the packs; -1: of a collider or the ground.
	int materialA, materialB;
} gelContact;

/// What contact did in the last step.
typedef struct gelContactCounters
{
	int pairCount;           ///< pairs of bodies whose boxes overlapped and that were looked at
	int stillPairCount;      ///< pairs among these that had not moved: their contacts are those of before
	int touchingPairCount;   ///< pairs among these with contacts
	int contactCount;        ///< between bodies
	int droppedPairCount;    ///< pairs beyond gelWorldDef.contactPairCapacity: they passed through each other
	int droppedContactCount; ///< contacts beyond a capacity: the deepest were kept (docs/contact.md)
	int groupCount;          ///< groups of bodies that touch
	int wokenBodyCount;      ///< sleeping bodies that were touched by one that is awake
	int droppedTouchCount;   ///< contacts of pairs beyond contactPairCapacity: there are no events for them
	int crowdedPairCount;    ///< pairs that crossed in more triangles than there is room for: rough contacts
	int brakedPairCount;     ///< pairs that were braked, since they would have passed each other in this step
} gelContactCounters;

/// Contacts between bodies in the last step, by groups of bodies that touch, then those of bodies with the
/// ground and with colliders, by slots. Bodies of particles do not list the ground. Those of bodies that have
/// been destroyed since are left out; after gelWorld_RestoreState there are none until the next step.
GEL_API int gelWorld_GetContacts( gelWorldId worldId, gelContact* out, int outCapacity );

/// What has changed between two bodies, or a body and a collider.
typedef enum gelContactEventType
{
	gel_touchBegin = 0,   ///< they touch, and did not in the step before
	gel_touchPersist = 1, ///< they still touch, and one of them is awake
	gel_touchEnd = 2,     ///< they do not touch any more, or one of them is gone: its id is stale
} gelContactEventType;

typedef struct gelContactEvent
{
	gelContactEventType type;
	/// B is a body or a collider, the other one of the two is null; both: it is the ground.
	gelBodyId bodyA, bodyB;
	gelColliderId colliderB;
	/// Contacts of the two in the list of gelWorld_GetContacts, as long as no body or collider is destroyed:
	/// points, normals, materials. None at an end.
	int contactFirst, contactCount;
	/// Sum of their areas [m^2] and impulses on A [N s], and the deepest of them [m].
	float area, depth;
	gelVec3 impulse;
} gelContactEvent;

/// Who has begun, goes on or has ceased to touch in the last step, by slots. Bodies that fall asleep on each
/// other go on touching, without an event until one of them wakes up. The step after gelWorld_RestoreState
/// tells what is different from the step before it, so that beginnings and ends still alternate.
GEL_API int gelWorld_GetContactEvents( gelWorldId worldId, gelContactEvent* out, int outCapacity );

/// What contact did in the last step, or in all of the last gelWorld_StepMany. Zeros without contact.
GEL_API gelContactCounters gelWorld_GetContactCounters( gelWorldId worldId );

/// Whether two bodies of a world overlap now: their surfaces cross, or one is inside of the other. Filters
/// are not asked. gel_errorUnsupported: one of them does not take part in contact, or is of particles. One
/// thread at a time.
GEL_API gelResult gelBody_OverlapsBody( gelBodyId bodyIdA, gelBodyId bodyIdB, bool* outOverlaps );

/// A piece of an intersection curve: where a triangle of one body crosses one of the other.
typedef struct gelCurveSegment
{
	gelVec3 from, to; ///< [m, world space]
	int curve;        ///< 0, 1, ...: pieces of a curve follow each other, end to start
	bool isOpen;      ///< the curve does not close: it ends at a hole of a surface
} gelCurveSegment;

/// The curves in which the surfaces of two bodies of a world cross now, for debug drawing. They run
/// counter-clockwise around what of A is inside of B. 0 when one of them does not take part in contact or is
/// of particles, when both are the same, or when more triangles cross than contact determination has room
/// for. One thread at a time.
GEL_API int gelBody_GetIntersectionCurves(
	gelBodyId bodyIdA, gelBodyId bodyIdB, gelCurveSegment* out, int outCapacity );

/// Switches contact between all bodies off and on, from the next step on. gel_errorUnsupported: the world was
/// made without (gelWorldDef.enableContact). Not part of saved states.
GEL_API gelResult gelWorld_EnableContact( gelWorldId worldId, bool enable );

/// Whether bodies of the world touch each other; false for a world without contact.
GEL_API bool gelWorld_IsContactEnabled( gelWorldId worldId );

/// Switches contact of one body off and on, from the next step on. gel_errorUnsupported: its world or its def
/// came without contact, or its pack has no collision geometry. Not part of saved states, as the settings
/// below.
GEL_API gelResult gelBody_EnableContact( gelBodyId bodyId, bool enable );

/// Whether the body touches others; false for one that takes no part, and for a stale id.
GEL_API bool gelBody_IsContactEnabled( gelBodyId bodyId );

/// Which bodies and colliders the body touches from the next step on. gel_errorUnsupported as above.
GEL_API gelResult gelBody_SetContactFilter( gelBodyId bodyId, gelContactFilter filter );

/// Its filter. Zeros for a body that takes no part.
GEL_API gelContactFilter gelBody_GetContactFilter( gelBodyId bodyId );

/// Coulomb coefficient (no unit) of the whole body in contact with other bodies, 0 .. 1e6; -1: those of its
/// materials. Those of two bodies are combined by the mean. gel_errorUnsupported as above.
GEL_API gelResult gelBody_SetContactFriction( gelBodyId bodyId, float friction );

/// Coefficient of friction (no unit); -1: those of the materials count. 0 for a body that takes no part.
GEL_API float gelBody_GetContactFriction( gelBodyId bodyId );
