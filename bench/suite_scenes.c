// SPDX-License-Identifier: MIT
// What bodies cost that lie on something, as most bodies of a game do, and how well they lie there: sag,
// volume, depth and unrest beside each time, so that speed is never bought with quality unseen.
//
// Every scene runs until it is at rest, awake, and then its steps are timed. The measure is what the same
// bodies cost in flight, one by one, timed right before.
#include "scenes_bench.h"

#include <stdlib.h>
#include <string.h>

#define MOMENTS 3

// Seconds after which speeds are read. Steps are timed after the second, or after the first if it is the
// last.
static const double s_moments[MOMENTS] = { 2.0, 5.0, 10.0 };
static const double s_quickMoments[MOMENTS] = { 0.1, 0.2, 0.25 };

enum
{
	flies = 1,      // has no moments: it is timed after a quarter of a second
	takesState = 2, // no moments either: begins with the state of a body that has come to rest alone
	hasSag = 4,     // bodies begin where they would stand if they were rigid
	hasThreads = 8, // is timed on one thread and on two
};

typedef struct Scene
{
	const char* name;
	gelArrangeFcn* arrange;
	int count, quickCount; // bodies
	bool hasGround;
	int flags;
	int moments, briefMoments; // how many of the moments it lives to see; the latter for brief solvers
	double reach;              // a body with its center farther from the y axis is lost [m]
} Scene;

static const Scene s_scenes[] = {
	{ "flight", gelArrangeFlight, 1, 1, true, flies, 0, 0, 1e3 },
	{ "hundred in flight", gelArrangeFlight, 100, 8, true, flies, 0, 0, 1e3 },
	{ "ground", gelArrangeGround, 1, 1, true, hasSag, 3, 3, 2.0 },
	{ "plane", gelArrangePlane, 1, 1, false, hasSag, 3, 2, 2.0 },
	{ "box", gelArrangeSlab, 1, 1, false, hasSag, 3, 2, 2.0 },
	{ "ground and capsule", gelArrangeCapsule, 1, 1, true, hasSag, 3, 2, 2.0 },
	{ "hundred", gelArrangeGround, 100, 4, true, takesState | hasSag, 0, 0, 20.0 },
	{ "stack of three", gelArrangeStack, 3, 2, true, hasSag, 3, 2, 0.25 },
	{ "stack of ten", gelArrangeTower, 10, 3, true, hasSag, 3, 1, 0.25 },
	{ "pit", gelArrangePit, 30, 6, true, hasThreads, 2, 1, 1.1 },
	{ "bowl", gelArrangeBowl, 30, 6, true, hasThreads, 3, 1, 1.3 },
	{ "heap", gelArrangeHeap, 30, 5, true, hasThreads, 2, 1, 20.0 },
};

// A scene that runs.
typedef struct Run
{
	gelBench* bench;
	const gelSceneAssets* assets;
	const gelSceneSolver* solver;
	const Scene* row;
	int moments;                      // those that it lives to see
	double budget;                    // time that a timing may take [s]
	gelBenchScene scene;              // with the threads of the row
	gelSceneTimes times, singleTimes; // the latter on one thread
	double flight;                    // steps of all its bodies in flight, each alone [s]
	int blockCount;                   // blocks of memory that it had taken before its first step
	gelSceneSpeed speeds[MOMENTS];
	gelSceneRest rest;
} Run;

// ---- running ---------------------------------------------------------------------------------------------

static gelBenchSceneDef MakeDef( const Run* run, int threads )
{
	return ( gelBenchSceneDef ){
		.solver = run->solver->def, .step = 1.0f / 60.0f, .threads = threads, .hasGround = run->row->hasGround
	};
}

static int GetCount( const Run* run )
{
	return run->bench->quick ? run->row->quickCount : run->row->count;
}

static bool MakeScene( const Run* run, int threads, gelBenchScene* out )
{
	gelBenchSceneDef def = MakeDef( run, threads );
	return gelMakeBenchScene( &def, out ) && run->row->arrange( run->assets, out, GetCount( run ) );
}

// Puts all bodies into the state of one that has lain by itself for as long as the others do, each where it
// was and turned as it was.
static bool TakeState( Run* run )
{
	Run alone = *run;
	Scene row = *run->row;
	row.count = row.quickCount = 1;
	alone.row = &row;
	bool ok = MakeScene( &alone, 1, &alone.scene ) &&
		gelBenchScene_Run( &alone.scene, run->bench->quick ? s_quickMoments[1] : s_moments[1] );
	size_t bytes = ok ? gelBody_GetStateBytes( alone.scene.bodies[0] ) : 0;
	void* state = malloc( bytes + 1 );
	ok = ok && state != NULL && gelBody_SaveState( alone.scene.bodies[0], state, bytes ) == gel_success;
	for ( int i = 0; ok && i < run->scene.bodyCount; ++i )
	{
		gelTransform place = gelBody_GetTransform( run->scene.bodies[i] );
		place.position.y = 0.0f; // the height is in the state
		ok = gelBody_RestoreState( run->scene.bodies[i], state, bytes ) == gel_success &&
			gelBody_Teleport( run->scene.bodies[i], place ) == gel_success;
	}
	free( state );
	gelFreeBenchScene( &alone.scene );
	return ok;
}

// The same steps in a world without threads.
static bool TimeOnOneThread( Run* run )
{
	gelBenchScene single;
	size_t bytes = gelWorld_GetStateBytes( run->scene.world );
	void* state = malloc( bytes );
	bool ok = MakeScene( run, 1, &single );
	ok = ok && state != NULL && gelWorld_SaveState( run->scene.world, state, bytes ) == gel_success &&
		gelWorld_RestoreState( single.world, state, bytes ) == gel_success &&
		gelTimeScene( &single, run->budget, 1, &run->singleTimes );
	gelFreeBenchScene( &single );
	free( state );
	return ok;
}

// Looks before it times: how many steps that takes depends on the machine.
static bool TimeRun( Run* run )
{
	run->rest = gelBenchScene_GetRest( &run->scene, run->row->reach );
	return gelTimeFlights( &run->scene, 0.2 * run->budget, &run->flight ) &&
		( ( run->row->flags & hasThreads ) == 0 || TimeOnOneThread( run ) ) &&
		gelTimeScene( &run->scene, run->budget, 1, &run->times );
}

// From moment to moment, with times in between.
static bool Settle( Run* run )
{
	const double* moments = run->bench->quick ? s_quickMoments : s_moments;
	// a body that was teleported has forgotten its loads and finds them again
	double wait = ( run->row->flags & takesState ) != 0 ? moments[0] : 0.25;
	if ( run->moments == 0 ) return gelBenchScene_Run( &run->scene, wait ) && TimeRun( run );
	for ( int i = 0; i < run->moments; ++i )
	{
		double now = (double)gelWorld_GetCounters( run->scene.world ).stepCount * (double)run->scene.def.step;
		if ( moments[i] > now && !gelBenchScene_Run( &run->scene, moments[i] - now ) ) return false;
		run->speeds[i] = gelBenchScene_GetSpeed( &run->scene );
		if ( i == ( run->moments > 1 ? 1 : 0 ) && !TimeRun( run ) ) return false;
	}
	return true;
}

// ---- telling ---------------------------------------------------------------------------------------------

static void PrintName( const gelSceneSolver* solver, const Scene* row, char out[96] )
{
	snprintf( out, 96, "%s, %s", solver->name, row->name );
}

static void Report( const Run* run )
{
	char name[96];
	PrintName( run->solver, run->row, name );
	const gelBenchScene* scene = &run->scene;
	const gelSceneRest* rest = &run->rest;
	bool isShared = ( run->row->flags & hasThreads ) != 0;
	gelSceneTimes times = isShared ? run->singleTimes : run->times;
	gelBench_Row( run->bench, "times", name, "bodies", (double)scene->bodyCount, "step_us",
		1e6 * times.fastest, "median_us", 1e6 * times.median, "times_flight", times.fastest / run->flight,
		"flight_us", 1e6 * run->flight / scene->bodyCount, "contacts", (double)rest->contactCount, "kb",
		1e-3 * (double)scene->memory.bytes, "blocks_in_steps",
		(double)( scene->memory.blockCount - run->blockCount ), isShared ? "two_threads_us" : NULL,
		1e6 * run->times.fastest, "times_faster", times.fastest / run->times.fastest, NULL );
	if ( ( run->row->flags & flies ) != 0 ) return;
	gelBench_Row( run->bench, "rest", name, "height_mm", 1e3 * rest->height, "volume", rest->volume,
		"least_volume", rest->leastVolume, "depth_mm", 1e3 * rest->depth, "below_mm", 1e3 * rest->below,
		"lost", (double)rest->lostCount, "inverted", (double)rest->invertedTetCount, "resets",
		(double)rest->resetCount, ( run->row->flags & hasSag ) != 0 ? "sag_mm" : NULL,
		1e3 * ( scene->startHeight - rest->height ), NULL );
	if ( run->moments == 0 ) return;
	gelBench_Row( run->bench, "speed", name, "rms_2s_mm", 1e3 * run->speeds[0].rms, "fastest_2s_mm",
		1e3 * run->speeds[0].fastest, run->moments > 1 ? "rms_5s_mm" : NULL, 1e3 * run->speeds[1].rms,
		"fastest_5s_mm", 1e3 * run->speeds[1].fastest, run->moments > 2 ? "rms_10s_mm" : NULL,
		1e3 * run->speeds[2].rms, "fastest_10s_mm", 1e3 * run->speeds[2].fastest, NULL );
}

static bool MeasureScene(
	gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver, const Scene* row )
{
	Run* run = calloc( 1, sizeof( *run ) );
	if ( run == NULL ) return false;
	run->bench = bench;
	run->assets = assets;
	run->solver = solver;
	run->row = row;
	run->moments = solver->isBrief ? row->briefMoments : row->moments;
	run->budget = bench->quick ? 0.02 : 0.3;
	bool ok = MakeScene( run, ( row->flags & hasThreads ) != 0 ? 2 : 1, &run->scene );
	run->blockCount = run->scene.memory.blockCount;
	ok = ok && ( ( row->flags & takesState ) == 0 || TakeState( run ) ) && Settle( run );
	if ( ok ) Report( run );
	gelFreeBenchScene( &run->scene );
	free( run );
	return ok;
}

// ---- memory ----------------------------------------------------------------------------------------------

// Bytes of a world with contact and default capacities: empty, with one body, with two, after a second on the
// ground.
static bool CountBytes(
	const gelSceneAssets* assets, const gelSceneSolver* solver, int threads, double out[4], int* outBlocks )
{
	gelBenchSceneDef def = {
		.solver = solver->def, .step = 1.0f / 60.0f, .threads = threads, .hasGround = true
	};
	gelBenchScene scene;
	bool ok = gelMakeBenchScene( &def, &scene );
	out[0] = (double)scene.memory.bytes;
	ok = ok && gelArrangeGround( assets, &scene, 1 );
	out[1] = (double)scene.memory.bytes;
	ok = ok && gelArrangeGround( assets, &scene, 1 ) &&
		gelBody_EnableContact( scene.bodies[1], false ) == gel_success;
	out[2] = (double)scene.memory.bytes;
	int before = scene.memory.blockCount;
	ok = ok && gelBenchScene_Run( &scene, threads > 1 ? 0.0 : 1.0 );
	out[3] = (double)scene.memory.bytes;
	*outBlocks = scene.memory.blockCount - before;
	gelFreeBenchScene( &scene );
	return ok;
}

static bool MeasureMemory( gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver )
{
	double one[4], many[4];
	int blocks, ignored;
	if ( !CountBytes( assets, solver, 1, one, &blocks ) || !CountBytes( assets, solver, 16, many, &ignored ) )
		return false;
	double body = one[2] - one[1];
	gelBench_Row( bench, "memory", solver->name, "world_kb", 1e-3 * one[0], "first_body_adds_kb",
		1e-3 * ( one[1] - one[0] - body ), "body_kb", 1e-3 * body, "steps_add_kb", 1e-3 * ( one[3] - one[2] ),
		"blocks_in_steps", (double)blocks, "sixteen_threads_kb", 1e-3 * ( many[1] - body ), NULL );
	return true;
}

// ---- all of them -----------------------------------------------------------------------------------------

#define SOLVERS 5

static void MakeSolvers( gelSceneSolver out[SOLVERS] )
{
	out[0] = ( gelSceneSolver ){ "plain", gelDefaultSolverDef( gel_solverFastCorotated ), false };
	out[1] = ( gelSceneSolver ){ "quality", gelDefaultSolverDef( gel_solverFastCorotated ), true };
	out[1].def.fast.mode = gel_modeQuality;
	out[2] = ( gelSceneSolver ){ "implicit", gelDefaultSolverDef( gel_solverImplicit ), true };
	out[3] = ( gelSceneSolver ){ "warp", gelDefaultSolverDef( gel_solverWarpCancelling ), true };
	out[4] = ( gelSceneSolver ){ "particles", gelDefaultSolverDef( gel_solverOrientedParticles ), true };
}

static void ReportAsset( gelBench* bench, const char* name, const gelBenchBody* body )
{
	gelBench_Row( bench, "assets", name, "triangles", (double)body->info.triangleCount, "tets",
		(double)body->info.tetCount, "nodes", (double)body->info.nodeCount, "kg", (double)body->info.mass,
		"pack_kb", 1e-3 * (double)body->info.packBytes, NULL );
}

static bool MeasureSolver( gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver,
	const gelTrueVolume* trueVolume )
{
	bool ok = bench->only != NULL || MeasureMemory( bench, assets, solver );
	for ( int i = 0; ok && i < (int)( sizeof( s_scenes ) / sizeof( s_scenes[0] ) ); ++i )
	{
		char name[96];
		PrintName( solver, s_scenes + i, name );
		if ( bench->only == NULL || strstr( name, bench->only ) != NULL )
			ok = MeasureScene( bench, assets, solver, s_scenes + i );
	}
	if ( bench->only != NULL ) return ok;
	return ok && gelMeasureSleep( bench, assets, solver ) &&
		gelMeasureVolume( bench, assets, solver, trueVolume );
}

bool gelBenchScenes( gelBench* bench )
{
	gelSceneSolver solvers[SOLVERS];
	MakeSolvers( solvers );
	gelSceneAssets assets;
	gelTrueVolume trueVolume;
	bool ok = gelMakeSceneAssets( bench, &assets );
	if ( ok )
	{
		ReportAsset( bench, "bear", &assets.bear );
		ReportAsset( bench, "box", &assets.box );
		ok = bench->only != NULL || gelMeasureTrueVolume( bench, &assets, &trueVolume );
	}
	for ( int i = 0; ok && i < SOLVERS; ++i )
		ok = MeasureSolver( bench, &assets, solvers + i, &trueVolume );
	gelFreeSceneAssets( &assets );
	return ok;
}
