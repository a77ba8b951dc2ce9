// SPDX-License-Identifier: MIT
// What a body with gel_solverOrientedParticles has in addition, and what it does instead. The nodes of the
// cage follow the particles by their skin weights after every step, so that queries and embedded points need
// not know of particles.
#pragma once

#include "solvers/solver.h"
#include "solvers/particles/particle_model.h"

/// Bounds of gelParticleDef.
#define GEL_MAX_SUBSTEPS            64
#define GEL_MAX_PARTICLE_ITERATIONS 1000

struct gelHandleSet;

/// What a body that lies on the ground alone had from it in a step.
typedef struct gelGroundTouch
{
	gelVec3 impulse; // [N s]
	float depth;     // most that a particle was below it [m]; 0: it has not touched
	gelVec3 point;   // where that particle touches it [m]
} gelGroundTouch;

typedef struct gelParticles
{
	const gelParticleModel* model;
	gelParticleDef def; // as resolved: nothing is automatic any more

	// ---- state ----
	gelParticleState* states; // per block
	gelVec3* forces;          // per slot, for the next step [N]
	gelVec3* torques;         // per slot [N m]

	// ---- scratch of a step ----
	gelPackFactorView factor; // factor for the length of one sub-step
	float factorStep;         // whole step length that it was chosen for; 0: none
	uint32_t* rowSlots;       // per row of the factor
	uint32_t* slotRows;       // per slot; empty slots: 0
	gelParticleState* saved;  // before the step
	gelParticleStart* starts;
	gelParticleTarget* targets;
	gelVec4* poses;               // 3 per slot
	gelVec4* rhs;                 // per slot
	gelVec4* y;                   // per row
	gelVec4* palette;             // 4 columns per particle
	float* solveScratch;          // scratch memory of one solve
	uint8_t* holds;               // per block
	struct gelHandleSet* handles; // NULL: no capacity for constraints
	gelGroundTouch ground;
	bool hasForces; // some force or torque is not zero
	bool isUsable;  // rotations are still rotations
} gelParticles;

/// NULL: the body has none.
static inline gelParticles* gelGetParticles( const gelBody* body )
{
	return body->solver->contactForm == gel_contactParticles ? body->data : NULL;
}

/// Takes the memory of the particles from the arena of a body; NULL while sizes are added up.
gelParticles* gelParticles_LayOut( gelArena* arena, const gelBodyDef* def );
/// Sub-steps of a body that nobody counted: 1; with a ground, or with other things to touch, more.
int gelGetParticleSubSteps( bool hasGround, bool hasContact );
/// @param hasGround that the world has one
void gelParticles_Init( gelBody* body, bool hasGround );
bool gelParticleDef_IsValid( const gelParticleDef* def );

/// Whether the asset has particles and this def nothing that they do not have.
gelResult gelParticles_CheckDef( const gelBodyDef* def );

/// The factor for steps of dt seconds; false: not baked.
bool gelParticles_ChooseFactor( gelBody* body, float dt );
bool gelParticles_HasFactor( const gelAsset* asset, const gelParticleDef* def, int subSteps, float dt );

/// Rest shape, turned by q, at the origin of the body, at rest.
void gelParticles_Place( gelBody* body, gelQuat q );
void gelParticles_SetVelocity( gelBody* body, gelVec3 linear, gelVec3 angular );

/// x' = R x of all positions and velocities, for teleporting.
void gelParticles_Turn( gelBody* body, gelQuat q );
void gelParticles_Shift( gelBody* body, gelVec3 shift );

/// Nodes of the cage from the particles.
void gelParticles_MoveNodes( gelBody* body );
gelVec3 gelParticles_GetNodeVelocity( const gelBody* body, uint32_t node );

/// Four columns per particle: rotation, then translation relative to the body's origin.
/// @param offset added to translations [m]
void gelParticles_FillPalette( const gelParticles* particles, gelVec3 offset );

/// Draws ellipsoids and the edges of their graph.
void gelParticles_Draw( const gelBody* body, const gelDebugDraw* draw, uint32_t color );

/// Whether no particle is faster than GEL_SLEEP_SPEED; of a body that is hit, GEL_SLEEP_TREMBLE times as fast
/// while the mean of all is slower than GEL_SLEEP_REST of it.
bool gelParticles_AreStill( const gelBody* body, bool isTouched, bool isHit );
void gelParticles_Stop( gelBody* body );
bool gelParticles_AreUsable( const gelParticles* particles );

/// Whether the bytes of a saved state can be the blocks of a body.
bool gelParticles_AreStates( const gelBody* body, const uint8_t* data, size_t bytes );

/// Mass, momenta, energies.
gelBodyDynamics gelParticles_GetDynamics( const gelBody* body );

/// Whether two bodies of an asset can be stepped together: 0.
int gelParticles_Compare( const gelBody* bodyA, const gelBody* bodyB );

/// One whole step of bodies that share an asset and settings.
/// @param laneScratch of the worker (step_groups.h); NULL: bodies do not go side by side
void gelStepParticles( gelBody* const* bodies, int bodyCount, const gelStepContext* ctx, float* laneScratch );

/// The same in parts, for bodies that touch others: after each sub-step their states may be changed.
void gelParticles_BeginStep( gelBody* const* bodies, int bodyCount, const gelStepContext* ctx );
void gelParticles_SubStep(
	gelBody* const* bodies, int bodyCount, const gelStepContext* ctx, int subStep, float* laneScratch );
void gelParticles_EndStep( gelBody* const* bodies, int bodyCount, const gelStepContext* ctx );

/// The pass of a body, without h and gravity.
gelParticlePass gelParticles_MakePass( const gelParticles* particles );

/// Whether rounding moves a body with sub-steps of h seconds, because it is stiff (particle_momentum.c).
bool gelParticles_LoseMomentum( const gelParticles* particles, float h );
/// Takes that back, after the last solve of a sub-step of a body without handles.
void gelParticles_KeepMomentum( const gelParticles* particles );

/// Pushes particles out of the ground, with friction, between the last solve of a sub-step and its end.
/// @return how many touch it
int gelParticles_HitGround( gelBody* body, const gelStepContext* ctx );

// ---- a lane of a block -------------------------------------------------------------------------------

static inline gelVec3 gelGetLane3( const float* rows, int lane )
{
	return ( gelVec3 ){ rows[lane], rows[GEL_BLOCK_LANES + lane], rows[2 * GEL_BLOCK_LANES + lane] };
}

static inline void gelSetLane3( float* rows, int lane, gelVec3 a )
{
	rows[lane] = a.x;
	rows[GEL_BLOCK_LANES + lane] = a.y;
	rows[2 * GEL_BLOCK_LANES + lane] = a.z;
}

static inline gelQuat gelGetLaneQuat( const float* rows, int lane )
{
	return ( gelQuat ){ gelGetLane3( rows, lane ), rows[3 * GEL_BLOCK_LANES + lane] };
}

static inline void gelSetLaneQuat( float* rows, int lane, gelQuat q )
{
	gelSetLane3( rows, lane, q.v );
	rows[3 * GEL_BLOCK_LANES + lane] = q.s;
}

/// Inverse inertia of a slot about all axes, on average [1/(kg m^2)]: the tensor is rho (tr Ab - Ab).
static inline float gelGetInvInertia( const gelParticleModel* model, uint32_t slot )
{
	gelSym3 m = model->moments[slot];
	return 1.5f / ( m.xx + m.yy + m.zz );
}
