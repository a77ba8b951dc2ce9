// SPDX-License-Identifier: MIT
// Life and state of a body.
#include "world/body_life.h"

#include "constraints/constraint_set.h"
#include "contact/step/contact_step.h"
#include "solvers/lane_scratch.h"
#include "solvers/node_body.h"
#include "skin/skin_kernels.h"
#include "solvers/plastic/plastic_elements.h"
#include "state/coarse_tree.h"
#include "world/solver_table.h"

#include <math.h>
#include <string.h>

gelBodyDef gelDefaultBodyDef( void )
{
	return ( gelBodyDef ){
		.solver = gelDefaultSolverDef( gel_solverFastCorotated ),
		.plasticity = gelDefaultPlasticityDef(),
		.transform.rotation = gelIdentityQuat(),
		.enableSleep = true,
		.enableQueries = true,
		.enableContact = true,
		.contactFilter = { 1, 0xFFFFFFFFu },
		.contactFriction = -1.0f,
		.constraintCapacity = gelFindConstraintCalls() ? 16 : 0,
		.frameCapacity = gelFindConstraintCalls() ? 4 : 0,
		.cookie = GEL_COOKIE,
	};
}

static bool IsPlace( const gelBodyDef* def )
{
	return gelIsTransform( def->transform ) && gelIsUsable( def->linearVelocity ) &&
		gelIsUsable( def->angularVelocity );
}

static bool DefIsValid( const gelBodyDef* def, const gelSolver* solver )
{
	if ( def == NULL || def->cookie != GEL_COOKIE || def->asset == NULL || solver == NULL ) return false;
	if ( !solver->isDefValid( def ) || !IsPlace( def ) ) return false;
	if ( def->constraintCapacity < 0 || def->constraintCapacity > GEL_MAX_CONSTRAINTS ) return false;
	if ( def->frameCapacity < 0 || def->frameCapacity > GEL_MAX_CONSTRAINTS ) return false;
	return gelIsContactFriction( def->contactFriction ) && def->contactThickness >= 0.0f &&
		def->contactThickness <= 1.0e6f;
}

static bool TakesPartInContact( const struct gelWorld* world, const gelBodyDef* def, const gelSolver* solver )
{
	bool canTouch = solver->contactForm == gel_contactParticles ||
		( solver->contactForm == gel_contactSurface && def->asset->coarseCount > 0 );
	return world->def.enableContact && def->enableContact && canTouch;
}

// Whether it touches anything by its surface, the ground among others.
static bool HasContact( const struct gelWorld* world, const gelBodyDef* def, const gelSolver* solver )
{
	return TakesPartInContact( world, def, solver ) ||
		( world->def.hasGround && solver->contactForm == gel_contactSurface );
}

static bool ReserveContact( struct gelWorld* world, const gelBodyDef* def, const gelSolver* solver )
{
	if ( !HasContact( world, def, solver ) ) return true;
	return solver->contactForm == gel_contactParticles
		? gelFindParticleContact()->reserve( world, def->asset )
		: gelContactStep_Reserve( world, def->asset );
}

// What a body is made of.
typedef struct Recipe
{
	const struct gelWorld* world;
	const gelBodyDef* def;
	const gelSolver* solver;
	const uint32_t* pins;
	int pinCount;
} Recipe;

// What only the solver of the body needs while it steps or answers: | xTilde | uTilde | p | b | y |
// solveScratch | kappa |
static void LayOutStep( gelArena* arena, const Recipe* recipe, gelBody* out )
{
	const gelAsset* asset = recipe->def->asset;
	size_t padded = (size_t)asset->nodeCount + 1;
	if ( !recipe->solver->movesNodes ) return;
	out->xTilde = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	out->uTilde = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	out->p = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	out->b = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	out->y = gelArena_Take( arena, padded, sizeof( gelVec4 ) );
	out->solveScratch = gelArena_Take( arena, asset->solveScratch, sizeof( float ) );
	out->kappa = gelArena_Take( arena, GEL_BLOCK_LANES * (size_t)asset->blockCount, sizeof( float ) );
}

// What follows the nodes before and after that, made when somebody asks: | coarse |. Only there with queries
// or contact.
static void LayOutFollowers( gelArena* arena, const Recipe* recipe, gelBody* out )
{
	const gelAsset* asset = recipe->def->asset;
	bool hasTets = recipe->solver->movesNodes;
	bool takesPart = TakesPartInContact( recipe->world, recipe->def, recipe->solver );
	bool hasTree = recipe->def->enableQueries || ( hasTets && takesPart );
	size_t treeCount = hasTree ? (size_t)asset->coarseCount : 0;
	out->coarse = gelArena_Take( arena, treeCount, sizeof( gelCoarseBoxes ) );
}

// The block of a body:
//
//   | gelBody | step, or followers | skinNodes, cofactors, or arrays of contact | x | v | q | forces |
//   pinTargets | plastic | invMasses | xOld | loads | contact | constraints | data of the solver |
//
// Step and followers are never needed at the same time, so they are the same memory (gelBody_LendFollowers).
// The art is made between steps, when contact is not solved. Contact and followers are needed at the same
// time: particles look for surfaces while they press on them. Bodies whose solver does not move nodes have x
// alone, and no step.
static void* LayOut( gelArena* arena, const void* context )
{
	const Recipe* recipe = context;
	const gelBodyDef* def = recipe->def;
	const gelAsset* asset = def->asset;
	bool hasTets = recipe->solver->movesNodes;
	size_t n = hasTets ? (size_t)asset->nodeCount : 0;
	size_t blocks = hasTets ? (size_t)asset->blockCount : 0, slots = GEL_BLOCK_LANES * blocks;
	bool isPlastic = recipe->solver->isPlastic && recipe->solver->isPlastic( def );
	gelBody part = { .asset = asset, .solver = recipe->solver, .pins = recipe->pins };
	gelBody* body = gelArena_Take( arena, 1, sizeof( gelBody ) );
	size_t scratch = arena->bytes;
	gelArena followers = *arena;
	LayOutStep( arena, recipe, &part );
	LayOutFollowers( &followers, recipe, &part );
	gelArena_Cover( arena, &followers );
	part.sharedBytes = arena->bytes - scratch;
	part.shared = arena->base ? arena->base + scratch : NULL;
	size_t contactScratch = arena->bytes;
	part.skinNodes = gelArena_Take( arena, hasTets ? n + 1 : 0, sizeof( gelVec4 ) );
	part.cofactors = gelArena_Take( arena, hasTets ? n + 1 : 0, sizeof( gelCofactors ) );
	part.x = gelArena_Take( arena, (size_t)asset->nodeCount, sizeof( gelVec3 ) );
	part.v = gelArena_Take( arena, n, sizeof( gelVec3 ) );
	part.q = gelArena_Take( arena, slots, sizeof( gelQuat ) );
	part.forces = gelArena_Take( arena, n, sizeof( gelVec3 ) );
	part.pinTargets = gelArena_Take( arena, (size_t)recipe->pinCount, sizeof( gelVec3 ) );
	part.plastic = gelArena_Take( arena, isPlastic ? blocks : 0, sizeof( gelStrainBlock ) );
	part.invMasses = gelArena_Take( arena, hasTets ? n + 1 : 0, sizeof( float ) );
	part.xOld = gelArena_Take( arena, n, sizeof( gelVec3 ) );
	bool hasContact = HasContact( recipe->world, def, recipe->solver );
	part.loads = gelArena_Take( arena, hasContact ? n : 0, sizeof( gelVec3 ) );
	if ( hasContact )
		part.contact = gelBodyContact_LayOut( arena, hasTets ? asset->nodeCount : 0, contactScratch );
	const gelConstraintCalls* constraints = gelFindConstraintCalls();
	if ( constraints ) part.constraints = constraints->layOut( arena, def );
	part.data = recipe->solver->layOut( arena, def );
	if ( body ) *body = part;
	return body;
}

// Rest shape at a place, at rest.
static void PlaceBody( gelBody* body, gelTransform transform )
{
	GEL_ASSERT( gelIsTransform( transform ) );
	const gelSolver* solver = body->solver;
	body->hasLoggedReset = false;
	gelBody_Wake( body );
	gelBodyContact_ForgetCached( body );
	body->origin[0] = transform.position.x;
	body->origin[1] = transform.position.y;
	body->origin[2] = transform.position.z;
	solver->place( body, gelNormalizeQuat( transform.rotation ) );
	if ( solver->forgetElements ) solver->forgetElements( body );
	if ( solver->forgetFactor ) solver->forgetFactor( body );
	for ( int i = 0; i < body->pinCount; ++i )
		body->pinTargets[i] = body->x[body->pins[i]];
	if ( body->constraints ) body->constraints->calls->follow( body );
	gelBody_RefitCoarse( body );
}

static int FindFreeSlot( const struct gelWorld* world )
{
	for ( int i = 0; i < world->def.bodyCapacity; ++i )
	{
		if ( world->slots[i].body == NULL ) return i;
	}
	return -1;
}

static gelBody* AllocateBody( struct gelWorld* world, const Recipe* recipe )
{
	GEL_ASSERT( recipe->def->cookie == GEL_COOKIE && recipe->solver->layOut != NULL );
	const gelBodyDef* def = recipe->def;
	size_t bytes;
	gelBody* body = gelCreateBlock( &world->def.allocator, LayOut, recipe, &bytes );
	if ( body == NULL ) return NULL;
	body->bytes = bytes;
	body->simd = world->simd;
	body->quietSteps = &world->quietSteps;
	body->userData = def->userData;
	body->def = *def;
	body->stiffnessScale = 1.0f;
	body->enableSleep = def->enableSleep;
	body->pinSetId = def->pinSetId;
	body->pinCount = recipe->pinCount;
	for ( int i = 0; i < def->asset->nodeCount && recipe->solver->movesNodes; ++i )
		body->invMasses[i] = def->asset->pack.masses[i].invMass;
	for ( int i = 0; i < recipe->pinCount; ++i )
		body->invMasses[recipe->pins[i]] = 0.0f;
	if ( body->contact )
	{
		body->contact->takesPart = TakesPartInContact( world, def, recipe->solver );
		gelBodyContact_Init( body, def );
	}
	if ( recipe->solver->init ) recipe->solver->init( body, world );
	return body;
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
			"a body cannot be made: the quality mode has no plasticity, the warp-cancelling solver needs a "
			"pack "
			"baked with --warp, and oriented particles need one baked with --particles and have neither "
			"plasticity nor pin sets; or the solver or constraints were left out of this build "
			"(GELPACK_NO_...)" );
	return result;
}

gelResult gelMakeBody(
	struct gelWorld* world, const gelBodyDef* def, const gelSolver* solver, gelBody** outBody )
{
	GEL_ASSERT( def->asset != NULL && solver != NULL && !world->isLocked );
	const gelPackView* pack = &def->asset->pack;
	if ( pack->gatherFirst == NULL || pack->colorFirst == NULL ) return gel_errorUnsupported;
	if ( def->constraintCapacity > 0 && gelFindConstraintCalls() == NULL )
		return Refuse( world, gel_errorUnsupported );
	Recipe recipe = { .world = world, .def = def, .solver = solver };
	recipe.pins = gelAsset_FindPinSet( def->asset, def->pinSetId, &recipe.pinCount );
	if ( def->pinSetId != 0 && recipe.pins == NULL ) return gel_errorNoPinSet;
	gelResult result = solver->checkAsset( def );
	if ( result != gel_success ) return Refuse( world, result );
	if ( !gelWorld_ReserveLanes( world, def->asset, solver ) ) return gel_errorMemory;
	if ( !ReserveContact( world, def, solver ) ) return gel_errorMemory;
	*outBody = AllocateBody( world, &recipe );
	return *outBody ? gel_success : gel_errorMemory;
}

gelResult gelCreateBodyWith(
	gelWorldId worldId, const gelBodyDef* def, const gelSolver* solver, gelBodyId* outBodyId )
{
	if ( outBodyId == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outBodyId = ( gelBodyId ){ 0 };
	struct gelWorld* world = worldId.world;
	if ( world == NULL || !DefIsValid( def, solver ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	int index = FindFreeSlot( world );
	gelBody* body;
	gelResult result = gelMakeBody( world, def, solver, &body );
	if ( result == gel_success && index < 0 )
	{
		gelFreeBody( world, body );
		result = gel_errorFull;
	}
	if ( result != gel_success ) return result;
	PlaceBody( body, def->transform );
	solver->setVelocity( body, def->linearVelocity, def->angularVelocity );
	gelBodySlot* slot = world->slots + index;
	slot->body = body;
	body->slot = (uint32_t)index;
	gelWorld_UpdateLive( world );
	*outBodyId = ( gelBodyId ){ world, (uint32_t)index + 1, slot->generation };
	return gel_success;
}

gelResult gelCreateBody( gelWorldId worldId, const gelBodyDef* def, gelBodyId* outBodyId )
{
	const gelSolver* solver = def ? gelFindSolver( def->solver.type ) : NULL;
	bool isLeftOut = def != NULL && solver == NULL && (unsigned)def->solver.type < GEL_SOLVER_COUNT;
	if ( !isLeftOut || worldId.world == NULL || outBodyId == NULL )
		return gelCreateBodyWith( worldId, def, solver, outBodyId );
	*outBodyId = ( gelBodyId ){ 0 };
	return Refuse( worldId.world, gel_errorUnsupported );
}

void gelFreeBody( struct gelWorld* world, gelBody* body )
{
	GEL_ASSERT( body != NULL && body->bytes >= sizeof( gelBody ) );
	if ( body->constraints ) body->constraints->calls->release( &world->def.allocator, body->constraints );
	gelFree( &world->def.allocator, body, body->bytes );
}

void gelDestroyBody( gelBodyId bodyId )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL || bodyId.world->isLocked ) return;
	gelBodySlot* slot = bodyId.world->slots + ( bodyId.index1 - 1 );
	gelWorld_WakeAround( bodyId.world, body );
	if ( bodyId.world->contact )
	{
		gelContactStep_Forget( bodyId.world->contact, body );
		gelForgetLoads( bodyId.world, GEL_OTHER_BODY | body->slot );
	}
	slot->body = NULL;
	++slot->generation;
	gelFreeBody( bodyId.world, body );
	gelWorld_UpdateLive( bodyId.world );
}

gelResult gelBody_SetNodeState(
	gelBodyId bodyId, const gelVec3* positions, const gelVec3* velocities, int count )
{
	gelBody* body;
	gelResult result = gelUseBody( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( !body->solver->movesNodes ) return gel_errorUnsupported; // they follow something else
	if ( positions == NULL || velocities == NULL || count != body->asset->nodeCount )
		return GEL_CALLER_ERROR( gel_errorArgument );
	for ( int i = 0; i < count; ++i )
	{
		if ( !gelIsUsable( positions[i] ) || !gelIsUsable( velocities[i] ) )
			return GEL_CALLER_ERROR( gel_errorArgument );
	}
	gelWorld_WakeAround( bodyId.world, body );
	memcpy( body->xOld, body->x, (size_t)count * sizeof( gelVec3 ) );
	gelBody_MoveOrigin( body, positions );
	gelBody_Wake( body );
	gelBodyContact_ForgetCached( body );
	for ( int i = 0; i < count; ++i )
	{
		body->x[i] = gelToBody( body, positions[i] );
		body->v[i] = velocities[i];
	}
	for ( int i = 0; i < body->pinCount; ++i )
		body->pinTargets[i] = body->x[body->pins[i]];
	if ( body->constraints ) body->constraints->calls->follow( body );
	gelNodeBody_ResetRotations( body );
	if ( body->solver->noteMove ) body->solver->noteMove( body );
	gelBody_RefitCoarse( body );
	return gel_success;
}

// Where a node is in the pin set of a body; -1: it is not.
static int FindPin( const gelBody* body, int node )
{
	int low = 0, high = body->pinCount;
	while ( low < high )
	{
		int middle = low + ( high - low ) / 2;
		if ( (int64_t)body->pins[middle] < node )
			low = middle + 1;
		else
			high = middle;
	}
	return low < body->pinCount && (int64_t)body->pins[low] == node ? low : -1;
}

gelResult gelBody_SetPinTarget( gelBodyId bodyId, int node, gelVec3 target )
{
	gelBody* body;
	gelResult result = gelUseBody( bodyId, &body );
	if ( result != gel_success ) return result;
	int pin = FindPin( body, node );
	if ( pin < 0 || !gelIsUsable( target ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelVec3 local = gelToBody( body, target ), now = body->x[node];
	if ( local.x != now.x || local.y != now.y || local.z != now.z ) gelBody_Wake( body );
	body->pinTargets[pin] = local;
	return gel_success;
}

gelResult gelBody_GetPinTarget( gelBodyId bodyId, int node, gelVec3* outTarget )
{
	if ( outTarget == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outTarget = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	gelBody* body;
	gelResult result = gelUseBody( bodyId, &body );
	if ( result != gel_success ) return result;
	int pin = FindPin( body, node );
	if ( pin < 0 ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outTarget = gelToWorld( body, body->pinTargets[pin] );
	return gel_success;
}

gelResult gelBody_AddNodeForce( gelBodyId bodyId, int node, gelVec3 force )
{
	gelBody* body;
	gelResult result = gelUseBody( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( node < 0 || node >= body->asset->nodeCount || !gelIsUsable( force ) )
		return GEL_CALLER_ERROR( gel_errorArgument );
	if ( gelLengthSquared( force ) > 0.0f ) gelBody_Wake( body );
	body->hasForces = true;
	if ( body->solver->movesNodes )
		body->forces[node] = gelAdd( body->forces[node], force );
	else
	{
		gelEmbeddedPoint point = gelAsset_GetNodePoint( body->asset, node );
		body->solver->addPointForce( body, &point, force );
	}
	return gel_success;
}

gelResult gelBody_Reset( gelBodyId bodyId, gelTransform transform )
{
	gelBody* body;
	gelResult result = gelUseBody( bodyId, &body );
	if ( result != gel_success ) return result;
	if ( !gelIsTransform( transform ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelWorld_WakeAround( bodyId.world, body );
	PlaceBody( body, transform );
	return gel_success;
}
