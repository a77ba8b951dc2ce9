// SPDX-License-Identifier: MIT
// The phases of one step of one body on one thread.
#include "step_bench.h"

#include "elements_ref.h"
#include "solvers/fast/fast_kernels.h"
#include "simd/supernodal_solve.h"
#include "skin/skin_kernels.h"
#include "volume_ref.h"
#include "state/world.h"

#include <stdlib.h>
#include <string.h>

static const float s_step = 1.0f / 60.0f;

typedef struct gelPhaseRun
{
	gelWorldId world;
	gelBody* body;
	gelVec3 *x, *corners, *rhs; // arrays of the scalar twins
	gelQuat* q;
	float* kappa;
	gelVec3* skin;
} gelPhaseRun;

static void Step( void* context )
{
	gelPhaseRun* run = context;
	gelWorld_Step( run->world, s_step );
}

static void Elements( void* context )
{
	gelBody* body = ( (gelPhaseRun*)context )->body;
	const gelAsset* asset = body->asset;
	memset( body->b, 0, ( (size_t)asset->nodeCount + 1 ) * sizeof( gelVec4 ) );
	gelGetElementKernels( body->simd )
		->updateElements(
			asset->elements, asset->blockCount, body->uTilde, body->uTilde, s_step, body->q, body->b );
}

static void Elements_Ref( void* context )
{
	gelPhaseRun* run = context;
	gelUpdateRotations_Ref( run->body->asset, run->x, run->q );
	gelComputeCorners_Ref( run->body->asset, run->x, run->q, s_step, run->corners );
	gelAddCorners_Ref( run->body->asset, run->corners, run->rhs );
}

// Zeros would stay zeros, and numbers that shrink would become denormal: the solution is set back every time.
static void FillRhs( gelBody* body )
{
	for ( uint32_t i = 0; i < body->factor.header->n; ++i )
		body->y[i] = ( gelVec4 ){ 1.0f, 2.0f, 3.0f, 0.0f };
}

static void Solve( void* context )
{
	gelBody* body = ( (gelPhaseRun*)context )->body;
	FillRhs( body );
	gelSolveFactor( body->simd, &body->factor, &body->y, 1, body->solveScratch );
}

static void Solve_Ref( void* context )
{
	gelPhaseRun* run = context;
	for ( uint32_t i = 0; i < run->body->factor.header->n; ++i )
		run->rhs[i] = ( gelVec3 ){ 1.0f, 2.0f, 3.0f };
	gelSolveFactor_Ref( &run->body->factor, &run->rhs->x );
}

static void Volume( void* context )
{
	gelBody* body = ( (gelPhaseRun*)context )->body;
	gelGetVolumeKernels( body->simd )
		->sweep( body->asset->volumes, body->asset->blockCount, s_step, body->kappa, body->p );
}

static void Volume_Ref( void* context )
{
	gelPhaseRun* run = context;
	gelSolveVolume_Ref( run->body->asset, run->body->invMasses, s_step, 1, run->kappa, run->x );
}

static void Skin( void* context )
{
	gelPhaseRun* run = context;
	const gelBody* body = run->body;
	double origin[4] = { 0.0 };
	gelGetSkinKernels( body->simd )
		->positions( &body->asset->pack, body->p, origin, 0, body->asset->vertexCount, run->skin );
}

static bool Begin( gelPhaseRun* run, const gelBenchBody* body )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = body->asset;
	bodyDef.solver.fast.passes = bodyDef.solver.fast.volumeSweeps = 1; // as in the paper
	bodyDef.angularVelocity = ( gelVec3 ){ 0.5f, 1.0f, 0.2f };
	gelBodyId id;
	if ( gelCreateWorld( &worldDef, &run->world ) != gel_success ) return false;
	if ( gelCreateBody( run->world, &bodyDef, &id ) != gel_success ) return false;
	run->body = gelGetBody( id );
	size_t n = (size_t)body->info.nodeCount, t = GEL_BLOCK_LANES * (size_t)body->asset->blockCount;
	run->x = malloc( n * sizeof( gelVec3 ) );
	run->corners = malloc( 4 * t * sizeof( gelVec3 ) );
	run->rhs = malloc( n * sizeof( gelVec3 ) );
	run->q = malloc( t * sizeof( gelQuat ) );
	run->kappa = malloc( GEL_BLOCK_LANES * (size_t)body->asset->blockCount * sizeof( float ) );
	run->skin = malloc( (size_t)body->info.vertexCount * sizeof( gelVec3 ) );
	if ( !run->x || !run->corners || !run->rhs || !run->q || !run->kappa || !run->skin ) return false;
	for ( int i = 0; i < 5; ++i )
		Step( run );
	memcpy( run->x, run->body->x, n * sizeof( gelVec3 ) );
	memcpy( run->q, run->body->q, t * sizeof( gelQuat ) );
	return true;
}

static void End( gelPhaseRun* run )
{
	if ( run->world.world ) gelDestroyWorld( run->world );
	void* blocks[] = { run->x, run->corners, run->rhs, run->q, run->kappa, run->skin };
	for ( size_t i = 0; i < sizeof( blocks ) / sizeof( blocks[0] ); ++i )
		free( blocks[i] );
}

typedef struct gelPhaseTimes
{
	double step, elements, solve, volume, skin;
} gelPhaseTimes;

// Bytes that a phase has to move at least, each cache line once: constants, and state that is read, read and
// written, or written.
static void ReportBytes(
	gelBench* bench, const char* name, const gelPhaseRun* run, const gelPhaseTimes* times )
{
	const gelAsset* asset = run->body->asset;
	double t = asset->tetCount, nodes = asset->nodeCount, vertices = asset->vertexCount;
	double vec4 = sizeof( gelVec4 ), slots = GEL_BLOCK_LANES * (double)asset->blockCount;
	double factorBytes = 4.0 * run->body->factor.header->values.count +
		4.0 * run->body->factor.rowFirst[run->body->factor.header->superCount];
	double elementBytes = asset->blockCount * (double)sizeof( gelElementBlock ) +
		2.0 * slots * sizeof( gelQuat ) + 3.0 * nodes * vec4;   // rotations r w, displacements r, sums r w
	double solveBytes = 2.0 * factorBytes + 4.0 * nodes * vec4; // values and rows twice, right-hand sides r w
	double volumeBytes = asset->blockCount * (double)sizeof( gelVolumeBlock ) + 2.0 * nodes * vec4 +
		2.0 * slots * sizeof( float ); // positions and multipliers r w
	// four weights and a tet per vertex, its nodes' numbers, nodes; positions are written
	double skinBytes = vertices * ( 4.0 * sizeof( float ) + sizeof( uint32_t ) + sizeof( gelVec3 ) ) +
		( vertices < t ? vertices : t ) * sizeof( gelPackTet ) + nodes * vec4;
	gelBench_Row( bench, "phases", name, "elements_ns_per_tet", times->elements * 1e9 / t, "elements_mb",
		elementBytes * 1e-6, "elements_gb_per_s", elementBytes * 1e-9 / times->elements, "solve_ns_per_tet",
		times->solve * 1e9 / t, "solve_mb", solveBytes * 1e-6, "solve_gb_per_s",
		solveBytes * 1e-9 / times->solve, "volume_ns_per_tet", times->volume * 1e9 / t, "volume_mb",
		volumeBytes * 1e-6, "volume_gb_per_s", volumeBytes * 1e-9 / times->volume, "skin_ns_per_tet",
		times->skin * 1e9 / t, "skin_mb", skinBytes * 1e-6, "skin_gb_per_s", skinBytes * 1e-9 / times->skin,
		NULL );
}

static void Report( gelBench* bench, const char* name, gelPhaseRun* run, const gelCholmodTimes* cholmod )
{
	const gelAsset* asset = run->body->asset;
	double t = asset->tetCount, factorBytes = 4.0 * run->body->factor.header->values.count;
	gelPhaseTimes times = { .step = gelBench_Best( bench, Step, run ),
		.elements = gelBench_Best( bench, Elements, run ),
		.solve = gelBench_Best( bench, Solve, run ),
		.volume = gelBench_Best( bench, Volume, run ),
		.skin = gelBench_Best( bench, Skin, run ) };
	double elementsRef = gelBench_Best( bench, Elements_Ref, run );
	double volumeRef = gelBench_Best( bench, Volume_Ref, run ),
		   solveRef = gelBench_Best( bench, Solve_Ref, run );
	double stream = 2.0 * factorBytes / bench->readBandwidth;
	double best = cholmod->simplicial < cholmod->supernodal ? cholmod->simplicial : cholmod->supernodal;
	// constants, rotations read and written, right-hand sides
	double elementBytes = t * ( sizeof( gelElementBlock ) / 8.0 + 32.0 ) + 48.0 * asset->nodeCount;
	gelBench_Row( bench, "step", name, "tets", t, "nodes", (double)asset->nodeCount, "step_us",
		times.step * 1e6, "ns_per_tet", times.step * 1e9 / t, "elements_us", times.elements * 1e6, "solve_us",
		times.solve * 1e6, "volume_us", times.volume * 1e6, "skin_us", times.skin * 1e6, "other_us",
		( times.step - times.elements - times.solve - times.volume ) * 1e6, NULL );
	ReportBytes( bench, name, run, &times );
	gelBench_Row( bench, "ratios", name, "factor_mb", factorBytes * 1e-6, "element_mb", elementBytes * 1e-6,
		"solve_times_stream", times.solve / stream, "elements_times_stream",
		times.elements / ( elementBytes / bench->readBandwidth ), "cholmod_simplicial_times_solve",
		cholmod->simplicial / times.solve, "cholmod_supernodal_times_solve",
		cholmod->supernodal / times.solve, "cholmod_best_times_solve", best / times.solve,
		"scalar_times_elements", elementsRef / times.elements, "scalar_times_volume",
		volumeRef / times.volume, "scalar_times_solve", solveRef / times.solve, NULL );
}

bool gelMeasurePhases( gelBench* bench, const char* name, const gelBenchBody* body )
{
	gelPhaseRun run = { 0 };
	gelCholmodTimes cholmod;
	bool ok = Begin( &run, body ) && gelMeasureCholmod( bench, body->asset, s_step, &cholmod );
	if ( ok ) Report( bench, name, &run, &cholmod );
	End( &run );
	return ok;
}

// One row per instruction set that the processor has: each against the scalar twins.
bool gelMeasureLevels( gelBench* bench, const char* name, const gelBenchBody* body )
{
	gelPhaseRun run = { 0 };
	if ( !Begin( &run, body ) )
	{
		End( &run );
		return false;
	}
	gelSimdLevel chosen = run.body->simd;
	double t = body->info.tetCount, elementsRef = gelBench_Best( bench, Elements_Ref, &run );
	double solveRef = gelBench_Best( bench, Solve_Ref, &run ),
		   volumeRef = gelBench_Best( bench, Volume_Ref, &run );
	for ( int i = 0; i < GEL_BENCH_LEVELS; ++i )
	{
		gelSimdLevel simd = gel_benchLevels[i];
		if ( gelFindSimdLevel( simd ) != simd ) continue;
		run.body->simd = simd;
		double elements = gelBench_Best( bench, Elements, &run );
		double solve = gelBench_Best( bench, Solve, &run ), volume = gelBench_Best( bench, Volume, &run );
		char row[64];
		snprintf( row, sizeof( row ), "%s, %s", name, gelGetSimdName( simd ) );
		gelBench_Row( bench, "levels", row, "elements_ns_per_tet", elements * 1e9 / t,
			"scalar_times_elements", elementsRef / elements, "solve_ns_per_tet", solve * 1e9 / t,
			"scalar_times_solve", solveRef / solve, "volume_ns_per_tet", volume * 1e9 / t,
			"scalar_times_volume", volumeRef / volume, NULL );
	}
	run.body->simd = chosen;
	End( &run );
	return true;
}
