// SPDX-License-Identifier: MIT
// What all stages of contact between bodies pass on: pairs, contacts that were found, contacts as they are
// solved, islands, and the lists of the last step.
#pragma once

#include "contact/contact_force.h"
#include "contact/detect/contact_detect.h"
#include "gelpack/contact.h"
#include "state/body_contact.h"

/// Contacts of one pair of bodies at most, before the capacity of the world.
#define GEL_MAX_PAIR_CONTACTS 1024

/// Box of a body in the world [m].
typedef struct gelContactProxy
{
	double low[3], high[3];
	gelBody* body;
} gelContactProxy;

struct gelCollider;

/// Two bodies that may touch, a has the smaller slot; or a body and itself; or a body and the surface of a
/// collider.
typedef struct gelBodyPair
{
	gelBody *a, *b;               // b is NULL with a collider
	struct gelCollider* collider; // NULL with two bodies
	bool isDone;                  // looked at in this step
	int foundCount;               // contacts that were found
	// Crushed into each other, with tets inside out. Friction across normals that are a guess would glue them
	// together for good.
	bool isTangled;
	int keptFirst, keptCount; // in gelContactStep.kept, of those that were kept
	int itemFirst;            // in gelContactStep.items, as many
} gelBodyPair;

/// A contact and where it belongs: ordered by pair and index.
typedef struct gelKeptContact
{
	gelFoundContact found;
	int pair, index;
} gelKeptContact;

/// What one worker has found. When the list is full it is a heap, the least deep contact on top.
typedef struct gelContactFinds
{
	gelKeptContact* items;
	int count, capacity;
	int droppedCount, crowdedCount;
	gelContactScratch* scratch;
	gelFoundContact* found; // GEL_MAX_PAIR_CONTACTS
} gelContactFinds;

/// One side of a contact: a point of a body, or of something that moves as it is told (body is NULL).
typedef struct gelContactPoint
{
	gelBody* body;
	uint32_t node[4];
	float w[4];
	gelVec3 move; // how a side without body moves over the step [m]
	gelVec3 arm;  // from the body's center of mass [m]
	float bulge;  // what an impulse moves it beyond the body's rigid motion, before softness [1/kg]
} gelContactPoint;

/// A contact as the solver sees it, see contact_solve.h.
typedef struct gelContactItem
{
	gelContactPoint a, b;
	gelVec3 normal; // unit, from B to A
	float depth;    // at the start of the step [m]; ground: what is to be pushed out
	float floor;    // n . D must not be below [m]
	float lack;     // pushing out: what is missing to that [m]
	bool isActive;
	bool isTangled;                  // its bodies are crushed into each other
	bool isPressed;                  // pushing out: bodies give way, they are not moved as a whole
	gelVec3 move;                    // D: how A has moved against B in this step [m]
	float rigidNormal, rigidTangent; // inverse masses of both bodies as rigid ones [1/kg]
	gelContactForce force;
	gelVec3 impulse; // sum of the step, on A [kg m]
	float area;      // [m^2]
	uint32_t flags;  // gel_found*
	uint32_t cellA, cellB;
	uint32_t collider1; // B is this collider, 1-based; 0: it is none
	uint64_t feature;
} gelContactItem;

/// Contacts of bodies with what is not a body, while they are found.
typedef struct gelItemList
{
	gelContactItem* items; // NULL: they are only counted
	int count, capacity;   // those beyond the capacity are counted, too
	float least;           // what is less deep at the candidate positions does not count [m]
} gelItemList;

/// @return where to put it; NULL: nowhere
static inline gelContactItem* gelItemList_Add( gelItemList* list, float depth )
{
	if ( !( depth >= list->least ) ) return NULL;
	int index = list->count++;
	return index < list->capacity ? list->items + index : NULL;
}

/// Those of the ground are not listed for the game.
static inline bool gelContactItem_IsListed( const gelContactItem* item )
{
	return item->b.body != NULL || item->collider1 != 0;
}

/// Bodies that touch.
typedef struct gelIsland
{
	int bodyFirst, bodyCount; // in gelContactStep.order
	// in gelContactStep.items: those between bodies first, then those of the ground, then of colliders
	int itemFirst, itemCount;
	int pairItemCount;
} gelIsland;

/// Two that touch.
typedef struct gelTouchRecord
{
	uint32_t slotA, generationA;
	uint32_t isCollider; // B is a collider, else a body
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
	gelKeptContact* kept; // [contactCapacity]
	int keptCount, contactCapacity;
	gelContactItem* items; // [itemCapacity]
	int itemCount, itemCapacity;
	gelIsland* islands; // [bodyCapacity]
	int islandCount;
	gelBody** order; // [bodyCapacity]: bodies that touch, by island, then slot
	int orderCount;
	gelContactFinds* finds; // [workerCount]

	// Scratch of the workers for the largest packs of the world, in a block of its own.
	gelContactLimits limits;
	void* scratch;
	size_t scratchBytes;

	struct gelEllipsoidStep*
		ellipsoids;             // what particles have (contact/particles); NULL: there have been none
	gelContactRecords* records; // theirs; NULL: none

	float step; // length of the last step [s]
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
/// @param frictionB static and dynamic
float gelGetContactFriction( const gelContactItem* item, const float frictionB[2], float h );
