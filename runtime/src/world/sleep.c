// SPDX-License-Identifier: MIT
// Sleep: bodies at rest cost nothing. A sleeping body keeps its place and shape bit by bit and has no
// velocity.
#include "state/body_step.h"
#include "solvers/particles/particle_body.h"
#include "contact/response/body_contact.h"
#include "state/world.h"

#include <string.h>

// Bodies that touch sleep when all of them are still at once, which many never are if a node that is pressed
// between two others may not tremble: single nodes of theirs may be so many times as fast as long as the body
// as a whole is slower than this part.
#define GEL_GROUP_TREMBLE 5.0f
#define GEL_GROUP_REST    0.5f

static bool IsStill( const gelBody* body )
{
	if ( body->particles )
	{
		bool isHit = body->touch && body->touch->isHit;
		return gelParticles_AreStill( body->particles, isHit ? GEL_GROUP_TREMBLE : 1.0f, GEL_GROUP_REST );
	}
	float fastest2 = 0.0f, sum2 = 0.0f;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		float speed2 = gelLengthSquared( body->v[i] );
		fastest2 = gelMaxFloat( speed2, fastest2 );
		sum2 += body->asset->pack.masses[i].mass * speed2;
	}
	float limit2 = GEL_SLEEP_SPEED * GEL_SLEEP_SPEED;
	if ( fastest2 < limit2 ) return true;
	return gelBody_IsTouched( body ) && fastest2 < GEL_GROUP_TREMBLE * GEL_GROUP_TREMBLE * limit2 &&
		sum2 < GEL_GROUP_REST * GEL_GROUP_REST * limit2 * body->asset->mass;
}

static void FallAsleep( gelBody* body )
{
	if ( body->particles )
		gelParticles_Stop( body->particles );
	else
		memset( body->v, 0, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	body->isAsleep = true;
	body->wasPutBack = false;
}

void gelBody_Wake( gelBody* body )
{
	body->isAsleep = false;
	body->stillTime = 0.0f;
}

// By boxes, enlarged by this part of the sizes of both.
#define GEL_WAKE_MARGIN 0.01f

bool gelAreNear( const gelBody* a, const gelBody* b, float reach )
{
	float margin = GEL_WAKE_MARGIN * ( a->asset->restSize + b->asset->restSize ) + reach;
	gelVec3 shift = { (float)( b->origin[0] - a->origin[0] ), (float)( b->origin[1] - a->origin[1] ),
		(float)( b->origin[2] - a->origin[2] ) };
	gelVec3 low = gelAdd( b->box.min, shift ), high = gelAdd( b->box.max, shift );
	return low.x <= a->box.max.x + margin && a->box.min.x <= high.x + margin &&
		low.y <= a->box.max.y + margin && a->box.min.y <= high.y + margin && low.z <= a->box.max.z + margin &&
		a->box.min.z <= high.z + margin;
}

void gelWorld_WakeAround( struct gelWorld* world, const gelBody* body )
{
	if ( world->contact == NULL || body->touch == NULL ) return;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* other = world->live[i];
		if ( other != body && other->isAsleep && other->touch && gelAreNear( body, other, 0.0f ) )
			gelBody_Wake( other );
	}
}

void gelBody_UpdateSleep( gelBody* body, float h )
{
	bool isAsked = body->particles != NULL && body->touch != NULL; // by those that sleep around it
	if ( !body->allowSleep && !isAsked ) return;
	bool isStill = IsStill( body );
	if ( body->touch ) body->touch->isStill = isStill;
	if ( !body->allowSleep ) return;
	body->stillTime = isStill ? body->stillTime + h : 0.0f;
	if ( body->stillTime >= GEL_SLEEP_TIME && !gelBody_IsTouched( body ) ) FallAsleep( body );
}

void gelSleepTogether( gelBody* const* bodies, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( !bodies[i]->allowSleep || bodies[i]->stillTime < GEL_SLEEP_TIME ) return;
	}
	for ( int i = 0; i < count; ++i )
		FallAsleep( bodies[i] );
}

bool gelBody_IsAwake( gelBodyId bodyId )
{
	const gelBody* body = gelGetBody( bodyId );
	return body != NULL && !body->isAsleep;
}

gelResult gelBody_SetAwake( gelBodyId bodyId, bool awake )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return gel_errorStaleId;
	if ( bodyId.world->isLocked ) return gel_errorLocked;
	if ( !awake && !body->allowSleep ) return gel_errorArgument;
	if ( awake )
		gelBody_Wake( body );
	else
		FallAsleep( body );
	return gel_success;
}
