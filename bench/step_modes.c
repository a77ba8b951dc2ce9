// SPDX-License-Identifier: MIT
// What the modes of the fast corotated solver cost, and that stiffness and step length cost nothing. Bodies
// are clamped beams that gravity throws to and fro, so that nobody comes to rest.
#include "step_bench.h"

#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>

#define HALF_SWING 10 // steps

typedef struct gelModeRun
{
	gelWorldId world;
	float step;
	int stepCount;
} gelModeRun;

static void Swing( void* context )
{
	gelModeRun* run = context;
	if ( run->stepCount % HALF_SWING == 0 )
		gelWorld_SetGravity( run->world,
			( gelVec3 ){ 0.0f, run->stepCount % ( 2 * HALF_SWING ) == 0 ? -9.81f : 9.81f, 0.0f } );
	++run->stepCount;
	gelWorld_Step( run->world, run->step );
}

// A beam of 3 : 1 : 1 m clamped at one end, with factors for both modes.
static bool BakeBeam( gelBench* bench, int tetCount, double youngsModulus, double poissonsRatio, double step,
	gelBenchBody* out )
{
	int n = (int)lround( cbrt( tetCount / 18.0 ) );
	gelCage cage = gelMakeBoxCage( 3 * n, n, n, 3.0, 1.0, 1.0, gel_boxSplitSix );
	gelBakePinSet pins = gelPinNodesInSlab( &cage, 0, 0.0, 0.0 );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 1e-3 );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.material.youngsModulus = youngsModulus;
	settings.material.poissonsRatio = poissonsRatio;
	double steps[2] = { step };
	settings.steps = steps;
	settings.stepCount = gelAddQualitySteps( &settings.material, steps, 1 );
	settings.pinSets = &pins;
	settings.pinSetCount = 1;
	settings.collision = gel_collisionNone;
	settings.threads = bench->program->threads;
	*out = ( gelBenchBody ){ 0 };
	out->bytes = gelBake( &mesh, &cage, &settings, bench->program, &out->byteCount );
	bool ok = out->bytes != NULL &&
		gelLoadAsset( out->bytes, out->byteCount, NULL, &out->asset, NULL ) == gel_success;
	free( pins.nodes );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return ok;
}

// Seconds per step. @return 0: it could not be made
static double MeasureMode( const gelBench* bench, const gelBenchBody* body, float step, gelBodyDef bodyDef )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelModeRun run = { .step = step };
	gelBodyId id;
	bodyDef.asset = body->asset;
	gelAsset_GetPinSets( body->asset, &bodyDef.pinSetId, 1 );
	if ( gelCreateWorld( &worldDef, &run.world ) != gel_success ) return 0.0;
	bool ok = gelCreateBody( run.world, &bodyDef, &id ) == gel_success;
	double seconds = ok ? gelBench_Best( bench, Swing, &run ) : 0.0;
	gelDestroyWorld( run.world );
	return seconds;
}

static bool MeasureBoth( gelBench* bench, int tetCount, double poissonsRatio, double step )
{
	gelBenchBody body = { 0 };
	bool ok = BakeBeam( bench, tetCount, 1e6, poissonsRatio, step, &body );
	gelBodyDef def = gelDefaultBodyDef();
	double plain = ok ? MeasureMode( bench, &body, (float)step, def ) : 0.0;
	def.solver.fast.enableSpinKeeping = true; // does nothing for a pinned body but ask
	def.solver.fast.mode = gel_modeQuality;
	double quality = ok ? MeasureMode( bench, &body, (float)step, def ) : 0.0;
	char name[64];
	snprintf( name, sizeof( name ), "%d tets, nu %g", tetCount, poissonsRatio );
	ok = ok && plain > 0.0 && quality > 0.0;
	if ( ok )
		gelBench_Row( bench, "modes", name, "step_ms", step * 1e3, "plain_us", plain * 1e6, "quality_us",
			quality * 1e6, "quality_times_plain", quality / plain, NULL );
	gelFreeBenchBody( &body );
	return ok;
}

// As in the paper: one pass, one sweep, whatever the stiffness and the step are.
static bool MeasureFlatness( gelBench* bench )
{
	static const struct
	{
		double youngsModulus, step;
	} cases[] = { { 1e5, 0.01 }, { 1e6, 0.01 }, { 1e7, 0.01 }, { 1e6, 0.005 }, { 1e6, 1.0 / 60.0 },
		{ 1e6, 1.0 / 30.0 } };
	double first = 0.0, least = INFINITY, most = 0.0;
	for ( int i = 0; i < 6; ++i )
	{
		gelBenchBody body = { 0 };
		gelBodyDef def = gelDefaultBodyDef();
		def.solver.fast.passes = def.solver.fast.volumeSweeps = 1;
		double seconds =
			BakeBeam( bench, bench->quick ? 500 : 16000, cases[i].youngsModulus, 0.33, cases[i].step, &body )
			? MeasureMode( bench, &body, (float)cases[i].step, def )
			: 0.0;
		gelFreeBenchBody( &body );
		if ( seconds <= 0.0 ) return false;
		first = i == 0 ? seconds : first;
		least = fmin( least, seconds );
		most = fmax( most, seconds );
		char name[64];
		snprintf( name, sizeof( name ), "%g Pa, %.4g ms", cases[i].youngsModulus, cases[i].step * 1e3 );
		gelBench_Row(
			bench, "flatness", name, "step_us", seconds * 1e6, "times_first", seconds / first, NULL );
	}
	gelBench_Row( bench, "flatness", "slowest to fastest", "ratio", most / least, NULL );
	return true;
}

bool gelMeasureModes( gelBench* bench )
{
	static const struct
	{
		int tets;
		double poissonsRatio, step;
	} cases[] = { { 500, 0.33, 1.0 / 60.0 }, { 4000, 0.33, 0.01 }, { 4000, 0.33, 1.0 / 60.0 },
		{ 4000, 0.33, 1.0 / 30.0 }, { 4000, 0.45, 0.01 }, { 4000, 0.49, 0.01 }, { 4000, 0.49, 1.0 / 60.0 },
		{ 16000, 0.33, 0.01 }, { 54000, 0.33, 0.01 }, { 170000, 0.33, 0.01 } };
	bool ok = MeasureFlatness( bench );
	for ( int i = 0; ok && i < ( bench->quick ? 1 : 10 ); ++i )
		ok = MeasureBoth( bench, cases[i].tets, cases[i].poissonsRatio, cases[i].step );
	return ok;
}
