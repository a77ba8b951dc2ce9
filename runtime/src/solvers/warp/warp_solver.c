// SPDX-License-Identifier: MIT
#include "solvers/warp/warp_solver.h"

#include "gelpack/warp.h"
#include "skin/node_skin.h"
#include "solvers/implicit/implicit_solver.h"
#include "solvers/node_body.h"
#include "solvers/plastic/plastic_elements.h"
#include "solvers/warp/warp_body.h"
#include "state/world.h"

static const gelImplicitFactor gel_warpFactor = { gelWarp_Refresh, gelWarp_Solve, gelWarp_Judge,
	gelWarp_Damp };

static void SetDefaults( gelSolverDef* def )
{
	def->warp = gelDefaultWarpDef();
}

static bool IsDefValid( const gelBodyDef* def )
{
	return gelWarpDef_IsValid( &def->solver.warp ) && gelPlasticityDef_IsValid( &def->plasticity );
}

static gelResult CheckAsset( const gelBodyDef* def )
{
	bool hasTree = gelAsset_FindWarpTree( def->asset, def->pinSetId ) != NULL;
	return hasTree ? gel_success : gel_errorUnsupported;
}

// Makes a factor for any step length.
static bool CanStep( const gelAsset* asset, const gelBodyDef* def, float h )
{
	(void)h;
	return gelAsset_FindWarpTree( asset, def->pinSetId ) != NULL;
}

static bool ChooseFactor( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	(void)body;
	(void)h;
	return true; // its own factor answers to contact
}

static void* LayOut( gelArena* arena, const gelBodyDef* def )
{
	gelImplicitDef settings = gelWarp_GetImplicitDef( def );
	gelImplicitVariant variant = gelWarp_GetVariant( def );
	gelImplicit* implicit = gelImplicit_LayOut( arena, def, &settings, &variant );
	gelWarp* warp = gelWarp_LayOut( arena, def );
	if ( implicit ) implicit->factorData = warp;
	return implicit;
}

static void Init( gelBody* body, struct gelWorld* world )
{
	gelImplicitDef settings = gelWarp_GetImplicitDef( &body->def );
	gelImplicitVariant variant = gelWarp_GetVariant( &body->def );
	gelWarpDef* warp = &body->def.solver.warp;
	gelImplicit_Init( body, &settings, &variant );
	if ( warp->variant )
		warp->variant = &gelGetImplicit( body )->variant; // a copy: that of the caller may go
	gelGetImplicit( body )->ownFactor = &gel_warpFactor;
	gelWarp_Init( body, world );
}

static uint64_t HashWarp( const gelWarpDef* def )
{
	const float numbers[10] = { (float)def->schedule, def->tolerance, def->maxTolerance, def->budget,
		(float)def->refinements, def->isSheet, def->dampAbove, def->massDamping, def->stiffnessDamping,
		(float)def->maxFactorBytes };
	return gelPack_Hash( numbers, sizeof( numbers ) );
}

static uint64_t HashSettings( const gelBody* body )
{
	const uint64_t parts[3] = { gelImplicit_HashSettings( gelGetImplicit( body ) ),
		HashWarp( &body->def.solver.warp ), gelHashPlasticity( body ) };
	return gelPack_Hash( parts, sizeof( parts ) );
}

static int ListState( const gelBody* body, gelStateSpan* out )
{
	const gelWarp* warp = gelGetWarp( body );
	size_t blocks = (size_t)body->asset->blockCount, n = (size_t)body->asset->nodeCount;
	size_t ages = (size_t)warp->tree->superCount + 1;
	int count = gelImplicit_ListState( body, out );
	out[count++] = ( gelStateSpan ){ warp->turns, blocks * sizeof( gelTurnBlock ), gelState_AreTurns };
	out[count++] = ( gelStateSpan ){ warp->nodeTurns, n * sizeof( gelVec4 ), gelState_AreQuats };
	out[count++] = ( gelStateSpan ){ warp->ages, ages * sizeof( float ), gelState_AreVectors };
	return count + gelNodeBody_ListPlastic( body, out + count );
}

static void EndRestore( gelBody* body )
{
	gelWarp_Restore( gelGetWarp( body ) );
}

static bool IsLarge( const gelBody* body )
{
	return gelGetWarp( body )->world != NULL;
}

static void Step( gelBody* const* bodies, int count, const gelStepContext* ctx, float* laneScratch )
{
	(void)laneScratch;
	for ( int i = 0; i < count; ++i )
		gelStepImplicit( bodies[i], ctx );
}

const gelSolver gel_warpSolver = {
	GEL_NODE_BODY_ENTRIES,
	.type = gel_solverWarpCancelling,
	.constraintForm = gel_constraintsByProjection,
	.constraintKinds = GEL_ROW_CONSTRAINTS,
	.dilation = gel_dilationTrace,
	.setDefaults = SetDefaults,
	.isDefValid = IsDefValid,
	.checkAsset = CheckAsset,
	.isPlastic = gelIsPlastic,
	.canStep = CanStep,
	.layOut = LayOut,
	.init = Init,
	.hashSettings = HashSettings,
	.turn = gelNodeBody_Turn,
	.forgetElements = gelImplicit_ForgetWitnesses,
	.forgetFactor = gelWarp_Forget,
	.noteMove = gelImplicit_UpdateWitnesses,
	.listState = ListState,
	.endRestore = EndRestore,
	.chooseFactor = ChooseFactor,
	.isLarge = IsLarge,
	.step = Step,
	.endStep = gelEndImplicitStep,
	.respond = gelImplicit_Respond,
	.getNodeMass = gelImplicit_GetNodeMass,
	.prepareSkin = gelPrepareNodeSkin,
	.skinTiles = gelSkinNodeTiles,
};

gelWarpStats gelBody_GetWarpStats( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	bool isOurs = body != NULL && body->solver == &gel_warpSolver;
	return isOurs ? gelGetWarp( body )->stats : ( gelWarpStats ){ 0 };
}
