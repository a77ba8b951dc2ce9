// SPDX-License-Identifier: MIT
// The game's threads change the speed, never a bit of the result.
#include "test_support.h"

#include "stage.h"

#include <pthread.h>
#include <stdlib.h>

#define BODIES      7
#define MAX_WORKERS 4

// A parallel-for of plain threads: worker w takes every workerCount-th item, or with `reversed` the items
// from the end, one by one.
typedef struct Pool
{
	int workerCount;
	bool reversed;
	int callCount;
} Pool;

typedef struct Job
{
	gelTaskFcn* task;
	void* taskContext;
	int itemCount, worker;
	const Pool* pool;
} Job;

static void* RunJob( void* argument )
{
	const Job* job = argument;
	for ( int i = job->worker; i < job->itemCount; i += job->pool->workerCount )
	{
		int item = job->pool->reversed ? job->itemCount - 1 - i : i;
		job->task( item, item + 1, job->worker, job->taskContext );
	}
	return NULL;
}

static void ParallelFor( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	Pool* pool = context;
	++pool->callCount;
	pthread_t threads[MAX_WORKERS];
	Job jobs[MAX_WORKERS];
	for ( int w = 0; w < pool->workerCount; ++w )
	{
		jobs[w] = ( Job ){ task, taskContext, itemCount, w, pool };
		if ( pthread_create( threads + w, NULL, RunJob, jobs + w ) != 0 ) abort();
	}
	for ( int w = 0; w < pool->workerCount; ++w )
		pthread_join( threads[w], NULL );
}

// Falls, collides with the ground, spins: hashes of all bodies after 80 steps.
static void RunWith(
	const gelAsset* asset, float step, gelSolverMode mode, gelTaskSystem tasks, uint64_t out[BODIES] )
{
	gelWorldDef def = gelDefaultWorldDef();
	def.hasGround = true;
	def.tasks = tasks;
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &def, &world ), gel_success );
	gelBodyId bodies[BODIES];
	for ( int i = 0; i < BODIES; ++i )
	{
		gelBodyDef bodyDef = gelDefaultBodyDef();
		bodyDef.asset = asset;
		bodyDef.solver.fast.mode = mode;
		bodyDef.transform.position = ( gelVec3 ){ 2.0f * (float)i, 0.2f + 0.1f * (float)i, 0.0f };
		bodyDef.angularVelocity = ( gelVec3 ){ (float)i, 1.0f, 0.3f };
		assert_int_equal( gelCreateBody( world, &bodyDef, bodies + i ), gel_success );
	}
	gelDestroyBody( bodies[2] ); // a hole in the list
	for ( int i = 0; i < 80; ++i )
		assert_int_equal( gelWorld_Step( world, step ), gel_success );
	for ( int i = 0; i < BODIES; ++i )
		out[i] = gelBody_HashState( bodies[i] );
	assert_true( gelWorld_GetCounters( world ).groundContactCount > 0 );
	gelDestroyWorld( world );
}

static void Run( const gelAsset* asset, float step, gelSolverMode mode, Pool* pool, uint64_t out[BODIES] )
{
	gelTaskSystem tasks = { NULL, NULL, 0 };
	if ( pool ) tasks = ( gelTaskSystem ){ ParallelFor, pool, pool->workerCount };
	RunWith( asset, step, mode, tasks, out );
}

static void CheckThreadCounts( const gelStage* stage, gelSolverMode mode )
{
	uint64_t expected[BODIES], again[BODIES], actual[BODIES];
	Run( stage->asset, stage->step, mode, NULL, expected );
	Run( stage->asset, stage->step, mode, NULL, again );
	assert_memory_equal( expected, again, sizeof( expected ) );
	assert_true( expected[2] == 0 && expected[0] != expected[1] );
	for ( int workers = 1; workers <= MAX_WORKERS; workers *= 2 )
	{
		for ( int reversed = 0; reversed < 2; ++reversed )
		{
			Pool pool = { workers, reversed == 1, 0 };
			Run( stage->asset, stage->step, mode, &pool, actual );
			assert_memory_equal( expected, actual, sizeof( expected ) );
			if ( workers > 1 ) assert_int_equal( pool.callCount, 80 );
		}
	}
}

static void TestAnyThreadCountSameBits( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	CheckThreadCounts( &stage, gel_modePlain );
	gelFreeStage( &stage );
}

// Bodies of a group share the reading of the factor; how they are grouped depends on the threads.
static void TestQualityModeSameBits( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.body.solver.fast.mode = gel_modeQuality; // so that its factor is baked
	gelStage stage = gelMakeStage( &def );
	CheckThreadCounts( &stage, gel_modeQuality );
	gelFreeStage( &stage );
}

// A body so large that all threads factor it together.
static uint64_t RunLarge( gelTaskSystem tasks )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 18;
	def.cells[1] = def.cells[2] = 6;
	def.size[0] = 3.0;
	def.size[1] = def.size[2] = 1.0;
	def.pinLeft = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.world.tasks = tasks;
	def.body.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	def.body.solver.warp.tolerance = 0.01f;
	gelStage stage = gelMakeStage( &def );
	float operations = 0.0f;
	for ( int i = 0; i < ( GEL_IS_SANITIZED ? 8 : 20 ); ++i )
	{
		gelStage_Step( &stage, 1 );
		operations += gelBody_GetWarpStats( stage.body ).operations;
	}
	assert_true( operations > ( GEL_IS_SANITIZED ? 0.5f : 2.0f ) );
	uint64_t hash = gelBody_HashState( stage.body );
	gelFreeStage( &stage );
	return hash;
}

static void TestOneBodyOnManyThreadsSameBits( void** state )
{
	(void)state;
	uint64_t expected = RunLarge( ( gelTaskSystem ){ NULL, NULL, 0 } );
	for ( int workers = 2; workers <= MAX_WORKERS; ++workers )
	{
		Pool pool = { workers, workers == 3, 0 };
		assert_int_equal( RunLarge( ( gelTaskSystem ){ ParallelFor, &pool, workers } ), expected );
		assert_true( pool.callCount > 50 );
	}
}

// Once with the library as it is, and once more with the file compiled for OpenMP (tests/CMakeLists.txt).
static void TestOpenMpSameBits( void** state )
{
	(void)state;
#if defined( GELPACK_RUNTIME_OPENMP )
	assert_non_null( gelGetOpenMpTasks( 3 ).parallelFor );
	assert_int_equal( gelGetOpenMpTasks( 3 ).workerCount, 3 );
	assert_true( gelGetOpenMpTasks( 0 ).workerCount >= 1 );
#endif
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	uint64_t expected[BODIES], actual[BODIES];
	Run( stage.asset, stage.step, gel_modePlain, NULL, expected );
	for ( int workers = 0; workers <= MAX_WORKERS; ++workers )
	{
		RunWith( stage.asset, stage.step, gel_modePlain, gelGetOpenMpTasks( workers ), actual );
		assert_memory_equal( expected, actual, sizeof( expected ) );
	}
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestAnyThreadCountSameBits ),
		cmocka_unit_test( TestQualityModeSameBits ),
		cmocka_unit_test( TestOneBodyOnManyThreadsSameBits ),
		cmocka_unit_test( TestOpenMpSameBits ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
