// SPDX-License-Identifier: MIT
// From contacts as they are found to contacts as they are solved.
#include "contact/response/contact_solve.h"

#include "contact/shapes/collider_set.h"
#include "asset/surface_cells.h"
#include "state/world.h"

// A point far outside of its cell would be a lever.
static float ClampWeight( float w )
{
	return fminf( fmaxf( w, -0.1f ), 1.1f ); // NaN becomes -0.1
}

gelContactPoint gelMakeCellPoint( gelBody* body, uint32_t cell, const float weights[4] )
{
	GEL_ASSERT( cell < body->asset->pack.header->cdgTetCount );
	gelContactPoint point = { .body = body };
	for ( int k = 0; k < 4; ++k )
	{
		point.node[k] = body->asset->pack.cells[cell].node[k];
		point.w[k] = ClampWeight( weights[k] );
	}
	return point;
}

// What the step began with, along the normal and across it. The normal part may be below zero, where the
// normal has turned: the first sweep takes that back.
static void SetLoad( gelContactItem* item, gelVec3 load, float rate, float change, float h )
{
	item->rate = rate;
	item->change = change;
	item->load = gelScale( 1.0f / ( h * h ), load );
	item->force.lambda = gelDot( item->normal, load );
	item->force.friction = gelTangential( load, item->normal );
}

static gelContactItem MakeItem( const gelBodyPair* pair, const gelKeptContact* kept, float h )
{
	const gelFoundContact* found = &kept->found;
	gelContactItem item = { .a = gelMakeCellPoint( pair->a, found->cellA, found->weightsA ),
		.normal = gelScale( 1.0f / gelLength( found->normal ), found->normal ),
		.depth = found->depth,
		.area = found->area,
		.flags = found->flags,
		.cellA = found->cellA,
		.cellB = found->cellB,
		.isTangled = pair->isTangled && pair->b != NULL,
		.feature = found->feature };
	float frictionB[2];
	if ( pair->b != NULL )
	{
		item.b = gelMakeCellPoint( pair->b, found->cellB, found->weightsB );
		gelGetBodyFriction( pair->b, found->cellB, frictionB );
	}
	else
	{
		const gelColliderMotion* motion = &pair->collider->motion;
		item.b.move = gelColliderMotion_GetMove( motion, pair->a->contact->seenOrigin, found->pointB );
		item.collider1 = motion->index + 1;
		frictionB[0] = motion->staticFriction;
		frictionB[1] = motion->dynamicFriction;
	}
	item.floor = -fmaxf( GEL_REST_DEPTH * gelContactItem_GetSize( &item ) - item.depth, 0.0f );
	bool isGuess = ( found->flags & ( gel_foundComplex | gel_foundMeanNormal | gel_foundFallback ) ) != 0;
	bool isGlue = isGuess && pair->isTangled;
	item.force.mu = isGlue ? 0.0f : gelGetContactFriction( &item, frictionB, h );
	SetLoad( &item, kept->load, kept->rate, kept->change, h );
	return item;
}

void gelFillPairItems( const gelBodyPair* pair, const gelKeptContact* kept, float h, gelContactItem* items )
{
	GEL_ASSERT( h > 0.0f && items != NULL );
	for ( int i = 0; i < pair->keptCount; ++i )
		items[i] = MakeItem( pair, kept + i, h );
}

// Bodies that start a step deeper in something than this were put there, in their sizes.
#define GEL_SUNK_DEPTH 1.0e-3f

// Friction of the ground is that of materials alone; what a def says is about others.
static float GetPointFriction(
	const struct gelWorld* world, const gelContactItem* item, const gelStepContext* ctx )
{
	if ( item->point->mu >= 0.0f ) return item->point->mu;
	if ( item->collider1 != 0 )
	{
		const gelColliderMotion* motion = &world->colliders[item->collider1 - 1].motion;
		const float friction[2] = { motion->staticFriction, motion->dynamicFriction };
		return gelGetContactFriction( item, friction, ctx->h );
	}
	const gelPackMaterial* material = gelGetSurfaceMaterial( item->a.body->asset, item->cellA );
	const float own[2] = { material->staticFriction, material->dynamicFriction };
	const float ground[2] = { ctx->staticFriction, ctx->dynamicFriction };
	return gelMixFriction( item, own, ground, ctx->h );
}

// What starts outside may come to the surface. What starts inside, by no more than rounding and the last step
// leave, comes back to it within the step if it carried load, and slowly if it was not seen before: it must
// not kick the body. What is deeper was put there: it must not get deeper, and is pushed out by positions
// alone (contact_push.c).
static float GetFloor( const gelContactItem* item, float gap, float h )
{
	if ( gap >= 0.0f ) return -gap;
	bool isSunk = -gap > GEL_SUNK_DEPTH * item->a.body->asset->restSize;
	float rate = item->point->isLoaded ? 1.0f : GEL_PUSH_RATE;
	return isSunk ? 0.0f : fminf( -rate * gap, GEL_DEPENETRATION_SPEED * h );
}

void gelFillPointItems(
	const struct gelWorld* world, gelBody* body, const gelStepContext* ctx, int first, gelContactItem* items )
{
	GEL_ASSERT( ctx->h > 0.0f && first >= 0 );
	gelBodyContact* touch = body->contact;
	for ( int i = first; i < touch->pointCount; ++i )
	{
		gelTouchPoint* point = touch->points + i;
		gelContactItem item = { .a = { .body = body },
			.b = { .move = point->move },
			.normal = point->normal,
			.cellA = point->cell,
			.collider1 = point->collider1,
			.feature = (uint64_t)point->owner << 32 | point->slot,
			.point = point };
		for ( int k = 0; k < 4; ++k )
		{
			item.a.node[k] = point->node[k];
			item.a.w[k] = point->w[k];
		}
		item.floor = GetFloor( &item, point->gap, ctx->h );
		item.depth = item.floor == 0.0f ? fmaxf( -point->gap, 0.0f ) : 0.0f;
		item.force.mu = GetPointFriction( world, &item, ctx );
		SetLoad( &item, point->load, point->rate, point->change, ctx->h );
		items[i - first] = item;
	}
}
