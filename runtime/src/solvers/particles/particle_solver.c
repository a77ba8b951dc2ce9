// SPDX-License-Identifier: MIT
#include "solvers/particles/particle_solver.h"

#include "gelpack/interact.h"
#include "solvers/particles/particle_body.h"
#include "solvers/particles/particle_lanes.h"
#include "solvers/particles/particle_points.h"
#include "state/world.h"

static void SetDefaults( gelSolverDef* def )
{
	def->particles = ( gelParticleDef ){ 0 };
}

static bool IsDefValid( const gelBodyDef* def )
{
	return gelParticleDef_IsValid( &def->solver.particles );
}

// With and without a ground or other things to touch.
static bool CanStep( const gelAsset* asset, const gelBodyDef* def, float h )
{
	const gelParticleDef* settings = &def->solver.particles;
	return gelParticles_HasFactor( asset, settings, gelGetParticleSubSteps( false, false ), h ) &&
		gelParticles_HasFactor( asset, settings, gelGetParticleSubSteps( true, false ), h ) &&
		gelParticles_HasFactor( asset, settings, gelGetParticleSubSteps( true, true ), h );
}

static size_t CountLaneFloats( const gelAsset* asset )
{
	return gelGetParticleLaneScratch( GEL_MAX_LANES, gelGetParticleModel( asset ), asset->solveScratch );
}

static void* LayOut( gelArena* arena, const gelBodyDef* def )
{
	return gelParticles_LayOut( arena, def );
}

static void Init( gelBody* body, struct gelWorld* world )
{
	gelParticles_Init( body, world->def.hasGround );
}

static uint64_t HashSettings( const gelBody* body )
{
	const gelParticleDef* def = &gelGetParticles( body )->def;
	const int choices[3] = { def->subSteps, def->iterations, def->enableSpinLoss };
	return gelPack_Hash( choices, sizeof( choices ) );
}

static int ListState( const gelBody* body, gelStateSpan* out )
{
	const gelParticles* p = gelGetParticles( body );
	size_t blocks = (size_t)p->model->blockCount, slots = GEL_BLOCK_LANES * blocks;
	out[0] = ( gelStateSpan ){ p->states, blocks * sizeof( gelParticleState ), gelParticles_AreStates };
	out[1] = ( gelStateSpan ){ p->forces, slots * sizeof( gelVec3 ), gelState_AreVectors };
	out[2] = ( gelStateSpan ){ p->torques, slots * sizeof( gelVec3 ), gelState_AreVectors };
	return 3;
}

static void EndRestore( gelBody* body )
{
	gelGetParticles( body )->hasForces = true; // perhaps
	gelParticles_MoveNodes( body );
}

// Vertices are skinned relative to the origin as a float, which is added to each; what the origin is beside
// that float goes into the palette.
static void PrepareSkin( gelBody* body, bool wantsNormals )
{
	(void)wantsNormals;
	gelVec3 rounded = gelToWorld( body, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	gelVec3 rest = { (float)( body->origin[0] - rounded.x ), (float)( body->origin[1] - rounded.y ),
		(float)( body->origin[2] - rounded.z ) };
	gelParticles_FillPalette( gelGetParticles( body ), rest );
}

static void SkinTiles( const gelBody* body, const gelSkinOutput* out, int tileFirst, int tileEnd )
{
	const gelParticles* p = gelGetParticles( body );
	gelSkinPass pass = { &p->model->skin, p->palette, gelToWorld( body, gelMakeVec3( 0.0f, 0.0f, 0.0f ) ),
		tileFirst, tileEnd, out->count, out->positions, out->normals, out->stride };
	gelGetSkinBlockKernels( body->simd )->vertices( &pass );
}

const gelSolver gel_particleSolver = {
	.type = gel_solverOrientedParticles,
	.contactForm = gel_contactParticles,
	.constraintForm = gel_constraintsOwn,
	.constraintKinds = 1u << gel_constraintPoint | 1u << gel_constraintSpring | 1u << gel_constraintDirection,
	.dilation = gel_dilationTrace,
	.setDefaults = SetDefaults,
	.isDefValid = IsDefValid,
	.checkAsset = gelParticles_CheckDef,
	.canStep = CanStep,
	.countLaneFloats = CountLaneFloats,
	.layOut = LayOut,
	.init = Init,
	.hashSettings = HashSettings,
	.compare = gelParticles_Compare,
	.place = gelParticles_Place,
	.setVelocity = gelParticles_SetVelocity,
	.turn = gelParticles_Turn,
	.shiftOrigin = gelParticles_Shift,
	.listState = ListState,
	.endRestore = EndRestore,
	.isStill = gelParticles_AreStill,
	.stop = gelParticles_Stop,
	.chooseFactor = gelParticles_ChooseFactor,
	.step = gelStepParticles,
	.getInvPointMass = gelParticles_GetInvPointMass,
	.addPointForce = gelParticles_AddPointForce,
	.addPointImpulse = gelParticles_AddPointImpulse,
	.movePoint = gelParticles_MovePoint,
	.getPointVelocity = gelParticles_GetPointVelocity,
	.getNodeVelocity = gelParticles_GetNodeVelocity,
	.getDynamics = gelParticles_GetDynamics,
	.draw = gelParticles_Draw,
	.prepareSkin = PrepareSkin,
	.skinTiles = SkinTiles,
};
