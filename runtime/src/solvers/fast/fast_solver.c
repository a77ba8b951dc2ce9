// SPDX-License-Identifier: MIT
#include "solvers/fast/fast_solver.h"

#include "gelpack/interact.h"
#include "solvers/fast/lanes.h"
#include "simd/supernodal_solve.h"
#include "skin/node_skin.h"
#include "solvers/fast/factor_choice.h"
#include "solvers/fast/fast_corotated.h"
#include "solvers/fast/quality.h"
#include "solvers/node_body.h"
#include "solvers/plastic/plastic_elements.h"

// More passes or sweeps than this are a mistake, not a wish.
#define GEL_MAX_ITERATIONS 1000

static void SetDefaults( gelSolverDef* def )
{
	def->fast.stiffnessScale = 1.0f;
}

static bool IsDefValid( const gelBodyDef* def )
{
	const gelFastDef* fast = &def->solver.fast;
	if ( fast->mode != gel_modePlain && fast->mode != gel_modeQuality ) return false;
	if ( !( fast->stiffnessScale >= 1.0e-6f && fast->stiffnessScale <= 1.0e6f ) ) return false;
	return gelPlasticityDef_IsValid( &def->plasticity ) && fast->passes >= 0 &&
		fast->passes <= GEL_MAX_ITERATIONS && fast->volumeSweeps >= 0 &&
		fast->volumeSweeps <= GEL_MAX_ITERATIONS;
}

// Plain bodies are only told when they are stepped: their pack may be one that is looked at.
static gelResult CheckAsset( const gelBodyDef* def )
{
	bool isPlain = def->solver.fast.mode == gel_modePlain && def->solver.fast.stiffnessScale == 1.0f;
	if ( def->solver.fast.mode == gel_modeQuality && def->plasticity.enableYield )
		return gel_errorUnsupported;
	return isPlain || gelAsset_HasFactorFor( def->asset, def ) ? gel_success : gel_errorNoFactor;
}

static size_t CountLaneFloats( const gelAsset* asset )
{
	return gelGetLaneScratch( GEL_MAX_LANES, asset->nodeCount, asset->blockCount, asset->solveScratch );
}

static void* LayOut( gelArena* arena, const gelBodyDef* def )
{
	return def->solver.fast.mode == gel_modeQuality ? gelQuality_LayOut( arena, def->asset ) : NULL;
}

static void Init( gelBody* body, struct gelWorld* world )
{
	(void)world;
	body->stiffnessScale = body->def.solver.fast.stiffnessScale;
	if ( gelGetQuality( body ) ) gelQuality_Init( body );
}

static uint64_t HashSettings( const gelBody* body )
{
	const gelFastDef* def = &body->def.solver.fast;
	const float numbers[5] = { (float)def->mode, def->stiffnessScale, def->enableSpinKeeping,
		(float)def->passes, (float)def->volumeSweeps };
	const uint64_t parts[2] = { gelPack_Hash( numbers, sizeof( numbers ) ), gelHashPlasticity( body ) };
	return gelPack_Hash( parts, sizeof( parts ) );
}

static int CompareNumbers( float a, float b )
{
	return a < b ? -1 : a > b;
}

static int Compare( const gelBody* a, const gelBody* b )
{
	int order = CompareNumbers( (float)a->def.solver.fast.mode, (float)b->def.solver.fast.mode );
	if ( order == 0 ) order = CompareNumbers( a->stiffnessScale, b->stiffnessScale );
	if ( order == 0 )
		order = CompareNumbers( (float)a->def.solver.fast.passes, (float)b->def.solver.fast.passes );
	if ( order == 0 )
		order =
			CompareNumbers( (float)a->def.solver.fast.volumeSweeps, (float)b->def.solver.fast.volumeSweeps );
	return order;
}

static void Turn( gelBody* body, gelQuat rotation )
{
	GEL_ASSERT( gelIsUnitQuat( rotation ) );
	gelNodeBody_Turn( body, rotation );
	gelQuality_Forget( body );
}

static int ListState( const gelBody* body, gelStateSpan* out )
{
	const gelQuality* quality = gelGetQuality( body );
	if ( quality == NULL ) return gelNodeBody_ListPlastic( body, out );
	out[0] = ( gelStateSpan ){ quality->state, gelQuality_GetStateBytes( quality ), gelState_AreVectors };
	return 1;
}

static void EndRestore( gelBody* body )
{
	if ( gelGetQuality( body ) ) gelQuality_Restore( body );
}

static void Step( gelBody* const* bodies, int count, const gelStepContext* ctx, float* laneScratch )
{
	if ( gelGetQuality( bodies[0] ) )
		gelStepQuality( bodies, count, ctx );
	else
		gelStepFastCorotated( bodies, count, ctx, laneScratch );
}

static void Respond( gelBody* body, gelVec3* s )
{
	GEL_ASSERT( body->rowNodes != NULL && s != NULL );
	uint32_t n = body->rowCount;
	for ( uint32_t row = 0; row < n; ++row )
		body->y[row] = gelMakeVec4( s[row], 0.0f );
	gelSolveFactor( body->simd, &body->factor, &body->y, 1, body->solveScratch );
	for ( uint32_t row = 0; row < n; ++row )
		s[row] = gelXyz( body->y[row] );
}

// The search of the quality mode takes them as forces: it looks at its gradient where the body is, and not
// where forces would take its nodes.
static bool TakesLoads( const gelBody* body )
{
	return gelGetQuality( body ) == NULL;
}

const gelSolver gel_fastSolver = {
	GEL_NODE_BODY_ENTRIES,
	.type = gel_solverFastCorotated,
	.constraintForm = gel_constraintsByFactor,
	.constraintKinds = GEL_ROW_CONSTRAINTS,
	.dilation = gel_dilationDeterminant,
	.setDefaults = SetDefaults,
	.isDefValid = IsDefValid,
	.checkAsset = CheckAsset,
	.isPlastic = gelIsPlastic,
	.canStep = gelFast_CanStep,
	.countLaneFloats = CountLaneFloats,
	.layOut = LayOut,
	.init = Init,
	.hashSettings = HashSettings,
	.compare = Compare,
	.turn = Turn,
	.forgetElements = gelQuality_Forget,
	.listState = ListState,
	.endRestore = EndRestore,
	.chooseFactor = gelFast_ChooseFactor,
	.step = Step,
	.endStep = gelEndFastStep,
	.endPush = gelUnfoldTets,
	.respond = Respond,
	.takesLoads = TakesLoads,
	.getNodeMass = gelNodeBody_GetNodeMass,
	.prepareSkin = gelPrepareNodeSkin,
	.skinTiles = gelSkinNodeTiles,
};
