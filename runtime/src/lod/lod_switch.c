// SPDX-License-Identifier: MIT
// A body changes its level of detail: another block of memory in the same slot of the world.
#include "constraints/constraint_set.h"
#include "contact/step/contact_step.h"
#include "lod/lod_transfer.h"
#include "state/coarse_tree.h"
#include "world/body_life.h"

#include <string.h>

int gelBody_GetLevel( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body ? body->asset->level : -1;
}

// The def of the body as it would be in another level. Pin sets of levels: the pack has one at most.
static gelBodyDef MakeDef( const gelBody* body, const gelAsset* asset )
{
	GEL_ASSERT( asset->root == body->asset->root );
	gelBodyDef def = body->def;
	def.asset = asset;
	const gelPackSection* pins = gelPack_GetSection( &asset->pack, GEL_SECTION_PINS, 0 );
	if ( def.pinSetId != 0 && pins != NULL ) def.pinSetId = pins->key;
	if ( body->contact == NULL ) return def;
	def.enableSelfContact = body->contact->isSelfEnabled;
	def.contactFilter = body->contact->filter;
	def.contactFriction = body->contact->friction;
	return def;
}

static void TransferRest( const gelBody* from, gelBody* to )
{
	GEL_ASSERT( from->asset->root == to->asset->root && from->solver == to->solver );
	to->stillTime = from->stillTime;
	to->isAsleep = from->isAsleep;
	to->groundContactCount = from->groundContactCount;
	to->wasPutBack = from->wasPutBack;
	to->hasLoggedReset = from->hasLoggedReset;
	to->isUsable = from->isUsable;
	to->slot = from->slot;
	if ( to->contact == NULL || from->contact == NULL ) return;
	to->contact->isEnabled = from->contact->isEnabled;
	to->contact->isStill = from->contact->isStill;
}

// What solvers remember is about another cage.
static void Forget( gelBody* body )
{
	memcpy( body->xOld, body->x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	const gelSolver* solver = body->solver;
	if ( solver->forgetElements ) solver->forgetElements( body );
	if ( solver->forgetFactor ) solver->forgetFactor( body );
	if ( solver->noteMove ) solver->noteMove( body );
}

gelResult gelBody_SetLevel( gelBodyId bodyId, int level )
{
	gelBody* from = gelGetBody( bodyId );
	struct gelWorld* world = bodyId.world;
	if ( from == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	const gelAsset* asset = gelAsset_GetLevel( from->asset, level );
	if ( asset == NULL ) return gel_errorArgument;
	if ( asset == from->asset ) return gel_success;
	if ( !from->solver->movesNodes ) return gel_errorUnsupported;
	gelBodyDef def = MakeDef( from, asset );
	bool wasStepped = from->factorStep > 0.0f;
	if ( wasStepped && !gelAsset_CanStep( asset, &def, from->factorStep ) ) return gel_errorNoFactor;

	gelBody* to;
	gelResult result = gelMakeBody( world, &def, from->solver, &to );
	if ( result != gel_success ) return result;
	const gelAllocator* allocator = &world->def.allocator;
	bool isHeld = gelBody_IsConstrained( from );
	if ( ( isHeld && !to->constraints->calls->reserve( allocator, to ) ) ||
		!gelTransferState( allocator, from, to ) )
	{
		gelFreeBody( world, to );
		return gel_errorMemory;
	}
	gelTransferPins( from, to );
	gelRelaxState( from, to );
	gelTransferConstraints( from, to );
	TransferRest( from, to );
	Forget( to );
	gelBody_RefitCoarse( to );
	if ( world->contact )
	{
		gelContactStep_Forget( world->contact, from );
		gelForgetLoads( world, GEL_OTHER_BODY | from->slot );
	}
	world->slots[from->slot].body = to;
	gelFreeBody( world, from );
	gelWorld_UpdateLive( world );
	return gel_success;
}
