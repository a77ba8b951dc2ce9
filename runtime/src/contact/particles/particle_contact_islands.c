// SPDX-License-Identifier: MIT
// Islands of bodies that touch each other through ellipsoids: what one does changes nothing in another, so
// threads can solve them at once. Their number and order follow from those of the contacts.
#include "contact/particles/particle_contact.h"

static gelBody* GetBodyA( const gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	return step->bodies[step->ellipsoids[c->a].owner].body;
}

// With tets or with particles; NULL: a collider.
static gelBody* GetBodyB( const gelEllipsoidStep* step, const gelEllipsoidContact* c )
{
	return c->b >= 0 ? step->bodies[step->ellipsoids[c->b].owner].body : c->body;
}

static void JoinBodies( const gelEllipsoidStep* step )
{
	for ( int i = 0; i < step->contactCount; ++i )
	{
		gelBody *a = GetBodyA( step, step->contacts + i ), *b = GetBodyB( step, step->contacts + i );
		a->contact->parent = a;
		a->contact->island = -1;
		if ( b == NULL ) continue;
		b->contact->parent = b;
		b->contact->island = -1;
	}
	for ( int i = 0; i < step->contactCount; ++i )
	{
		gelBody* b = GetBodyB( step, step->contacts + i );
		if ( b ) gelJoinIslands( GetBodyA( step, step->contacts + i ), b );
	}
}

// Islands by their first contact, and how many contacts they have.
static void CountContacts( gelEllipsoidStep* step )
{
	step->islandCount = 0;
	for ( int i = 0; i < step->contactCount; ++i )
	{
		const gelEllipsoidContact* c = step->contacts + step->keys[i].index;
		gelBodyContact* root = gelFindIslandRoot( GetBodyA( step, c ) )->contact;
		if ( root->island < 0 )
		{
			step->islands[step->islandCount] = ( gelEllipsoidIsland ){ 0 };
			root->island = step->islandCount++;
		}
		++step->islands[root->island].count;
	}
}

static void ListContacts( gelEllipsoidStep* step )
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
		const gelEllipsoidContact* c = step->contacts + step->keys[i].index;
		gelEllipsoidIsland* island =
			step->islands + gelFindIslandRoot( GetBodyA( step, c ) )->contact->island;
		step->order[island->first + island->count++] = i;
	}
}

// A body is listed by the first contact that has it.
static void ListBody( gelEllipsoidStep* step, gelEllipsoidIsland* island, int ellipsoid )
{
	GEL_ASSERT( ellipsoid >= 0 && ellipsoid < step->ellipsoidCount );
	gelEllipsoidBody* body = step->bodies + step->ellipsoids[ellipsoid].owner;
	if ( body->isListed ) return;
	body->isListed = true;
	step->bodyOrder[island->bodyFirst + island->bodyCount++] = step->ellipsoids[ellipsoid].owner;
}

void gelBuildEllipsoidIslands( gelEllipsoidStep* step )
{
	JoinBodies( step );
	CountContacts( step );
	ListContacts( step );
	int sum = 0;
	for ( int i = 0; i < step->bodyCount; ++i )
		step->bodies[i].isListed = false;
	for ( int k = 0; k < step->islandCount; ++k )
	{
		gelEllipsoidIsland* island = step->islands + k;
		island->bodyFirst = sum;
		for ( int i = 0; i < island->count; ++i )
		{
			const gelEllipsoidContact* c = gelEllipsoidIsland_Get( step, island, i );
			ListBody( step, island, c->a );
			if ( c->b >= 0 ) ListBody( step, island, c->b );
		}
		sum += island->bodyCount;
	}
}
