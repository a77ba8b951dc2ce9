// SPDX-License-Identifier: MIT
// Twins: the wide kernels of every instruction set against the scalar reference, bit by bit, on ordinary,
// inverted, collapsed and huge input; and whole scenes, which end in the same state whatever the instruction
// set is.
#include "node_mess.h"

#include "elements_ref.h"
#include "solvers/fast/fast_kernels.h"
#include "math/polar.h"
#include "simd/node_kernels.h"
#include "stage.h"
#include "simd/supernodal_solve.h"
#include "volume_ref.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelVec4* ToDisplacements( const gelAsset* asset, const gelVec3* x )
{
	gelVec4* u = gelTestAlloc( (size_t)asset->nodeCount + 1, sizeof( gelVec4 ) );
	for ( int i = 0; i < asset->nodeCount; ++i )
		u[i] = gelMakeVec4( gelSub( x[i], gelGetRestNode( asset->pack.nodes, (uint32_t)i ) ), 0.0f );
	return u;
}

static void AssertSameNodes( const gelVec4* wide, const gelVec3* reference, int count )
{
	for ( int i = 0; i < count; ++i )
		assert_memory_equal( wide + i, reference + i, sizeof( gelVec3 ) );
}

// Element loop with the rotations of one shape and the F of another, as in a second pass.
static void CompareElements( const gelStage* stage, Mess mess, gelSimdLevel level, bool secondPass )
{
	if ( gelFindSimdLevel( level ) != level ) return;
	const gelAsset* asset = stage->asset;
	size_t n = (size_t)asset->nodeCount, t = GEL_BLOCK_LANES * (size_t)asset->blockCount;
	gelRandom random = { 100 + (uint64_t)mess };
	gelVec3 *x = gelTestAlloc( n, sizeof( gelVec3 ) ), *xTilde = gelTestAlloc( n, sizeof( gelVec3 ) );
	gelVec3 *corners = gelTestAlloc( 4 * t, sizeof( gelVec3 ) ), *rhs = gelTestAlloc( n, sizeof( gelVec3 ) );
	gelQuat* q = gelTestAlloc( t, sizeof( gelQuat ) );
	gelQuat* qWide = gelTestAlloc( t, sizeof( gelQuat ) );
	gelVec4* rhsWide = gelTestAlloc( n + 1, sizeof( gelVec4 ) );
	for ( size_t i = 0; i < n; ++i )
	{
		x[i] = MakeMess( mess, stage->rest[i], 1e6f, &random );
		xTilde[i] = secondPass ? MakeMess( messSmall, stage->rest[i], 1e6f, &random ) : x[i];
	}
	for ( size_t i = 0; i < t; ++i )
		q[i] = qWide[i] = i % 3 == 0 ? gelRandomQuat( &random ) : gelIdentityQuat();
	gelVec4 *u = ToDisplacements( asset, x ), *uTilde = secondPass ? ToDisplacements( asset, xTilde ) : u;

	for ( int iteration = 0; iteration < 3; ++iteration )
	{
		gelUpdateRotations_Ref( asset, x, q );
		gelComputeCorners_Ref( asset, xTilde, q, stage->step, corners );
		gelAddCorners_Ref( asset, corners, rhs );
		memset( rhsWide, 0, ( n + 1 ) * sizeof( gelVec4 ) );
		gelGetElementKernels( level )->updateElements(
			asset->elements, asset->blockCount, u, uTilde, stage->step, qWide, rhsWide );
		for ( size_t i = 0; i < t; ++i )
		{
			if ( asset->slotTets[i] != GEL_PACK_NO_TET )
				assert_memory_equal( q + i, qWide + i, sizeof( gelQuat ) );
		}
		AssertSameNodes( rhsWide, rhs, (int)n );
	}
	void* blocks[] = { x, xTilde, corners, rhs, q, qWide, rhsWide, u, uTilde != u ? uTilde : NULL };
	for ( size_t i = 0; i < sizeof( blocks ) / sizeof( blocks[0] ); ++i )
		free( blocks[i] );
}

static void TestElementsAreTheReference( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	for ( int level = 0; level < levelCount; ++level )
	{
		for ( int mess = 0; mess < messCount; ++mess )
		{
			CompareElements( &stage, (Mess)mess, s_levels[level], false );
			CompareElements( &stage, (Mess)mess, s_levels[level], true );
		}
	}
	gelFreeStage( &stage );
}

static void CompareVolume( const gelStage* stage, Mess mess, gelSimdLevel level )
{
	if ( gelFindSimdLevel( level ) != level ) return;
	const gelAsset* asset = stage->asset;
	const gelBody* body = gelGetBody( stage->body );
	size_t n = (size_t)asset->nodeCount, slots = GEL_BLOCK_LANES * (size_t)asset->blockCount;
	gelRandom random = { 200 + (uint64_t)mess };
	gelVec3* x = gelTestAlloc( n, sizeof( gelVec3 ) );
	gelVec4* wide = gelTestAlloc( n + 1, sizeof( gelVec4 ) );
	float *kappa = gelTestAlloc( slots, sizeof( float ) ),
		  *kappaWide = gelTestAlloc( slots, sizeof( float ) );
	for ( size_t i = 0; i < n; ++i )
	{
		x[i] = MakeMess( mess, stage->rest[i], 1e6f, &random );
		wide[i] = gelMakeVec4( x[i], body->invMasses[i] );
	}
	gelSolveVolume_Ref( asset, body->invMasses, stage->step, 3, kappa, x );
	for ( int sweep = 0; sweep < 3; ++sweep )
	{
		gelGetVolumeKernels( level )->sweep(
			asset->volumes, asset->blockCount, stage->step, kappaWide, wide );
	}
	AssertSameNodes( wide, x, (int)n );
	for ( size_t i = 0; i < slots; ++i )
	{
		if ( asset->slotTets[i] != GEL_PACK_NO_TET )
			assert_memory_equal( kappa + i, kappaWide + i, sizeof( float ) );
	}
	assert_true( wide[n].x == 0.0f && wide[n].y == 0.0f && wide[n].z == 0.0f && wide[n].w == 0.0f );
	free( x );
	free( wide );
	free( kappa );
	free( kappaWide );
}

static void TestVolumeIsTheReference( void** state )
{
	(void)state;
	for ( int pinned = 0; pinned < 2; ++pinned )
	{
		gelStageDef def = gelDefaultStageDef();
		def.poissonsRatio = 0.45;
		def.pinLeft = pinned == 1;
		gelStage stage = gelMakeStage( &def );
		for ( int level = 0; level < levelCount; ++level )
		{
			for ( int mess = 0; mess < messCount; ++mess )
				CompareVolume( &stage, (Mess)mess, s_levels[level] );
		}
		gelFreeStage( &stage );
	}
}

// Three bodies solved together get what each gets alone, and that is the reference.
static void CompareSolve( const gelStage* stage, uint64_t pinSet, gelSimdLevel level )
{
	if ( gelFindSimdLevel( level ) != level ) return;
	gelPackFactorView factor;
	assert_true( gelAsset_FindFactor( stage->asset, stage->step, pinSet, &factor ) );
	assert_int_equal( factor.version, 2 );
	size_t n = factor.header->n;
	gelVec4* y[3];
	gelVec3* reference[3];
	float* scratch = gelTestAlloc( stage->asset->solveScratch, sizeof( float ) );
	gelRandom random = { 300 };
	for ( int k = 0; k < 3; ++k )
	{
		y[k] = gelTestAlloc( n + 1, sizeof( gelVec4 ) );
		reference[k] = gelTestAlloc( n, sizeof( gelVec3 ) );
		for ( size_t i = 0; i < n; ++i )
		{
			float scale = k == 2 ? 1e-30f : 1.0f;
			gelVec3 b = { scale * (float)gelRandom_Normal( &random ),
				scale * (float)gelRandom_Normal( &random ), i % 2 == 0 ? 0.0f : -scale };
			y[k][i] = gelMakeVec4( b, 0.0f );
			reference[k][i] = b;
		}
		gelSolveFactor_Ref( &factor, &reference[k]->x );
	}
	gelSolveFactor( level, &factor, y, 3, scratch );
	for ( int k = 0; k < 3; ++k )
	{
		AssertSameNodes( y[k], reference[k], (int)n );
		for ( size_t i = 0; i < n; ++i )
			assert_true( y[k][i].w == 0.0f );
		free( y[k] );
		free( reference[k] );
	}
	free( scratch );
}

static void TestSolveIsTheReference( void** state )
{
	(void)state;
	static const int cells[][3] = { { 1, 1, 1 }, { 4, 2, 2 }, { 7, 5, 3 }, { 12, 6, 6 } };
	for ( int i = 0; i < 4; ++i )
	{
		gelStageDef def = gelDefaultStageDef();
		memcpy( def.cells, cells[i], sizeof( def.cells ) );
		def.pinLeft = i % 2 == 1;
		gelStage stage = gelMakeStage( &def );
		uint64_t pinSet = 0;
		gelAsset_GetPinSets( stage.asset, &pinSet, 1 );
		for ( int level = 0; level < levelCount; ++level )
			CompareSolve( &stage, pinSet, s_levels[level] );
		gelFreeStage( &stage );
	}
}

// F from ordinary over singular to absurd; entries of one matrix in all orders of magnitude.
static float MakeEntry( int kind, int entry, gelRandom* random )
{
	float a = (float)gelRandom_Normal( random );
	switch ( kind )
	{
		case 0:
			return 0.1f * a + ( entry % 4 == 0 ? 1.0f : 0.0f );
		case 1:
			return a;
		case 2:
			return entry % 4 == 0 ? -1.0f : 0.0f; // a half turn and a mirror
		case 3:
			return entry < 3 ? a : 0.0f; // rank one
		case 4:
			return 0.0f;
		case 5:
			return a * ldexpf( 1.0f, (int)gelRandom_Uniform( random, -60.0, 60.0 ) );
		case 6:
			return 1e30f * a;
		default:
			return 1e-39f * a; // denormal
	}
}

static void TestPolarIsTheReference( void** state )
{
	(void)state;
	enum
	{
		blockCount = 64
	};
	float( *F )[9][GEL_BLOCK_LANES] = gelTestAlloc( blockCount, sizeof( *F ) );
	gelQuat* start = gelTestAlloc( blockCount * GEL_BLOCK_LANES, sizeof( gelQuat ) );
	gelQuat* wide = gelTestAlloc( blockCount * GEL_BLOCK_LANES, sizeof( gelQuat ) );
	gelRandom random = { 400 };
	for ( int i = 0; i < blockCount * GEL_BLOCK_LANES; ++i )
	{
		for ( int k = 0; k < 9; ++k )
			F[i / 8][k][i % 8] = MakeEntry( i % 7 == 0 ? i / 7 % 8 : i / 64, k, &random );
		start[i] = i % 2 == 0 ? gelIdentityQuat() : gelRandomQuat( &random );
	}
	for ( int level = 0; level < levelCount; ++level )
	{
		if ( gelFindSimdLevel( s_levels[level] ) != s_levels[level] ) continue;
		memcpy( wide, start, blockCount * GEL_BLOCK_LANES * sizeof( gelQuat ) );
		gelGetElementKernels( s_levels[level] )
			->polarSteps( (const float( * )[9][GEL_BLOCK_LANES])F, wide, blockCount, 4 );
		for ( int i = 0; i < blockCount * GEL_BLOCK_LANES; ++i )
		{
			float m[9];
			for ( int k = 0; k < 9; ++k )
				m[k] = F[i / 8][k][i % 8];
			gelMat3 f = { { m[0], m[1], m[2] }, { m[3], m[4], m[5] }, { m[6], m[7], m[8] } };
			gelQuat q = start[i];
			for ( int k = 0; k < 4; ++k )
				q = gelPolarStep_Ref( f, q, NULL );
			assert_memory_equal( wide + i, &q, sizeof( gelQuat ) );
		}
	}
	free( F );
	free( start );
	free( wide );
}

// Bodies that fall, spin, collide with the ground and hang from pins.
static uint64_t RunScene( gelSimdLevel level, const gelStage* stage, gelVec3* positions )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.simd = level;
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_success );
	gelBodyId bodies[4];
	uint64_t pinSet = 0;
	gelAsset_GetPinSets( stage->asset, &pinSet, 1 );
	for ( int i = 0; i < 4; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = stage->asset;
		def.transform.position = ( gelVec3 ){ 5.0f * (float)i, 0.2f * (float)i + 0.1f, 0.0f };
		def.angularVelocity = ( gelVec3 ){ 1.0f, 2.0f * (float)i, -3.0f };
		def.pinSetId = i == 3 ? pinSet : 0;
		assert_int_equal( gelCreateBody( world, &def, bodies + i ), gel_success );
	}
	uint64_t hashes[4];
	for ( int step = 0; step < 60; ++step )
	{
		if ( step == 20 ) gelBody_AddNodeForce( bodies[1], 3, ( gelVec3 ){ 100.0f, 500.0f, -300.0f } );
		assert_int_equal( gelWorld_Step( world, stage->step ), gel_success );
	}
	int vertexCount = gelBody_GetPositions( bodies[2], NULL, 0 );
	gelBody_GetPositions( bodies[2], positions, vertexCount );
	gelBody_GetNormals( bodies[2], positions + vertexCount, vertexCount );
	for ( int i = 0; i < 4; ++i )
		hashes[i] = gelBody_HashState( bodies[i] );
	gelDestroyWorld( world );
	return gelPack_Hash( hashes, sizeof( hashes ) );
}

static void TestScenesEndTheSame( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.poissonsRatio = 0.45;
	def.pinLeft = true;
	gelStage stage = gelMakeStage( &def );
	size_t count = 2 * (size_t)gelAsset_GetInfo( stage.asset ).vertexCount;
	gelVec3 *first = gelTestAlloc( count, sizeof( gelVec3 ) ),
			*other = gelTestAlloc( count, sizeof( gelVec3 ) );
	uint64_t hash = RunScene( gel_simdAutomatic, &stage, first );
	for ( int level = 0; level < levelCount; ++level )
	{
		if ( gelFindSimdLevel( s_levels[level] ) != s_levels[level] ) continue;
		assert_true( RunScene( s_levels[level], &stage, other ) == hash );
		assert_memory_equal( first, other, count * sizeof( gelVec3 ) );
	}
	free( first );
	free( other );
	gelFreeStage( &stage );
}

static void TestLevelsAreRefused( void** state )
{
	(void)state;
	gelWorldDef def = gelDefaultWorldDef();
	def.simd = (gelSimdLevel)77;
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &def, &world ), gel_errorArgument );
	bool hasSse2 = gelFindSimdLevel( gel_simdSse2 ) == gel_simdSse2;
	bool hasNeon = gelFindSimdLevel( gel_simdNeon ) == gel_simdNeon;
	assert_false( hasSse2 && hasNeon );
	def.simd = hasSse2 ? gel_simdNeon : gel_simdSse2;
	assert_int_equal( gelCreateWorld( &def, &world ), gel_errorArgument );
}

// Every number of nodes leaves another rest behind the last whole register; nothing may be written there.
static void TestNodesAreTheReference( void** state )
{
	(void)state;
	enum
	{
		most = 40
	};
	gelRandom random = { 7 };
	gelVec3 *x = gelTestAlloc( most, sizeof( gelVec3 ) ), *xOld = gelTestAlloc( most, sizeof( gelVec3 ) );
	gelVec3* v = gelTestAlloc( most + 8, sizeof( gelVec3 ) );
	for ( int i = 0; i < 3 * most; ++i )
	{
		( &x->x )[i] = (float)gelRandom_Normal( &random );
		( &xOld->x )[i] = (float)gelRandom_Normal( &random );
	}
	for ( int count = 1; count <= most; ++count )
	{
		gelVec3 low = x[0], high = x[0], outLow, outHigh;
		for ( int i = 1; i < count; ++i )
		{
			low = gelMinVec3( low, x[i] );
			high = gelMaxVec3( high, x[i] );
		}
		for ( int k = 0; k < levelCount; ++k )
		{
			if ( gelFindSimdLevel( s_levels[k] ) != s_levels[k] ) continue;
			const gelNodeKernels* kernels = gelGetNodeKernels( s_levels[k] );
			kernels->bound( x, count, &outLow, &outHigh );
			assert_memory_equal( &outLow, &low, sizeof( gelVec3 ) );
			assert_memory_equal( &outHigh, &high, sizeof( gelVec3 ) );
			memset( v, 0x7F, ( most + 8 ) * sizeof( gelVec3 ) );
			kernels->difference( x, xOld, count, 60.0f, 1.0e6f, v );
			for ( int i = 0; i < count; ++i )
			{
				gelVec3 expected = gelScale( 60.0f, gelSub( x[i], xOld[i] ) );
				assert_memory_equal( v + i, &expected, sizeof( gelVec3 ) );
			}
			for ( size_t i = 0; i < 8 * sizeof( gelVec3 ); ++i )
				assert_int_equal( ( (const uint8_t*)( v + count ) )[i], 0x7F );
			assert_true( kernels->difference( x, xOld, count, 60.0f, 1.0e6f, v ) );
			const float bad[] = { NAN, INFINITY, -1.01e6f };
			for ( int i = 0; i < 3; ++i )
			{
				float* at = &x[( 7 * i + count / 2 ) % count].x + i;
				float kept = *at;
				*at = bad[i];
				assert_false( kernels->difference( x, xOld, count, 60.0f, 1.0e6f, v ) );
				*at = kept;
			}
		}
	}
	free( x );
	free( xOld );
	free( v );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestElementsAreTheReference ),
		cmocka_unit_test( TestVolumeIsTheReference ),
		cmocka_unit_test( TestSolveIsTheReference ),
		cmocka_unit_test( TestPolarIsTheReference ),
		cmocka_unit_test( TestNodesAreTheReference ),
		cmocka_unit_test( TestScenesEndTheSame ),
		cmocka_unit_test( TestLevelsAreRefused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
