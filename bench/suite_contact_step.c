// SPDX-License-Identifier: MIT
// Whole steps of worlds whose bodies touch: where the time goes, and what contact adds to the solvers.
//
// A scene runs until its bodies touch, and is saved. Then the same step is taken again and again, and the
// fastest counts: with contact, and with contact switched off.
#include "bench.h"

#include "contact_scene.h"
#include "contact/step/contact_step.h"
#include "crew.h"
#include "state/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float s_step = 1.0f / 60.0f;

typedef struct Stage
{
	gelContactScene scene;
	gelCrew crew;
	void* state;
	size_t stateBytes;
} Stage;

// How a scene is set up, and for how many steps it runs before it is measured.
typedef struct Setup
{
	const char* name;
	void ( *arrange )( gelContactScene* scene, gelSolverType solver, bool isQuick );
	int stepCount;
	gelSolverType solver;
} Setup;

// ---- scenes ----------------------------------------------------------------------------------------------

static int AddSample( gelContactScene* scene, const char* name, int triangles, int tets, double scale )
{
	gelSampleDef sample = gelDefaultSampleDef( name );
	sample.triangles = triangles;
	sample.tets = tets;
	sample.scale = scale;
	sample.youngsModulus = 2e5;
	return gelContactScene_AddSample( scene, &sample );
}

static void AddBody( gelContactScene* scene, int asset, gelSolverType solver, gelVec3 position )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = gelDefaultSolverDef( solver );
	gelContactScene_AddBody( scene, asset, &def, position );
}

// One of 100K triangles falls on another one.
static void ArrangeDragons( gelContactScene* scene, gelSolverType solver, bool isQuick )
{
	int dragon = AddSample( scene, "dragon", isQuick ? 10000 : 100000, 450, 1.0 );
	gelAabb box = gelAsset_GetInfo( scene->assets[dragon] ).restBounds;
	gelVec3 size = gelSub( box.max, box.min );
	AddBody( scene, dragon, solver, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	AddBody( scene, dragon, solver, gelMakeVec3( 0.21f * size.x, 0.6f * size.y, 0.13f * size.z ) );
}

static void ArrangeStack( gelContactScene* scene, gelSolverType solver, bool isQuick )
{
	int asset = AddSample( scene, "box", isQuick ? 1000 : 10000, 450, 1.0 );
	gelAabb box = gelAsset_GetInfo( scene->assets[asset] ).restBounds;
	for ( int i = 0; i < 3; ++i )
		AddBody( scene, asset, solver,
			gelMakeVec3( 0.02f * (float)i, ( box.max.y - box.min.y ) * (float)i - box.min.y, 0.0f ) );
}

// Bodies of three kinds, 1000 triangles and 60 tets each, in a bowl.
static void ArrangeBowl( gelContactScene* scene, gelSolverType solver, bool isQuick )
{
	static const char* const names[3] = { "sphere", "star", "box" };
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSurface;
	def.asset = scene->assets[AddSample( scene, "bowl", 3000, 250, 5.0 )];
	gelColliderId id;
	if ( gelCreateCollider( scene->world, &def, &id ) != gel_success ) abort();
	int assets[3];
	for ( int i = 0; i < 3; ++i )
		assets[i] = AddSample( scene, names[i], 1000, 60, 0.5 );
	for ( int i = 0; i < ( isQuick ? 9 : 30 ); ++i )
		AddBody( scene, assets[i % 3], solver,
			gelMakeVec3( 0.32f * (float)( i % 3 - 1 ) + 0.01f * (float)( i / 9 ),
				0.8f + 0.35f * (float)( i / 9 ), 0.32f * (float)( i / 3 % 3 - 1 ) ) );
}

// ---- measuring -------------------------------------------------------------------------------------------

static double GetClock( void* context )
{
	(void)context;
	return gelNow();
}

// The fastest of several steps from the saved state. False: a call failed.
static bool MeasureStep( const gelBench* bench, const Stage* stage, gelStepTimes* best )
{
	*best = ( gelStepTimes ){ .total = HUGE_VAL };
	int count = bench->quick ? 3 : 30;
	for ( int i = 0; i < count; ++i )
	{
		if ( gelWorld_RestoreState( stage->scene.world, stage->state, stage->stateBytes ) != gel_success ||
			gelWorld_Step( stage->scene.world, s_step ) != gel_success )
			return false;
		gelStepTimes times = gelWorld_GetStepTimes( stage->scene.world );
		if ( times.total < best->total ) *best = times;
	}
	return true;
}

// Phases of the determination, summed over all pairs as they are now; the sum of the fastest.
static void MeasurePhases( const Stage* stage, double best[gel_detectPhaseCount] )
{
	struct gelWorld* world = stage->scene.world.world;
	gelContactStep* step = world->contact;
	gelDetectOptions options = gelDefaultDetectOptions();
	options.simd = world->simd;
	options.clock = GetClock;
	for ( int k = 0; k < gel_detectPhaseCount; ++k )
		best[k] = 0.0;
	for ( int i = 0; i < step->pairCount; ++i )
	{
		const gelBodyPair* pair = step->pairs + i;
		if ( pair->b == NULL || pair->a == pair->b ) continue;
		double least[gel_detectPhaseCount];
		for ( int repeat = 0; repeat < 5; ++repeat )
		{
			gelBody_RefitCoarseNow( pair->a );
			gelBody_RefitCoarseNow( pair->b );
			gelContactSurface a = gelBody_GetContactSurface( pair->a );
			gelContactSurface b = gelBody_GetContactSurface( pair->b );
			gelDetectStats stats;
			gelDetectContacts( &a, &b, step->finds[0].scratch, &options, step->finds[0].found,
				GEL_MAX_PAIR_CONTACTS, &stats );
			for ( int k = 0; k < gel_detectPhaseCount; ++k )
				least[k] = repeat == 0 ? stats.seconds[k] : fmin( least[k], stats.seconds[k] );
		}
		for ( int k = 0; k < gel_detectPhaseCount; ++k )
			best[k] += least[k];
	}
}

static void Report( gelBench* bench, const Stage* stage, const char* name, const gelStepTimes* with,
	const gelStepTimes* without, int points )
{
	double phase[gel_detectPhaseCount];
	MeasurePhases( stage, phase );
	gelBench_Row( bench, "step", name, "total_ms", 1e3 * with->total, "pairs_ms", 1e3 * with->pairs,
		"contacts_ms", 1e3 * with->contacts, "bodies_ms", 1e3 * with->bodies, "response_ms",
		1e3 * with->response, "without_contact_ms", 1e3 * without->total, "times_without",
		with->total / without->total, "touching_pairs",
		(double)gelWorld_GetContactCounters( stage->scene.world ).touchingPairCount, "points", (double)points,
		"response_us_per_point", 1e6 * with->response / points, NULL );
	gelBench_Row( bench, "step_phases", name, "find_ms", 1e3 * phase[gel_phasePairs], "curves_and_flood_ms",
		1e3 * ( phase[gel_phaseCurves] + phase[gel_phaseFlood] + phase[gel_phaseRegions] ), "rays_ms",
		1e3 * phase[gel_phaseRays], NULL );
}

static bool MakeStage( const gelBench* bench, Stage* stage, const Setup* setup, int threads )
{
	gelWorldDef def = gelDefaultWorldDef();
	def.hasGround = true;
	def.clock = GetClock;
	stage->crew = ( gelCrew ){ .workerCount = threads };
	if ( threads > 1 ) def.tasks = ( gelTaskSystem ){ gelCrew_ParallelFor, &stage->crew, threads };
	stage->scene = gelMakeContactScene( &def, (double)s_step );
	setup->arrange( &stage->scene, setup->solver, bench->quick );
	gelContactScene_Step( &stage->scene, setup->stepCount );
	stage->stateBytes = gelWorld_GetStateBytes( stage->scene.world );
	stage->state = malloc( stage->stateBytes );
	return stage->state != NULL &&
		gelWorld_SaveState( stage->scene.world, stage->state, stage->stateBytes ) == gel_success;
}

static bool MeasureSetup( gelBench* bench, const Setup* setup, int threads )
{
	Stage stage = { 0 };
	gelStepTimes with, without, again;
	bool ok = MakeStage( bench, &stage, setup, threads ) && MeasureStep( bench, &stage, &with );
	gelWorldId world = stage.scene.world;
	int points = gelWorld_GetContacts( world, NULL, 0 );
	ok = ok && gelWorld_EnableContact( world, false ) == gel_success &&
		MeasureStep( bench, &stage, &without ) && gelWorld_EnableContact( world, true ) == gel_success &&
		MeasureStep( bench, &stage, &again );
	char name[64];
	snprintf( name, sizeof( name ), "%s, %d thread%s", setup->name, threads, threads > 1 ? "s" : "" );
	if ( ok ) Report( bench, &stage, name, &with, &without, points );
	gelFreeContactScene( &stage.scene );
	gelFreeCrew( &stage.crew );
	free( stage.state );
	return ok;
}

bool gelBenchContactStep( gelBench* bench )
{
	static const Setup setups[] = {
		{ "two dragons", ArrangeDragons, 15, gel_solverFastCorotated },
		{ "two dragons, implicit", ArrangeDragons, 15, gel_solverImplicit },
		{ "stack of three", ArrangeStack, 60, gel_solverFastCorotated },
		{ "bowl of thirty", ArrangeBowl, 90, gel_solverFastCorotated },
		{ "bowl of thirty, implicit", ArrangeBowl, 90, gel_solverImplicit },
	};
	bool ok = true;
	for ( int i = 0; ok && i < (int)( sizeof( setups ) / sizeof( setups[0] ) ); ++i )
	{
		for ( int threads = 1; ok && threads <= 2; ++threads )
			ok = MeasureSetup( bench, setups + i, threads );
	}
	return ok;
}
