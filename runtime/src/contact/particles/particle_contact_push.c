// SPDX-License-Identifier: MIT
// Pushing out: what is too deep after the impulses of a sub-step is taken apart by places alone. Bodies are
// moved as rigid ones first (rigid_push.h): ellipsoids that are pushed out of a body one by one are springs,
// which drive the two apart afterwards. What is held, or between others, does not get out so: half of the
// push is insisted on, ellipsoid by ellipsoid. (contact_push.c does the same for bodies of tets.)
#include "contact/particles/particle_contact.h"
#include "contact/contact_force.h"
#include "contact/response/rigid_push.h"

// Part of the depth that is taken back in a sub-step, and the depth that is left, so that contacts do not
// come and go, in radii.
#define GEL_ELLIPSOID_PUSH_RATE 0.2f
#define GEL_ELLIPSOID_SLOP      0.01f

// What is missing by less is not looked at, in radii.
#define GEL_ELLIPSOID_LEAST_LACK 1.0e-4f

// By denting: part of the push where bodies can be moved, sweeps.
#define GEL_ELLIPSOID_LEAST_PUSH 0.5f
#define GEL_ELLIPSOID_DENTS      2

// Ellipsoids above the ground by less than this part of their radius keep their body from being pushed into
// it.
#define GEL_NEAR_GROUND 0.5f

// ---- what is wanted --------------------------------------------------------------------------------------

static float GetSize( const gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	float size = step->ellipsoids[c->a].reach;
	return c->b >= 0 ? gelMinFloat( size, step->ellipsoids[c->b].reach ) : size;
}

// No more per step than this [m]: a deep overlap ends within a second, and never by a jump.
static float GetMostPush(
	const gelEllipsoidStep* step, const gelEllipsoidContact* c, const gelEllipsoidRound* round )
{
	const gelBody* a = step->bodies[step->ellipsoids[c->a].owner].body;
	float size = a->asset->restSize;
	if ( c->b >= 0 )
		size = gelMinFloat( size, step->bodies[step->ellipsoids[c->b].owner].body->asset->restSize );
	return GEL_MAX_PUSH * size * ( round->now - round->before );
}

static gelRigidSide GetSideA( const gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	return ( gelRigidSide ){ step->bodies[step->ellipsoids[c->a].owner].touch, c->leverA };
}

// Nothing but ellipsoids is pushed: bodies of tets give way to impulses.
static gelRigidSide GetSideB( const gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	gelBodyContact* touch = c->b >= 0 ? step->bodies[step->ellipsoids[c->b].owner].touch : NULL;
	return ( gelRigidSide ){ touch, c->leverB };
}

// From the center of mass of a ellipsoid's body to the end of an arm.
static gelVec3 GetLever( const gelEllipsoidStep* step, int index, gelVec3 arm )
{
	const gelEllipsoid* ellipsoid = step->ellipsoids + index;
	return gelAdd( gelSub( ellipsoid->x, step->bodies[ellipsoid->owner].touch->center ), arm );
}

static float GetRigidInvMass( gelRigidSide side, gelVec3 n )
{
	return side.touch ? gelBodyContact_GetRigidInvMass( side.touch, side.arm, n ) : 0.0f;
}

// @return whether it is too deep
static bool Aim( const gelEllipsoidStep* step, gelEllipsoidContact* c, const gelEllipsoidRound* round )
{
	float size = GetSize( step, c );
	gelVec3 move = gelEllipsoid_GetMove( step, step->ellipsoids + c->a, c->armA );
	if ( c->b >= 0 ) move = gelSub( move, gelEllipsoid_GetMove( step, step->ellipsoids + c->b, c->armB ) );
	float depth = c->depth - GEL_ELLIPSOID_SLOP * size - gelDot( c->normal, move );
	c->floor = depth;
	if ( depth > 0.0f )
		c->floor = gelMinFloat( GEL_ELLIPSOID_PUSH_RATE * depth, GetMostPush( step, c, round ) );
	bool isSelf = c->b >= 0 && step->ellipsoids[c->a].owner == step->ellipsoids[c->b].owner;
	c->leastLack = GEL_ELLIPSOID_LEAST_LACK * size;
	c->leverA = GetLever( step, c->a, c->armA );
	if ( c->b >= 0 ) c->leverB = GetLever( step, c->b, c->armB );
	gelRigidSide a = GetSideA( step, c ), b = GetSideB( step, c );
	c->rigid = isSelf || c->body ? 0.0f : GetRigidInvMass( a, c->normal ) + GetRigidInvMass( b, c->normal );
	return depth > 0.0f;
}

// ---- as rigid bodies -------------------------------------------------------------------------------------

static float GetRigidMove( const gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	return gelDot( c->normal, gelGetRigidMove( GetSideA( step, c ), GetSideB( step, c ) ) );
}

// @return whether anything is missing
static bool CountLack( const gelEllipsoidStep* step, gelEllipsoidContact* c )
{
	c->lack = c->rigid > 0.0f ? c->floor - GetRigidMove( step, c ) : 0.0f;
	if ( !( c->lack > c->leastLack ) ) c->lack = 0.0f;
	if ( c->lack > 0.0f ) gelCountLack( GetSideA( step, c ), GetSideB( step, c ) );
	return c->lack > 0.0f;
}

// The ground is no contact of this list, but bodies are not to be pushed into it.
static void PrepareGround( gelEllipsoidStep* step, gelEllipsoidBody* body, const gelPlane* ground )
{
	const double* o = body->body->origin;
	gelVec3 n = ground->normal;
	float offset = (float)( ground->offset - ( n.x * o[0] + n.y * o[1] + n.z * o[2] ) );
	for ( int i = body->ellipsoidFirst; i < body->ellipsoidFirst + body->ellipsoidCount; ++i )
	{
		gelEllipsoid* ellipsoid = step->ellipsoids + i;
		float height = gelDot( n, ellipsoid->x ) - offset;
		ellipsoid->isNearGround = height < ( 1.0f + GEL_NEAR_GROUND ) * ellipsoid->reach;
		if ( !ellipsoid->isNearGround ) continue;
		gelVec3 point;
		float reach = gelGetEllipsoidReach( gelEllipsoidStep_GetShape( step, i ), n, &point );
		float gap = height - reach + gelDot( n, gelEllipsoid_GetMove( step, ellipsoid, gelNeg( point ) ) );
		ellipsoid->foot = gelSub( gelSub( ellipsoid->x, body->touch->center ), point );
		ellipsoid->footFloor = -gelMaxFloat( gap, 0.0f );
		ellipsoid->footRigid = gelBodyContact_GetRigidInvMass( body->touch, ellipsoid->foot, n );
	}
	body->isNearGround = true;
}

static bool CountGround( gelEllipsoidStep* step, const gelEllipsoidBody* body, gelVec3 n )
{
	bool isAny = false;
	const gelRigidSide none = { NULL, n };
	for ( int i = body->ellipsoidFirst; i < body->ellipsoidFirst + body->ellipsoidCount; ++i )
	{
		gelEllipsoid* ellipsoid = step->ellipsoids + i;
		if ( !ellipsoid->isNearGround ) continue;
		ellipsoid->footLack =
			ellipsoid->footFloor - gelDot( n, gelBodyContact_GetRigidMove( body->touch, ellipsoid->foot ) );
		if ( !( ellipsoid->footLack > GEL_ELLIPSOID_LEAST_LACK * ellipsoid->reach ) )
			ellipsoid->footLack = 0.0f;
		if ( ellipsoid->footLack > 0.0f )
			gelCountLack( ( gelRigidSide ){ body->touch, ellipsoid->foot }, none );
		isAny = isAny || ellipsoid->footLack > 0.0f;
	}
	return isAny;
}

static bool CountLacks( gelEllipsoidStep* step, const gelEllipsoidIsland* island, gelVec3 up )
{
	bool isAny = false;
	for ( int i = island->bodyFirst; i < island->bodyFirst + island->bodyCount; ++i )
		step->bodies[step->bodyOrder[i]].touch->lackCount = 0;
	for ( int i = 0; i < island->count; ++i )
		isAny = CountLack( step, gelEllipsoidIsland_Get( step, island, i ) ) || isAny;
	for ( int i = island->bodyFirst; i < island->bodyFirst + island->bodyCount; ++i )
	{
		const gelEllipsoidBody* body = step->bodies + step->bodyOrder[i];
		if ( body->isNearGround ) isAny = CountGround( step, body, up ) || isAny;
	}
	return isAny;
}

static void ShareLacks( gelEllipsoidStep* step, const gelEllipsoidIsland* island, gelVec3 up )
{
	for ( int i = 0; i < island->count; ++i )
	{
		const gelEllipsoidContact* c = gelEllipsoidIsland_Get( step, island, i );
		if ( c->lack > 0.0f )
			gelShareLack( GetSideA( step, c ), GetSideB( step, c ), c->normal, c->lack, c->rigid );
	}
	for ( int k = island->bodyFirst; k < island->bodyFirst + island->bodyCount; ++k )
	{
		const gelEllipsoidBody* body = step->bodies + step->bodyOrder[k];
		const gelRigidSide none = { NULL, up };
		for ( int i = body->ellipsoidFirst;
			  body->isNearGround && i < body->ellipsoidFirst + body->ellipsoidCount; ++i )
		{
			const gelEllipsoid* ellipsoid = step->ellipsoids + i;
			if ( ellipsoid->isNearGround && ellipsoid->footLack > 0.0f )
				gelShareLack( ( gelRigidSide ){ body->touch, ellipsoid->foot }, none, up, ellipsoid->footLack,
					ellipsoid->footRigid );
		}
	}
}

static void PushRigid( gelEllipsoidStep* step, const gelEllipsoidIsland* island, const gelStepContext* ctx )
{
	gelVec3 up = ctx->ground.normal;
	if ( !CountLacks( step, island, up ) ) return;
	for ( int i = island->bodyFirst; i < island->bodyFirst + island->bodyCount && ctx->hasGround; ++i )
	{
		gelEllipsoidBody* body = step->bodies + step->bodyOrder[i];
		if ( body->touch->lackCount > 0 && body->body->groundContactCount > 0 )
			PrepareGround( step, body, &ctx->ground );
	}
	for ( int k = 0; k < GEL_PUSH_ROUNDS; ++k )
	{
		ShareLacks( step, island, up );
		if ( !CountLacks( step, island, up ) ) return;
	}
}

// ---- ellipsoid by ellipsoid
// ----------------------------------------------------------------------------------------

// Shared by masses.
static void Dent( gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	gelEllipsoid *a = step->ellipsoids + c->a, *b = c->b >= 0 ? step->ellipsoids + c->b : NULL;
	gelVec3 dent = b ? gelSub( a->push, b->push ) : a->push;
	float part = c->rigid > 0.0f ? GEL_ELLIPSOID_LEAST_PUSH : 1.0f;
	float push = part * c->floor - GetRigidMove( step, c ) - gelDot( c->normal, dent );
	float sum = a->invMass + ( b ? b->invMass : 0.0f );
	if ( c->isWedged || !( c->floor > 0.0f && push > 0.0f && sum > 0.0f ) ) return;
	a->push = gelMulAdd( a->push, push * a->invMass / sum, c->normal );
	if ( b ) b->push = gelMulAdd( b->push, -push * b->invMass / sum, c->normal );
}

void gelPushEllipsoidIsland(
	gelEllipsoidStep* step, const gelEllipsoidIsland* island, const gelEllipsoidRound* round )
{
	bool isAny = false;
	for ( int i = 0; i < island->count; ++i )
		isAny = Aim( step, gelEllipsoidIsland_Get( step, island, i ), round ) || isAny;
	if ( !isAny ) return;
	PushRigid( step, island, round->ctx );
	for ( int sweep = 0; sweep < GEL_ELLIPSOID_DENTS; ++sweep )
	{
		for ( int i = 0; i < island->count; ++i )
			Dent( step, gelEllipsoidIsland_Get( step, island, i ) );
	}
}
