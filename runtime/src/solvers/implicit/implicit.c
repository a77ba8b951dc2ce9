// SPDX-License-Identifier: MIT
#include "solvers/implicit/implicit.h"

#include "solvers/implicit/block_jacobi.h"
#include "asset/blocks.h"
#include "constraints/constraint_rows.h"
#include "solvers/plastic/plasticity.h"
#include "solvers/implicit/rigid_start.h"
#include "solvers/node_body.h"

#include <string.h>

// Iterations of the polar decomposition per Newton iteration: the second leaves 1e-5 degrees.
#define GEL_IMPLICIT_POLAR_STEPS 2

// The answer to a contact impulse need not be exact: it is a direction, and a line search follows. Bodies
// come to rest as well as with 1e-2, which takes half as long again. With the baked factor one iteration is a
// good direction.
#define GEL_RESPONSE_TOLERANCE 1.0e-1f

// Rigid modes cost as much as five to ten iterations, and pay where iterations do not reach across the body:
// above this many squared cells that a wave passes in a step.
#define GEL_STIFF_RATIO 100.0f

// Iterations for rows of constraints beside a factor that knows nothing of them, at most.
#define GEL_MAX_ROW_ITERATIONS 12

// The warp-cancelling solver corrects as often as its settings say, and goes on where that is not enough: in
// sheets, whose matrix is too badly conditioned for a factor of floats, and where its factor is far too old.
#define GEL_EXTRA_ITERATIONS 8

// Whether the body pulls at a frame that gives way. What iterations leave of force and torque is momentum
// that the body did not get and the frame did; handed to a light frame it would be a kick that the solve does
// not know of, and at 20 iterations a ball of 3 kg on a body of 39 kg spins faster and faster. With rigid
// modes nothing is left.
static bool MovesFrame( const gelBody* body )
{
	const gelConstraintSet* set = body->constraints;
	for ( int i = 0; set != NULL && i < set->pointCount; ++i )
	{
		if ( set->points[i].frame >= 0 ) return true;
	}
	return false;
}

bool gelImplicit_IsFree( const gelBody* body )
{
	return body->pinCount == 0 && !gelGetImplicit( body )->hasConstraints;
}

static void BeginStep( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->h > 0.0f && body->solver->movesNodes );
	gelImplicit* implicit = gelGetImplicit( body );
	const gelAsset* asset = body->asset;
	size_t n = (size_t)asset->nodeCount;
	memcpy( body->xOld, body->x, n * sizeof( gelVec3 ) );
	memset( implicit->moved, 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	implicit->linearIterations = 0;
	implicit->hasConstraints = gelConstraintRows_Prepare( body, ctx->h );
	if ( implicit->hasConstraints ) gelConstraintRows_FactorClusters( body );
	implicit->isStatic = implicit->def.isQuasiStatic && gelIsHeld( body );
	bool isStiff = ctx->h * ctx->h * implicit->stiffness > GEL_STIFF_RATIO;
	implicit->usesModes = implicit->def.enableRigidModes &&
		( ( isStiff && implicit->ownFactor == NULL ) || MovesFrame( body ) );
	float damping = implicit->def.isQuasiStatic ? 0.0f : implicit->def.massDamping;
	bool usesMaterial = asset->hasDamping && !implicit->def.isQuasiStatic;
	for ( size_t i = 0; i < n; ++i )
	{
		float rate = usesMaterial ? damping + asset->nodeDampings[i] : damping;
		implicit->masses[i] =
			implicit->isStatic ? 0.0f : asset->pack.masses[i].mass * ( 1.0f + ctx->h * rate );
	}
}

void gelImplicit_UpdatePositions( gelBody* body )
{
	gelImplicit* implicit = gelGetImplicit( body );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		body->x[i] = gelAdd( body->xOld[i], gelXyz( implicit->moved[i] ) );
}

void gelImplicit_UpdateDisplacements( gelBody* body, gelVec4* u )
{
	const gelPackNode* nodes = body->asset->pack.nodes;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		u[i] = gelMakeVec4( gelSub( body->x[i], gelGetRestNode( nodes, (uint32_t)i ) ), 0.0f );
}

// Factor of K in the matrix [s^2].
static float GetStiffnessScale( const gelImplicit* implicit, float h )
{
	GEL_ASSERT( h > 0.0f );
	float damping = implicit->def.isQuasiStatic ? 0.0f : implicit->def.stiffnessDamping;
	return h * damping + h * h;
}

static bool UpdateElements( gelBody* body, const gelImplicitPass* pass )
{
	gelImplicit* implicit = gelGetImplicit( body );
	bool isUsable = gelGetImplicitKernels( body->simd )->updateImplicit( pass );
	gelUpdateLeftLanes( pass, &implicit->rotation, body->asset, implicit->witnesses );
	return isUsable;
}

void gelImplicit_UpdateElements(
	gelBody* body, float h, gelDifferential differential, const gelVec4* u, gelQuat* q )
{
	GEL_ASSERT( h > 0.0f && u != NULL && q != NULL );
	gelImplicit* implicit = gelGetImplicit( body );
	const gelAsset* asset = body->asset;
	memset( implicit->rhs, 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	gelImplicitPass pass = { .elements = asset->elements,
		.lambdaVolumes = asset->lambdaVolumes,
		.blockCount = asset->blockCount,
		.u = u,
		.forceScale = h * h,
		.stiffnessScale = GetStiffnessScale( implicit, h ),
		.differential = differential,
		.polarSteps = GEL_IMPLICIT_POLAR_STEPS,
		.q = q,
		.blocks = implicit->blocks,
		.twists = implicit->twists,
		.forces = implicit->rhs,
		.degenerateBelow = implicit->variant.degenerateBelow,
		.witnesses = implicit->witnesses,
		.leftLanes = implicit->leftLanes,
		.plastic = body->plastic,
		.strains = implicit->strains };
	body->isUsable = implicit->updateElements( body, &pass );
}

void gelImplicit_UpdateWitnesses( gelBody* body )
{
	gelImplicit* implicit = gelGetImplicit( body );
	const gelAsset* asset = body->asset;
	if ( !implicit->keepsWitnesses ) return;
	gelImplicit_UpdateDisplacements( body, implicit->u );
	gelGetImplicitKernels( body->simd )
		->findFlat( asset->elements, asset->blockCount, implicit->u, implicit->variant.degenerateBelow,
			implicit->leftLanes );
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		uint32_t tet = asset->slotTets[slot];
		bool isFlat = ( implicit->leftLanes[slot / GEL_BLOCK_LANES] >> slot % GEL_BLOCK_LANES & 1 ) != 0;
		if ( tet == GEL_NO_TET || ( !isFlat && implicit->witnesses[slot] == 0 ) ) continue;
		gelVec3 gradients[3];
		for ( int k = 0; k < 3; ++k )
			gradients[k] = gelGetGradient( asset->pack.tetRests + tet, k );
		gelMat3 before = gelDeformationGradient( &asset->pack, tet, body->xOld );
		gelMat3 after = gelDeformationGradient( &asset->pack, tet, body->x );
		implicit->witnesses[slot] = (uint8_t)gelUpdateWitness( gradients, implicit->variant.degenerateBelow,
			before, after, (gelWitness)implicit->witnesses[slot] );
	}
}

// Strains at the start of the step become permanent as far as they are beyond the yield point. Not those of
// inverted elements, as in the fast solver: what drives them back must not be forgotten.
static void UpdatePlastic( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelImplicit* implicit = gelGetImplicit( body );
	const gelAsset* asset = body->asset;
	uint32_t last = UINT32_MAX;
	gelPlasticFlow flow = { 0 };
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount && body->plastic; ++slot )
	{
		uint32_t tet = asset->slotTets[slot];
		if ( tet == GEL_NO_TET ) continue;
		int lane = slot % GEL_BLOCK_LANES;
		uint32_t material = asset->pack.tetRests[tet].material;
		if ( material != last )
			flow = gelMakePlasticFlow( &body->def.plasticity, asset->pack.materials[material].mu, h );
		last = material;
		gelSym3 e = gelGetLaneStrain( implicit->strains + slot / GEL_BLOCK_LANES, lane );
		gelSym3 plastic = gelGetLaneStrain( body->plastic + slot / GEL_BLOCK_LANES, lane );
		if ( !gelUpdatePlasticStrain( &flow, e, &plastic ) ) continue; // nearly all
		if ( gelDeterminant( gelDeformationGradient( &asset->pack, tet, body->x ) ) > 0.0f )
			gelSetLaneStrain( body->plastic + slot / GEL_BLOCK_LANES, lane, plastic );
	}
}

static gelLinearSystem MakeSystem( gelBody* body )
{
	const gelImplicit* implicit = gelGetImplicit( body );
	gelLinearSystem system = { .body = body,
		.stiffness = { implicit->blocks, body->asset->blockCount, implicit->twists, implicit->multiply },
		.masses = implicit->masses,
		.count = implicit->vectorCount,
		.preconditioner = implicit->def.preconditioner,
		.blocks = implicit->inverses,
		.isFree = gelImplicit_IsFree( body ),
		.hasConstraints = implicit->hasConstraints,
		.ownFactor = implicit->ownFactor };
	memcpy( system.work, implicit->work, sizeof( system.work ) );
	if ( implicit->usesModes ) system.modes = &implicit->modes;
	return system;
}

// b from its elastic part, see implicit.h. With M' = ( 1 + a_M h ) M the terms in D are -M' D.
static void CompleteRhs(
	gelBody* body, const gelStepContext* ctx, const gelLinearSystem* system, bool isFirst )
{
	GEL_ASSERT( system->body == body && system->count % 8 == 0 );
	gelImplicit* implicit = gelGetImplicit( body );
	const gelPackMass* masses = body->asset->pack.masses;
	float h = ctx->h, damping = implicit->def.stiffnessDamping;
	bool hasInertia = !implicit->def.isQuasiStatic;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		float m = masses[i].mass;
		gelVec3 b = gelMulAdd( gelXyz( implicit->rhs[i] ), h * h * m, ctx->gravity );
		b = gelMulAdd( b, h * h, body->forces[i] );
		if ( hasInertia )
		{
			b = gelMulAdd( b, h * m, body->v[i] );
			b = gelMulAdd( b, -implicit->masses[i], gelXyz( implicit->moved[i] ) );
		}
		implicit->rhs[i] = gelMakeVec4( b, 0.0f );
	}
	gelConstraintRows_AddSoftForces( body, body->x, implicit->rhs );
	if ( isFirst || !hasInertia || damping <= 0.0f ) return;
	// the kernels multiply by ( h b_K + h^2 ) K
	gelVec4* product = implicit->work[0];
	memset( product, 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	gelMultiplyStiffness( body->simd, &system->stiffness, implicit->moved, product );
	gelGetVectorKernels( body->simd )
		->combine( 1.0f, implicit->rhs, -damping / ( damping + h ), product, 0.0f, product,
			implicit->vectorCount, implicit->rhs );
}

// The norm that tolerances are relative to: that of b as an observer sees it who moves with the body. |b|
// itself grows with the speed of the body, and at 1000 m/s a tolerance of 1e-3 would not even see gravity.
static double GetReference( gelBody* body, float h, bool isFirst )
{
	GEL_ASSERT( h > 0.0f );
	const gelImplicit* implicit = gelGetImplicit( body );
	const gelPackMass* masses = body->asset->pack.masses;
	double momentum[3] = { 0.0, 0.0, 0.0 }, mass = 0.0, sum = 0.0;
	int n = body->asset->nodeCount;
	for ( int i = 0; i < n && isFirst && !implicit->def.isQuasiStatic; ++i )
	{
		double m = masses[i].mass;
		mass += m;
		momentum[0] += m * ( h * body->v[i].x - implicit->moved[i].x );
		momentum[1] += m * ( h * body->v[i].y - implicit->moved[i].y );
		momentum[2] += m * ( h * body->v[i].z - implicit->moved[i].z );
	}
	for ( int k = 0; k < 3 && mass > 0.0; ++k )
		momentum[k] /= mass;
	for ( int i = 0; i < n; ++i )
	{
		if ( body->invMasses[i] == 0.0f ) continue;
		double m = masses[i].mass;
		double x = implicit->rhs[i].x - m * momentum[0], y = implicit->rhs[i].y - m * momentum[1];
		double z = implicit->rhs[i].z - m * momentum[2];
		sum += x * x + y * y + z * z;
	}
	return sqrt( sum );
}

static void UpdatePreconditioner( gelBody* body, const gelLinearSystem* system )
{
	GEL_ASSERT( system->body == body );
	gelImplicit* implicit = gelGetImplicit( body );
	int n = body->asset->nodeCount;
	if ( system->ownFactor || system->preconditioner != gel_preconditionBlocks ) return;
	memset( implicit->sums, 0, 2 * ( (size_t)n + 1 ) * sizeof( gelVec4 ) );
	gelGetImplicitKernels( body->simd )->addDiagonal( &system->stiffness, implicit->sums );
	gelSym3* soft = implicit->hasConstraints ? implicit->softBlocks : NULL;
	if ( soft ) memset( soft, 0, (size_t)n * sizeof( gelSym3 ) );
	if ( soft ) gelConstraintRows_AddSoftBlocks( body, soft );
	gelInvertNodeBlocks( implicit->masses, body->invMasses, implicit->sums, soft, n, implicit->vectorCount,
		implicit->inverses );
}

// d_0: as if nothing happened in the first iteration, pinned nodes at their targets. A body that starts where
// it would be if it were rigid is there already; the rest of h v^n would be the tangent that it left.
static void StartChange( gelBody* body, float h, bool isFirst )
{
	GEL_ASSERT( h > 0.0f );
	gelImplicit* implicit = gelGetImplicit( body );
	memset( implicit->change, 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	bool usesVelocity = isFirst && !implicit->def.isQuasiStatic && !implicit->isMoved;
	for ( int i = 0; i < body->asset->nodeCount && usesVelocity; ++i )
		implicit->change[i] = gelMakeVec4( gelScale( h, body->v[i] ), 0.0f );
	for ( int k = 0; k < body->pinCount && isFirst; ++k )
	{
		uint32_t i = body->pins[k];
		gelVec3 step = gelSub( body->pinTargets[k], body->xOld[i] );
		implicit->change[i] = gelMakeVec4( gelSub( step, gelXyz( implicit->moved[i] ) ), 0.0f );
	}
	gelConstraintRows_Prescribe( body, body->x, implicit->change );
}

// r -= A d: what constraints and pins have to hold against.
static void SubtractProduct( const gelLinearSystem* system, const gelVec4* d, gelVec4* r )
{
	gelVec4* product = system->work[0];
	gelMultiplySystem( system, d, product );
	gelGetVectorKernels( system->body->simd )
		->combine( 1.0f, r, -1.0f, product, 0.0f, product, system->count, r );
}

// A factor of its own knows nothing of constraints: each of their rows takes a direction of its own.
static int GetIterationLimit( const gelBody* body )
{
	const gelImplicit* implicit = gelGetImplicit( body );
	int rows = implicit->ownFactor && implicit->hasConstraints ? body->constraints->rowCount : 0;
	return implicit->def.linearIterations + ( rows < GEL_MAX_ROW_ITERATIONS ? rows : GEL_MAX_ROW_ITERATIONS );
}

void gelImplicit_SolveNewton( gelBody* body, const gelStepContext* ctx, bool isFirst, bool isRepeated )
{
	GEL_ASSERT( ctx->h > 0.0f );
	gelImplicit* implicit = gelGetImplicit( body );
	if ( isFirst && !isRepeated ) UpdatePlastic( body, ctx->h );
	const gelImplicitFactor* ownFactor = implicit->ownFactor;
	if ( isFirst && ownFactor ) ownFactor->refresh( body, ctx->h, GetStiffnessScale( implicit, ctx->h ) );
	gelLinearSystem system = MakeSystem( body );
	CompleteRhs( body, ctx, &system, isFirst );
	double reference = GetReference( body, ctx->h, isFirst );
	implicit->newtonResiduals[1] = (float)reference;
	if ( isFirst ) implicit->newtonResiduals[0] = (float)reference;
	UpdatePreconditioner( body, &system );
	if ( implicit->usesModes )
	{
		gelRigidModes_Find( &implicit->modes, &system, body->x );
		gelRigidModes_Factor( &implicit->modes, &system );
	}
	StartChange( body, ctx->h, isFirst );
	size_t bytes = (size_t)implicit->vectorCount * sizeof( gelVec4 );
	if ( implicit->hasConstraints ) memcpy( implicit->u, implicit->rhs, bytes );
	int limit = GetIterationLimit( body );
	system.minIterations = ownFactor ? limit : 0;
	if ( ownFactor ) limit += GEL_EXTRA_ITERATIONS;
	gelLinearResult result = implicit->solve(
		&system, limit, implicit->def.tolerance, reference, implicit->rhs, implicit->change );
	implicit->linearIterations += result.iterations;
	implicit->linearResidual = (float)result.residual;
	if ( ownFactor ) ownFactor->judge( body, (float)result.residual );
	if ( implicit->hasConstraints ) SubtractProduct( &system, implicit->change, implicit->u );
	gelGetVectorKernels( body->simd )
		->combine( 1.0f, implicit->moved, 1.0f, implicit->change, 0.0f, implicit->change,
			implicit->vectorCount, implicit->moved );
	gelImplicit_UpdatePositions( body );
}

static void Iterate( gelBody* body, const gelStepContext* ctx, bool isFirst )
{
	gelImplicit* implicit = gelGetImplicit( body );
	gelImplicit_UpdateDisplacements( body, implicit->u );
	gelImplicit_UpdateElements( body, ctx->h, implicit->variant.differential, implicit->u, body->q );
	gelImplicit_SolveNewton( body, ctx, isFirst, false );
}

void gelImplicit_ResetMethods( gelImplicit* implicit )
{
	implicit->rotation = gelDefaultRotationParams();
	implicit->keepsWitnesses = true;
	implicit->updateElements = UpdateElements;
	implicit->iterate = Iterate;
	implicit->solve = gelSolveSystem;
}

void gelImplicit_Respond( gelBody* body, gelVec3* s )
{
	GEL_ASSERT( body->rowNodes != NULL && s != NULL );
	gelImplicit* implicit = gelGetImplicit( body );
	gelLinearSystem system = MakeSystem( body );
	if ( system.isFree ) system.modes = NULL; // contact_response.h has the turn; a third less time
	memset( implicit->rhs, 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	memset( implicit->change, 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	for ( uint32_t row = 0; row < body->rowCount; ++row )
		implicit->rhs[body->rowNodes[row]] = gelMakeVec4( s[row], 0.0f );
	double reference = gelGetNorm( &system, implicit->rhs );
	bool hasFactor = implicit->ownFactor || implicit->def.preconditioner == gel_preconditionFactor;
	int limit = hasFactor ? 1 : implicit->def.linearIterations;
	gelSolveSystem( &system, limit, GEL_RESPONSE_TOLERANCE, reference, implicit->rhs, implicit->change );
	for ( uint32_t row = 0; row < body->rowCount; ++row )
		s[row] = gelXyz( implicit->change[body->rowNodes[row]] );
}

// Velocities from D and what the ground added to it, not from x - x^n, which has lost the digits of small
// steps.
static void UpdateVelocities( gelBody* body, float h, bool wasMoved )
{
	GEL_ASSERT( h > 0.0f );
	const gelImplicit* implicit = gelGetImplicit( body );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 moved = wasMoved ? gelSub( body->x[i], body->xOld[i] ) : gelXyz( implicit->moved[i] );
		body->v[i] = gelScale( 1.0f / h, moved );
	}
}

void gelEndImplicitStep( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->h > 0.0f );
	const gelImplicit* implicit = gelGetImplicit( body );
	memset( body->forces, 0, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	if ( gelNodeBody_IsUsable( body ) )
	{
		UpdateVelocities( body, ctx->h, gelBody_IsInContact( body ) );
		gelConstraintRows_RemoveDrift( body, ctx->h, body->v );
	}
	else
		gelNodeBody_PutBack( body );
	if ( implicit->hasConstraints ) gelConstraintRows_Finish( body, ctx->h, body->x, implicit->u );
	gelImplicit_UpdateWitnesses( body );
}

void gelStepImplicit( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( ctx->h > 0.0f && !body->isAsleep );
	gelImplicit* implicit = gelGetImplicit( body );
	BeginStep( body, ctx );
	bool hasInertia = !implicit->def.isQuasiStatic;
	bool isFree = gelImplicit_IsFree( body ) && hasInertia;
	implicit->isMoved = implicit->def.enableRigidModes && hasInertia && gelStartRigid( body, ctx );
	for ( int k = 0; k < implicit->def.newtonIterations; ++k )
		implicit->iterate( body, ctx, k == 0 );
	if ( implicit->ownFactor ) implicit->ownFactor->finish( body );
	if ( isFree ) gelKeepMomentum( body, ctx );
	gelImplicit_UpdatePositions( body );
	for ( int k = 0; k < body->pinCount; ++k )
		body->x[body->pins[k]] = body->pinTargets[k];
}

float gelImplicit_GetNodeMass( const gelBody* body, uint32_t node )
{
	GEL_ASSERT( node < (uint32_t)body->asset->nodeCount );
	return gelGetImplicit( body )->masses[node];
}
