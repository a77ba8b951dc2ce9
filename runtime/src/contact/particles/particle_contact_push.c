// SPDX-License-Identifier: MIT
// Pushing out: what is too deep after the impulses of a sub-step is taken apart by places alone. Bodies are
// moved as rigid ones first (rigid_push.h): balls that are pushed out of a body one by one are springs, which
// drive the two apart afterwards. What is held, or between others, does not get out so: half of the push is
// insisted on, ball by ball. (contact_push.c does the same for bodies of tets.)
#include "contact/particles/particle_contact.h"
#include "contact/contact_force.h"
#include "contact/response/rigid_push.h"

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

static gelRigidSide GetSideA( const gelBallStep* step, const gelBallContact* c )
{
	return ( gelRigidSide ){ step->bodies[step->balls[c->a].owner].touch, c->leverA };
}

// Nothing but balls is pushed: bodies of tets give way to impulses.
static gelRigidSide GetSideB( const gelBallStep* step, const gelBallContact* c )
{
	gelTouch* touch = c->b >= 0 ? step->bodies[step->balls[c->b].owner].touch : NULL;
	return ( gelRigidSide ){ touch, c->leverB };
}

// From the centre of mass of a ball's body to the end of an arm.
static gelVec3 GetLever( const gelBallStep* step, int index, gelVec3 arm )
{
	const gelBall* ball = step->balls + index;
	return gelAdd( gelSub( ball->x, step->bodies[ball->owner].touch->center ), arm );
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
	c->leastLack = GEL_BALL_LEAST_LACK * size;
	c->leverA = GetLever( step, c->a, c->armA );
	if ( c->b >= 0 ) c->leverB = GetLever( step, c->b, c->armB );
	gelRigidSide a = GetSideA( step, c ), b = GetSideB( step, c );
	c->rigid = isSelf || c->body ? 0.0f : GetRigidInvMass( a, c->normal ) + GetRigidInvMass( b, c->normal );
	return depth > 0.0f;
}

// ---- as rigid bodies -------------------------------------------------------------------------------------

static float GetRigidMove( const gelBallStep* step, const gelBallContact* c )
{
	return gelDot( c->normal, gelGetRigidMove( GetSideA( step, c ), GetSideB( step, c ) ) );
}

// @return whether anything is missing
static bool CountLack( const gelBallStep* step, gelBallContact* c )
{
	c->lack = c->rigid > 0.0f ? c->floor - GetRigidMove( step, c ) : 0.0f;
	if ( !( c->lack > c->leastLack ) ) c->lack = 0.0f;
	if ( c->lack > 0.0f ) gelCountLack( GetSideA( step, c ), GetSideB( step, c ) );
	return c->lack > 0.0f;
}

// The ground is no contact of this list, but bodies are not to be pushed into it.
static void PrepareGround( gelBallStep* step, gelBallBody* body, const gelPlane* ground )
{
	const double* o = body->body->origin;
	gelVec3 n = ground->normal;
	float offset = (float)( ground->offset - ( n.x * o[0] + n.y * o[1] + n.z * o[2] ) );
	for ( int i = body->ballFirst; i < body->ballFirst + body->ballCount; ++i )
	{
		gelBall* ball = step->balls + i;
		float height = gelDot( n, ball->x ) - offset;
		ball->isNearGround = height < ( 1.0f + GEL_NEAR_GROUND ) * ball->reach;
		if ( !ball->isNearGround ) continue;
		gelVec3 point;
		float reach = gelGetBallReach( gelBallStep_GetShape( step, i ), n, &point );
		float gap = height - reach + gelDot( n, gelBall_GetMove( step, ball, gelNeg( point ) ) );
		ball->foot = gelSub( gelSub( ball->x, body->touch->center ), point );
		ball->footFloor = -gelMaxFloat( gap, 0.0f );
		ball->footRigid = gelTouch_GetRigidInvMass( body->touch, ball->foot, n );
	}
	body->isNearGround = true;
}

static bool CountGround( gelBallStep* step, const gelBallBody* body, gelVec3 n )
{
	bool isAny = false;
	const gelRigidSide none = { NULL, n };
	for ( int i = body->ballFirst; i < body->ballFirst + body->ballCount; ++i )
	{
		gelBall* ball = step->balls + i;
		if ( !ball->isNearGround ) continue;
		ball->footLack = ball->footFloor - gelDot( n, gelTouch_GetRigidMove( body->touch, ball->foot ) );
		if ( !( ball->footLack > GEL_BALL_LEAST_LACK * ball->reach ) ) ball->footLack = 0.0f;
		if ( ball->footLack > 0.0f ) gelCountLack( ( gelRigidSide ){ body->touch, ball->foot }, none );
		isAny = isAny || ball->footLack > 0.0f;
	}
	return isAny;
}

static bool CountLacks( gelBallStep* step, const gelBallIsland* island, gelVec3 up )
{
	bool isAny = false;
	for ( int i = island->bodyFirst; i < island->bodyFirst + island->bodyCount; ++i )
		step->bodies[step->bodyOrder[i]].touch->lackCount = 0;
	for ( int i = 0; i < island->count; ++i )
		isAny = CountLack( step, gelBallIsland_Get( step, island, i ) ) || isAny;
	for ( int i = island->bodyFirst; i < island->bodyFirst + island->bodyCount; ++i )
	{
		const gelBallBody* body = step->bodies + step->bodyOrder[i];
		if ( body->isNearGround ) isAny = CountGround( step, body, up ) || isAny;
	}
	return isAny;
}

static void ShareLacks( gelBallStep* step, const gelBallIsland* island, gelVec3 up )
{
	for ( int i = 0; i < island->count; ++i )
	{
		const gelBallContact* c = gelBallIsland_Get( step, island, i );
		if ( c->lack > 0.0f )
			gelShareLack( GetSideA( step, c ), GetSideB( step, c ), c->normal, c->lack, c->rigid );
	}
	for ( int k = island->bodyFirst; k < island->bodyFirst + island->bodyCount; ++k )
	{
		const gelBallBody* body = step->bodies + step->bodyOrder[k];
		const gelRigidSide none = { NULL, up };
		for ( int i = body->ballFirst; body->isNearGround && i < body->ballFirst + body->ballCount; ++i )
		{
			const gelBall* ball = step->balls + i;
			if ( ball->isNearGround && ball->footLack > 0.0f )
				gelShareLack(
					( gelRigidSide ){ body->touch, ball->foot }, none, up, ball->footLack, ball->footRigid );
		}
	}
}

static void PushRigid( gelBallStep* step, const gelBallIsland* island, const gelStepContext* ctx )
{
	gelVec3 up = ctx->ground.normal;
	if ( !CountLacks( step, island, up ) ) return;
	for ( int i = island->bodyFirst; i < island->bodyFirst + island->bodyCount && ctx->hasGround; ++i )
	{
		gelBallBody* body = step->bodies + step->bodyOrder[i];
		if ( body->touch->lackCount > 0 && body->body->groundContactCount > 0 )
			PrepareGround( step, body, &ctx->ground );
	}
	for ( int k = 0; k < GEL_PUSH_ROUNDS; ++k )
	{
		ShareLacks( step, island, up );
		if ( !CountLacks( step, island, up ) ) return;
	}
}

// ---- ball by ball ----------------------------------------------------------------------------------------

// Shared by masses.
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

void gelPushBallIsland( gelBallStep* step, const gelBallIsland* island, const gelBallRound* round )
{
	bool isAny = false;
	for ( int i = 0; i < island->count; ++i )
		isAny = Aim( step, gelBallIsland_Get( step, island, i ), round ) || isAny;
	if ( !isAny ) return;
	PushRigid( step, island, round->ctx );
	for ( int sweep = 0; sweep < GEL_BALL_DENTS; ++sweep )
	{
		for ( int i = 0; i < island->count; ++i )
			Dent( step, gelBallIsland_Get( step, island, i ) );
	}
}
