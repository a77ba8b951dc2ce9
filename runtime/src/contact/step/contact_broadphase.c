// SPDX-License-Identifier: MIT
// Which bodies may touch: boxes sorted along one axis and swept.
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_step.h"
#include "solvers/solver.h"
#include "state/world.h"

#include <string.h>

static bool TakesPart( const gelBody* body )
{
	return gelBody_HasContactSurface( body ) && body->contact->isEnabled;
}

gelContactProxy gelMakeProxy( gelBody* body, gelAabb box, int index )
{
	const double* o = body->origin;
	gelVec3 low = box.min, high = box.max;
	return ( gelContactProxy ){ { o[0] + low.x, o[1] + low.y, o[2] + low.z },
		{ o[0] + high.x, o[1] + high.y, o[2] + high.z }, body, index };
}

static void ListProxies( struct gelWorld* world )
{
	gelContactStep* step = world->contact;
	step->proxyCount = 0;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		if ( !TakesPart( body ) ) continue;
		body->contact->isPaired = false;
		step->proxies[step->proxyCount++] = gelMakeProxy( body, body->box, i );
	}
}

// The axis on which the boxes lie farthest apart, relative to their own size.
static int ChooseAxis( const gelContactProxy* proxies, int count )
{
	int best = 0;
	double bestSpread = -1.0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double low = 0.0, high = 0.0, size = 0.0;
		for ( int i = 0; i < count; ++i )
		{
			const gelContactProxy* proxy = proxies + i;
			low = i == 0 || proxy->low[axis] < low ? proxy->low[axis] : low;
			high = i == 0 || proxy->high[axis] > high ? proxy->high[axis] : high;
			size += proxy->high[axis] - proxy->low[axis];
		}
		double spread = size > 0.0 ? ( high - low ) / size : 0.0;
		if ( spread > bestSpread )
		{
			best = axis;
			bestSpread = spread;
		}
	}
	return best;
}

static bool IsBefore( const gelContactProxy* a, const gelContactProxy* b, int axis )
{
	if ( a->low[axis] != b->low[axis] ) return a->low[axis] < b->low[axis];
	return a->body->slot < b->body->slot;
}

static void SiftProxy( gelContactProxy* heap, int root, int count, int axis )
{
	GEL_ASSERT( root >= 0 && axis >= 0 && axis < 3 );
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && IsBefore( heap + child, heap + child + 1, axis ) ) ++child;
		if ( !IsBefore( heap + root, heap + child, axis ) ) return;
		gelContactProxy proxy = heap[root];
		heap[root] = heap[child];
		heap[child] = proxy;
		root = child;
	}
}

int gelSortProxies( gelContactProxy* proxies, int count )
{
	int axis = ChooseAxis( proxies, count );
	for ( int i = count / 2; i-- > 0; )
		SiftProxy( proxies, i, count, axis );
	for ( int last = count - 1; last > 0; --last )
	{
		gelContactProxy proxy = proxies[0];
		proxies[0] = proxies[last];
		proxies[last] = proxy;
		SiftProxy( proxies, 0, last, axis );
	}
	return axis;
}

static bool PairIsBefore( const gelBodyPair* p, const gelBodyPair* q )
{
	if ( p->a != q->a ) return p->a->slot < q->a->slot;
	if ( p->b == NULL || q->b == NULL ) return p->b != q->b ? p->b != NULL : p->collider < q->collider;
	return p->b->slot < q->b->slot;
}

static void SiftPair( gelBodyPair* heap, int root, int count )
{
	for ( int child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && PairIsBefore( heap + child, heap + child + 1 ) ) ++child;
		if ( !PairIsBefore( heap + root, heap + child ) ) return;
		gelBodyPair pair = heap[root];
		heap[root] = heap[child];
		heap[child] = pair;
		root = child;
	}
}

static void SortPairs( gelBodyPair* pairs, int count )
{
	for ( int i = count / 2; i-- > 0; )
		SiftPair( pairs, i, count );
	for ( int last = count - 1; last > 0; --last )
	{
		gelBodyPair pair = pairs[0];
		pairs[0] = pairs[last];
		pairs[last] = pair;
		SiftPair( pairs, 0, last );
	}
}

bool gelMayProxiesTouch( const gelContactProxy* p, const gelContactProxy* q )
{
	const gelBodyContact *a = p->body->contact, *b = q->body->contact;
	if ( !gelFiltersAgree( a->filter, b->filter ) ) return false;
	bool overlaps = true;
	for ( int k = 0; k < 3; ++k )
		overlaps = overlaps && p->low[k] <= q->high[k] && q->low[k] <= p->high[k];
	return overlaps;
}

static void AddPair( gelContactStep* step, gelBodyPair pair )
{
	GEL_ASSERT( step->pairCount >= 0 && step->pairCount <= step->pairCapacity );
	if ( step->pairCount == step->pairCapacity )
		++step->counters.droppedPairCount;
	else
		step->pairs[step->pairCount++] = pair;
}

static void AddBodies( gelContactStep* step, gelBody* a, gelBody* b )
{
	GEL_ASSERT( a != b && a->contact != NULL && b->contact != NULL );
	bool isOrdered = a->slot < b->slot;
	AddPair( step, ( gelBodyPair ){ .a = isOrdered ? a : b, .b = isOrdered ? b : a } );
}

// Surfaces of colliders against all bodies: there are few.
static void AddSurfaces( struct gelWorld* world )
{
	gelContactStep* step = world->contact;
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		gelCollider* collider = world->colliders + i;
		if ( !collider->isUsed || collider->surface == NULL ) continue;
		gelColliderSurface_Place( collider->surface, world->simd, &collider->motion.start );
		gelAabb box = gelColliderSurface_GetBox( collider->surface );
		const double* o = collider->surface->origin;
		double low[3] = { o[0] + box.min.x, o[1] + box.min.y, o[2] + box.min.z };
		double high[3] = { o[0] + box.max.x, o[1] + box.max.y, o[2] + box.max.z };
		for ( int k = 0; k < step->proxyCount; ++k )
		{
			const gelContactProxy* proxy = step->proxies + k;
			bool overlaps = gelFiltersAgree( proxy->body->contact->filter, collider->def.filter );
			for ( int d = 0; d < 3; ++d )
				overlaps = overlaps && proxy->low[d] <= high[d] && low[d] <= proxy->high[d];
			if ( overlaps ) AddPair( step, ( gelBodyPair ){ .a = proxy->body, .collider = collider } );
		}
	}
}

void gelFindBodyPairs( struct gelWorld* world, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelContactStep* step = world->contact;
	ListProxies( world );
	gelGuardAgainstTunnelling( world, h );
	step->pairCount = 0;
	int axis = gelSortProxies( step->proxies, step->proxyCount );
	for ( int i = 0; i < step->proxyCount; ++i )
	{
		const gelContactProxy* proxy = step->proxies + i;
		for ( int k = i + 1; k < step->proxyCount; ++k )
		{
			const gelContactProxy* other = step->proxies + k;
			if ( other->low[axis] > proxy->high[axis] ) break;
			if ( gelMayProxiesTouch( proxy, other ) ) AddBodies( step, proxy->body, other->body );
		}
	}
	AddSurfaces( world );
	for ( int i = 0; i < step->proxyCount; ++i )
	{
		gelBody* body = step->proxies[i].body;
		if ( body->contact->isSelfEnabled ) AddPair( step, ( gelBodyPair ){ .a = body, .b = body } );
	}
	SortPairs( step->pairs, step->pairCount );
}
