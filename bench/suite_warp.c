// SPDX-License-Identifier: MIT
// The warp-cancelling solver on a beam that is clamped at one end and falls: against factoring everything in
// every step, by ourselves and by CHOLMOD, and against conjugate gradients; budgets; the dense kernels
// against the peak of a core. The tables of Hecht et al. (2012) as ratios.
#include "warp_bench.h"

#include "gelpack/experimental.h"

#include "crew.h"

#include "solvers/warp/warp_body.h"
#include "state/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const float s_step = 1.0f / 60.0f;

// One run of the beam.
typedef struct gelWarpRun
{
	double seconds;             // per step, CPU time
	double operations, refresh; // mean parts of the factor
	double residual;            // worst
	gelVec3* path;              // positions of all nodes, every tenth step [m]
} gelWarpRun;

#define GEL_PATH_STRIDE 10

static bool Run( const gelBenchBody* body, const gelBodyDef* settings, int steps, gelWarpRun* run )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	gelWorldId world;
	gelBodyId id;
	gelBodyDef def = *settings;
	def.asset = body->asset;
	gelAsset_GetPinSets( body->asset, &def.pinSetId, 1 );
	if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return false;
	if ( gelCreateBody( world, &def, &id ) != gel_success ) return false;
	size_t n = (size_t)body->info.nodeCount;
	*run =
		( gelWarpRun ){ .path = malloc( n * (size_t)( steps / GEL_PATH_STRIDE + 1 ) * sizeof( gelVec3 ) ) };
	gelWorld_Step( world, s_step );
	for ( int i = 0; i < steps; ++i )
	{
		double start = gelGetCpuSeconds();
		gelWorld_Step( world, s_step );
		run->seconds += ( gelGetCpuSeconds() - start ) / steps;
		gelWarpStats stats = gelBody_GetWarpStats( id );
		run->operations += (double)stats.operations / steps;
		if ( stats.superCount > 0 ) run->refresh += (double)stats.refreshedCount / stats.superCount / steps;
		run->residual = fmax( run->residual, (double)stats.residual );
		if ( i % GEL_PATH_STRIDE == 0 )
			memcpy(
				run->path + n * (size_t)( i / GEL_PATH_STRIDE ), gelGetBody( id )->x, n * sizeof( gelVec3 ) );
	}
	gelDestroyWorld( world );
	return true;
}

// Largest distance of a node from where it is in another run, by the length of the beam.
static double ComparePaths( const gelBenchBody* body, const gelWarpRun* a, const gelWarpRun* b, int steps )
{
	double most = 0.0;
	size_t count =
		(size_t)body->info.nodeCount * (size_t)( ( steps + GEL_PATH_STRIDE - 1 ) / GEL_PATH_STRIDE );
	for ( size_t i = 0; i < count; ++i )
		most = fmax( most, (double)gelLength( gelSub( a->path[i], b->path[i] ) ) );
	return most / 3.0;
}

static gelBodyDef MakeDef( float tolerance, gelWarpSchedule schedule, float budget )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	def.solver.warp.tolerance = tolerance;
	def.solver.warp.maxTolerance = 1e6f;
	def.solver.warp.schedule = schedule;
	def.solver.warp.budget = budget;
	return def;
}

// Conjugate gradients with the blocks of the diagonal, to 1e-4 of the right-hand side.
static gelBodyDef MakePcgDef( void )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.solver = gelDefaultSolverDef( gel_solverImplicit );
	static gelImplicitVariant variant;
	variant = gelDefaultImplicitVariant();
	variant.differential = gel_differentialTwo;
	def.solver.implicit.variant = &variant;
	def.solver.implicit.enableRigidModes = false;
	def.solver.implicit.linearIterations = 10000;
	def.solver.implicit.tolerance = 1e-4f;
	return def;
}

static bool MeasureBeam( gelBench* bench, int tetCount, double modulus, int steps )
{
	gelBenchBody body;
	if ( !gelMakeBenchClamped( bench, tetCount, modulus, &body ) ) return false;
	uint64_t pins = 0;
	gelAsset_GetPinSets( body.asset, &pins, 1 );
	double cholmod =
		gelMeasureRefactor( bench, body.asset, gelAsset_FindWarpTree( body.asset, pins ), s_step );
	gelBodyDef defs[] = { MakeDef( 0.0f, gel_warpQuality, 1.0f ), gelDefaultBodyDef(), MakePcgDef() };
	defs[1].solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	gelWarpRun runs[3];
	bool ok = true;
	for ( int i = 0; i < 3 && ok; ++i )
		ok = Run( &body, defs + i, steps, runs + i );
	if ( !ok ) return false;
	char name[64];
	snprintf( name, sizeof( name ), "%d tets, %g Pa", body.info.tetCount, modulus );
	gelBench_Row( bench, "beams", name, "ms", 1e3 * runs[1].seconds, "all_times_warp",
		runs[0].seconds / runs[1].seconds, "cholmod_ms", 1e3 * cholmod, "cholmod_times_warp",
		cholmod / runs[1].seconds, "pcg_ms", 1e3 * runs[2].seconds, "pcg_times_warp",
		runs[2].seconds / runs[1].seconds, "path_error", ComparePaths( &body, runs, runs + 1, steps ),
		"operations", runs[1].operations, "supernodes", runs[1].refresh, "residual", runs[1].residual, NULL );
	for ( int i = 0; i < 3; ++i )
		free( runs[i].path );
	gelFreeBenchBody( &body );
	return true;
}

static bool MeasureBudgets( gelBench* bench, int tetCount, int steps )
{
	static const float budgets[] = { 1.0f, 0.66f, 0.33f, 0.2f, 0.0f };
	gelBenchBody body;
	if ( !gelMakeBenchClamped( bench, tetCount, 1e6, &body ) ) return false;
	gelWarpRun exact, run;
	gelBodyDef def = MakeDef( 0.0f, gel_warpQuality, 1.0f );
	if ( !Run( &body, &def, steps, &exact ) ) return false;
	for ( int i = 0; i < 5; ++i )
	{
		def = MakeDef( 1e-3f, gel_warpTime, budgets[i] );
		if ( !Run( &body, &def, steps, &run ) ) return false;
		char name[32];
		snprintf( name, sizeof( name ), "%.0f %%", 100.0 * (double)budgets[i] );
		gelBench_Row( bench, "budgets", name, "ms", 1e3 * run.seconds, "all_times_this",
			exact.seconds / run.seconds, "operations", run.operations, "path_error",
			ComparePaths( &body, &exact, &run, steps ), "residual", run.residual, NULL );
		free( run.path );
	}
	free( exact.path );
	gelFreeBenchBody( &body );
	return true;
}

// Everything anew in every step, by more and more threads.
static bool MeasureThreads( gelBench* bench, int tetCount, int steps )
{
	gelBenchBody body;
	if ( !gelMakeBenchClamped( bench, tetCount, 1e6, &body ) ) return false;
	double single = 0.0;
	int most = bench->program->threads < GEL_MAX_CREW ? bench->program->threads : GEL_MAX_CREW;
	for ( int workers = 1; workers <= most; workers *= 2 )
	{
		gelCrew crew = { .workerCount = workers };
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		worldDef.tasks = ( gelTaskSystem ){ gelCrew_ParallelFor, &crew, workers };
		gelBodyDef def = MakeDef( 0.0f, gel_warpQuality, 1.0f );
		def.asset = body.asset;
		gelAsset_GetPinSets( body.asset, &def.pinSetId, 1 );
		gelWorldId world;
		gelBodyId id;
		if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return false;
		if ( gelCreateBody( world, &def, &id ) != gel_success ) return false;
		double best = INFINITY;
		for ( int i = 0; i < steps; ++i )
		{
			struct timespec a, b;
			clock_gettime( CLOCK_MONOTONIC, &a );
			gelWorld_Step( world, s_step );
			clock_gettime( CLOCK_MONOTONIC, &b );
			if ( i > 1 )
				best =
					fmin( best, (double)( b.tv_sec - a.tv_sec ) + 1e-9 * (double)( b.tv_nsec - a.tv_nsec ) );
		}
		gelDestroyWorld( world );
		gelFreeCrew( &crew );
		if ( workers == 1 ) single = best;
		char name[32];
		snprintf( name, sizeof( name ), "%d threads", workers );
		gelBench_Row( bench, "threads", name, "ms", 1e3 * best, "speedup", single / best, NULL );
	}
	gelFreeBenchBody( &body );
	return true;
}

// ---- dense kernels --------------------------------------------------------------------------------------

// A panel of n columns with three times as many rows below, and their square.
typedef struct gelDenseRun
{
	const gelDenseKernels* kernels;
	int columns;
	float *source, *panel, *update, *tiles;
} gelDenseRun;

static void FactorPanel( void* context )
{
	gelDenseRun* run = context;
	int tiles = run->columns / GEL_TILE, below = 3 * tiles;
	size_t step = GEL_TILE * (size_t)run->columns;
	memcpy( run->panel, run->source, step * (size_t)( tiles + below ) * sizeof( float ) );
	for ( int k = 0; k < tiles; ++k )
	{
		float* block = run->panel + step * (size_t)k;
		float* tile = block + GEL_TILE_FLOATS * (size_t)k;
		gelDenseProduct product = { tile, step, 0, block, step, block, tiles + below - k, GEL_TILE * k };
		run->kernels->subtractProduct( &product );
		run->kernels->factorTile( tile, run->tiles + GEL_TILE_FLOATS * (size_t)k );
		run->kernels->multiplyTiles(
			tile + step, step, tiles + below - k - 1, run->tiles + GEL_TILE_FLOATS * (size_t)k );
	}
	const float* rows = run->panel + step * (size_t)tiles;
	for ( int j = 0; j < below; ++j )
	{
		size_t block = (size_t)j;
		gelDenseProduct product = { run->update + gelGetUpdateOffset( block ) + GEL_TILE_FLOATS * block,
			GEL_TILE_FLOATS * ( block + 1 ), GEL_TILE_FLOATS, rows + step * block, step, rows + step * block,
			below - j, run->columns };
		run->kernels->subtractProduct( &product );
	}
}

static void MeasureDense( gelBench* bench )
{
	double peak = gelMeasurePeak( bench );
	for ( int columns = 48; columns <= ( bench->quick ? 96 : 384 ); columns *= 2 )
	{
		size_t n = (size_t)columns, rows = 4 * n, below = 3 * n / GEL_TILE;
		gelDenseRun run = { gelFindDense( gelFindSimdLevel( gel_simdAutomatic ) ), columns,
			aligned_alloc( 64, n * rows * sizeof( float ) ), aligned_alloc( 64, n * rows * sizeof( float ) ),
			aligned_alloc( 64, gelGetUpdateOffset( below ) * sizeof( float ) ),
			aligned_alloc( 64, n * GEL_TILE * sizeof( float ) ) };
		memset( run.update, 0, gelGetUpdateOffset( below ) * sizeof( float ) );
		for ( size_t i = 0; i < rows; ++i )
		{
			for ( size_t j = 0; j < n; ++j )
				run.source[i / GEL_TILE * GEL_TILE * n + GEL_TILE * j + i % GEL_TILE] =
					i == j ? (float)n : 0.5f * sinf( (float)( i * n + j ) );
		}
		double c = columns, operations = c * c * c / 3.0 + 3.0 * c * c * c + 9.0 * c * c * c;
		double rate = operations / gelBench_Best( bench, FactorPanel, &run );
		char name[32];
		snprintf( name, sizeof( name ), "%d columns", columns );
		gelBench_Row( bench, "dense", name, "gflops", 1e-9 * rate, "peak_gflops", 1e-9 * peak, "part_of_peak",
			peak > 0.0 ? rate / peak : 1.0, NULL );
		free( run.source );
		free( run.panel );
		free( run.update );
		free( run.tiles );
	}
}

bool gelBenchWarp( gelBench* bench )
{
	static const int sizes[] = { 4000, 19000, 54000 };
	static const double moduli[] = { 1e6, 1e7, 1e8 };
	char blas[256];
	gelGetBlasName( blas, sizeof( blas ) );
	gelProgram_Say( bench->program, "CHOLMOD uses %s", blas );
	gelReport_SetString( &bench->program->report, "machine.blas", blas );
	MeasureDense( bench );
	if ( bench->quick )
		return MeasureBeam( bench, 500, 1e6, 30 ) && MeasureBudgets( bench, 500, 30 ) &&
			MeasureThreads( bench, 4000, 6 );
	for ( int i = 0; i < 9; ++i )
	{
		if ( !MeasureBeam( bench, sizes[i / 3], moduli[i % 3], sizes[i / 3] > 20000 ? 60 : 300 ) )
			return false;
	}
	return MeasureBudgets( bench, 19000, 120 ) && MeasureThreads( bench, 19000, 12 );
}
