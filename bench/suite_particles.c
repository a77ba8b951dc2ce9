// SPDX-License-Identifier: MIT
// Oriented particles: the loops of one body per particle and iteration, against the code for one particle;
// and the scene of Choi and Lee (2017) with 180 bodies, whose local and global steps took 8.87 + 3.28 ms on
// four cores of a laptop of 2.9 GHz: about 49 ms of one core.
#include "bench.h"
#include "crew.h"

#include "solvers/particles/particle_body.h"
#include "simd/supernodal_solve.h"
#include "state/world.h"

#include <stdlib.h>

#define GEL_PAPER_MS 49.0

// With its collisions, 27.1 ms on four cores.
#define GEL_PAPER_CONTACT_MS 108.0

// ---- loops ----------------------------------------------------------------------------------------------

#define GEL_LOOP_REPEATS 50

typedef struct LoopRun
{
	gelBody* body;
	gelParticlePass pass;
} LoopRun;

static void Sweep( void* context )
{
	LoopRun* run = context;
	for ( int i = 0; i < GEL_LOOP_REPEATS; ++i )
		gelGetParticleKernels( run->body->simd )->sweep( &run->pass, i % 2 == 1 );
}

static void Sweep_Ref( void* context )
{
	LoopRun* run = context;
	for ( int i = 0; i < GEL_LOOP_REPEATS; ++i )
	{
		for ( int slot = 0; slot < 8 * run->pass.blockCount; ++slot )
			gelTurnParticle_Ref( &run->pass, slot, gelGetParticleMatrix_Ref( &run->pass, slot ) );
	}
}

static void Sum( void* context )
{
	LoopRun* run = context;
	for ( int i = 0; i < GEL_LOOP_REPEATS; ++i )
		gelGetParticleKernels( run->body->simd )->sum( &run->pass );
}

static void Solve( void* context )
{
	LoopRun* run = context;
	gelParticles* p = gelGetParticles( run->body );
	for ( int i = 0; i < GEL_LOOP_REPEATS; ++i )
		gelSolveFactor( run->body->simd, &p->factor, &p->y, 1, p->solveScratch );
}

static bool MeasureLoops( gelBench* bench, int particleCount, gelSimdLevel simd, const char* kind )
{
	gelBenchBody asset;
	if ( !gelMakeBenchParticles( bench, "horse", 10000, particleCount, &asset ) ) return false;
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.simd = simd;
	gelWorldId world = { NULL };
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = asset.asset;
	bodyDef.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	bodyDef.angularVelocity.y = 3.0f;
	gelBodyId id;
	bool ok = gelCreateWorld( &worldDef, &world ) == gel_success &&
		gelCreateBody( world, &bodyDef, &id ) == gel_success &&
		gelWorld_Step( world, 1.0f / 60.0f ) == gel_success;
	if ( ok )
	{
		LoopRun run = { gelGetBody( id ), gelParticles_MakePass( gelGetParticles( gelGetBody( id ) ) ) };
		run.pass.h = 1.0f / 60.0f;
		run.pass.holds = NULL;
		gelGetParticleKernels( run.body->simd )->predict( &run.pass );
		double each = 1e9 / GEL_LOOP_REPEATS / particleCount;
		double sweep = each * gelBench_Best( bench, Sweep, &run );
		double scalar = each * gelBench_Best( bench, Sweep_Ref, &run );
		double sum = each * gelBench_Best( bench, Sum, &run );
		double solve = each * gelBench_Best( bench, Solve, &run );
		char name[64];
		snprintf( name, sizeof( name ), "horse, %d particles%s", particleCount, kind );
		gelBench_Row( bench, "loops", name, "edges",
			(double)gelAsset_GetParticleEdges( asset.asset, NULL, 0 ), "batches", (double)run.pass.blockCount,
			"rotations_ns", sweep, "scalar_over_wide", scalar / sweep, "sums_ns", sum, "solve_ns", solve,
			NULL );
	}
	if ( world.world ) gelDestroyWorld( world );
	gelFreeBenchBody( &asset );
	return ok;
}

// ---- a scene --------------------------------------------------------------------------------------------

#define GEL_SCENE_ASSETS 4
#define GEL_SCENE_BODIES 180

typedef struct SceneRun
{
	gelWorldId world;
	gelBodyId bodies[GEL_SCENE_BODIES];
	gelVec3 *out, *normals;
	int vertexCount; // art vertices of all bodies
} SceneRun;

static void StepScene( void* context )
{
	SceneRun* run = context;
	gelWorld_Step( run->world, 1.0f / 60.0f );
}

static void SkinScene( void* context )
{
	SceneRun* run = context;
	gelVec3* out = run->out;
	for ( int i = 0; i < GEL_SCENE_BODIES; ++i )
		out += gelBody_GetPositions( run->bodies[i], out, 1 << 28 );
}

static void SkinSceneNormals( void* context )
{
	SceneRun* run = context;
	gelVec3* out = run->normals;
	for ( int i = 0; i < GEL_SCENE_BODIES; ++i )
		out += gelBody_GetNormals( run->bodies[i], out, 1 << 28 );
}

static void SkinSceneBoth( void* context )
{
	SceneRun* run = context;
	gelVertexTarget targets[GEL_SCENE_BODIES];
	int first = 0;
	for ( int i = 0; i < GEL_SCENE_BODIES; ++i )
	{
		targets[i] =
			( gelVertexTarget ){ run->bodies[i], run->out + first, run->normals + first, 0, 1 << 28 };
		first += gelGetBody( run->bodies[i] )->asset->vertexCount;
	}
	gelWorld_GetVertices( run->world, targets, GEL_SCENE_BODIES );
}

static bool PlaceBodies( SceneRun* run, const gelBenchBody* assets, bool isHeap )
{
	for ( int i = 0; i < GEL_SCENE_BODIES; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = assets[i % GEL_SCENE_ASSETS].asset;
		def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
		def.solver.particles.subSteps = 6;
		def.solver.particles.iterations = 2;
		def.enableQueries = false;
		def.constraintCapacity = 0;
		def.transform.position = isHeap
			? ( gelVec3 ){ 1.1f * (float)( i % 6 ), 0.6f + 1.1f * (float)( i / 36 ),
				  1.1f * (float)( i / 6 % 6 ) }
			: ( gelVec3 ){ 2.0f * (float)( i % 14 ), 1.0f, 2.0f * (float)( i / 14 ) };
		def.angularVelocity = ( gelVec3 ){ 1.0f, 2.0f, 0.5f };
		if ( gelCreateBody( run->world, &def, run->bodies + i ) != gel_success ) return false;
		run->vertexCount += gelBody_GetPositions( run->bodies[i], NULL, 0 );
	}
	return true;
}

// Bytes that skinning reads per vertex for positions alone, of all bodies of a scene. Output aside.
static double CountSkinBytes( const SceneRun* run, double* outEntries )
{
	double bytes = 0.0, entries = 0.0, blocks = 0.0;
	for ( int i = 0; i < GEL_SCENE_BODIES; ++i )
	{
		const gelSkinModel* skin = &gelGetParticles( gelGetBody( run->bodies[i] ) )->model->skin;
		entries += skin->entryFirst[skin->blockCount];
		blocks += skin->blockCount;
		for ( int tile = 0; tile < skin->tileCount; ++tile )
			bytes += skin->isSorted[tile] ? sizeof( uint16_t ) * GEL_SKIN_TILE : 0;
	}
	bytes += entries * ( sizeof( gelSkinEntry ) + sizeof( uint16_t ) );
	bytes += blocks * ( sizeof( gelSkinRest ) + sizeof( uint32_t ) );
	*outEntries = entries / blocks;
	return bytes / run->vertexCount;
}

// @param stream seconds per byte of each vertex
static void MeasureSkin( gelBench* bench, SceneRun* run, const char* kind, double stream )
{
	double entries, read = CountSkinBytes( run, &entries );
	double positionBytes = read + sizeof( gelVec3 );
	double normalBytes = read + sizeof( gelPackNormal ); // no rest positions, but as many bytes of output
	double bothBytes = read + sizeof( gelPackNormal ) + 2 * sizeof( gelVec3 );
	double positions = gelBench_Best( bench, SkinScene, run );
	double normals = gelBench_Best( bench, SkinSceneNormals, run );
	double both = gelBench_Best( bench, SkinSceneBoth, run );
	double each = 1e9 / run->vertexCount;
	char name[64];
	snprintf( name, sizeof( name ), "skinning%s", kind );
	gelBench_Row( bench, "scene", name, "vertices", (double)run->vertexCount, "entries_per_block", entries,
		"positions_ns", positions * each, "normals_ns", normals * each, "both_ns", both * each, NULL );
	snprintf( name, sizeof( name ), "skinning%s, against the stream", kind );
	gelBench_Row( bench, "scene", name, "positions_bytes", positionBytes, "positions_times_stream",
		positions / ( positionBytes * stream ), "normals_bytes", normalBytes, "normals_times_stream",
		normals / ( normalBytes * stream ), "both_bytes", bothBytes, "both_times_stream",
		both / ( bothBytes * stream ), NULL );
}

static void SetLevel( struct gelWorld* world, gelSimdLevel simd )
{
	for ( int i = 0; i < world->liveCount; ++i )
		world->live[i]->simd = simd;
}

// With the best kernels, with AVX2, and on two threads.
static void MeasureSkins( gelBench* bench, SceneRun* run )
{
	double stream = (double)run->vertexCount / ( 2.0 * bench->copyBandwidth );
	MeasureSkin( bench, run, "", stream );
	struct gelWorld* world = run->world.world;
	if ( gelFindSimdLevel( gel_simdAvx2 ) == gel_simdAvx2 )
	{
		SetLevel( world, gel_simdAvx2 );
		MeasureSkin( bench, run, ", AVX2", stream );
		SetLevel( world, world->simd );
	}
	gelCrew crew = { .workerCount = 2 };
	world->def.tasks = ( gelTaskSystem ){ gelCrew_ParallelFor, &crew, 2 };
	double both = gelBench_Best( bench, SkinSceneBoth, run );
	world->def.tasks = ( gelTaskSystem ){ NULL, NULL, 0 };
	gelFreeCrew( &crew );
	gelBench_Row( bench, "scene", "skinning, two threads", "both_ns", both * 1e9 / run->vertexCount, NULL );
}

static void MeasureScene( gelBench* bench, SceneRun* run, int particleCount, bool isHeap, int threads )
{
	for ( int i = 0; i < 60; ++i ) // most have met the ground
		StepScene( run );
	double step = gelBench_Best( bench, StepScene, run );
	if ( isHeap )
	{
		gelContactCounters counters = gelWorld_GetContactCounters( run->world );
		gelBench_Row( bench, "scene", "180 bodies in a heap", "threads", (double)threads, "particles",
			(double)particleCount, "step_ms", step * 1e3, "paper_over_step",
			GEL_PAPER_CONTACT_MS / ( step * 1e3 ), "contacts", (double)counters.contactCount,
			"touching_pairs", (double)counters.touchingPairCount, NULL );
		return;
	}
	gelBench_Row( bench, "scene", "180 bodies, 6 x 2 iterations", "particles", (double)particleCount,
		"step_ms", step * 1e3, "paper_over_step", GEL_PAPER_MS / ( step * 1e3 ), NULL );
	MeasureSkins( bench, run );
}

static bool BenchScene( gelBench* bench, bool isHeap, int threads )
{
	static const char* const names[GEL_SCENE_ASSETS] = { "bear", "star", "horse", "torus" };
	gelBenchBody assets[GEL_SCENE_ASSETS] = { { NULL, 0, NULL, { 0 } } };
	SceneRun run = { .vertexCount = 0 };
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.enableContact = isHeap;
	worldDef.contactCapacity = 16384;
	gelCrew crew = { .workerCount = threads };
	if ( threads > 1 ) worldDef.tasks = ( gelTaskSystem ){ gelCrew_ParallelFor, &crew, threads };
	bool ok = gelCreateWorld( &worldDef, &run.world ) == gel_success;
	int particleCount = 0;
	for ( int i = 0; ok && i < GEL_SCENE_ASSETS; ++i )
	{
		ok = gelMakeBenchParticles( bench, names[i], bench->quick ? 2000 : 7800, 24, assets + i );
		if ( ok )
			particleCount +=
				GEL_SCENE_BODIES / GEL_SCENE_ASSETS * gelAsset_GetParticles( assets[i].asset, NULL, 0 );
	}
	ok = ok && PlaceBodies( &run, assets, isHeap );
	if ( ok )
	{
		run.out = malloc( (size_t)run.vertexCount * sizeof( gelVec3 ) );
		run.normals = malloc( (size_t)run.vertexCount * sizeof( gelVec3 ) );
		ok = run.out != NULL && run.normals != NULL;
	}
	if ( ok ) MeasureScene( bench, &run, particleCount, isHeap, threads );
	if ( run.world.world ) gelDestroyWorld( run.world );
	for ( int i = 0; i < GEL_SCENE_ASSETS; ++i )
		gelFreeBenchBody( assets + i );
	free( run.out );
	free( run.normals );
	gelFreeCrew( &crew );
	return ok;
}

// ---- instances ------------------------------------------------------------------------------------------

#define GEL_MAX_INSTANCES 256

// A step of so many bodies of one asset [s]; negative: they cannot be made.
static double MeasureInstances( gelBench* bench, const gelAsset* asset, int count, gelSimdLevel simd )
{
	SceneRun run = { .vertexCount = 0 };
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.simd = simd;
	worldDef.bodyCapacity = GEL_MAX_INSTANCES;
	bool ok = gelCreateWorld( &worldDef, &run.world ) == gel_success;
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	def.solver.particles.subSteps = 6;
	def.solver.particles.iterations = 2;
	def.angularVelocity.y = 1.0f;
	gelBodyId id;
	for ( int i = 0; ok && i < count; ++i )
		ok = gelCreateBody( run.world, &def, &id ) == gel_success;
	double step = ok ? gelBench_Best( bench, StepScene, &run ) : -1.0;
	if ( run.world.world ) gelDestroyWorld( run.world );
	return step;
}

// What a body costs among many of its kind against one that is alone.
static bool BenchInstances( gelBench* bench, int particleCount, gelSimdLevel simd, const char* kind )
{
	static const int counts[] = { 7, 16, 48, GEL_MAX_INSTANCES };
	gelBenchBody asset;
	if ( !gelMakeBenchParticles( bench, "horse", 2000, particleCount, &asset ) ) return false;
	double one = MeasureInstances( bench, asset.asset, 1, simd );
	bool ok = one >= 0.0;
	for ( int i = 0; ok && i < 4; ++i )
	{
		double each = MeasureInstances( bench, asset.asset, counts[i], simd ) / counts[i];
		char name[64];
		snprintf( name, sizeof( name ), "%d of one asset, %d particles%s", counts[i], particleCount, kind );
		gelBench_Row( bench, "instances", name, "one_us", one * 1e6, "each_us", each * 1e6, "each_over_one",
			each / one, NULL );
		ok = each >= 0.0;
	}
	gelFreeBenchBody( &asset );
	return ok;
}

bool gelBenchParticles( gelBench* bench )
{
	static const int counts[] = { 24, 100, 400 };
	bool ok = true;
	for ( int i = 0; ok && i < ( bench->quick ? 1 : 3 ); ++i )
		ok = MeasureLoops( bench, counts[i], gel_simdAutomatic, "" ) &&
			MeasureLoops( bench, counts[i], gel_simdAvx2, ", AVX2" );
	ok = ok && BenchInstances( bench, 24, gel_simdAutomatic, "" ) &&
		BenchInstances( bench, 24, gel_simdAvx2, ", AVX2" ) &&
		( bench->quick || BenchInstances( bench, 100, gel_simdAutomatic, "" ) );
	return ok && BenchScene( bench, false, 1 ) && BenchScene( bench, true, 1 ) &&
		BenchScene( bench, true, 2 );
}
