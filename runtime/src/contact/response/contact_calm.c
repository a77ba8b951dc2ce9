// SPDX-License-Identifier: MIT
#include "contact/response/contact_calm.h"

#include "solvers/rigid_response.h"

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

// What is left alone of a body: the motion of its support, or its own as a rigid whole.
typedef struct gelKeptMotion
{
	gelVec3 velocity, spin, center;
} gelKeptMotion;

// The rigid motion that has the momenta of the body. False: it is held.
static bool FindRigidMotion( const gelBody* body, gelKeptMotion* out )
{
	gelContactResponse response = gelMakeRigidResponse( body, body->x );
	if ( !response.canTurn ) return false;
	const gelPackMass* masses = body->asset->pack.masses;
	const double *c = response.center, *inv = response.invInertia;
	gelVec3 p = { 0.0f, 0.0f, 0.0f }, l = p;
	out->center = gelMakeVec3( (float)c[0], (float)c[1], (float)c[2] );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 mv = gelScale( masses[i].mass, body->v[i] );
		p = gelAdd( p, mv );
		l = gelAdd( l, gelCross( gelSub( body->x[i], out->center ), mv ) );
	}
	out->velocity = gelScale( 1.0f / body->asset->mass, p );
	const double spin[3] = { inv[0] * l.x + inv[1] * l.y + inv[2] * l.z,
		inv[3] * l.x + inv[4] * l.y + inv[5] * l.z, inv[6] * l.x + inv[7] * l.y + inv[8] * l.z };
	out->spin = gelMakeVec3( (float)spin[0], (float)spin[1], (float)spin[2] );
	return true;
}

static float GetSpeed( const gelBody* body, gelVec3 u )
{
	const gelPackMass* masses = body->asset->pack.masses;
	float sum = 0.0f;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		sum += masses[i].mass * gelLengthSquared( gelSub( body->v[i], u ) );
	return sqrtf( sum / body->asset->mass );
}

static void CalmBody( gelBody* body, gelVec3 u, float h )
{
	float speed = GetSpeed( body, u ), most = GEL_CALM_SPEED * sqrtf( body->asset->restSize );
	bool isGrowing = speed > body->contact->calmSpeed;
	body->contact->calmSpeed = speed;
	gelKeptMotion kept = { .velocity = u };
	if ( !( speed < most ) || ( isGrowing && !FindRigidMotion( body, &kept ) ) ) return;
	float keep = 1.0f / ( 1.0f + h * GEL_CALM_RATE * ( 1.0f - speed / most ) );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 to = gelAdd( kept.velocity, gelCross( kept.spin, gelSub( body->x[i], kept.center ) ) );
		if ( body->invMasses[i] > 0.0f ) body->v[i] = gelMulAdd( to, keep, gelSub( body->v[i], to ) );
	}
	body->contact->calmSpeed = isGrowing ? GetSpeed( body, u ) : keep * speed;
}

void gelCalmIsland( const gelIslandWork* work, const gelSupport* support )
{
	for ( int i = 0; i < work->bodyCount && support->isFirm; ++i )
		CalmBody( work->bodies[i], support->velocity, work->h );
}
