// SPDX-License-Identifier: MIT
// Contacts of ellipsoids after a sub-step: impulses one contact after another, several times around
// (projected Gauss-Seidel on sums of impulses, as contact_force.h has it).
//
// A particle is light, but its neighbors hold it. Turned alone it would be turned back by the next solve,
// and bodies would slide on their particles as on wheels. So it answers as a node of a cage does within an
// implicit step (contact_solve.h), with the stiffness Kr that its neighbors hold its rotation with,
//     dw = arm x J / ( I + h^2 Kr )
// and the rest of the moment, which is what they hold it with, turns the body as a whole: momenta are kept.
// Bodies on handles also answer by dv = J / ( m + h^2 K ), and the rest goes into the handles: heavy things
// would press through a sheet that is held by its corners, particle by particle. (Free bodies as a whole
// instead, by the rest of J: lower ones of a tower rocked on the ground, which answers only in the next
// sub-step.)
#include "contact/particles/particle_contact.h"
#include "constraints/constraint_set.h"
#include "contact/response/contact_solve.h"
#include "math/turn_math.h"
#include "state/world.h"

#include <string.h>

#define GEL_ELLIPSOID_SWEEPS 4

// W~: how much softer nodes are than their own stiffness says.
#define GEL_ELLIPSOID_SOFTNESS 2.0f

// ---- bodies of tets --------------------------------------------------------------------------------------

// It moves when it is hit: its step has succeeded, and it does not sleep.
static bool CanMove( const gelBody* body )
{
	return !body->isAsleep && !body->wasPutBack;
}

static void HitBody( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f && body->contact != NULL );
	gelBodyContact* touch = body->contact;
	if ( touch->isHit || !CanMove( body ) ) return;
	size_t bytes = (size_t)body->asset->nodeCount * sizeof( gelVec3 );
	touch->isHit = true;
	touch->softness = GEL_ELLIPSOID_SOFTNESS;
	gelPrepareBodyContact( body, h );
	memset( touch->bulge, 0, bytes );
	memset( touch->nodal, 0, bytes );
	touch->shift = touch->turn = gelMakeVec3( 0.0f, 0.0f, 0.0f );
}

// Its velocity at the end of its own step, and what ellipsoids have changed since, as W~ sees it.
static gelVec3 GetBodyVelocity( const gelEllipsoidContact* c )
{
	const gelBodyContact* touch = c->body->contact;
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	if ( touch->isHit ) sum = gelBodyContact_GetRigidMove( touch, c->armB );
	for ( int k = 0; k < 4; ++k )
	{
		sum = gelMulAdd( sum, c->weight[k], c->body->v[c->node[k]] );
		if ( touch->isHit ) sum = gelMulAdd( sum, c->weight[k], touch->bulge[c->node[k]] );
	}
	return sum;
}

static void PushBody( const gelEllipsoidContact* c, gelVec3 impulse )
{
	gelBodyContact* touch = c->body->contact;
	if ( !touch->isHit ) return;
	gelBodyContact_PushRigid( touch, c->armB, impulse );
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = c->node[k];
		touch->nodal[node] = gelMulAdd( touch->nodal[node], c->weight[k], impulse );
		float move = touch->softness * touch->compliance[node] * c->weight[k];
		touch->bulge[node] = gelMulAdd( touch->bulge[node], move, impulse );
	}
}

static float GetBodyInvMass( const gelEllipsoidContact* c, gelVec3 direction )
{
	const gelBodyContact* touch = c->body->contact;
	if ( !touch->isHit ) return 0.0f;
	float sum = gelBodyContact_GetRigidInvMass( touch, c->armB, direction );
	for ( int k = 0; k < 4; ++k )
		sum += touch->softness * c->weight[k] * c->weight[k] * touch->compliance[c->node[k]];
	return sum;
}

void gelAnswerEllipsoids( struct gelWorld* world, float h )
{
	GEL_ASSERT( h > 0.0f );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		if ( gelGetParticles( body ) || body->contact == NULL || !body->contact->isHit ) continue;
		body->contact->isHit = false;
		gelVec3* nodal = body->contact->nodal;
		for ( int k = 0; k < body->asset->nodeCount; ++k )
			nodal[k] = gelScale( h, nodal[k] );
		gelAnswerBodyContact( body );
		bool isUsable = true;
		for ( int k = 0; k < body->asset->nodeCount; ++k )
			isUsable = isUsable && gelIsUsable( gelAdd( body->x[k], nodal[k] ) );
		for ( int k = 0; k < body->asset->nodeCount && isUsable; ++k )
		{
			body->x[k] = gelAdd( body->x[k], nodal[k] );
			body->v[k] = gelMulAdd( body->v[k], 1.0f / h, nodal[k] );
		}
		gelBody_RefitCoarse( body );
	}
}

// ---- both sides ------------------------------------------------------------------------------------------

static gelVec3 GetBallVelocity( const gelEllipsoidStep* step, const gelEllipsoid* ellipsoid, gelVec3 arm )
{
	const gelEllipsoidBody* body = step->bodies + ellipsoid->owner;
	gelVec3 from = gelAdd( gelSub( ellipsoid->x, body->touch->center ), arm );
	gelVec3 whole = gelAdd( body->shift, gelCross( body->turn, from ) );
	return gelAdd( gelAdd( ellipsoid->v, gelCross( ellipsoid->w, arm ) ), whole );
}

gelVec3 gelEllipsoidStep_GetVelocity( const gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	gelVec3 a = GetBallVelocity( step, step->ellipsoids + c->a, c->armA );
	if ( c->b >= 0 ) return gelSub( a, GetBallVelocity( step, step->ellipsoids + c->b, c->armB ) );
	return gelSub( a, c->body ? GetBodyVelocity( c ) : c->velocityB );
}

// The moment that goes to the body as a whole.
static gelVec3 GetMoment(
	const gelEllipsoidBody* body, const gelEllipsoid* ellipsoid, gelVec3 arm, gelVec3 impulse )
{
	gelVec3 from = gelSub( ellipsoid->x, body->touch->center );
	return gelCross(
		gelAdd( gelScale( ellipsoid->rest, from ), gelScale( ellipsoid->turnRest, arm ) ), impulse );
}

static float GetBallInvMass(
	const gelEllipsoidStep* step, const gelEllipsoid* ellipsoid, gelVec3 arm, gelVec3 direction )
{
	const gelEllipsoidBody* body = step->bodies + ellipsoid->owner;
	gelVec3 lever = gelCross( gelAdd( gelSub( ellipsoid->x, body->touch->center ), arm ), direction );
	gelVec3 turn = gelBodyContact_MulInertia( body->touch, GetMoment( body, ellipsoid, arm, direction ) );
	return ellipsoid->invMass + ellipsoid->invInertia * gelLengthSquared( gelCross( arm, direction ) ) +
		ellipsoid->rest * body->touch->invMass + gelMaxFloat( gelDot( lever, turn ), 0.0f );
}

static float GetInvMass( const gelEllipsoidStep* step, const gelEllipsoidContact* c, gelVec3 direction )
{
	float sum = GetBallInvMass( step, step->ellipsoids + c->a, c->armA, direction );
	if ( c->b >= 0 ) return sum + GetBallInvMass( step, step->ellipsoids + c->b, c->armB, direction );
	return c->body ? sum + GetBodyInvMass( c, direction ) : sum;
}

static void PushEllipsoid( gelEllipsoidStep* step, gelEllipsoid* ellipsoid, gelVec3 arm, gelVec3 impulse )
{
	gelEllipsoidBody* body = step->bodies + ellipsoid->owner;
	ellipsoid->v = gelMulAdd( ellipsoid->v, ellipsoid->invMass, impulse );
	ellipsoid->w = gelMulAdd( ellipsoid->w, ellipsoid->invInertia, gelCross( arm, impulse ) );
	body->shift = gelMulAdd( body->shift, ellipsoid->rest * body->touch->invMass, impulse );
	body->turn = gelAdd(
		body->turn, gelBodyContact_MulInertia( body->touch, GetMoment( body, ellipsoid, arm, impulse ) ) );
}

static void Apply( gelEllipsoidStep* step, const gelEllipsoidContact* c, gelVec3 impulse )
{
	PushEllipsoid( step, step->ellipsoids + c->a, c->armA, impulse );
	if ( c->b >= 0 ) PushEllipsoid( step, step->ellipsoids + c->b, c->armB, gelNeg( impulse ) );
	if ( c->body ) PushBody( c, gelNeg( impulse ) );
}

// ---- contacts --------------------------------------------------------------------------------------------

static void SolveContact( gelEllipsoidStep* step, gelEllipsoidContact* c )
{
	gelVec3 n = c->normal;
	float speed = gelDot( n, gelEllipsoidStep_GetVelocity( step, c ) );
	if ( speed >= 0.0f && c->force.lambdaChange == 0.0f ) return; // apart, and without friction
	Apply( step, c, gelScale( gelContactForce_Push( &c->force, speed, c->invMass, 1.0f ), n ) );
	gelVec3 slip = gelTangential( gelEllipsoidStep_GetVelocity( step, c ), n );
	speed = gelLength( slip );
	if ( !( speed > 1.0e-12f ) ) return;
	float invMass = GetInvMass( step, c, gelScale( 1.0f / speed, slip ) );
	Apply( step, c, gelContactForce_Rub( &c->force, slip, invMass, 1.0f ) );
}

gelVec3 gelEllipsoid_GetMove( const gelEllipsoidStep* step, const gelEllipsoid* ellipsoid, gelVec3 arm )
{
	gelVec3 old = gelAdd( ellipsoid->v0, gelCross( ellipsoid->w0, arm ) );
	return gelScale( ellipsoid->h, gelSub( GetBallVelocity( step, ellipsoid, arm ), old ) );
}

static void HitEllipsoid( gelEllipsoidStep* step, int index, float h )
{
	GEL_ASSERT( index >= 0 && index < step->ellipsoidCount && h > 0.0f );
	gelEllipsoidBody* body = step->bodies + step->ellipsoids[index].owner;
	body->touch->isHit = true;
	if ( !body->isHit ) gelHitEllipsoidBody( step, body, h );
}

static void Prepare( gelEllipsoidStep* step, gelEllipsoidContact* c, float h )
{
	GEL_ASSERT( h > 0.0f );
	HitEllipsoid( step, c->a, h );
	if ( c->b >= 0 ) HitEllipsoid( step, c->b, h );
	if ( c->body )
	{
		HitBody( c->body, h );
		gelVec3 p = { 0.0f, 0.0f, 0.0f };
		for ( int k = 0; k < 4; ++k )
			p = gelMulAdd( p, c->weight[k], c->body->x[c->node[k]] );
		c->armB = gelSub( p, c->body->contact->center );
	}
	gelEllipsoidBody *a = step->bodies + step->ellipsoids[c->a].owner, *b = NULL;
	if ( c->b >= 0 ) b = step->bodies + step->ellipsoids[c->b].owner;
	bool isGround = gelEllipsoidContact_IsGround( c );
	a->body->groundContactCount += isGround;
	a->meetsOthers = a->meetsOthers || !( isGround || a == b );
	if ( b != NULL && a != b ) b->meetsOthers = true;
	gelVec3 slip = gelTangential( gelEllipsoidStep_GetVelocity( step, c ), c->normal );
	bool isSliding = gelLengthSquared( slip ) > GEL_STICK_SPEED * GEL_STICK_SPEED;
	c->force.mu = c->friction[isSliding];
}

// What a collider feels, as a force over the step.
static void AddReaction( struct gelWorld* world, const gelEllipsoidContact* c, float h )
{
	const gelEllipsoidStep* step = world->contact->ellipsoids;
	gelCollider* collider = world->colliders + ( c->collider1 - 1 );
	gelVec3 impulse = gelMulAdd( c->force.frictionChange, c->force.lambdaChange, c->normal );
	gelVec3 force = gelScale( -1.0f / h, impulse );
	gelVec3 shift =
		gelGetOffset( gelEllipsoidContact_GetBodyA( step, c )->origin, collider->motion.end.position );
	gelVec3 arm = gelAdd( gelAdd( step->ellipsoids[c->a].x, c->armA ), shift );
	collider->reaction.force = gelAdd( collider->reaction.force, force );
	collider->reaction.torque = gelAdd( collider->reaction.torque, gelCross( arm, force ) );
}

// Who moves wakes whom it touches. Bodies that are still do not: each would wake the other for ever.
static void Wake( const gelBody* body, const gelBody* other )
{
	if ( other->isAsleep && !body->contact->isStill ) other->contact->wakesUp = true;
}

void gelSolveEllipsoidIsland(
	struct gelWorld* world, const gelEllipsoidIsland* island, const gelEllipsoidRound* round )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	for ( int i = 0; i < island->count; ++i )
		Prepare( step, gelEllipsoidIsland_Get( step, island, i ), round->h );
	gelShareExitDirections( world, island, round );
	for ( int i = 0; i < island->count; ++i )
	{
		gelEllipsoidContact* c = gelEllipsoidIsland_Get( step, island, i );
		c->invMass = GetInvMass( step, c, c->normal );
	}
	// up and down the list: who comes last is not always the same
	for ( int sweep = 0; sweep < GEL_ELLIPSOID_SWEEPS; ++sweep )
	{
		for ( int i = 0; i < island->count; ++i )
			SolveContact(
				step, gelEllipsoidIsland_Get( step, island, sweep % 2 == 0 ? i : island->count - 1 - i ) );
	}
}

void gelWakeAndSumReactions( struct gelWorld* world, const gelEllipsoidRound* round )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	for ( int i = 0; i < step->contactCount; ++i )
	{
		const gelEllipsoidContact* c = step->contacts + step->keys[i].index;
		const gelBody *a = gelEllipsoidContact_GetBodyA( step, c ),
					  *b = gelEllipsoidContact_GetBodyB( step, c );
		if ( b != NULL )
		{
			Wake( a, b );
			Wake( b, a );
		}
		if ( c->collider1 != 0 ) AddReaction( world, c, round->h );
	}
}
