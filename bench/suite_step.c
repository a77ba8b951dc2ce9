// SPDX-License-Identifier: MIT
// Stepping: whole steps of one body on one thread, against streaming its factor twice at memory speed (the
// least that a forward and a backward substitution can cost when the factor does not fit into the caches).
#include "bench.h"

typedef struct gelStepRun
{
	gelWorldId world;
	gelResult result;
} gelStepRun;

static void Step( void* context )
{
	gelStepRun* run = context;
	gelResult result = gelWorld_Step( run->world, 1.0f / 60.0f );
	if ( result != gel_success ) run->result = result;
}

static bool MeasureBody( gelBench* bench, const char* name, const gelBenchBody* body )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	gelStepRun run = { { NULL }, gel_success };
	if ( gelCreateWorld( &worldDef, &run.world ) != gel_success ) return false;
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = body->asset;
	bodyDef.position.y = 0.1f - body->info.restBounds.min.y;
	gelBodyId bodyId;
	bool ok = gelCreateBody( run.world, &bodyDef, &bodyId ) == gel_success;
	if ( ok )
	{
		double seconds = gelBench_Best( bench, Step, &run );
		gelFactorInfo factor = { 0 };
		gelAsset_GetFactors( body->asset, &factor, 1 );
		double stream = 2.0 * (double)factor.bytes / bench->readBandwidth;
		gelBench_Row( bench, "step", name, "tets", (double)body->info.tetCount, "nodes",
			(double)body->info.nodeCount, "us", seconds * 1e6, "ns_per_tet",
			seconds * 1e9 / body->info.tetCount, "factor_bytes", (double)factor.bytes, "times_factor_stream",
			seconds / stream, NULL );
		ok = run.result == gel_success;
	}
	gelDestroyWorld( run.world );
	return ok;
}

bool gelBenchStep( gelBench* bench )
{
	static const int tets[] = { 500, 4000, 16000, 54000 };
	gelBenchBody body;
	bool ok = gelMakeBenchSample( bench, "bear", 20000, &body ) && MeasureBody( bench, "bear cage", &body );
	gelFreeBenchBody( &body );
	int sizes = bench->quick ? 1 : 4;
	for ( int i = 0; ok && i < sizes; ++i )
	{
		char name[64];
		snprintf( name, sizeof( name ), "beam %d", tets[i] );
		ok = gelMakeBenchBeam( bench, tets[i], &body ) && MeasureBody( bench, name, &body );
		gelFreeBenchBody( &body );
	}
	return ok;
}
