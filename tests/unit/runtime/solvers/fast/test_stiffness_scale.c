// SPDX-License-Identifier: MIT
// The stiffness scale of a body: the same motion as a pack that was baked that stiff, and a refusal where no
// factor serves it. Also what a game may ask beforehand.
#include "test_support.h"

#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <string.h>

static gelStageDef MakeBeamDef( double youngsModulus, gelSolverMode mode )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 6, def.cells[1] = def.cells[2] = 2;
	def.size[0] = 1.5, def.size[1] = def.size[2] = 0.5;
	def.youngsModulus = youngsModulus;
	def.poissonsRatio = 0.4;
	def.pinLeft = true;
	def.extraStep = 1.0 / 30.0;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.solver.fast.mode = mode;
	return def;
}

// Four times as stiff by scale in steps of 1/60 s, and a quarter in steps of 1/30 s, against a pack that is.
static void TestSameAsBakedStiffness( void** state )
{
	(void)state;
	for ( int i = 0; i < 4; ++i )
	{
		float scale = i % 2 == 0 ? 4.0f : 0.25f;
		gelSolverMode mode = i < 2 ? gel_modePlain : gel_modeQuality;
		gelStageDef scaled = MakeBeamDef( 1e6, mode ), baked = MakeBeamDef( 1e6 * (double)scale, mode );
		scaled.body.solver.fast.stiffnessScale = scale;
		gelStage a = gelMakeStage( &scaled ), b = gelMakeStage( &baked );
		a.step = b.step = i % 2 == 0 ? 1.0f / 60.0f : 1.0f / 30.0f;
		for ( int k = 0; k < 60; ++k )
		{
			gelStage_Step( &a, 1 );
			gelStage_Step( &b, 1 );
			gelStage_Fetch( &a );
			gelStage_Fetch( &b );
			for ( int n = 0; n < a.nodeCount; ++n )
				assert_true( gelLength( gelSub( a.nodes[n], b.nodes[n] ) ) <
					( mode == gel_modePlain ? 1e-4f : 5e-3f ) );
		}
		float energies[2] = { gelBody_GetDynamics( a.body ).elasticEnergy,
			gelBody_GetDynamics( b.body ).elasticEnergy };
		assert_true( fabsf( energies[0] - energies[1] ) < 0.03f * energies[1] );
		gelFreeStage( &a );
		gelFreeStage( &b );
	}
}

static void CountLines( void* context, const char* text )
{
	++*(int*)context;
	assert_non_null( strstr( text, "sqrt(stiffnessScale)" ) );
}

static void TestRefusals( void** state )
{
	(void)state;
	int lines = 0;
	gelStageDef def = MakeBeamDef( 1e6, gel_modePlain );
	def.world.log = CountLines;
	def.world.logContext = &lines;
	gelStage stage = gelMakeStage( &def );
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = stage.asset;
	gelBodyId id;
	static const float none[] = { 2.0f, 3.9999f, 1.0001f, 16.0f, 1.0f / 16.0f };
	for ( int i = 0; i < 5; ++i )
	{
		bodyDef.solver.fast.stiffnessScale = none[i];
		assert_int_equal( gelCreateBody( stage.world, &bodyDef, &id ), gel_errorNoFactor );
		assert_int_equal( lines, i + 1 );
		assert_false( gelAsset_CanStep( stage.asset, &bodyDef, stage.step ) );
	}
	static const float senseless[] = { 0.0f, -4.0f, 1e-7f, 1e7f, NAN, INFINITY };
	for ( int i = 0; i < 6; ++i )
	{
		bodyDef.solver.fast.stiffnessScale = senseless[i];
		assert_int_equal( gelCreateBody( stage.world, &bodyDef, &id ), gel_errorArgument );
		assert_false( gelAsset_CanStep( stage.asset, &bodyDef, stage.step ) );
	}
	gelFreeStage( &stage );
}

// Scale, mode and step length have to fit together; the step is refused as a whole when they do not.
static void TestQuery( void** state )
{
	(void)state;
	gelStageDef def = MakeBeamDef( 1e6, gel_modePlain );
	gelStage stage = gelMakeStage( &def );
	const float shorter = 1.0f / 60.0f, longer = 1.0f / 30.0f;
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = stage.asset;
	assert_true( gelAsset_CanStep( stage.asset, &bodyDef, shorter ) );
	assert_true( gelAsset_CanStep( stage.asset, &bodyDef, longer ) );
	assert_false( gelAsset_CanStep( stage.asset, &bodyDef, 0.01f ) );
	bodyDef.solver.fast.stiffnessScale = 4.0f;
	assert_true( gelAsset_CanStep( stage.asset, &bodyDef, shorter ) );
	assert_false( gelAsset_CanStep( stage.asset, &bodyDef, longer ) );
	bodyDef.pinSetId = 77;
	assert_false( gelAsset_CanStep( stage.asset, &bodyDef, shorter ) );
	bodyDef.pinSetId = 0;
	assert_false( gelAsset_CanStep( stage.asset, NULL, shorter ) );
	assert_false( gelAsset_CanStep( NULL, &bodyDef, shorter ) );

	gelBodyId id;
	assert_int_equal( gelCreateBody( stage.world, &bodyDef, &id ), gel_success );
	assert_int_equal( gelWorld_Step( stage.world, longer ), gel_errorNoFactor );
	assert_int_equal( gelWorld_Step( stage.world, shorter ), gel_success );
	gelFreeStage( &stage );
}

// The quality mode has no plasticity.
static void TestQualityHasNoPlasticity( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = stage.asset;
	bodyDef.solver.fast.mode = gel_modeQuality;
	bodyDef.plasticity.enableYield = true;
	gelBodyId id;
	assert_int_equal( gelCreateBody( stage.world, &bodyDef, &id ), gel_errorUnsupported );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSameAsBakedStiffness ),
		cmocka_unit_test( TestRefusals ),
		cmocka_unit_test( TestQuery ),
		cmocka_unit_test( TestQualityHasNoPlasticity ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
