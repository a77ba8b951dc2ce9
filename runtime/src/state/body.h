// SPDX-License-Identifier: MIT
// A body: one block of memory with its state, the constants of its pin set, and the scratch of its step.
#pragma once

#include "asset/asset.h"

#include <stdatomic.h>

/// Conditions of one step, the same for all bodies.
typedef struct gelStepContext
{
	float h;         // [s]
	gelVec3 gravity; // [m/s^2]
	bool hasGround;
	gelPlane ground;
	float staticFriction, dynamicFriction; // friction of the ground
} gelStepContext;

typedef struct gelBody
{
	const gelAsset* asset;
	gelSimdLevel simd; // level of its kernels, that of the world
	size_t bytes;      // size of this block
	void* userData;
	const struct gelSolver* solver; // what moves it (solvers/solver.h)
	void* data;                     // memory of the solver; only its own folder knows the type
	struct gelBodyContact* contact; // state of contact with other bodies; NULL: takes no part
	uint64_t pinSetId;
	const uint32_t* pins; // nodes, ascending
	int pinCount;

	// All positions of a body are relative to its origin, so that float precision is that of the body's
	// size and not of its place in the world. The origin follows the body in steps that are exact in float
	// (gelBody_Recenter) and is never rounded.
	double origin[3];

	gelBodyDef def; // the def that it was made from

	// ---- state: what gelBody_HashState covers ----
	gelVec3* x;              // nodes [m]
	gelVec3* v;              // [m/s]
	gelQuat* q;              // per slot: rotation of the element, warm start of the polar decomposition
	gelVec3* forces;         // on nodes for the next step [N]
	gelVec3* pinTargets;     // per pin [m]
	gelStrainBlock* plastic; // per block: what has become permanent; NULL: the body has no plasticity

	int* quietSteps; // gelWorld.quietSteps
	float stillTime; // how long no node has been faster than GEL_SLEEP_SPEED [s]
	bool isAsleep;

	struct gelConstraintSet* constraints; // slots are state; NULL: no capacity for any

	// ---- constants ----
	bool enableSleep;
	float stiffnessScale;
	float* invMasses; // [1/kg], 0 for pinned nodes and the padding node

	// ---- scratch of a step ----
	void* shared; // memory of what a step needs, or else of what follows the nodes
	size_t sharedBytes;
	bool hasForces;                  // some of forces are not zero
	gelPackFactorView factor;        // header is NULL: none is used
	const gelCompliance* compliance; // inverse of the factor; NULL: there is none
	float factorStep;                // step length that it was chosen for; 0: none
	float elasticStep;               // h sqrt( stiffnessScale ): the elastic energy counts by its square [s]
	double spinTarget[3];            // angular momentum that the step is to end with [kg m^2/s]
	// The nodes that the physics moves, in the order of the solver's rows. Fast: that of the factor.
	const uint32_t* rowNodes;
	uint32_t rowCount;
	gelVec3* xOld; // at the start of the step
	// Nodes and the padding node; w is the inverse mass in xTilde and p, else zero.
	gelVec4* xTilde;     // prediction [m]
	gelVec4* uTilde;     // xTilde minus rest positions [m]
	gelVec4* p;          // positions as the step goes on [m]
	gelVec4* b;          // right-hand sides by node [kg m]
	gelVec4* y;          // in the order of the factor: right-hand sides, then changes of position [m]
	float* solveScratch; // scratch memory of one solve
	float* kappa;        // 8 per batch of the sweep: multipliers of the volume constraints
	// By node: impulses of contact that the step begins with (contact_loads.h) [kg m]; NULL: it touches
	// nothing
	gelVec3* loads;
	bool hasLoads; // some of loads are not zero, and the solver is to take them (gelSolver.takesLoads)

	// ---- for queries: follows x (coarse_tree.h); boxes are in the memory of the scratch above ----
	gelAabb box;                    // box around the nodes [m]
	struct gelCoarseBoxes* coarse;  // boxes of the tree over the cells; NULL: queries are not enabled
	gelVec4* skinNodes;             // nodes and one for padding, for the art [m]
	struct gelCofactors* cofactors; // the same, for normals
	atomic_uint coarseState;        // gelCoarseState
	uint32_t slot;                  // in the world
	uint64_t vertexCall;            // the last gelWorld_GetVertices that it was part of

	// ---- outcome of the last step ----
	int groundContactCount;
	bool wasPutBack;     // the step gave NaN or infinity
	bool wasUnfolded;    // it came to rest inside out and got its rest shape
	bool hasLoggedReset; // a put-back has been logged; until the game resets the body
	bool isUsable;       // rotations are still rotations
	bool isFolding;      // a tet may be flat or inside out: fast/unfolding.h
} gelBody;

/// Node a of a body in the world [m].
static inline gelVec3 gelToWorld( const gelBody* body, gelVec3 a )
{
	return ( gelVec3 ){ (float)( body->origin[0] + a.x ), (float)( body->origin[1] + a.y ),
		(float)( body->origin[2] + a.z ) };
}

static inline gelVec3 gelToBody( const gelBody* body, gelVec3 a )
{
	return ( gelVec3 ){ (float)( a.x - body->origin[0] ), (float)( a.y - body->origin[1] ),
		(float)( a.z - body->origin[2] ) };
}

/// Deformation gradient of a tet: F = I + sum over corners of u_i g_i^T with displacements u = x - X. The
/// displacement form is exactly the identity at rest, where Ds Dm^-1 would be off by rounding.
static inline gelMat3 gelDeformationGradient( const gelPackView* pack, uint32_t tet, const gelVec3* x )
{
	const uint32_t* node = pack->tets[tet].node;
	const gelPackTetRest* rest = pack->tetRests + tet;
	gelVec3 u0 = gelSub( x[node[0]], gelGetRestNode( pack->nodes, node[0] ) );
	gelVec3 u[3], g[3];
	for ( int k = 0; k < 3; ++k )
	{
		u[k] = gelSub( gelSub( x[node[k + 1]], gelGetRestNode( pack->nodes, node[k + 1] ) ), u0 );
		g[k] = gelGetGradient( rest, k );
	}
	return gelMakeDeformation( u, g );
}

/// A body whose nodes are all slower than this [m/s] for this long [s] may fall asleep.
#define GEL_SLEEP_SPEED 0.05f
#define GEL_SLEEP_TIME  0.5f

/// Bodies that touch sleep when all of them are still at once, which many never are if a node that is pressed
/// between two others may not tremble: single nodes of theirs may be so many times as fast as long as the
/// body as a whole is slower than this part.
#define GEL_SLEEP_TREMBLE 5.0f
#define GEL_SLEEP_REST    0.5f

/// To be called whenever something happens to a body from outside of its own step.
static inline void gelBody_Wake( gelBody* body )
{
	body->isAsleep = false;
	body->stillTime = 0.0f;
	if ( body->quietSteps ) *body->quietSteps = 0;
}
