// SPDX-License-Identifier: MIT
// Islands of bodies that touch each other through balls: what one does changes nothing in another, so threads
// can solve them at once. Their number and order follow from those of the contacts.
#include "contact/particles/particle_contact.h"

static gelBody* GetBodyA( const gelBallStep* step, const gelBallContact* c )
{
	return step->bodies[step->balls[c->a].owner].body;
}

// With tets or with particles; NULL: a collider.
static gelBody* GetBodyB( const gelBallStep* step, const gelBallContact* c )
{
	return c->b >= 0 ? step->bodies[step->balls[c->b].owner].body : c->body;
}

static void JoinBodies( const gelBallStep* step )
{
	for ( int i = 0; i < step->contactCount; ++i )
	{
		gelBody *a = GetBodyA( step, step->contacts + i ), *b = GetBodyB( step, step->contacts + i );
		a->touch->parent = a;
		a->touch->island = -1;
		if ( b == NULL ) continue;
		b->touch->parent = b;
		b->touch->island = -1;
	}
	for ( int i = 0; i < step->contactCount; ++i )
	{
		gelBody* b = GetBodyB( step, step->contacts + i );
		if ( b ) gelJoinIslands( GetBodyA( step, step->contacts + i ), b );
	}
}

// Islands by their first contact, and how many contacts they have.
static void CountContacts( gelBallStep* step )
{
	step->islandCount = 0;
	for ( int i = 0; i < step->contactCount; ++i )
	{
		const gelBallContact* c = step->contacts + step->keys[i].index;
		gelTouch* root = gelFindIslandRoot( GetBodyA( step, c ) )->touch;
		if ( root->island < 0 )
		{
			step->islands[step->islandCount] = ( gelBallIsland ){ 0 };
			root->island = step->islandCount++;
		}
		++step->islands[root->island].count;
	}
}

static void ListContacts( gelBallStep* step )
{
	int sum = 0;
	for ( int i = 0; i < step->islandCount; ++i )
	{
		step->islands[i].first = sum;
		sum += step->islands[i].count;
		step->islands[i].count = 0;
	}
	for ( int i = 0; i < step->contactCount; ++i )
	{
		const gelBallContact* c = step->contacts + step->keys[i].index;
		gelBallIsland* island = step->islands + gelFindIslandRoot( GetBodyA( step, c ) )->touch->island;
		step->order[island->first + island->count++] = i;
	}
}

// A body is listed by the first contact that has it.
static void ListBody( gelBallStep* step, gelBallIsland* island, int ball )
{
	gelBallBody* body = step->bodies + step->balls[ball].owner;
	if ( body->isListed ) return;
	body->isListed = true;
	step->bodyOrder[island->bodyFirst + island->bodyCount++] = step->balls[ball].owner;
}

void gelBuildBallIslands( gelBallStep* step )
{
	JoinBodies( step );
	CountContacts( step );
	ListContacts( step );
	int sum = 0;
	for ( int i = 0; i < step->bodyCount; ++i )
		step->bodies[i].isListed = false;
	for ( int k = 0; k < step->islandCount; ++k )
	{
		gelBallIsland* island = step->islands + k;
		island->bodyFirst = sum;
		for ( int i = 0; i < island->count; ++i )
		{
			const gelBallContact* c = gelBallIsland_Get( step, island, i );
			ListBody( step, island, c->a );
			if ( c->b >= 0 ) ListBody( step, island, c->b );
		}
		sum += island->bodyCount;
	}
}
