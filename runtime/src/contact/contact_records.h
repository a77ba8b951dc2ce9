// SPDX-License-Identifier: MIT
// What all stages of contact between bodies pass on: pairs, contacts that were found, contacts as they are
// solved, islands, and the lists of the last step.
#pragma once

#include "contact/contact_force.h"
#include "contact/detect/contact_detect.h"
#include "gelpack/contact.h"
#include "state/body_contact.h"
#include "state/touch_point.h"

/// Contacts of one pair of bodies at most, before the capacity of the world.
#define GEL_MAX_PAIR_CONTACTS 1024

/// Box of a body in the world [m].
typedef struct gelContactProxy
{
	double low[3], high[3];
	gelBody* body;
	int index; // for who made it
} gelContactProxy;

struct gelCollider;

/// Two bodies that may touch, a has the smaller slot; or a body and itself; or a body and the surface of a
/// collider.
typedef struct gelBodyPair
{
	gelBody *a, *b;               // b is NULL with a collider
	struct gelCollider* collider; // NULL with two bodies
	bool isDone;                  // looked at in this step
	bool isCrowded;               // to be looked at again, with more room for triangles that cross
	bool isRough;                 // there was not enough room even so
	int foundCount;               // contacts that were found
	// Crushed into each other, with tets inside out. Friction across normals that are a guess would glue them
	// together for good.
	bool isTangled;
	int keptFirst, keptCount;       // in gelContactStep.kept, of those that were kept
	const struct gelSeenPair* seen; // what goes on from the step before; NULL: it has to be looked at
	uint64_t loads;                 // which of its contacts carried load (gelHashLoads)
	int itemFirst;                  // in gelContactStep.items, as many
} gelBodyPair;

/// A contact and where it belongs: ordered by pair and index.
typedef struct gelKeptContact
{
	gelFoundContact found;
	int pair, index;
	gelVec3 load;       // impulse on A that the step begins with [kg m]
	float rate, change; // how fast the load follows (gelCachedContact)
	bool isNew;         // it did not push in the step before
	float seenDepth;    // depth where it was found, gelBodyContact.seen [m]; found.depth is that of now
} gelKeptContact;

/// A pair as it was last looked at (contact_seen.h).
typedef struct gelSeenPair
{
	uint64_t key;    // both sides
	uint64_t stampB; // where they were seen
	uint32_t stampA;
	uint64_t loads;   // gelBodyPair.loads
	int first, count; // its contacts in gelContactStep.keptBefore
} gelSeenPair;

/// What one thread needs to look at pairs, one after another. The first of a world has room for more
/// triangles that cross than the others.
typedef struct gelContactFinds
{
	int droppedCount, crowdedCount;
	gelContactScratch* scratch;
	gelFoundContact* found; // GEL_MAX_PAIR_CONTACTS
} gelContactFinds;

/// What one worker needs to find points and to solve an island.
typedef struct gelContactDesk
{
	struct gelPickSheet* sheet;
	struct gelContactItem* items; // contacts of a body that touches no other
	float* floats;                // answers of its points (point_answers.h); islands have their own
	size_t floatCount;
	float* blend; // GEL_MAX_COMPLIANCE_NODES
	float* lone;  // a body that touches no other (lone_contacts.h)
} gelContactDesk;

/// One side of a contact: a point of a body, or of something that moves as it is told (body is NULL).
typedef struct gelContactPoint
{
	gelBody* body;
	uint32_t node[4];
	float w[4];
	gelVec3 move; // how a side without body moves over the step [m]
	gelVec3 arm;  // from the body's center of mass [m]
	gelVec3
		rho;   // A^-1 M r at the point [m]; 0: the body answers by rigid motion and what is around the point
	int index; // in the answers of the body (point_answers.h)
	gelMat3 turns;  // what an impulse turns the body by: t_j, columns for x, y and z [rad/(kg m)]
	gelMat3 frees;  // t_j - l_j
	float own;      // what an impulse moves it, without turning [1/kg]
	gelVec3 change; // what impulses have moved it where the body has no matrix [m]
	struct gelContactPoint* next; // point of the same body
} gelContactPoint;

/// A contact as the solver sees it, see contact_solve.h.
typedef struct gelContactItem
{
	gelContactPoint a, b;
	gelVec3 normal;     // unit, from B to A
	float depth;        // at the start of the step [m]; ground: what is to be pushed out
	float floor;        // n . D must not be below [m]
	float lack;         // pushing out: what is missing to that [m]
	gelVec3 load;       // what the step began with, on A [N]
	float rate, change; // how fast the load follows (gelCachedContact); 0: the contact is new
	bool isActive;
	bool isTangled;    // its bodies are crushed into each other
	bool isPressed;    // pushing out: bodies give way, they are not moved as a whole
	gelVec3 move;      // D: how A has moved against B in this step [m]
	float rigidNormal; // inverse mass of both bodies as rigid ones [1/kg]
	float invMass[2];  // along the normal, and the larger one along the surface [1/kg]
	float invSize;     // one over the size of the smaller body [1/m]
	gelContactForce force;
	gelVec3 impulse; // sum of the step, on A [kg m]
	float area;      // [m^2]
	uint32_t flags;  // gel_found*
	uint32_t cellA, cellB;
	uint32_t collider1; // B is this collider, 1-based; 0: it is none
	uint64_t feature;
	struct gelTouchPoint* point; // what it was made of; NULL: surfaces that cross
} gelContactItem;

/// Bodies that touch.
typedef struct gelIsland
{
	int bodyFirst, bodyCount; // in gelContactStep.order
	// in gelContactStep.items: those between bodies first, then points on the ground and on shapes
	int itemFirst, itemCount;
	int pairItemCount;
	size_t floatFirst, floatCount; // in gelContactStep.floats
} gelIsland;

/// What B of a gelTouchRecord is.
#define GEL_TOUCHES_BODY     0u
#define GEL_TOUCHES_COLLIDER 1u
#define GEL_TOUCHES_GROUND   2u

/// Two that touch.
typedef struct gelTouchRecord
{
	uint32_t slotA, generationA;
	uint32_t kindB; // GEL_TOUCHES_...
	uint32_t slotB, generationB;
	int contactFirst, contactCount; // in the list of gelWorld_GetContacts; none of sleepers
	float area, depth;
	gelVec3 impulse; // on A [N s]
} gelTouchRecord;

typedef struct gelContactEvents
{
	gelTouchRecord *before, *now; // [capacity], sorted by who it is
	int beforeCount, count, capacity;
	bool goesOn; // this step belongs to the ones before: `before` stays what was before all of them
} gelContactEvents;

/// A contact as the game sees it, of something else than surfaces.
typedef struct gelContactRecord
{
	uint64_t pair, feature; // order of the list
	gelBody *a, *b;
	uint32_t collider1;
	int materialB;
	gelVec3 pointA, pointB; // [m, world space]
	gelVec3 normal;
	float depth, area;
	gelVec3 impulse; // on A [N s]
} gelContactRecord;

/// Sorted by pair, then feature.
typedef struct gelContactRecords
{
	gelContactRecord* items;
	int count, capacity;
} gelContactRecords;

/// Contact of the bodies of a world; contact_step.h has the order of its stages.
typedef struct gelContactStep
{
	size_t bytes;
	bool isEnabled;
	int workerCount;
	gelContactProxy* proxies; // [bodyCapacity]
	int proxyCount;
	gelBodyPair* pairs; // [pairCapacity], by slots
	int pairCount, pairCapacity;
	int* todo; // [pairCapacity]: pairs of a round
	int todoCount;
	int findCount;        // threads that look at pairs at the same time, at most
	atomic_int nextTodo;  // the pair of the round that is looked at next
	atomic_flag keptLock; // whoever has it may add to `kept`
	gelKeptContact* kept; // [contactCapacity]; a heap when it is full, the least deep contact on top
	int keptCount, contactCapacity;
	gelKeptContact* keptBefore; // those of the step before
	gelSeenPair* seenPairs;     // [pairCapacity], by key: pairs that keptBefore has the contacts of
	int seenPairCount;
	gelContactItem* items; // [itemCapacity]
	int itemCount, itemCapacity;
	int* itemOrder;   // [itemCapacity]: items of large islands by part (island_parts.h)
	void* listMemory; // memory of kept and items: grows as bodies come
	size_t listBytes;
	gelIsland* islands; // [bodyCapacity]
	int islandCount;
	gelBody** order; // [bodyCapacity]: bodies that touch, by island, then slot
	int orderCount;
	gelContactFinds* finds; // [findCount]
	gelContactDesk* desks;  // [workerCount]
	int deskNodes;          // nodes of the largest body that they have room for
	void* deskMemory;
	size_t deskBytes;
	float* floats; // answers of the points of all islands (point_answers.h); grows as bodies come
	size_t floatCount;

	// Scratch of the finds for the largest packs of the world, in a block of its own.
	gelContactLimits limits;
	void* scratch;
	size_t scratchBytes;

	struct gelEllipsoidStep*
		ellipsoids;             // what particles have (contact/particles); NULL: there have been none
	gelContactRecords* records; // theirs; NULL: none

	float step;     // length of the last step [s]
	uint32_t stamp; // grows with every step: points of the last one have it (gelBodyContact.pointStamp)
	gelContactEvents events;
	gelContactCounters counters;
} gelContactStep;

/// Depth where contacts of surfaces come to rest, and where pushing out begins, in sizes of the smaller body.
/// What carries load is as deep as the first, so that it does not come and go from step to step; what is less
/// deep carries nothing yet, so that contacts begin and end without a jump. Depths of contacts jump when
/// pieces of surface merge: between the two nothing happens, or bodies would be lifted by positions and fall
/// again.
#define GEL_REST_DEPTH 0.5e-3f
#define GEL_PUSH_SLOP  1.0e-3f

/// Size of the smaller body [m].
static inline float gelContactItem_GetSize( const gelContactItem* item )
{
	float size = item->a.body->asset->restSize;
	return item->b.body ? fminf( size, item->b.body->asset->restSize ) : size;
}

/// Static and dynamic coefficients of a body's material in a cell, or of its def.
void gelGetBodyFriction( const gelBody* body, uint32_t cell, float out[2] );

/// Coulomb's coefficient in this step: dynamic when the points slide on each other at its start.
/// @param frictionA, frictionB static and dynamic
float gelMixFriction(
	const gelContactItem* item, const float frictionA[2], const float frictionB[2], float h );
/// The same with the coefficients of body A.
float gelGetContactFriction( const gelContactItem* item, const float frictionB[2], float h );
