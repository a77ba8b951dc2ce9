// SPDX-License-Identifier: MIT
// What a body has for contact with others: settings, and what a step needs to answer to impulses.
#pragma once

#include "state/body.h"

/// Rigid turning of a body at the start of its contact stage.
typedef struct gelContactResponse
{
	double center[3];     // center of mass, relative to the body's origin [m]
	double invInertia[9]; // [1/(kg m^2)], symmetric
	bool canTurn;         // false: pinned, or all mass on a line
} gelContactResponse;

/// A contact that carried load in the last step: what the next one begins with. State of a body. Of two
/// bodies the one with the smaller slot has it.
typedef struct gelCachedContact
{
	/// Bodies and surfaces: gelFoundContact.feature. Ground and shapes: node << 32 | vertex slot.
	uint64_t feature;
	uint32_t other;  // who is touched: GEL_OTHER_BODY
	uint32_t cell;   // cell of the surface, where the point is
	gelVec3 load;    // what the next step begins with [N, world axes]
	float rate;      // part of the way to the force that the load goes
	float change;    // what it was off by along the normal [N]
	uint32_t isUsed; // 1; 0: the entry is empty
} gelCachedContact;
static_assert( sizeof( gelCachedContact ) == 40, "no padding: it is hashed" );

/// gelCachedContact.other: the ground is 0 and a collider its number, 1-based; with these bits it is a
/// collider with a surface, or the slot of a body.
#define GEL_OTHER_SURFACE 0x40000000u
#define GEL_OTHER_BODY    0x80000000u

/// Whether it is a point on the ground or on a shape.
static inline bool gelCachedContact_IsPoint( const gelCachedContact* cached )
{
	return ( cached->other & ( GEL_OTHER_SURFACE | GEL_OTHER_BODY ) ) == 0;
}

/// Points that touch the ground and shapes at most: thin bodies that lie flat stand on half of their nodes.
static inline int gelCountTouchPoints( int nodeCount )
{
	return nodeCount / 2 + 32;
}

/// Contacts with other bodies and surfaces that are remembered at most; of more, the first are.
#define GEL_MAX_CACHED_PAIRS 96

/// How the points of a body that are touched move by impulses on them (point_answers.h).
typedef struct gelPointAnswers
{
	struct gelContactPoint *first, *last; // its points, by index
	int count;                            // points
	int stride;                           // floats from row to row, a multiple of 16
	float* matrix;                        // [1/kg]; NULL: there is no room, each point knows of itself alone
	float* moves;                         // x, y and z of all points, stride floats each [m]
	bool isExact;                         // they move as the solver of the body would have it
	bool canTurn;
	float softness;        // factor of all but rigid motion
	gelVec3 invInertia[3]; // [1/(kg m^2)]
	gelVec3 lever[3];      // I^-1 Q
	gelVec3 turn, free;    // sums of t_j, and of t_j - l_j [rad]
	gelVec3 shift;         // sum of impulses over mass [m]
} gelPointAnswers;

/// NULL in gelBody.contact: the body touches nothing by its surface.
typedef struct gelBodyContact
{
	// ---- settings ----
	bool takesPart; // touches others than the ground (contact.h); the rest of the settings are about that
	bool isEnabled, isSelfEnabled;
	gelContactFilter filter;
	float friction;  // < 0: of the materials
	float thickness; // thickness of its thinnest parts [m]; 0: not known

	// ---- state ----
	gelCachedContact* cached; // [cacheCapacity], zeros behind the last one
	int cachedCount, cacheCapacity;
	float calmSpeed; // root mean square against its support after the last step (contact_calm.h) [m/s]
	// Where contacts with other bodies and surfaces are found at: the nodes when one of them had last moved
	// by more than a margin (contact_seen.h).
	gelVec3* seen;        // [m, relative to seenOrigin]
	int seenCount;        // nodes; 0: the body has no surface to be touched
	double seenOrigin[3]; // [m, world space]
	bool meetsOthers;     // in its last sub-step a body of particles touched others than the ground

	// ---- of a step ----
	bool isPaired;      // contacts with others are looked for
	uint32_t seenStamp; // step that `seen` is of (gelContactStep.stamp); 0: of a state that came back
	bool hasSeenTree;   // the coarse tree is that of `seen`
	bool needsSeenTree; // and is going to be read
	int contactCount;   // contacts with other bodies and surfaces; 0: the body makes its step alone
	struct gelTouchPoint* points; // [pointCapacity]: where it touches the ground and shapes
	int pointCount, pointCapacity;
	uint32_t pointStamp; // step that they are of (gelContactStep.stamp)
	gelVec3 velocity;    // velocity of the center of mass at its start [m/s]
	int island;
	int part;           // slab of a large island that it belongs to (island_parts.h)
	gelBody* parent;    // in the forest of bodies that touch
	bool isSolved;      // its candidate positions are numbers, so that it takes part
	bool isHit;         // particles press on its tets, or its own touch something (contact/particles)
	bool isStill;       // it was slower than sleep needs in its last step
	bool wakesUp;       // particles have touched its tets while it slept
	int ellipsoidOwner; // index in gelEllipsoidStep.bodies of a body with particles

	// ---- of the solver: how the body answers (contact_solve.h) ----
	gelContactResponse response;
	gelPointAnswers answers;
	gelVec3 center; // center of mass [m]
	gelVec3 invInertia[3];
	float invMass;            // inverse mass of the whole body [1/kg]; 0: something holds it
	float softness;           // learned: how much softer nodes are than their own stiffness says
	double guessed, measured; // sums that softness is learned from
	float pressed;            // sum of the normal forces on it [N]
	gelVec3 shift, turn;      // rigid motion of this iteration [m], [rad]
	int lackCount;            // contacts that want rigid motion, in a round of pushing out
	// By node, in memory that makes the art between steps.
	gelVec3* at;       // positions that the answer is made for [m]
	gelVec3* bulge;    // what nodes move beyond the rigid motion [m]
	gelVec3* nodal;    // impulses [kg m], then the true answer [m]
	gelVec3* rows;     // the same in the order of the solver's rows
	gelVec3* rho;      // A^-1 M r, in that order (constraint_schur.h) [m]
	float* compliance; // compliance of a node alone [1/kg]
} gelBodyContact;

/// Takes memory from the arena of a body; NULL while sizes are added up.
/// @param nodeCount of a body that touches by its surface, else 0
/// @param scratch bytes of the arena from which on memory may be used twice: what the art needs
gelBodyContact* gelBodyContact_LayOut( gelArena* arena, int nodeCount, size_t scratch );

/// Forgets who was touched: the body is somewhere else.
void gelBodyContact_ForgetCached( gelBody* body );

/// Counts the cached contacts again, after they were overwritten.
void gelBodyContact_CountCached( gelBody* body );

/// Whether bytes are cached contacts of a body.
bool gelState_AreCachedContacts( const gelBody* body, const uint8_t* data, size_t bytes );

void gelBodyContact_Init( gelBody* body, const gelBodyDef* def );

/// As gelBodyDef.contactFriction may be.
static inline bool gelIsContactFriction( float friction )
{
	return friction == -1.0f || ( friction >= 0.0f && friction <= 1.0e6f ); // false for NaN
}

/// Whether each one's mask has a bit of the other's category.
static inline bool gelFiltersAgree( gelContactFilter a, gelContactFilter b )
{
	return ( a.category & b.mask ) != 0 && ( b.category & a.mask ) != 0;
}

/// I^-1 a of the body as a rigid one.
static inline gelVec3 gelBodyContact_MulInertia( const gelBodyContact* touch, gelVec3 a )
{
	return gelMakeVec3( gelDot( touch->invInertia[0], a ), gelDot( touch->invInertia[1], a ),
		gelDot( touch->invInertia[2], a ) );
}

/// How shift and turn move a point. @param arm from the center of mass [m]
static inline gelVec3 gelBodyContact_GetRigidMove( const gelBodyContact* touch, gelVec3 arm )
{
	return gelAdd( touch->shift, gelCross( touch->turn, arm ) );
}

/// Adds what an impulse at a point does to shift and turn.
static inline void gelBodyContact_PushRigid( gelBodyContact* touch, gelVec3 arm, gelVec3 impulse )
{
	touch->shift = gelMulAdd( touch->shift, touch->invMass, impulse );
	touch->turn = gelAdd( touch->turn, gelBodyContact_MulInertia( touch, gelCross( arm, impulse ) ) );
}

/// Inverse mass of the rigid body at a point along a direction [1/kg].
static inline float gelBodyContact_GetRigidInvMass(
	const gelBodyContact* touch, gelVec3 arm, gelVec3 direction )
{
	gelVec3 lever = gelCross( arm, direction );
	return touch->invMass + gelDot( lever, gelBodyContact_MulInertia( touch, lever ) );
}

/// Whether a body touches others in this step: candidate positions then go through the contact step.
static inline bool gelBody_IsTouched( const gelBody* body )
{
	return body->contact != NULL && body->contact->contactCount > 0;
}

/// Whether it touches anything at all.
static inline bool gelBody_IsInContact( const gelBody* body )
{
	return gelBody_IsTouched( body ) || ( body->contact != NULL && body->contact->pointCount > 0 );
}
