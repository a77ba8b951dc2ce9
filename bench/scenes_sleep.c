// SPDX-License-Identifier: MIT
// Bodies that sleep: what they cost, and how long it takes until they do.
#include "scenes_bench.h"

#include <stdio.h>

// Seconds within which bodies should sleep; after that they count as restless.
static const double s_limit = 12.0;
static const double s_quickLimit = 0.5;

static int CountAwake( const gelBenchScene* scene )
{
	return gelWorld_GetCounters( scene->world ).awakeBodyCount;
}

// ---- cost ------------------------------------------------------------------------------------------------

static bool MeasureSleepers(
	gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver, bool hasContact )
{
	gelBenchSceneDef def = { .solver = solver->def,
		.step = 1.0f / 60.0f,
		.threads = 1,
		.hasGround = true,
		.sleep = gel_sceneSleep,
		.bodyCapacity = GEL_SCENE_MAX_BODIES };
	int count = bench->quick ? 20 : GEL_SCENE_MAX_BODIES;
	gelBenchScene scene;
	gelSceneTimes times;
	bool ok = gelMakeBenchScene( &def, &scene ) && gelArrangeGround( assets, &scene, count ) &&
		gelWorld_EnableContact( scene.world, hasContact ) == gel_success;
	for ( int i = 0; ok && i < count; ++i )
		ok = gelBody_SetAwake( scene.bodies[i], false ) == gel_success;
	ok = ok && gelBenchScene_Run( &scene, 0.1 ) &&
		gelTimeScene( &scene, bench->quick ? 0.01 : 0.3, 20, &times );
	char name[64];
	snprintf(
		name, sizeof( name ), "%s, asleep%s", solver->name, hasContact ? "" : ", contact switched off" );
	if ( ok )
		gelBench_Row( bench, "asleep", name, "bodies", (double)count, "awake", (double)CountAwake( &scene ),
			"step_us", 1e6 * times.fastest, "median_us", 1e6 * times.median, NULL );
	gelFreeBenchScene( &scene );
	return ok;
}

// ---- falling asleep --------------------------------------------------------------------------------------

static bool ArrangeDrop( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	(void)count;
	return gelBenchScene_Add( scene, assets->bear.asset,
		gelMakeVec3( 0.0f, 0.5f - assets->bear.info.restBounds.min.y, 0.0f ), 0.0f );
}

typedef struct SleepCase
{
	const char* name;
	gelArrangeFcn* arrange;
	int count; // bodies
	gelSceneSleep sleep;
	bool isLong; // not for solvers whose scenes are to be brief
} SleepCase;

// Steps until nobody is awake. asleep_s is -1 when that does not happen; what is left of motion then follows.
static bool MeasureDozing(
	gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver, const SleepCase* row )
{
	gelBenchSceneDef def = {
		.solver = solver->def, .step = 1.0f / 60.0f, .threads = 1, .hasGround = true, .sleep = row->sleep
	};
	gelBenchScene scene;
	bool ok = gelMakeBenchScene( &def, &scene ) && row->arrange( assets, &scene, row->count );
	int limit = (int)( ( bench->quick ? s_quickLimit : s_limit ) / (double)def.step ), steps = 0;
	gelSceneSpeed speed = { 0.0, 0.0 };
	while ( ok && steps < limit && CountAwake( &scene ) > 0 )
	{
		speed = gelBenchScene_GetSpeed( &scene );
		ok = gelWorld_Step( scene.world, def.step ) == gel_success;
		++steps;
	}
	char name[64];
	snprintf( name, sizeof( name ), "%s, %s", solver->name, row->name );
	if ( ok )
		gelBench_Row( bench, "falling_asleep", name, "asleep_s",
			CountAwake( &scene ) == 0 ? steps * (double)def.step : -1.0, "awake",
			(double)CountAwake( &scene ), "last_rms_mm", 1e3 * speed.rms, "last_fastest_mm",
			1e3 * speed.fastest, NULL );
	gelFreeBenchScene( &scene );
	return ok;
}

bool gelMeasureSleep( gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver )
{
	static const SleepCase cases[] = {
		{ "bear from 0.5 m", ArrangeDrop, 1, gel_sceneSleep, false },
		{ "the same with defaults", ArrangeDrop, 1, gel_sceneSleepDefault, false },
		{ "stack of three", gelArrangeStack, 3, gel_sceneSleep, false },
		{ "stack of ten", gelArrangeTower, 10, gel_sceneSleep, true },
		{ "bowl", gelArrangeBowl, 30, gel_sceneSleep, true },
	};
	bool ok =
		MeasureSleepers( bench, assets, solver, true ) && MeasureSleepers( bench, assets, solver, false );
	for ( int i = 0; ok && i < (int)( sizeof( cases ) / sizeof( cases[0] ) ); ++i )
	{
		bool isLeftOut = cases[i].isLong && ( bench->quick || solver->isBrief );
		ok = isLeftOut || MeasureDozing( bench, assets, solver, cases + i );
	}
	return ok;
}
