// SPDX-License-Identifier: MIT
// Many rays and many bodies: the same as one ray at one body, whatever the order and the threads.
#include "query_stage.h"

#include "query/surface_query.h"
#include "state/world.h"

#include <pthread.h>
#include <stdlib.h>

#define BODIES  50
#define RAYS    300
#define WORKERS 3

// Worker w takes every third range of ten, so that threads meet at the same bodies.
typedef struct Job
{
	gelTaskFcn* task;
	void* taskContext;
	int itemCount, worker;
} Job;

static void* RunJob( void* argument )
{
	const Job* job = argument;
	for ( int i = 10 * job->worker; i < job->itemCount; i += 10 * WORKERS )
		job->task( i, i + 10 < job->itemCount ? i + 10 : job->itemCount, job->worker, job->taskContext );
	return NULL;
}

static void ParallelFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	++*(int*)context;
	pthread_t threads[WORKERS];
	Job jobs[WORKERS];
	for ( int w = 0; w < WORKERS; ++w )
	{
		jobs[w] = ( Job ){ task, taskContext, itemCount, w };
		if ( pthread_create( threads + w, NULL, RunJob, jobs + w ) != 0 ) abort();
	}
	for ( int w = 0; w < WORKERS; ++w )
		pthread_join( threads[w], NULL );
}

typedef struct Crowd
{
	gelQueryStage stage; // for its asset
	gelWorldId world;
	gelBodyId bodies[BODIES];
	gelRay rays[RAYS];
	int parallelCount;
} Crowd;

// Bodies in a heap, every fifth at the place of the one before it: equal fractions.
static Crowd* MakeCrowd( bool hasTasks )
{
	Crowd* crowd = calloc( 1, sizeof( Crowd ) );
	assert_non_null( crowd );
	crowd->stage = gelMakeQueryStage( gel_queryTorus );
	gelRandom random = { 3 };
	gelWorldDef def = gelDefaultWorldDef();
	if ( hasTasks ) def.tasks = ( gelTaskSystem ){ ParallelFor, &crowd->parallelCount, WORKERS };
	assert_int_equal( gelCreateWorld( &def, &crowd->world ), gel_success );
	gelVec3 position = { 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < BODIES; ++i )
	{
		gelBodyDef bodyDef = gelDefaultBodyDef();
		bodyDef.asset = crowd->stage.asset;
		if ( i % 5 != 4 ) position = gelRandomVec3( &random, 4.0 );
		bodyDef.transform.position = position;
		assert_int_equal( gelCreateBody( crowd->world, &bodyDef, crowd->bodies + i ), gel_success );
	}
	for ( int i = 0; i < RAYS; ++i )
		crowd->rays[i] = gelMakeRayThrough( gelRandomVec3( &random, 8.0 ), gelRandomVec3( &random, 4.0 ) );
	return crowd;
}

static void FreeCrowd( Crowd* crowd )
{
	gelDestroyWorld( crowd->world );
	gelFreeQueryStage( &crowd->stage );
	free( crowd );
}

static void CompareHits( const gelRayHit* a, const gelRayHit* b )
{
	assert_int_equal( a->isHit, b->isHit );
	if ( !a->isHit ) return;
	assert_true( a->body.index1 == b->body.index1 && a->cellTriangle == b->cellTriangle );
	assert_memory_equal( &a->fraction, &b->fraction, sizeof( float ) );
	assert_memory_equal( &a->position, &b->position, sizeof( gelVec3 ) );
	assert_memory_equal( a->weight, b->weight, sizeof( a->weight ) );
}

// More bodies on the way than one round of candidates takes.
static void TestNearestOfMany( void** state )
{
	(void)state;
	Crowd* crowd = MakeCrowd( false );
	int hits = 0, ties = 0, mostOnTheWay = 0;
	for ( int i = 0; i < RAYS; ++i )
	{
		gelRayHit best = { .isHit = false }, hit;
		int onTheWay = 0;
		for ( int b = 0; b < BODIES; ++b )
		{
			double entry;
			onTheWay += gelEnterBody( gelGetBody( crowd->bodies[b] ), crowd->rays + i, 1.0, &entry );
			assert_int_equal( gelBody_CastRay( crowd->bodies[b], crowd->rays + i, &hit ), gel_success );
			ties += hit.isHit && best.isHit && hit.fraction == best.fraction;
			if ( hit.isHit && ( !best.isHit || hit.fraction < best.fraction ) ) best = hit;
		}
		assert_int_equal( gelWorld_CastRay( crowd->world, crowd->rays + i, &hit ), gel_success );
		CompareHits( &hit, &best );
		hits += hit.isHit;
		mostOnTheWay = onTheWay > mostOnTheWay ? onTheWay : mostOnTheWay;
	}
	assert_true( hits > 100 && ties > 10 && mostOnTheWay > 6 );
	FreeCrowd( crowd );
}

static bool SkipAll( gelBodyId bodyId, void* context )
{
	(void)bodyId;
	++*(int*)context;
	return false;
}

// All bodies at one place, and none may be hit: every one is asked once, in several rounds.
static void TestAllCandidates( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	for ( int i = 1; i < BODIES; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		gelBodyId body;
		def.asset = stage.asset;
		def.transform.position.x = i % 2 ? 0.0f : 0.01f * (float)i;
		assert_int_equal( gelCreateBody( stage.world, &def, &body ), gel_success );
	}
	int asked = 0;
	gelRayHit hit;
	gelRay ray = gelMakeRayThrough( ( gelVec3 ){ -5.0f, 0.0f, 0.0f }, ( gelVec3 ){ 1.0f, 0.0f, 0.0f } );
	ray.filter = SkipAll;
	ray.filterContext = &asked;
	assert_int_equal( gelWorld_CastRay( stage.world, &ray, &hit ), gel_success );
	assert_true( !hit.isHit );
	assert_int_equal( asked, BODIES );
	gelFreeQueryStage( &stage );
}

// After a step no coarse tree is up to date: the threads that come first refit them.
static void TestManyRays( void** state )
{
	(void)state;
	Crowd *alone = MakeCrowd( false ), *together = MakeCrowd( true );
	gelRayHit one, *many = calloc( RAYS, sizeof( gelRayHit ) );
	int hits = 0;
	for ( int step = 0; step < 3; ++step )
	{
		assert_int_equal( gelWorld_Step( alone->world, (float)( 1.0 / 60.0 ) ), gel_success );
		assert_int_equal( gelWorld_Step( together->world, (float)( 1.0 / 60.0 ) ), gel_success );
		int before = together->parallelCount;
		assert_int_equal( gelWorld_CastRays( together->world, together->rays, RAYS, many ), gel_success );
		assert_int_equal( together->parallelCount, before + 1 );
		for ( int i = 0; i < RAYS; ++i, hits += one.isHit )
		{
			assert_int_equal( gelWorld_CastRay( alone->world, alone->rays + i, &one ), gel_success );
			CompareHits( many + i, &one );
		}
		assert_int_equal( gelBody_CastRays( together->bodies[1], together->rays, RAYS, many ), gel_success );
		for ( int i = 0; i < RAYS; ++i )
		{
			assert_int_equal( gelBody_CastRay( alone->bodies[1], alone->rays + i, &one ), gel_success );
			CompareHits( many + i, &one );
		}
	}
	assert_true( hits > 100 );
	free( many );
	FreeCrowd( alone );
	FreeCrowd( together );
}

static void TestBadRays( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelRay rays[3] = { gelMakeRayThrough( ( gelVec3 ){ 0, 5, 0 }, ( gelVec3 ){ 0, 0, 0 } ), gelDefaultRay(),
		gelDefaultRay() };
	gelRayHit hits[3];
	gelBodyId none = { 0 };
	rays[2] = rays[1] = rays[0];
	rays[1].maxFraction = NAN;
	assert_int_equal( gelBody_CastRays( stage.body, rays, 3, hits ), gel_errorArgument );
	assert_true( !hits[0].isHit && !hits[1].isHit && !hits[2].isHit );
	assert_int_equal( gelWorld_CastRays( stage.world, rays, 3, hits ), gel_errorArgument );
	rays[1] = rays[0];
	assert_int_equal( gelBody_CastRays( stage.body, rays, -1, hits ), gel_errorArgument );
	assert_int_equal( gelBody_CastRays( stage.body, NULL, 3, hits ), gel_errorArgument );
	assert_int_equal( gelWorld_CastRays( stage.world, rays, 3, NULL ), gel_errorArgument );
	assert_int_equal( gelWorld_CastRays( ( gelWorldId ){ 0 }, rays, 3, hits ), gel_errorArgument );
	assert_int_equal( gelBody_CastRays( none, rays, 3, hits ), gel_errorStaleId );
	assert_int_equal( gelBody_CastRays( stage.body, NULL, 0, NULL ), gel_success );
	assert_int_equal( gelBody_CastRays( stage.body, rays, 3, hits ), gel_success );
	assert_true( hits[0].isHit && hits[1].isHit && hits[2].isHit );
	stage.body.world->isLocked = true;
	assert_int_equal( gelBody_CastRays( stage.body, rays, 3, hits ), gel_errorLocked );
	assert_int_equal( gelWorld_CastRays( stage.world, rays, 3, hits ), gel_errorLocked );
	stage.body.world->isLocked = false;
	gelFreeQueryStage( &stage );
}

// The box of a body has the same bits whether the coarse tree can be read or not.
static void TestBoundsOfStuckRefit( void** state )
{
	(void)state;
	for ( int art = 0; art < gel_queryArtCount; ++art )
	{
		gelQueryStage stage = gelMakeQueryStage( (gelQueryArt)art );
		gelRandom random = { 61 + (uint64_t)art };
		for ( int shape = 0; shape < gel_shapeCount; ++shape )
		{
			gelQueryStage_Deform( &stage, (gelQueryShape)shape, &random );
			gelAabb fast = gelBody_GetBounds( stage.body );
			assert_int_equal( atomic_load( &stage.inside->coarseState ), gel_coarseFresh );
			atomic_store( &stage.inside->coarseState, gel_coarseBusy );
			gelAabb slow = gelBody_GetBounds( stage.body );
			atomic_store( &stage.inside->coarseState, gel_coarseStale );
			assert_memory_equal( &fast, &slow, sizeof( fast ) );
		}
		gelFreeQueryStage( &stage );
	}
}

// A thread that began to refit and gets no more time: the others find the same without the tree.
static void TestStuckRefit( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelRandom random = { 5 };
	gelQueryStage_Deform( &stage, gel_shapeBent, &random );
	gelRay ray = gelMakeRayThrough( ( gelVec3 ){ 0.1f, 5.0f, 0.2f }, ( gelVec3 ){ 0.1f, 0.0f, 0.2f } );
	gelRayHit fast, slow;
	bool isInside = false;
	assert_int_equal( gelBody_CastRay( stage.body, &ray, &fast ), gel_success );
	atomic_store( &stage.inside->coarseState, gel_coarseBusy );
	assert_int_equal( gelBody_CastRay( stage.body, &ray, &slow ), gel_success );
	assert_true( fast.isHit );
	CompareHits( &fast, &slow );
	assert_int_equal(
		gelBody_ContainsPoint( stage.body, ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, &isInside ), gel_success );
	assert_true( isInside );
	gelAabb box = gelBody_GetBounds( stage.body );
	for ( int i = 0; i < stage.info.patchVertexCount; ++i )
	{
		gelVec3 v = stage.vertices[i];
		assert_true( v.x >= box.min.x && v.y >= box.min.y && v.z >= box.min.z );
		assert_true( v.x <= box.max.x && v.y <= box.max.y && v.z <= box.max.z );
	}
	atomic_store( &stage.inside->coarseState, gel_coarseStale );
	gelFreeQueryStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestNearestOfMany ),
		cmocka_unit_test( TestAllCandidates ),
		cmocka_unit_test( TestManyRays ),
		cmocka_unit_test( TestBadRays ),
		cmocka_unit_test( TestStuckRefit ),
		cmocka_unit_test( TestBoundsOfStuckRefit ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
