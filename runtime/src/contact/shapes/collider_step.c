// SPDX-License-Identifier: MIT
// Colliders in the contact step: who may reach which of them, what they touch at candidate positions, and
// what that did to them.
#include "contact/shapes/collider_set.h"

#include "solvers/solver.h"
#include "state/world.h"

// ---- who is near -----------------------------------------------------------------------------------------

static float GetFastest( const gelBody* body )
{
	float fastest2 = 0.0f;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		fastest2 = gelMaxFloat( gelLengthSquared( body->v[i] ), fastest2 );
	return sqrtf( fastest2 );
}

// How far a body may come out of its box in this step, roughly: contacts are looked for where it arrives.
static float GetReach( const gelBody* body, const gelStepContext* ctx )
{
	float motion = ctx->h * ( GetFastest( body ) + ctx->h * gelLength( ctx->gravity ) );
	return 2.0f * motion + 0.05f * body->asset->restSize;
}

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

static bool MayReach( const gelBody* body, const gelColliderMotion* motion, float reach )
{
	return gelMayReach(
		&body->box, GetCenter( body, &motion->start ), GetCenter( body, &motion->end ), motion, reach );
}

static bool IsCandidate( const struct gelWorld* world, const gelBody* body, int index, float reach )
{
	GEL_ASSERT( index >= 0 && index < world->colliderCount );
	const gelCollider* collider = world->colliders + index;
	return collider->isUsed && collider->surface == NULL &&
		gelBodyContact_FiltersAgree( body->contact, collider->def.category, collider->def.mask ) &&
		MayReach( body, &collider->motion, reach );
}

void gelFindNearColliders( struct gelWorld* world, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->h > 0.0f );
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		gelBodyContact* touch = body->contact;
		if ( touch == NULL ) continue;
		touch->isNearCollider = false;
		if ( !touch->isEnabled || body->solver->contactForm != gel_contactSurface || body->isAsleep ||
			world->colliderCount == 0 )
			continue;
		touch->reach = GetReach( body, ctx );
		for ( int k = 0; k < world->colliderCount && !touch->isNearCollider; ++k )
			touch->isNearCollider = IsCandidate( world, body, k, touch->reach );
	}
}

// ---- contacts --------------------------------------------------------------------------------------------

void gelFillColliderItems( const struct gelWorld* world, gelBody* body, float h, gelItemList* list )
{
	GEL_ASSERT( h > 0.0f );
	const gelVec3* floor =
		world->def.hasGround && body->groundContactCount > 0 ? &world->def.ground.normal : NULL;
	for ( int k = 0; k < world->colliderCount && body->contact->isNearCollider; ++k )
	{
		if ( IsCandidate( world, body, k, body->contact->reach ) )
			gelFindColliderContacts( body, &world->colliders[k].motion, h, floor, list );
	}
}

// ---- reactions -------------------------------------------------------------------------------------------

static gelVec3 GetPlace( const gelContactPoint* point )
{
	gelVec3 p = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		p = gelMulAdd( p, point->w[k], point->body->x[point->node[k]] );
	return p;
}

// The impulses of the contacts are displacements times masses: over h^2 they are forces.
void gelSumReactions( struct gelWorld* world, const gelContactItem* items, int count, float h )
{
	GEL_ASSERT( h > 0.0f && count >= 0 );
	for ( int i = 0; i < count; ++i )
	{
		const gelContactItem* item = items + i;
		if ( item->collider1 == 0 ) continue;
		gelCollider* collider = world->colliders + ( item->collider1 - 1 );
		gelVec3 force = gelScale( -1.0f / ( h * h ), item->impulse );
		gelVec3 arm = gelSub( GetPlace( &item->a ), GetCenter( item->a.body, &collider->motion.end ) );
		collider->reaction.force = gelAdd( collider->reaction.force, force );
		collider->reaction.torque = gelAdd( collider->reaction.torque, gelCross( arm, force ) );
	}
}
