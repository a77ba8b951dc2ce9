// SPDX-License-Identifier: MIT
// Steps of oriented particles. Bodies of one asset go together: side by side in lanes (particle_lanes.h), or
// at least so that each panel of the factor is read once for all of them.
#include "solvers/particles/particle_handles.h"
#include "simd/node_kernels.h"
#include "solvers/particles/particle_lanes.h"
#include "simd/supernodal_solve.h"

#include <string.h>

// Newton steps per rotation and sweep: sweeps follow each other, and each starts from the one before.
#define GEL_POLAR_STEPS 2

// Bodies from which on eight lanes cost less than one body after another, and sixteen less than eight and
// some.
#define GEL_MIN_PARTICLE_LANES      4
#define GEL_MIN_WIDE_PARTICLE_LANES 10

gelParticlePass gelParticles_MakePass( const gelParticles* p )
{
	return ( gelParticlePass ){ .blocks = p->model->blocks,
		.links = p->model->links,
		.blockCount = p->model->blockCount,
		.keep = 1.0f,
		.isLinear = p->def.enableSpinLoss,
		.polarSteps = GEL_POLAR_STEPS,
		.states = p->states,
		.starts = p->starts,
		.targets = p->targets,
		.poses = p->poses,
		.rhs = p->rhs,
		.holds = p->holds };
}

// Forces become velocity at the start of each sub-step; the inertia of a particle is that of its moments.
static void ApplyForces( gelParticles* p, float h )
{
	GEL_ASSERT( h > 0.0f );
	for ( int slot = 0; slot < GEL_BLOCK_LANES * p->model->blockCount && p->hasForces; ++slot )
	{
		int lane = slot % GEL_BLOCK_LANES;
		gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		float mass = p->model->blocks[slot / GEL_BLOCK_LANES].mass[lane];
		if ( !( mass > 0.0f ) ) continue;
		gelVec3 v = gelMulAdd( gelGetLane3( state->v[0], lane ), h / mass, p->forces[slot] );
		float spin = h * gelGetInvInertia( p->model, (uint32_t)slot );
		gelVec3 w = gelMulAdd( gelGetLane3( state->w[0], lane ), spin, p->torques[slot] );
		gelSetLane3( state->v[0], lane, v );
		gelSetLane3( state->w[0], lane, w );
	}
}

static void FillPoses( const gelParticles* p )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * p->model->blockCount; ++slot )
	{
		int lane = slot % GEL_BLOCK_LANES;
		const gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		gelMat3 R = gelMakeMat3FromQuat( gelGetLaneQuat( state->q[0], lane ) );
		gelVec3 x = gelGetLane3( state->x[0], lane );
		gelVec4* row = p->poses + 3 * (size_t)slot;
		row[0] = ( gelVec4 ){ R.cx.x, R.cy.x, R.cz.x, x.x };
		row[1] = ( gelVec4 ){ R.cx.y, R.cy.y, R.cz.y, x.y };
		row[2] = ( gelVec4 ){ R.cx.z, R.cy.z, R.cz.z, x.z };
	}
}

static bool HasHandles( const gelParticles* p )
{
	return p->handles != NULL && p->handles->count > 0;
}

static gelParticlePass MakePass( const gelBody* body, const gelStepContext* ctx, float h )
{
	gelParticlePass pass = gelParticles_MakePass( gelGetParticles( body ) );
	pass.h = h;
	pass.gravity = ctx->gravity;
	pass.keep = 1.0f / ( 1.0f + h * gelGetParticles( body )->model->damping );
	if ( !HasHandles( gelGetParticles( body ) ) ) pass.holds = NULL;
	return pass;
}

static void Begin( gelBody* body, float h )
{
	gelParticles* p = gelGetParticles( body );
	memcpy( p->saved, p->states, (size_t)p->model->blockCount * sizeof( gelParticleState ) );
	p->isUsable = true;
	p->ground = ( gelGroundTouch ){ 0 };
	body->wasPutBack = false;
	body->groundContactCount = 0;
	gelHandleSet_Begin( body, h );
}

static void Predict( gelBody* body, const gelParticlePass* pass, int subStep )
{
	GEL_ASSERT( subStep >= 0 );
	gelParticles* p = gelGetParticles( body );
	ApplyForces( p, pass->h );
	if ( HasHandles( p ) )
	{
		FillPoses( p );
		gelHandleSet_Aim( body, pass->h, subStep );
	}
	gelGetParticleKernels( body->simd )->predict( pass );
}

// Rotations, then the right-hand side of the positions.
static void Turn( gelBody* body, const gelParticlePass* pass, int iteration )
{
	GEL_ASSERT( iteration >= 0 );
	gelParticles* p = gelGetParticles( body );
	bool isUsable = gelGetParticleKernels( body->simd )->sweep( pass, iteration % 2 == 1 );
	if ( HasHandles( p ) ) isUsable = gelHandleSet_Sweep( body, pass ) && isUsable;
	p->isUsable = p->isUsable && isUsable;
	gelGetParticleKernels( body->simd )->sum( pass );
	gelGetNodeKernels( body->simd )->gatherRows( p->rowSlots, (uint32_t)p->model->count, p->rhs, p->y );
}

static void Move( gelBody* body, const gelParticlePass* pass, int iteration )
{
	gelParticles* p = gelGetParticles( body );
	if ( HasHandles( p ) ) gelHandleSet_Solve( body, pass, iteration == 0 );
	for ( int row = 0; row < p->model->count; ++row )
	{
		gelVec4* pose = p->poses + 3 * (size_t)p->rowSlots[row];
		pose[0].w += p->y[row].x;
		pose[1].w += p->y[row].y;
		pose[2].w += p->y[row].z;
	}
}

static void IterateOneByOne( gelBody* const* bodies, int bodyCount, const gelStepContext* ctx, float h )
{
	GEL_ASSERT( bodyCount >= 1 && h > 0.0f );
	gelVec4* y[GEL_MAX_GROUP];
	const gelParticles* first = gelGetParticles( bodies[0] );
	for ( int iteration = 0; iteration < first->def.iterations; ++iteration )
	{
		for ( int i = 0; i < bodyCount; ++i )
		{
			gelParticlePass pass = MakePass( bodies[i], ctx, h );
			Turn( bodies[i], &pass, iteration );
			y[i] = gelGetParticles( bodies[i] )->y;
		}
		gelSolveFactor( bodies[0]->simd, &first->factor, y, bodyCount, first->solveScratch );
		for ( int i = 0; i < bodyCount; ++i )
		{
			gelParticlePass pass = MakePass( bodies[i], ctx, h );
			Move( bodies[i], &pass, iteration );
		}
	}
}

// Up to kernels->laneCount bodies without handles.
static void IterateSideBySide(
	const gelParticleLaneKernels* kernels, gelBody* const* bodies, int count, float h, float* scratch )
{
	GEL_ASSERT( count >= 1 && h > 0.0f && scratch != NULL );
	const gelParticles* first = gelGetParticles( bodies[0] );
	gelParticleLanes lanes = {
		.model = first->model, .slotRows = first->slotRows, .h = h, .polarSteps = GEL_POLAR_STEPS
	};
	for ( int k = 0; k < kernels->laneCount; ++k )
	{
		const gelParticles* p = gelGetParticles( bodies[gelMinInt( k, count - 1 )] );
		lanes.states[k] = p->states;
		lanes.targets[k] = p->targets;
		lanes.poses[k] = p->poses;
	}
	gelParticleLanes_UseScratch( &lanes, kernels->laneCount, scratch );
	int usable = kernels->iterate( &lanes, &first->factor, first->def.iterations );
	for ( int i = 0; i < count; ++i )
		gelGetParticles( bodies[i] )->isUsable =
			gelGetParticles( bodies[i] )->isUsable && ( usable >> i & 1 ) != 0;
}

// The loops for the next of `count` bodies; NULL: one by one.
static const gelParticleLaneKernels* ChooseLanes( gelSimdLevel simd, int count )
{
	const gelParticleLaneKernels* kernels = gelGetParticleLaneKernels( simd );
	if ( count < GEL_MIN_PARTICLE_LANES || kernels->laneCount == 0 ) return NULL;
	return count >= GEL_MIN_WIDE_PARTICLE_LANES && kernels->wide != NULL ? kernels->wide : kernels;
}

// Bodies with handles go one by one, the others side by side if there are enough of them.
static void Iterate(
	gelBody* const* bodies, int bodyCount, const gelStepContext* ctx, float h, float* laneScratch )
{
	gelBody *alone[GEL_MAX_GROUP], *alike[GEL_MAX_GROUP];
	int aloneCount = 0, alikeCount = 0;
	bool canUseLanes = laneScratch != NULL && gelGetParticles( bodies[0] )->factor.version == 2;
	for ( int i = 0; i < bodyCount; ++i )
	{
		if ( canUseLanes && !HasHandles( gelGetParticles( bodies[i] ) ) )
			alike[alikeCount++] = bodies[i];
		else
			alone[aloneCount++] = bodies[i];
	}
	for ( int first = 0; first < alikeCount; )
	{
		int left = alikeCount - first;
		const gelParticleLaneKernels* lanes = ChooseLanes( bodies[0]->simd, left );
		int taken = lanes ? gelMinInt( left, lanes->laneCount ) : left;
		if ( lanes )
			IterateSideBySide( lanes, alike + first, taken, h, laneScratch );
		else
			IterateOneByOne( alike + first, taken, ctx, h );
		first += taken;
	}
	if ( aloneCount > 0 ) IterateOneByOne( alone, aloneCount, ctx, h );
}

static void FinishSubStep( gelBody* body, const gelStepContext* ctx, float h )
{
	gelParticlePass pass = MakePass( body, ctx, h );
	gelHandleSet_Tally( body );
	bool isMoved =
		!HasHandles( gelGetParticles( body ) ) && gelParticles_LoseMomentum( gelGetParticles( body ), h );
	if ( isMoved ) gelParticles_KeepMomentum( gelGetParticles( body ) );
	// while a body touches others, the ground is one of its contacts (contact/particles)
	bool isAlone = body->contact == NULL || !body->contact->meetsOthers;
	if ( ctx->hasGround && isAlone ) body->groundContactCount = gelParticles_HitGround( body, ctx );
	gelGetParticleKernels( body->simd )->finish( &pass );
}

// After a step that gave NaN or infinity the body goes back to where it was, at rest.
static void PutBack( gelBody* body )
{
	gelParticles* p = gelGetParticles( body );
	memcpy( p->states, p->saved, (size_t)p->model->blockCount * sizeof( gelParticleState ) );
	gelParticles_Stop( body );
	body->wasPutBack = true;
}

static void Finish( gelBody* body, float dt, float h )
{
	GEL_ASSERT( dt > 0.0f && h > 0.0f && h <= dt );
	gelParticles* p = gelGetParticles( body );
	size_t slots = GEL_BLOCK_LANES * (size_t)p->model->blockCount;
	gelHandleSet_End( body, h );
	if ( p->hasForces )
	{
		memset( p->forces, 0, slots * sizeof( gelVec3 ) );
		memset( p->torques, 0, slots * sizeof( gelVec3 ) );
		p->hasForces = false;
	}
	if ( !gelParticles_AreUsable( p ) ) PutBack( body );
	gelParticles_MoveNodes( body );
	gelBody_Recenter( body );
	gelBody_UpdateSleep( body, dt );
}

static float GetSubStepLength( gelBody* const* bodies, const gelStepContext* ctx )
{
	return ctx->h / (float)gelGetParticles( bodies[0] )->def.subSteps;
}

void gelParticles_BeginStep( gelBody* const* bodies, int bodyCount, const gelStepContext* ctx )
{
	GEL_ASSERT( bodyCount >= 1 && bodyCount <= GEL_MAX_GROUP && ctx->h > 0.0f );
	for ( int i = 0; i < bodyCount; ++i )
		Begin( bodies[i], GetSubStepLength( bodies, ctx ) );
}

void gelParticles_SubStep(
	gelBody* const* bodies, int bodyCount, const gelStepContext* ctx, int subStep, float* laneScratch )
{
	GEL_ASSERT( subStep >= 0 && bodyCount >= 1 && bodyCount <= GEL_MAX_GROUP );
	float h = GetSubStepLength( bodies, ctx );
	for ( int i = 0; i < bodyCount; ++i )
	{
		gelParticlePass pass = MakePass( bodies[i], ctx, h );
		Predict( bodies[i], &pass, subStep );
	}
	Iterate( bodies, bodyCount, ctx, h, laneScratch );
	for ( int i = 0; i < bodyCount; ++i )
		FinishSubStep( bodies[i], ctx, h );
}

void gelParticles_EndStep( gelBody* const* bodies, int bodyCount, const gelStepContext* ctx )
{
	for ( int i = 0; i < bodyCount; ++i )
		Finish( bodies[i], ctx->h, GetSubStepLength( bodies, ctx ) );
}

void gelStepParticles( gelBody* const* bodies, int bodyCount, const gelStepContext* ctx, float* laneScratch )
{
	gelParticles_BeginStep( bodies, bodyCount, ctx );
	for ( int subStep = 0; subStep < gelGetParticles( bodies[0] )->def.subSteps; ++subStep )
		gelParticles_SubStep( bodies, bodyCount, ctx, subStep, laneScratch );
	gelParticles_EndStep( bodies, bodyCount, ctx );
}
