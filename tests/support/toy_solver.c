// SPDX-License-Identifier: MIT
#include "toy_solver.h"

#include "asset/asset.h"
#include "state/world.h"

#include <string.h>

// State of the body. Only floats, without padding: it is saved byte by byte.
typedef struct Toy
{
	gelVec3 center;   // center of mass, relative to the body's origin [m]
	gelQuat rotation; // from the rest shape
	gelVec3 velocity; // [m/s]
	gelVec3 spin;     // [rad/s]
	gelVec3 force;    // for the next step [N]
	gelVec3 torque;   // about the center [N m]
} Toy;

typedef struct ToyData
{
	Toy state;
	gelVec3 restCenter; // [m, asset space]
	float inertia;      // a ball's of the same mean square radius [kg m^2]
} ToyData;

static ToyData* GetToy( const gelBody* body )
{
	return body->data;
}

// ---- before there is a body ------------------------------------------------------------------------------

static void SetDefaults( gelSolverDef* def )
{
	(void)def; // no settings: zeros are right
}

static bool IsDefValid( const gelBodyDef* def )
{
	return def->asset != NULL;
}

static gelResult CheckAsset( const gelBodyDef* def )
{
	return def->pinSetId == 0 ? gel_success : gel_errorUnsupported;
}

static bool CanStep( const gelAsset* asset, const gelBodyDef* def, float h )
{
	(void)asset, (void)def;
	return h > 0.0f;
}

static void* LayOut( gelArena* arena, const gelBodyDef* def )
{
	(void)def;
	return gelArena_Take( arena, 1, sizeof( ToyData ) );
}

static void Init( gelBody* body, struct gelWorld* world )
{
	(void)world;
	ToyData* toy = GetToy( body );
	const gelPackView* pack = &body->asset->pack;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		toy->restCenter = gelMulAdd( toy->restCenter, pack->masses[i].mass / body->asset->mass,
			gelGetRestNode( pack->nodes, (uint32_t)i ) );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 arm = gelSub( gelGetRestNode( pack->nodes, (uint32_t)i ), toy->restCenter );
		toy->inertia += ( 2.0f / 3.0f ) * pack->masses[i].mass * gelLengthSquared( arm );
	}
}

static uint64_t HashSettings( const gelBody* body )
{
	(void)body;
	return 1;
}

// ---- state -----------------------------------------------------------------------------------------------

static void MoveNodes( gelBody* body )
{
	const ToyData* toy = GetToy( body );
	gelMat3 R = gelMakeMat3FromQuat( toy->state.rotation );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 arm = gelSub( gelGetRestNode( body->asset->pack.nodes, (uint32_t)i ), toy->restCenter );
		body->x[i] = gelAdd( toy->state.center, gelMulMV( R, arm ) );
	}
}

static void Place( gelBody* body, gelQuat rotation )
{
	ToyData* toy = GetToy( body );
	toy->state = ( Toy ){ .rotation = rotation,
		.center = gelMulMV( gelMakeMat3FromQuat( rotation ), toy->restCenter ) };
	MoveNodes( body );
}

static void SetVelocity( gelBody* body, gelVec3 linear, gelVec3 angular )
{
	GetToy( body )->state.velocity = linear;
	GetToy( body )->state.spin = angular;
}

static void Turn( gelBody* body, gelQuat rotation )
{
	Toy* toy = &GetToy( body )->state;
	gelMat3 R = gelMakeMat3FromQuat( rotation );
	gelVec3* vectors[5] = { &toy->center, &toy->velocity, &toy->spin, &toy->force, &toy->torque };
	for ( int i = 0; i < 5; ++i )
		*vectors[i] = gelMulMV( R, *vectors[i] );
	toy->rotation = gelMulQuat( rotation, toy->rotation );
	MoveNodes( body );
}

static void ShiftOrigin( gelBody* body, gelVec3 shift )
{
	GetToy( body )->state.center = gelSub( GetToy( body )->state.center, shift );
}

static int ListState( const gelBody* body, gelStateSpan* out )
{
	out[0] = ( gelStateSpan ){ &GetToy( body )->state, sizeof( Toy ), gelState_AreVectors };
	return 1;
}

static bool IsStill( const gelBody* body, bool isTouched, bool isHit )
{
	(void)isTouched, (void)isHit;
	const Toy* toy = &GetToy( body )->state;
	float speed = gelLength( toy->velocity ) + body->asset->restSize * gelLength( toy->spin );
	return speed < GEL_SLEEP_SPEED;
}

static void Stop( gelBody* body )
{
	SetVelocity( body, gelMakeVec3( 0.0f, 0.0f, 0.0f ), gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
}

// ---- step ------------------------------------------------------------------------------------------------

static bool ChooseFactor( gelBody* body, float h )
{
	(void)body, (void)h;
	return true;
}

// The lowest node is lifted out of the ground, which takes all velocity.
static void HitGround( gelBody* body, const gelStepContext* ctx )
{
	double offset = ctx->ground.offset;
	for ( int k = 0; k < 3; ++k )
		offset -= (double)( &ctx->ground.normal.x )[k] * body->origin[k];
	float depth = 0.0f;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		depth = gelMaxFloat( (float)( offset - (double)gelDot( ctx->ground.normal, body->x[i] ) ), depth );
	body->groundContactCount = depth > 0.0f;
	if ( depth == 0.0f ) return;
	Toy* toy = &GetToy( body )->state;
	toy->center = gelMulAdd( toy->center, depth, ctx->ground.normal );
	Stop( body );
	MoveNodes( body );
}

static void StepToy( gelBody* body, const gelStepContext* ctx )
{
	ToyData* data = GetToy( body );
	Toy* toy = &data->state;
	float h = ctx->h, mass = body->asset->mass;
	toy->velocity = gelMulAdd( toy->velocity, h, gelMulAdd( ctx->gravity, 1.0f / mass, toy->force ) );
	toy->spin = gelMulAdd( toy->spin, h / data->inertia, toy->torque );
	toy->force = toy->torque = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	toy->center = gelMulAdd( toy->center, h, toy->velocity );
	gelQuat turned = { gelScale( 0.5f * h, toy->spin ), 1.0f }; // exp( h spin / 2 ) to first order
	gelQuat q = gelMulQuat( turned, toy->rotation );
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( q ) );
	toy->rotation = ( gelQuat ){ gelScale( inv, q.v ), inv * q.s };
	MoveNodes( body );
	if ( ctx->hasGround ) HitGround( body, ctx );
	gelBody_Recenter( body );
	gelBody_UpdateSleep( body, h );
}

static void Step( gelBody* const* bodies, int count, const gelStepContext* ctx, float* laneScratch )
{
	(void)laneScratch;
	for ( int i = 0; i < count; ++i )
		StepToy( bodies[i], ctx );
}

// ---- embedded points -------------------------------------------------------------------------------------

static gelVec3 GetArm( const gelBody* body, const gelEmbeddedPoint* point )
{
	const uint32_t* node = body->asset->pack.tets[point->tet].node;
	gelVec3 p = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		p = gelMulAdd( p, point->weight[k], body->x[node[k]] );
	return gelSub( p, GetToy( body )->state.center );
}

static float GetInvPointMass( const gelBody* body, const gelEmbeddedPoint* point )
{
	gelVec3 arm = GetArm( body, point );
	return 1.0f / body->asset->mass + ( 2.0f / 3.0f ) * gelLengthSquared( arm ) / GetToy( body )->inertia;
}

static void AddPointForce( gelBody* body, const gelEmbeddedPoint* point, gelVec3 force )
{
	Toy* toy = &GetToy( body )->state;
	toy->force = gelAdd( toy->force, force );
	toy->torque = gelAdd( toy->torque, gelCross( GetArm( body, point ), force ) );
}

static bool AddPointImpulse( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	ToyData* data = GetToy( body );
	gelVec3 v = gelMulAdd( data->state.velocity, 1.0f / body->asset->mass, impulse );
	gelVec3 w =
		gelMulAdd( data->state.spin, 1.0f / data->inertia, gelCross( GetArm( body, point ), impulse ) );
	if ( !gelIsUsable( v ) || !gelIsUsable( w ) ) return false;
	SetVelocity( body, v, w );
	return true;
}

static bool MovePoint( gelBody* body, const gelEmbeddedPoint* point, gelVec3 impulse )
{
	(void)point;
	Toy* toy = &GetToy( body )->state;
	toy->center = gelMulAdd( toy->center, 1.0f / body->asset->mass, impulse );
	MoveNodes( body );
	return true;
}

static gelVec3 GetVelocityAt( const gelBody* body, gelVec3 arm )
{
	const Toy* toy = &GetToy( body )->state;
	return gelAdd( toy->velocity, gelCross( toy->spin, arm ) );
}

static gelVec3 GetPointVelocity( const gelBody* body, const gelEmbeddedPoint* point )
{
	return GetVelocityAt( body, GetArm( body, point ) );
}

static gelVec3 GetNodeVelocity( const gelBody* body, uint32_t node )
{
	return GetVelocityAt( body, gelSub( body->x[node], GetToy( body )->state.center ) );
}

// ---- figures and art ------------------------------------------------------------------------------------

static gelBodyDynamics GetDynamics( const gelBody* body )
{
	const ToyData* data = GetToy( body );
	const Toy* toy = &data->state;
	float mass = body->asset->mass;
	return ( gelBodyDynamics ){ .mass = mass,
		.centerOfMass = gelToWorld( body, toy->center ),
		.linearMomentum = gelScale( mass, toy->velocity ),
		.angularMomentum = gelScale( data->inertia, toy->spin ),
		.kineticEnergy = 0.5f * mass * gelLengthSquared( toy->velocity ) +
			0.5f * data->inertia * gelLengthSquared( toy->spin ),
		.volume = body->asset->volume };
}

static void PrepareSkin( gelBody* body, bool wantsNormals )
{
	(void)body, (void)wantsNormals;
}

static void SkinTiles( const gelBody* body, const gelSkinOutput* out, int tileFirst, int tileEnd )
{
	const gelPackView* pack = &body->asset->pack;
	(void)tileEnd;
	for ( int i = 0; tileFirst == 0 && out->positions != NULL && i < out->count; ++i )
	{
		float w[4];
		gelVec3 p = { 0.0f, 0.0f, 0.0f };
		gelGetWeights( pack->embedWeights, (uint32_t)i, w );
		for ( int k = 0; k < 4; ++k )
			p = gelMulAdd( p, w[k], body->x[pack->tets[pack->embedTets[i]].node[k]] );
		p = gelToWorld( body, p );
		memcpy( out->positions + out->stride * (size_t)i, &p, sizeof( p ) );
	}
}

const gelSolver gel_toySolver = {
	.type = (gelSolverType)100,
	.contactForm = gel_contactNone,
	.constraintForm = gel_constraintsOwn,
	.setDefaults = SetDefaults,
	.isDefValid = IsDefValid,
	.checkAsset = CheckAsset,
	.canStep = CanStep,
	.layOut = LayOut,
	.init = Init,
	.hashSettings = HashSettings,
	.place = Place,
	.setVelocity = SetVelocity,
	.turn = Turn,
	.shiftOrigin = ShiftOrigin,
	.listState = ListState,
	.endRestore = MoveNodes,
	.isStill = IsStill,
	.stop = Stop,
	.chooseFactor = ChooseFactor,
	.step = Step,
	.getInvPointMass = GetInvPointMass,
	.addPointForce = AddPointForce,
	.addPointImpulse = AddPointImpulse,
	.movePoint = MovePoint,
	.getPointVelocity = GetPointVelocity,
	.getNodeVelocity = GetNodeVelocity,
	.getDynamics = GetDynamics,
	.prepareSkin = PrepareSkin,
	.skinTiles = SkinTiles,
};
