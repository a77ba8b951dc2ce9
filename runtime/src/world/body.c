// SPDX-License-Identifier: MIT
// Life and state of a body.
#include "state/body.h"

#include "contact/particles/particle_contact.h"
#include "asset/blocks.h"
#include "state/coarse_tree.h"
#include "constraints/constraint_set.h"
#include "contact/step/contact_step.h"
#include "solvers/factor_choice.h"
#include "contact/response/ground.h"
#include "solvers/implicit/implicit.h"
#include "solvers/particles/particle_body.h"
#include "solvers/particles/particle_points.h"
#include "solvers/plastic/plastic_elements.h"
#include "math/polar.h"
#include "solvers/fast/quality.h"
#include "world/step_groups.h"
#include "solvers/warp/warp_body.h"
#include "state/world.h"

#include <math.h>
#include <string.h>

// More passes or sweeps than this are a mistake, not a wish.
#define GEL_MAX_ITERATIONS 1000

// Iterations that find a rotation from nothing; 99.9 % of random starts need 12 at most.
#define GEL_COLD_ITERATIONS 60

gelBodyDef gelDefaultBodyDef( void )
{
	return ( gelBodyDef ){
		.solver = gel_solverFastCorotated,
		.implicit = gelDefaultImplicitDef(),
		.warp = gelDefaultWarpDef(),
		.particles = gelDefaultParticleDef(),
		.plasticity = gelDefaultPlasticityDef(),
		.stiffnessScale = 1.0f,
		.rotation = gelIdentityQuat(),
		.enableQueries = true,
		.enableContact = true,
		.contactCategory = 1,
		.contactMask = 0xFFFFFFFFu,
		.contactFriction = -1.0f,
		.constraintCapacity = 16,
		.frameCapacity = 4,
		.cookie = GEL_COOKIE,
	};
}

static bool IsUnit( gelQuat q )
{
	return fabsf( gelLengthSquaredQuat( q ) - 1.0f ) < 1.0e-3f; // false for NaN
}

static bool DefIsValid( const gelBodyDef* def )
{
	if ( def == NULL || def->cookie != GEL_COOKIE || def->asset == NULL ) return false;
	if ( (unsigned)def->solver > gel_solverOrientedParticles ) return false;
	if ( !gelParticleDef_IsValid( &def->particles ) ) return false;
	bool isWarp = def->solver == gel_solverWarpCancelling, isImplicit = def->solver == gel_solverImplicit;
	if ( ( isImplicit || isWarp ) && !gelImplicitDef_IsValid( &def->implicit ) ) return false;
	if ( isWarp && !gelWarpDef_IsValid( &def->warp ) ) return false;
	if ( !gelPlasticityDef_IsValid( &def->plasticity ) ) return false;
	if ( def->mode != gel_modePlain && def->mode != gel_modeQuality ) return false;
	if ( !( def->stiffnessScale >= 1.0e-6f && def->stiffnessScale <= 1.0e6f ) ) return false;
	if ( !gelIsUsable( def->position ) || !IsUnit( def->rotation ) ) return false;
	if ( !gelIsUsable( def->linearVelocity ) || !gelIsUsable( def->angularVelocity ) ) return false;
	if ( def->constraintCapacity < 0 || def->constraintCapacity > GEL_MAX_CONSTRAINTS ) return false;
	if ( def->frameCapacity < 0 || def->frameCapacity > GEL_MAX_CONSTRAINTS ) return false;
	if ( !gelIsContactFriction( def->contactFriction ) ) return false;
	if ( !( def->contactThickness >= 0.0f && def->contactThickness <= 1.0e6f ) ) return false;
	return def->passes >= 0 && def->passes <= GEL_MAX_ITERATIONS && def->volumeSweeps >= 0 &&
		def->volumeSweeps <= GEL_MAX_ITERATIONS;
}

// Particles touch as ellipsoids, other bodies as surfaces.
static bool TakesPartInContact( const struct gelWorld* world, const gelBodyDef* def )
{
	bool canTouch = def->solver == gel_solverOrientedParticles || def->asset->coarseCount > 0;
	return world->contact != NULL && def->enableContact && canTouch;
}

static bool ReserveContact( struct gelWorld* world, const gelBodyDef* def )
{
	if ( !TakesPartInContact( world, def ) ) return true;
	return def->solver == gel_solverOrientedParticles ? gelBallStep_Reserve( world, def->asset )
													  : gelContactStep_Reserve( world, def->asset );
}

// The block of a body:
//
//   | gelBody | x | v | q | forces | pinTargets | plastic |                       state
//   | invMasses |                                                                   constants
//   | xOld | xTilde | uTilde | p | b | y | solveScratch | kappa | cofactors | groundContacts |  scratch
//   | coarse | frames |                                                             for queries
//   | implicit |                                                     of that solver, implicit.c
//   | warp |                                                         of that solver, warp_body.c
//   | quality |                                                      of that mode, quality.c
//   | touch | stiffness |                                            for contact with others, touch.h
//   | particles |                                                    of that solver, particle_body.c
//
// Ground contacts are only there in worlds with a ground, coarse boxes with queries. Bodies of particles have
// x alone.
static gelBody* LayOut( gelArena* arena, const gelBodyDef* def, int pinCount, const struct gelWorld* world )
{
	const gelAsset* asset = def->asset;
	bool hasTets = def->solver != gel_solverOrientedParticles; // whose nodes the solver moves
	size_t n = hasTets ? (size_t)asset->nodeCount : 0, padded = hasTets ? n + 1 : 0;
	size_t slots = hasTets ? GEL_BLOCK_LANES * (size_t)asset->blockCount : 0;
	size_t solveFloats = hasTets ? asset->solveScratch : 0;
	gelBody part;
	gelBody* body = gelArena_Take( arena, 1, sizeof( gelBody ) );
	part.x = gelArena_Take( arena, (size_t)asset->nodeCount, sizeof( gelVec3 ) );
	part.v = gelArena_Take( arena, n, sizeof( gelVec3 ) );
	part.q = gelArena_Take( arena, slots, sizeof( gelQuat ) );
	part.forces = gelArena_Take( arena, n, sizeof( gelVec3 ) );
	part.pinTargets = gelArena_Take( arena, (size_t)pinCount, sizeof( gelVec3 ) );
	part.plastic =
		gelArena_Take( arena, gelIsPlastic( def ) ? (size_t)asset->blockCount : 0, sizeof( gelStrainBlock ) );
	part.invMasses = gelArena_Take( arena, padded, sizeof( float ) );
	part.xOld = gelArena_Take( arena, n, sizeof( gelVec3 ) );
	part.xTilde = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	part.uTilde = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	part.p = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	part.b = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	part.y = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	part.solveScratch = gelArena_Take( arena, solveFloats, sizeof( float ) );
	part.kappa = gelArena_Take( arena, slots, sizeof( float ) );
	part.cofactors = gelArena_Take( arena, padded, sizeof( gelCofactors ) );
	part.groundContacts = gelArena_Take( arena,
		world->def.hasGround && hasTets ? gelGetGroundCapacity( asset ) : 0, sizeof( gelGroundContact ) );
	bool hasTree = def->enableQueries || ( hasTets && TakesPartInContact( world, def ) );
	size_t treeCount = hasTree ? (size_t)asset->coarseCount : 0;
	size_t cellCount = treeCount > 0 ? asset->pack.header->cdgTetCount : 0;
	part.coarse = gelArena_Take( arena, treeCount, sizeof( gelCoarseBoxes ) );
	part.frames = gelArena_Take( arena, cellCount, sizeof( gelCellFrame ) );
	if ( body == NULL ) return NULL;
	body->x = part.x;
	body->v = part.v;
	body->q = part.q;
	body->forces = part.forces;
	body->pinTargets = part.pinTargets;
	body->plastic = part.plastic;
	body->invMasses = part.invMasses;
	body->xOld = part.xOld;
	body->xTilde = part.xTilde;
	body->uTilde = part.uTilde;
	body->p = part.p;
	body->b = part.b;
	body->y = part.y;
	body->solveScratch = part.solveScratch;
	body->kappa = part.kappa;
	body->cofactors = part.cofactors;
	body->groundContacts = part.groundContacts;
	body->coarse = part.coarse;
	body->frames = part.frames;
	return body;
}

// Rest shape at a place, at rest.
static void PlaceBody( gelBody* body, gelVec3 position, gelQuat rotation )
{
	body->isLossTold = false;
	gelQuality_Forget( body );
	gelBody_Wake( body );
	const gelAsset* asset = body->asset;
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( rotation ) );
	gelQuat q = { gelScale( inv, rotation.v ), inv * rotation.s };
	gelMat3 R = gelMakeMat3FromQuat( q );
	body->origin[0] = position.x;
	body->origin[1] = position.y;
	body->origin[2] = position.z;
	if ( body->particles ) gelParticles_Place( body, q );
	for ( int i = 0; i < asset->nodeCount && body->particles == NULL; ++i )
	{
		body->x[i] = gelMulMV( R, gelGetRestNode( asset->pack.nodes, (uint32_t)i ) );
		body->v[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		body->forces[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount && body->particles == NULL; ++slot )
		body->q[slot] = q;
	size_t blockCount = (size_t)asset->blockCount;
	if ( body->plastic ) memset( body->plastic, 0, blockCount * sizeof( gelStrainBlock ) );
	if ( body->implicit ) gelImplicit_ForgetWitnesses( body );
	if ( body->warp ) gelWarp_Forget( body );
	for ( int i = 0; i < body->pinCount; ++i )
		body->pinTargets[i] = body->x[body->pins[i]];
	gelConstraintSet_Follow( body );
	gelBody_RefitCoarse( body );
}

static void SetRigidVelocity( gelBody* body, gelVec3 linear, gelVec3 angular )
{
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

static int FindFreeSlot( const struct gelWorld* world )
{
	for ( int i = 0; i < world->def.bodyCapacity; ++i )
	{
		if ( world->slots[i].body == NULL ) return i;
	}
	return -1;
}

static bool HasImplicit( const gelBodyDef* def )
{
	return def->solver == gel_solverImplicit || def->solver == gel_solverWarpCancelling;
}

static gelBody* AllocateBody(
	struct gelWorld* world, const gelBodyDef* def, const uint32_t* pins, int pinCount )
{
	gelArena arena = { 0 };
	int touchNodes = def->solver == gel_solverOrientedParticles ? 0 : def->asset->nodeCount;
	LayOut( &arena, def, pinCount, world );
	gelConstraintSet_LayOut( &arena, def->asset, def );
	if ( HasImplicit( def ) ) gelImplicit_LayOut( &arena, def );
	if ( def->solver == gel_solverWarpCancelling ) gelWarp_LayOut( &arena, def );
	if ( def->mode == gel_modeQuality ) gelQuality_LayOut( &arena, def->asset );
	if ( TakesPartInContact( world, def ) ) gelTouch_LayOut( &arena, touchNodes );
	if ( def->solver == gel_solverOrientedParticles ) gelParticles_LayOut( &arena, def );
	void* memory = arena.overflow ? NULL : gelAllocate( &world->def.allocator, arena.bytes );
	if ( memory == NULL ) return NULL;
	size_t bytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	gelBody* body = LayOut( &arena, def, pinCount, world );
	body->constraints = gelConstraintSet_LayOut( &arena, def->asset, def );
	if ( HasImplicit( def ) ) body->implicit = gelImplicit_LayOut( &arena, def );
	if ( def->solver == gel_solverWarpCancelling ) body->warp = gelWarp_LayOut( &arena, def );
	if ( def->mode == gel_modeQuality ) body->quality = gelQuality_LayOut( &arena, def->asset );
	if ( TakesPartInContact( world, def ) ) body->touch = gelTouch_LayOut( &arena, touchNodes );
	if ( def->solver == gel_solverOrientedParticles ) body->particles = gelParticles_LayOut( &arena, def );
	GEL_ASSERT( arena.bytes == bytes );
	body->bytes = bytes;
	body->asset = def->asset;
	body->kernels = &world->kernels;
	body->userData = def->userData;
	body->solver = def->solver;
	body->mode = def->mode;
	// Stress that remains inside a dented body makes the stages of the fast solver work against each other in
	// every step, each at positions that the other left: without the keeper it would begin to spin.
	body->keepSpin = def->keepSpin || ( def->solver == gel_solverFastCorotated && gelIsPlastic( def ) );
	body->stiffnessScale = def->stiffnessScale;
	body->passes = def->passes;
	body->volumeSweeps = def->volumeSweeps;
	body->plasticity = def->plasticity;
	body->allowSleep = def->allowSleep;
	body->pinSetId = def->pinSetId;
	body->pins = pins;
	body->pinCount = pinCount;
	for ( int i = 0; i < def->asset->nodeCount && body->particles == NULL; ++i )
		body->invMasses[i] = def->asset->pack.masses[i].invMass;
	for ( int i = 0; i < pinCount; ++i )
		body->invMasses[pins[i]] = 0.0f;
	if ( body->implicit ) gelImplicit_Init( body, def );
	if ( body->warp ) gelWarp_Init( body, def, world );
	if ( body->quality ) gelQuality_Init( body );
	if ( body->touch ) gelTouch_Init( body, def );
	if ( body->particles )
		gelParticles_Init( body, def, gelGetParticleSubSteps( world->def.hasGround, body->touch != NULL ) );
	return body;
}

// Mode and stiffness scale against what was baked. Plain bodies are only told when they are stepped: their
// pack may be one that is looked at.
static gelResult CheckChoice( const gelBodyDef* def )
{
	bool isPlain = def->mode == gel_modePlain && def->stiffnessScale == 1.0f;
	if ( def->solver == gel_solverOrientedParticles ) return gelParticles_CheckDef( def );
	if ( def->solver == gel_solverWarpCancelling &&
		gelAsset_FindWarpTree( def->asset, def->pinSetId ) == NULL )
		return gel_errorUnsupported;
	if ( def->solver != gel_solverFastCorotated )
		return isPlain && !def->keepSpin ? gel_success : gel_errorUnsupported;
	if ( def->mode == gel_modeQuality && def->plasticity.isEnabled ) return gel_errorUnsupported;
	return isPlain || gelAsset_HasFactorFor( def->asset, def ) ? gel_success : gel_errorNoFactor;
}

static gelResult Refuse( const struct gelWorld* world, gelResult result )
{
	if ( world->def.log && result == gel_errorNoFactor )
		world->def.log( world->def.logContext,
			"a body cannot be made: its asset has no factors for this mode and stiffness scale with this pin "
			"set: "
			"bake with --quality, or with --step h and --step h*sqrt(stiffnessScale)" );
	if ( world->def.log && result == gel_errorUnsupported )
		world->def.log( world->def.logContext,
			"a body cannot be made: mode, stiffnessScale and keepSpin belong to the fast corotated solver, "
			"whose "
			"quality mode has no plasticity; the warp-cancelling solver needs a pack baked with --warp; "
			"oriented "
			"particles need a pack baked with --particles, and "
			"have neither plasticity nor pin sets" );
	return result;
}

// Rotations are found as the body's settings of the implicit solver say.
static gelImplicitDef GetWarpSettings( const gelBodyDef* def )
{
	gelImplicitDef implicit = gelWarp_GetImplicitDef( &def->warp );
	implicit.rotation = def->implicit.rotation;
	implicit.degenerateBelow = def->implicit.degenerateBelow;
	implicit.degeneratePush = def->implicit.degeneratePush;
	implicit.hasExactForces = def->implicit.hasExactForces;
	return implicit;
}

gelResult gelMakeBody( struct gelWorld* world, const gelBodyDef* def, gelBody** outBody )
{
	const gelPackView* pack = &def->asset->pack;
	if ( pack->gatherFirst == NULL || pack->colorFirst == NULL ) return gel_errorUnsupported;
	int pinCount;
	const uint32_t* pins = gelAsset_FindPinSet( def->asset, def->pinSetId, &pinCount );
	if ( def->pinSetId != 0 && pins == NULL ) return gel_errorNoPinSet;
	gelResult choice = CheckChoice( def );
	if ( choice != gel_success ) return Refuse( world, choice );
	if ( !gelWorld_ReserveLanes( world, def->asset, def->solver ) ) return gel_errorMemory;
	if ( !ReserveContact( world, def ) ) return gel_errorMemory;

	gelBodyDef used = *def;
	if ( def->solver == gel_solverWarpCancelling ) used.implicit = GetWarpSettings( def );
	gelBody* body = AllocateBody( world, &used, pins, pinCount );
	if ( body == NULL ) return gel_errorMemory;
	body->def = *def;
	*outBody = body;
	return gel_success;
}

gelResult gelCreateBody( gelWorldId worldId, const gelBodyDef* def, gelBodyId* outBodyId )
{
	if ( outBodyId == NULL ) return gel_errorArgument;
	*outBodyId = ( gelBodyId ){ 0 };
	struct gelWorld* world = worldId.world;
	if ( world == NULL || !DefIsValid( def ) ) return gel_errorArgument;
	if ( world->isLocked ) return gel_errorLocked;
	int index = FindFreeSlot( world );
	gelBody* body;
	gelResult result = gelMakeBody( world, def, &body );
	if ( result == gel_success && index < 0 )
	{
		gelFreeBody( world, body );
		result = gel_errorFull;
	}
	if ( result != gel_success ) return result;
	PlaceBody( body, def->position, def->rotation );
	if ( body->particles )
		gelParticles_SetVelocity( body, def->linearVelocity, def->angularVelocity );
	else
		SetRigidVelocity( body, def->linearVelocity, def->angularVelocity );
	gelBodySlot* slot = world->slots + index;
	slot->body = body;
	body->slot = (uint32_t)index;
	gelWorld_UpdateLive( world );
	*outBodyId = ( gelBodyId ){ world, (uint32_t)index + 1, slot->generation };
	return gel_success;
}

void gelFreeBody( struct gelWorld* world, gelBody* body )
{
	gelFree( &world->def.allocator, body, body->bytes );
}

void gelDestroyBody( gelBodyId bodyId )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL || bodyId.world->isLocked ) return;
	gelBodySlot* slot = bodyId.world->slots + ( bodyId.index1 - 1 );
	gelWorld_WakeAround( bodyId.world, body );
	if ( bodyId.world->contact ) gelContactStep_Forget( bodyId.world->contact, body );
	slot->body = NULL;
	++slot->generation;
	gelFreeBody( bodyId.world, body );
	gelWorld_UpdateLive( bodyId.world );
}

void gelBody_ResetRotations( gelBody* body )
{
	if ( body->implicit ) gelImplicit_ForgetWitnesses( body );
	gelQuality_Forget( body );
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		body->q[slot] = gelIdentityQuat();
		if ( t == GEL_NO_TET ) continue;
		gelMat3 F = gelDeformationGradient( &body->asset->pack, t, body->x );
		body->q[slot] = gelPolarSolve_Ref( F, gelIdentityQuat(), GEL_COLD_ITERATIONS );
	}
}

bool gelBody_IsUsable( const gelBody* body )
{
	const float* x = &body->x->x;
	size_t count = 3 * (size_t)body->asset->nodeCount;
	int wrong = 0;
	for ( size_t i = 0; i < count; ++i )
		wrong |= !( fabsf( x[i] ) <= GEL_MAX_COORDINATE ); // also for NaN
	return body->isUsable && wrong == 0;
}

void gelBody_PutBack( gelBody* body )
{
	size_t n = (size_t)body->asset->nodeCount;
	memcpy( body->x, body->xOld, n * sizeof( gelVec3 ) );
	memset( body->v, 0, n * sizeof( gelVec3 ) );
	for ( int i = 0; i < body->pinCount; ++i )
		body->pinTargets[i] = body->x[body->pins[i]];
	// A permanent strain that tore the body apart would do it again.
	if ( body->plastic )
		memset( body->plastic, 0, (size_t)body->asset->blockCount * sizeof( *body->plastic ) );
	gelBody_ResetRotations( body );
	if ( body->warp ) gelWarp_Forget( body );
	body->wasPutBack = true;
}

// How far to move the origin of a body that is away from it; false: it is near enough. The shift is a
// multiple of a power of two that is at least the body's size.
static bool FindShift( const gelAsset* asset, const double away[3], double shift[3] )
{
	double far = fmax( fabs( away[0] ), fmax( fabs( away[1] ), fabs( away[2] ) ) );
	if ( far <= 2.0 * asset->restSize || !( far <= 2.0 * GEL_MAX_COORDINATE ) ) return false;
	int exponent;
	(void)frexpf( asset->restSize, &exponent );
	double grid = ldexp( 1.0, exponent );
	for ( int k = 0; k < 3; ++k )
		shift[k] = grid * round( away[k] / grid );
	return true;
}

// How far a few nodes all over the body have come from where they are at rest, in the mean: as a float, so
// that the shift is one as well.
static gelVec3 FindDisplacement( const gelBody* body )
{
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	size_t count = (size_t)body->asset->nodeCount;
	for ( size_t k = 0; k < 8; ++k )
	{
		size_t i = k * count / 8;
		sum = gelAdd( sum, gelSub( body->x[i], gelGetRestNode( body->asset->pack.nodes, (uint32_t)i ) ) );
	}
	return gelScale( 0.125f, sum );
}

// Every coordinate is a multiple of its own last bit, which is smaller than the shift's, and gets smaller in
// magnitude: the subtraction is exact. Pinned bodies stay where the game holds them.
void gelBody_Recenter( gelBody* body )
{
	const gelAsset* asset = body->asset;
	if ( body->pinCount > 0 ) return;
	gelVec3 displacement = FindDisplacement( body );
	double away[3] = { displacement.x, displacement.y, displacement.z }, shift[3];
	if ( !FindShift( asset, away, shift ) ) return;
	gelVec3 move = { (float)shift[0], (float)shift[1], (float)shift[2] };
	for ( int i = 0; i < asset->nodeCount; ++i )
		body->x[i] = gelSub( body->x[i], move );
	if ( body->particles ) gelParticles_Shift( body, move );
	for ( int k = 0; k < 3; ++k )
		body->origin[k] += shift[k];
}

// Moves the origin to where positions in the world are going to be, before they are taken relative to it: a
// float relative to a far origin would lose digits.
static void MoveOrigin( gelBody* body, const gelVec3* positions )
{
	const gelAsset* asset = body->asset;
	gelVec3 low = positions[0], high = positions[0];
	for ( int i = 1; i < asset->nodeCount; ++i )
	{
		low = gelMinVec3( low, positions[i] );
		high = gelMaxVec3( high, positions[i] );
	}
	double away[3] = { 0.5 * ( (double)low.x + high.x ) - asset->restCenter.x - body->origin[0],
		0.5 * ( (double)low.y + high.y ) - asset->restCenter.y - body->origin[1],
		0.5 * ( (double)low.z + high.z ) - asset->restCenter.z - body->origin[2] };
	double shift[3];
	if ( !FindShift( asset, away, shift ) ) return;
	for ( int k = 0; k < 3; ++k )
		body->origin[k] += shift[k];
}

// The body of an id that may be written now.
static gelResult GetWritable( gelBodyId bodyId, gelBody** outBody )
{
	*outBody = gelGetBody( bodyId );
	if ( *outBody == NULL ) return gel_errorStaleId;
	return bodyId.world->isLocked ? gel_errorLocked : gel_success;
}

gelResult gelBody_SetNodeState(
	gelBodyId bodyId, const gelVec3* positions, const gelVec3* velocities, int count )
{
	gelBody* body;
	gelResult result = GetWritable( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( body->particles ) return gel_errorUnsupported; // nodes follow the particles
	if ( positions == NULL || velocities == NULL || count != body->asset->nodeCount )
		return gel_errorArgument;
	for ( int i = 0; i < count; ++i )
	{
		if ( !gelIsUsable( positions[i] ) || !gelIsUsable( velocities[i] ) ) return gel_errorArgument;
	}
	gelWorld_WakeAround( bodyId.world, body );
	memcpy( body->xOld, body->x, (size_t)count * sizeof( gelVec3 ) );
	MoveOrigin( body, positions );
	gelBody_Wake( body );
	for ( int i = 0; i < count; ++i )
	{
		body->x[i] = gelToBody( body, positions[i] );
		body->v[i] = velocities[i];
	}
	for ( int i = 0; i < body->pinCount; ++i )
		body->pinTargets[i] = body->x[body->pins[i]];
	gelConstraintSet_Follow( body );
	gelBody_ResetRotations( body );
	// Elements that are turned inside out by this find back the way they came.
	if ( body->implicit ) gelImplicit_UpdateWitnesses( body );
	gelBody_RefitCoarse( body );
	return gel_success;
}

gelResult gelBody_SetPinTarget( gelBodyId bodyId, int node, gelVec3 target )
{
	gelBody* body;
	gelResult result = GetWritable( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( !gelIsUsable( target ) ) return gel_errorArgument;
	int low = 0, high = body->pinCount;
	while ( low < high )
	{
		int middle = low + ( high - low ) / 2;
		if ( (int64_t)body->pins[middle] < node )
			low = middle + 1;
		else
			high = middle;
	}
	if ( low == body->pinCount || (int64_t)body->pins[low] != node ) return gel_errorArgument;
	gelVec3 local = gelToBody( body, target ), now = body->x[body->pins[low]];
	if ( local.x != now.x || local.y != now.y || local.z != now.z ) gelBody_Wake( body );
	body->pinTargets[low] = local;
	return gel_success;
}

gelResult gelBody_AddNodeForce( gelBodyId bodyId, int node, gelVec3 force )
{
	gelBody* body;
	gelResult result = GetWritable( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( node < 0 || node >= body->asset->nodeCount || !gelIsUsable( force ) ) return gel_errorArgument;
	if ( gelLengthSquared( force ) > 0.0f ) gelBody_Wake( body );
	gelEmbeddedPoint point = { .tet = -1 };
	if ( body->particles ) point = gelAsset_GetNodePoint( body->asset, node );
	if ( body->particles )
		gelParticles_AddPointForce( body, &point, force );
	else
	{
		body->forces[node] = gelAdd( body->forces[node], force );
		body->hasForces = true;
	}
	return gel_success;
}

gelResult gelBody_Reset( gelBodyId bodyId, gelVec3 position, gelQuat rotation )
{
	gelBody* body;
	gelResult result = GetWritable( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( !gelIsUsable( position ) || !IsUnit( rotation ) ) return gel_errorArgument;
	gelWorld_WakeAround( bodyId.world, body );
	PlaceBody( body, position, rotation );
	return gel_success;
}
