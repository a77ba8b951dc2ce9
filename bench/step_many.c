// SPDX-License-Identifier: MIT
// Many bodies: instances of one asset on one thread, and a crowd of different bodies on several threads.
#include "step_bench.h"

#include "crew.h"

#include <unistd.h>

typedef struct gelManyRun
{
	gelWorldId world;
	gelResult result;
} gelManyRun;

static void Step( void* context )
{
	gelManyRun* run = context;
	gelResult result = gelWorld_Step( run->world, 1.0f / 60.0f );
	if ( result != gel_success ) run->result = result;
}

// One step of `count` bodies that use the assets in turn [s]; negative: it failed.
static double MeasureWorld( gelBench* bench, gelAsset* const* assets, int assetCount, int count, int threads )
{
	gelCrew crew = { .workerCount = threads };
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	worldDef.bodyCapacity = count;
	if ( threads > 1 ) worldDef.tasks = ( gelTaskSystem ){ gelCrew_ParallelFor, &crew, threads };
	gelManyRun run = { { NULL }, gel_success };
	if ( gelCreateWorld( &worldDef, &run.world ) != gel_success ) return -1.0;
	for ( int i = 0; i < count && run.result == gel_success; ++i )
	{
		gelBodyDef bodyDef = gelDefaultBodyDef();
		bodyDef.asset = assets[i % assetCount];
		bodyDef.solver.fast.passes = bodyDef.solver.fast.volumeSweeps = 1;
		bodyDef.angularVelocity = ( gelVec3 ){ 0.5f, 1.0f, 0.01f * (float)i };
		gelBodyId id;
		run.result = gelCreateBody( run.world, &bodyDef, &id );
	}
	double seconds = run.result == gel_success ? gelBench_Best( bench, Step, &run ) : -1.0;
	gelDestroyWorld( run.world );
	gelFreeCrew( &crew );
	return run.result == gel_success ? seconds : -1.0;
}

bool gelMeasureInstances( gelBench* bench )
{
	static const int counts[] = { 1, 4, 16, 64, 256, 1024 };
	gelBenchBody body;
	int threads = (int)sysconf( _SC_NPROCESSORS_ONLN );
	if ( threads > GEL_MAX_CREW ) threads = GEL_MAX_CREW;
	bool ok = gelMakeBenchBeam( bench, 500, &body );
	double alone = ok ? MeasureWorld( bench, &body.asset, 1, 1, 1 ) : -1.0;
	for ( int i = 0; ok && i < ( bench->quick ? 2 : 6 ); ++i )
	{
		double one = MeasureWorld( bench, &body.asset, 1, counts[i], 1 );
		double all = MeasureWorld( bench, &body.asset, 1, counts[i], threads );
		ok = alone > 0.0 && one > 0.0 && all > 0.0;
		char name[64];
		snprintf( name, sizeof( name ), "%d x %d tets", counts[i], body.info.tetCount );
		gelBench_Row( bench, "instances", name, "us_per_body", one * 1e6 / counts[i], "ratio_to_one",
			one / counts[i] / alone, "threads", (double)threads, "us_per_body_threads", all * 1e6 / counts[i],
			"ratio_to_one_threads", all / counts[i] / alone, NULL );
	}
	gelFreeBenchBody( &body );
	return ok;
}

// 105 bodies, 35 each of three sizes: 356 thousand tets.
bool gelMeasureThreads( gelBench* bench )
{
	static const int sizes[3] = { 486, 3888, 5800 };
	gelBenchBody bodies[3] = { 0 };
	gelAsset* assets[3];
	bool ok = true;
	double tets = 0.0;
	for ( int i = 0; i < 3 && ok; ++i )
	{
		ok = gelMakeBenchBeam( bench, sizes[i], bodies + i );
		assets[i] = bodies[i].asset;
		tets += 35.0 * bodies[i].info.tetCount;
	}
	double alone = ok ? MeasureWorld( bench, assets, 3, 105, 1 ) : -1.0;
	int processors = (int)sysconf( _SC_NPROCESSORS_ONLN );
	for ( int threads = 1; ok && threads <= processors && threads <= GEL_MAX_CREW; threads *= 2 )
	{
		double seconds = MeasureWorld( bench, assets, 3, 105, threads );
		ok = seconds > 0.0;
		char name[64];
		snprintf( name, sizeof( name ), "105 bodies, %d threads", threads );
		gelBench_Row( bench, "threads", name, "tets", tets, "ms", seconds * 1e3, "ns_per_tet",
			seconds * 1e9 / tets, "speedup", alone / seconds, NULL );
	}
	for ( int i = 0; i < 3; ++i )
		gelFreeBenchBody( bodies + i );
	return ok;
}
