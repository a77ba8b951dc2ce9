// SPDX-License-Identifier: MIT
#include "state/body_contact.h"

#include "asset/surface_cells.h"
#include "state/touch_point.h"

#include <string.h>

// Arrays by node that are needed while contact is solved: they lie where the art is made between steps.
static void LayOutArrays( gelArena* arena, size_t n, size_t scratch, gelBodyContact* part )
{
	gelArena shared = { .base = arena->base, .bytes = scratch };
	part->at = gelArena_Take( &shared, n, sizeof( gelVec3 ) );
	part->bulge = gelArena_Take( &shared, n, sizeof( gelVec3 ) );
	part->nodal = gelArena_Take( &shared, n, sizeof( gelVec3 ) );
	part->rows = gelArena_Take( &shared, n, sizeof( gelVec3 ) );
	part->rho = gelArena_Take( &shared, n, sizeof( gelVec3 ) );
	part->compliance = gelArena_Take( &shared, n, sizeof( float ) );
	gelArena_Cover( arena, &shared );
}

gelBodyContact* gelBodyContact_LayOut( gelArena* arena, int nodeCount, size_t scratch )
{
	GEL_ASSERT( nodeCount >= 0 && scratch <= arena->bytes );
	gelBodyContact part = { 0 };
	LayOutArrays( arena, (size_t)nodeCount, scratch, &part );
	part.pointCapacity = nodeCount > 0 ? gelCountTouchPoints( nodeCount ) : 0;
	part.cacheCapacity = nodeCount > 0 ? part.pointCapacity + GEL_MAX_CACHED_PAIRS : 0;
	gelBodyContact* touch = gelArena_Take( arena, 1, sizeof( gelBodyContact ) );
	part.cached = gelArena_Take( arena, (size_t)part.cacheCapacity, sizeof( gelCachedContact ) );
	part.points = gelArena_Take( arena, (size_t)part.pointCapacity, sizeof( gelTouchPoint ) );
	part.seen = gelArena_Take( arena, (size_t)nodeCount, sizeof( gelVec3 ) );
	part.seenCount = nodeCount;
	if ( touch == NULL ) return NULL;
	*touch = part;
	return touch;
}

void gelBodyContact_ForgetCached( gelBody* body )
{
	gelBodyContact* touch = body->contact;
	if ( touch == NULL || touch->cachedCount == 0 ) return;
	memset( touch->cached, 0, (size_t)touch->cachedCount * sizeof( gelCachedContact ) );
	touch->cachedCount = 0;
}

void gelBodyContact_CountCached( gelBody* body )
{
	gelBodyContact* touch = body->contact;
	if ( touch == NULL ) return;
	touch->cachedCount = 0;
	while ( touch->cachedCount < touch->cacheCapacity && touch->cached[touch->cachedCount].isUsed )
		++touch->cachedCount;
}

static bool IsForce( gelVec3 f )
{
	return fabsf( f.x ) <= 1.0e30f && fabsf( f.y ) <= 1.0e30f && fabsf( f.z ) <= 1.0e30f; // false for NaN
}

// Whether a point names a vertex and a node of its cell.
static bool IsPoint( const gelAsset* asset, const gelCachedContact* c )
{
	uint32_t owner = (uint32_t)( c->feature >> 32 ), slot = (uint32_t)c->feature;
	const uint32_t* node = gelGetSurfaceNodes( asset, c->cell );
	bool isOwner = owner == node[0] || owner == node[1] || owner == node[2] || owner == node[3];
	return isOwner && gelIsSlotOfCell( asset, c->cell, slot );
}

// What loads point to must be there: a state may come from anywhere.
bool gelState_AreCachedContacts( const gelBody* body, const uint8_t* data, size_t bytes )
{
	GEL_ASSERT( bytes % sizeof( gelCachedContact ) == 0 );
	uint32_t cellCount = gelCountSurfaceCells( body->asset );
	bool isEnd = false;
	for ( size_t i = 0; i < bytes; i += sizeof( gelCachedContact ) )
	{
		gelCachedContact c;
		memcpy( &c, data + i, sizeof( c ) );
		bool isEmpty = c.isUsed == 0;
		if ( c.isUsed > 1 || !IsForce( c.load ) || !( c.rate >= 0.0f && c.rate <= 1.0f ) ||
			!( fabsf( c.change ) <= 1.0e30f ) || ( isEnd && !isEmpty ) )
			return false;
		if ( !isEmpty && c.cell >= cellCount ) return false;
		if ( !isEmpty && gelCachedContact_IsPoint( &c ) && !IsPoint( body->asset, &c ) ) return false;
		isEnd = isEnd || isEmpty;
	}
	return true;
}

void gelBodyContact_Init( gelBody* body, const gelBodyDef* def )
{
	GEL_ASSERT( body->contact != NULL && gelIsContactFriction( def->contactFriction ) );
	gelBodyContact* touch = body->contact;
	touch->isEnabled = touch->takesPart;
	touch->isSelfEnabled = def->enableSelfContact;
	touch->filter = def->contactFilter;
	touch->friction = def->contactFriction;
	touch->thickness = def->contactThickness;
}
