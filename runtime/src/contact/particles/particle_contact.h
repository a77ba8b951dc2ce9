// SPDX-License-Identifier: MIT
// Contacts of bodies of oriented particles: ellipsoids against ellipsoids, colliders, and the surfaces of
// other bodies. Found and solved after every sub-step, on the state that it left:
//
//   gather    where the ellipsoids of all bodies are                        particle_contact_step.c
//   find      bodies whose boxes meet (contact_broadphase.c), then          particle_contact_find.c
//             ellipsoids; colliders;                                        particle_contact_shapes.c
//             the nearest point (nearest_point.h) of other surfaces         particle_contact_surface.c
//   order     contacts by bodies and particles; islands of bodies that      particle_contact_records.c
//             touch each other
//   agree     bodies that are inside of each other get one way out          particle_contact_exits.c
//   solve     impulses by Signorini's and Coulomb's laws, as if they had    particle_contact_solve.c
//             acted from the start of the sub-step
//   push      what is still too deep comes apart without becoming speed     particle_contact_push.c
//   scatter   back to the particles                                         particle_contact_scatter.c
//
// Threads take groups of bodies that move, then bodies that look for contacts, then islands. The order of
// contacts is that of bodies and particles, whoever found them, and each island has its own bodies: no bit
// depends on how many threads there are.
//
// (Choi and Lee 2017, section 4.4: particles are pushed apart along the line of their centers, and friction
// changes velocities after a sub-step. Here the normal is that of least overlap, and impulses act at the
// points that touch, so that bodies roll.)
//
// Bodies of tets answer as they do to each other: while particles press on them they move as W~ of
// contact_solve.h says, in the end as the true answer of their solver to the sum of all impulses.
#pragma once

#include "contact/response/rigid_push.h"
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_step.h"
#include "solvers/particles/particle_body.h"

/// One ellipsoid. Positions are relative to the origin of its body.
typedef struct gelEllipsoid
{
	gelVec3 x;   // center [m]
	float reach; // longest radius [m]
	int owner;   // in gelEllipsoidStep.bodies
	uint32_t particle;
	uint32_t slot; // place in its model
	bool hasShape; // shape has been computed
	gelSym3 shape; // R S R^T [m^2]: it reaches sqrt( n . shape n ) along n

	// ---- once something has hit its body ----
	gelVec3 v, w;     // [m/s], [rad/s]
	gelVec3 v0, w0;   // before contacts
	float invMass;    // how it answers alone, see particle_contact_solve.c [1/kg]; 0: its body sleeps
	float invInertia; // [1/(kg m^2)]
	float rest;       // part of an impulse that its body answers to as a whole
	float turnRest;   // the same of a torque
	float h;          // length of its sub-steps [s]
	gelVec3 push;     // how far it has been moved without becoming faster [m]
} gelEllipsoid;

/// A body that takes part.
typedef struct gelEllipsoidBody
{
	gelBody* body;
	gelBodyContact* touch; // its mass as a rigid body, and how it is pushed as one [m], [rad]
	int ellipsoidFirst, ellipsoidCount;
	gelAabb box;       // around its ellipsoids [m, body space]
	bool isLost;       // NaN or out of bounds: touches nothing, and is put back after the step
	float friction[2]; // static and dynamic

	// ---- of a sub-step, once something has hit it ----
	bool isHit;
	bool meetsOthers;    // than the ground
	gelVec3 shift, turn; // what impulses have given to the body as a whole [m/s], [rad/s]
} gelEllipsoidBody;

/// A contact of one sub-step. A is an ellipsoid; B an ellipsoid, a point of a tet body, a collider, or else
/// the ground.
typedef struct gelEllipsoidContact
{
	int a, b;              // b: -1 if it is no ellipsoid
	uint32_t collider1;    // 1-based; 0: none
	gelBody* body;         // with tets; NULL: none
	uint32_t node[4];      // corners of that tet
	float weight[4];       // weights of the point
	uint32_t featureB;     // particle, triangle; 0 of a shape
	uint32_t cellB;        // cell of the tet body
	gelVec3 normal;        // unit, from B to A
	float depth;           // [m]
	gelVec3 armA, armB;    // from the centers to the points [m]; B of a tet body: from its center of mass
	gelVec3 velocityB;     // velocity of a collider's point [m/s]
	float friction[2];     // static and dynamic, of both
	float invMass;         // along the normal [1/kg]
	gelContactForce force; // lambdaChange, frictionChange: impulses so far [N s]
	float excess;          // depth before the sub-step, in radii
	bool isWedged;         // contradicts others of the same two
	gelRigidPush push;
} gelEllipsoidContact;

/// Contacts of bodies that touch each other.
typedef struct gelEllipsoidIsland
{
	int first, count; // in gelEllipsoidStep.order
} gelEllipsoidIsland;

/// Memory of one worker for the ellipsoids of a body that are in the box of another.
typedef struct gelEllipsoidScratch
{
	int* inside;
	gelSym3* shapes;
	bool* hasShapes;
} gelEllipsoidScratch;

/// The order of contacts.
typedef struct gelEllipsoidId
{
	uint64_t pair, feature;
} gelEllipsoidId;

typedef struct gelEllipsoidKey
{
	gelEllipsoidId id;
	int index; // which contact
} gelEllipsoidKey;

typedef struct gelEllipsoidStep
{
	// ---- by the capacities of the world, in the block of this struct ----
	size_t bytes;
	int workerCount;
	gelEllipsoidBody* bodies; // [bodyCapacity], by slot
	int bodyCount;
	bool hasTets;                  // there are bodies with tets
	gelEllipsoidContact* contacts; // [contactCapacity] of a sub-step
	gelEllipsoidKey* keys;         // as many
	int contactCount, contactCapacity;
	gelContactRecords records;   // contacts of a step, with room for contactCapacity
	gelContactRecord* merged;    // as many
	int* order;                  // [contactCapacity]: keys by island
	gelEllipsoidIsland* islands; // [bodyCapacity]
	int islandCount;
	gelEllipsoidScratch* scratch; // per worker
	atomic_int foundCount;        // contacts, those that found no room too

	// ---- by the bodies that there are, in a block of its own ----
	void* memory;
	size_t memoryBytes;
	gelEllipsoid* ellipsoids;
	gelVec4* places; // center and reach of these, for the search
	int ellipsoidCount, ellipsoidCapacity;
	int bodyEllipsoids;       // most that one body has
	gelContactProxy* proxies; // [bodyEllipsoids]: boxes of a body that touches itself
} gelEllipsoidStep;

/// Where a round of sub-steps stands in a step.
typedef struct gelEllipsoidRound
{
	float before, now; // times of the sub-step, as parts of the step
	float h;           // length of the whole step [s]
	const gelStepContext* ctx;
} gelEllipsoidRound;

/// Whether a body of particles takes part in contact in this step.
bool gelIsInEllipsoidStep( const struct gelWorld* world, const gelBody* body );

bool gelEllipsoidStep_Reserve( struct gelWorld* world, const gelAsset* asset );
size_t gelEllipsoidStep_GetBytes( const gelEllipsoidStep* step );
void gelDestroyEllipsoidStep( const gelAllocator* allocator, gelEllipsoidStep* step );

extern const gelParticleContact gel_particleContact;

// ---- parts -----------------------------------------------------------------------------------------------

/// The shape of an ellipsoid where it is now; the second keeps it, for the thread that has the ellipsoid's
/// body.
gelSym3 gelMakeEllipsoidShape( const gelEllipsoidStep* step, int ellipsoid );
gelSym3 gelEllipsoidStep_GetShape( gelEllipsoidStep* step, int ellipsoid );

/// One more contact; NULL: there is no room, which is seen afterwards. From any thread.
/// @param shape of the ellipsoid @param frictionB static and dynamic, of what it touches
gelEllipsoidContact* gelEllipsoidStep_Add( gelEllipsoidStep* step, int ellipsoid, gelSym3 shape,
	gelVec3 normal, float depth, const float frictionB[2] );

static inline void gelEllipsoidContact_SetFriction(
	gelEllipsoidContact* contact, const float frictionA[2], const float frictionB[2] )
{
	contact->friction[0] = 0.5f * ( frictionA[0] + frictionB[0] );
	contact->friction[1] = gelMinFloat( contact->friction[0], 0.5f * ( frictionA[1] + frictionB[1] ) );
}

/// What it touches is the point of a collider, or of the ground. @param place of it [m, relative to origin]
static inline void gelSetColliderSide( gelEllipsoidContact* contact, const gelColliderMotion* motion,
	const double origin[3], gelVec3 place, float h )
{
	contact->collider1 = motion->index + 1;
	contact->velocityB = gelScale( 1.0f / h, gelColliderMotion_GetMove( motion, origin, place ) );
}

static inline gelBody* gelEllipsoidContact_GetBodyA(
	const gelEllipsoidStep* step, const gelEllipsoidContact* contact )
{
	return step->bodies[step->ellipsoids[contact->a].owner].body;
}

/// With tets or with particles; NULL: a collider or the ground.
static inline gelBody* gelEllipsoidContact_GetBodyB(
	const gelEllipsoidStep* step, const gelEllipsoidContact* contact )
{
	return contact->b >= 0 ? step->bodies[step->ellipsoids[contact->b].owner].body : contact->body;
}

static inline bool gelEllipsoidContact_IsGround( const gelEllipsoidContact* contact )
{
	return contact->b < 0 && contact->body == NULL && contact->collider1 == 0;
}

/// All contacts of a sub-step.
void gelFindEllipsoids( struct gelWorld* world, const gelEllipsoidRound* round );
/// Those of a body with colliders that have a shape, and with surfaces.
void gelFindEllipsoidShapes(
	struct gelWorld* world, const gelEllipsoidBody* body, const gelEllipsoidRound* round );
void gelFindEllipsoidSurfaces(
	struct gelWorld* world, const gelEllipsoidBody* body, const gelEllipsoidRound* round );

/// By bodies, then by what touches: the order in which the game gets contacts, and in which they are solved.
void gelSortEllipsoidContacts( gelEllipsoidStep* step );
void gelBuildEllipsoidIslands( gelEllipsoidStep* step );

/// A contact of an island, in their order.
static inline gelEllipsoidContact* gelEllipsoidIsland_Get(
	const gelEllipsoidStep* step, const gelEllipsoidIsland* island, int i )
{
	return step->contacts + step->keys[step->order[island->first + i]].index;
}

/// Lets contacts of bodies that are inside of each other, or of a shape, push along one way.
void gelShareExitDirections(
	struct gelWorld* world, const gelEllipsoidIsland* island, const gelEllipsoidRound* round );

/// Velocity of A against B where they touch [m/s].
gelVec3 gelEllipsoidStep_GetVelocity( const gelEllipsoidStep* step, const gelEllipsoidContact* contact );
/// How far impulses have moved a point of an ellipsoid in this sub-step [m].
gelVec3 gelEllipsoid_GetMove( const gelEllipsoidStep* step, const gelEllipsoid* ellipsoid, gelVec3 arm );

void gelSolveEllipsoidIsland(
	struct gelWorld* world, const gelEllipsoidIsland* island, const gelEllipsoidRound* round );
void gelPushEllipsoidIsland(
	gelEllipsoidStep* step, const gelEllipsoidIsland* island, const gelEllipsoidRound* round );
/// How a body and its ellipsoids move and answer, before contacts change it. @param h of a step [s]
void gelHitEllipsoidBody( gelEllipsoidStep* step, gelEllipsoidBody* body, float h );

/// Puts what contacts have changed back into the states of the particles.
void gelScatterEllipsoidBody( const gelEllipsoidStep* step, const gelEllipsoidBody* body );

/// Wakes who was touched, and adds up what colliders feel.
void gelWakeAndSumReactions( struct gelWorld* world, const gelEllipsoidRound* round );

/// Adds the contacts of a sub-step to those of the step.
void gelRecordEllipsoids( struct gelWorld* world );
/// Adds what bodies had from the ground that they lie on alone, one for each.
void gelRecordGround( struct gelWorld* world, const gelStepContext* ctx );
void gelCountEllipsoidRecords( struct gelWorld* world );

/// Gives the bodies of tets what they were hit with.
void gelAnswerEllipsoids( struct gelWorld* world, float h );

/// Least overlap of two ellipsoids: the largest n . d - |A^(1/2) n| - |B^(1/2) n| over unit n that a short
/// search finds [m]. If it is positive, n separates them, and the search ends there.
/// @param d from the center of B to that of A; reaches are the longest radii
float gelFindEllipsoidGap( gelSym3 A, gelSym3 B, gelVec3 d, float reachA, float reachB, gelVec3* outNormal );

/// sqrt( n . S n ): how far an ellipsoid reaches along n, and the point where, S n / that [m].
static inline float gelGetEllipsoidReach( gelSym3 S, gelVec3 n, gelVec3* outPoint )
{
	gelVec3 p = gelMulSym3( S, n );
	float reach = sqrtf( gelMaxFloat( gelDot( n, p ), 1.0e-30f ) );
	*outPoint = gelScale( 1.0f / reach, p );
	return reach;
}
