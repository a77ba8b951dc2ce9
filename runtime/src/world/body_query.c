// SPDX-License-Identifier: MIT
// What a game may ask about a body: nodes, energies and momenta.
#include "asset/blocks.h"
#include "solvers/implicit/implicit.h"
#include "solvers/implicit/implicit_elements.h"
#include "solvers/particles/particle_body.h"
#include "math/polar.h"
#include "solvers/fast/volume.h"
#include "state/world.h"

bool gelBody_IsValid( gelBodyId bodyId )
{
	return gelGetBody( bodyId ) != NULL;
}

const gelAsset* gelBody_GetAsset( gelBodyId bodyId )
{
	const gelBody* body = gelGetBody( bodyId );
	return body ? body->asset : NULL;
}

void* gelBody_GetUserData( gelBodyId bodyId )
{
	const gelBody* body = gelGetBody( bodyId );
	return body ? body->userData : NULL;
}

int gelBody_GetNodePositions( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	const gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return 0;
	for ( int i = 0; out != NULL && i < gelMinInt( body->asset->nodeCount, outCapacity ); ++i )
		out[i] = gelToWorld( body, body->x[i] );
	return body->asset->nodeCount;
}

int gelBody_GetNodeVelocities( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	const gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return 0;
	for ( int i = 0; out != NULL && i < gelMinInt( body->asset->nodeCount, outCapacity ); ++i )
		out[i] = body->solver->getNodeVelocity( body, (uint32_t)i );
	return body->asset->nodeCount;
}

gelBodyDynamics gelBody_GetDynamics( gelBodyId bodyId )
{
	const gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return ( gelBodyDynamics ){ 0 };
	return body->solver->getDynamics( body );
}
