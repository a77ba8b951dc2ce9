// SPDX-License-Identifier: MIT
// Bodies that touch, directly or through others. Islands are numbered by their body with the smallest slot.
#include "contact/step/contact_step.h"

gelBody* gelFindIslandRoot( gelBody* body )
{
	while ( body->contact->parent != body )
	{
		body->contact->parent = body->contact->parent->contact->parent;
		body = body->contact->parent;
	}
	return body;
}

void gelJoinIslands( gelBody* a, gelBody* b )
{
	GEL_ASSERT( a->contact != NULL && b->contact != NULL );
	a = gelFindIslandRoot( a );
	b = gelFindIslandRoot( b );
	if ( a->slot < b->slot )
		b->contact->parent = a;
	else
		a->contact->parent = b;
}

// Contacts of an island are a part of step->items, those of a pair together, in the order of pairs.
static void CountItems( gelContactStep* step )
{
	for ( int i = 0; i < step->pairCount; ++i )
	{
		const gelBodyPair* pair = step->pairs + i;
		if ( pair->keptCount > 0 ) step->islands[pair->a->contact->island].pairItemCount += pair->keptCount;
	}
}

// Bodies by island: counted, then put in place in the order of slots.
static void ListBodies( gelContactStep* step )
{
	for ( int i = 0; i < step->proxyCount; ++i )
	{
		const gelBody* body = step->proxies[i].body;
		if ( gelBody_IsTouched( body ) ) ++step->islands[body->contact->island].bodyCount;
	}
	step->orderCount = 0;
	for ( int i = 0; i < step->islandCount; ++i )
	{
		step->islands[i].bodyFirst = step->orderCount;
		step->orderCount += step->islands[i].bodyCount;
		step->islands[i].bodyCount = 0;
	}
}

void gelBuildIslands( gelContactStep* step, gelBody* const* live, int liveCount )
{
	GEL_ASSERT( liveCount >= 0 );
	for ( int i = 0; i < step->proxyCount; ++i )
		step->proxies[i].body->contact->parent = step->proxies[i].body;
	for ( int i = 0; i < step->pairCount; ++i )
	{
		const gelBodyPair* pair = step->pairs + i;
		if ( pair->keptCount == 0 ) continue;
		pair->a->contact->contactCount += pair->keptCount;
		if ( pair->b != NULL && pair->b != pair->a )
		{
			pair->b->contact->contactCount += pair->keptCount;
			gelJoinIslands( pair->a, pair->b );
		}
		++step->counters.touchingPairCount;
	}
	step->islandCount = 0;
	for ( int i = 0; i < liveCount; ++i )
	{
		gelBody* body = live[i];
		if ( !gelBody_IsTouched( body ) ) continue;
		gelBody* root = gelFindIslandRoot( body ); // the smallest slot of its island: comes first
		if ( root == body )
		{
			step->islands[step->islandCount] = ( gelIsland ){ 0 };
			body->contact->island = step->islandCount++;
		}
		body->contact->island = root->contact->island;
	}
	ListBodies( step );
	for ( int i = 0; i < liveCount; ++i )
	{
		if ( !gelBody_IsTouched( live[i] ) ) continue;
		gelIsland* island = step->islands + live[i]->contact->island;
		step->order[island->bodyFirst + island->bodyCount++] = live[i];
	}
	CountItems( step );
}
