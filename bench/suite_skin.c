// SPDX-License-Identifier: MIT
// Skinning: positions and normals of the art mesh, against copying as many bytes as it writes.
#include "bench.h"

#include <stdlib.h>

typedef struct gelSkinRun
{
	gelBodyId body;
	gelVec3* out;
	int count;
} gelSkinRun;

static void SkinPositions( void* context )
{
	gelSkinRun* run = context;
	gelBody_GetPositions( run->body, run->out, run->count );
}

static void SkinNormals( void* context )
{
	gelSkinRun* run = context;
	gelBody_GetNormals( run->body, run->out, run->count );
}

static bool MeasureSkin( gelBench* bench, const char* name, const gelBenchBody* body )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelWorldId world = { NULL };
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = body->asset;
	gelSkinRun run = { { NULL, 0, 0 }, NULL, body->info.vertexCount };
	run.out = malloc( (size_t)run.count * sizeof( gelVec3 ) );
	bool ok = run.out != NULL && gelCreateWorld( &worldDef, &world ) == gel_success &&
		gelCreateBody( world, &bodyDef, &run.body ) == gel_success;
	if ( ok )
	{
		double copy = (double)run.count * sizeof( gelVec3 ) / bench->copyBandwidth;
		double positions = gelBench_Best( bench, SkinPositions, &run );
		double normals = gelBench_Best( bench, SkinNormals, &run );
		gelBench_Row( bench, "skin", name, "vertices", (double)run.count, "positions_us", positions * 1e6,
			"ns_per_vertex", positions * 1e9 / run.count, "positions_times_copy", positions / copy,
			"normals_us", normals * 1e6, "normals_times_copy", normals / copy, "both_times_copy",
			( positions + normals ) / ( 2.0 * copy ), NULL );
	}
	if ( world.world ) gelDestroyWorld( world );
	free( run.out );
	return ok;
}

bool gelBenchSkin( gelBench* bench )
{
	static const int triangles[] = { 10000, 100000, 400000 };
	int sizes = bench->quick ? 1 : 3;
	bool ok = true;
	for ( int i = 0; ok && i < sizes; ++i )
	{
		gelBenchBody body;
		char name[64];
		snprintf( name, sizeof( name ), "bear %dK", triangles[i] / 1000 );
		ok = gelMakeBenchSample( bench, "bear", triangles[i], &body ) && MeasureSkin( bench, name, &body );
		gelFreeBenchBody( &body );
	}
	return ok;
}
