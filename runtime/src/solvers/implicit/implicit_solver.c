// SPDX-License-Identifier: MIT
#include "solvers/implicit/implicit_solver.h"

#include "skin/node_skin.h"
#include "solvers/implicit/implicit.h"
#include "solvers/node_body.h"
#include "solvers/plastic/plastic_elements.h"

static void SetDefaults( gelSolverDef* def )
{
	def->implicit = gelDefaultImplicitDef();
}

static bool IsDefValid( const gelBodyDef* def )
{
	return gelImplicitDef_IsValid( &def->solver.implicit ) && gelPlasticityDef_IsValid( &def->plasticity );
}

static gelResult CheckAsset( const gelBodyDef* def )
{
	(void)def; // every pack has what it needs
	return gel_success;
}

static bool IsPlastic( const gelBodyDef* def )
{
	const gelImplicitVariant* variant = def->solver.implicit.variant;
	return gelIsPlastic( def ) && ( variant == NULL || variant->element != gel_elementQr );
}

// Any step length but for the preconditioner that was baked for one.
static bool CanStep( const gelAsset* asset, const gelBodyDef* def, float h )
{
	gelPackFactorView factor;
	return def->solver.implicit.preconditioner != gel_preconditionFactor ||
		gelAsset_FindFactor( asset, h, def->pinSetId, &factor );
}

static bool ChooseFactor( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelNodeBody_FindCompliance( body, h ); // the rows of the solver are nodes
	if ( gelGetImplicit( body )->def.isQuasiStatic ) body->compliance = NULL; // its matrix has no masses
	return gelGetImplicit( body )->def.preconditioner != gel_preconditionFactor ||
		body->factor.header != NULL;
}

static void* LayOut( gelArena* arena, const gelBodyDef* def )
{
	gelImplicitVariant variant = gelGetVariant( def->solver.implicit.variant );
	return gelImplicit_LayOut( arena, def, &def->solver.implicit, &variant );
}

static void Init( gelBody* body, struct gelWorld* world )
{
	(void)world;
	gelImplicitDef* settings = &body->def.solver.implicit;
	gelImplicitVariant variant = gelGetVariant( settings->variant );
	gelImplicit_Init( body, settings, &variant );
	if ( settings->variant )
		settings->variant = &gelGetImplicit( body )->variant; // a copy: that of the caller may go
}

static uint64_t HashSettings( const gelBody* body )
{
	const uint64_t parts[2] = { gelImplicit_HashSettings( gelGetImplicit( body ) ),
		gelHashPlasticity( body ) };
	return gelPack_Hash( parts, sizeof( parts ) );
}

static bool AreWitnesses( const gelBody* body, const uint8_t* data, size_t bytes )
{
	(void)body;
	for ( size_t i = 0; i < bytes; ++i )
	{
		if ( data[i] >= gel_witnessCount ) return false;
	}
	return true;
}

int gelImplicit_ListState( const gelBody* body, gelStateSpan* out )
{
	size_t slots = GEL_BLOCK_LANES * (size_t)body->asset->blockCount;
	out[0] = ( gelStateSpan ){ gelGetImplicit( body )->witnesses, slots, AreWitnesses };
	return 1;
}

static int ListState( const gelBody* body, gelStateSpan* out )
{
	int count = gelImplicit_ListState( body, out );
	return count + gelNodeBody_ListPlastic( body, out + count );
}

static void Step( gelBody* const* bodies, int count, const gelStepContext* ctx, float* laneScratch )
{
	GEL_ASSERT( count >= 1 && count <= GEL_MAX_GROUP );
	(void)laneScratch;
	for ( int i = 0; i < count; ++i )
		gelStepImplicit( bodies[i], ctx );
}

const gelSolver gel_implicitSolver = {
	GEL_NODE_BODY_ENTRIES,
	.type = gel_solverImplicit,
	.constraintForm = gel_constraintsByProjection,
	.constraintKinds = GEL_ROW_CONSTRAINTS,
	.dilation = gel_dilationTrace,
	.setDefaults = SetDefaults,
	.isDefValid = IsDefValid,
	.checkAsset = CheckAsset,
	.isPlastic = IsPlastic,
	.canStep = CanStep,
	.layOut = LayOut,
	.init = Init,
	.hashSettings = HashSettings,
	.turn = gelNodeBody_Turn,
	.forgetElements = gelImplicit_ForgetWitnesses,
	.noteMove = gelImplicit_UpdateWitnesses,
	.listState = ListState,
	.chooseFactor = ChooseFactor,
	.step = Step,
	.endStep = gelEndImplicitStep,
	.respond = gelImplicit_Respond,
	.getNodeMass = gelImplicit_GetNodeMass,
	.prepareSkin = gelPrepareNodeSkin,
	.skinTiles = gelSkinNodeTiles,
};
