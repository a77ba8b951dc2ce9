// SPDX-License-Identifier: MIT
// Sleep: bodies at rest cost nothing. A sleeping body keeps its place and shape bit by bit and has no
// velocity.
#include "solvers/solver.h"
#include "state/world.h"

static bool IsStill( const gelBody* body )
{
	bool isHit = body->contact && body->contact->isHit;
	return body->solver->isStill( body, gelBody_IsInContact( body ), isHit );
}

static void FallAsleep( gelBody* body )
{
	GEL_ASSERT( body->enableSleep );
	body->solver->stop( body );
	body->isAsleep = true;
	body->wasPutBack = false;
}

void gelBody_UpdateSleep( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f && !body->isAsleep );
	// particles are asked by those that sleep around them
	bool isAsked = body->solver->contactForm == gel_contactParticles && body->contact != NULL;
	if ( !body->enableSleep && !isAsked ) return;
	bool isStill = IsStill( body );
	if ( body->contact ) body->contact->isStill = isStill;
	if ( !body->enableSleep ) return;
	body->stillTime = isStill ? body->stillTime + h : 0.0f;
	if ( body->stillTime >= GEL_SLEEP_TIME && !gelBody_IsTouched( body ) ) FallAsleep( body );
}

void gelSleepTogether( gelBody* const* bodies, int count )
{
	GEL_ASSERT( count > 0 );
	for ( int i = 0; i < count; ++i )
	{
		if ( !bodies[i]->enableSleep || bodies[i]->stillTime < GEL_SLEEP_TIME ) return;
	}
	for ( int i = 0; i < count; ++i )
		FallAsleep( bodies[i] );
}

bool gelBody_IsAwake( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body != NULL && !body->isAsleep;
}

gelResult gelBody_SetAwake( gelBodyId bodyId, bool awake )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( !awake && !body->enableSleep ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( awake )
		gelBody_Wake( body );
	else
		FallAsleep( body );
	return gel_success;
}
