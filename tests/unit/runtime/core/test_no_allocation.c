// SPDX-License-Identifier: MIT
// Nothing allocates once a world and its bodies exist: neither through the game's allocator nor behind its
// back.
#include "test_support.h"

#include "counting_allocator.h"
#include "query/query_debug.h"
#include "contact_scene.h"
#include "query_stage.h"
#include "stage.h"

#include <stdbool.h>
#include <stdlib.h>

// Volatile, because the compiler takes malloc for a function that touches no variable of ours.
static volatile bool watching;
static volatile int callCount;

// glibc lets a program replace malloc; a sanitizer has already done so.
#if defined( __GLIBC__ ) && !defined( __SANITIZE_ADDRESS__ ) && !defined( __SANITIZE_THREAD__ )
#define REPLACES_MALLOC 1
void* __libc_malloc( size_t bytes );
void* __libc_calloc( size_t count, size_t bytes );
void* __libc_realloc( void* memory, size_t bytes );

void* malloc( size_t bytes )
{
	callCount += watching;
	return __libc_malloc( bytes );
}

void* calloc( size_t count, size_t bytes )
{
	callCount += watching;
	return __libc_calloc( count, bytes );
}

void* realloc( void* memory, size_t bytes )
{
	callCount += watching;
	return __libc_realloc( memory, bytes );
}
#else
#define REPLACES_MALLOC 0
#endif

static void TestStepAndQueries( void** state )
{
	(void)state;
	int hookCount = 0;
	gelStageDef def = gelDefaultStageDef();
	def.world.allocator = gelMakeCountingAllocator( &hookCount );
	def.world.hasGround = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.transform.position = ( gelVec3 ){ 0.0f, 0.02f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	// one block for the world, one for its contact with the ground, one for desks of workers, one for the
	// body
	assert_int_equal( hookCount, 4 );
	watching = true;
	for ( int i = 0; i < 60; ++i )
	{
		gelWorld_Step( stage.world, stage.step );
		gelBody_GetPositions( stage.body, stage.positions, stage.vertexCount );
		gelBody_GetNormals( stage.body, stage.normals, stage.vertexCount );
		gelBody_GetNodePositions( stage.body, stage.nodes, stage.nodeCount );
		gelBody_AddNodeForce( stage.body, 0, ( gelVec3 ){ 1.0f, 0.0f, 0.0f } );
		gelBody_GetDynamics( stage.body );
		gelBody_HashState( stage.body );
	}
	gelWorld_Step( stage.world, 0.5f ); // not baked: refused without allocating, too
	gelBody_Reset( stage.body, ( gelTransform ){ ( gelVec3 ){ 0, 0, 0 }, ( gelQuat ){ { 0, 0, 0 }, 1 } } );
	gelBody_SetNodeState( stage.body, stage.nodes, stage.nodes, stage.nodeCount );
	watching = false;
	assert_true( gelWorld_GetCounters( stage.world ).groundContactCount > 0 ); // the contact code has run
	assert_int_equal( hookCount, 4 );
	assert_int_equal( callCount, 0 );
	gelFreeStage( &stage );
}

// Constraints and frames come and go, states are saved and restored.
static void TestInteraction( void** state )
{
	(void)state;
	const gelSolverType solvers[4] = { gel_solverFastCorotated, gel_solverImplicit, gel_solverFastCorotated,
		gel_solverWarpCancelling };
	for ( int i = 0; i < 4; ++i )
	{
		gelStageDef def = gelDefaultStageDef();
		def.world.hasGround = true;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		def.body.solver = gelDefaultSolverDef( solvers[i] );
		if ( i == 2 ) def.body.solver.fast.mode = gel_modeQuality;
		if ( i == 2 ) def.body.solver.fast.enableSpinKeeping = true;
		gelStage stage = gelMakeStage( &def );
		size_t bytes = gelBody_GetStateBytes( stage.body );
		void* saved = malloc( bytes );
		gelConstraintDef hold = gelDefaultConstraintDef();
		gelFrameDef frameDef = gelDefaultFrameDef();
		gelFrameId frame;
		gelConstraintId id;
		hold.point = gelAsset_GetNodePoint( stage.asset, 0 );
		assert_int_equal( gelCreateConstraint( stage.body, &hold, &id ), gel_success ); // takes the memory
		gelDestroyConstraint( id );
		watching = true;
		for ( int step = 0; step < 60; ++step )
		{
			hold.kind = (gelConstraintKind)( step % 4 );
			hold.stiffness = 100.0f;
			hold.point = gelAsset_GetNodePoint( stage.asset, step % stage.nodeCount );
			if ( step % 7 == 0 ) gelCreateFrame( stage.body, &frameDef, &frame );
			hold.frame = step % 3 == 0 ? frame : ( gelFrameId ){ 0 };
			gelCreateConstraint( stage.body, &hold, &id );
			if ( step % 5 == 0 ) gelDestroyConstraint( id );
			if ( step == 20 ) gelBody_SaveState( stage.body, saved, bytes );
			if ( step == 40 ) gelBody_RestoreState( stage.body, saved, bytes );
			gelWorld_Step( stage.world, stage.step );
			gelBody_AddPointImpulse( stage.body, &hold.point, ( gelVec3 ){ 0.1f, 0.0f, 0.0f } );
		}
		watching = false;
		assert_int_equal( callCount, 0 );
		free( saved );
		gelFreeStage( &stage );
	}
}

static void TestSurfaceQueries( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelRandom random = { 1 };
	int hitCount = 0;
	watching = true;
	for ( int i = 0; i < 100; ++i )
	{
		gelRay ray = gelQueryStage_PickRay( &stage, &random );
		gelRayHit hit;
		bool isInside;
		gelEmbeddedPoint point;
		gelVec3 p;
		if ( i % 10 == 0 ) gelWorld_Step( stage.world, (float)( 1.0 / 60.0 ) );
		gelBody_CastRay( stage.body, &ray, &hit );
		gelWorld_CastRay( stage.world, &ray, &hit );
		hitCount += hit.isHit;
		gelBody_ContainsPoint( stage.body, ray.origin, &isInside );
		gelBody_FindPoint( stage.body, ray.origin, &point );
		gelBody_GetPointPosition( stage.body, &point, &p );
		gelBody_GetPointVelocity( stage.body, &point, &p );
		gelBody_GetBounds( stage.body );
		gelBody_GetPatchVertices( stage.body, stage.vertices, stage.info.patchVertexCount );
		gelBody_GetCoarseBoxes( stage.body, 3, NULL, 0 );
		gelAsset_GetTreeNodes( stage.asset, 3, NULL, 0 );
	}
	watching = false;
	assert_int_equal( callCount, 0 );
	assert_true( hitCount > 30 );
	gelFreeQueryStage( &stage );
}

// Boxes that fall on each other, fall asleep and are woken.
static void TestContact( void** state )
{
	(void)state;
	int hookCount = 0;
	gelWorldDef def = gelDefaultWorldDef();
	def.hasGround = true;
	def.allocator = gelMakeCountingAllocator( &hookCount );
	gelContactScene scene = gelMakeContactScene( &def, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	shape.cells[0] = shape.cells[1] = shape.cells[2] = 2;
	int box = gelContactScene_AddShape( &scene, &shape );
	gelBodyDef body = gelDefaultBodyDef();
	body.enableSleep = true;
	for ( int i = 0; i < 6; ++i )
	{
		body.solver = gelDefaultSolverDef( i % 2 == 0 ? gel_solverFastCorotated : gel_solverImplicit );
		gelContactScene_AddBody(
			&scene, box, &body, ( gelVec3 ){ 0.6f * (float)( i % 3 ), 1.05f * (float)( i / 3 ), 0.0f } );
	}
	int hooksBefore = hookCount, contactCount = 0;
	gelContact contacts[16];
	watching = true;
	for ( int i = 0; i < 120; ++i )
	{
		gelWorld_Step( scene.world, scene.step );
		contactCount += gelWorld_GetContacts( scene.world, contacts, 16 );
	}
	watching = false;
	assert_true( contactCount > 1000 );
	assert_int_equal( hookCount, hooksBefore );
	assert_int_equal( callCount, 0 );
	gelFreeContactScene( &scene );
}

// The trap works: without this the test above could not fail.
static void TestTrapWorks( void** state )
{
	(void)state;
	if ( !REPLACES_MALLOC ) skip();
	watching = true;
	void* volatile memory = malloc( 16 );
	watching = false;
	free( memory );
	assert_int_equal( callCount, 1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestStepAndQueries ),
		cmocka_unit_test( TestInteraction ),
		cmocka_unit_test( TestSurfaceQueries ),
		cmocka_unit_test( TestContact ),
		cmocka_unit_test( TestTrapWorks ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
