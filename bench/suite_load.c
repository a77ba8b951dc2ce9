// SPDX-License-Identifier: MIT
// Loading: complete validation of a pack, against reading the same bytes once at memory speed.
#include "bench.h"

typedef struct gelLoadRun
{
	const gelBenchBody* body;
	bool trust;
} gelLoadRun;

static void Load( void* context )
{
	const gelLoadRun* run = context;
	gelAssetDef def = gelDefaultAssetDef();
	def.isTrusted = run->trust;
	gelAsset* asset = NULL;
	gelOpenAsset( run->body->bytes, run->body->byteCount, &def, &asset, NULL );
	gelDestroyAsset( asset );
}

bool gelBenchLoad( gelBench* bench )
{
	static const int triangles[] = { 10000, 100000, 400000 };
	int sizes = bench->quick ? 1 : 3;
	for ( int i = 0; i < sizes; ++i )
	{
		gelBenchBody body;
		if ( !gelMakeBenchSample( bench, "bear", triangles[i], &body ) ) return false;
		double seconds = gelBench_Best( bench, Load, &( gelLoadRun ){ &body, false } );
		double trusting = gelBench_Best( bench, Load, &( gelLoadRun ){ &body, true } );
		double stream = (double)body.byteCount / bench->readBandwidth;
		char name[64];
		snprintf( name, sizeof( name ), "bear %dK", triangles[i] / 1000 );
		gelBench_Row( bench, "load", name, "bytes", (double)body.byteCount, "ms", seconds * 1e3, "gb_per_s",
			(double)body.byteCount / seconds * 1e-9, "times_one_read", seconds / stream, "trusting_ms",
			trusting * 1e3, NULL );
		gelFreeBenchBody( &body );
	}
	return true;
}
