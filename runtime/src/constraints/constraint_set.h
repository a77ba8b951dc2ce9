// SPDX-License-Identifier: MIT
// Transient constraints of a body: pins, springs and attachments to frames that a game adds, moves and
// removes between steps (interact.h). Slots are state; they live in the block of the body and are saved. What
// a step needs beside them is a block of its own, which comes with the first constraint: most bodies are
// never held by any.
#pragma once

#include "gelpack/interact.h"
#include "solvers/rigid_response.h"

/// Upper bound of gelBodyDef.constraintCapacity and frameCapacity.
#define GEL_MAX_CONSTRAINTS 64

/// One constraint. Only fields of 4 and 8 bytes, without padding: state is hashed and saved byte by byte.
typedef struct gelConstraintSlot
{
	// Where the target was at the end of the last step [m, world space]: what it moves from there on becomes
	// velocity, what the point is off from there is drift.
	double previous[3];
	uint32_t kind;       // gelConstraintKind + 1; 0: free
	uint32_t generation; // counts the lives of the slot, for ids
	uint32_t frame1;     // 1-based slot of its frame; 0: the world
	int32_t tet;
	float weight[4];
	gelVec3 target; // [m, space of the frame, else world space]
	gelVec3 axis;   // line: direction, plane: normal [unit, same space]
	float stiffness, damping;
	gelVec3 force; // on the body in the last step [N, world space]
	uint32_t reserved;
} gelConstraintSlot;
_Static_assert( sizeof( gelConstraintSlot ) == 24 + 32 + 24 + 8 + 16, "a slot has no padding" );

/// A rigid frame of the game.
typedef struct gelFrameSlot
{
	uint32_t isUsed;
	uint32_t generation;
	gelVec3 position; // at the end of the next step, if nothing pulls at it [m, world space]
	gelQuat rotation;
	float invMass;      // 0: one-way
	gelVec3 invInertia; // about its own axes [1/(kg m^2)]
	gelVec3 force;      // on the frame in the last step [N]
	gelVec3 torque;     // about its position [N m]
} gelFrameSlot;
_Static_assert( sizeof( gelFrameSlot ) == 8 + 28 + 16 + 24, "a slot has no padding" );

/// A constrained point during one step; all vectors along the axes of the world.
typedef struct gelConstraintPoint
{
	uint32_t node[4];
	float weight[4];     // barycentric, one per corner
	float freeWeight[4]; // the same, 0 for pinned nodes: what impulses act on
	gelVec3 axis[3];     // unit, orthogonal: one per row
	int slot;
	int rowFirst, rowCount;
	uint32_t cluster;
	int listed[4];  // its nodes in gelConstraintSet.nodes
	int frame;      // slot of a two-way frame; -1: its target is not moved by the body
	gelVec3 arm;    // from the frame's position to the anchor [m]
	gelVec3 wanted; // displacement over the step, without drift [m]
	gelVec3 drift;  // displacement that must not become velocity [m]
	float softness; // 1 / ( h^2 k + h c ) [1/kg]; 0: hard
} gelConstraintPoint;

/// Rows that are solved together: hard ones that share nodes, or soft ones that share a frame.
typedef struct gelConstraintCluster
{
	int rowFirst, rowCount;
	int matrixFirst;          // start of its lower triangle by rows, rowCount^2 numbers
	int nodeFirst, nodeCount; // range of its nodes, each listed once
	bool isSoft;
} gelConstraintCluster;

/// What the rest of the runtime asks of a set. The folder may be left out of a build (core/parts.h): bodies
/// have no set then, and only the table of solvers refers to these functions.
typedef struct gelConstraintCalls
{
	/// Takes slots and frames from the arena of a body; NULL while sizes are added up, or for capacity 0.
	struct gelConstraintSet* ( *layOut )( gelArena* arena, const gelBodyDef* def );

	/// Makes room for the rows of a body that has a set, unless there is. Nothing for solvers that hold
	/// constraints by means of their own. @return false: no memory, and nothing has changed
	bool ( *reserve )( const gelAllocator* allocator, gelBody* body );

	/// The same if any of the slots of a saved state, which need not be aligned, is used.
	bool ( *reserveFor )( const gelAllocator* allocator, gelBody* body, const void* slots );

	/// Gives that room back.
	void ( *release )( const gelAllocator* allocator, struct gelConstraintSet* set );

	/// Lets the targets of the world go to where their points are: after the game has put the body somewhere.
	void ( *follow )( gelBody* body );

	/// Carries targets and frames along when the body is teleported: x' = R x + t in the world.
	void ( *carry )( gelBody* body, gelQuat rotation, const double translation[3] );

	/// Slots and frames, for saved states. @return the number of spans
	int ( *listState )( const struct gelConstraintSet* set, gelStateSpan* out );

	/// Position of the target of a slot [m, world space].
	void ( *getTarget )( const struct gelConstraintSet* set, const gelConstraintSlot* slot, double out[3] );

	// ---- of solvers with a baked factor (constraint_schur.h), in the order of a step ---------------------

	/// Solves the constraints at positions x, which it changes. body->xOld are those at the start of the
	/// step.
	void ( *solve )( gelBody* body, float h, gelVec3* x );

	/// Takes the motion that the constraints forbid out of a displacement of the free nodes, in the order of
	/// rows, that answers to impulses elsewhere; keeps what they have to hold against for accept.
	void ( *filter )( gelBody* body, gelVec3* displacements );

	/// The body went scale times that displacement.
	void ( *accept )( gelBody* body, float scale );

	/// After the velocities: takes back a part of the drift, by positions alone. Then ends the step of the
	/// rows.
	void ( *finish )( gelBody* body, float h );
} gelConstraintCalls;

extern const gelConstraintCalls gel_constraintCalls;

typedef struct gelConstraintSet
{
	const gelConstraintCalls* calls;
	int capacity, frameCapacity;
	gelConstraintSlot* slots;
	gelFrameSlot* frames;

	// ---- of one step: NULL until there has been a constraint ----
	void* rowMemory; // memory of all arrays below
	size_t rowBytes;
	gelConstraintPoint* points; // by cluster
	gelConstraintCluster* clusters;
	int pointCount, clusterCount, rowCount;
	int* rowPoints;         // per row: its point
	double* rowScales;      // 1 / norm of the row over the free nodes; 1 for soft rows
	double* impulses;       // per row: of the step so far [kg m]
	double* work;           // per row, three times
	uint32_t* nodes;        // by cluster
	double ( *sums )[3];    // per listed node: opposite impulses cancel before they are rounded to float
	double* matrix;         // rows^2
	struct gelSchur* schur; // complement for the fast corotated solver; NULL in bodies of other solvers
} gelConstraintSet;

/// Position of the target of a slot [m, world space].
void gelConstraintSet_GetTarget( const gelConstraintSet* set, const gelConstraintSlot* slot, double out[3] );

/// Anchor of an attachment seen from its frame's position, along the world's axes [m].
gelVec3 gelConstraintSet_GetArm( const gelConstraintSet* set, const gelConstraintSlot* slot );

/// Whether any constraint acts.
static inline bool gelBody_IsConstrained( const gelBody* body )
{
	const gelConstraintSet* set = body->constraints;
	for ( int i = 0; set != NULL && i < set->capacity; ++i )
	{
		if ( set->slots[i].kind != 0 ) return true;
	}
	return false;
}

/// The answer of a body at x [m, relative to its origin] as a rigid one. One that something holds cannot
/// turn, unless gelConstraintCalls.filter takes out what is forbidden.
static inline gelContactResponse gelMakeContactResponse( const gelBody* body, const gelVec3* x )
{
	bool isProjected = body->solver->constraintForm == gel_constraintsByProjection;
	if ( body->pinCount > 0 || ( isProjected && gelBody_IsConstrained( body ) ) )
		return ( gelContactResponse ){ 0 };
	return gelMakeRigidResponse( body, x );
}

static inline gelVec3 gelInterpolate( const uint32_t node[4], const float w[4], const gelVec3* x )
{
	gelVec3 p = gelScale( w[0], x[node[0]] );
	for ( int k = 1; k < 4; ++k )
		p = gelMulAdd( p, w[k], x[node[k]] );
	return p;
}

/// As gelRotate, through the matrix: other roundings, which the bits of a step come from.
static inline gelVec3 gelRotateByMatrix( gelQuat q, gelVec3 a )
{
	return gelMulMV( gelMakeMat3FromQuat( q ), a );
}
