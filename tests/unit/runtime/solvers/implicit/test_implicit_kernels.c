// SPDX-License-Identifier: MIT
// Twins of the implicit solver: the wide kernels of every instruction set against the scalar reference, bit
// by bit, on ordinary, inverted, collapsed and huge input; and whole scenes, which end in the same state
// whatever the instruction set is.
#include "node_mess.h"

#include "asset/blocks.h"
#include "implicit_ref.h"
#include "solvers/experiments/experiments.h"
#include "solvers/experiments/twist_tensor.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a pass has besides its nodes.
typedef enum Extra
{
	extraNone,
	extraWitnesses,
	extraPlastic,
	extraQr,
	extraCount
} Extra;

// Inputs and outputs of one pass.
typedef struct Setup
{
	const gelAsset* asset;
	gelImplicitPass pass;
	gelVec4 *u, *x, *product, *diagonal;
	uint8_t* witnesses;
	gelStrainBlock* plastic;
	gelQrBlock* qr; // NULL: polar frames
	size_t slots, nodes;
} Setup;

static void AddExtra( Setup* setup, Extra extra, gelRandom* random )
{
	if ( extra == extraWitnesses )
	{
		for ( size_t i = 0; i < setup->slots; ++i )
		{
			bool isUsed = i % 5 == 0 && setup->asset->slotTets[i] != GEL_NO_TET;
			setup->witnesses[i] = isUsed ? (uint8_t)( 1 + i % 7 ) : 0;
		}
		setup->pass.witnesses = setup->witnesses;
		setup->pass.degenerateBelow = 0.1f;
	}
	if ( extra == extraPlastic )
	{
		for ( size_t i = 0; i < 6 * setup->slots; ++i )
			setup->plastic[i / 48].e[i % 48 / 8][i % 8] = (float)gelRandom_Uniform( random, -0.1, 0.1 );
		setup->pass.plastic = setup->plastic;
		setup->pass.strains = gelTestAlloc( setup->slots / 8, sizeof( gelStrainBlock ) );
	}
	if ( extra == extraQr )
	{
		setup->qr = gelTestAlloc( setup->slots / 8, sizeof( gelQrBlock ) );
		gelFillQrBlocks( setup->asset, setup->qr, setup->pass.blocks );
	}
}

static Setup MakeSetup( const gelStage* stage, Mess mess, gelDifferential differential, Extra extra )
{
	const gelAsset* asset = stage->asset;
	Setup setup = { .asset = asset,
		.slots = GEL_BLOCK_LANES * (size_t)asset->blockCount,
		.nodes = (size_t)asset->nodeCount + 1 };
	gelRandom random = { 500 + (uint64_t)mess };
	setup.u = gelTestAlloc( setup.nodes, sizeof( gelVec4 ) );
	setup.x = gelTestAlloc( setup.nodes, sizeof( gelVec4 ) );
	setup.product = gelTestAlloc( setup.nodes, sizeof( gelVec4 ) );
	setup.diagonal = gelTestAlloc( 2 * setup.nodes, sizeof( gelVec4 ) );
	setup.witnesses = gelTestAlloc( setup.slots, 1 );
	setup.plastic = gelTestAlloc( (size_t)asset->blockCount, sizeof( gelStrainBlock ) );
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		gelVec3 x = MakeMess( mess, stage->rest[i], 1e4f, &random );
		setup.u[i] = gelMakeVec4( gelSub( x, stage->rest[i] ), 0.0f );
		setup.x[i] = ( gelVec4 ){ (float)gelRandom_Normal( &random ), (float)gelRandom_Normal( &random ),
			(float)gelRandom_Normal( &random ), 0.0f };
	}
	gelQuat* q = gelTestAlloc( setup.slots, sizeof( gelQuat ) );
	for ( size_t i = 0; i < setup.slots; ++i )
		q[i] = i % 3 == 0 ? gelRandomQuat( &random ) : gelIdentityQuat();
	setup.pass = ( gelImplicitPass ){ .elements = asset->elements,
		.lambdaVolumes = asset->lambdaVolumes,
		.blockCount = asset->blockCount,
		.u = setup.u,
		.forceScale = 0.5f,
		.stiffnessScale = 0.75f,
		.differential = differential,
		.polarSteps = 2,
		.q = q,
		.blocks = gelTestAlloc( (size_t)asset->blockCount, sizeof( gelStiffnessBlock ) ),
		.forces = gelTestAlloc( setup.nodes, sizeof( gelVec4 ) ) };
	if ( extra != extraQr && gelHasTwistTensor( differential ) )
		setup.pass.twists = gelTestAlloc( (size_t)asset->blockCount, sizeof( gelTwistBlock ) );
	setup.pass.findTwist = gelFindVariantTwist;
	setup.pass.leftLanes = gelTestAlloc( (size_t)asset->blockCount, 1 );
	for ( int i = 0; i < asset->blockCount; ++i )
		memcpy( setup.pass.blocks[i].node, asset->elements[i].node, sizeof( asset->elements[i].node ) );
	AddExtra( &setup, extra, &random );
	return setup;
}

static void FreeSetup( Setup* setup )
{
	void* blocks[] = { setup->u, setup->x, setup->product, setup->diagonal, setup->witnesses, setup->plastic,
		setup->qr, setup->pass.q, setup->pass.blocks, setup->pass.forces, setup->pass.leftLanes,
		setup->pass.strains, setup->pass.twists };
	for ( size_t i = 0; i < sizeof( blocks ) / sizeof( blocks[0] ); ++i )
		free( blocks[i] );
}

// +0 and -0 are the same number.
static void AssertSame( const void* a, const void* b, size_t bytes )
{
	const float *x = a, *y = b;
	for ( size_t i = 0; i < bytes / sizeof( float ); ++i )
	{
		if ( x[i] != y[i] ) print_error( "%zu: %.9g %.9g\n", i, (double)x[i], (double)y[i] );
		assert_true( x[i] == y[i] );
	}
}

// The loop of the solver, where it has one for the differential, or that of experiments.
static bool UpdateWide( const gelImplicitPass* pass, gelSimdLevel level, bool isVariant )
{
	bool isNormal = pass->differential == gel_differentialX || pass->differential == gel_differentialTwo;
	return isNormal && !isVariant ? gelGetImplicitKernels( level )->updateImplicit( pass )
								  : gelGetVariantKernels( level )->updateVariant( pass );
}

// @param level gel_simdAutomatic: the reference
static bool Update( Setup* setup, gelSimdLevel level, bool isVariant )
{
	const gelImplicitPass* pass = &setup->pass;
	if ( setup->qr )
	{
		if ( level )
			gelGetVariantKernels( level )->updateQr( pass, setup->qr );
		else
			gelUpdateQr_Ref( pass, setup->qr );
		gelUpdateLeftQr( pass, setup->qr );
		return true;
	}
	bool isUsable = level ? UpdateWide( pass, level, isVariant ) : gelUpdateImplicit_Ref( pass );
	gelRotationParams params = gelDefaultRotationParams();
	if ( pass->witnesses ) gelUpdateLeftLanes( pass, &params, setup->asset, setup->witnesses );
	return isUsable;
}

static void CompareOutputs( const Setup* wide, const Setup* reference )
{
	AssertSame( wide->pass.q, reference->pass.q, wide->slots * sizeof( gelQuat ) );
	AssertSame( wide->pass.forces, reference->pass.forces, wide->nodes * sizeof( gelVec4 ) );
	size_t blockCount = (size_t)wide->pass.blockCount;
	if ( wide->pass.strains )
		AssertSame( wide->pass.strains, reference->pass.strains, blockCount * sizeof( gelStrainBlock ) );
	assert_memory_equal( wide->pass.leftLanes, reference->pass.leftLanes, blockCount );
	for ( size_t i = 0; i < blockCount; ++i )
	{
		const gelStiffnessBlock *a = wide->pass.blocks + i, *b = reference->pass.blocks + i;
		AssertSame( a->gradient, b->gradient, sizeof( a->gradient ) );
		AssertSame( a->a, b->a, 3 * sizeof( a->a ) );
	}
	if ( wide->pass.twists )
		AssertSame( wide->pass.twists, reference->pass.twists, blockCount * sizeof( gelTwistBlock ) );
}

// @param isVariant with the loop of experiments, even where the solver has one
static void ComparePass( const gelStage* stage, Mess mess, gelDifferential differential, Extra extra,
	gelSimdLevel level, bool isVariant )
{
	if ( gelFindSimdLevel( level ) != level ) return;
	const gelImplicitKernels* kernels = gelGetImplicitKernels( level );
	Setup wide = MakeSetup( stage, mess, differential, extra );
	Setup reference = MakeSetup( stage, mess, differential, extra );
	for ( int iteration = 0; iteration < 2; ++iteration )
		assert_true( Update( &wide, level, isVariant ) == Update( &reference, gel_simdAutomatic, false ) );
	CompareOutputs( &wide, &reference );
	gelTwistBlock* twists = wide.pass.twists;
	gelStiffness k = { wide.pass.blocks, wide.pass.blockCount, twists,
		twists ? gelGetVariantKernels( level )->multiplyTwisted : NULL };
	gelMultiplyStiffness( level, &k, wide.x, wide.product );
	gelMultiplyStiffness_Ref( &k, reference.x, reference.product );
	AssertSame( wide.product, reference.product, wide.nodes * sizeof( gelVec4 ) );
	gelVec4 padding = wide.product[wide.nodes - 1];
	assert_true( padding.x == 0.0f && padding.y == 0.0f && padding.z == 0.0f && padding.w == 0.0f );
	kernels->addDiagonal( &k, wide.diagonal );
	gelAddDiagonal_Ref( &k, reference.diagonal );
	AssertSame( wide.diagonal, reference.diagonal, 2 * wide.nodes * sizeof( gelVec4 ) );

	uint8_t lanes[64];
	assert_true( wide.pass.blockCount <= 64 );
	kernels->findFlat( wide.pass.elements, wide.pass.blockCount, wide.u, 0.1f, lanes );
	for ( size_t i = 0; i < wide.slots; ++i )
	{
		gelMat3 F = gelGetSlotDeformation( wide.pass.elements + i / 8, (int)i % 8, wide.u );
		assert_int_equal( lanes[i / 8] >> i % 8 & 1, !( gelDeterminant( F ) > 0.1f ) );
	}
	FreeSetup( &wide );
	FreeSetup( &reference );
}

static void TestElementTwins( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.cells[2] = 2; // 90 tets: some slots are empty
	def.poissonsRatio = 0.4;
	gelStage stage = gelMakeStage( &def );
	for ( int level = 0; level < levelCount; ++level )
	{
		for ( int mess = 0; mess < messCount; ++mess )
		{
			for ( int d = gel_differentialX; d <= gel_differentialExact; ++d )
			{
				ComparePass( &stage, (Mess)mess, (gelDifferential)d, extraNone, s_levels[level], false );
				ComparePass( &stage, (Mess)mess, (gelDifferential)d, extraNone, s_levels[level], true );
			}
			for ( int extra = extraWitnesses; extra < extraCount; ++extra )
			{
				ComparePass( &stage, (Mess)mess, gel_differentialX, (Extra)extra, s_levels[level], false );
				ComparePass( &stage, (Mess)mess, gel_differentialC, (Extra)extra, s_levels[level], true );
			}
		}
	}
	gelFreeStage( &stage );
}

// The order of the additions, spelled out.
static double Dot_Ref( const gelVec4* a, const gelVec4* b, int count )
{
	const float *x = &a->x, *y = &b->x;
	double f[8] = { 0.0 };
	for ( int i = 0; i < 4 * count; ++i )
		f[i % 8] += (double)x[i] * (double)y[i];
	return ( ( f[0] + f[4] ) + ( f[1] + f[5] ) ) + ( ( f[2] + f[6] ) + ( f[3] + f[7] ) );
}

enum
{
	vectorNodes = 24
};

static void FillVector( gelRandom* random, gelVec4* out )
{
	for ( int i = 0; i < vectorNodes; ++i )
		out[i] = ( gelVec4 ){ (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ),
			(float)gelRandom_Normal( random ), 0.0f };
}

static void CheckVectors( const gelVectorKernels* vectors )
{
	gelRandom random = { 77 };
	_Alignas( 64 ) gelVec4 a[vectorNodes], b[vectorNodes], c[vectorNodes], d[vectorNodes];
	_Alignas( 64 ) gelVec4 e[vectorNodes], start[vectorNodes];
	float masses[vectorNodes];
	gelVec4* all[] = { a, b, c, d };
	for ( int i = 0; i < 4; ++i )
		FillVector( &random, all[i] );
	memcpy( start, c, sizeof( c ) );
	assert_true( vectors->dot( a, b, vectorNodes ) == Dot_Ref( a, b, vectorNodes ) );
	double square = vectors->advance( 0.3f, a, b, vectorNodes, d, c );
	assert_true( square == Dot_Ref( c, c, vectorNodes ) );
	for ( int i = 0; i < vectorNodes; ++i )
	{
		masses[i] = (float)gelRandom_Uniform( &random, 0.1, 1.0 );
		assert_true( c[i].y == start[i].y - 0.3f * b[i].y );
	}
	vectors->combine( 2.0f, a, -3.0f, b, 0.5f, c, vectorNodes, e );
	for ( int i = 0; i < vectorNodes; ++i )
		assert_true( e[i].z == ( 2.0f * a[i].z + -3.0f * b[i].z ) + 0.5f * c[i].z );
	memcpy( start, e, sizeof( e ) );
	vectors->turn( a, 0.7f, vectorNodes, e );
	for ( int i = 0; i < vectorNodes; ++i )
		assert_true( e[i].x == a[i].x + 0.7f * start[i].x );
	vectors->multiplyMasses( masses, a, vectorNodes, e );
	for ( int i = 0; i < vectorNodes; ++i )
		assert_true( e[i].x == masses[i] * a[i].x && e[i].z == masses[i] * a[i].z );
}

static void CheckNodeBlocks( const gelVectorKernels* vectors )
{
	gelRandom random = { 78 };
	_Alignas( 64 ) gelVec4 r[vectorNodes], z[vectorNodes];
	gelNodeBlock blocks[vectorNodes / 8];
	FillVector( &random, r );
	for ( int i = 0; i < vectorNodes / 8; ++i )
		for ( int k = 0; k < 48; ++k )
			blocks[i].m[k / 8][k % 8] = (float)gelRandom_Normal( &random );
	double product = vectors->multiplyBlocks( blocks, r, vectorNodes, z ), expected = 0.0;
	for ( int i = 0; i < vectorNodes; ++i )
	{
		float m[6];
		for ( int k = 0; k < 6; ++k )
			m[k] = blocks[i / 8].m[k][i % 8];
		gelSym3 block = { m[0], m[1], m[2], m[3], m[4], m[5] };
		gelVec3 wanted = gelMulSymV( block, gelXyz( r[i] ) );
		assert_true( z[i].x == wanted.x && z[i].y == wanted.y && z[i].z == wanted.z && z[i].w == 0.0f );
		expected += (double)gelDot( wanted, gelXyz( r[i] ) );
	}
	assert_true( fabs( product - expected ) < 1e-5 * fabs( expected ) + 1e-5 );
}

static void TestVectorTwins( void** state )
{
	(void)state;
	for ( int level = 0; level < levelCount; ++level )
	{
		if ( gelFindSimdLevel( s_levels[level] ) != s_levels[level] ) continue;
		CheckVectors( gelGetVectorKernels( s_levels[level] ) );
		CheckNodeBlocks( gelGetVectorKernels( s_levels[level] ) );
	}
}

// A scene with all of it: shaken, pinned, with ground, under every instruction set.
static uint64_t RunScene( gelSimdLevel level, gelImplicitDef settings )
{
	gelStageDef def = gelDefaultStageDef();
	def.world.simd = level;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.world.hasGround = true;
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.body.solver.implicit = settings;
	def.body.transform.position = ( gelVec3 ){ 0.0f, 0.1f, 0.0f };
	def.body.angularVelocity = ( gelVec3 ){ 1.0f, 2.0f, -3.0f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 40 );
	uint64_t hash = gelBody_HashState( stage.body );
	gelFreeStage( &stage );
	return hash;
}

static void TestSceneTwins( void** state )
{
	(void)state;
	gelImplicitDef settings = gelDefaultSolverDef( gel_solverImplicit ).implicit;
	for ( int variant = 0; variant < 3; ++variant )
	{
		settings.newtonIterations = 1 + variant;
		gelImplicitVariant exact = gelDefaultImplicitVariant();
		exact.differential = gel_differentialExact;
		exact.linearSolver = gel_linearMinres;
		settings.variant = variant == 2 ? &exact : NULL;
		settings.stiffnessDamping = variant == 1 ? 0.001f : 0.0f;
		uint64_t expected = RunScene( gel_simdScalar, settings );
		for ( int level = 1; level < levelCount; ++level )
		{
			if ( gelFindSimdLevel( s_levels[level] ) != s_levels[level] ) continue;
			assert_true( RunScene( s_levels[level], settings ) == expected );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestElementTwins ),
		cmocka_unit_test( TestVectorTwins ),
		cmocka_unit_test( TestSceneTwins ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
