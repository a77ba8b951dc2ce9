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
// the world and its bodies are made.
//
//   | gelContactStep | proxies | pairs | todo | kept | items | islands | order | finds, one list per worker
//   |
#pragma once

#include "contact/detect/contact_detect.h"
#include "contact/step/contact_events.h"
#include "gelpack/contact.h"
#include "contact/response/contact_force.h"
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
	gelVec3 move; // of a side without body: over the step [m]
	gelVec3 arm;  // from the body's centre of mass [m]
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
	bool isTangled;                  // of bodies that are crushed into each other
	bool isPressed;                  // pushing out: bodies give way, they are not moved as a whole
	gelVec3 move;                    // D: how A has moved against B in this step [m]
	float rigidNormal, rigidTangent; // inverse masses of both bodies as rigid ones [1/kg]
	gelContactForce force;
	gelVec3 impulse; // of the step, on A [kg m]
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

	struct gelBallStep* balls; // of particles (ball_contact.h); NULL: there have been none

	float step; // of the last step [s]
	gelContactEvents events;
	gelContactCounters counters;
} gelContactStep;

struct gelWorld;

/// Threads that tasks of a world may run on.
static inline int gelCountWorkers( const gelWorldDef* def )
{
	return def->tasks.parallelFor && def->tasks.workerCount > 1 ? def->tasks.workerCount : 1;
}

/// Memory by the def of the world. @return NULL: there is none
gelContactStep* gelCreateContactStep( const gelWorldDef* def );
void gelDestroyContactStep( const gelAllocator* allocator, gelContactStep* step );

/// Makes room for the surface of an asset. To be called when a body comes. @return false: no memory
bool gelContactStep_Reserve( struct gelWorld* world, const gelAsset* asset );

/// Before the bodies move: pairs, contacts, islands. Afterwards gelBody_IsTouched says who goes on below.
void gelContactStep_Begin( struct gelWorld* world, const gelStepContext* ctx );

/// After all bodies have candidate positions: solves the islands and ends the steps of their bodies. Events
/// come later, when particles have moved, too.
void gelContactStep_End( struct gelWorld* world, const gelStepContext* ctx );

/// Takes the contacts of a body that is about to go out of the list of the last step.
void gelContactStep_Forget( gelContactStep* step, const gelBody* body );
/// The same for a collider, 1-based.
void gelContactStep_ForgetCollider( gelContactStep* step, uint32_t collider1 );

/// Forgets the contacts of the last step.
void gelContactStep_Clear( gelContactStep* step );

// ---- parts -----------------------------------------------------------------------------------------------

void gelFindBodyPairs( struct gelWorld* world, float h );
/// Keeps bodies from passing through each other within a step; proxies are listed.
void gelBrakeBodies( struct gelWorld* world, float h );
/// The surface of a body as contact determination wants it; the coarse tree must be fresh.
gelContactSurface gelBody_GetContactSurface( gelBody* body );
void gelGatherContacts( struct gelWorld* world );
/// Finds out whether bodies were crushed into each other, and if so makes their contacts agree on a way
/// apart. @return how many of the contacts are left, in their order
int gelUntangle( gelBodyPair* pair, gelFoundContact* found, int count );
/// The body of an island with the lowest slot. Each starts as its own touch->parent.
gelBody* gelFindIslandRoot( gelBody* body );
void gelJoinIslands( gelBody* a, gelBody* b );
/// @param live bodies by slot
void gelBuildIslands( gelContactStep* step, gelBody* const* live, int liveCount );

/// Lets the items of an island be solved, see contact_solve.h.
void gelSolveIsland( gelContactStep* step, const gelIsland* island, const gelStepContext* ctx );
