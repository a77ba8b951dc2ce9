// SPDX-License-Identifier: MIT
// Ellipsoids against the ground and colliders with a shape.
#include "contact/particles/particle_contact.h"
#include "state/world.h"

// Searches for a normal: steps at most.
#define GEL_COLLIDER_STEPS 3

// A collider as one body sees it in one sub-step, poses in body space.
typedef struct gelEllipsoidCollider
{
	const gelColliderMotion* motion;
	gelMat3 before, now; // rotations
	gelVec3 from, to;    // positions [m]
} gelEllipsoidCollider;

// The largest gap along the few normals that lead out of the shape where the ellipsoid is deepest.
static float FindGap( const gelEllipsoidCollider* c, gelSym3 S, gelVec3 center, gelVec3* outNormal )
{
	const gelShape* shape = &c->motion->shape;
	float best = -INFINITY;
	gelVec3 at = center;
	for ( int i = 0; i < GEL_COLLIDER_STEPS; ++i )
	{
		gelVec3 n, point;
		gelShape_GetDistance( shape, at, &n );
		gelVec3 world = gelMulMV( c->now, n );
		float reach = gelGetEllipsoidReach( S, world, &point );
		float support = shape->isHalfSpace ? 0.0f : gelShape_GetReach( shape, n );
		float gap = gelDot( n, center ) - reach - support;
		if ( gap > best )
		{
			best = gap;
			*outNormal = world;
		}
		if ( gap >= 0.0f || shape->isHalfSpace ) break;
		at = gelSub( center, gelTurnBack( &c->now, point ) );
	}
	return best;
}

// An ellipsoid that is too fast for its size may have passed the surface with its center: the way out is then
// where it came in.
static bool FindEntry(
	const gelEllipsoidCollider* c, gelSym3 S, gelVec3 start, gelVec3 end, float* outGap, gelVec3* outNormal )
{
	const gelShape* shape = &c->motion->shape;
	gelVec3 n, point;
	float fraction;
	if ( gelShape_GetDistance( shape, start, &n ) < 0.0f ) return false;
	if ( !gelShape_FindEntry( shape, start, end, &fraction ) ) return false;
	gelVec3 place = gelMulAdd( start, fraction, gelSub( end, start ) );
	float height = gelShape_GetDistance( shape, place, &n );
	*outNormal = gelMulMV( c->now, n );
	*outGap = gelDot( n, gelSub( end, place ) ) + height - gelGetEllipsoidReach( S, *outNormal, &point );
	return true;
}

static void TestEllipsoid( gelEllipsoidStep* step, const gelEllipsoidCollider* c, int index, float h )
{
	const gelEllipsoid* ellipsoid = step->ellipsoids + index;
	const gelBody* body = step->bodies[ellipsoid->owner].body;
	bool isHalfSpace = c->motion->shape.isHalfSpace;
	if ( isHalfSpace && gelDot( c->now.cy, gelSub( ellipsoid->x, c->to ) ) >= ellipsoid->reach ) return;
	const gelParticleStart* starts = gelGetParticles( body )->starts + ellipsoid->slot / GEL_BLOCK_LANES;
	gelVec3 was = gelGetLane3( starts->x[0], (int)( ellipsoid->slot % GEL_BLOCK_LANES ) );
	gelVec3 start = gelTurnBack( &c->before, gelSub( was, c->from ) );
	gelVec3 end = gelTurnBack( &c->now, gelSub( ellipsoid->x, c->to ) ), n;
	float move = gelLength( gelSub( end, start ) ), gap;
	if ( !( gelShape_GetDistance( &c->motion->shape, end, &n ) < ellipsoid->reach + move ) ) return;
	gelSym3 S = gelEllipsoidStep_GetShape( step, index );
	bool isFast = !isHalfSpace && move > ellipsoid->reach && FindEntry( c, S, start, end, &gap, &n );
	if ( !isFast ) gap = FindGap( c, S, end, &n );
	if ( !( gap < 0.0f ) ) return;
	float friction[2];
	gelGetColliderFriction( c->motion, friction );
	gelEllipsoidContact* contact = gelEllipsoidStep_Add( step, index, S, n, -gap, friction );
	if ( contact == NULL ) return;
	gelSetColliderSide( contact, c->motion, body->origin, gelAdd( ellipsoid->x, contact->armA ), h );
	if ( contact->collider1 != 0 ) return;
	// what a def says is about others than the ground
	const gelPackMaterial* material = body->asset->pack.materials;
	const float own[2] = { material->staticFriction, material->dynamicFriction };
	gelEllipsoidContact_SetFriction( contact, own, friction );
}

// @param before, now poses in the sub-step
static void TestBody( gelEllipsoidStep* step, const gelColliderMotion* motion, const gelColliderPose* before,
	const gelColliderPose* now, const gelEllipsoidBody* body, float h )
{
	const double* o = body->body->origin;
	gelEllipsoidCollider c = { motion, before->rotation, now->rotation, gelGetOffset( before->position, o ),
		gelGetOffset( now->position, o ) };
	for ( int i = 0; i < body->ellipsoidCount; ++i )
		TestEllipsoid( step, &c, body->ellipsoidFirst + i, h );
}

static bool MayReach( const gelEllipsoidBody* body, const gelColliderMotion* motion )
{
	const double* o = body->body->origin;
	gelVec3 size = gelSub( body->box.max, body->box.min );
	return gelMayReach( &body->box, gelGetOffset( motion->start.position, o ),
		gelGetOffset( motion->end.position, o ), motion,
		gelMaxFloat( size.x, gelMaxFloat( size.y, size.z ) ) );
}

void gelFindEllipsoidShapes(
	struct gelWorld* world, const gelEllipsoidBody* body, const gelEllipsoidRound* round )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	if ( round->ctx->hasGround && body->touch->meetsOthers )
	{
		gelColliderMotion ground = gelMakeGround( round->ctx );
		if ( MayReach( body, &ground ) )
			TestBody( step, &ground, &ground.start, &ground.end, body, round->h );
	}
	for ( uint32_t k = 0; k < (uint32_t)world->colliderCount; ++k )
	{
		const gelCollider* collider = world->colliders + k;
		if ( collider->surface != NULL || !gelMeetsCollider( world, body->body, k + 1 ) ) continue;
		if ( !MayReach( body, &collider->motion ) ) continue;
		gelColliderPose before = gelCollider_GetTransformAt( collider, round->before );
		gelColliderPose now = gelCollider_GetTransformAt( collider, round->now );
		TestBody( step, &collider->motion, &before, &now, body, round->h );
	}
}
