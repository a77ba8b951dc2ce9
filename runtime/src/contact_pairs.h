// SPDX-License-Identifier: MIT
// Response to contacts between embedded points of two bodies, or of a body and something that moves as it is
// told (the static world, kinematic and rigid bodies), on candidate displacements: a solver has found
// positions x, the step began at xOld, and D = ( x - xOld )_A - ( x - xOld )_B is how the two points have
// moved against each other. With the unit normal n from B to A and the gap g = n . ( p_A - p_B ) at the start
// of the step
//     n . D >= -max( g, 0 )        open contacts may close their gap, others must not get deeper
//     |friction| <= mu lambda      friction undoes the tangential part of D, as far as the cone allows
// by impulses that add up over sweeps (contact_force.h) and act in the metric of the lumped masses, split by
// inverse effective masses (interact_points.h). Forming D from displacements of nodes and not from places
// keeps the digits that a large world would cost. Contacts that separate get nothing: nothing sticks.
//
// Two kinds of sweep. Gauss-Seidel takes contacts in turn. Shared, for many contacts on the same nodes: every
// node's mass is split among its contacts, which are solved as if alone and added up; it needs more sweeps,
// and no order of contacts shows in it. (Civit-Flores averages; splitting the mass is that with momentum
// kept.)
//
// What depth is there at the start is taken back by positions alone, after the velocities have been made of x
// - xOld: gelContactPairs_Stabilise. As part of the response it would become a bounce.
#pragma once

#include "contact_force.h"

/// A body as contacts see it; arrays by node.
typedef struct gelContactBody
{
	gelVec3* x;             // candidate positions [m]; changed
	const gelVec3* xOld;    // at the start of the step
	const gelVec3* v;       // velocities at its start [m/s], for bounces
	const float* invMasses; // [1/kg]; 0: is moved by nobody
	gelVec3* sums;          // scratch
	float* counts;          // scratch
} gelContactBody;

/// One side of a contact.
typedef struct gelContactSide
{
	int body; // index of its gelContactBody; -1: moves as it is told
	int tet;  // of the body, for the order
	uint32_t node[4];
	float w[4];
	gelVec3 move; // of a side that moves as it is told: over the step [m]
} gelContactSide;

typedef struct gelContactPair
{
	gelContactSide a, b;
	gelVec3 normal;    // from B to A; made a unit vector
	float gap;         // at the start of the step [m]; < 0: depth
	float mu;          // coefficient of friction
	float restitution; // 0 .. 1
	uint64_t feature;  // the same in every step for the same contact: order and warm start

	// ---- found by Prepare ----
	float invMassA, invMassB; // [1/kg]
	float floor;              // n . D must not be below [m]
	gelContactForce force;
} gelContactPair;

/// Impulses of a contact in the last step.
typedef struct gelContactMemory
{
	uint64_t feature;
	float lambda;
	gelVec3 friction;
} gelContactMemory;

/// Friction of two materials.
static inline float gelMixFriction( float muA, float muB )
{
	return sqrtf( muA * muB );
}

/// Checks, completes and sorts contacts: by body, tet and feature, so that the order in which they were found
/// does not matter. Drops those without a normal, and those that nothing can move. @return how many are left
int gelContactPairs_Prepare( gelContactPair* pairs, int count, const gelContactBody* bodies, float h );

/// Gives contacts that were there in the last step a part of their impulses at once. @param memory by feature
void gelContactPairs_WarmStart( gelContactPair* pairs, int count, const gelContactBody* bodies,
	const gelContactMemory* memory, int memoryCount );

/// Remembers the impulses, by feature. @param out count elements
void gelContactPairs_Remember( const gelContactPair* pairs, int count, gelContactMemory* out );

/// One sweep in turn.
void gelContactPairs_Sweep( gelContactPair* pairs, int count, const gelContactBody* bodies );

/// One sweep in which contacts share the masses of their nodes.
/// @param nodeCounts of the bodies
void gelContactPairs_SweepShared(
	gelContactPair* pairs, int count, const gelContactBody* bodies, const int* nodeCounts, int bodyCount );

/// Takes back a part of what contacts are deeper than slop [m], by positions alone. Corrections on the same
/// node are averaged: contacts that contradict each other do not tremble.
/// @param rate 0 .. 1, usually 0.3
void gelContactPairs_Stabilise( const gelContactPair* pairs, int count, const gelContactBody* bodies,
	const int* nodeCounts, int bodyCount, float rate, float slop );

/// How the points have moved against each other [m].
gelVec3 gelContactPair_GetMove( const gelContactPair* pair, const gelContactBody* bodies );
