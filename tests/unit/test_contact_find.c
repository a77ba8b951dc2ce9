// SPDX-License-Identifier: MIT
// Trees leave nothing out: what they find is what testing all triangles finds, whatever the bodies look like.
#include "test_support.h"

#include "contact_find.h"
#include "query_stage.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY 400000u

typedef struct Side
{
	gelQueryStage stage;
	gelContactSurface surface;
	gelDop* boxes;
} Side;

static Side MakeSide( gelQueryArt art )
{
	Side side = { .stage = gelMakeQueryStage( art ) };
	const gelPackHeader* header = side.stage.inside->asset->pack.header;
	side.surface.pack = &side.stage.inside->asset->pack;
	side.boxes = aligned_alloc( 64, ( 2 * (size_t)header->cdgTetCount - 1 ) * sizeof( gelDop ) );
	assert_non_null( side.boxes );
	side.surface.boxes = side.boxes;
	side.surface.points = calloc( header->cdgVertexCount, sizeof( gelGridPoint ) );
	side.surface.patchStamps = calloc( header->cdgPatchCount, sizeof( uint32_t ) );
	assert_true( side.surface.points && side.surface.patchStamps );
	return side;
}

static void FreeSide( Side* side )
{
	free( side->boxes );
	free( side->surface.points );
	free( side->surface.patchStamps );
	gelFreeQueryStage( &side->stage );
}

// As the body is now; body space is where it is.
static void Look( Side* side )
{
	gelBody* body = side->stage.inside;
	side->surface.nodes = body->x;
	gelRefitCells( side->surface.pack, body->x, side->boxes );
	memcpy( side->surface.origin, body->origin, sizeof( body->origin ) );
	++side->surface.stamp;
}

static gelTrianglePairs MakePairs( void )
{
	gelTrianglePairs pairs = { .capacity = CAPACITY };
	pairs.items = malloc( CAPACITY * sizeof( gelTrianglePair ) );
	assert_non_null( pairs.items );
	return pairs;
}

// Both ways for the bodies as they are. Returns the number of pairs.
static uint32_t Compare( Side* a, Side* b, gelTrianglePairs* found, gelTrianglePairs* all )
{
	Look( a );
	Look( b );
	found->count = all->count = found->testCount = all->testCount = 0;
	if ( !gelContactSurface_Pair( &a->surface, &b->surface ) ) return 0;
	gelFindTrianglePairs( &a->surface, &b->surface, found );
	++a->surface.stamp;
	++b->surface.stamp;
	gelFindTrianglePairs_Ref( &a->surface, &b->surface, all );
	assert_int_equal( found->lostCount, 0 );
	assert_int_equal( found->count, all->count );
	assert_memory_equal( found->items, all->items, found->count * sizeof( gelTrianglePair ) );
	return found->count;
}

static void Move( Side* side, gelVec3 translation )
{
	assert_int_equal(
		gelBody_Teleport( side->stage.body, ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f }, translation ),
		gel_success );
}

static void TestEqualsBruteForce( void** state )
{
	(void)state;
	gelRandom random = { 21 };
	Side a = MakeSide( gel_queryTorus ), b = MakeSide( gel_queryBall );
	gelTrianglePairs found = MakePairs(), all = MakePairs();
	uint64_t pairs = 0, tests = 0, allTests = 0;
	for ( int shape = 0; shape < gel_shapeCount; ++shape )
	{
		gelQueryStage_Deform( &a.stage, (gelQueryShape)shape, &random );
		gelQueryStage_Deform( &b.stage, shape % 2 == 0 ? gel_shapeBent : (gelQueryShape)shape, &random );
		if ( shape == gel_shapeFar ) Move( &b, gelMakeVec3( 1e4f, -2e3f, 3e3f ) );
		Move( &b, gelRandomVec3( &random, 0.5 ) );
		pairs += Compare( &a, &b, &found, &all );
		tests += found.testCount;
		allTests += all.testCount;
	}
	assert_true( pairs > 1000 );
	assert_true( 20 * tests < allTests ); // the trees are of use
	free( found.items );
	free( all.items );
	FreeSide( &a );
	FreeSide( &b );
}

// The same mesh in the same place: every sign is a tie.
static void TestIdenticalBodies( void** state )
{
	(void)state;
	gelRandom random = { 22 };
	Side a = MakeSide( gel_queryBall ), b = MakeSide( gel_queryBall );
	gelTrianglePairs found = MakePairs(), all = MakePairs();
	for ( int round = 0; round < 2; ++round )
	{
		gelQueryStage_Deform( &a.stage, round == 0 ? gel_shapeRest : gel_shapeBent, &random );
		assert_int_equal(
			gelBody_SetNodeState( b.stage.body, a.stage.nodes, a.stage.zeros, a.stage.info.nodeCount ),
			gel_success );
		assert_true( Compare( &a, &b, &found, &all ) > 0 );
	}
	free( found.items );
	free( all.items );
	FreeSide( &a );
	FreeSide( &b );
}

// Without room the rest is counted, not written.
static void TestNoRoom( void** state )
{
	(void)state;
	Side a = MakeSide( gel_queryBall ), b = MakeSide( gel_queryBall );
	gelTrianglePairs pairs = MakePairs();
	Move( &b, gelMakeVec3( 0.31f, 0.17f, -0.23f ) );
	Look( &a );
	Look( &b );
	assert_true( gelContactSurface_Pair( &a.surface, &b.surface ) );
	gelFindTrianglePairs( &a.surface, &b.surface, &pairs );
	uint32_t full = pairs.count;
	assert_true( full > 20 );
	pairs.count = pairs.lostCount = 0;
	pairs.capacity = 10;
	gelFindTrianglePairs( &a.surface, &b.surface, &pairs );
	assert_int_equal( pairs.count, 10 );
	assert_int_equal( pairs.lostCount, full - 10 );
	free( pairs.items );
	FreeSide( &a );
	FreeSide( &b );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestEqualsBruteForce ),
		cmocka_unit_test( TestIdenticalBodies ),
		cmocka_unit_test( TestNoRoom ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
