// SPDX-License-Identifier: MIT
// Pushing out: what is too deep after the impulses of a sub-step is taken apart by places alone. Bodies are
// moved as rigid ones first (rigid_push.h): balls that are pushed out of a body one by one are springs, which
// drive the two apart afterwards. What is held, or between others, does not get out so: half of the push is
// insisted on, ball by ball. (contact_push.c does the same for bodies of tets.)
#include "ball_contact.h"
#include "contact_force.h"
#include "particle_handles.h"
#include "rigid_push.h"
#include "world.h"

// Part of the depth that is taken back in a sub-step, and the depth that is left, so that contacts do not
// come and go, in radii.
#define GEL_BALL_PUSH_RATE 0.2f
#define GEL_BALL_SLOP      0.01f

// What is missing by less is not looked at, in radii.
#define GEL_BALL_LEAST_LACK 1.0e-4f

// By denting: part of the push where bodies can be moved, sweeps.
#define GEL_BALL_LEAST_PUSH 0.5f
#define GEL_BALL_DENTS      2

// Balls above the ground by less than this part of their radius keep their body from being pushed into it.
#define GEL_NEAR_GROUND 0.5f

// ---- what is wanted --------------------------------------------------------------------------------------

static float GetSize( const gelBallStep* step, const gelBallContact* c )
{
	float size = step->balls[c->a].reach;
	return c->b >= 0 ? gelMinFloat( size, step->balls[c->b].reach ) : size;
}

// No more per step than this [m]: a deep overlap ends within a second, and never by a jump.
static float GetMostPush( const gelBallStep* step, const gelBallContact* c, const gelBallRound* round )
{
	const gelBody* a = step->bodies[step->balls[c->a].owner].body;
	float size = a->asset->restSize;
	if ( c->b >= 0 ) size = gelMinFloat( size, step->bodies[step->balls[c->b].owner].body->asset->restSize );
	return GEL_MAX_PUSH * size * ( round->now - round->before );
}

static gelRigidSide GetSide( const gelBallStep* step, int index, gelVec3 arm )
{
	if ( index < 0 ) return ( gelRigidSide ){ NULL, arm };
	const gelBall* ball = step->balls + index;
	gelTouch* touch = step->bodies[ball->owner].touch;
	return ( gelRigidSide ){ touch, gelAdd( gelSub( ball->x, touch->center ), arm ) };
}

static float GetRigidInvMass( gelRigidSide side, gelVec3 n )
{
	return side.touch ? gelTouch_GetRigidInvMass( side.touch, side.arm, n ) : 0.0f;
}

// @return whether it is too deep
static bool Aim( const gelBallStep* step, gelBallContact* c, const gelBallRound* round )
{
	float size = GetSize( step, c );
	gelVec3 move = gelBall_GetMove( step, step->balls + c->a, c->armA );
	if ( c->b >= 0 ) move = gelSub( move, gelBall_GetMove( step, step->balls + c->b, c->armB ) );
	float depth = c->depth - GEL_BALL_SLOP * size - gelDot( c->normal, move );
	c->floor = depth;
	if ( depth > 0.0f ) c->floor = gelMinFloat( GEL_BALL_PUSH_RATE * depth, GetMostPush( step, c, round ) );
	bool isSelf = c->b >= 0 && step->balls[c->a].owner == step->balls[c->b].owner;
	gelRigidSide a = GetSide( step, c->a, c->armA ), b = GetSide( step, c->b, c->armB );
	c->rigid = isSelf || c->body ? 0.0f : GetRigidInvMass( a, c->normal ) + GetRigidInvMass( b, c->normal );
	return depth > 0.0f;
}

// ---- as rigid bodies -------------------------------------------------------------------------------------

// Contacts in their order, then limits of the ground.
static gelBallContact* GetLimit( gelBallStep* step, int i )
{
	return step->contacts + ( i < step->contactCount ? step->keys[i].index : i );
}

static float GetRigidMove( const gelBallStep* step, const gelBallContact* c )
{
	return gelDot(
		c->normal, gelGetRigidMove( GetSide( step, c->a, c->armA ), GetSide( step, c->b, c->armB ) ) );
}

// @return whether anything is missing
static bool CountLack( const gelBallStep* step, gelBallContact* c )
{
	c->lack = c->rigid > 0.0f ? c->floor - GetRigidMove( step, c ) : 0.0f;
	if ( !( c->lack > GEL_BALL_LEAST_LACK * GetSize( step, c ) ) ) c->lack = 0.0f;
	if ( c->lack > 0.0f ) gelCountLack( GetSide( step, c->a, c->armA ), GetSide( step, c->b, c->armB ) );
	return c->lack > 0.0f;
}

static bool CountLacks( gelBallStep* step, int contactCount )
{
	bool isAny = false;
	for ( int i = 0; i < step->bodyCount; ++i )
		step->bodies[i].touch->lackCount = 0;
	for ( int i = 0; i < contactCount; ++i )
		isAny = CountLack( step, GetLimit( step, i ) ) || isAny;
	return isAny;
}

static void ShareLacks( gelBallStep* step, int contactCount )
{
	for ( int i = 0; i < contactCount; ++i )
	{
		const gelBallContact* c = GetLimit( step, i );
		if ( c->lack > 0.0f )
			gelShareLack( GetSide( step, c->a, c->armA ), GetSide( step, c->b, c->armB ), c->normal, c->lack,
				c->rigid );
	}
}

// Balls that stand on the ground, which is no contact of this list, as limits behind it.
// @return how many contacts and limits there are
static int AddGround( gelBallStep* step, const gelBallBody* body, const gelPlane* ground, int count )
{
	const double* o = body->body->origin;
	gelVec3 n = ground->normal;
	float offset = (float)( ground->offset - ( n.x * o[0] + n.y * o[1] + n.z * o[2] ) );
	for ( int i = body->ballFirst; i < body->ballFirst + body->ballCount; ++i )
	{
		const gelBall* ball = step->balls + i;
		float height = gelDot( n, ball->x ) - offset;
		if ( height > ( 1.0f + GEL_NEAR_GROUND ) * ball->reach || count == step->contactCapacity ) continue;
		gelVec3 point = gelMulSym3( gelBallStep_GetShape( step, i ), n );
		float reach = sqrtf( gelMaxFloat( gelDot( n, point ), 1.0e-30f ) );
		gelBallContact c = { .a = i, .b = -1, .normal = n, .armA = gelScale( -1.0f / reach, point ) };
		float gap = height - reach + gelDot( n, gelBall_GetMove( step, ball, c.armA ) );
		c.floor = -gelMaxFloat( gap, 0.0f );
		c.rigid = GetRigidInvMass( GetSide( step, i, c.armA ), n );
		step->contacts[count++] = c;
	}
	return count;
}

static void PushRigid( gelBallStep* step, const gelBallRound* round )
{
	int count = step->contactCount;
	const gelStepContext* ctx = round->ctx;
	if ( !CountLacks( step, count ) ) return;
	for ( int i = 0; i < step->bodyCount && ctx->hasGround; ++i )
	{
		const gelBallBody* body = step->bodies + i;
		if ( body->touch->lackCount > 0 && body->body->groundContactCount > 0 )
			count = AddGround( step, body, &ctx->ground, count );
	}
	for ( int k = 0; k < GEL_PUSH_ROUNDS; ++k )
	{
		ShareLacks( step, count );
		if ( !CountLacks( step, count ) ) return;
	}
}

// ---- ball by ball ----------------------------------------------------------------------------------------

// Shared by masses. Only balls move: bodies of tets give way to impulses.
static void Dent( gelBallStep* step, const gelBallContact* c )
{
	gelBall *a = step->balls + c->a, *b = c->b >= 0 ? step->balls + c->b : NULL;
	gelVec3 dent = b ? gelSub( a->push, b->push ) : a->push;
	float part = c->rigid > 0.0f ? GEL_BALL_LEAST_PUSH : 1.0f;
	float push = part * c->floor - GetRigidMove( step, c ) - gelDot( c->normal, dent );
	float sum = a->invMass + ( b ? b->invMass : 0.0f );
	if ( c->isWedged || !( c->floor > 0.0f && push > 0.0f && sum > 0.0f ) ) return;
	a->push = gelMulAdd( a->push, push * a->invMass / sum, c->normal );
	if ( b ) b->push = gelMulAdd( b->push, -push * b->invMass / sum, c->normal );
}

void gelPushBalls( struct gelWorld* world, const gelBallRound* round )
{
	gelBallStep* step = world->contact->balls;
	bool isAny = false;
	for ( int i = 0; i < step->contactCount; ++i )
		isAny = Aim( step, step->contacts + step->keys[i].index, round ) || isAny;
	if ( !isAny ) return;
	PushRigid( step, round );
	for ( int sweep = 0; sweep < GEL_BALL_DENTS; ++sweep )
	{
		for ( int i = 0; i < step->contactCount; ++i )
			Dent( step, step->contacts + step->keys[i].index );
	}
}
