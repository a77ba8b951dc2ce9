// SPDX-License-Identifier: MIT
#include "solvers/experiments/experiments.h"

#include "solvers/experiments/rotation.h"
#include "solvers/experiments/step_energy.h"
#include "solvers/experiments/twist_tensor.h"
#include "solvers/plastic/plastic_elements.h"

// Vectors of minimal residuals, and of conjugate gradients.
enum
{
	minresVectors = 8,
	cgVectors = 3
};

static bool IsWithin( float a, float low, float high )
{
	return a >= low && a <= high; // false for NaN
}

static bool IsValid( const gelImplicitVariant* variant )
{
	return (unsigned)variant->linearSolver <= gel_linearMinres &&
		(unsigned)variant->differential <= gel_differentialExact &&
		(unsigned)variant->element <= gel_elementQr && (unsigned)variant->rotation <= gel_rotationReflect &&
		IsWithin( variant->degenerateBelow, 0.0f, 1.0f ) && IsWithin( variant->degeneratePush, 1.0f, 100.0f );
}

// | gelVariantMemory | work | twists | qr | strains | trialQ | trialMoved |
static void LayOut( gelArena* arena, const gelBodyDef* def, const gelImplicitDef* settings,
	const gelImplicitVariant* variant, gelImplicit* part )
{
	size_t count = (size_t)part->vectorCount, blocks = (size_t)def->asset->blockCount;
	gelVariantMemory* memory = gelArena_Take( arena, 1, sizeof( gelVariantMemory ) );
	gelVariantMemory own = { 0 };
	for ( int i = cgVectors; i < minresVectors && variant->linearSolver == gel_linearMinres; ++i )
		part->work[i] = gelArena_Take( arena, count, sizeof( gelVec4 ) );
	bool isQr = variant->element == gel_elementQr;
	bool hasTwists = !isQr && gelHasTwistTensor( variant->differential );
	bool isExact = !isQr && !settings->isQuasiStatic && variant->differential == gel_differentialExact;
	part->twists = gelArena_Take( arena, hasTwists ? blocks : 0, sizeof( gelTwistBlock ) );
	own.qr = gelArena_Take( arena, isQr ? blocks : 0, sizeof( gelQrBlock ) );
	if ( isExact && !gelIsPlastic( def ) )
		part->strains = gelArena_Take( arena, blocks, sizeof( gelStrainBlock ) );
	own.trialQ = gelArena_Take( arena, isExact ? GEL_BLOCK_LANES * blocks : 0, sizeof( gelQuat ) );
	own.trialMoved = gelArena_Take( arena, isExact ? count : 0, sizeof( gelVec4 ) );
	if ( memory ) *memory = own;
	part->variantMemory = memory;
}

float gelFindVariantTwist( const gelImplicitPass* pass, int slot, gelMat3 R, gelSym3 e, float mean )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * pass->blockCount );
	int lane = slot % GEL_BLOCK_LANES;
	float mu = pass->elements[slot / GEL_BLOCK_LANES].muVolume[lane], lambda = pass->lambdaVolumes[slot];
	float t = mean < 0.0f ? gelVariantTwist( pass->differential, e, mu, lambda ) : mean;
	if ( pass->twists == NULL ) return t;
	gelSym3 T = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
	if ( mean < 0.0f ) T = gelTurnSym( R, gelTwistTensor( pass->differential, e, mu, lambda, t ) );
	const float rows[6] = { T.xx, T.yy, T.zz, T.xy, T.xz, T.yz };
	for ( int k = 0; k < 6; ++k )
		pass->twists[slot / GEL_BLOCK_LANES].T[k][lane] = pass->stiffnessScale * rows[k];
	return t;
}

static bool UpdateQr( gelBody* body, const gelImplicitPass* pass )
{
	const gelQrBlock* qr = gelGetVariantMemory( body )->qr;
	gelGetVariantKernels( body->simd )->updateQr( pass, qr );
	gelUpdateLeftQr( pass, qr );
	return true;
}

// The wide loop gives the rotation of healthy elements; methods that are no polar factor leave all elements
// out.
static bool UpdateElements( gelBody* body, const gelImplicitPass* normal )
{
	gelImplicit* implicit = gelGetImplicit( body );
	gelImplicitPass pass = *normal;
	pass.findTwist = gelFindVariantTwist;
	gelRotationKind kind = implicit->variant.rotation;
	if ( kind == gel_rotationApd )
		pass.witnesses = NULL;
	else if ( !gelUsesWitness( kind ) )
		pass.degenerateBelow = INFINITY;
	bool isUsable = gelGetVariantKernels( body->simd )->updateVariant( &pass );
	if ( pass.witnesses ) gelUpdateLeftLanes( &pass, &implicit->rotation, body->asset, implicit->witnesses );
	return isUsable;
}

static void Init( gelBody* body )
{
	gelImplicit* implicit = gelGetImplicit( body );
	const gelVariantMemory* memory = gelGetVariantMemory( body );
	const gelImplicitVariant* variant = &implicit->variant;
	implicit->rotation = gelMakeRotationParams( variant );
	implicit->keepsWitnesses = memory->qr == NULL && gelUsesWitness( variant->rotation );
	implicit->updateElements = memory->qr ? UpdateQr : UpdateElements;
	if ( memory->qr ) gelFillQrBlocks( body->asset, memory->qr, implicit->blocks );
	if ( variant->linearSolver == gel_linearMinres ) implicit->solve = gelSolveMinres;
	if ( implicit->twists ) implicit->multiply = gelGetVariantKernels( body->simd )->multiplyTwisted;
	if ( memory->trialQ ) implicit->iterate = gelIterateExact;
}

static const struct gelVariantCode s_code = { IsValid, LayOut, Init };

gelImplicitVariant gelDefaultImplicitVariant( void )
{
	gelImplicitVariant variant = gelGetVariant( NULL );
	variant.code = &s_code;
	return variant;
}
