// SPDX-License-Identifier: MIT
// Volume of a bear that lies on the ground. Its material says what it should be, whatever the step length.
#include "scenes_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// How a bear lies.
typedef struct Lying
{
	double volume; // over that at rest
	double sag;    // how far its center of mass is lower than that of a rigid one [m]
	double rms;    // speed that is left [m/s]
} Lying;

static Lying Look( const gelBenchScene* scene, const gelBenchBody* bear )
{
	gelBodyDynamics now = gelBody_GetDynamics( scene->bodies[0] );
	return ( Lying ){ (double)now.volume / (double)bear->info.volume,
		scene->startHeight - (double)now.centerOfMass.y, gelBenchScene_GetSpeed( scene ).rms };
}

static bool AddBear( gelBenchScene* scene, const gelBenchBody* bear )
{
	return gelBenchScene_Add(
		scene, bear->asset, gelMakeVec3( 0.0f, -bear->info.restBounds.min.y, 0.0f ), 0.0f );
}

// ---- without contact -------------------------------------------------------------------------------------

// Springs in place of the ground.
typedef struct Bed
{
	gelSolverDef solver;
	int rate;         // steps per second
	double stiffness; // force on each art vertex by its depth below y = 0 [N/m]
} Bed;

// Forces of the springs for the next step.
static void PushUp( gelBodyId bodyId, const gelBenchBody* bear, double stiffness, gelVec3* positions )
{
	int count = gelBody_GetPositions( bodyId, positions, bear->info.vertexCount );
	for ( int i = 0; i < count; ++i )
	{
		if ( positions[i].y >= 0.0f ) continue;
		gelEmbeddedPoint point = gelAsset_GetVertexPoint( bear->asset, i );
		gelVec3 force = { 0.0f, -(float)stiffness * positions[i].y, 0.0f };
		gelBody_AddPointForce( bodyId, &point, force );
	}
}

static bool MeasureOnBed( const gelSceneAssets* assets, const Bed* bed, double seconds, Lying* out )
{
	gelBenchSceneDef def = { .solver = bed->solver, .step = (float)( 1.0 / bed->rate ), .threads = 1 };
	const gelBenchBody* bear = &assets->paced;
	gelBenchScene scene;
	gelVec3* positions = malloc( (size_t)bear->info.vertexCount * sizeof( gelVec3 ) );
	bool ok = gelMakeBenchScene( &def, &scene ) && positions != NULL && AddBear( &scene, bear );
	int count = (int)lround( seconds * bed->rate );
	for ( int i = 0; ok && i < count; ++i )
	{
		PushUp( scene.bodies[0], bear, bed->stiffness, positions );
		ok = gelWorld_Step( scene.world, def.step ) == gel_success;
	}
	if ( ok ) *out = Look( &scene, bear );
	gelFreeBenchScene( &scene );
	free( positions );
	return ok;
}

// The static solution needs no contact at all. The implicit solver, to 1e-5, on springs so stiff that they
// give way by 0.7 mm, has the same volume to 5e-5 with springs of 2 or 128 kN/m and with steps of 1/3840 s,
// and so has the warp-cancelling solver. The volume term of the fast solver is another one (determinant, not
// trace), and so is its static solution: the quality mode has the same at 1/60, 1/120 and 1/240 s. The plain
// mode loses or gains by itself, too: softer springs show that at 1/60 s, where stiffer ones would not be
// stable.
bool gelMeasureTrueVolume( gelBench* bench, const gelSceneAssets* assets, gelTrueVolume* out )
{
	Bed beds[3] = { { gelDefaultSolverDef( gel_solverImplicit ), 1920, 32e3 },
		{ gelDefaultSolverDef( gel_solverFastCorotated ), 240, 2e3 },
		{ gelDefaultSolverDef( gel_solverFastCorotated ), 60, 125.0 } };
	static const char* const names[3] = { "true: implicit, 1/1920 s, on springs of 32 kN/m, no contact",
		"true of the fast solver: quality, 1/240 s, on springs of 2 kN/m, no contact",
		"plain, 1/60 s, on springs of 125 N/m, no contact" };
	beds[0].solver.implicit.linearIterations = 200;
	beds[0].solver.implicit.tolerance = 1e-5f;
	beds[0].solver.implicit.massDamping = 10.0f;
	beds[1].solver.fast.mode = gel_modeQuality;
	for ( int i = 0; i < 3; ++i )
	{
		Lying lying;
		if ( !MeasureOnBed( assets, beds + i, bench->quick ? 0.1 : 4.0, &lying ) ) return false;
		if ( i == 0 ) out->implicit = lying.volume;
		if ( i == 1 ) out->fast = lying.volume;
		gelBench_Row( bench, "volume", names[i], "volume", lying.volume, "sag_mm", 1e3 * lying.sag, "rms_mm",
			1e3 * lying.rms, NULL );
	}
	return true;
}

// ---- on the ground ---------------------------------------------------------------------------------------

static bool MeasureLying(
	const gelSceneAssets* assets, gelSolverDef solver, int rate, double seconds, Lying* out )
{
	gelBenchSceneDef def = {
		.solver = solver, .step = (float)( 1.0 / rate ), .threads = 1, .hasGround = true
	};
	gelBenchScene scene;
	bool ok = gelMakeBenchScene( &def, &scene ) && AddBear( &scene, &assets->paced ) &&
		gelBenchScene_Run( &scene, seconds );
	if ( ok ) *out = Look( &scene, &assets->paced );
	gelFreeBenchScene( &scene );
	return ok;
}

bool gelMeasureVolume( gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver,
	const gelTrueVolume* trueVolume )
{
	static const int rates[4] = { 60, 30, 120, 240 }; // steps per second
	double goal = solver->def.type == gel_solverFastCorotated ? trueVolume->fast : trueVolume->implicit;
	bool ok = true;
	for ( int i = 0; ok && i < ( bench->quick ? 1 : 4 ); ++i )
	{
		Lying lying;
		ok = MeasureLying( assets, solver->def, rates[i], bench->quick ? 0.1 : 5.0, &lying );
		if ( !ok ) break;
		char name[64];
		snprintf( name, sizeof( name ), "%s, 1/%d s", solver->name, rates[i] );
		gelBench_Row( bench, "volume", name, "volume", lying.volume, "less_than_true", goal - lying.volume,
			"sag_mm", 1e3 * lying.sag, "rms_mm", 1e3 * lying.rms, NULL );
	}
	return ok;
}
