// SPDX-License-Identifier: MIT
// Against tunnelling. Contacts are found where surfaces overlap at the start of a step, so bodies that pass
// each other within one would not notice. Where the boxes of two of them, swept by how they move against each
// other, meet although the boxes themselves do not, and the way is longer than half of the thinner one, both
// are braked to that: by opposite impulses, as in a collision without bounce, so momentum is kept. Next step
// they overlap by less than half, and go on as contacts.
#include "collider_set.h"
#include "contact_step.h"
#include "world.h"

#include <math.h>

// Part of the thinner body that two bodies may move against each other in a step.
#define GEL_BRAKE_PART 0.5f

// One that may be hit, or hits.
typedef struct gelBrakeSide
{
	const double *low, *high; // box [m, world space]
	float thickness;          // of its thinnest parts, or its smallest side [m]
	bool isThin;              // the former: others are braked inside of its box, too
	float mass;               // [kg]; infinite: is moved by nobody
	gelVec3 velocity;         // of the centre of mass [m/s]
} gelBrakeSide;

static gelVec3 GetVelocity( const gelBody* body )
{
	double p[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = body->asset->pack.masses[i].mass;
		p[0] += m * body->v[i].x;
		p[1] += m * body->v[i].y;
		p[2] += m * body->v[i].z;
	}
	double inv = 1.0 / body->asset->mass;
	return gelMakeVec3( (float)( inv * p[0] ), (float)( inv * p[1] ), (float)( inv * p[2] ) );
}

static float GetThickness( const gelAabb* box )
{
	gelVec3 size = gelSub( box->max, box->min );
	return gelMinFloat( size.x, gelMinFloat( size.y, size.z ) );
}

static gelBrakeSide MakeSide( const gelContactProxy* proxy )
{
	const gelBody* body = proxy->body;
	bool isThin = body->touch->thickness > 0.0f;
	return ( gelBrakeSide ){ proxy->low, proxy->high,
		isThin ? body->touch->thickness : GetThickness( &body->asset->restBounds ), isThin,
		body->pinCount > 0 ? INFINITY : body->asset->mass, body->touch->velocity };
}

// Whether the boxes do not overlap now, but do when A moves by d against B; with thin parts, whether they do
// at all.
static bool Meet( const gelBrakeSide* a, const gelBrakeSide* b, gelVec3 d )
{
	const float move[3] = { d.x, d.y, d.z };
	bool overlaps = true, meets = true;
	for ( int k = 0; k < 3; ++k )
	{
		overlaps = overlaps && a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
		meets = meets && a->low[k] + fminf( move[k], 0.0f ) <= b->high[k] &&
			b->low[k] <= a->high[k] + fmaxf( move[k], 0.0f );
	}
	return meets && ( !overlaps || a->isThin || b->isThin );
}

static void ChangeVelocity( gelBody* body, gelVec3 change )
{
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		if ( body->invMasses[i] > 0.0f ) body->v[i] = gelAdd( body->v[i], change );
	}
	body->touch->velocity = gelAdd( body->touch->velocity, change );
}

// How the velocity of A against B has to change; zero: not at all.
static gelVec3 FindBrake( const gelBrakeSide* a, const gelBrakeSide* b, float h )
{
	gelVec3 relative = gelSub( a->velocity, b->velocity ), none = { 0.0f, 0.0f, 0.0f };
	float way = h * gelLength( relative );
	float allowed = GEL_BRAKE_PART * gelMinFloat( a->thickness, b->thickness );
	if ( !( way > allowed ) || !Meet( a, b, gelScale( h, relative ) ) ) return none;
	return gelScale( allowed / way - 1.0f, relative );
}

static void BrakeBodies( gelContactProxy* p, gelContactProxy* q, float h )
{
	gelBrakeSide a = MakeSide( p ), b = MakeSide( q );
	if ( !gelTouch_FiltersAgree( p->body->touch, q->body->touch->category, q->body->touch->mask ) ) return;
	gelVec3 change = FindBrake( &a, &b, h );
	if ( gelLengthSquared( change ) == 0.0f || ( isinf( a.mass ) && isinf( b.mass ) ) ) return;
	float shareA = isinf( a.mass ) ? 0.0f : isinf( b.mass ) ? 1.0f : b.mass / ( a.mass + b.mass );
	gelBody_Wake( p->body );
	gelBody_Wake( q->body );
	if ( shareA > 0.0f ) ChangeVelocity( p->body, gelScale( shareA, change ) );
	if ( shareA < 1.0f ) ChangeVelocity( q->body, gelScale( shareA - 1.0f, change ) );
}

static void BrakeAtSurface( struct gelWorld* world, gelContactProxy* p, gelCollider* collider, float h )
{
	gelColliderSurface_Place( collider->surface, &world->kernels, &collider->motion.start );
	gelAabb box = gelColliderSurface_GetBox( collider->surface );
	const double *o = collider->surface->origin, *from = collider->motion.start.position,
				 *to = collider->motion.end.position;
	double low[3] = { o[0] + box.min.x, o[1] + box.min.y, o[2] + box.min.z };
	double high[3] = { o[0] + box.max.x, o[1] + box.max.y, o[2] + box.max.z };
	gelVec3 move = { (float)( to[0] - from[0] ), (float)( to[1] - from[1] ), (float)( to[2] - from[2] ) };
	bool isThin = collider->def.thickness > 0.0f;
	gelBrakeSide a = MakeSide( p ),
				 b = { low, high, isThin ? collider->def.thickness : GetThickness( &box ), isThin, INFINITY,
					 gelScale( 1.0f / h, move ) };
	if ( isinf( a.mass ) ||
		!gelTouch_FiltersAgree( p->body->touch, collider->def.category, collider->def.mask ) )
		return;
	gelVec3 change = FindBrake( &a, &b, h );
	if ( gelLengthSquared( change ) > 0.0f ) ChangeVelocity( p->body, change );
}

// The thinnest of all bodies.
static float GetLeastThickness( const gelContactStep* step )
{
	float least = INFINITY;
	for ( int i = 0; i < step->proxyCount; ++i )
		least = gelMinFloat( MakeSide( step->proxies + i ).thickness, least );
	return least;
}

void gelBrakeBodies( struct gelWorld* world, float h )
{
	gelContactStep* step = world->contact;
	for ( int i = 0; i < step->proxyCount; ++i )
		step->proxies[i].body->touch->velocity = GetVelocity( step->proxies[i].body );
	float least = GetLeastThickness( step );
	for ( int i = 0; i < step->proxyCount; ++i )
	{
		gelContactProxy* proxy = step->proxies + i;
		if ( proxy->body->isAsleep ) continue;
		for ( int k = 0; k < world->colliderCount; ++k )
		{
			gelCollider* collider = world->colliders + k;
			if ( collider->isUsed && collider->surface ) BrakeAtSurface( world, proxy, collider, h );
		}
		// of two that pass each other too fast, one is faster than half of that
		if ( h * gelLength( proxy->body->touch->velocity ) <= 0.5f * GEL_BRAKE_PART * least ) continue;
		for ( int k = 0; k < step->proxyCount; ++k )
		{
			if ( k != i ) BrakeBodies( proxy, step->proxies + k, h );
		}
	}
}
