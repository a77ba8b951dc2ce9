// SPDX-License-Identifier: MIT
// From contacts as they are found to contacts as they are solved.
#include "contact_solve.h"

#include "ground.h"

// A point far outside of its cell would be a lever.
static float ClampWeight( float w )
{
	return fminf( fmaxf( w, -0.1f ), 1.1f ); // NaN becomes -0.1
}

static gelContactPoint MakePoint( gelBody* body, uint32_t cell, const float weights[4] )
{
	gelContactPoint point = { .body = body };
	for ( int k = 0; k < 4; ++k )
	{
		point.node[k] = body->asset->pack.cells[cell].node[k];
		point.w[k] = ClampWeight( weights[k] );
	}
	return point;
}

static gelVec3 GetVelocity( const gelContactPoint* point )
{
	const gelVec3* v = point->body->v;
	gelVec3 sum = gelScale( point->w[0], v[point->node[0]] );
	for ( int k = 1; k < 4; ++k )
		sum = gelMulAdd( sum, point->w[k], v[point->node[k]] );
	return sum;
}

// Coulomb's coefficient in this step: dynamic when the points slide on each other at its start.
static float GetFriction( const gelContactItem* item )
{
	const gelPackMaterial* a = gelGetCellMaterial( &item->a.body->asset->pack, item->cellA );
	const gelPackMaterial* b = gelGetCellMaterial( &item->b.body->asset->pack, item->cellB );
	float fixedA = a->staticFriction, fixedB = b->staticFriction;
	float movingA = a->dynamicFriction, movingB = b->dynamicFriction;
	if ( item->a.body->touch->friction >= 0.0f ) fixedA = movingA = item->a.body->touch->friction;
	if ( item->b.body->touch->friction >= 0.0f ) fixedB = movingB = item->b.body->touch->friction;
	float fixed = 0.5f * ( fixedA + fixedB ), moving = fminf( fixed, 0.5f * ( movingA + movingB ) );
	gelVec3 v = gelSub( GetVelocity( &item->a ), GetVelocity( &item->b ) );
	bool isSliding = gelLengthSquared( gelTangential( v, item->normal ) ) > GEL_STICK_SPEED * GEL_STICK_SPEED;
	return isSliding ? moving : fixed;
}

void gelFillPairItems( const gelBodyPair* pair, const gelKeptContact* kept, gelContactItem* items )
{
	for ( int i = 0; i < pair->keptCount; ++i )
	{
		const gelFoundContact* found = &kept[i].found;
		gelContactItem item = { .a = MakePoint( pair->a, found->cellA, found->weightsA ),
			.b = MakePoint( pair->b, found->cellB, found->weightsB ),
			.normal = gelScale( 1.0f / gelLength( found->normal ), found->normal ),
			.depth = found->depth,
			.area = found->area,
			.flags = found->flags,
			.cellA = found->cellA,
			.cellB = found->cellB,
			.feature = found->feature };
		item.force.mu = GetFriction( &item );
		items[i] = item;
	}
}

int gelFillGroundItems( gelBody* body, const gelStepContext* ctx, gelContactItem* items, int capacity )
{
	int count = gelMinInt( body->groundContactCount, capacity );
	for ( int i = 0; i < count; ++i )
	{
		const gelGroundContact* c = body->groundContacts + i;
		gelContactItem item = { .a = { .body = body }, .normal = ctx->ground.normal };
		for ( int k = 0; k < 4; ++k )
		{
			item.a.node[k] = c->node[k];
			item.a.w[k] = c->w[k];
		}
		item.floor = gelGround_GetFloor( body, ctx, c );
		item.force.mu = c->force.mu;
		items[i] = item;
	}
	return count;
}
