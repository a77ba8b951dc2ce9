// SPDX-License-Identifier: MIT
// What a game may ask about a body: nodes, place, mass, energies and momenta.
#include "solvers/node_body.h"
#include "state/world.h"

bool gelBody_IsValid( gelBodyId bodyId )
{
	return gelGetBody( bodyId ) != NULL;
}

const gelAsset* gelBody_GetAsset( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body ? body->asset : NULL;
}

void* gelBody_GetUserData( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body ? body->userData : NULL;
}

gelResult gelBody_SetUserData( gelBodyId bodyId, void* userData )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	body->userData = userData;
	return gel_success;
}

float gelBody_GetMass( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body ? gelAsset_GetInfo( body->asset ).mass : 0.0f;
}

gelTransform gelBody_GetTransform( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body ? gelNodeBody_FindTransform( body ) : ( gelTransform ){ .rotation = gelIdentityQuat() };
}

int gelBody_GetNodePositions( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	const gelBody* body = gelAskBody( bodyId );
	if ( body == NULL ) return 0;
	for ( int i = 0; out != NULL && i < gelMinInt( body->asset->nodeCount, outCapacity ); ++i )
		out[i] = gelToWorld( body, body->x[i] );
	return body->asset->nodeCount;
}

int gelBody_GetNodeVelocities( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	const gelBody* body = gelAskBody( bodyId );
	if ( body == NULL ) return 0;
	for ( int i = 0; out != NULL && i < gelMinInt( body->asset->nodeCount, outCapacity ); ++i )
		out[i] = body->solver->getNodeVelocity( body, (uint32_t)i );
	return body->asset->nodeCount;
}

gelBodyDynamics gelBody_GetDynamics( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	if ( body == NULL ) return ( gelBodyDynamics ){ 0 };
	return body->solver->getDynamics( body );
}
