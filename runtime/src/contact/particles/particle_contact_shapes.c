// SPDX-License-Identifier: MIT
// Ellipsoids against colliders with a shape.
#include "contact/particles/particle_contact.h"
#include "contact/shapes/collider_set.h"
#include "state/world.h"

// Searches for a normal: steps at most.
#define GEL_COLLIDER_STEPS 3

// A collider as one body sees it in one sub-step, poses in body space.
typedef struct gelEllipsoidCollider
{
	const gelShape* shape;
	gelMat3 before, now; // rotations
	gelVec3 from, to;    // positions [m]
} gelEllipsoidCollider;

static gelVec3 ToLocal( const gelMat3* r, gelVec3 center, gelVec3 p )
{
	gelVec3 d = gelSub( p, center );
	return ( gelVec3 ){ gelDot( r->cx, d ), gelDot( r->cy, d ), gelDot( r->cz, d ) };
}

// The largest gap along the few normals that lead out of the shape where the ellipsoid is deepest.
static float FindGap( const gelEllipsoidCollider* c, gelSym3 S, gelVec3 center, gelVec3* outNormal )
{
	float best = -INFINITY;
	gelVec3 at = center;
	for ( int i = 0; i < GEL_COLLIDER_STEPS; ++i )
	{
		gelVec3 n, point;
		gelShape_GetDistance( c->shape, at, &n );
		gelVec3 world = gelMulMV( c->now, n );
		float reach = gelGetEllipsoidReach( S, world, &point );
		float support = c->shape->isHalfSpace ? 0.0f : gelShape_GetReach( c->shape, n );
		float gap = gelDot( n, center ) - reach - support;
		if ( gap > best )
		{
			best = gap;
			*outNormal = world;
		}
		if ( gap >= 0.0f || c->shape->isHalfSpace ) break;
		at = gelSub( center, ToLocal( &c->now, gelMakeVec3( 0.0f, 0.0f, 0.0f ), point ) );
	}
	return best;
}

// A ellipsoid that is too fast for its size may have passed the surface with its center: the way out is then
// where it came in.
static bool FindEntry(
	const gelEllipsoidCollider* c, gelSym3 S, gelVec3 start, gelVec3 end, float* outGap, gelVec3* outNormal )
{
	gelVec3 n, point;
	float fraction;
	if ( gelShape_GetDistance( c->shape, start, &n ) < 0.0f ) return false;
	if ( !gelShape_FindEntry( c->shape, start, end, &fraction ) ) return false;
	gelVec3 place = gelMulAdd( start, fraction, gelSub( end, start ) );
	float height = gelShape_GetDistance( c->shape, place, &n );
	*outNormal = gelMulMV( c->now, n );
	*outGap = gelDot( n, gelSub( end, place ) ) + height - gelGetEllipsoidReach( S, *outNormal, &point );
	return true;
}

// Velocity of the point of a collider that touches, from its motion in the whole step [m/s].
static gelVec3 GetVelocity( const gelCollider* collider, const gelEllipsoidCollider* c, gelVec3 point,
	const gelEllipsoidRound* round )
{
	gelVec3 local = ToLocal( &c->now, c->to, point );
	const gelColliderPose *from = &collider->motion.start, *to = &collider->motion.end;
	gelVec3 shift = { (float)( to->position[0] - from->position[0] ),
		(float)( to->position[1] - from->position[1] ), (float)( to->position[2] - from->position[2] ) };
	gelVec3 turn = gelSub( gelMulMV( to->rotation, local ), gelMulMV( from->rotation, local ) );
	return gelScale( 1.0f / round->h, gelAdd( shift, turn ) );
}

static void TestCollider( gelEllipsoidStep* step, const gelCollider* collider, const gelEllipsoidCollider* c,
	int index, const gelEllipsoidRound* round )
{
	const gelEllipsoid* ellipsoid = step->ellipsoids + index;
	const gelEllipsoidBody* owner = step->bodies + ellipsoid->owner;
	const gelParticleStart* starts =
		gelGetParticles( owner->body )->starts + ellipsoid->slot / GEL_BLOCK_LANES;
	gelVec3 start = ToLocal(
		&c->before, c->from, gelGetLane3( starts->x[0], (int)( ellipsoid->slot % GEL_BLOCK_LANES ) ) );
	gelVec3 end = ToLocal( &c->now, c->to, ellipsoid->x ), n;
	float move = gelLength( gelSub( end, start ) ), gap;
	if ( !( gelShape_GetDistance( c->shape, end, &n ) < ellipsoid->reach + move ) ) return;
	gelSym3 S = gelEllipsoidStep_GetShape( step, index );
	bool isFast = move > ellipsoid->reach && FindEntry( c, S, start, end, &gap, &n );
	if ( !isFast ) gap = FindGap( c, S, end, &n );
	gelEllipsoidContact* contact = gap < 0.0f ? gelEllipsoidStep_Add( step, index ) : NULL;
	if ( contact == NULL ) return;
	gelGetEllipsoidReach( S, n, &contact->armA );
	contact->armA = gelNeg( contact->armA );
	contact->collider1 = collider->motion.index + 1;
	contact->normal = n;
	contact->depth = -gap;
	contact->velocityB = GetVelocity( collider, c, gelAdd( ellipsoid->x, contact->armA ), round );
	contact->friction[0] = 0.5f * ( owner->friction[0] + collider->motion.staticFriction );
	contact->friction[1] =
		gelMinFloat( contact->friction[0], 0.5f * ( owner->friction[1] + collider->motion.dynamicFriction ) );
}

static gelVec3 GetCenter( const gelBody* body, const gelColliderPose* pose )
{
	return ( gelVec3 ){ (float)( pose->position[0] - body->origin[0] ),
		(float)( pose->position[1] - body->origin[1] ), (float)( pose->position[2] - body->origin[2] ) };
}

static void TestBody( gelEllipsoidStep* step, const gelCollider* collider, const gelEllipsoidBody* body,
	const gelEllipsoidRound* round )
{
	const gelColliderMotion* motion = &collider->motion;
	gelVec3 start = GetCenter( body->body, &motion->start ), end = GetCenter( body->body, &motion->end );
	gelVec3 size = gelSub( body->box.max, body->box.min );
	if ( !gelMayReach(
			 &body->box, start, end, motion, gelMaxFloat( size.x, gelMaxFloat( size.y, size.z ) ) ) )
		return;
	gelColliderPose before = gelCollider_GetTransformAt( collider, round->before );
	gelColliderPose now = gelCollider_GetTransformAt( collider, round->now );
	gelEllipsoidCollider c = { &motion->shape, before.rotation, now.rotation,
		GetCenter( body->body, &before ), GetCenter( body->body, &now ) };
	for ( int i = 0; i < body->ellipsoidCount; ++i )
		TestCollider( step, collider, &c, body->ellipsoidFirst + i, round );
}

void gelFindEllipsoidShapes(
	struct gelWorld* world, const gelEllipsoidBody* body, const gelEllipsoidRound* round )
{
	for ( int k = 0; k < world->colliderCount; ++k )
	{
		const gelCollider* collider = world->colliders + k;
		if ( !collider->isUsed || collider->surface != NULL ) continue;
		if ( gelBodyContact_FiltersAgree( body->touch, collider->def.category, collider->def.mask ) )
			TestBody( world->contact->ellipsoids, collider, body, round );
	}
}
