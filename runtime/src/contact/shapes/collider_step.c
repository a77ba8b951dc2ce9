// SPDX-License-Identifier: MIT
// Colliders in the contact step: who may reach which of them, what they touch at candidate positions, and
// what that did to them.
#include "contact/shapes/collider_near.h"
#include "contact/shapes/collider_set.h"

#include "simd/node_kernels.h"
#include "state/world.h"

// ---- who is near -----------------------------------------------------------------------------------------

// Half extents along the world's axes of a turned shape.
static gelVec3 GetWorldExtents( const gelColliderMotion* motion, const gelMat3* r )
{
	gelVec3 e = gelShape_GetExtents( &motion->shape );
	return ( gelVec3 ){ fabsf( r->cx.x ) * e.x + fabsf( r->cy.x ) * e.y + fabsf( r->cz.x ) * e.z,
		fabsf( r->cx.y ) * e.x + fabsf( r->cy.y ) * e.y + fabsf( r->cz.y ) * e.z,
		fabsf( r->cx.z ) * e.x + fabsf( r->cy.z ) * e.y + fabsf( r->cz.z ) * e.z };
}

// How far the lowest corner of a box is above a half-space.
static float GetBoxHeight( const gelAabb* box, gelVec3 point, gelVec3 normal )
{
	gelVec3 center = gelScale( 0.5f, gelAdd( box->min, box->max ) );
	gelVec3 half = gelScale( 0.5f, gelSub( box->max, box->min ) );
	float span = fabsf( normal.x ) * half.x + fabsf( normal.y ) * half.y + fabsf( normal.z ) * half.z;
	return gelDot( normal, gelSub( center, point ) ) - span;
}

static gelVec3 GetCenter( const gelBody* body, const gelColliderPose* pose )
{
	return ( gelVec3 ){ (float)( pose->position[0] - body->origin[0] ),
		(float)( pose->position[1] - body->origin[1] ), (float)( pose->position[2] - body->origin[2] ) };
}

bool gelMayReach(
	const gelAabb* box, gelVec3 start, gelVec3 end, const gelColliderMotion* motion, float reach )
{
	GEL_ASSERT( reach >= 0.0f );
	if ( motion->shape.isHalfSpace )
	{
		float height = GetBoxHeight( box, start, motion->start.rotation.cy );
		return gelMinFloat( height, GetBoxHeight( box, end, motion->end.rotation.cy ) ) <= reach;
	}
	gelVec3 startHalf = GetWorldExtents( motion, &motion->start.rotation );
	gelVec3 endHalf = GetWorldExtents( motion, &motion->end.rotation );
	gelVec3 more = { reach, reach, reach };
	gelVec3 low = gelSub( gelMinVec3( gelSub( start, startHalf ), gelSub( end, endHalf ) ), more );
	gelVec3 high = gelAdd( gelMaxVec3( gelAdd( start, startHalf ), gelAdd( end, endHalf ) ), more );
	return box->min.x <= high.x && box->min.y <= high.y && box->min.z <= high.z && box->max.x >= low.x &&
		box->max.y >= low.y && box->max.z >= low.z;
}

bool gelMeetsCollider( const struct gelWorld* world, const gelBody* body, uint32_t collider1 )
{
	const gelBodyContact* touch = body->contact;
	if ( collider1 == 0 ) return world->def.hasGround;
	if ( collider1 > (uint32_t)world->colliderCount || !touch->isEnabled || !world->contact->isEnabled )
		return false;
	const gelCollider* collider = world->colliders + ( collider1 - 1 );
	return collider->isUsed && gelFiltersAgree( touch->filter, collider->def.filter );
}

// ---- points ----------------------------------------------------------------------------------------------

gelColliderMotion gelMakeGround( const gelStepContext* ctx )
{
	gelVec3 n = ctx->ground.normal;
	double offset = ctx->ground.offset;
	gelColliderPose pose = { { offset * n.x, offset * n.y, offset * n.z }, { .cy = n } };
	pose.rotation.cx = gelGetTangent( n );
	pose.rotation.cz = gelCross( pose.rotation.cx, n );
	return ( gelColliderMotion ){ .shape = { .isHalfSpace = true },
		.start = pose,
		.end = pose,
		.staticFriction = ctx->staticFriction,
		.dynamicFriction = ctx->dynamicFriction,
		.isStill = true,
		.index = UINT32_MAX };
}

// What the body passes in this step [m, body space].
static gelAabb GetSweptBox( const gelBody* body )
{
	gelAabb box;
	gelGetNodeKernels( body->simd )->bound( body->x, body->asset->nodeCount, &box.min, &box.max );
	return ( gelAabb ){ gelMinVec3( box.min, body->box.min ), gelMaxVec3( box.max, body->box.max ) };
}

static void FindPoints( const struct gelWorld* world, gelBody* body, const gelStepContext* ctx, bool isFirst,
	gelPickSheet* sheet )
{
	gelBodyContact* touch = body->contact;
	const gelVec3* floor = body->groundContactCount > 0 ? &ctx->ground.normal : NULL;
	if ( ctx->hasGround )
	{
		gelColliderMotion ground = gelMakeGround( ctx );
		int count = touch->pointCount;
		gelFindColliderPoints( body, &ground, ctx->h, true, isFirst, NULL, sheet );
		body->groundContactCount += touch->pointCount - count;
		if ( body->groundContactCount > 0 ) floor = &ctx->ground.normal;
	}
	if ( world->colliderCount == 0 || !touch->takesPart ) return;
	gelAabb box = GetSweptBox( body );
	for ( uint32_t k = 0; k < (uint32_t)world->colliderCount; ++k )
	{
		const gelCollider* collider = world->colliders + k;
		if ( collider->surface != NULL || !gelMeetsCollider( world, body, k + 1 ) ) continue;
		const gelColliderMotion* motion = &collider->motion;
		bool isNear = gelMayReach( &box, GetCenter( body, &motion->start ), GetCenter( body, &motion->end ),
			motion, 1.0e-3f * body->asset->restSize );
		gelColliderMotion side;
		if ( isNear && gelFindColliderSide( body, &box, motion, &side ) ) motion = &side;
		gelFindColliderPoints( body, motion, ctx->h, isNear, isFirst, floor, sheet );
	}
}

void gelFindTouchPoints(
	const struct gelWorld* world, gelBody* body, const gelStepContext* ctx, gelPickSheet* sheet )
{
	body->contact->pointCount = 0;
	body->contact->pointStamp = world->contact->stamp;
	body->groundContactCount = 0;
	FindPoints( world, body, ctx, true, sheet );
}

void gelFindMorePoints(
	const struct gelWorld* world, gelBody* body, const gelStepContext* ctx, gelPickSheet* sheet )
{
	FindPoints( world, body, ctx, false, sheet );
}

// ---- reactions -------------------------------------------------------------------------------------------

// The impulses of points are displacements times masses: over h^2 they are forces.
static void AddReaction( struct gelWorld* world, const gelBody* body, const gelTouchPoint* point, float h )
{
	gelCollider* collider = world->colliders + ( point->collider1 - 1 );
	gelVec3 force = gelScale( -1.0f / ( h * h ), point->impulse ), place = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		place = gelMulAdd( place, point->w[k], body->x[point->node[k]] );
	gelVec3 arm = gelSub( place, GetCenter( body, &collider->motion.end ) );
	collider->reaction.force = gelAdd( collider->reaction.force, force );
	collider->reaction.torque = gelAdd( collider->reaction.torque, gelCross( arm, force ) );
}

void gelSumPointReactions( struct gelWorld* world, const gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	const gelBodyContact* touch = body->contact;
	for ( int i = 0; i < touch->pointCount; ++i )
	{
		if ( touch->points[i].collider1 != 0 ) AddReaction( world, body, touch->points + i, h );
	}
}

void gelAddSurfaceReaction( struct gelWorld* world, const gelContactItem* item, float h )
{
	GEL_ASSERT( h > 0.0f && item->collider1 != 0 );
	gelTouchPoint point = { .collider1 = item->collider1, .impulse = item->impulse };
	for ( int k = 0; k < 4; ++k )
	{
		point.node[k] = item->a.node[k];
		point.w[k] = item->a.w[k];
	}
	AddReaction( world, item->a.body, &point, h );
}
