// SPDX-License-Identifier: MIT
// From contacts as they are found to contacts as they are solved.
#include "contact/response/contact_solve.h"

#include "contact/shapes/collider_set.h"
#include "contact/response/ground.h"

// A point far outside of its cell would be a lever.
static float ClampWeight( float w )
{
	return fminf( fmaxf( w, -0.1f ), 1.1f ); // NaN becomes -0.1
}

static gelContactPoint MakePoint( gelBody* body, uint32_t cell, const float weights[4] )
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

static gelContactItem MakeItem( const gelBodyPair* pair, const gelFoundContact* found, float h )
{
	gelContactItem item = { .a = MakePoint( pair->a, found->cellA, found->weightsA ),
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
		item.b = MakePoint( pair->b, found->cellB, found->weightsB );
		gelGetBodyFriction( pair->b, found->cellB, frictionB );
	}
	else
	{
		const gelColliderMotion* motion = &pair->collider->motion;
		item.b.move = gelColliderMotion_GetMove( motion, pair->a->origin, found->pointB );
		item.collider1 = motion->index + 1;
		frictionB[0] = motion->staticFriction;
		frictionB[1] = motion->dynamicFriction;
	}
	item.floor = -fmaxf( GEL_REST_DEPTH * gelContactItem_GetSize( &item ) - item.depth, 0.0f );
	bool isGuess = ( found->flags & ( gel_foundComplex | gel_foundMeanNormal | gel_foundFallback ) ) != 0;
	bool isGlue = isGuess && pair->isTangled;
	item.force.mu = isGlue ? 0.0f : gelGetContactFriction( &item, frictionB, h );
	return item;
}

void gelFillPairItems( const gelBodyPair* pair, const gelKeptContact* kept, float h, gelContactItem* items )
{
	GEL_ASSERT( h > 0.0f && items != NULL );
	for ( int i = 0; i < pair->keptCount; ++i )
		items[i] = MakeItem( pair, &kept[i].found, h );
}

void gelFillGroundItems( gelBody* body, const gelStepContext* ctx, gelItemList* list )
{
	GEL_ASSERT( ctx->hasGround );
	for ( int i = 0; i < body->groundContactCount; ++i )
	{
		const gelGroundContact* c = body->groundContacts + i;
		gelContactItem* out = gelItemList_Add( list, gelGround_GetDepth( body, ctx, c, body->x ) );
		if ( out == NULL ) continue;
		gelContactItem item = { .a = { .body = body }, .normal = ctx->ground.normal };
		for ( int k = 0; k < 4; ++k )
		{
			item.a.node[k] = c->node[k];
			item.a.w[k] = c->w[k];
		}
		float start = gelGround_GetDepth( body, ctx, c, body->xOld );
		item.floor = start + c->allowedHeight;
		if ( c->isSunk ) item.depth = start;
		item.force.mu = c->force.mu;
		*out = item;
	}
}
