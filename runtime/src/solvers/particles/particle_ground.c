// SPDX-License-Identifier: MIT
// Ellipsoids on the ground (Choi and Lee 2017; Mueller and Chentanez 2011). With S = Eb diag(a^2, b^2, c^2)
// Eb^T and R the rotation from rest, an ellipsoid reaches rho = sqrt( n^T R S R^T n ) along a direction n,
// and touches a plane with normal n at its center minus R S R^T n / rho.
#include "contact/contact_force.h"
#include "solvers/particles/particle_body.h"
#include "solvers/particles/particle_handles.h"
#include "math/turn_math.h"

// What starts a step deeper than this was put there, in sizes of the body. Ellipsoids that turn may begin a
// little below the ground.
#define GEL_SUNK_PART 0.02f

// One ellipsoid at the ground.
typedef struct Touch
{
	gelVec4* pose;
	int block, lane;
	float depth; // below the ground [m]
	gelVec3 arm; // from its center to the point that touches [m]
} Touch;

static gelVec3 GetCenter( const gelVec4* pose )
{
	return ( gelVec3 ){ pose[0].w, pose[1].w, pose[2].w };
}

static void SetCenter( gelVec4* pose, gelVec3 x )
{
	pose[0].w = x.x;
	pose[1].w = x.y;
	pose[2].w = x.z;
}

// R^T n of a pose.
static gelVec3 TurnBack( const gelVec4* pose, gelVec3 n )
{
	return gelMulAdd(
		gelMulAdd( gelScale( n.x, gelXyz( pose[0] ) ), n.y, gelXyz( pose[1] ) ), n.z, gelXyz( pose[2] ) );
}

// Most are not even near: cheap, and asked for each of them twice per sub-step. Empty slots are never near.
static inline bool IsNear( const gelParticles* p, int slot, gelVec3 n, float offset )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * p->model->blockCount );
	const gelVec4* pose = p->poses + 3 * (size_t)slot;
	return n.x * pose[0].w + n.y * pose[1].w + n.z * pose[2].w - offset < p->model->radii[slot] &&
		p->model->slotParticles[slot] != GEL_PACK_NO_PARTICLE;
}

static bool FindTouch( const gelParticles* p, int slot, gelVec3 n, float offset, Touch* out )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * p->model->blockCount );
	gelVec4* pose = p->poses + 3 * (size_t)slot;
	float height = gelDot( n, GetCenter( pose ) ) - offset;
	gelVec3 local = TurnBack( pose, n ), reach = gelMulSym3( p->model->shapes[slot], local );
	float rho = sqrtf( gelMaxFloat( gelDot( local, reach ), 1.0e-30f ) );
	if ( height >= rho ) return false;
	gelVec3 world = { gelDot( gelXyz( pose[0] ), reach ), gelDot( gelXyz( pose[1] ), reach ),
		gelDot( gelXyz( pose[2] ), reach ) };
	*out = ( Touch ){ pose, slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES, rho - height,
		gelScale( -1.0f / rho, world ) };
	return true;
}

static void TurnPose( gelParticles* p, const Touch* touch, gelVec3 angle )
{
	float* rows = p->states[touch->block].q[0];
	gelQuat q = gelMulQuat( gelMakeTurn( angle ), gelGetLaneQuat( rows, touch->lane ) );
	float scale = 1.5f - 0.5f * gelLengthSquaredQuat( q );
	gelSetLaneQuat( rows, touch->lane, ( gelQuat ){ gelScale( scale, q.v ), scale * q.s } );
}

// Coulomb: the push along the normal bounds how far the point is kept from sliding. It slid by the move of
// its center and the turn of the sub-step; stopping it takes an impulse at its arm. @return it times h [kg m]
static gelVec3 Rub( gelParticles* p, const Touch* touch, gelVec3 n, float push, const float friction[2] )
{
	GEL_ASSERT( push >= 0.0f );
	const gelParticleStart* start = p->starts + touch->block;
	uint32_t slot = (uint32_t)( GEL_BLOCK_LANES * touch->block + touch->lane );
	gelVec3 move = gelSub( GetCenter( touch->pose ), gelGetLane3( start->x[0], touch->lane ) );
	gelVec3 turn = gelGetTurn( gelDivQuat( gelGetLaneQuat( p->states[touch->block].q[0], touch->lane ),
		gelGetLaneQuat( start->q[0], touch->lane ) ) );
	gelVec3 slide = gelAdd( move, gelCross( turn, touch->arm ) );
	slide = gelMulAdd( slide, -gelDot( slide, n ), n );
	float length = gelLength( slide );
	if ( !( length > 1.0e-12f ) ) return gelMakeVec3( 0.0f, 0.0f, 0.0f );
	float invMass = 1.0f / p->model->blocks[touch->block].mass[touch->lane];
	float invInertia = gelGetInvInertia( p->model, slot );
	gelVec3 dir = gelScale( -1.0f / length, slide ), lever = gelCross( touch->arm, dir );
	float response = invMass + invInertia * gelLengthSquared( lever );
	// impulses times h [kg m]
	float needed = length / response, normal = push / invMass;
	float impulse = needed <= friction[0] * normal ? needed : friction[1] * normal;
	impulse = gelMinFloat( impulse, needed );
	SetCenter( touch->pose, gelMulAdd( GetCenter( touch->pose ), invMass * impulse, dir ) );
	TurnPose( p, touch, gelScale( invInertia * impulse, lever ) );
	return gelScale( impulse, dir );
}

// @param impulse times h [kg m]
static void AddTouch( gelParticles* p, const Touch* touch, gelVec3 impulse, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelGroundTouch* ground = &p->ground;
	ground->impulse = gelMulAdd( ground->impulse, 1.0f / h, impulse );
	if ( !( touch->depth > ground->depth ) ) return;
	ground->depth = touch->depth;
	ground->point = gelAdd( GetCenter( touch->pose ), touch->arm );
}

// How much deeper a particle is than the fall of the sub-step took it.
static float GetExcess( const gelParticles* p, const Touch* touch, gelVec3 n )
{
	gelVec3 old = gelGetLane3( p->starts[touch->block].x[0], touch->lane );
	return touch->depth - gelMaxFloat( -gelDot( n, gelSub( GetCenter( touch->pose ), old ) ), 0.0f );
}

// A body that was put into the ground is raised as a whole, by a part of the depth, with where it was at the
// start of the sub-step, so that no velocity comes of it. Particles that are lifted one by one are springs.
// @return whether it was
static bool Raise( gelBody* body, const gelStepContext* ctx, float offset )
{
	gelParticles* p = gelGetParticles( body );
	gelVec3 n = ctx->ground.normal;
	float deepest = 0.0f, size = body->asset->restSize;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * p->model->blockCount; ++slot )
	{
		Touch touch;
		if ( IsNear( p, slot, n, offset ) && FindTouch( p, slot, n, offset, &touch ) )
			deepest = gelMaxFloat( GetExcess( p, &touch, n ), deepest );
	}
	if ( !( deepest > GEL_SUNK_PART * size ) ) return false;
	float way = gelMinFloat( GEL_PUSH_RATE * deepest, GEL_MAX_PUSH * size ) / (float)p->def.subSteps;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * p->model->blockCount; ++slot )
	{
		float* old = p->starts[slot / GEL_BLOCK_LANES].x[0];
		int lane = slot % GEL_BLOCK_LANES;
		gelVec4* pose = p->poses + 3 * (size_t)slot;
		SetCenter( pose, gelMulAdd( GetCenter( pose ), way, n ) );
		gelSetLane3( old, lane, gelMulAdd( gelGetLane3( old, lane ), way, n ) );
	}
	body->stillTime = 0.0f;
	return true;
}

int gelParticles_HitGround( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->hasGround && fabsf( gelLengthSquared( ctx->ground.normal ) - 1.0f ) < 1.0e-3f );
	gelParticles* p = gelGetParticles( body );
	gelVec3 n = ctx->ground.normal;
	double offset =
		ctx->ground.offset - ( n.x * body->origin[0] + n.y * body->origin[1] + n.z * body->origin[2] );
	const gelPackMaterial* material = body->asset->pack.materials;
	float still = 0.5f * ( ctx->staticFriction + material->staticFriction );
	float sliding = 0.5f * ( ctx->dynamicFriction + material->dynamicFriction );
	const float friction[2] = { still, gelMinFloat( sliding, still ) };
	bool isHeld = p->handles != NULL && p->handles->count > 0;
	bool isSunk = !isHeld && Raise( body, ctx, (float)offset );
	int count = 0;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * p->model->blockCount; ++slot )
	{
		Touch touch;
		if ( !IsNear( p, slot, n, (float)offset ) ) continue;
		if ( !FindTouch( p, slot, n, (float)offset, &touch ) ) continue;
		++count;
		gelParticleStart* start = p->starts + touch.block;
		gelVec3 x = GetCenter( touch.pose ), old = gelGetLane3( start->x[0], touch.lane );
		float excess = GetExcess( p, &touch, n );
		float push = isSunk ? touch.depth - gelMaxFloat( excess, 0.0f ) : touch.depth;
		SetCenter( touch.pose, gelMulAdd( x, push, n ) );
		float mass = p->model->blocks[touch.block].mass[touch.lane];
		gelVec3 rub = Rub( p, &touch, n, push, friction );
		AddTouch( p, &touch, gelMulAdd( rub, mass * push, n ), ctx->h / (float)p->def.subSteps );
		// Out of the ground, but not thrown: what the push moves beyond stopping the fall is no velocity.
		if ( excess > 0.0f && !isSunk ) gelSetLane3( start->x[0], touch.lane, gelMulAdd( old, excess, n ) );
	}
	return count;
}
