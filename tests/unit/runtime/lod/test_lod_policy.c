// SPDX-License-Identifier: MIT
// Who gets which level: by distance in sizes of the body, within a budget of tets, without flicker.
#include "test_support.h"

#include "lod_stage.h"
#include "state/world.h"

#include <math.h>

#define BODY_COUNT 4

// Bodies 10 m apart along z; they are 1 m long.
typedef struct Scene
{
	gelLodStage stage;
	gelBodyId bodies[BODY_COUNT];
} Scene;

static Scene MakeScene( void )
{
	Scene scene;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 0;
	def.body.enableSleep = true;
	scene.stage = gelMakeLodStage( &def );
	scene.bodies[0] = scene.stage.body;
	for ( int i = 1; i < BODY_COUNT; ++i )
	{
		gelBodyDef body = def.body;
		body.asset = scene.stage.asset;
		body.transform.position.z = 10.0f * (float)i;
		assert_int_equal( gelCreateBody( scene.stage.world, &body, scene.bodies + i ), gel_success );
	}
	return scene;
}

static int Update( Scene* scene, float z, const gelLodPolicy* policy )
{
	int count = -1;
	gelVec3 eye = { 0.5f, 0.1f, z + 0.1f };
	assert_int_equal( gelWorld_UpdateLevels( scene->stage.world, eye, policy, &count ), gel_success );
	return count;
}

static void AssertLevels( const Scene* scene, int a, int b, int c, int d )
{
	const int levels[BODY_COUNT] = { a, b, c, d };
	for ( int i = 0; i < BODY_COUNT; ++i )
		assert_int_equal( gelBody_GetLevel( scene->bodies[i] ), levels[i] );
}

static int GetTets( const Scene* scene, int level )
{
	return gelAsset_GetInfo( gelAsset_GetLevel( scene->stage.asset, level ) ).tetCount;
}

static int CountTets( const Scene* scene )
{
	int sum = 0;
	for ( int i = 0; i < BODY_COUNT; ++i )
		sum +=
			gelBody_IsAwake( scene->bodies[i] ) ? GetTets( scene, gelBody_GetLevel( scene->bodies[i] ) ) : 0;
	return sum;
}

static void TestDistance( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelLodPolicy policy = gelDefaultLodPolicy();
	policy.distances[0] = 15.0f;
	for ( int k = 1; k < GEL_MAX_LEVELS - 1; ++k )
		policy.distances[k] = 25.0f;
	assert_int_equal( Update( &scene, 0.0f, &policy ), 2 );
	AssertLevels( &scene, 0, 0, 1, 2 );
	assert_int_equal( Update( &scene, 0.0f, &policy ), 0 );
	// nearer than 15 sizes, but not than 0.85 of that: it stays; then it gets finer; then it stays again
	assert_int_equal( Update( &scene, 6.0f, &policy ), 0 );
	assert_int_equal( Update( &scene, 9.0f, &policy ), 2 );
	AssertLevels( &scene, 0, 0, 0, 1 );
	assert_int_equal( Update( &scene, 6.0f, &policy ), 0 );
	assert_int_equal( Update( &scene, 0.0f, &policy ), 2 );
	// one at a time, those that get coarser first, from the farthest on
	policy.maxSwitches = 1;
	assert_int_equal( Update( &scene, 30.0f, &policy ), 1 );
	AssertLevels( &scene, 2, 0, 1, 2 );
	assert_int_equal( Update( &scene, 30.0f, &policy ), 1 );
	AssertLevels( &scene, 2, 1, 1, 2 );
	assert_int_equal( Update( &scene, 30.0f, &policy ), 1 );
	AssertLevels( &scene, 2, 1, 1, 0 );
	assert_int_equal( Update( &scene, 30.0f, &policy ), 1 );
	AssertLevels( &scene, 2, 1, 0, 0 );
	assert_int_equal( Update( &scene, 30.0f, &policy ), 0 );
	gelFreeLodStage( &scene.stage );
}

static void TestBudget( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelLodPolicy policy = gelDefaultLodPolicy();
	for ( int k = 0; k < GEL_MAX_LEVELS - 1; ++k )
		policy.distances[k] = INFINITY;
	assert_int_equal( Update( &scene, 0.0f, &policy ), 0 );
	policy.maxTets = 3 * GetTets( &scene, 0 ) + GetTets( &scene, 1 );
	assert_int_equal( Update( &scene, 0.0f, &policy ), 1 );
	AssertLevels( &scene, 0, 0, 0, 1 );
	policy.maxTets = 2 * GetTets( &scene, 0 );
	assert_int_equal( Update( &scene, 0.0f, &policy ), 3 );
	AssertLevels( &scene, 0, 1, 2, 2 );
	assert_true( CountTets( &scene ) <= policy.maxTets );
	assert_int_equal( Update( &scene, 0.0f, &policy ), 0 );
	// two at nearly the same distance do not take turns
	for ( int i = 0; i < 6; ++i )
		assert_int_equal( Update( &scene, i % 2 == 0 ? 0.3f : 0.0f, &policy ), 0 );
	Update( &scene, 4.9f, &policy );
	for ( int i = 0; i < 6; ++i )
		assert_int_equal( Update( &scene, i % 2 == 0 ? 5.1f : 4.9f, &policy ), 0 );
	assert_true( CountTets( &scene ) <= policy.maxTets );
	// who sleeps costs nothing and leaves room for others
	for ( int i = 0; i < 2; ++i )
		assert_int_equal( gelBody_SetAwake( scene.bodies[i], false ), gel_success );
	policy.maxTets = 3 * GetTets( &scene, 0 );
	Update( &scene, 30.0f, &policy );
	assert_int_equal( gelBody_GetLevel( scene.bodies[2] ), 0 );
	assert_int_equal( gelBody_GetLevel( scene.bodies[3] ), 0 );
	// nothing fits: all as coarse as they get
	for ( int i = 0; i < 2; ++i )
		assert_int_equal( gelBody_SetAwake( scene.bodies[i], true ), gel_success );
	policy.maxTets = 1;
	Update( &scene, 0.0f, &policy );
	AssertLevels( &scene, 2, 2, 2, 2 );
	gelLodStage_Step( &scene.stage, 2 );
	gelFreeLodStage( &scene.stage );
}

static void TestArguments( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelWorldId world = scene.stage.world;
	gelVec3 eye = { 0.0f, 0.0f, 0.0f };
	gelLodPolicy policy = gelDefaultLodPolicy();
	assert_int_equal( gelWorld_UpdateLevels( world, eye, NULL, NULL ), gel_errorArgument );
	assert_int_equal( gelWorld_UpdateLevels( ( gelWorldId ){ 0 }, eye, &policy, NULL ), gel_errorArgument );
	assert_int_equal(
		gelWorld_UpdateLevels( world, ( gelVec3 ){ NAN, 0.0f, 0.0f }, &policy, NULL ), gel_errorArgument );
	gelLodPolicy wrong[5] = { policy, policy, policy, policy, policy };
	wrong[0].cookie = 0;
	wrong[1].hysteresis = 1.0f;
	wrong[2].distances[1] = 1.0f; // falls
	wrong[3].maxTets = -1;
	wrong[4].distances[2] = NAN;
	for ( int i = 0; i < 5; ++i )
		assert_int_equal( gelWorld_UpdateLevels( world, eye, wrong + i, NULL ), gel_errorArgument );
	assert_int_equal( gelWorld_UpdateLevels( world, eye, &policy, NULL ), gel_success );
	gelBodyId stale = scene.bodies[0];
	++stale.generation;
	assert_int_equal( gelBody_SetLevel( stale, 1 ), gel_errorStaleId );
	assert_int_equal( gelBody_GetLevel( stale ), -1 );
	const char noState[64] = "GELX";
	assert_int_equal( gelBody_GetStateLevel( stale, noState, sizeof( noState ) ), -1 );
	assert_int_equal( gelBody_GetStateLevel( scene.bodies[0], noState, sizeof( noState ) ), -1 );
	assert_int_equal( gelBody_GetStateLevel( scene.bodies[0], NULL, 64 ), -1 );
	assert_int_equal( gelBody_GetStateLevel( scene.bodies[0], noState, 3 ), -1 );
	assert_null( gelAsset_GetLevel( scene.stage.asset, 3 ) );
	assert_null( gelAsset_GetLevel( NULL, 0 ) );
	assert_int_equal( gelAsset_GetLevelCount( NULL ), 0 );
	const gelAsset* coarse = gelAsset_GetLevel( scene.stage.asset, 2 );
	assert_int_equal( gelAsset_GetLevelCount( coarse ), 3 );
	assert_ptr_equal( gelAsset_GetLevel( coarse, 0 ), scene.stage.asset );
	gelDestroyAsset( gelGetBody( scene.bodies[0] )->asset->root->levels[2] ); // belongs to the other one
	assert_ptr_equal( gelAsset_GetLevel( scene.stage.asset, 2 ), coarse );
	gelFreeLodStage( &scene.stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestDistance ),
		cmocka_unit_test( TestBudget ),
		cmocka_unit_test( TestArguments ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
