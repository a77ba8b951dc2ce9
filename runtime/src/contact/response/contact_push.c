// SPDX-License-Identifier: MIT
// Pushing out: bodies that overlap are moved apart by positions alone, a part of the depth per step, after
// velocities have been found. Two stages.
//
// Bodies are moved as rigid ones first: a body that is dented to make room is a spring, which drives the two
// apart in the steps to come (boxes of 1 m that overlap by 0.3 m would part at 2 m/s), while one that is
// moved as a whole has the energy that it had. Each body takes the mean of what its contacts want
// (rigid_push.h; Civit-Flores, section 3.4.2.4, does the same with nodes). In the mean nothing is left over
// where there is a way out.
//
// What is between others, pinned, or folded into itself has none: what is still missing to half of the push
// is got by denting, with the answers of the bodies (contact_solve.h). Bodies that were crushed into each
// other are dented by that much in any case: moved apart as they are, they would stay inside out. And where a
// body is pressed onto a shape, what the impulses have left of the depth is a dent that is due: there is no
// moving.
#include "contact/response/contact_solve.h"

#include "solvers/solver.h"
#include "contact/response/rigid_push.h"

// Depth up to which it may be due, in sizes of the body.
#define GEL_PRESSED_DEPTH 0.01f

// Answers per body for what rigid motion cannot do, and the part of the push that is insisted on.
#define GEL_PUSH_ITERATIONS 3
#define GEL_LEAST_PUSH      0.5f

// Bodies that are deeper in each other than this part of the smaller one's size do not fall asleep: inside of
// each other without a crossing of surfaces, and with one.
#define GEL_INSIDE_DEPTH   ( 4.0f * GEL_PUSH_SLOP )
#define GEL_RESTLESS_DEPTH 0.1f

// Deep contacts come out by a part, others keep what room they have. Shapes are touched from the outside,
// those of the game's making apart, so there nothing is left.
bool gelAimPush( const gelIslandWork* work )
{
	bool isAny = false;
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		float move = gelDot( item->normal, item->move ), room = move - item->floor;
		item->floor = -fmaxf( room, 0.0f );
		bool isCrossing = i < work->pairItemCount;
		if ( isCrossing || item->depth > 0.0f )
		{
			float size = gelContactItem_GetSize( item );
			float depth = item->depth - move - ( isCrossing ? GEL_PUSH_SLOP * size : 0.0f );
			bool isPressed = !isCrossing && item->force.lambda > 0.0f && depth < GEL_PRESSED_DEPTH * size;
			float rate = isPressed ? 1.0f : GEL_PUSH_RATE;
			item->isPressed = isPressed;
			item->floor = depth > 0.0f ? fminf( rate * depth, GEL_MAX_PUSH * size ) : depth;
		}
		item->move = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		item->force = ( gelContactForce ){ 0 };
		isAny = isAny || item->floor > 0.0f;
	}
	return isAny;
}

// ---- as rigid bodies -------------------------------------------------------------------------------------

static gelRigidSide GetSide( const gelContactPoint* point )
{
	return ( gelRigidSide ){ point->body ? point->body->contact : NULL, point->arm };
}

static gelVec3 GetRigidMove( const gelContactItem* item )
{
	return gelGetRigidMove( GetSide( &item->a ), GetSide( &item->b ) );
}

// What is missing to the floor of a contact [m]; 0 for those that rigid motion does not help.
static float GetLack( const gelContactItem* item )
{
	if ( !item->isActive || item->rigidNormal <= 0.0f ) return 0.0f;
	float floor = item->isPressed ? fminf( item->floor, 0.0f ) : item->floor;
	return fmaxf( floor - gelDot( item->normal, GetRigidMove( item ) ), 0.0f );
}

static void CountLack( gelContactItem* item )
{
	item->lack = GetLack( item );
	if ( item->lack > 0.0f ) gelCountLack( GetSide( &item->a ), GetSide( &item->b ) );
}

static void GiveShare( const gelContactItem* item )
{
	if ( item->lack <= 0.0f ) return;
	gelShareLack( GetSide( &item->a ), GetSide( &item->b ), item->normal, item->lack, item->rigidNormal );
}

// By a true rotation (Cayley's, with s = turn / 2: x + 2 / ( 1 + s . s ) ( s x x + s x ( s x x ) )): a turn
// to first order would swell the body.
static void MoveRigid( gelBody* body )
{
	GEL_ASSERT( body->contact != NULL );
	const gelBodyContact* touch = body->contact;
	gelVec3 s = gelScale( 0.5f, touch->turn );
	float scale = 2.0f / ( 1.0f + gelLengthSquared( s ) );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 side = gelCross( s, gelSub( body->x[i], touch->center ) );
		gelVec3 move = gelMulAdd( touch->shift, scale, gelAdd( side, gelCross( s, side ) ) );
		body->x[i] = gelAdd( body->x[i], move );
	}
}

static void PushRigid( const gelIslandWork* work )
{
	for ( int i = 0; i < work->bodyCount; ++i )
		work->bodies[i]->contact->shift = work->bodies[i]->contact->turn = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	for ( int round = 0; round < GEL_PUSH_ROUNDS; ++round )
	{
		for ( int i = 0; i < work->bodyCount; ++i )
			work->bodies[i]->contact->lackCount = 0;
		for ( int i = 0; i < work->itemCount; ++i )
			CountLack( work->items + i );
		for ( int i = 0; i < work->itemCount; ++i )
			GiveShare( work->items + i );
	}
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		const gelBodyContact* touch = work->bodies[i]->contact;
		if ( touch->isSolved && touch->invMass > 0.0f ) MoveRigid( work->bodies[i] );
	}
}

// ---- by denting ------------------------------------------------------------------------------------------

// @return whether anything is missing
static bool AimDents( const gelIslandWork* work )
{
	bool isAny = false;
	for ( int i = 0; i < work->itemCount; ++i )
	{
		gelContactItem* item = work->items + i;
		bool isDeep = item->floor > 0.0f, isPart = isDeep && !item->isPressed;
		float move = isDeep && item->isTangled ? 0.0f : gelDot( item->normal, GetRigidMove( item ) );
		item->floor = ( isPart ? GEL_LEAST_PUSH : 1.0f ) * item->floor - move;
		isAny = isAny || ( item->isActive && item->floor > 0.0f );
	}
	return isAny;
}

void gelPushIsland( gelIslandWork* work )
{
	for ( int i = 0; i < work->bodyCount; ++i )
	{
		gelBodyContact* touch = work->bodies[i]->contact;
		touch->isSolved = touch->isSolved && !work->bodies[i]->wasPutBack;
	}
	gelPrepareIsland( work );
	PushRigid( work );
	if ( !AimDents( work ) ) return;
	gelPrepareIsland( work );
	gelIterateIsland( work, GEL_PUSH_ITERATIONS );
}

// ---- rest ------------------------------------------------------------------------------------------------

// Whether positions are still being changed by much, without velocities that would tell: a body is inside of
// another one, or deep in it.
static bool IsPushedOut( const gelIslandWork* work )
{
	for ( int i = 0; i < work->itemCount; ++i )
	{
		const gelContactItem* item = work->items + i;
		bool isInside = i >= work->pairItemCount || ( item->flags & gel_foundFallback ) != 0;
		float limit = isInside ? GEL_INSIDE_DEPTH : GEL_RESTLESS_DEPTH;
		if ( item->a.body != item->b.body && item->depth > limit * gelContactItem_GetSize( item ) )
			return true;
	}
	return false;
}

void gelRestIsland( const gelIslandWork* work )
{
	bool isPushedOut = IsPushedOut( work );
	for ( int i = 0; i < work->bodyCount && isPushedOut; ++i )
		work->bodies[i]->stillTime = 0.0f;
	gelSleepTogether( work->bodies, work->bodyCount );
}
