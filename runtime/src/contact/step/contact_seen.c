// SPDX-License-Identifier: MIT
#include "contact/step/contact_seen.h"

#include "contact/response/contact_loads.h"
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_step.h"
#include "state/coarse_tree.h"
#include "state/world.h"

#include <string.h>

// How far a node may be from where it was seen, in sizes of the body: a twenty-fifth of the depth that
// contacts rest at (GEL_REST_DEPTH). At 1/60 s and 0.5 m that is 0.6 mm/s. With five times as much, normals
// that jump when bodies are seen again keep a bowl of thirty at 0.9 mm/s, which else is at 0.01.
#define GEL_SEEN_MARGIN 2.0e-5f

// ---- bodies ----------------------------------------------------------------------------------------------

// How the space of the body has moved since it was seen [m].
static gelVec3 GetShift( const gelBody* body )
{
	const double *o = body->origin, *s = body->contact->seenOrigin;
	return gelMakeVec3( (float)( o[0] - s[0] ), (float)( o[1] - s[1] ), (float)( o[2] - s[2] ) );
}

static bool HasMoved( const gelBody* body )
{
	gelVec3 shift = GetShift( body );
	float margin = GEL_SEEN_MARGIN * body->asset->restSize, farthest = 0.0f;
	bool isNumber = true;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		float way = gelLengthSquared( gelAdd( gelSub( body->x[i], body->contact->seen[i] ), shift ) );
		farthest = gelMaxFloat( farthest, way );
		isNumber = isNumber && way <= 1.0e30f;
	}
	return !isNumber || farthest > margin * margin;
}

// Sees a body where it is now, if it is not near enough to where it was.
static void See( gelBody* body, uint32_t stamp )
{
	gelBodyContact* touch = body->contact;
	bool hasMoved = HasMoved( body );
	if ( touch->seenStamp == 0 || hasMoved ) touch->seenStamp = stamp;
	if ( !hasMoved ) return;
	memcpy( touch->seen, body->x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	memcpy( touch->seenOrigin, body->origin, sizeof( touch->seenOrigin ) );
	touch->hasSeenTree = atomic_load_explicit( &body->coarseState, memory_order_relaxed ) == gel_coarseFresh;
}

gelContactSurface gelBody_GetSeenSurface( gelBody* body )
{
	GEL_ASSERT( body->contact->hasSeenTree );
	const gelAsset* asset = body->asset;
	return gelMakeContactSurface( &asset->pack, asset->coarse, asset->coarseCount, body->contact->seen,
		body->coarse, body->contact->seenOrigin );
}

static void See_Task( int begin, int end, int worker, void* context )
{
	(void)worker;
	const gelContactStep* step = context;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* body = step->proxies[i].body;
		body->contact->needsSeenTree = false;
		if ( body->contact->isPaired ) See( body, step->stamp );
	}
}

// ---- pairs -----------------------------------------------------------------------------------------------

// Grows along the sorted pairs (contact_broadphase.c): bodies before colliders.
static uint64_t GetKey( const gelBodyPair* pair )
{
	return (uint64_t)pair->a->slot << 32 | ( gelBodyPair_GetOther( pair ) ^ GEL_OTHER_BODY );
}

static uint64_t GetStampB( const gelBodyPair* pair )
{
	if ( pair->b != NULL ) return pair->b->contact->seenStamp;
	return (uint64_t)pair->collider->generation << 32 | pair->collider->surface->placeCount;
}

static const gelSeenPair* FindSeen( const gelContactStep* step, const gelBodyPair* pair )
{
	uint64_t key = GetKey( pair );
	int low = 0, high = step->seenPairCount;
	while ( low < high )
	{
		int middle = low + ( high - low ) / 2;
		if ( step->seenPairs[middle].key < key )
			low = middle + 1;
		else
			high = middle;
	}
	const gelSeenPair* seen = step->seenPairs + low;
	bool isSame = low < step->seenPairCount && seen->key == key && seen->loads == pair->loads &&
		seen->stampA == pair->a->contact->seenStamp && seen->stampB == GetStampB( pair );
	return isSame ? seen : NULL;
}

void gelFindSeenPairs( struct gelWorld* world )
{
	gelContactStep* step = world->contact;
	gelWorld_ParallelFor( world, See_Task, step->proxyCount, step );
	for ( int i = 0; i < step->todoCount; ++i )
	{
		gelBodyPair* pair = step->pairs + step->todo[i];
		pair->loads = gelHashLoads( pair );
		pair->seen = FindSeen( step, pair );
		step->counters.stillPairCount += pair->seen != NULL;
		if ( pair->seen != NULL ) continue;
		pair->a->contact->needsSeenTree = true;
		if ( pair->b ) pair->b->contact->needsSeenTree = true;
	}
}

int gelTakeSeen( const gelContactStep* step, gelBodyPair* pair, gelFoundContact* out )
{
	const gelSeenPair* seen = pair->seen;
	GEL_ASSERT( seen != NULL && seen->count <= GEL_MAX_PAIR_CONTACTS );
	pair->isTangled = false;
	for ( int i = 0; i < seen->count; ++i )
	{
		const gelKeptContact* kept = step->keptBefore + seen->first + i;
		out[i] = kept->found;
		out[i].depth = kept->seenDepth;
	}
	return seen->count;
}

// How a point of a cell has moved since its body was seen [m].
static gelVec3 GetMove( const gelBody* body, uint32_t cell, const float weights[4] )
{
	const uint32_t* node = body->asset->pack.cells[cell].node;
	gelVec3 move = GetShift( body );
	for ( int k = 0; k < 4; ++k )
		move = gelMulAdd( move, weights[k], gelSub( body->x[node[k]], body->contact->seen[node[k]] ) );
	return move;
}

float gelFollowDepth( const gelBodyPair* pair, const gelFoundContact* found )
{
	gelVec3 move = gelNeg( GetMove( pair->a, found->cellA, found->weightsA ) );
	if ( pair->b != NULL ) move = gelAdd( move, GetMove( pair->b, found->cellB, found->weightsB ) );
	return found->depth + gelDot( found->normal, move );
}

void gelRememberSeen( gelContactStep* step )
{
	step->seenPairCount = 0;
	if ( step->counters.droppedContactCount > 0 ) return; // not all of them are there
	for ( int i = 0; i < step->pairCount; ++i )
	{
		const gelBodyPair* pair = step->pairs + i;
		if ( !pair->isDone || pair->isTangled ) continue; // the way apart changes with every step
		step->seenPairs[step->seenPairCount++] = ( gelSeenPair ){ GetKey( pair ), GetStampB( pair ),
			pair->a->contact->seenStamp, pair->loads, pair->keptFirst, pair->keptCount };
	}
}
