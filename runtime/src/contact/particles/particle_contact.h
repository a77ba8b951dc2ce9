// SPDX-License-Identifier: MIT
// Contacts of bodies of oriented particles: ellipsoids against ellipsoids, colliders, and the surfaces of
// other bodies. Found and solved after every sub-step, on the state that it left:
//
//   gather    where the ellipsoids of all bodies are                        particle_contact_step.c
//   find      bodies through a spatial hash (particle_grid.h), then ellipsoids
//   particle_contact_find.c
//             where their boxes meet; colliders;                            particle_contact_shapes.c
//             triangles of deformed and static surfaces                     particle_contact_surface.c
//   order     contacts by bodies and particles; islands of bodies that      particle_contact_records.c,
//             touch each other                                              particle_contact_islands.c
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

#include "contact/particles/particle_grid.h"
#include "contact/step/contact_step.h"
#include "solvers/particles/particle_body.h"

#include <stdatomic.h>

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

	// ---- pushing out: the ground that it is near to ----
	bool isNearGround;
	gelVec3 foot;    // from the center of mass of the body to where it would touch [m]
	float footFloor; // how far that has to move along the normal, at least [m]
	float footLack;  // what is missing to that [m]
	float footRigid; // inverse mass of the body there [1/kg]
} gelEllipsoid;

/// A body that takes part.
typedef struct gelEllipsoidBody
{
	gelBody* body;
	gelBodyContact* touch; // its mass as a rigid body, and how it is pushed as one [m], [rad]
	int ellipsoidFirst, ellipsoidCount;
	gelAabb box;       // around its ellipsoids [m, body space]
	bool wakesUp;      // was touched in its sleep
	bool isLost;       // NaN or out of bounds: touches nothing, and is put back after the step
	float friction[2]; // static and dynamic

	// ---- of a sub-step, once something has hit it ----
	bool isHit;
	bool isListed;       // in an island
	bool isNearGround;   // some of its ellipsoids are, while it is pushed out
	gelVec3 shift, turn; // what impulses have given to the body as a whole [m/s], [rad/s]
} gelEllipsoidBody;

/// A contact of one sub-step. A is a ellipsoid; B a ellipsoid, a collider or a point of a tet body.
typedef struct gelEllipsoidContact
{
	int a, b;           // b: -1 if it is no ellipsoid
	uint32_t collider1; // 1-based; 0: none
	gelBody* body;      // with tets; NULL: none
	uint32_t node[4];   // corners of that tet
	float weight[4];    // weights of the point
	uint32_t featureB;  // particle, triangle; 0 of a shape
	uint32_t cellB;     // cell of the tet body
	gelVec3 normal;     // unit, from B to A
	float depth;        // [m]
	gelVec3 armA, armB; // from the centers to the points [m]; B of a tet body: from its center of mass
	gelVec3 velocityB;  // velocity of a collider's point [m/s]
	float friction[2];  // static and dynamic, of both
	float mu;           // which of them holds
	float lambda;       // normal impulse so far [N s], >= 0
	gelVec3 rub;        // friction impulse so far [N s]

	// ---- pushing out ----
	float floor;     // how far A is to move against B along the normal, at least [m]
	float lack;      // what is missing to that [m]; before, in particle_contact_exits.c: depth in radii
	float leastLack; // less is nothing [m]
	float rigid;     // inverse mass of both bodies as rigid ones [1/kg]
	gelVec3 leverA, leverB; // from the centers of mass of the bodies to the points [m]
	bool isWedged;          // contradicts others of the same two
} gelEllipsoidContact;

/// Bodies that touch each other, and their contacts.
typedef struct gelEllipsoidIsland
{
	int first, count;         // in gelEllipsoidStep.order
	int bodyFirst, bodyCount; // in gelEllipsoidStep.bodyOrder
} gelEllipsoidIsland;

/// Memory of one worker for a search.
typedef struct gelEllipsoidScratch
{
	int *near, *inside; // [GEL_MAX_NEAR_ELLIPSOIDS]
	gelSym3* shapes;    // ellipsoids of those inside
	bool* hasShapes;
} gelEllipsoidScratch;

/// Sorts the contacts of a sub-step.
typedef struct gelEllipsoidKey
{
	uint64_t pair, feature;
	int index;
} gelEllipsoidKey;

typedef struct gelEllipsoidStep
{
	// ---- by the capacities of the world, in the block of this struct ----
	size_t bytes;
	gelEllipsoidBody* bodies; // [bodyCapacity], by slot
	int bodyCount;
	gelEllipsoidContact* contacts; // [contactCapacity] of a sub-step
	gelEllipsoidKey* keys;         // as many
	int contactCount, contactCapacity;
	gelContactRecords records;   // contacts of a step, with room for contactCapacity
	gelContactRecord* merged;    // as many
	int* order;                  // [contactCapacity]: keys by island
	gelEllipsoidIsland* islands; // [bodyCapacity]
	int islandCount;
	int* bodyOrder;               // [bodyCapacity]: bodies by island
	gelEllipsoidScratch* scratch; // per worker
	atomic_int foundCount;        // contacts, those that found no room too
	atomic_int droppedPairCount;

	// ---- by the bodies that there are, in a block of its own ----
	void* memory;
	size_t memoryBytes;
	gelEllipsoid* ellipsoids;
	gelVec4* places; // center and reach of these, for the search
	int ellipsoidCount, ellipsoidCapacity;
	gelEllipsoidGrid grid;
} gelEllipsoidStep;

/// Neighbors in a search at most; more are left out.
#define GEL_MAX_NEAR_ELLIPSOIDS 4096

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
void gelDestroyEllipsoidStep( const gelAllocator* allocator, gelEllipsoidStep* step );

extern const gelParticleContact gel_particleContact;

// ---- parts -----------------------------------------------------------------------------------------------

/// From the space of A to that of B [m].
static inline gelVec3 gelGetBodyOffset( const gelBody* a, const gelBody* b )
{
	return ( gelVec3 ){ (float)( a->origin[0] - b->origin[0] ), (float)( a->origin[1] - b->origin[1] ),
		(float)( a->origin[2] - b->origin[2] ) };
}

/// The shape of a ellipsoid where it is now; the second keeps it, for the thread that has the ellipsoid's
/// body.
gelSym3 gelMakeEllipsoidShape( const gelEllipsoidStep* step, int ellipsoid );
gelSym3 gelEllipsoidStep_GetShape( gelEllipsoidStep* step, int ellipsoid );

/// Whether it looks for contacts: it is awake, and its state is one.
bool gelEllipsoidBody_IsActive( const gelEllipsoidBody* body );

/// Room for one more contact; NULL: there is none, which is seen afterwards. From any thread.
gelEllipsoidContact* gelEllipsoidStep_Add( gelEllipsoidStep* step, int ellipsoid );

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
/// How far impulses have moved a point of a ellipsoid in this sub-step [m].
gelVec3 gelEllipsoid_GetMove( const gelEllipsoidStep* step, const gelEllipsoid* ellipsoid, gelVec3 arm );

void gelSolveEllipsoidIsland(
	struct gelWorld* world, const gelEllipsoidIsland* island, const gelEllipsoidRound* round );
void gelPushEllipsoidIsland(
	gelEllipsoidStep* step, const gelEllipsoidIsland* island, const gelEllipsoidRound* round );
/// How a body and its ellipsoids move and answer, before contacts change it. @param h of a step [s]
void gelHitEllipsoidBody( gelEllipsoidStep* step, gelEllipsoidBody* body, float h );

/// Puts what has changed back into the states of the particles.
void gelScatterEllipsoidIsland( const gelEllipsoidStep* step, const gelEllipsoidIsland* island );

/// Wakes who was touched, and adds up what colliders feel.
void gelWakeAndSumReactions( struct gelWorld* world, const gelEllipsoidRound* round );

/// Adds the contacts of a sub-step to those of the step.
void gelRecordEllipsoids( struct gelWorld* world );
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
