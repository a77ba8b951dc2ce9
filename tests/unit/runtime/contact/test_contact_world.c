// SPDX-License-Identifier: MIT
// Contact as part of a world: no bit depends on threads or on what happens elsewhere, capacities and filters
// hold, sleepers wake, states come back, and NaN does not spread.
#include "test_support.h"

#include "contact_scene.h"
#include "test_pool.h"
#include "contact/response/island_parts.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

#define MAX_WORKERS 4

// ---- a heap of boxes ------------------------------------------------------------------------------------

#define HEAP 8

static gelShapeDef MakeSmallBox( void )
{
	gelShapeDef shape = gelDefaultShapeDef();
	shape.cells[0] = shape.cells[1] = shape.cells[2] = 2;
	shape.size[0] = shape.size[1] = shape.size[2] = 0.5;
	return shape;
}

// Two towers, and boxes that fall between them; every third body is implicit.
static gelContactScene MakeHeap( const gelWorldDef* def, bool enableSleep )
{
	gelContactScene scene = gelMakeContactScene( def, 1.0 / 60.0 );
	gelShapeDef shape = MakeSmallBox();
	int box = gelContactScene_AddShape( &scene, &shape );
	for ( int i = 0; i < HEAP; ++i )
	{
		gelBodyDef body = gelDefaultBodyDef();
		body.enableSleep = enableSleep;
		body.solver = gelDefaultSolverDef( i % 3 == 2 ? gel_solverImplicit : gel_solverFastCorotated );
		body.angularVelocity = ( gelVec3 ){ 0.3f * (float)i, 0.0f, 0.1f };
		gelContactScene_AddBody( &scene, box, &body,
			( gelVec3 ){
				0.31f * (float)( i % 3 ), 0.02f + 0.53f * (float)( i / 2 ), 0.1f * (float)( i % 2 ) } );
	}
	return scene;
}

static void HashAll( const gelContactScene* scene, uint64_t out[HEAP] )
{
	for ( int i = 0; i < scene->bodyCount; ++i )
		out[i] = gelBody_HashState( scene->bodies[i] );
}

static gelWorldDef MakeWorldDef( void )
{
	gelWorldDef def = gelDefaultWorldDef();
	def.hasGround = true;
	return def;
}

static void TestThreadsChangeNothing( void** state )
{
	(void)state;
	uint64_t wanted[HEAP], hashes[HEAP];
	for ( int workers = 1; workers <= MAX_WORKERS; ++workers )
	{
		gelWorldDef def = MakeWorldDef();
		if ( workers > 1 ) def.tasks = ( gelTaskSystem ){ gelTestPool_ParallelFor, &workers, workers };
		gelContactScene scene = MakeHeap( &def, false );
		gelContactScene_Step( &scene, 40 ); // before they have fallen apart
		assert_true( gelWorld_GetContactCounters( scene.world ).touchingPairCount >= 4 );
		HashAll( &scene, workers == 1 ? wanted : hashes );
		if ( workers > 1 ) assert_memory_equal( wanted, hashes, sizeof( wanted ) );
		gelFreeContactScene( &scene );
	}
}

// With room for a few contacts only, the deepest are kept, the same ones whoever finds them.
static void TestFullLists( void** state )
{
	(void)state;
	uint64_t wanted[HEAP], hashes[HEAP];
	int droppedBefore = 0;
	for ( int workers = 1; workers <= MAX_WORKERS; workers += 3 )
	{
		gelWorldDef def = MakeWorldDef();
		def.contactCapacity = 24;
		if ( workers > 1 ) def.tasks = ( gelTaskSystem ){ gelTestPool_ParallelFor, &workers, workers };
		gelContactScene scene = MakeHeap( &def, false );
		int dropped = 0;
		for ( int i = 0; i < 40; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			gelContactCounters counters = gelWorld_GetContactCounters( scene.world );
			assert_true( counters.contactCount <= 24 );
			if ( counters.droppedContactCount > 0 ) assert_int_equal( counters.contactCount, 24 );
			dropped += counters.droppedContactCount;
		}
		assert_true( dropped > 100 );
		HashAll( &scene, workers == 1 ? wanted : hashes );
		if ( workers > 1 ) assert_memory_equal( wanted, hashes, sizeof( wanted ) );
		if ( workers > 1 ) assert_int_equal( dropped, droppedBefore );
		droppedBefore = dropped;
		gelFreeContactScene( &scene );
	}
	gelWorldDef def = MakeWorldDef();
	def.contactPairCapacity = 2;
	gelContactScene scene = MakeHeap( &def, false );
	gelContactScene_Step( &scene, 20 );
	gelContactCounters counters = gelWorld_GetContactCounters( scene.world );
	assert_true( counters.pairCount <= 2 && counters.droppedPairCount > 0 );
	gelFreeContactScene( &scene );
}

// Bodies that touch nobody have the bits that they would have in a world without contact.
static void TestOthersAreLeftAlone( void** state )
{
	(void)state;
	uint64_t hashes[2];
	for ( int k = 0; k < 2; ++k )
	{
		gelWorldDef def = MakeWorldDef();
		gelContactScene scene = MakeHeap( &def, false );
		gelBodyDef body = gelDefaultBodyDef();
		body.angularVelocity.x = 3.0f;
		int loner = gelContactScene_AddBody( &scene, 0, &body, ( gelVec3 ){ 5.0f, 1.0f, 0.0f } );
		if ( k == 1 ) assert_int_equal( gelWorld_EnableContact( scene.world, false ), gel_success );
		gelContactScene_Step( &scene, 60 );
		hashes[k] = gelBody_HashState( scene.bodies[loner] );
		assert_int_equal( gelWorld_GetContactCounters( scene.world ).contactCount > 0, k == 0 );
		gelFreeContactScene( &scene );
	}
	assert_true( hashes[0] == hashes[1] );
}

#define PILE 24

// A block of boxes that is one large island, which all threads solve together (island_parts.h).
static void TestLargeIslands( void** state )
{
	(void)state;
	uint64_t wanted = 0;
	for ( int workers = 1; workers <= MAX_WORKERS; ++workers )
	{
		gelWorldDef def = MakeWorldDef();
		if ( workers > 1 ) def.tasks = ( gelTaskSystem ){ gelTestPool_ParallelFor, &workers, workers };
		gelContactScene scene = gelMakeContactScene( &def, 1.0 / 60.0 );
		gelShapeDef shape = MakeSmallBox();
		int box = gelContactScene_AddShape( &scene, &shape );
		for ( int i = 0; i < PILE; ++i )
			gelContactScene_AddBody( &scene, box, NULL,
				( gelVec3 ){
					0.49f * (float)( i % 3 ), 0.49f * (float)( i / 12 ), 0.49f * (float)( i / 3 % 4 ) } );
		gelContactScene_Step( &scene, 20 );
		const gelContactStep* step = scene.world.world->contact;
		assert_int_equal( step->islandCount, 1 );
		assert_true( gelIsLargeIsland( step->islands ) );
		if ( workers == 1 ) wanted = gelWorld_HashState( scene.world );
		assert_true( gelWorld_HashState( scene.world ) == wanted );
		gelFreeContactScene( &scene );
	}
}

// Bodies of one asset step side by side in lanes; a group that does not fill them gives each body what it
// would get alone, also with the loads of its contacts.
static void TestGroupsChangeNothing( void** state )
{
	(void)state;
	uint64_t alone = 0;
	for ( int count = 1; count <= 14; count += count == 1 ? 4 : 1 )
	{
		gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
		gelShapeDef shape = MakeSmallBox();
		int box = gelContactScene_AddShape( &scene, &shape );
		gelBodyDef body = gelDefaultBodyDef();
		body.contactFilter.mask = 0; // all of them at the same place
		for ( int i = 0; i < count; ++i )
			gelContactScene_AddBody( &scene, box, &body, ( gelVec3 ){ 0.0f, 0.01f, 0.0f } );
		gelContactScene_Step( &scene, 30 );
		for ( int i = 0; i < count; ++i )
		{
			if ( count == 1 ) alone = gelBody_HashState( scene.bodies[i] );
			assert_true( gelBody_HashState( scene.bodies[i] ) == alone );
		}
		gelFreeContactScene( &scene );
	}
}

// The heights of the boxes of a tower of two.
static double GetTop( bool swapped, float offset )
{
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = MakeSmallBox();
	int box = gelContactScene_AddShape( &scene, &shape );
	for ( int i = 0; i < 2; ++i )
	{
		bool isTop = ( i == 1 ) != swapped;
		gelContactScene_AddBody( &scene, box, NULL,
			( gelVec3 ){ isTop ? offset : 0.0f, isTop ? 0.51f : 0.0f, isTop ? 0.01f : 0.0f } );
	}
	gelContactScene_Step( &scene, 240 );
	double top = gelBody_GetDynamics( scene.bodies[swapped ? 0 : 1] ).centerOfMass.y;
	gelFreeContactScene( &scene );
	return top;
}

// Who was created first is who is called A: bits differ, the outcome does not.
static void TestOrderOfCreation( void** state )
{
	(void)state;
	assert_true( fabs( GetTop( false, 0.02f ) - GetTop( true, 0.02f ) ) < 1e-3 );
}

static void TestFilters( void** state )
{
	(void)state;
	static const struct
	{
		gelContactFilter a, b;
		bool touch;
	} cases[] = {
		{ { 1, 0xFFFFFFFFu }, { 1, 0xFFFFFFFFu }, true },
		{ { 1, 2 }, { 2, 1 }, true },
		{ { 1, 2 }, { 2, 2 }, false }, // only one of them wants
		{ { 1, 1 }, { 2, 1 }, false },
		{ { 0, 0xFFFFFFFFu }, { 1, 0xFFFFFFFFu }, false },
		{ { 0x80000000u, 4 }, { 4, 0x80000000u }, true },
	};
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = MakeSmallBox();
	int box = gelContactScene_AddShape( &scene, &shape );
	for ( int i = 0; i < 2; ++i )
		gelContactScene_AddBody( &scene, box, NULL, ( gelVec3 ){ 0.02f, 0.48f * (float)i, 0.01f } );
	for ( int i = 0; i < (int)( sizeof( cases ) / sizeof( cases[0] ) ); ++i )
	{
		gelBody_SetContactFilter( scene.bodies[0], cases[i].a );
		gelBody_SetContactFilter( scene.bodies[1], cases[i].b );
		gelContactFilter filter = gelBody_GetContactFilter( scene.bodies[1] );
		assert_true( filter.category == cases[i].b.category && filter.mask == cases[i].b.mask );
		for ( int k = 0; k < 2; ++k )
			gelBody_Reset( scene.bodies[k],
				( gelTransform ){ ( gelVec3 ){ 0.02f, 0.48f * (float)k, 0.01f },
					( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f } } );
		gelContactScene_Step( &scene, 1 );
		assert_int_equal( gelWorld_GetContactCounters( scene.world ).touchingPairCount, cases[i].touch );
	}
	// and one by one, and without a def that allows it
	assert_int_equal( gelBody_EnableContact( scene.bodies[0], false ), gel_success );
	gelContactScene_Step( &scene, 1 );
	assert_int_equal( gelWorld_GetContactCounters( scene.world ).pairCount, 0 );
	assert_false( gelBody_IsContactEnabled( scene.bodies[0] ) );
	gelBodyDef def = gelDefaultBodyDef();
	def.enableContact = false;
	int ghost = gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.0f, 0.2f, 0.0f } );
	assert_int_equal( gelBody_EnableContact( scene.bodies[ghost], true ), gel_errorUnsupported );
	gelContactScene_Step( &scene, 1 );
	assert_int_equal( gelWorld_GetContactCounters( scene.world ).pairCount, 0 );
	gelFreeContactScene( &scene );
}

// Impulses of the list carry the weight of what lies on top.
static void TestListCarriesTheWeight( void** state )
{
	(void)state;
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = MakeSmallBox();
	int box = gelContactScene_AddShape( &scene, &shape );
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSleep = false; // sleepers list nothing
	for ( int i = 0; i < 2; ++i )
		gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.02f * (float)i, 0.5f * (float)i, 0.0f } );
	gelContactScene_Step( &scene, 240 );
	gelContact contacts[512];
	int count = gelWorld_GetContacts( scene.world, contacts, 512 );
	assert_true( count > 8 && count <= 512 );
	double weight = 9.81 * gelBody_GetDynamics( scene.bodies[1] ).mass / 60.0, sum = 0.0, area = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		const gelContact* c = contacts + i;
		if ( c->bodyB.index1 == 0 ) continue; // the ground
		assert_true( c->bodyA.index1 == scene.bodies[0].index1 && c->bodyB.index1 == scene.bodies[1].index1 );
		assert_true( c->normal.y < -0.9f ); // from B, on top, to A
		assert_true( c->depth >= 0.0f && c->depth < 0.005f && c->materialA == 0 && c->materialB == 0 );
		assert_true( fabsf( c->pointA.y - 0.47f ) < 0.03f && fabsf( c->pointB.y - c->pointA.y ) < 0.005f );
		sum += c->impulse.y;
		area += c->area;
	}
	assert_true( fabs( -sum - weight ) < 0.02 * weight );
	assert_true( area > 0.5 * 0.25 && area < 2.5 * 0.25 ); // both sides of most of a face
	gelContact first;
	assert_int_equal( gelWorld_GetContacts( scene.world, &first, 1 ), count );
	assert_memory_equal( &first, contacts, sizeof( first ) );
	gelDestroyBody( scene.bodies[1] );
	count = gelWorld_GetContacts( scene.world, contacts, 512 );
	for ( int i = 0; i < count; ++i ) // nothing but the ground is left
		assert_true( contacts[i].bodyB.index1 == 0 && contacts[i].normal.y == 1.0f );
	gelFreeContactScene( &scene );
}

// ---- sleep ----------------------------------------------------------------------------------------------

// A tower falls asleep as one and keeps its bits; touched at its foot, it wakes up to the top in one step.
static void TestTowerSleepsAndWakes( void** state )
{
	(void)state;
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = MakeSmallBox();
	shape.youngsModulus = 1e6;
	int box = gelContactScene_AddShape( &scene, &shape );
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSleep = true;
	for ( int i = 0; i < 3; ++i )
		gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.01f * (float)i, 0.5f * (float)i, 0.0f } );
	bool wasPartlyAsleep = false;
	for ( int i = 0; i < 240; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		int awake = gelWorld_GetCounters( scene.world ).awakeBodyCount;
		wasPartlyAsleep = wasPartlyAsleep || ( awake != 0 && awake != 3 );
	}
	assert_int_equal( gelWorld_GetCounters( scene.world ).awakeBodyCount, 0 );
	assert_false( wasPartlyAsleep );
	uint64_t before[HEAP], after[HEAP];
	HashAll( &scene, before );
	gelContactScene_Step( &scene, 30 );
	HashAll( &scene, after );
	assert_memory_equal( before, after, 3 * sizeof( before[0] ) );
	assert_int_equal( gelWorld_GetContactCounters( scene.world ).pairCount, 0 );

	def.linearVelocity.x = -3.0f;
	gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.6f, 0.01f, 0.0f } );
	int woken = 0;
	for ( int i = 0; i < 30 && woken == 0; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		woken = gelWorld_GetContactCounters( scene.world ).wokenBodyCount;
	}
	assert_int_equal( woken, 3 );
	assert_int_equal( gelWorld_GetCounters( scene.world ).awakeBodyCount, 4 );
	gelFreeContactScene( &scene );
}

// ---- states ---------------------------------------------------------------------------------------------

static void TestStatesComeBack( void** state )
{
	(void)state;
	gelWorldDef def = MakeWorldDef();
	gelContactScene scene = MakeHeap( &def, true );
	gelContactScene_Step( &scene, 30 );
	size_t bytes = gelWorld_GetStateBytes( scene.world );
	void* memory = malloc( bytes );
	assert_non_null( memory );
	assert_int_equal( gelWorld_SaveState( scene.world, memory, bytes ), gel_success );
	uint64_t wanted[HEAP], hashes[HEAP];
	gelContactScene_Step( &scene, 40 );
	HashAll( &scene, wanted );
	gelContactScene_Step( &scene, 7 );
	assert_int_equal( gelWorld_RestoreState( scene.world, memory, bytes ), gel_success );
	assert_int_equal( gelWorld_GetContacts( scene.world, NULL, 0 ), 0 );
	gelContactScene_Step( &scene, 40 );
	HashAll( &scene, hashes );
	assert_memory_equal( wanted, hashes, sizeof( wanted ) );
	free( memory );
	gelFreeContactScene( &scene );
}

// ---- what must not happen -------------------------------------------------------------------------------

// A body that a force tears apart is put back; those that it touches do not even twitch.
static void TestNanDoesNotSpread( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
		gelShapeDef shape = MakeSmallBox();
		shape.youngsModulus = 1e6;
		int box = gelContactScene_AddShape( &scene, &shape );
		gelBodyDef def = gelDefaultBodyDef();
		def.solver = gelDefaultSolverDef( k == 0 ? gel_solverFastCorotated : gel_solverImplicit );
		for ( int i = 0; i < 3; ++i )
			gelContactScene_AddBody(
				&scene, box, &def, ( gelVec3 ){ 0.01f * (float)i, 0.5f * (float)i, 0.0f } );
		gelContactScene_Step( &scene, 60 );
		gelBody* middle = gelGetBody( scene.bodies[1] );
		for ( int i = 0; i < middle->asset->nodeCount; ++i )
			middle->forces[i] = ( gelVec3 ){ i % 2 == 0 ? 3e38f : -3e38f, 3e38f, -3e38f };
		middle->hasForces = true;
		assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
		assert_int_equal( gelWorld_GetCounters( scene.world ).nonFiniteBodyCount, 1 );
		for ( int i = 0; i < 60; ++i )
		{
			assert_int_equal( gelWorld_Step( scene.world, scene.step ), gel_success );
			for ( int b = 0; b < 3; ++b )
				assert_true( gelGetFastestNode( scene.bodies[b] ) < 1.0 );
		}
		assert_int_equal( gelWorld_GetCounters( scene.world ).nonFiniteBodyCount, 1 );
		assert_true( gelBody_GetDynamics( scene.bodies[2] ).centerOfMass.y > 1.1f );
		gelFreeContactScene( &scene );
	}
}

// Bodies at one and the same place, and one inside of another: no NaN, no explosion, and they part.
static void TestBodiesInsideEachOther( void** state )
{
	(void)state;
	for ( int k = 0; k < 3; ++k )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
		gelContactScene scene = gelMakeContactScene( &worldDef, 1.0 / 60.0 );
		gelShapeDef shape = MakeSmallBox(), large = gelDefaultShapeDef();
		int box = gelContactScene_AddShape( &scene, &shape ),
			outer = gelContactScene_AddShape( &scene, &large );
		gelContactScene_AddBody( &scene, k == 1 ? outer : box, NULL, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		float shift = k == 0 ? 0.0f : k == 1 ? 0.2f : 0.05f;
		gelContactScene_AddBody( &scene, box, NULL, ( gelVec3 ){ shift, 1.5f * shift, shift } );
		double fastest = 0.0;
		for ( int i = 0; i < 120; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			for ( int b = 0; b < 2; ++b )
				fastest = fmax( fastest, gelGetFastestNode( scene.bodies[b] ) );
		}
		assert_true( fastest < 10.0 );
		if ( k > 0 ) assert_true( gelContactScene_GetDepth( &scene ) < 0.02 );
		gelFreeContactScene( &scene );
	}
}

// ---- memory ---------------------------------------------------------------------------------------------

typedef struct Purse
{
	int left;       // allocations until one fails
	int blockCount; // bodies that are out
} Purse;

static void* TakeMemory( void* context, size_t bytes, size_t alignment )
{
	Purse* purse = context;
	if ( purse->left-- <= 0 ) return NULL;
	++purse->blockCount;
	return aligned_alloc( alignment, ( bytes + alignment - 1 ) / alignment * alignment );
}

static void GiveMemory( void* context, void* memory, size_t bytes )
{
	(void)bytes;
	( (Purse*)context )->blockCount -= memory != NULL;
	free( memory );
}

// Whichever allocation fails, the call says so, nothing is lost, and the world goes on.
static void TestMemoryRunsOut( void** state )
{
	(void)state;
	gelContactScene packs = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef small = MakeSmallBox(), large = gelDefaultShapeDef();
	gelContactScene_AddShape( &packs, &small );
	gelContactScene_AddShape( &packs, &large ); // needs more scratch memory than the first
	int failureCount = 0;
	for ( int budget = 0; budget < 12; ++budget )
	{
		Purse purse = { budget, 0 };
		gelWorldDef def = gelDefaultWorldDef();
		def.enableContact = true;
		def.allocator = ( gelAllocator ){ TakeMemory, GiveMemory, &purse };
		gelWorldId world;
		gelResult result = gelCreateWorld( &def, &world );
		if ( result != gel_success ) assert_int_equal( purse.blockCount, 0 );
		for ( int i = 0; i < 2 && result == gel_success; ++i )
		{
			gelBodyDef body = gelDefaultBodyDef();
			body.asset = packs.assets[i];
			gelBodyId id;
			result = gelCreateBody( world, &body, &id );
			assert_int_equal( gelWorld_Step( world, packs.step ), gel_success );
		}
		assert_true( result == gel_success || result == gel_errorMemory );
		failureCount += result == gel_errorMemory;
		gelDestroyWorld( world );
		assert_int_equal( purse.blockCount, 0 );
	}
	assert_true( failureCount >= 5 && failureCount < 12 );
	gelFreeContactScene( &packs );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestThreadsChangeNothing ),
		cmocka_unit_test( TestLargeIslands ),
		cmocka_unit_test( TestGroupsChangeNothing ),
		cmocka_unit_test( TestFullLists ),
		cmocka_unit_test( TestOthersAreLeftAlone ),
		cmocka_unit_test( TestOrderOfCreation ),
		cmocka_unit_test( TestFilters ),
		cmocka_unit_test( TestListCarriesTheWeight ),
		cmocka_unit_test( TestTowerSleepsAndWakes ),
		cmocka_unit_test( TestStatesComeBack ),
		cmocka_unit_test( TestNanDoesNotSpread ),
		cmocka_unit_test( TestBodiesInsideEachOther ),
		cmocka_unit_test( TestMemoryRunsOut ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
