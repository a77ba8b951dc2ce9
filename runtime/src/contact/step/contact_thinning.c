// SPDX-License-Identifier: MIT
// One contact per touched node. Detection gives a contact for each piece of surface in the other body, of
// either side: two bodies that are pressed together by the width of a few tets have a hundred, all of which
// hang on the same nodes. A node takes one push and one rub, so contacts beyond the first that push the same
// node the same way add work and no law. Those that carried a load in the last step stay until they let go:
// a choice by depth alone would change with every tremble, and the bodies would never lie still.
#include "contact/response/contact_loads.h"
#include "contact/step/contact_step.h"
#include "core/sort.h"

// Cosine of the angle up to which two normals count as the same way: 45 degrees.
#define GEL_SAME_WAY 0.7f

// Depth of a contact that carried a load in the last step, over that of a new one which is to join it.
#define GEL_LOADED_DEPTH 1.5f

// The node that feels the contact most.
static uint32_t GetTopNode( const gelBody* body, uint32_t cell, const float weights[4] )
{
	int top = 0;
	for ( int k = 1; k < 4; ++k )
		top = weights[k] > weights[top] ? k : top;
	return body->asset->pack.cells[cell].node[top];
}

// Two of the same surface, that hang on the same node of it.
static bool IsSamePush( const gelBodyPair* pair, const gelFoundContact* c, const gelFoundContact* d )
{
	bool isOfB = c->feature >> 63 != 0;
	if ( isOfB != ( d->feature >> 63 != 0 ) || gelDot( c->normal, d->normal ) < GEL_SAME_WAY ) return false;
	if ( isOfB && pair->b == NULL ) return c->cellA == d->cellA;
	return isOfB
		? GetTopNode( pair->b, c->cellB, c->weightsB ) == GetTopNode( pair->b, d->cellB, d->weightsB )
		: GetTopNode( pair->a, c->cellA, c->weightsA ) == GetTopNode( pair->a, d->cellA, d->weightsA );
}

typedef struct RankedContact
{
	float rank; // depth [m], more for those with a load
	int index;
	bool isLoaded;
} RankedContact;

// The deepest one first; of equals the earlier.
static int CompareRanks( const void* a, const void* b, const void* context )
{
	(void)context;
	const RankedContact *p = a, *q = b;
	if ( p->rank != q->rank ) return p->rank > q->rank ? -1 : 1;
	return p->index - q->index;
}

int gelThinContacts( const gelBodyPair* pair, gelFoundContact* found, int count )
{
	GEL_ASSERT( count >= 0 && count <= GEL_MAX_PAIR_CONTACTS );
	RankedContact order[GEL_MAX_PAIR_CONTACTS];
	bool isKept[GEL_MAX_PAIR_CONTACTS];
	for ( int i = 0; i < count; ++i )
	{
		bool isLoaded = gelHasLoad( pair, found[i].feature );
		order[i] = ( RankedContact ){ ( isLoaded ? GEL_LOADED_DEPTH : 1.0f ) * found[i].depth, i, isLoaded };
		isKept[i] = false;
	}
	gelSort( order, (size_t)count, sizeof( RankedContact ), CompareRanks, NULL );
	int keptCount = 0; // those kept so far stand at the front of the order
	for ( int i = 0; i < count; ++i )
	{
		bool isNew = true;
		for ( int k = 0; k < keptCount && isNew && !order[i].isLoaded; ++k )
			isNew = !IsSamePush( pair, found + order[i].index, found + order[k].index );
		if ( !isNew ) continue;
		isKept[order[i].index] = true;
		order[keptCount++] = order[i];
	}
	// in the order in which they were found: sweeps visit them in the same one in every step
	keptCount = 0;
	for ( int i = 0; i < count; ++i )
	{
		if ( isKept[i] ) found[keptCount++] = found[i];
	}
	return keptCount;
}
