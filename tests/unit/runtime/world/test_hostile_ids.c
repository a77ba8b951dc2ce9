// SPDX-License-Identifier: MIT
// Every public function with null, stale and wild ids, and during a step: all are refused without changing a
// bit.
#include "test_support.h"

#include "hostile_scene.h"
#include "state/world.h"

#include <math.h>
#include <string.h>

static void CallWithBody( const gelHostileScene* scene, gelBodyId body, gelResult wanted )
{
	gelVec3 v = { 0.0f, 0.0f, 0.0f };
	gelQuat q = { { 0.0f, 0.0f, 0.0f }, 1.0f };
	gelEmbeddedPoint point = scene->point;
	gelRay ray = gelDefaultRay();
	gelRayHit hit;
	gelTetState tet;
	gelConstraintId id;
	gelFrameId frame;
	gelConstraintDef hold = gelMakeHold( scene, gel_constraintPoint );
	gelFrameDef frameDef = gelDefaultFrameDef();
	uint8_t bytes[64] = { 0 };
	float mass;
	bool isInside;
	assert_int_equal( gelBody_SetNodeState( body, scene->zeros, scene->zeros, 1 ), wanted );
	assert_int_equal( gelBody_SetPinTarget( body, 0, v ), wanted );
	assert_int_equal( gelBody_GetPinTarget( body, 0, &v ), wanted );
	assert_int_equal( gelBody_SetUserData( body, &v ), wanted );
	assert_int_equal( gelBody_AddNodeForce( body, 0, v ), wanted );
	assert_int_equal( gelBody_GetAttachmentTransform( body, 0, &frameDef.transform ), wanted );
	assert_int_equal( gelBody_HoldAttachment( body, 0, ( gelFrameId ){ 0 }, NULL, NULL ), wanted );
	frameDef = gelDefaultFrameDef();
	assert_int_equal( gelBody_SetAwake( body, true ), wanted );
	assert_int_equal( gelBody_EnableContact( body, true ), wanted );
	assert_int_equal( gelBody_SetContactFilter( body, ( gelContactFilter ){ 1, 1 } ), wanted );
	assert_int_equal( gelBody_SetContactFriction( body, 0.5f ), wanted );
	gelContactFilter filter = gelBody_GetContactFilter( body );
	assert_true( filter.category == 0 && filter.mask == 0 && !gelBody_IsContactEnabled( body ) );
	assert_int_equal( gelBody_Reset( body, ( gelTransform ){ v, q } ), wanted );
	assert_int_equal( gelBody_Teleport( body, ( gelTransform ){ v, q } ), wanted );
	assert_int_equal( gelBody_CastRay( body, &ray, &hit ), wanted );
	assert_int_equal( gelBody_CastRays( body, &ray, 1, &hit ), wanted );
	assert_int_equal( gelBody_ContainsPoint( body, v, &isInside ), wanted );
	assert_int_equal( gelBody_FindPoint( body, v, &point ), wanted );
	point = scene->point;
	assert_int_equal( gelBody_GetPointPosition( body, &point, &v ), wanted );
	assert_int_equal( gelBody_GetPointVelocity( body, &point, &v ), wanted );
	assert_int_equal( gelBody_GetPointMass( body, &point, &mass ), wanted );
	assert_int_equal( gelBody_AddPointForce( body, &point, v ), wanted );
	assert_int_equal( gelBody_AddPointImpulse( body, &point, v ), wanted );
	assert_int_equal( gelBody_SetPointVelocity( body, &point, v ), wanted );
	assert_int_equal( gelBody_MovePoint( body, &point, v, 0.0f ), wanted );
	assert_int_equal( gelCreateConstraint( body, &hold, &id ), wanted );
	assert_int_equal( gelCreateFrame( body, &frameDef, &frame ), wanted );
	assert_int_equal( gelBody_SaveState( body, bytes, 64 ), wanted );
	assert_int_equal( gelBody_RestoreState( body, bytes, 64 ), wanted );
	if ( wanted != gel_errorStaleId ) return;
	assert_int_equal( gelBody_GetPositions( body, &v, 1 ) + gelBody_GetNormals( body, &v, 1 ), 0 );
	gelVertexTarget target = { body, &v, &v, 0, 1 };
	if ( body.world != NULL )
		assert_int_equal( gelWorld_GetVertices( ( gelWorldId ){ body.world }, &target, 1 ), wanted );
	assert_int_equal( gelBody_GetNodePositions( body, &v, 1 ) + gelBody_GetNodeVelocities( body, &v, 1 ), 0 );
	assert_int_equal( gelBody_GetTetStates( body, &tet, 1 ) + gelBody_GetConstraints( body, &id, 1 ), 0 );
	assert_true( gelBody_GetBounds( body ).max.x == 0.0f && gelBody_GetStateBytes( body ) == 0 );
	assert_true( gelBody_GetDynamics( body ).mass == 0.0f && gelBody_HashState( body ) == 0 );
	assert_null( gelBody_GetAsset( body ) );
	assert_null( gelBody_GetUserData( body ) );
	assert_true( gelBody_GetBytes( body ) == 0 );
	assert_true( gelBody_GetMass( body ) == 0.0f && gelBody_GetContactFriction( body ) == 0.0f );
	assert_true( gelBody_GetTransform( body ).rotation.s == 1.0f );
	assert_false( gelBody_IsAwake( body ) || gelBody_IsValid( body ) );
	gelDestroyBody( body );
}

static void CallWithIds( gelConstraintId id, gelFrameId frame, gelResult wanted )
{
	gelVec3 v = { 1.0f, 0.0f, 0.0f };
	gelEmbeddedPoint point;
	gelReaction reaction;
	gelTransform pose = { v, { { 0.0f, 0.0f, 0.0f }, 1.0f } };
	assert_int_equal( gelConstraint_SetTarget( id, v ), wanted );
	assert_int_equal( gelConstraint_SetAxis( id, v ), wanted );
	assert_int_equal( gelConstraint_SetSpring( id, 1.0f, 1.0f ), wanted );
	assert_int_equal( gelConstraint_GetTarget( id, &v ), wanted );
	assert_int_equal( gelConstraint_GetAxis( id, &v ), wanted );
	assert_int_equal( gelConstraint_GetSpring( id, &v.x, &v.y ), wanted );
	assert_int_equal( gelConstraint_GetPoint( id, &point ), wanted );
	assert_int_equal( gelConstraint_GetReaction( id, &reaction ), wanted );
	assert_int_equal( gelFrame_SetTransform( frame, pose ), wanted );
	assert_int_equal( gelFrame_GetTransform( frame, &pose ), wanted );
	assert_int_equal( gelFrame_GetReaction( frame, &reaction ), wanted );
	gelDestroyConstraint( id );
	gelDestroyFrame( frame );
	if ( wanted == gel_errorStaleId )
		assert_false( gelConstraint_IsValid( id ) || gelFrame_IsValid( frame ) );
}

static void TestStaleIds( void** state )
{
	(void)state;
	gelHostileScene scene = gelMakeHostileScene( gel_solverFastCorotated );
	uint64_t hash = gelBody_HashState( scene.body );
	struct gelWorld* world = scene.stage.world.world;
	gelBodyId wild[4] = { { 0 }, { world, 0, 0 }, { world, 100000, 0 }, { world, 1, 12345 } };
	for ( int i = 0; i < 4; ++i )
	{
		CallWithBody( &scene, wild[i], gel_errorStaleId );
		CallWithIds(
			( gelConstraintId ){ wild[i], 1, 1 }, ( gelFrameId ){ wild[i], 1, 1 }, gel_errorStaleId );
	}
	const uint32_t indices[4] = { 0, 17, UINT32_MAX, 1 };
	for ( int i = 0; i < 4; ++i )
		CallWithIds( ( gelConstraintId ){ scene.body, indices[i], 99 },
			( gelFrameId ){ scene.body, indices[i], 99 }, gel_errorStaleId );
	assert_true( gelBody_HashState( scene.body ) == hash );

	// a slot that is used again does not answer to the old id
	gelConstraintId old = scene.pin, again;
	gelDestroyConstraint( old );
	gelConstraintDef hold = gelMakeHold( &scene, gel_constraintPoint );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &again ), gel_success );
	assert_int_equal( again.index1, old.index1 );
	assert_false( gelConstraint_IsValid( old ) );
	// capacities end
	gelConstraintId id;
	int count = gelBody_GetConstraints( scene.body, NULL, 0 );
	for ( ; count < 16; ++count )
		assert_int_equal( gelCreateConstraint( scene.body, &hold, &id ), gel_success );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &id ), gel_errorFull );
	assert_int_equal( id.index1, 0 );
	// a frame of another body is none of ours
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = scene.stage.asset;
	gelBodyId other;
	assert_int_equal( gelCreateBody( scene.stage.world, &def, &other ), gel_success );
	hold.frame = scene.frame;
	assert_int_equal( gelCreateConstraint( other, &hold, &id ), gel_errorArgument );
	def.constraintCapacity = 0;
	assert_int_equal( gelCreateBody( scene.stage.world, &def, &other ), gel_success );
	hold.frame = ( gelFrameId ){ 0 };
	assert_int_equal( gelCreateConstraint( other, &hold, &id ), gel_errorFull );
	gelFreeStage( &scene.stage );
}

static void TestNull( void** state )
{
	(void)state;
	gelHostileScene scene = gelMakeHostileScene( gel_solverFastCorotated );
	gelBodyId body = scene.body;
	gelWorldId world = scene.stage.world, none = { 0 };
	uint64_t hash = gelBody_HashState( body );
	gelVec3 v = { 0.0f, 0.0f, 0.0f };
	gelEmbeddedPoint* noPoint = NULL;
	gelRay ray = gelDefaultRay();
	gelRayHit hit;
	gelConstraintId id;
	gelFrameId frame;
	float mass;
	GEL_REFUSED( gelBody_AddPointForce( body, noPoint, v ) );
	GEL_REFUSED( gelBody_AddPointImpulse( body, noPoint, v ) );
	GEL_REFUSED( gelBody_SetPointVelocity( body, noPoint, v ) );
	GEL_REFUSED( gelBody_MovePoint( body, noPoint, v, 0.0f ) );
	GEL_REFUSED( gelBody_GetPointMass( body, noPoint, &mass ) );
	GEL_REFUSED( gelBody_GetPointMass( body, &scene.point, NULL ) );
	GEL_REFUSED( gelBody_GetPointPosition( body, &scene.point, NULL ) );
	GEL_REFUSED( gelBody_GetPointVelocity( body, noPoint, &v ) );
	GEL_REFUSED( gelBody_FindPoint( body, v, NULL ) );
	GEL_REFUSED( gelBody_ContainsPoint( body, v, NULL ) );
	GEL_REFUSED( gelBody_CastRay( body, NULL, &hit ) );
	GEL_REFUSED( gelBody_CastRay( body, &ray, NULL ) );
	GEL_REFUSED( gelBody_CastRays( body, NULL, 1, &hit ) );
	GEL_REFUSED( gelWorld_CastRay( none, &ray, &hit ) );
	GEL_REFUSED( gelWorld_CastRays( none, &ray, 1, &hit ) );
	gelVertexTarget target = { .positions = NULL };
	GEL_REFUSED( gelWorld_GetVertices( none, &target, 1 ) );
	GEL_REFUSED( gelWorld_Grab( none, &ray, NULL, &id, &hit ) );
	GEL_REFUSED( gelWorld_Grab( world, NULL, NULL, &id, &hit ) );
	GEL_REFUSED( gelWorld_Grab( world, &ray, NULL, NULL, &hit ) );
	GEL_REFUSED( gelCreateConstraint( body, NULL, &id ) );
	GEL_REFUSED( gelCreateFrame( body, NULL, &frame ) );
	gelConstraintDef noDefault = { .point = scene.point };
	GEL_REFUSED( gelCreateConstraint( body, &noDefault, &id ) );
	gelConstraintDef hold = gelMakeHold( &scene, (gelConstraintKind)77 );
	hold.point = scene.point;
	GEL_REFUSED( gelCreateConstraint( body, &hold, &id ) );
	hold = gelMakeHold( &scene, gel_constraintPoint );
	GEL_REFUSED( gelCreateConstraint( body, &hold, NULL ) );
	const int tets[3] = { -1, 1000000, INT32_MIN };
	for ( int i = 0; i < 3; ++i )
	{
		hold.point.tet = tets[i];
		GEL_REFUSED( gelCreateConstraint( body, &hold, &id ) );
		GEL_REFUSED( gelBody_AddPointForce( body, &hold.point, v ) );
	}
	GEL_REFUSED( gelFrame_GetTransform( scene.frame, NULL ) );
	GEL_REFUSED( gelFrame_GetReaction( scene.frame, NULL ) );
	GEL_REFUSED( gelConstraint_GetTarget( scene.pin, NULL ) );
	GEL_REFUSED( gelConstraint_GetAxis( scene.pin, NULL ) );
	GEL_REFUSED( gelConstraint_GetSpring( scene.pin, &mass, NULL ) );
	GEL_REFUSED( gelBody_GetPinTarget( body, 0, NULL ) );
	GEL_REFUSED( gelWorld_SetUserData( none, &v ) );
	assert_null( gelWorld_GetUserData( none ) );
	assert_true( gelWorld_IsValid( world ) && !gelWorld_IsValid( none ) && gelWorld_HashState( none ) == 0 );
	GEL_REFUSED( gelConstraint_GetPoint( scene.pin, NULL ) );
	GEL_REFUSED( gelConstraint_GetReaction( scene.pin, NULL ) );
	GEL_REFUSED( gelBody_SaveState( body, NULL, 1 << 20 ) );
	GEL_REFUSED( gelWorld_SaveState( none, &hit, sizeof( hit ) ) );
	GEL_REFUSED( gelWorld_SaveState( world, NULL, 1 << 20 ) );
	GEL_REFUSED( gelWorld_RestoreState( none, &hit, sizeof( hit ) ) );
	GEL_REFUSED( gelWorld_RestoreState( world, NULL, 0 ) );
	assert_true( gelWorld_GetStateBytes( none ) == 0 );
	GEL_REFUSED( gelWorld_Step( none, 0.1f ) );
	gelDebugDraw draw = gelDefaultDebugDraw(), noDraw = { .enableCage = true };
	GEL_REFUSED( gelWorld_Draw( none, &draw ) );
	GEL_REFUSED( gelWorld_Draw( world, NULL ) );
	GEL_REFUSED( gelWorld_Draw( world, &noDraw ) );
	draw.patchLevel = -1;
	GEL_REFUSED( gelWorld_Draw( world, &draw ) );
	GEL_REFUSED( gelWorld_SetGravity( none, v ) );
	GEL_REFUSED( gelWorld_EnableContact( none, true ) );
	assert_int_equal( gelWorld_EnableContact( world, true ), gel_errorUnsupported ); // made without
	assert_int_equal( gelBody_EnableContact( body, true ), gel_errorUnsupported );
	assert_false( gelWorld_IsContactEnabled( none ) || gelWorld_IsContactEnabled( world ) );
	assert_int_equal( gelWorld_GetContacts( none, NULL, 0 ) + gelWorld_GetContacts( world, NULL, 0 ), 0 );
	assert_int_equal( gelWorld_GetContactCounters( none ).contactCount, 0 );
	assert_int_equal( gelWorld_GetContactEvents( none, NULL, 0 ), 0 );
	bool overlaps = true;
	GEL_REFUSED( gelBody_OverlapsBody( body, body, &overlaps ) );
	GEL_REFUSED( gelBody_OverlapsBody( body, body, NULL ) );
	assert_false( overlaps );
	assert_int_equal( gelBody_GetIntersectionCurves( body, body, NULL, 0 ), 0 );
	assert_int_equal( gelBody_GetIntersectionCurves( ( gelBodyId ){ 0 }, body, NULL, 4 ), 0 );
	GEL_REFUSED( gelWorld_StepMany( none, 0.1f, 1 ) );
	GEL_REFUSED( gelWorld_StepMany( world, NAN, 1 ) );
	GEL_REFUSED( gelWorld_StepMany( world, 0.1f, -1 ) );
	assert_true( gelWorld_GetStepTimes( none ).total == 0.0 );
	assert_true( gelWorld_GetGravity( none ).y == 0.0f && gelWorld_GetCounters( none ).bodyCount == 0 );
	assert_true( gelWorld_GetMemory( none ).total == 0 );
	assert_true( gelBody_HashState( body ) == hash );
	assert_int_equal( gelGetVersion().major, GEL_VERSION_MAJOR );
	assert_non_null( gelResult_String( (gelResult)-5 ) );
	const int threads[3] = { -1, 0, 1 };
	for ( int i = 0; i < 3; ++i )
	{
		gelTaskSystem tasks = gelGetOpenMpTasks( threads[i] );
		assert_true( tasks.parallelFor == NULL || tasks.workerCount >= 1 );
	}
	gelDestroyWorld( none );
	gelFreeStage( &scene.stage );
}

static void TestAssetsFromNothing( void** state )
{
	(void)state;
	gelHostileScene scene = gelMakeHostileScene( gel_solverFastCorotated );
	gelAssetDef def = gelDefaultAssetDef();
	gelAsset* asset = NULL;
	gelLoadError error;
	uint8_t bytes[256];
	memset( bytes, 0xA5, sizeof( bytes ) );
	assert_int_not_equal( gelOpenAsset( bytes, sizeof( bytes ), &def, &asset, &error ), gel_success );
	assert_int_not_equal( gelLoadAsset( bytes, sizeof( bytes ), &def, &asset, &error ), gel_success );
	assert_int_not_equal( gelLoadAssetFile( "/nonexistent.gel", &def, &asset, &error ), gel_success );
	assert_null( asset );
	gelDestroyAsset( asset );
	gelVec3 v;
	uint64_t pinSet;
	int node;
	gelFactorInfo factor;
	const gelAsset* assets[2] = { NULL, scene.stage.asset };
	for ( int i = 0; i < 2; ++i )
	{
		const gelAsset* a = assets[i];
		assert_int_equal( gelAsset_GetInfo( a ).nodeCount > 0, i );
		assert_int_equal( gelAsset_GetTriangles( a ) != NULL, i );
		assert_int_equal( gelAsset_GetVertexSources( a ) != NULL, i );
		size_t metaBytes = 1;
		assert_null( gelAsset_GetMeta( a, NULL ) );
		assert_int_equal( gelAsset_GetMeta( a, &metaBytes ) != NULL, i );
		assert_int_equal( metaBytes > 0, i );
		assert_int_equal( gelAsset_GetTets( a ) != NULL, i );
		assert_null( gelAsset_GetSourceNodes( a ) );
		assert_null( gelAsset_GetSourceTets( a ) );
		// one element of room and wild capacities
		const int rooms[3] = { 1, 0, -7 };
		for ( int k = 0; k < 3; ++k )
		{
			assert_int_equal( gelAsset_GetRestNodes( a, &v, rooms[k] ) > 0, i );
			assert_int_equal( gelAsset_GetFactors( a, &factor, rooms[k] ) > 0, i );
			gelAsset_GetPinSets( a, &pinSet, rooms[k] );
			gelAsset_GetPinnedNodes( a, 77, &node, rooms[k] );
			gelAsset_GetTetMaterials( a, &node, rooms[k] );
			assert_non_null( gelAsset_GetMaterial( a, rooms[k] ).name );
		}
		assert_int_equal( gelAsset_GetVertexPoint( a, -1 ).tet, -1 );
		assert_int_equal( gelAsset_GetVertexPoint( a, INT32_MAX ).tet, -1 );
		assert_int_equal( gelAsset_GetNodePoint( a, INT32_MAX ).tet, -1 );
	}
	gelBodyDef bodyDef = gelDefaultBodyDef();
	assert_false( gelAsset_CanStep( NULL, &bodyDef, 0.01f ) );
	gelFreeStage( &scene.stage );
}

// ---- during a step ----------------------------------------------------------------------------------

typedef struct Inside
{
	gelHostileScene* scene;
	int calls;
} Inside;

static void CallInside( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	Inside* inside = context;
	CallWithBody( inside->scene, inside->scene->body, gel_errorLocked );
	CallWithIds( inside->scene->pin, inside->scene->frame, gel_errorLocked );
	++inside->calls;
	task( 0, itemCount, 0, taskContext );
}

static void TestLocked( void** state )
{
	(void)state;
	gelHostileScene scene = gelMakeHostileScene( gel_solverFastCorotated );
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = scene.stage.asset;
	def.transform.position.y = 5.0f;
	def.solver.fast.passes = 3; // not of the same group
	gelBodyId other;
	assert_int_equal( gelCreateBody( scene.stage.world, &def, &other ), gel_success );
	Inside inside = { &scene, 0 };
	scene.stage.world.world->def.tasks = ( gelTaskSystem ){ CallInside, &inside, 2 };
	gelStage_Step( &scene.stage, 2 );
	assert_int_equal( inside.calls, 2 );
	assert_true( gelConstraint_IsValid( scene.pin ) && gelFrame_IsValid( scene.frame ) );
	gelFreeStage( &scene.stage );
}

// Debug builds of the runtime tell of mistakes, once for each call; others do not ask. Questions whether
// something lives and what depends on the pack are no mistakes.
static void TestMistakesAreHeard( void** state )
{
	(void)state;
	gelHostileScene scene = gelMakeHostileScene( gel_solverFastCorotated );
#ifdef GEL_ENABLE_CALLER_ASSERTS
	const int heard = 1;
#else
	const int heard = 0;
#endif
	gelBodyId stale = scene.body;
	stale.generation += 7;
	gelAllowMistakes();
	assert_false( gelBody_IsValid( stale ) || gelConstraint_IsValid( ( gelConstraintId ){ stale, 1, 1 } ) );
	gelDestroyBody( stale );
	gelDestroyFrame( ( gelFrameId ){ 0 } );
	gelDestroyCollider( ( gelColliderId ){ 0 } );
	gelTransform transform;
	assert_int_equal( gelBody_GetAttachmentTransform( scene.body, 3, &transform ), gel_errorArgument );
	assert_int_equal( gelWorld_Step( scene.stage.world, 0.0123f ), gel_errorNoFactor );
	assert_int_equal( gelCountMistakes(), 0 );
	gelBody_GetPositions( stale, NULL, 0 );
	assert_int_equal( gelCountMistakes(), heard );
	GEL_REFUSED( gelBody_AddNodeForce( scene.body, -1, transform.position ) );
	assert_int_equal( gelCountMistakes(), 2 * heard );
	assert_int_equal(
		gelConstraint_SetTarget( ( gelConstraintId ){ stale, 1, 1 }, transform.position ), gel_errorStaleId );
	assert_int_equal( gelCountMistakes(), 3 * heard );
	gelSetAssertFcn( NULL );
	gelAllowMistakes();
	gelFreeStage( &scene.stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestStaleIds ),
		cmocka_unit_test( TestNull ),
		cmocka_unit_test( TestAssetsFromNothing ),
		cmocka_unit_test( TestLocked ),
		cmocka_unit_test( TestMistakesAreHeard ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
