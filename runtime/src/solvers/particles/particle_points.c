// SPDX-License-Identifier: MIT
#include "solvers/particles/particle_points.h"

#include "solvers/particles/particle_handles.h"
#include "math/turn_math.h"

// What one carrier of a point is and has.
typedef struct Carrier
{
	gelParticleState* state;
	int lane;
	uint32_t slot;
	float share, invMass, invInertia;
	gelVec3 arm; // R a [m]
} Carrier;

static Carrier GetCarrier( const gelBody* body, const gelCarriers* c, int i )
{
	const gelParticles* p = gelGetParticles( body );
	uint32_t slot = c->slot[i];
	Carrier out = { .state = p->states + slot / GEL_BLOCK_LANES,
		.lane = (int)( slot % GEL_BLOCK_LANES ),
		.slot = slot,
		.share = c->share[i],
		.invInertia = gelGetInvInertia( p->model, slot ) };
	out.invMass = 1.0f / p->model->blocks[slot / GEL_BLOCK_LANES].mass[out.lane];
	out.arm = gelMulMV( gelMakeMat3FromQuat( gelGetLaneQuat( out.state->q[0], out.lane ) ), c->arm[i] );
	return out;
}

// The mean over directions of |arm x n|^2 is two thirds of |arm|^2.
float gelParticles_GetInvPointMass( const gelBody* body, const gelEmbeddedPoint* point )
{
	gelCarriers c = gelFindCarriers( body->asset, point );
	float sum = 0.0f;
	for ( int i = 0; i < c.count; ++i )
	{
		Carrier carrier = GetCarrier( body, &c, i );
		sum += carrier.share * carrier.share * carrier.invMass +
			( 2.0f / 3.0f ) * carrier.invInertia * gelLengthSquared( carrier.arm );
	}
	return sum;
}

void gelParticles_AddPointForce( gelBody* body, const gelEmbeddedPoint* point, gelVec3 force )
{
	GEL_ASSERT( gelIsUsable( force ) );
	gelParticles* p = gelGetParticles( body );
	gelCarriers c = gelFindCarriers( body->asset, point );
	for ( int i = 0; i < c.count; ++i )
	{
		Carrier carrier = GetCarrier( body, &c, i );
		p->forces[carrier.slot] = gelMulAdd( p->forces[carrier.slot], carrier.share, force );
		p->torques[carrier.slot] = gelAdd( p->torques[carrier.slot], gelCross( carrier.arm, force ) );
	}
	p->hasForces = true;
}

bool gelParticles_AddPointImpulse( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	gelCarriers c = gelFindCarriers( body->asset, point );
	gelVec3 v[GEL_MAX_CARRIERS], w[GEL_MAX_CARRIERS];
	bool isUsable = true;
	for ( int i = 0; i < c.count; ++i )
	{
		Carrier k = GetCarrier( body, &c, i );
		v[i] = gelMulAdd( gelGetLane3( k.state->v[0], k.lane ), k.share * k.invMass, impulse );
		w[i] = gelMulAdd( gelGetLane3( k.state->w[0], k.lane ), k.invInertia, gelCross( k.arm, impulse ) );
		isUsable = isUsable && gelIsUsable( v[i] ) && gelIsUsable( w[i] );
	}
	for ( int i = 0; i < c.count && isUsable; ++i )
	{
		Carrier k = GetCarrier( body, &c, i );
		gelSetLane3( k.state->v[0], k.lane, v[i] );
		gelSetLane3( k.state->w[0], k.lane, w[i] );
	}
	return isUsable;
}

bool gelParticles_MovePoint( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	gelCarriers c = gelFindCarriers( body->asset, point );
	gelVec3 x[GEL_MAX_CARRIERS];
	gelQuat q[GEL_MAX_CARRIERS];
	bool isUsable = true;
	for ( int i = 0; i < c.count; ++i )
	{
		Carrier k = GetCarrier( body, &c, i );
		x[i] = gelMulAdd( gelGetLane3( k.state->x[0], k.lane ), k.share * k.invMass, impulse );
		gelVec3 turn = gelScale( k.invInertia, gelCross( k.arm, impulse ) );
		q[i] = gelMulQuat( gelMakeTurn( turn ), gelGetLaneQuat( k.state->q[0], k.lane ) );
		isUsable = isUsable && gelIsUsable( x[i] ) && gelIsUsable( turn );
	}
	for ( int i = 0; i < c.count && isUsable; ++i )
	{
		Carrier k = GetCarrier( body, &c, i );
		gelSetLane3( k.state->x[0], k.lane, x[i] );
		gelSetLaneQuat( k.state->q[0], k.lane, q[i] );
	}
	if ( isUsable ) gelParticles_MoveNodes( body );
	return isUsable;
}

gelVec3 gelParticles_GetPointVelocity( const gelBody* body, const gelEmbeddedPoint* point )
{
	gelCarriers c = gelFindCarriers( body->asset, point );
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < c.count; ++i )
	{
		Carrier k = GetCarrier( body, &c, i );
		sum = gelMulAdd( sum, k.share, gelGetLane3( k.state->v[0], k.lane ) );
		sum = gelAdd( sum, gelCross( gelGetLane3( k.state->w[0], k.lane ), k.arm ) );
	}
	return sum;
}
