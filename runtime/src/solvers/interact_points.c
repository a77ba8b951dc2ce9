// SPDX-License-Identifier: MIT
#include "solvers/interact_points.h"

#include "solvers/solver.h"
#include "state/cell_bounds.h"
#include "state/world.h"

#include <string.h>

bool gelIsHandle( const gelBody* body, const gelEmbeddedPoint* point )
{
	if ( point == NULL || point->tet < 0 || point->tet >= body->asset->tetCount ) return false;
	float sum = 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		if ( !( point->weight[k] >= -0.1f && point->weight[k] <= 1.1f ) ) return false;
		sum += point->weight[k];
	}
	return fabsf( sum - 1.0f ) <= 1.0e-3f;
}

gelEmbeddedPoint gelAsset_GetNodePoint( const gelAsset* asset, int node )
{
	gelEmbeddedPoint point = { .tet = -1 };
	if ( asset == NULL || node < 0 || node >= asset->nodeCount ) return point;
	for ( int i = 0; i < 4 * asset->tetCount; ++i )
	{
		if ( asset->pack.tets[i / 4].node[i % 4] != (uint32_t)node ) continue;
		point.tet = i / 4;
		point.weight[i % 4] = 1.0f;
		break;
	}
	return point;
}

// The body of an id that may be written now, and whether the point is one of it.
static gelResult GetTarget(
	gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 value, gelBody** outBody )
{
	gelResult result = gelUseBody( bodyId, outBody );
	if ( result != gel_success ) return result;
	bool isValid = gelIsHandle( *outBody, point ) && gelIsUsable( value );
	return isValid ? gel_success : GEL_CALLER_ERROR( gel_errorArgument );
}

gelResult gelBody_GetPointMass( gelBodyId bodyId, const gelEmbeddedPoint* point, float* outMass )
{
	if ( outMass == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outMass = 0.0f;
	gelBody* body;
	gelResult result = GetTarget( bodyId, point, ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, &body );
	if ( result != gel_success ) return result;
	float invMass = body->solver->getInvPointMass( body, point );
	if ( invMass > 0.0f ) *outMass = 1.0f / invMass;
	return gel_success;
}

gelResult gelBody_AddPointForce( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 force )
{
	gelBody* body;
	gelResult result = GetTarget( bodyId, point, force, &body );
	if ( result != gel_success ) return result;
	body->solver->addPointForce( body, point, force );
	body->hasForces = true;
	if ( gelLengthSquared( force ) > 0.0f ) gelBody_Wake( body );
	return gel_success;
}

static gelResult AddImpulse( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	return body->solver->addPointImpulse( body, point, impulse ) ? gel_success : gel_errorArgument;
}

gelResult gelBody_AddPointImpulse( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	gelBody* body;
	gelResult result = GetTarget( bodyId, point, impulse, &body );
	if ( result == gel_success ) result = AddImpulse( body, point, impulse );
	if ( result == gel_success && gelLengthSquared( impulse ) > 0.0f ) gelBody_Wake( body );
	return result;
}

gelResult gelBody_SetPointVelocity( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 velocity )
{
	gelBody* body;
	gelResult result = GetTarget( bodyId, point, velocity, &body );
	if ( result != gel_success ) return result;
	float invMass = body->solver->getInvPointMass( body, point );
	if ( invMass == 0.0f ) return gel_errorArgument;
	gelVec3 change = gelSub( velocity, body->solver->getPointVelocity( body, point ) );
	result = AddImpulse( body, point, gelScale( 1.0f / invMass, change ) );
	if ( result == gel_success ) gelBody_Wake( body );
	return result;
}

gelResult gelBody_MovePoint( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 translation, float dt )
{
	gelBody* body;
	gelResult result = GetTarget( bodyId, point, translation, &body );
	if ( result != gel_success ) return result;
	float invMass = body->solver->getInvPointMass( body, point );
	if ( !( dt >= 0.0f && dt <= GEL_MAX_COORDINATE ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( invMass == 0.0f ) return gel_errorArgument;
	gelVec3 impulse = gelScale( 1.0f / invMass, translation );
	if ( dt > 0.0f )
	{
		gelVec3 kick = gelMakeVec3( impulse.x / dt, impulse.y / dt, impulse.z / dt );
		result = AddImpulse( body, point, kick );
	}
	if ( result == gel_success && !body->solver->movePoint( body, point, impulse ) )
		result = gel_errorArgument;
	if ( result != gel_success ) return result;
	gelBody_Wake( body );
	gelBody_RefitCoarse( body );
	return gel_success;
}
