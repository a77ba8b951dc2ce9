// SPDX-License-Identifier: MIT
// The laws of one contact, as impulses on displacements [kg m] that add up over the iterations of a step:
// Signorini's for the normal, Coulomb's for friction, both projected (Civit-Flores, section 3.4.3, with the
// sums over iterations that projected Gauss-Seidel needs). Written on sums, a later iteration can take back
// what an earlier one gave, and the bound of friction is that of the whole normal impulse and not of its last
// change.
//
// A change of one iteration is found in the metric of the lumped masses, and may then be given `ratio` times,
// because the body as a whole is heavier than the nodes alone: the laws hold for that sum.
#pragma once

#include "math/gel_math.h"

typedef struct gelContactForce
{
	float mu;               // coefficient of friction in this step
	float lambda;           // normal impulse of this step so far, >= 0
	float lambdaChange;     // what this iteration adds to it
	gelVec3 friction;       // tangential impulse of this step so far
	gelVec3 frictionChange; // what this iteration adds to it
} gelContactForce;

/// Part of the depth that is taken back per step, by places alone.
#define GEL_PUSH_RATE 0.2f

/// No more than this per step, in sizes of the smaller body: a deep overlap ends in a second, without a blow.
#define GEL_MAX_PUSH 0.04f

/// What is in the ground at the start of a step, and cannot be raised as a whole, leaves at this speed [m/s]:
/// within one step it would be shot into the air.
#define GEL_DEPENETRATION_SPEED 1.0f

/// Points slower than this along the surface [m/s] stick: static friction. Decided by the motion at the start
/// of the step, not by which contact an iteration happens to overload first: contacts would break loose one
/// by one.
#define GEL_STICK_SPEED 0.1f

/// The next change of the normal impulse, given how far the point is above where it must not be below [m]. It
/// never pulls in sum, and a point that was lifted too far is let down again.
/// @param invMass of the point, or of both [1/kg] @return what to add now
static inline float gelContactForce_Push( gelContactForce* c, float height, float invMass, float ratio )
{
	float change = fmaxf( -height / invMass, -( c->lambda / ratio + c->lambdaChange ) );
	c->lambdaChange += change;
	return change;
}

/// The next change of friction, given how far the point has slipped in this step [m]: what undoes it, as far
/// as the cone allows. @return what to add now
static inline gelVec3 gelContactForce_Rub( gelContactForce* c, gelVec3 slip, float invMass, float ratio )
{
	gelVec3 total = gelMulAdd( c->friction, ratio, c->frictionChange );
	total = gelMulAdd( total, -ratio / invMass, slip );
	float bound = c->mu * fmaxf( 0.0f, c->lambda + ratio * c->lambdaChange ), length = gelLength( total );
	if ( length > bound ) total = gelScale( bound / length, total );
	gelVec3 change = gelScale( 1.0f / ratio, gelSub( total, c->friction ) );
	gelVec3 step = gelSub( change, c->frictionChange );
	c->frictionChange = change;
	return step;
}

/// Takes the change scale times.
static inline void gelContactForce_Accept( gelContactForce* c, float scale )
{
	c->lambda = fmaxf( 0.0f, c->lambda + scale * c->lambdaChange );
	c->friction = gelMulAdd( c->friction, scale, c->frictionChange );
	c->lambdaChange = 0.0f;
	c->frictionChange = gelMakeVec3( 0.0f, 0.0f, 0.0f );
}

/// The part of a displacement along the surface.
static inline gelVec3 gelTangential( gelVec3 a, gelVec3 normal )
{
	return gelMulAdd( a, -gelDot( normal, a ), normal );
}
