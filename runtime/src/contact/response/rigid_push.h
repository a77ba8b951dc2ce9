// SPDX-License-Identifier: MIT
// Bodies moved as rigid ones until contacts have what they lack. Contacts that contradict each other must not
// win by coming last, so all are asked at once and each body takes the mean of what they want (Cimmino's
// method): in every round what each contact lacks is counted with its bodies, then shared.
#pragma once

#include "state/body_contact.h"

/// Rounds of means.
#define GEL_PUSH_ROUNDS 16

/// One side of a contact. Without touch it does not move.
typedef struct gelRigidSide
{
	gelBodyContact* touch;
	gelVec3 arm; // from the center of mass of the body [m]
} gelRigidSide;

static inline gelVec3 gelGetRigidMove( gelRigidSide a, gelRigidSide b )
{
	gelVec3 move = a.touch ? gelBodyContact_GetRigidMove( a.touch, a.arm ) : gelMakeVec3( 0.0f, 0.0f, 0.0f );
	return b.touch ? gelSub( move, gelBodyContact_GetRigidMove( b.touch, b.arm ) ) : move;
}

static inline void gelCountLack( gelRigidSide a, gelRigidSide b )
{
	if ( a.touch ) ++a.touch->lackCount;
	if ( b.touch ) ++b.touch->lackCount;
}

/// The same share for both bodies, so that neither their center of mass nor their angular momentum is moved.
/// @param lack along the normal, from B to A [m] @param invMass of both as rigid bodies [1/kg]
static inline void gelShareLack( gelRigidSide a, gelRigidSide b, gelVec3 normal, float lack, float invMass )
{
	int count = a.touch ? a.touch->lackCount : 0;
	if ( b.touch && b.touch->lackCount > count ) count = b.touch->lackCount;
	gelVec3 impulse = gelScale( lack / ( invMass * (float)count ), normal );
	if ( a.touch ) gelBodyContact_PushRigid( a.touch, a.arm, impulse );
	if ( b.touch ) gelBodyContact_PushRigid( b.touch, b.arm, gelNeg( impulse ) );
}

// ---- lists -----------------------------------------------------------------------------------------------

/// What a contact wants, in a list.
typedef struct gelRigidPush
{
	gelRigidSide a, b;
	gelVec3 normal;  // unit, from B to A
	float floor;     // how far A is to move against B along it, at least [m]
	float leastLack; // what is missing by less is not looked at [m]
	float lack;      // what is missing [m]
	float invMass; // inverse mass of both as rigid bodies, along the normal [1/kg]; 0: rigid motion does not
				   // help
	struct gelRigidPush* next;
} gelRigidPush;

/// How far A has moved against B along the normal [m].
static inline float gelRigidPush_GetMove( const gelRigidPush* push )
{
	return gelDot( push->normal, gelGetRigidMove( push->a, push->b ) );
}

/// Inverse mass of what a side belongs to, along a direction [1/kg].
static inline float gelRigidSide_GetInvMass( gelRigidSide side, gelVec3 direction )
{
	return side.touch ? gelBodyContact_GetRigidInvMass( side.touch, side.arm, direction ) : 0.0f;
}

/// What is missing in a list, since it was looked at last; touch->lackCount, 0 before, says how many contacts
/// want it of a body. @return whether anything is
bool gelCountLacks( gelRigidPush* first );

/// Moves the bodies of a list: adds to touch->shift and touch->turn.
void gelPushRigid( gelRigidPush* first );
