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

/// NULL in gelBody.touch: the body takes no part.
typedef struct gelBodyContact
{
	// ---- settings ----
	bool isEnabled, isSelfEnabled;
	uint32_t category, mask;
	float friction;  // < 0: of the materials
	float thickness; // thickness of its thinnest parts [m]; 0: not known

	// ---- constants ----
	float* stiffness; // by node: trace of the diagonal block of the stiffness matrix at rest, over 3 [N/m]

	// ---- of a step ----
	bool isPaired;       // contacts with others are looked for
	int contactCount;    // contacts with other bodies; 0: the body makes its step alone
	bool isNearCollider; // a collider may touch it
	float reach;         // how far it may come out of its box [m]
	int itemCount;       // contacts with the ground and colliders that count
	float leastDepth;    // depth of the shallowest of these [m]
	gelVec3 velocity;    // velocity of the center of mass at its start [m/s]
	int island;
	gelBody* parent;    // in the forest of bodies that touch
	bool isSolved;      // its candidate positions are numbers, so that it takes part
	bool isHit;         // particles press on its tets, or its own touch something (contact/particles)
	bool isStill;       // it was slower than sleep needs in its last step
	bool wakesUp;       // particles have touched its tets while it slept
	int ellipsoidOwner; // index in gelEllipsoidStep.bodies of a body with particles

	// ---- of the solver: how the body answers, roughly (contact_solve.h) ----
	gelContactResponse response;
	gelVec3 center; // center of mass [m]
	gelVec3 invInertia[3];
	float invMass;            // inverse mass of the whole body [1/kg]; 0: something holds it
	float softness;           // learned: how much softer nodes are than their own stiffness says
	double guessed, measured; // sums that softness is learned from
	gelVec3 shift, turn;      // rigid motion of this iteration [m], [rad]
	int lackCount;            // contacts that want rigid motion, in a round of pushing out
	// scratch of the body that its solver does not need any more, by node
	gelVec3* at;       // p: positions that the answer is made for [m]
	gelVec3* bulge;    // xTilde: what nodes move beyond the rigid motion [m]
	gelVec3* nodal;    // uTilde: impulses [kg m], then the true answer [m]
	float* compliance; // the rest of xTilde: of a node alone [1/kg]
} gelBodyContact;

/// Takes memory from the arena of a body; NULL while sizes are added up.
/// @param nodeCount of a body that touches by its surface, else 0
gelBodyContact* gelBodyContact_LayOut( gelArena* arena, int nodeCount );

void gelBodyContact_Init( gelBody* body, const gelBodyDef* def );

/// As gelBodyDef.contactFriction may be.
static inline bool gelIsContactFriction( float friction )
{
	return friction == -1.0f || ( friction >= 0.0f && friction <= 1.0e6f ); // false for NaN
}

/// Whether each one's mask has a bit of the other's category.
static inline bool gelBodyContact_FiltersAgree(
	const gelBodyContact* touch, uint32_t category, uint32_t mask )
{
	return ( touch->category & mask ) != 0 && ( category & touch->mask ) != 0;
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
	return body->contact != NULL && ( body->contact->contactCount > 0 || body->contact->isNearCollider );
}
