// SPDX-License-Identifier: MIT
// Sleep: bodies at rest cost nothing. A sleeping body keeps its place and shape bit by bit and has no
// velocity.
#include "solvers/node_body.h"
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

// A body that was unfolded may be so again after so long [s]: one that is too soft for its weight would jump
// all the time.
#define UNFOLD_PAUSE 10.0f

// A body can be at rest with tets inside out: a minimum of its energy that it would never leave.
static bool IsFolded( const gelBody* body )
{
	for ( int t = 0; body->solver->movesNodes && t < body->asset->tetCount; ++t )
	{
		const uint32_t* node = body->asset->pack.tets[t].node;
		float det =
			gelTetDeterminant( body->x[node[0]], body->x[node[1]], body->x[node[2]], body->x[node[3]] );
		if ( !( det / body->asset->restDets[t] > 0.0f ) ) return true;
	}
	return false;
}

// What presses on a body as its own weight does, against its modulus: rho g L / E, on Earth. From a quarter
// on linear material is crushed by it, tets inside out, and would be so again.
#define CRUSHING_WEIGHT 0.25f

static bool IsCrushedByWeight( const gelBody* body )
{
	const gelPackView* pack = &body->asset->pack;
	for ( int i = 0; i < (int)pack->materialCount; ++i )
	{
		const gelPackMaterial* m = pack->materials + i;
		if ( m->density * 9.81f * body->asset->restSize > CRUSHING_WEIGHT * m->youngsModulus ) return true;
	}
	return false;
}

// No body of tets sleeps inside out that can be otherwise. One without pins gets its rest shape; pins may be
// what turns it inside out, and would do so again.
static bool RefuseFolded( gelBody* body )
{
	if ( !IsFolded( body ) ) return false;
	if ( IsCrushedByWeight( body ) ) return false;
	body->stillTime = 0.0f;
	if ( body->pinCount > 0 ) return true;
	gelNodeBody_TakeRestShape( body );
	if ( body->solver->forgetElements ) body->solver->forgetElements( body );
	if ( body->solver->forgetFactor ) body->solver->forgetFactor( body );
	body->stillTime = -UNFOLD_PAUSE;
	body->wasUnfolded = true;
	return true;
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
	const bool wasLong = body->stillTime >= GEL_SLEEP_TIME;
	body->stillTime = isStill || body->stillTime < 0.0f ? body->stillTime + h : 0.0f;
	if ( body->stillTime < GEL_SLEEP_TIME || ( !wasLong && RefuseFolded( body ) ) ) return;
	if ( !gelBody_IsTouched( body ) ) FallAsleep( body );
}

void gelSleepTogether( gelBody* const* bodies, int count )
{
	GEL_ASSERT( count > 0 );
	for ( int i = 0; i < count; ++i )
	{
		if ( !bodies[i]->enableSleep || bodies[i]->stillTime < GEL_SLEEP_TIME ) return;
	}
	bool isFolded = false;
	for ( int i = 0; i < count; ++i )
		isFolded = RefuseFolded( bodies[i] ) || isFolded;
	for ( int i = 0; i < count && !isFolded; ++i )
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
