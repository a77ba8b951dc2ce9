// SPDX-License-Identifier: MIT
#include "constraints/interact_points.h"

#include "state/cell_bounds.h"
#include "solvers/particles/particle_points.h"
#include "state/world.h"

#include <string.h>

// Inverse masses below this [1/kg] are zero: the point hangs on pinned nodes.
#define GEL_MIN_INV_MASS 1.0e-12f

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

float gelGetInvPointMass( const gelBody* body, const gelEmbeddedPoint* point )
{
	if ( body->particles ) return gelParticles_GetInvPointMass( body, point );
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	float sum = 0.0f;
	for ( int k = 0; k < 4; ++k )
		sum += point->weight[k] * point->weight[k] * body->invMasses[node[k]];
	return sum > GEL_MIN_INV_MASS ? sum : 0.0f;
}

void gelSpreadImpulse( const gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse, gelVec3* values )
{
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	for ( int k = 0; k < 4; ++k )
		values[node[k]] = gelMulAdd( values[node[k]], point->weight[k] * body->invMasses[node[k]], impulse );
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
	*outBody = gelGetBody( bodyId );
	if ( *outBody == NULL ) return gel_errorStaleId;
	if ( bodyId.world->isLocked ) return gel_errorLocked;
	return gelIsHandle( *outBody, point ) && gelIsUsable( value ) ? gel_success : gel_errorArgument;
}

gelResult gelBody_GetPointMass( gelBodyId bodyId, const gelEmbeddedPoint* point, float* outMass )
{
	if ( outMass == NULL ) return gel_errorArgument;
	*outMass = 0.0f;
	gelBody* body;
	gelResult result = GetTarget( bodyId, point, ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, &body );
	if ( result != gel_success ) return result;
	float invMass = gelGetInvPointMass( body, point );
	if ( invMass > 0.0f ) *outMass = 1.0f / invMass;
	return gel_success;
}

gelResult gelBody_AddPointForce( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 force )
{
	gelBody* body;
	gelResult result = GetTarget( bodyId, point, force, &body );
	if ( result != gel_success ) return result;
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	if ( body->particles ) gelParticles_AddPointForce( body, point, force );
	for ( int k = 0; k < 4 && body->particles == NULL; ++k )
		body->forces[node[k]] = gelMulAdd( body->forces[node[k]], point->weight[k], force );
	body->hasForces = true;
	if ( gelLengthSquared( force ) > 0.0f ) gelBody_Wake( body );
	return gel_success;
}

// Changes values of the four nodes, unless one of them would leave what a step can go on with.
static gelResult Spread( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse, gelVec3* values )
{
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	gelVec3 old[4];
	for ( int k = 0; k < 4; ++k )
		old[k] = values[node[k]];
	gelSpreadImpulse( body, point, impulse, values );
	bool isUsable = true;
	for ( int k = 0; k < 4; ++k )
		isUsable = isUsable && gelIsUsable( values[node[k]] );
	for ( int k = 0; k < 4 && !isUsable; ++k )
		values[node[k]] = old[k];
	return isUsable ? gel_success : gel_errorArgument;
}

// Velocities of nodes or particles.
static gelResult AddImpulse( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	if ( body->particles == NULL ) return Spread( body, point, impulse, body->v );
	return gelParticles_AddPointImpulse( body, point, impulse ) ? gel_success : gel_errorArgument;
}

static gelVec3 GetVelocity( const gelBody* body, const gelEmbeddedPoint* point )
{
	if ( body->particles ) return gelParticles_GetPointVelocity( body, point );
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	gelVec3 now = gelScale( point->weight[0], body->v[node[0]] );
	for ( int k = 1; k < 4; ++k )
		now = gelMulAdd( now, point->weight[k], body->v[node[k]] );
	return now;
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
	float invMass = gelGetInvPointMass( body, point );
	if ( invMass == 0.0f ) return gel_errorArgument;
	gelVec3 change = gelSub( velocity, GetVelocity( body, point ) );
	result = AddImpulse( body, point, gelScale( 1.0f / invMass, change ) );
	if ( result == gel_success ) gelBody_Wake( body );
	return result;
}

gelResult gelBody_MovePoint( gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3 translation, float dt )
{
	gelBody* body;
	gelResult result = GetTarget( bodyId, point, translation, &body );
	if ( result != gel_success ) return result;
	float invMass = gelGetInvPointMass( body, point );
	if ( invMass == 0.0f || !( dt >= 0.0f && dt <= GEL_MAX_COORDINATE ) ) return gel_errorArgument;
	gelVec3 impulse = gelScale( 1.0f / invMass, translation );
	if ( dt > 0.0f )
	{
		gelVec3 kick = gelMakeVec3( impulse.x / dt, impulse.y / dt, impulse.z / dt );
		result = AddImpulse( body, point, kick );
	}
	if ( result == gel_success && body->particles == NULL ) result = Spread( body, point, impulse, body->x );
	bool isStuck =
		result == gel_success && body->particles && !gelParticles_MovePoint( body, point, impulse );
	if ( isStuck ) result = gel_errorArgument;
	if ( result != gel_success ) return result;
	gelBody_Wake( body );
	gelBody_RefitCoarse( body );
	return gel_success;
}
