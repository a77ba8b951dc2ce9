// SPDX-License-Identifier: MIT
// Bodies that rest fall asleep if they may, keep every bit while they sleep, and wake up for a reason only.
#include "test_support.h"

#include "stage.h"
#include "state/world.h"

#include <math.h>

static gelStage MakeResting( bool enableSleep, bool pinned )
{
	gelStageDef def = gelDefaultStageDef();
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.world.hasGround = !pinned;
	def.body.enableSleep = enableSleep;
	def.body.transform.position.y = 0.05f;
	def.pinLeft = pinned;
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 300 );
	return stage;
}

static void TestFallsAsleep( void** state )
{
	(void)state;
	gelStage stage = MakeResting( true, false );
	assert_false( gelBody_IsAwake( stage.body ) );
	assert_int_equal( gelWorld_GetCounters( stage.world ).awakeBodyCount, 0 );
	uint64_t hash = gelBody_HashState( stage.body );
	gelStage_Fetch( &stage );
	float lowest = 1.0f;
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		assert_true( gelLength( stage.velocities[i] ) == 0.0f );
		lowest = fminf( lowest, stage.nodes[i].y );
	}
	assert_true( fabsf( lowest ) < 0.02f ); // on the ground, not in the air
	gelStage_Step( &stage, 100 );
	assert_true( gelBody_HashState( stage.body ) == hash );
	gelFreeStage( &stage );

	stage = MakeResting( false, false );
	assert_true( gelBody_IsAwake( stage.body ) );
	assert_int_equal( gelBody_SetAwake( stage.body, false ), gel_errorArgument );
	gelFreeStage( &stage );
}

// In the air a body is slow for a moment at the top of its flight, not for half a second.
static void TestStaysAwakeInTheAir( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.enableSleep = true;
	def.body.linearVelocity.y = 5.0f;
	gelStage stage = gelMakeStage( &def );
	for ( int i = 0; i < 120; ++i )
	{
		gelStage_Step( &stage, 1 );
		assert_true( gelBody_IsAwake( stage.body ) );
	}
	gelFreeStage( &stage );
}

static void AssertAsleep( gelStage* stage )
{
	assert_int_equal( gelBody_SetAwake( stage->body, false ), gel_success );
	assert_false( gelBody_IsAwake( stage->body ) );
}

static void TestWakesForAReason( void** state )
{
	(void)state;
	gelStage stage = MakeResting( true, true );
	AssertAsleep( &stage );
	gelBody_AddNodeForce( stage.body, 5, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	assert_false( gelBody_IsAwake( stage.body ) ); // no force is no reason
	gelBody_AddNodeForce( stage.body, 5, ( gelVec3 ){ 0.0f, 1.0f, 0.0f } );
	assert_true( gelBody_IsAwake( stage.body ) );

	AssertAsleep( &stage );
	uint64_t pinSet;
	int node;
	gelAsset_GetPinSets( stage.asset, &pinSet, 1 );
	gelAsset_GetPinnedNodes( stage.asset, pinSet, &node, 1 );
	gelStage_Fetch( &stage );
	gelBody_SetPinTarget( stage.body, node, stage.nodes[node] );
	assert_false( gelBody_IsAwake( stage.body ) ); // it is there already
	stage.nodes[node].y += 0.1f;
	gelBody_SetPinTarget( stage.body, node, stage.nodes[node] );
	assert_true( gelBody_IsAwake( stage.body ) );

	AssertAsleep( &stage );
	gelWorld_SetGravity( stage.world, gelWorld_GetGravity( stage.world ) );
	assert_false( gelBody_IsAwake( stage.body ) );
	gelWorld_SetGravity( stage.world, ( gelVec3 ){ 0.0f, 1.0f, 0.0f } );
	assert_true( gelBody_IsAwake( stage.body ) );

	AssertAsleep( &stage );
	gelStage_Fetch( &stage );
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	assert_true( gelBody_IsAwake( stage.body ) );

	AssertAsleep( &stage );
	gelBody_Reset( stage.body,
		( gelTransform ){ ( gelVec3 ){ 0.0f, 1.0f, 0.0f }, ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f } } );
	assert_true( gelBody_IsAwake( stage.body ) );

	AssertAsleep( &stage );
	assert_int_equal( gelBody_SetAwake( stage.body, true ), gel_success );
	assert_true( gelBody_IsAwake( stage.body ) );
	gelBodyId none = { 0 };
	assert_false( gelBody_IsAwake( none ) );
	assert_int_equal( gelBody_SetAwake( none, true ), gel_errorStaleId );
	gelFreeStage( &stage );
}

// A sleeper in a group does not change what the others do.
static void TestSleepersDoNotDisturb( void** state )
{
	(void)state;
	uint64_t hashes[2];
	for ( int run = 0; run < 2; ++run )
	{
		gelStageDef def = gelDefaultStageDef();
		def.body.enableSleep = true;
		gelStage stage = gelMakeStage( &def );
		gelBodyDef bodyDef = gelDefaultBodyDef();
		bodyDef.asset = stage.asset;
		bodyDef.angularVelocity = ( gelVec3 ){ 1.0f, 2.0f, 3.0f };
		gelBodyId other;
		assert_int_equal( gelCreateBody( stage.world, &bodyDef, &other ), gel_success );
		if ( run == 1 ) gelBody_SetAwake( stage.body, false );
		gelStage_Step( &stage, 20 );
		hashes[run] = gelBody_HashState( other );
		gelFreeStage( &stage );
	}
	assert_true( hashes[0] == hashes[1] );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFallsAsleep ),
		cmocka_unit_test( TestStaysAwakeInTheAir ),
		cmocka_unit_test( TestWakesForAReason ),
		cmocka_unit_test( TestSleepersDoNotDisturb ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
