// SPDX-License-Identifier: MIT
// Contacts of bodies of oriented particles: ellipsoids against ellipsoids, colliders, and the surfaces of
// other bodies. Found and solved after every sub-step, on the state that it left:
//
//   gather    where the ellipsoids of all bodies are                        ball_step.c
//   find      bodies through a spatial hash (ball_grid.h), then ellipsoids  ball_find.c
//             where their boxes meet; colliders;                            ball_shapes.c
//             triangles of deformed and static surfaces                     ball_surface.c
//   order     contacts by bodies and particles; islands of bodies that      ball_records.c,
//             touch each other                                              ball_islands.c
//   agree     bodies that are inside of each other get one way out          ball_ways.c
//   solve     impulses by Signorini's and Coulomb's laws, as if they had    ball_solve.c
//             acted from the start of the sub-step
//   push      what is still too deep comes apart without becoming speed     ball_push.c
//   scatter   back to the particles                                         ball_scatter.c
//
// Threads take groups of bodies that move, then bodies that look for contacts, then islands. The order of
// contacts is that of bodies and particles, whoever found them, and each island has its own bodies: no bit
// depends on how many threads there are.
//
// (Choi and Lee 2017, section 4.4: particles are pushed apart along the line of their centres, and friction
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
typedef struct gelBall
{
	gelVec3 x;   // centre [m]
	float reach; // longest radius [m]
	int owner;   // in gelBallStep.bodies
	uint32_t particle;
	uint32_t slot; // of its model
	bool hasShape; // shape has been computed
	gelSym3 shape; // R S R^T [m^2]: it reaches sqrt( n . shape n ) along n

	// ---- once something has hit its body ----
	gelVec3 v, w;     // [m/s], [rad/s]
	gelVec3 v0, w0;   // before contacts
	float invMass;    // how it answers alone, see ball_solve.c [1/kg]; 0: its body sleeps
	float invInertia; // [1/(kg m^2)]
	float rest;       // part of an impulse that its body answers to as a whole
	float turnRest;   // the same of a torque
	float h;          // length of its sub-steps [s]
	gelVec3 push;     // how far it has been moved without becoming faster [m]

	// ---- pushing out: the ground that it is near to ----
	bool isNearGround;
	gelVec3 foot;    // from the centre of mass of the body to where it would touch [m]
	float footFloor; // how far that has to move along the normal, at least [m]
	float footLack;  // what is missing to that [m]
	float footRigid; // inverse mass of the body there [1/kg]
} gelBall;

/// A body that takes part.
typedef struct gelBallBody
{
	gelBody* body;
	gelTouch* touch; // of it: its mass as a rigid body, and how it is pushed as one [m], [rad]
	int ballFirst, ballCount;
	gelAabb box;       // around its balls [m, body space]
	bool wakesUp;      // was touched in its sleep
	bool isLost;       // NaN or out of bounds: touches nothing, and is put back after the step
	float friction[2]; // static and dynamic

	// ---- of a sub-step, once something has hit it ----
	bool isHit;
	bool isListed;       // in an island
	bool isNearGround;   // some of its balls are, while it is pushed out
	gelVec3 shift, turn; // what impulses have given to the body as a whole [m/s], [rad/s]
} gelBallBody;

/// A contact of one sub-step. A is a ball; B a ball, a collider or a point of a tet body.
typedef struct gelBallContact
{
	int a, b;           // b: -1 if it is no ball
	uint32_t collider1; // 1-based; 0: none
	gelBody* body;      // with tets; NULL: none
	uint32_t node[4];   // of it
	float weight[4];    // of these
	uint32_t featureB;  // particle, triangle; 0 of a shape
	uint32_t cellB;     // of the tet body
	gelVec3 normal;     // unit, from B to A
	float depth;        // [m]
	gelVec3 armA, armB; // from the centres to the points [m]; B of a tet body: from its centre of mass
	gelVec3 velocityB;  // of a collider's point [m/s]
	float friction[2];  // static and dynamic, of both
	float mu;           // which of them holds
	float lambda;       // normal impulse so far [N s], >= 0
	gelVec3 rub;        // friction impulse so far [N s]

	// ---- pushing out ----
	float floor;            // how far A is to move against B along the normal, at least [m]
	float lack;             // what is missing to that [m]; before, in ball_ways.c: depth in radii
	float leastLack;        // less is nothing [m]
	float rigid;            // inverse mass of both bodies as rigid ones [1/kg]
	gelVec3 leverA, leverB; // from the centres of mass of the bodies to the points [m]
	bool isWedged;          // contradicts others of the same two
} gelBallContact;

/// Bodies that touch each other, and their contacts.
typedef struct gelBallIsland
{
	int first, count;         // in gelBallStep.order
	int bodyFirst, bodyCount; // in gelBallStep.bodyOrder
} gelBallIsland;

/// Memory of one worker for a search.
typedef struct gelBallScratch
{
	int *near, *inside; // [GEL_MAX_NEAR_BALLS]
	gelSym3* shapes;    // of those inside
	bool* hasShapes;
} gelBallScratch;

/// Sorts the contacts of a sub-step.
typedef struct gelBallKey
{
	uint64_t pair, feature;
	int index;
} gelBallKey;

typedef struct gelBallStep
{
	// ---- by the capacities of the world, in the block of this struct ----
	size_t bytes;
	gelBallBody* bodies; // [bodyCapacity], by slot
	int bodyCount;
	gelBallContact* contacts; // [contactCapacity] of a sub-step
	gelBallKey* keys;         // as many
	int contactCount, contactCapacity;
	gelContactRecords records; // of a step, of room for contactCapacity
	gelContactRecord* merged;  // as many
	int* order;                // [contactCapacity]: keys by island
	gelBallIsland* islands;    // [bodyCapacity]
	int islandCount;
	int* bodyOrder;          // [bodyCapacity]: bodies by island
	gelBallScratch* scratch; // per worker
	atomic_int foundCount;   // contacts, those that found no room too
	atomic_int droppedPairCount;

	// ---- by the bodies that there are, in a block of its own ----
	void* memory;
	size_t memoryBytes;
	gelBall* balls;
	gelVec4* places; // of these: centre and reach, for the search
	int ballCount, ballCapacity;
	gelBallGrid grid;
} gelBallStep;

/// Neighbours in a search at most; more are left out.
#define GEL_MAX_NEAR_BALLS 4096

/// Where a round of sub-steps stands in a step.
typedef struct gelBallRound
{
	float before, now; // times of the sub-step, as parts of the step
	float h;           // of the whole step [s]
	const gelStepContext* ctx;
} gelBallRound;

/// Whether a body of particles takes part in contact in this step.
bool gelIsInBallStep( const struct gelWorld* world, const gelBody* body );

/// Makes room for another body of particles. @return false: no memory
bool gelBallStep_Reserve( struct gelWorld* world, const gelAsset* asset );
void gelDestroyBallStep( const gelAllocator* allocator, gelBallStep* step );

/// Steps all bodies that take part, sub-step by sub-step together. After the bodies of tets have moved.
void gelStepBalls( struct gelWorld* world, const gelStepContext* ctx );

// ---- parts -----------------------------------------------------------------------------------------------

/// From the space of A to that of B [m].
static inline gelVec3 gelGetBodyOffset( const gelBody* a, const gelBody* b )
{
	return ( gelVec3 ){ (float)( a->origin[0] - b->origin[0] ), (float)( a->origin[1] - b->origin[1] ),
		(float)( a->origin[2] - b->origin[2] ) };
}

/// The shape of a ball where it is now; the second keeps it, for the thread that has the ball's body.
gelSym3 gelMakeBallShape( const gelBallStep* step, int ball );
gelSym3 gelBallStep_GetShape( gelBallStep* step, int ball );

/// Whether it looks for contacts: it is awake, and its state is one.
bool gelBallBody_IsActive( const gelBallBody* body );

/// Room for one more contact; NULL: there is none, which is seen afterwards. From any thread.
gelBallContact* gelBallStep_Add( gelBallStep* step, int ball );

/// All contacts of a sub-step.
void gelFindBalls( struct gelWorld* world, const gelBallRound* round );
/// Those of a body with colliders that have a shape, and with surfaces.
void gelFindBallShapes( struct gelWorld* world, const gelBallBody* body, const gelBallRound* round );
void gelFindBallSurfaces( struct gelWorld* world, const gelBallBody* body, const gelBallRound* round );

/// By bodies, then by what touches: the order in which the game gets contacts, and in which they are solved.
void gelSortBallContacts( gelBallStep* step );
void gelBuildBallIslands( gelBallStep* step );

/// A contact of an island, in their order.
static inline gelBallContact* gelBallIsland_Get( const gelBallStep* step, const gelBallIsland* island, int i )
{
	return step->contacts + step->keys[step->order[island->first + i]].index;
}

/// Lets contacts of bodies that are inside of each other, or of a shape, push along one way.
void gelAgreeOnWays( struct gelWorld* world, const gelBallIsland* island, const gelBallRound* round );

/// Of A against B where they touch [m/s].
gelVec3 gelBallStep_GetVelocity( const gelBallStep* step, const gelBallContact* contact );
/// How far impulses have moved a point of a ball in this sub-step [m].
gelVec3 gelBall_GetMove( const gelBallStep* step, const gelBall* ball, gelVec3 arm );

void gelSolveBallIsland( struct gelWorld* world, const gelBallIsland* island, const gelBallRound* round );
void gelPushBallIsland( gelBallStep* step, const gelBallIsland* island, const gelBallRound* round );
/// How a body and its balls move and answer, before contacts change it. @param h of a step [s]
void gelHitBallBody( gelBallStep* step, gelBallBody* body, float h );

/// Puts what has changed back into the states of the particles.
void gelScatterBallIsland( const gelBallStep* step, const gelBallIsland* island );

/// Wakes who was touched, and adds up what colliders feel.
void gelTellOfBalls( struct gelWorld* world, const gelBallRound* round );

/// Adds the contacts of a sub-step to those of the step.
void gelRecordBalls( struct gelWorld* world );
void gelCountBallRecords( struct gelWorld* world );

/// Gives the bodies of tets what they were hit with.
void gelAnswerBalls( struct gelWorld* world, float h );

/// Least overlap of two ellipsoids: the largest n . d - |A^(1/2) n| - |B^(1/2) n| over unit n that a short
/// search finds [m]. If it is positive, n separates them, and the search ends there.
/// @param d from the centre of B to that of A; reaches are the longest radii
float gelFindBallGap( gelSym3 A, gelSym3 B, gelVec3 d, float reachA, float reachB, gelVec3* outNormal );

/// sqrt( n . S n ): how far an ellipsoid reaches along n, and the point where, S n / that [m].
static inline float gelGetBallReach( gelSym3 S, gelVec3 n, gelVec3* outPoint )
{
	gelVec3 p = gelMulSym3( S, n );
	float reach = sqrtf( gelMaxFloat( gelDot( n, p ), 1.0e-30f ) );
	*outPoint = gelScale( 1.0f / reach, p );
	return reach;
}
