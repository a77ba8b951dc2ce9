// SPDX-License-Identifier: MIT
// Levels of detail of one body: bytes, time of a step, time of a change, and how far the art is moved by it.
#include "bench.h"

#include "asset/asset.h"

#include <math.h>
#include <stdlib.h>

typedef struct LodRun
{
	gelWorldId world;
	gelBodyId body;
	int level, levelCount;
	gelVec3 *before, *now; // art vertices
	int count;
} LodRun;

static void Step( void* context )
{
	const LodRun* run = context;
	gelWorld_Step( run->world, 1.0f / 60.0f );
}

// To the next coarser level, or from the coarsest to the one before, and back.
static void SwitchTwice( void* context )
{
	const LodRun* run = context;
	int other = run->level + 1 < run->levelCount ? run->level + 1 : run->level - 1;
	gelBody_SetLevel( run->body, other );
	gelBody_SetLevel( run->body, run->level );
}

// Largest and root mean square distance of the art, in sizes of the body.
static void Compare( const LodRun* run, double size, double* outMost, double* outMean )
{
	double most = 0.0, sum = 0.0;
	for ( int i = 0; i < run->count; ++i )
	{
		double x = (double)run->now[i].x - run->before[i].x, y = (double)run->now[i].y - run->before[i].y;
		double z = (double)run->now[i].z - run->before[i].z, d2 = x * x + y * y + z * z;
		most = fmax( most, d2 );
		sum += d2;
	}
	*outMost = sqrt( most ) / size;
	*outMean = sqrt( sum / run->count ) / size;
}

// A step of the level alone, without ground. @return [s], or 0
static double MeasureFree( gelBench* bench, const gelAsset* asset )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = asset;
	bodyDef.angularVelocity = ( gelVec3 ){ 1.0f, 2.0f, 3.0f };
	LodRun run = { .level = 0 };
	double step = 0.0;
	if ( gelCreateWorld( &worldDef, &run.world ) != gel_success ) return step;
	if ( gelCreateBody( run.world, &bodyDef, &run.body ) == gel_success )
		step = gelBench_Best( bench, Step, &run );
	gelDestroyWorld( run.world );
	return step;
}

// The body lies on the ground; each level gets it from level 0.
static void MeasureLevel( gelBench* bench, LodRun* run, const gelAsset* root )
{
	double most, mean, restMost, restMean, size = (double)root->restSize;
	int settling = bench->quick ? 20 : 300; // steps
	gelBody_SetLevel( run->body, 0 );
	for ( int i = 0; i < settling; ++i )
		Step( run );
	gelBody_GetPositions( run->body, run->before, run->count );
	gelBody_SetLevel( run->body, run->level );
	gelBody_GetPositions( run->body, run->now, run->count );
	Compare( run, size, &most, &mean );
	for ( int i = 0; i < settling; ++i )
		Step( run );
	gelBody_GetPositions( run->body, run->now, run->count );
	Compare( run, size, &restMost, &restMean );
	double step = gelBench_Best( bench, Step, run );
	double freeStep = MeasureFree( bench, gelAsset_GetLevel( root, run->level ) );
	double twice = gelBench_Best( bench, SwitchTwice, run );
	gelAssetInfo info = gelAsset_GetInfo( gelAsset_GetLevel( root, run->level ) );
	size_t bytes = info.packBytes;
	for ( int i = 1; i < run->levelCount && run->level == 0; ++i )
		bytes -= gelAsset_GetInfo( gelAsset_GetLevel( root, i ) ).packBytes;
	char name[32];
	snprintf( name, sizeof( name ), "level %d", run->level );
	gelBench_Row( bench, "levels", name, "tets", (double)info.tetCount, "kbytes", (double)bytes * 1e-3,
		"free_step_us", freeStep * 1e6, "ground_step_us", step * 1e6, "switch_us", twice * 0.5e6,
		"moved_most_percent", 100.0 * most, "moved_rms_percent", 100.0 * mean, "rest_most_percent",
		100.0 * restMost, "rest_rms_percent", 100.0 * restMean, NULL );
}

bool gelBenchLod( gelBench* bench )
{
	static const int levels[] = { 500, 120 };
	gelBenchBody body;
	bool ok = gelMakeBenchLevels(
		bench, "bear", bench->quick ? 2000 : 40000, bench->quick ? 800 : 2000, levels, 2, &body );
	LodRun run = { .levelCount = 3, .count = body.info.vertexCount };
	run.before = malloc( (size_t)run.count * sizeof( gelVec3 ) + 1 );
	run.now = malloc( (size_t)run.count * sizeof( gelVec3 ) + 1 );
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = body.asset;
	bodyDef.transform.position.y = ok ? 0.01f - body.info.restBounds.min.y : 0.0f;
	ok = ok && run.before != NULL && run.now != NULL &&
		gelCreateWorld( &worldDef, &run.world ) == gel_success &&
		gelCreateBody( run.world, &bodyDef, &run.body ) == gel_success;
	for ( ; ok && run.level < run.levelCount; ++run.level )
		MeasureLevel( bench, &run, body.asset );
	if ( run.world.world ) gelDestroyWorld( run.world );
	free( run.before );
	free( run.now );
	gelFreeBenchBody( &body );
	return ok;
}
