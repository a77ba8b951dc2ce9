// SPDX-License-Identifier: MIT
#include "contact/response/contact_calm.h"

// c [1/s]: a bear of 0.5 m and 5e4 Pa that is dropped by its own height sleeps after two seconds.
#define GEL_CALM_RATE 15.0f

// v0 [m/s], at 1 m; grows with the root of the size, as the speed of a fall by it does.
#define GEL_CALM_SPEED 0.3f

// Points that slip faster than this slide [m/s].
#define GEL_CALM_SLIP 2.0e-3f

gelSupport gelFindSupport( const gelIslandWork* work )
{
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	float carried = 0.0f, pressed = 0.0f, slip = 0.0f;
	for ( int i = 0; i < work->itemCount; ++i )
	{
		const gelContactItem* item = work->items + i;
		float push = item->force.lambda;
		if ( !( push > 0.0f ) ) continue;
		pressed += push;
		slip += push * gelLength( gelTangential( item->move, item->normal ) );
		if ( item->b.body != NULL ) continue;
		carried += push;
		move = gelMulAdd( move, push, item->b.move );
	}
	gelSupport support = { .isFirm = carried > 0.0f && slip <= GEL_CALM_SLIP * work->h * pressed };
	if ( support.isFirm ) support.velocity = gelScale( 1.0f / ( work->h * carried ), move );
	return support;
}

static void CalmBody( gelBody* body, gelVec3 u, float h )
{
	const gelPackMass* masses = body->asset->pack.masses;
	float sum = 0.0f;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		sum += masses[i].mass * gelLengthSquared( gelSub( body->v[i], u ) );
	float speed = sqrtf( sum / body->asset->mass ), most = GEL_CALM_SPEED * sqrtf( body->asset->restSize );
	bool isGrowing = speed > body->contact->calmSpeed;
	body->contact->calmSpeed = speed;
	if ( !( speed < most ) || isGrowing ) return;
	float keep = 1.0f / ( 1.0f + h * GEL_CALM_RATE * ( 1.0f - speed / most ) );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		if ( body->invMasses[i] > 0.0f ) body->v[i] = gelMulAdd( u, keep, gelSub( body->v[i], u ) );
	}
	body->contact->calmSpeed = keep * speed;
}

void gelCalmIsland( const gelIslandWork* work, const gelSupport* support )
{
	for ( int i = 0; i < work->bodyCount && support->isFirm; ++i )
		CalmBody( work->bodies[i], support->velocity, work->h );
}
