// SPDX-License-Identifier: MIT
// The public functions under wrong use: nothing crashes, nothing half happens, memory is given back.
#include "test_support.h"

#include "small_pack.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Counts, fails the n-th call on demand, and remembers what is still out.
typedef struct Heap
{
	int callCount, liveCount;
	size_t liveBytes;
	int failAt; // 1-based, 0: never
} Heap;

static void* HeapAlloc( void* context, size_t bytes, size_t alignment )
{
	Heap* heap = context;
	if ( ++heap->callCount == heap->failAt ) return NULL;
	void* memory = aligned_alloc( alignment, ( bytes + alignment - 1 ) / alignment * alignment );
	if ( memory )
	{
		memset( memory, 0xCD, bytes );
		++heap->liveCount;
		heap->liveBytes += bytes;
	}
	return memory;
}

static void HeapFree( void* context, void* memory, size_t bytes )
{
	Heap* heap = context;
	--heap->liveCount;
	heap->liveBytes -= bytes;
	free( memory );
}

static gelAllocator MakeAllocator( Heap* heap )
{
	return ( gelAllocator ){ HeapAlloc, HeapFree, heap };
}

// A world with the small pack, for the tests below.
typedef struct Scene
{
	uint8_t* pack;
	size_t bytes;
	gelAsset* asset;
	gelWorldId world;
	gelBodyDef bodyDef;
	float step;
} Scene;

static Scene MakeScene( void )
{
	Scene scene = { .step = (float)GEL_SMALL_PACK_STEP, .bodyDef = gelDefaultBodyDef() };
	scene.pack = gelMakeSmallPack( &scene.bytes );
	assert_int_equal( gelOpenAsset( scene.pack, scene.bytes, NULL, &scene.asset, NULL ), gel_success );
	gelWorldDef def = gelDefaultWorldDef();
	def.bodyCapacity = 3;
	assert_int_equal( gelCreateWorld( &def, &scene.world ), gel_success );
	scene.bodyDef.asset = scene.asset;
	return scene;
}

static void FreeScene( Scene* scene )
{
	gelDestroyWorld( scene->world );
	gelDestroyAsset( scene->asset );
	free( scene->pack );
}

static void TestVersionAndNames( void** state )
{
	(void)state;
	gelVersion version = gelGetVersion();
	assert_int_equal( version.major, GEL_VERSION_MAJOR );
	assert_int_equal( version.minor, GEL_VERSION_MINOR );
	for ( int i = 0; i <= gel_errorUnsupported; ++i )
		assert_string_not_equal( gelResult_String( (gelResult)i ), "unknown result" );
	assert_string_equal( gelResult_String( (gelResult)999 ), "unknown result" );
}

static void TestDefsNeedTheirDefault( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelWorldDef worldDef = { .bodyCapacity = 4 };
	gelWorldId world = { 0 };
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_errorArgument );
	assert_null( world.world );
	gelBodyDef bodyDef = { .asset = scene.asset, .transform.rotation = { { 0, 0, 0 }, 1 } };
	gelBodyId body;
	assert_int_equal( gelCreateBody( scene.world, &bodyDef, &body ), gel_errorArgument );
	assert_false( gelBody_IsValid( body ) );
	gelAssetDef assetDef = { 0 };
	gelAsset* asset = NULL;
	gelLoadError error;
	assert_int_equal( gelOpenAsset( scene.pack, scene.bytes, &assetDef, &asset, &error ), gel_errorArgument );
	assert_null( asset );
	assert_int_equal( error.result, gel_errorArgument );
	FreeScene( &scene );
}

static void TestNullArguments( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelAsset* asset;
	gelBodyId body;
	gelWorldId none = { 0 };
	assert_int_equal( gelOpenAsset( NULL, 0, NULL, &asset, NULL ), gel_errorArgument );
	assert_int_equal( gelOpenAsset( scene.pack, scene.bytes, NULL, NULL, NULL ), gel_errorArgument );
	assert_int_equal( gelLoadAsset( scene.pack, 0, NULL, &asset, NULL ), gel_errorTruncated );
	assert_int_equal( gelLoadAssetFile( NULL, NULL, &asset, NULL ), gel_errorArgument );
	assert_int_equal( gelLoadAssetFile( "/nonexistent/no.gel", NULL, &asset, NULL ), gel_errorIo );
	assert_int_not_equal( gelLoadAssetFile( "/", NULL, &asset, NULL ), gel_success ); // a directory
	assert_int_equal( gelCreateWorld( NULL, &none ), gel_errorArgument );
	assert_int_equal( gelCreateBody( none, &scene.bodyDef, &body ), gel_errorArgument );
	assert_int_equal( gelCreateBody( scene.world, NULL, &body ), gel_errorArgument );
	assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, NULL ), gel_errorArgument );
	assert_int_equal( gelWorld_Step( none, scene.step ), gel_errorArgument );
	gelDestroyWorld( none );
	gelDestroyAsset( NULL );
	gelDestroyBody( ( gelBodyId ){ 0 } );
	assert_int_equal( gelAsset_GetInfo( NULL ).nodeCount, 0 );
	assert_int_equal( gelAsset_GetFactors( NULL, NULL, 0 ), 0 );
	assert_null( gelAsset_GetTriangles( NULL ) );
	assert_int_equal( gelWorld_GetCounters( none ).bodyCount, 0 );
	FreeScene( &scene );
}

static void TestNotANumber( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	const float bad[] = { NAN, INFINITY, -INFINITY, 1e30f };
	gelBodyId good;
	assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, &good ), gel_success );
	uint64_t hash = gelBody_HashState( good );
	int nodeCount = gelAsset_GetInfo( scene.asset ).nodeCount;
	gelVec3* x = calloc( (size_t)nodeCount, sizeof( gelVec3 ) );
	assert_non_null( x );
	for ( int i = 0; i < 4; ++i )
	{
		gelVec3 v = { 0.0f, bad[i], 0.0f };
		gelBodyDef def = scene.bodyDef;
		gelBodyId body;
		def.transform.position = v;
		assert_int_equal( gelCreateBody( scene.world, &def, &body ), gel_errorArgument );
		def = scene.bodyDef;
		def.transform.rotation.s = bad[i];
		assert_int_equal( gelCreateBody( scene.world, &def, &body ), gel_errorArgument );
		def = scene.bodyDef;
		def.angularVelocity = v;
		assert_int_equal( gelCreateBody( scene.world, &def, &body ), gel_errorArgument );
		gelWorldDef worldDef = gelDefaultWorldDef();
		gelWorldId world;
		worldDef.gravity = v;
		assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_errorArgument );
		worldDef = gelDefaultWorldDef();
		worldDef.hasGround = true;
		worldDef.ground.normal = v;
		assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_errorArgument );
		assert_int_equal( gelWorld_SetGravity( scene.world, v ), gel_errorArgument );
		assert_int_not_equal( gelWorld_Step( scene.world, bad[i] ), gel_success );
		assert_int_equal( gelBody_AddNodeForce( good, 0, v ), gel_errorArgument );
		assert_int_equal( gelBody_Reset( good, ( gelTransform ){ v, scene.bodyDef.transform.rotation } ),
			gel_errorArgument );
		x[nodeCount - 1] = v;
		assert_int_equal( gelBody_SetNodeState( good, x, x, nodeCount ), gel_errorArgument );
	}
	assert_int_equal( gelBody_SetNodeState( good, x, x, nodeCount - 1 ), gel_errorArgument );
	assert_int_equal( gelBody_AddNodeForce( good, -1, ( gelVec3 ){ 0, 0, 0 } ), gel_errorArgument );
	assert_int_equal( gelBody_AddNodeForce( good, nodeCount, ( gelVec3 ){ 0, 0, 0 } ), gel_errorArgument );
	assert_int_equal( gelWorld_Step( scene.world, 0.0f ), gel_errorArgument );
	assert_int_equal( gelWorld_Step( scene.world, -scene.step ), gel_errorArgument );
	assert_true( gelBody_HashState( good ) == hash ); // a failed call changes nothing
	free( x );
	FreeScene( &scene );
}

static void TestStaleIdsAndCapacity( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelBodyId bodies[4];
	for ( int i = 0; i < 3; ++i )
		assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, bodies + i ), gel_success );
	assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, bodies + 3 ), gel_errorFull );
	assert_int_equal( gelWorld_GetCounters( scene.world ).bodyCount, 3 );
	gelDestroyBody( bodies[1] );
	gelDestroyBody( bodies[1] ); // twice is harmless
	assert_false( gelBody_IsValid( bodies[1] ) );
	assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, bodies + 3 ), gel_success );
	assert_int_equal( bodies[3].index1, bodies[1].index1 ); // the slot is used again ...
	assert_false( gelBody_IsValid( bodies[1] ) );           // ... and the old id is still stale
	assert_true( gelBody_IsValid( bodies[3] ) );

	gelVec3 v = { 0.0f, 0.0f, 0.0f };
	assert_int_equal( gelBody_AddNodeForce( bodies[1], 0, v ), gel_errorStaleId );
	assert_int_equal( gelBody_SetPinTarget( bodies[1], 0, v ), gel_errorStaleId );
	assert_int_equal( gelBody_SetNodeState( bodies[1], &v, &v, 1 ), gel_errorStaleId );
	assert_int_equal( gelBody_Reset( bodies[1], ( gelTransform ){ v, scene.bodyDef.transform.rotation } ),
		gel_errorStaleId );
	assert_int_equal( gelBody_GetPositions( bodies[1], &v, 1 ), 0 );
	assert_int_equal( gelBody_GetNormals( bodies[1], &v, 1 ), 0 );
	assert_int_equal( gelBody_GetNodePositions( bodies[1], &v, 1 ), 0 );
	assert_null( gelBody_GetAsset( bodies[1] ) );
	assert_null( gelBody_GetUserData( bodies[1] ) );
	assert_true( gelBody_GetDynamics( bodies[1] ).mass == 0.0f );
	assert_true( gelBody_HashState( bodies[1] ) == 0 );
	gelBodyId wild = { scene.world.world, 1000000, 0 };
	assert_false( gelBody_IsValid( wild ) );
	assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
	FreeScene( &scene );
}

static void CountLines( void* context, const char* text )
{
	assert_non_null( text );
	++*(int*)context;
}

// Not baked for this step length: an error, a line in the log, and nothing has moved.
static void TestMissingFactor( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelDestroyWorld( scene.world );
	int lines = 0;
	gelWorldDef def = gelDefaultWorldDef();
	def.log = CountLines;
	def.logContext = &lines;
	assert_int_equal( gelCreateWorld( &def, &scene.world ), gel_success );
	gelBodyId body;
	assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, &body ), gel_success );
	uint64_t hash = gelBody_HashState( body );
	assert_int_equal( gelWorld_Step( scene.world, 0.02f ), gel_errorNoFactor );
	assert_int_equal( gelWorld_Step( scene.world, nextafterf( scene.step, 1.0f ) ), gel_errorNoFactor );
	assert_true( gelBody_HashState( body ) == hash );
	assert_int_equal( lines, 2 );
	assert_int_equal( (int)gelWorld_GetCounters( scene.world ).stepCount, 0 );
	assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
	assert_true( gelBody_HashState( body ) != hash );

	scene.bodyDef.pinSetId = 12345;
	assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, &body ), gel_errorNoPinSet );
	FreeScene( &scene );
}

static void TestPinTargets( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	scene.bodyDef.pinSetId = gelSmallPackPinSetId();
	scene.bodyDef.transform.position = ( gelVec3 ){ 10.0f, 20.0f, 30.0f };
	gelBodyId body;
	assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, &body ), gel_success );
	int pins[16], pinCount = gelAsset_GetPinnedNodes( scene.asset, scene.bodyDef.pinSetId, pins, 16 );
	assert_in_range( pinCount, 1, 16 );
	int nodeCount = gelAsset_GetInfo( scene.asset ).nodeCount;
	gelVec3* x = calloc( (size_t)nodeCount, sizeof( gelVec3 ) );
	gelVec3* v = calloc( (size_t)nodeCount, sizeof( gelVec3 ) );
	assert_true( x && v );
	gelBody_GetNodePositions( body, x, nodeCount );
	gelVec3 old = x[pins[0]], target = { old.x + 0.125f, old.y, old.z };
	assert_int_equal( gelBody_SetPinTarget( body, pins[0], target ), gel_success );
	assert_int_equal( gelBody_SetPinTarget( body, pins[0], ( gelVec3 ){ NAN, 0, 0 } ), gel_errorArgument );
	for ( int i = -1; i <= nodeCount; ++i )
	{
		bool isPin = false;
		for ( int k = 0; k < pinCount; ++k )
			isPin = isPin || pins[k] == i;
		if ( !isPin ) assert_int_equal( gelBody_SetPinTarget( body, i, target ), gel_errorArgument );
	}
	assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
	gelBody_GetNodePositions( body, x, nodeCount );
	gelBody_GetNodeVelocities( body, v, nodeCount );
	assert_true( x[pins[0]].x == target.x && x[pins[0]].y == target.y );
	assert_true( fabsf( v[pins[0]].x * scene.step - 0.125f ) < 1e-6f );
	for ( int i = 0; i < 60; ++i )
		gelWorld_Step( scene.world, scene.step );
	gelBody_GetNodePositions( body, x, nodeCount );
	gelBody_GetNodeVelocities( body, v, nodeCount );
	assert_true( x[pins[0]].x == target.x ); // stays there until told otherwise
	assert_true( v[pins[0]].x == 0.0f );
	free( x );
	free( v );
	FreeScene( &scene );
}

// A force near the end of float makes NaN inside; the body is put back where it was, at rest, and lives on.
static void TestNonFiniteIsPutBack( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelBodyId body;
	scene.bodyDef.linearVelocity = ( gelVec3 ){ 1.0f, 0.0f, 0.0f };
	assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, &body ), gel_success );
	gelWorld_SetGravity( scene.world, ( gelVec3 ){ 0, 0, 0 } );
	for ( int i = 0; i < 5; ++i )
		gelWorld_Step( scene.world, scene.step );
	gelVec3 before[12], after[12], velocities[12];
	gelBody_GetNodePositions( body, before, 12 );
	gelGetBody( body )->forces[3].y = 3e38f; // more than the functions let a game ask for
	gelGetBody( body )->hasForces = true;
	assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
	assert_int_equal( gelWorld_GetCounters( scene.world ).nonFiniteBodyCount, 1 );
	gelBody_GetNodePositions( body, after, 12 );
	gelBody_GetNodeVelocities( body, velocities, 12 );
	assert_memory_equal( before, after, sizeof( before ) );
	for ( int i = 0; i < 12; ++i )
		assert_true( velocities[i].x == 0.0f && velocities[i].y == 0.0f && velocities[i].z == 0.0f );
	for ( int i = 0; i < 10; ++i )
		assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
	assert_int_equal( gelWorld_GetCounters( scene.world ).nonFiniteBodyCount, 1 );
	FreeScene( &scene );
}

// Every loss is counted, but the log tells of a body once, until the game has reset it.
static void TestLossIsToldOnce( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	int lineCount = 0;
	def.world.log = CountLines;
	def.world.logContext = &lineCount;
	gelStage stage = gelMakeStage( &def );
	lineCount = 0;
	for ( int i = 0; i < 20; ++i )
	{
		if ( i == 10 )
			gelBody_Reset(
				stage.body, ( gelTransform ){ gelMakeVec3( 0.0f, 0.0f, 0.0f ), gelIdentityQuat() } );
		gelGetBody( stage.body )->forces[3].y = i % 3 == 2 ? 0.0f : 3e38f;
		gelGetBody( stage.body )->hasForces = true;
		gelStage_Step( &stage, 1 );
		assert_int_equal( lineCount, i < 10 ? 1 : 2 );
	}
	assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 14 );
	gelFreeStage( &stage );
}

// Callbacks may not change the world that is being stepped.
static void MeddlingFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	Scene* scene = context;
	gelBodyId body;
	assert_int_equal( gelCreateBody( scene->world, &scene->bodyDef, &body ), gel_errorLocked );
	assert_int_equal( gelWorld_Step( scene->world, scene->step ), gel_errorLocked );
	assert_int_equal( gelWorld_SetGravity( scene->world, ( gelVec3 ){ 0, 0, 0 } ), gel_errorLocked );
	gelDestroyWorld( scene->world ); // ignored
	task( 0, itemCount, 0, taskContext );
}

static void TestLockedDuringStep( void** state )
{
	(void)state;
	Scene scene = MakeScene();
	gelDestroyWorld( scene.world );
	gelWorldDef def = gelDefaultWorldDef();
	def.tasks = ( gelTaskSystem ){ MeddlingFor, &scene, 2 };
	assert_int_equal( gelCreateWorld( &def, &scene.world ), gel_success );
	gelBodyId body;
	for ( int i = 0; i < 2; ++i )
		assert_int_equal( gelCreateBody( scene.world, &scene.bodyDef, &body ), gel_success );
	assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
	assert_int_equal( gelWorld_GetCounters( scene.world ).bodyCount, 2 );
	FreeScene( &scene );
}

// Loads, builds and steps; whatever fails is given up cleanly. Returns the first failure.
static gelResult RunOnce( const uint8_t* pack, size_t bytes, Heap* heap )
{
	gelAssetDef assetDef = gelDefaultAssetDef();
	assetDef.allocator = MakeAllocator( heap );
	gelAsset* asset = NULL;
	gelResult result = gelLoadAsset( pack, bytes, &assetDef, &asset, NULL );
	if ( result != gel_success )
	{
		assert_null( asset );
		return result;
	}
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.allocator = MakeAllocator( heap );
	worldDef.hasGround = true;
	gelWorldId world;
	result = gelCreateWorld( &worldDef, &world );
	if ( result == gel_success )
	{
		gelBodyDef bodyDef = gelDefaultBodyDef();
		bodyDef.asset = asset;
		gelBodyId body;
		result = gelCreateBody( world, &bodyDef, &body );
		if ( result == gel_success ) result = gelWorld_Step( world, (float)GEL_SMALL_PACK_STEP );
		gelDestroyWorld( world );
	}
	gelDestroyAsset( asset );
	return result;
}

static void TestEveryAllocationFailsOnce( void** state )
{
	(void)state;
	size_t bytes;
	uint8_t* pack = gelMakeSmallPack( &bytes );
	Heap heap = { 0 };
	assert_int_equal( RunOnce( pack, bytes, &heap ), gel_success );
	assert_int_equal( heap.liveCount, 0 );
	assert_true( heap.liveBytes == 0 );
	int callCount = heap.callCount;
	assert_in_range( callCount, 4, 10 ); // copy, scratch, asset, world, body
	for ( int failAt = 1; failAt <= callCount; ++failAt )
	{
		heap = ( Heap ){ .failAt = failAt };
		assert_int_equal( RunOnce( pack, bytes, &heap ), gel_errorMemory );
		assert_int_equal( heap.liveCount, 0 );
		assert_true( heap.liveBytes == 0 );
	}
	free( pack );
}

// A body takes the memory for rows with its first constraint, or with the state of one that has some. Without
// memory nothing happens.
static void TestRowsComeWithTheFirstConstraint( void** state )
{
	(void)state;
	Heap heap = { 0 };
	gelStageDef def = gelDefaultStageDef();
	def.world.allocator = MakeAllocator( &heap );
	gelStage stage = gelMakeStage( &def );
	gelConstraintDef hold = gelDefaultConstraintDef();
	hold.point = gelAsset_GetNodePoint( stage.asset, 0 );
	gelConstraintId id;
	size_t stateBytes = gelBody_GetStateBytes( stage.body ), before = heap.liveBytes;
	uint64_t hash = gelBody_HashState( stage.body );
	void* saved = malloc( stateBytes );
	assert_non_null( saved );

	heap.failAt = heap.callCount + 1;
	assert_int_equal( gelCreateConstraint( stage.body, &hold, &id ), gel_errorMemory );
	assert_false( gelConstraint_IsValid( id ) );
	assert_true( gelBody_HashState( stage.body ) == hash && heap.liveBytes == before );
	gelStage_Step( &stage, 1 );

	assert_int_equal( gelCreateConstraint( stage.body, &hold, &id ), gel_success );
	assert_true( heap.liveBytes > before );
	int calls = heap.callCount;
	assert_int_equal( gelCreateConstraint( stage.body, &hold, &id ), gel_success ); // there is room now
	gelStage_Step( &stage, 3 );
	assert_int_equal( heap.callCount, calls );
	assert_int_equal( gelBody_SaveState( stage.body, saved, stateBytes ), gel_success );

	gelBodyDef twinDef = def.body;
	twinDef.asset = stage.asset;
	gelBodyId twin;
	assert_int_equal( gelCreateBody( stage.world, &twinDef, &twin ), gel_success );
	heap.failAt = heap.callCount + 1;
	hash = gelBody_HashState( twin );
	assert_int_equal( gelBody_RestoreState( twin, saved, stateBytes ), gel_errorMemory );
	assert_true( gelBody_HashState( twin ) == hash );
	assert_int_equal( gelBody_RestoreState( twin, saved, stateBytes ), gel_success );
	gelStage_Step( &stage, 3 );
	assert_true( gelBody_HashState( twin ) == gelBody_HashState( stage.body ) );
	free( saved );
	gelFreeStage( &stage );
	assert_int_equal( heap.liveCount, 0 );
}

static void TestHalfAnAllocator( void** state )
{
	(void)state;
	gelWorldDef def = gelDefaultWorldDef();
	def.allocator.alloc = HeapAlloc;
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &def, &world ), gel_errorArgument );
}

// Faults of a pack arrive with their place.
static void TestLoadErrors( void** state )
{
	(void)state;
	size_t bytes;
	uint8_t* pack = gelMakeSmallPack( &bytes );
	gelAsset* asset;
	gelLoadError error;
	assert_int_equal( gelLoadAsset( pack, bytes - 64, NULL, &asset, &error ), gel_errorTruncated );
	assert_non_null( error.rule );
	assert_int_equal( gelOpenAsset( pack + 4, bytes - 4, NULL, &asset, &error ), gel_errorAlignment );
	float* node = gelFindPackData( pack, GEL_SECTION_NODE, 0 );
	node[4] = NAN;
	assert_int_equal( gelLoadAsset( pack, bytes, NULL, &asset, &error ), gel_errorChecksum );
	gelRepairPackHashes( pack, bytes );
	assert_int_equal( gelLoadAsset( pack, bytes, NULL, &asset, &error ), gel_errorCorrupt );
	assert_string_equal( error.section, "NODE" );
	assert_int_equal( (int)error.index, 1 );
	assert_true( error.byteOffset > 128 );
	pack[0] = 'X';
	assert_int_equal( gelLoadAsset( pack, bytes, NULL, &asset, &error ), gel_errorNotAPack );
	free( pack );
}

// In place, copied from an odd address, and from a file: the same asset.
static void TestWaysToLoad( void** state )
{
	(void)state;
	size_t bytes;
	uint8_t* pack = gelMakeSmallPack( &bytes );
	uint8_t* odd = malloc( bytes + 1 );
	assert_non_null( odd );
	memcpy( odd + 1, pack, bytes );
	char path[] = "/tmp/gelpack-test-XXXXXX";
	int descriptor = mkstemp( path );
	assert_true( descriptor >= 0 );
	FILE* file = fdopen( descriptor, "wb" );
	assert_non_null( file );
	assert_true( fwrite( pack, 1, bytes, file ) == bytes );
	fclose( file );
	gelAsset* assets[3];
	assert_int_equal( gelOpenAsset( pack, bytes, NULL, assets + 0, NULL ), gel_success );
	assert_int_equal( gelLoadAsset( odd + 1, bytes, NULL, assets + 1, NULL ), gel_success );
	assert_int_equal( gelLoadAssetFile( path, NULL, assets + 2, NULL ), gel_success );
	remove( path );
	free( odd );
	for ( int i = 0; i < 3; ++i )
	{
		gelAssetInfo info = gelAsset_GetInfo( assets[i] );
		assert_int_equal( info.nodeCount, 12 );
		assert_int_equal( info.tetCount, 10 );
		assert_true( fabsf( info.volume - 2.0f ) < 1e-5f );
		assert_true( info.mass > 0.0f );
		assert_true( info.packBytes == bytes );
		assert_int_equal( gelAsset_GetFactors( assets[i], NULL, 0 ), info.factorCount );
		gelFactorInfo factors[2];
		assert_int_equal( gelAsset_GetFactors( assets[i], factors, 2 ), 2 );
		assert_true( factors[0].step == (float)GEL_SMALL_PACK_STEP );
		gelDestroyAsset( assets[i] );
	}
	free( pack );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestVersionAndNames ),
		cmocka_unit_test( TestDefsNeedTheirDefault ),
		cmocka_unit_test( TestNullArguments ),
		cmocka_unit_test( TestNotANumber ),
		cmocka_unit_test( TestStaleIdsAndCapacity ),
		cmocka_unit_test( TestMissingFactor ),
		cmocka_unit_test( TestPinTargets ),
		cmocka_unit_test( TestNonFiniteIsPutBack ),
		cmocka_unit_test( TestLossIsToldOnce ),
		cmocka_unit_test( TestLockedDuringStep ),
		cmocka_unit_test( TestEveryAllocationFailsOnce ),
		cmocka_unit_test( TestRowsComeWithTheFirstConstraint ),
		cmocka_unit_test( TestHalfAnAllocator ),
		cmocka_unit_test( TestLoadErrors ),
		cmocka_unit_test( TestWaysToLoad ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
