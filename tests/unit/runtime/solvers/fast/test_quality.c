// SPDX-License-Identifier: MIT
// The quality mode: the laws of its energy, statics and motion against a double reference, and bodies that
// cannot be made to diverge.
#include "test_support.h"

#include "beam_reference.h"
#include "solvers/fast/quality.h"
#include "math/polar.h"
#include "quality_ref.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// 2 x 0.5 x 0.5 m, 192 tets, 4 MPa, clamped at x = 0.
static gelStageDef MakeBeamDef( double poissonsRatio, double step )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 8, def.cells[1] = def.cells[2] = 2;
	def.size[0] = 2.0, def.size[1] = def.size[2] = 0.5;
	def.split = gel_boxSplitSix;
	def.youngsModulus = 4e6;
	def.poissonsRatio = poissonsRatio;
	def.step = step;
	def.pinLeft = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.solver.fast.mode = gel_modeQuality;
	return def;
}

static double GetSag( gelStage* stage )
{
	gelStage_Fetch( stage );
	double sum = 0.0;
	int count = 0;
	for ( int i = 0; i < stage->nodeCount; ++i )
	{
		if ( stage->rest[i].x < 1.999f ) continue;
		sum += stage->nodes[i].y - stage->rest[i].y;
		++count;
	}
	return sum / count;
}

static gelReference MakeBeamReference( const gelStage* stage, bool* isPinned )
{
	for ( int i = 0; i < stage->nodeCount; ++i )
		isPinned[i] = stage->rest[i].x == 0.0f;
	return gelMakeReference( stage->asset, isPinned, (double)-9.81f );
}

// Derivative of the energy of a tet by central differences, for random F and the rotation that belongs to it.
static void TestStressIsEnergyGradient( void** state )
{
	(void)state;
	gelRandom random = { 31 };
	const gelVec3 g[3] = { { 1.0f, 0.2f, 0.0f }, { -0.1f, 0.8f, 0.3f }, { 0.0f, 0.1f, 1.2f } };
	for ( int round = 0; round < 50; ++round )
	{
		gelVec3 x[4], f[4], unused[4];
		for ( int k = 0; k < 4; ++k )
			x[k] = gelMakeVec3( (float)gelRandom_Uniform( &random, -0.3, 0.3 ),
				(float)gelRandom_Uniform( &random, -0.3, 0.3 ),
				(float)gelRandom_Uniform( &random, -0.3, 0.3 ) );
		for ( int i = -1; i < 24; ++i ) // -1: the gradient; then each coordinate down and up
		{
			static float energies[2];
			float d = 2e-3f;
			gelVec3 moved[4] = { x[0], x[1], x[2], x[3] };
			if ( i >= 0 ) ( &moved[i / 6].x )[i / 2 % 3] += i % 2 ? d : -d;
			gelMat3 F = gelIdentity();
			for ( int k = 0; k < 3; ++k )
			{
				gelVec3 u = gelSub( moved[k + 1], moved[0] );
				F.cx = gelMulAdd( F.cx, g[k].x, u );
				F.cy = gelMulAdd( F.cy, g[k].y, u );
				F.cz = gelMulAdd( F.cz, g[k].z, u );
			}
			gelQuat q = gelPolarSolve_Ref( F, gelIdentityQuat(), 30 );
			float energy = gelDifferentiateTet_Ref( &F, q, g, 1.5f, 4.0f, i < 0 ? f : unused );
			if ( i >= 0 ) energies[i % 2] = energy;
			if ( i < 0 || i % 2 == 0 ) continue;
			double slope = ( (double)energies[1] - energies[0] ) / ( 2.0 * d );
			assert_true( fabs( slope - ( &f[i / 6].x )[i / 2 % 3] ) < 0.02 );
		}
		gelVec3 sum = gelAdd( gelAdd( f[0], f[1] ), gelAdd( f[2], f[3] ) );
		assert_true( gelLength( sum ) < 1e-5f );
	}
}

// Sag after eight seconds, with some damping so that it has come to rest, against the static solution: 5 %
// are wanted, 15 % at nu = 0.49; it is exact but for float.
static void TestSagIsStatic( void** state )
{
	(void)state;
	static const double ratios[] = { 0.0, 0.3, 0.4, 0.45, 0.49 },
						steps[] = { 0.005, 0.01, 1.0 / 60.0, 1.0 / 30.0 };
	for ( int i = 0; i < 20; ++i )
	{
		gelStageDef def = MakeBeamDef( ratios[i / 4], steps[i % 4] );
		def.damping = 2.0;
		gelStage stage = gelMakeStage( &def );
		gelStage_Step( &stage, (int)( 8.0 / def.step ) );
		bool isPinned[256];
		gelReference reference = MakeBeamReference( &stage, isPinned );
		gelReference_Settle( &reference );
		double ratio = GetSag( &stage ) / gelReference_GetSag( &reference, 1.999 );
		if ( fabs( ratio - 1.0 ) > 2e-3 )
			fail_msg( "nu %g, h %g s: sag is %.4f of the static one", ratios[i / 4], steps[i % 4], ratio );
		gelFreeReference( &reference );
		gelFreeStage( &stage );
	}
}

// Free vibration after release, over one and a half periods: the way of the tip against backward Euler that
// is solved to the end. The plain mode is off by 15 to 60 % of the sag here.
static void TestMotionIsBackwardEuler( void** state )
{
	(void)state;
	static const struct
	{
		double poissonsRatio, step, error;
	} cases[] = { { 0.0, 0.01, 0.02 }, { 0.3, 1.0 / 60.0, 0.02 }, { 0.3, 1.0 / 30.0, 0.03 },
		{ 0.4, 0.01, 0.05 }, { 0.45, 1.0 / 60.0, 0.04 }, { 0.49, 1.0 / 60.0, 0.08 } };
	for ( int c = 0; c < 6; ++c )
	{
		gelStageDef def = MakeBeamDef( cases[c].poissonsRatio, cases[c].step );
		gelStage stage = gelMakeStage( &def );
		bool isPinned[256];
		gelReference reference = MakeBeamReference( &stage, isPinned );
		double error2 = 0.0, deepest = 0.0;
		int count = (int)( 0.9 / def.step );
		for ( int i = 0; i < count; ++i )
		{
			gelStage_Step( &stage, 1 );
			gelReference_Step( &reference, (double)stage.step );
			double wanted = gelReference_GetSag( &reference, 1.999 ), away = GetSag( &stage ) - wanted;
			error2 += away * away;
			deepest = fmin( deepest, wanted );
		}
		double error = sqrt( error2 / count ) / ( 0.5 * -deepest ); // the sag is about half of the swing
		if ( error > cases[c].error )
			fail_msg( "nu %g, h %g s: off by %.3f of the sag", cases[c].poissonsRatio, cases[c].step, error );
		gelFreeReference( &reference );
		gelFreeStage( &stage );
	}
}

// A rough state of the whole stage: displacements and velocities up to these in each coordinate.
static void Shake( gelStage* stage, double size, double speed, uint64_t seed )
{
	gelRandom random = { seed };
	for ( int i = 0; i < 3 * stage->nodeCount; ++i )
	{
		( &stage->nodes->x )[i] = ( &stage->rest->x )[i] + (float)gelRandom_Uniform( &random, -size, size );
		( &stage->velocities->x )[i] = (float)gelRandom_Uniform( &random, -speed, speed );
	}
	assert_int_equal(
		gelBody_SetNodeState( stage->body, stage->nodes, stage->velocities, stage->nodeCount ), gel_success );
}

static void TestRestIsExact( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.body.solver.fast.mode = gel_modeQuality;
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 200 );
	assert_memory_equal(
		gelGetBody( stage.body )->x, stage.rest, (size_t)stage.nodeCount * sizeof( gelVec3 ) );
	gelFreeStage( &stage );
}

// A free body keeps its linear momentum to rounding, also under a force on one node.
static void TestMomentum( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.body.solver.fast.mode = gel_modeQuality;
	def.poissonsRatio = 0.45;
	gelStage stage = gelMakeStage( &def );
	Shake( &stage, 0.1, 2.0, 12 );
	gelBodyDynamics before = gelBody_GetDynamics( stage.body );
	gelStage_Step( &stage, 100 );
	gelBodyDynamics after = gelBody_GetDynamics( stage.body );
	gelVec3 change = gelSub( after.linearMomentum, before.linearMomentum );
	assert_true( gelLength( change ) < 1e-4f * before.mass * 2.0f );
	gelBody_AddNodeForce( stage.body, 3, ( gelVec3 ){ 900.0f, 0.0f, 300.0f } );
	gelStage_Step( &stage, 1 );
	change = gelSub( gelBody_GetDynamics( stage.body ).linearMomentum, after.linearMomentum );
	assert_true( fabsf( change.x - 900.0f * stage.step ) < 0.02f );
	assert_true( fabsf( change.z - 300.0f * stage.step ) < 0.02f );
	gelFreeStage( &stage );
}

static void TestFreeFall( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.body.solver.fast.mode = gel_modeQuality;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 300 );
	double h = stage.step, expected = -9.81 * h * h * 0.5 * 300 * 301;
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		assert_true( fabs( stage.nodes[i].y - stage.rest[i].y - expected ) < 1e-4 * -expected );
		assert_true( fabsf( stage.nodes[i].x - stage.rest[i].x ) < 1e-3f );
	}
	gelFreeStage( &stage );
}

static void AssertUsable( gelStage* stage )
{
	gelStage_Fetch( stage );
	for ( int i = 0; i < stage->nodeCount; ++i )
		assert_true( gelIsUsable( stage->nodes[i] ) && gelIsUsable( stage->velocities[i] ) );
	assert_int_equal( gelWorld_GetCounters( stage->world ).nonFiniteBodyCount, 0 );
}

// Mirrored (with noise), random in the bounding box, and in one point (but for 1e-4 m): no tet is left
// inverted, the mirrored body and the point find their shape again.
static void TestWildStartsRecover( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 3; ++kind )
	{
		gelStageDef def = gelDefaultStageDef();
		def.body.solver.fast.mode = gel_modeQuality;
		def.youngsModulus = 1e6;
		def.step = 0.01;
		gelStage stage = gelMakeStage( &def );
		gelRandom random = { 17 };
		for ( int i = 0; i < 3 * stage.nodeCount; ++i )
		{
			float rest = ( &stage.rest->x )[i], noise = (float)gelRandom_Uniform( &random, -1.0, 1.0 );
			float mirrored = ( i % 3 == 0 ? -rest : rest ) + 1e-3f * noise;
			( &stage.nodes->x )[i] = kind == 0 ? mirrored : kind == 1 ? 0.5f + 0.5f * noise : 1e-4f * noise;
		}
		memset( stage.velocities, 0, (size_t)stage.nodeCount * sizeof( gelVec3 ) );
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		assert_true( gelBody_GetDynamics( stage.body ).invertedTetCount > 0 );
		double start = gelBody_GetDynamics( stage.body ).elasticEnergy;
		for ( int i = 0; i < 400; ++i )
		{
			gelStage_Step( &stage, 1 );
			gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
			assert_true( dynamics.kineticEnergy + dynamics.elasticEnergy < 1.01 * start );
		}
		AssertUsable( &stage );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		assert_int_equal( dynamics.invertedTetCount, 0 );
		if ( kind != 1 ) assert_true( fabsf( dynamics.volume - 1.0f ) < 1e-3f );
		gelFreeStage( &stage );
	}
}

// All nodes in one point, then a soup, on the ground: nothing becomes NaN or flies away.
static void TestExtremes( void** state )
{
	(void)state;
	static const struct
	{
		double youngsModulus, step, poissonsRatio;
	} cases[] = { { 1e5, 1.0 / 60.0, 0.33 }, { 1e9, 1.0 / 60.0, 0.33 }, { 1e5, 0.1, 0.49 }, { 1e9, 0.1, 0.3 },
		{ 1e6, 1.0 / 30.0, 0.4999 } };
	for ( int c = 0; c < 5; ++c )
	{
		gelStageDef def = gelDefaultStageDef();
		def.body.solver.fast.mode = gel_modeQuality;
		def.youngsModulus = cases[c].youngsModulus;
		def.step = cases[c].step;
		def.poissonsRatio = cases[c].poissonsRatio;
		def.world.hasGround = true;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		gelStage_Fetch( &stage );
		for ( int i = 0; i < stage.nodeCount; ++i )
			stage.nodes[i] = gelMakeVec3( 0.5f, 0.5f, 0.5f );
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 30 );
		AssertUsable( &stage );
		gelRandom random = { 15 };
		for ( int i = 0; i < 3 * stage.nodeCount; ++i )
			( &stage.nodes->x )[i] = (float)gelRandom_Uniform( &random, 0.0, 1.0 );
		memset( stage.velocities, 0, (size_t)stage.nodeCount * sizeof( gelVec3 ) );
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 200 );
		AssertUsable( &stage );
		gelFreeStage( &stage );
	}
}

// The clamped end is torn about by metres per step; when it holds still again, the beam comes back to rest.
static void TestViolentPins( void** state )
{
	(void)state;
	for ( int c = 0; c < 2; ++c )
	{
		gelStageDef def = MakeBeamDef( c == 0 ? 0.3 : 0.49, 1.0 / 60.0 );
		def.damping = 2.0;
		gelStage stage = gelMakeStage( &def );
		gelRandom random = { 5 };
		for ( int step = 0; step < 120; ++step )
		{
			gelVec3 shift = { (float)gelRandom_Uniform( &random, -3.0, 3.0 ),
				(float)gelRandom_Uniform( &random, -3.0, 3.0 ),
				(float)gelRandom_Uniform( &random, -3.0, 3.0 ) };
			if ( step >= 60 ) shift = gelMakeVec3( 0.0f, 0.0f, 0.0f );
			for ( int i = 0; i < stage.nodeCount; ++i )
			{
				if ( stage.rest[i].x == 0.0f )
					gelBody_SetPinTarget( stage.body, i, gelAdd( stage.rest[i], shift ) );
			}
			gelStage_Step( &stage, 1 );
			AssertUsable( &stage );
		}
		gelStage_Step( &stage, 1500 );
		AssertUsable( &stage );
		for ( int i = 0; i < stage.nodeCount; ++i )
			assert_true( gelLength( stage.velocities[i] ) < 0.05f );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		assert_int_equal( dynamics.invertedTetCount, 0 );
		assert_true( fabsf( dynamics.volume - 0.5f ) < 0.01f );
		gelFreeStage( &stage );
	}
}

// A box that is let fall on its edge comes to rest on the ground, upright or on a side, and falls asleep.
static void TestComesToRestOnGround( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.body.solver.fast.mode = gel_modeQuality;
	def.world.hasGround = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.transform.position = ( gelVec3 ){ 0.0f, 1.0f, 0.0f };
	def.body.transform.rotation = ( gelQuat ){ { 0.2f, 0.1f, 0.0f }, 0.9746794f };
	def.body.enableSleep = true;
	gelStage stage = gelMakeStage( &def );
	for ( int i = 0; i < 900 && gelBody_IsAwake( stage.body ); ++i )
		gelStage_Step( &stage, 1 );
	assert_false( gelBody_IsAwake( stage.body ) );
	gelStage_Fetch( &stage );
	float lowest = 1.0f;
	for ( int i = 0; i < stage.nodeCount; ++i )
		lowest = fminf( lowest, stage.nodes[i].y );
	assert_true( fabsf( lowest ) < 0.01f );
	gelFreeStage( &stage );
}

// Hash of a beam after some swinging, alone or as one of many, on any instruction set.
static uint64_t SwingBeam( gelSimdLevel level, int copies )
{
	gelStageDef def = MakeBeamDef( 0.45, 1.0 / 60.0 );
	def.world.simd = level;
	gelStage stage = gelMakeStage( &def );
	for ( int i = 1; i < copies; ++i )
	{
		gelBodyDef bodyDef = def.body;
		bodyDef.asset = stage.asset;
		bodyDef.pinSetId = gelGetBody( stage.body )->pinSetId;
		bodyDef.transform.position = ( gelVec3 ){ 0.0f, 0.0f, 1.0f };
		bodyDef.linearVelocity = ( gelVec3 ){ 0.0f, (float)i, 0.5f }; // others search in other directions
		gelBodyId id;
		assert_int_equal( gelCreateBody( stage.world, &bodyDef, &id ), gel_success );
	}
	gelStage_Step( &stage, 60 );
	uint64_t hash = gelBody_HashState( stage.body );
	gelFreeStage( &stage );
	return hash;
}

static void TestSameBitsAloneAndTogether( void** state )
{
	(void)state;
	uint64_t hash = SwingBeam( gel_simdScalar, 1 );
	assert_true( hash == SwingBeam( gel_simdAutomatic, 11 ) );
	static const gelSimdLevel levels[] = { gel_simdSse2, gel_simdAvx2, gel_simdAvx512, gel_simdNeon };
	for ( int i = 0; i < 4; ++i )
	{
		if ( gelFindSimdLevel( levels[i] ) == levels[i] ) assert_true( hash == SwingBeam( levels[i], 1 ) );
	}
}

// Twins: every instruction set against the scalar loops, bit by bit, on healthy and on inverted bodies.
static void TestKernelTwins( void** state )
{
	(void)state;
	static const gelSimdLevel levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdAvx512,
		gel_simdNeon };
	gelStageDef def = MakeBeamDef( 0.45, 1.0 / 60.0 );
	gelStage stage = gelMakeStage( &def );
	const gelBody* body = gelGetBody( stage.body );
	const gelQuality* quality = gelGetQuality( body );
	size_t count = (size_t)quality->vectorCount, slots = GEL_BLOCK_LANES * (size_t)body->asset->blockCount;
	size_t bytes = count * sizeof( gelVec4 );
	gelVec4* memory = aligned_alloc( 64, 4 * bytes );
	gelQuat* q[2] = { aligned_alloc( 64, slots * sizeof( gelQuat ) ),
		aligned_alloc( 64, slots * sizeof( gelQuat ) ) };
	assert_true( memory && q[0] && q[1] );
	gelVec4 *u = memory, *target = memory + count, *g[2] = { memory + 2 * count, memory + 3 * count };
	for ( int round = 0; round < 10; ++round )
	{
		gelRandom random = { 40 + (uint64_t)( round / 5 ) };
		double size = round < 5 ? 0.02 : 0.5;
		gelSimdLevel level = levels[round % 5];
		if ( gelFindSimdLevel( level ) != level ) continue;
		const gelQualityKernels* kernels = gelGetQualityKernels( level );
		memset( memory, 0, 4 * bytes );
		for ( size_t i = 0; i < 4 * (size_t)stage.nodeCount; ++i )
		{
			( &u->x )[i] = i % 4 == 3 ? 0.0f : (float)gelRandom_Uniform( &random, -size, size );
			( &target->x )[i] = i % 4 == 3 ? 0.0f : (float)gelRandom_Uniform( &random, -size, size );
		}
		for ( size_t i = 0; i < slots; ++i )
			q[0][i] = q[1][i] = gelIdentityQuat();
		double inertia = gelInertia_Ref( quality->masses, u, target, (int)count, g[0] );
		assert_true( inertia == kernels->inertia( quality->masses, u, target, (int)count, g[1] ) );
		assert_memory_equal( g[0], g[1], bytes );
		double energy = 0.0, energyRef = gelDifferentiate_Ref( body->asset, u, stage.step, q[0], g[0] );
		assert_true( gelGetElementKernels( level )->differentiate( body->asset->elements,
			body->asset->lambdaVolumes, body->asset->blockCount, u, stage.step, q[1], g[1], &energy ) );
		assert_true( energy == energyRef && energy > 0.0 );
		assert_memory_equal( q[0], q[1], slots * sizeof( gelQuat ) );
		assert_memory_equal( g[0], g[1], bytes );
		const gelVec4* vectors[3] = { u, g[0], target };
		double products[3];
		kernels->dots( vectors, 3, target, (int)count, products );
		for ( int k = 0; k < 3; ++k )
			assert_true( products[k] == gelDotVectors_Ref( vectors[k], target, (int)count ) );
		const float c[3] = { 0.5f, -2.0f, 0.3f };
		kernels->combine( -1.5f, target, vectors, c, 3, (int)count, g[1] );
		for ( size_t i = 0; i < 4 * count; ++i )
		{
			float sum = -1.5f * ( &target->x )[i] + 0.5f * ( &u->x )[i];
			sum = sum + -2.0f * ( &g[0]->x )[i];
			sum = sum + 0.3f * ( &target->x )[i];
			assert_true( sum == ( &g[1]->x )[i] );
		}
	}
	free( memory );
	free( q[0] );
	free( q[1] );
	gelFreeStage( &stage );
}

// A saved state goes on as the body itself did: what the search has learned is part of it.
static void TestStateGoesOn( void** state )
{
	(void)state;
	gelStageDef def = MakeBeamDef( 0.4, 1.0 / 60.0 );
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 37 );
	size_t bytes = gelBody_GetStateBytes( stage.body );
	void* buffer = malloc( bytes );
	assert_non_null( buffer );
	assert_int_equal( gelBody_SaveState( stage.body, buffer, bytes ), gel_success );
	gelStage_Step( &stage, 20 );
	uint64_t hash = gelBody_HashState( stage.body );
	gelStage_Step( &stage, 13 );
	assert_int_equal( gelBody_RestoreState( stage.body, buffer, bytes ), gel_success );
	gelStage_Step( &stage, 20 );
	assert_true( gelBody_HashState( stage.body ) == hash );
	free( buffer );
	gelFreeStage( &stage );
}

// A pack that was baked without --quality refuses the mode when the body is made, and says so.
static void CountLines( void* context, const char* text )
{
	++*(int*)context;
	assert_non_null( strstr( text, "--quality" ) );
}

static void TestRefusedWithoutFactor( void** state )
{
	(void)state;
	int lines = 0;
	gelStageDef def = gelDefaultStageDef();
	def.world.log = CountLines;
	def.world.logContext = &lines;
	gelStage stage = gelMakeStage( &def );
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.enableSleep = false;
	bodyDef.asset = stage.asset;
	bodyDef.solver.fast.mode = gel_modeQuality;
	gelBodyId id;
	assert_false( gelAsset_CanStep( stage.asset, &bodyDef, stage.step ) );
	assert_int_equal( gelCreateBody( stage.world, &bodyDef, &id ), gel_errorNoFactor );
	assert_int_equal( lines, 1 );
	bodyDef.solver.fast.mode = (gelSolverMode)7;
	assert_int_equal( gelCreateBody( stage.world, &bodyDef, &id ), gel_errorArgument );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestStressIsEnergyGradient ),
		cmocka_unit_test( TestKernelTwins ),
		cmocka_unit_test( TestSagIsStatic ),
		cmocka_unit_test( TestMotionIsBackwardEuler ),
		cmocka_unit_test( TestRestIsExact ),
		cmocka_unit_test( TestMomentum ),
		cmocka_unit_test( TestFreeFall ),
		cmocka_unit_test( TestWildStartsRecover ),
		cmocka_unit_test( TestExtremes ),
		cmocka_unit_test( TestViolentPins ),
		cmocka_unit_test( TestComesToRestOnGround ),
		cmocka_unit_test( TestSameBitsAloneAndTogether ),
		cmocka_unit_test( TestStateGoesOn ),
		cmocka_unit_test( TestRefusedWithoutFactor ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
