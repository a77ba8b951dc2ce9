// SPDX-License-Identifier: MIT
// What a game may ask about a body: nodes, place, mass, energies and momenta.
#include "math/polar.h"
#include "solvers/solver.h"
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

static gelVec3d GetRestNode( const gelBody* body, int i )
{
	return gelToDouble( gelGetRestNode( body->asset->pack.nodes, (uint32_t)i ) );
}

// x = R ( X - C ) + c of all nodes as well as it can be: c and C are the centers of mass now and at rest, R
// the polar factor of sum m ( x - c ) ( X - C )^T (Mueller et al. 2005, Eq. 7).
gelTransform gelBody_GetTransform( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	if ( body == NULL ) return ( gelTransform ){ .rotation = gelIdentityQuat() };
	gelVec3d now = { 0.0, 0.0, 0.0 }, rest = now;
	gelMat3d A = { now, now, now };
	double mass = 0.0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = body->asset->pack.masses[i].mass;
		mass += m;
		now = gelMulAddD( now, m, gelToDouble( body->x[i] ) );
		rest = gelMulAddD( rest, m, GetRestNode( body, i ) );
	}
	now = gelScaleD( 1.0 / mass, now );
	rest = gelScaleD( 1.0 / mass, rest );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3d arm = gelSubD( gelToDouble( body->x[i] ), now );
		A = gelAddOuterD(
			A, gelScaleD( body->asset->pack.masses[i].mass, arm ), gelSubD( GetRestNode( body, i ), rest ) );
	}
	gelQuat turn = gelFindBestTurn( A );
	gelVec3d place = gelSubD( now, gelMulMVD( gelToDoubleMat( gelMakeMat3FromQuat( turn ) ), rest ) );
	return ( gelTransform ){ gelToFloat( gelAddD( gelLoadVec3d( body->origin ), place ) ), turn };
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
