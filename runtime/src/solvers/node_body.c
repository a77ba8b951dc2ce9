// SPDX-License-Identifier: MIT
#include "solvers/node_body.h"

#include "asset/blocks.h"
#include "math/polar.h"

#include <math.h>
#include <string.h>

// Iterations that find a rotation from nothing; 99.9 % of random starts need 12 at most.

// Inverse masses below this [1/kg] are zero: the point hangs on pinned nodes.
#define GEL_MIN_INV_MASS 1.0e-12f

// ---- state -----------------------------------------------------------------------------------------------

static void ForgetPlastic( gelBody* body )
{
	if ( body->plastic )
		memset( body->plastic, 0, (size_t)body->asset->blockCount * sizeof( gelStrainBlock ) );
}

void gelNodeBody_Place( gelBody* body, gelQuat rotation )
{
	GEL_ASSERT( body->solver->movesNodes && gelIsUnitQuat( rotation ) );
	const gelAsset* asset = body->asset;
	gelMat3 R = gelMakeMat3FromQuat( rotation );
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		body->x[i] = gelMulMV( R, gelGetRestNode( asset->pack.nodes, (uint32_t)i ) );
		body->v[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		body->forces[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
		body->q[slot] = rotation;
	ForgetPlastic( body );
}

void gelNodeBody_SetVelocity( gelBody* body, gelVec3 linear, gelVec3 angular )
{
	GEL_ASSERT( gelIsUsable( linear ) && gelIsUsable( angular ) );
	const gelAsset* asset = body->asset;
	double sum[3] = { 0.0, 0.0, 0.0 }, total = 0.0;
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		double m = asset->pack.masses[i].mass;
		sum[0] += m * body->x[i].x;
		sum[1] += m * body->x[i].y;
		sum[2] += m * body->x[i].z;
		total += m;
	}
	gelVec3 center = { (float)( sum[0] / total ), (float)( sum[1] / total ), (float)( sum[2] / total ) };
	for ( int i = 0; i < asset->nodeCount; ++i )
		body->v[i] = gelAdd( linear, gelCross( angular, gelSub( body->x[i], center ) ) );
	for ( int i = 0; i < body->pinCount; ++i )
		body->v[body->pins[i]] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
}

void gelNodeBody_Turn( gelBody* body, gelQuat rotation )
{
	GEL_ASSERT( gelIsUnitQuat( rotation ) );
	gelMat3 R = gelMakeMat3FromQuat( rotation );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		body->x[i] = gelMulMV( R, body->x[i] );
		body->v[i] = gelMulMV( R, body->v[i] );
	}
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
		body->q[slot] = gelMulQuat( rotation, body->q[slot] );
}

int gelNodeBody_ListPlastic( const gelBody* body, gelStateSpan* out )
{
	if ( body->plastic == NULL ) return 0;
	size_t bytes = (size_t)body->asset->blockCount * sizeof( gelStrainBlock );
	*out = ( gelStateSpan ){ body->plastic, bytes, gelState_AreStrains };
	return 1;
}

void gelNodeBody_ResetRotations( gelBody* body )
{
	GEL_ASSERT( body->q != NULL );
	if ( body->solver->forgetElements ) body->solver->forgetElements( body );
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		body->q[slot] = gelIdentityQuat();
		if ( t == GEL_NO_TET ) continue;
		gelMat3 F = gelDeformationGradient( &body->asset->pack, t, body->x );
		body->q[slot] = gelPolarSolve_Ref( F, gelIdentityQuat(), GEL_COLD_ITERATIONS );
	}
}

bool gelNodeBody_IsUsable( const gelBody* body )
{
	const float* x = &body->x->x;
	size_t count = 3 * (size_t)body->asset->nodeCount;
	int wrong = 0;
	for ( size_t i = 0; i < count; ++i )
		wrong |= !( fabsf( x[i] ) <= GEL_MAX_COORDINATE ); // also for NaN
	return body->isUsable && wrong == 0;
}

static gelVec3d GetRestNode( const gelBody* body, int i )
{
	return gelToDouble( gelGetRestNode( body->asset->pack.nodes, (uint32_t)i ) );
}

// x = R ( X - C ) + c of all nodes as well as it can be: c and C are the centers of mass now and at rest, R
// the polar factor of sum m ( x - c ) ( X - C )^T (Mueller et al. 2005, Eq. 7).
gelTransform gelNodeBody_FindTransform( const gelBody* body )
{
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

void gelNodeBody_TakeRestShape( gelBody* body )
{
	GEL_ASSERT( body->solver->movesNodes );
	gelTransform place = gelNodeBody_FindTransform( body );
	// far outside of all worlds a float has no digits for a place
	if ( !gelIsTransform( place ) ) place = ( gelTransform ){ .rotation = gelIdentityQuat() };
	body->origin[0] = place.position.x;
	body->origin[1] = place.position.y;
	body->origin[2] = place.position.z;
	body->solver->place( body, place.rotation );
}

static bool IsAtRest( const gelBody* body )
{
	int moves = 0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		moves |= !( body->v[i].x == 0.0f && body->v[i].y == 0.0f && body->v[i].z == 0.0f ); // also for NaN
	return moves == 0;
}

void gelNodeBody_PutBack( gelBody* body )
{
	size_t n = (size_t)body->asset->nodeCount;
	// A step that fails from rest, as the one after a put-back does, would fail again and again: what it
	// starts from is the cause.
	const bool isStartBad = IsAtRest( body );
	memcpy( body->x, body->xOld, n * sizeof( gelVec3 ) );
	if ( isStartBad ) gelNodeBody_TakeRestShape( body );
	gelNodeBody_Stop( body );
	for ( int i = 0; i < body->pinCount; ++i )
		body->pinTargets[i] = body->x[body->pins[i]];
	ForgetPlastic( body ); // a permanent strain that tore the body apart would do it again
	gelNodeBody_ResetRotations( body );
	if ( body->solver->forgetFactor ) body->solver->forgetFactor( body );
	body->wasPutBack = true;
}

void gelNodeBody_FindCompliance( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( body->factorStep == h ) return;
	gelPackFactorView factor = { 0 };
	bool isFound = gelAsset_FindFactor( body->asset, h, body->pinSetId, &factor );
	body->factor = factor;
	body->compliance = isFound ? gelAsset_FindCompliance( body->asset, factor.header ) : NULL;
	body->factorStep = h;
}

// Single nodes of a body that touches others may be faster as long as the body as a whole is slower.
bool gelNodeBody_IsStill( const gelBody* body, bool isTouched, bool isHit )
{
	(void)isHit;
	float fastest2 = 0.0f, sum2 = 0.0f;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		float speed2 = gelLengthSquared( body->v[i] );
		fastest2 = gelMaxFloat( speed2, fastest2 );
		sum2 += body->asset->pack.masses[i].mass * speed2;
	}
	float limit2 = GEL_SLEEP_SPEED * GEL_SLEEP_SPEED;
	if ( fastest2 < limit2 ) return true;
	return isTouched && fastest2 < GEL_SLEEP_TREMBLE * GEL_SLEEP_TREMBLE * limit2 &&
		sum2 < GEL_SLEEP_REST * GEL_SLEEP_REST * limit2 * body->asset->mass;
}

void gelNodeBody_Stop( gelBody* body )
{
	memset( body->v, 0, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
}

// ---- embedded points ------------------------------------------------------------------------------------

float gelNodeBody_GetNodeMass( const gelBody* body, uint32_t node )
{
	GEL_ASSERT( node < (uint32_t)body->asset->nodeCount );
	return body->asset->pack.masses[node].mass;
}

float gelNodeBody_GetInvPointMass( const gelBody* body, const gelEmbeddedPoint* point )
{
	GEL_ASSERT( point->tet >= 0 && point->tet < body->asset->tetCount );
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	float sum = 0.0f;
	for ( int k = 0; k < 4; ++k )
		sum += point->weight[k] * point->weight[k] * body->invMasses[node[k]];
	return sum > GEL_MIN_INV_MASS ? sum : 0.0f;
}

void gelNodeBody_AddPointForce( gelBody* body, const gelEmbeddedPoint* point, gelVec3 force )
{
	GEL_ASSERT( point->tet >= 0 && point->tet < body->asset->tetCount );
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	for ( int k = 0; k < 4; ++k )
		body->forces[node[k]] = gelMulAdd( body->forces[node[k]], point->weight[k], force );
}

// values_i += w_i / m_i * impulse for the four nodes of a point.
static void SpreadImpulse(
	const gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse, gelVec3* values )
{
	GEL_ASSERT( values == body->v || values == body->x );
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	for ( int k = 0; k < 4; ++k )
		values[node[k]] = gelMulAdd( values[node[k]], point->weight[k] * body->invMasses[node[k]], impulse );
}

// Changes values of the four nodes, unless one of them would leave what a step can go on with.
static bool TrySpread( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse, gelVec3* values )
{
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	gelVec3 old[4];
	for ( int k = 0; k < 4; ++k )
		old[k] = values[node[k]];
	SpreadImpulse( body, point, impulse, values );
	bool isUsable = true;
	for ( int k = 0; k < 4; ++k )
		isUsable = isUsable && gelIsUsable( values[node[k]] );
	for ( int k = 0; k < 4 && !isUsable; ++k )
		values[node[k]] = old[k];
	return isUsable;
}

bool gelNodeBody_AddPointImpulse( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	return TrySpread( body, point, impulse, body->v );
}

bool gelNodeBody_MovePoint( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	return TrySpread( body, point, impulse, body->x );
}

gelVec3 gelNodeBody_GetPointVelocity( const gelBody* body, const gelEmbeddedPoint* point )
{
	GEL_ASSERT( point->tet >= 0 && point->tet < body->asset->tetCount );
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	gelVec3 now = gelScale( point->weight[0], body->v[node[0]] );
	for ( int k = 1; k < 4; ++k )
		now = gelMulAdd( now, point->weight[k], body->v[node[k]] );
	return now;
}

gelVec3 gelNodeBody_GetNodeVelocity( const gelBody* body, uint32_t node )
{
	GEL_ASSERT( node < (uint32_t)body->asset->nodeCount );
	return body->v[node];
}
