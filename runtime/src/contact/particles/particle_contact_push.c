// SPDX-License-Identifier: MIT
// Pushing out: what is too deep after the impulses of a sub-step is taken apart by places alone. Bodies are
// moved as rigid ones first (rigid_push.h): ellipsoids that are pushed out of a body one by one are springs,
// which drive the two apart afterwards. What is held, or between others, does not get out so: half of the
// push is insisted on, ellipsoid by ellipsoid. (contact_push.c does the same for bodies of tets.)
#include "contact/particles/particle_contact.h"
#include "contact/contact_force.h"

// Part of the depth that is taken back in a sub-step, and the depth that is left, so that contacts do not
// come and go, in radii.
#define GEL_ELLIPSOID_PUSH_RATE 0.2f
#define GEL_ELLIPSOID_SLOP      0.01f

// What is missing by less is not looked at, in radii.
#define GEL_ELLIPSOID_LEAST_LACK 1.0e-4f

// By denting: part of the push where bodies can be moved, sweeps.
#define GEL_ELLIPSOID_LEAST_PUSH 0.5f
#define GEL_ELLIPSOID_DENTS      2

// ---- what is wanted --------------------------------------------------------------------------------------

static gelEllipsoidBody* GetOwner( gelEllipsoidStep* step, int ellipsoid )
{
	return step->bodies + step->ellipsoids[ellipsoid].owner;
}

// The body of an ellipsoid at the end of an arm.
static gelRigidSide MakeSide( gelEllipsoidStep* step, int ellipsoid, gelVec3 arm )
{
	gelBodyContact* touch = GetOwner( step, ellipsoid )->touch;
	return ( gelRigidSide ){ touch, gelAdd( gelSub( step->ellipsoids[ellipsoid].x, touch->center ), arm ) };
}

// Nothing but ellipsoids is pushed: bodies of tets give way to impulses. No more per step than a part of the
// smaller body: a deep overlap ends within a second, and never by a jump.
static void Aim( gelEllipsoidStep* step, gelEllipsoidContact* c, float part )
{
	const gelEllipsoid *a = step->ellipsoids + c->a, *b = c->b >= 0 ? step->ellipsoids + c->b : NULL;
	gelRigidPush* push = &c->push;
	float radius = a->reach, size = GetOwner( step, c->a )->body->asset->restSize;
	gelVec3 move = gelEllipsoid_GetMove( step, a, c->armA );
	*push = ( gelRigidPush ){ .a = MakeSide( step, c->a, c->armA ), .normal = c->normal };
	if ( b != NULL )
	{
		radius = gelMinFloat( radius, b->reach );
		size = gelMinFloat( size, GetOwner( step, c->b )->body->asset->restSize );
		move = gelSub( move, gelEllipsoid_GetMove( step, b, c->armB ) );
		push->b = MakeSide( step, c->b, c->armB );
	}
	float depth = c->depth - GEL_ELLIPSOID_SLOP * radius - gelDot( c->normal, move );
	push->floor = depth;
	if ( depth > 0.0f )
		push->floor = gelMinFloat( GEL_ELLIPSOID_PUSH_RATE * depth, GEL_MAX_PUSH * size * part );
	push->leastLack = GEL_ELLIPSOID_LEAST_LACK * radius;
	bool isSelf = b != NULL && a->owner == b->owner;
	if ( isSelf || c->body ) return;
	push->invMass =
		gelRigidSide_GetInvMass( push->a, c->normal ) + gelRigidSide_GetInvMass( push->b, c->normal );
}

// ---- all of an island ------------------------------------------------------------------------------------

// Ellipsoid by ellipsoid, shared by masses.
static void Dent( gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	gelEllipsoid *a = step->ellipsoids + c->a, *b = c->b >= 0 ? step->ellipsoids + c->b : NULL;
	gelVec3 dent = b ? gelSub( a->push, b->push ) : a->push;
	float part = c->push.invMass > 0.0f ? GEL_ELLIPSOID_LEAST_PUSH : 1.0f, floor = c->push.floor;
	float push = part * floor - gelRigidPush_GetMove( &c->push ) - gelDot( c->normal, dent );
	float sum = a->invMass + ( b ? b->invMass : 0.0f );
	if ( c->isWedged || !( floor > 0.0f && push > 0.0f && sum > 0.0f ) ) return;
	a->push = gelMulAdd( a->push, push * a->invMass / sum, c->normal );
	if ( b ) b->push = gelMulAdd( b->push, -push * b->invMass / sum, c->normal );
}

void gelPushEllipsoidIsland(
	gelEllipsoidStep* step, const gelEllipsoidIsland* island, const gelEllipsoidRound* round )
{
	bool isAny = false;
	gelRigidPush *first = NULL, **end = &first;
	for ( int i = 0; i < island->count; ++i )
	{
		gelEllipsoidContact* c = gelEllipsoidIsland_Get( step, island, i );
		Aim( step, c, round->now - round->before );
		isAny = isAny || c->push.floor > 0.0f;
		*end = &c->push;
		end = &c->push.next;
	}
	if ( !isAny ) return;
	gelPushRigid( first );
	for ( int i = 0; i < GEL_ELLIPSOID_DENTS * island->count; ++i )
		Dent( step, gelEllipsoidIsland_Get( step, island, i % island->count ) );
}
