// SPDX-License-Identifier: MIT
// Stepping: bodies of 500 to 330 thousand tets by phases, many instances, threads, and the parts by
// themselves.
#include "step_bench.h"

static bool MeasureBeams( gelBench* bench )
{
	static const int tets[] = { 500, 1000, 4000, 16000, 54000, 170000, 330000 };
	bool ok = true;
	for ( int i = 0; ok && i < ( bench->quick ? 2 : 7 ); ++i )
	{
		gelBenchBody body;
		char name[64];
		snprintf( name, sizeof( name ), "beam %d", tets[i] );
		ok = gelMakeBenchBeam( bench, tets[i], &body ) && gelMeasurePhases( bench, name, &body );
		gelFreeBenchBody( &body );
	}
	return ok;
}

static bool MeasureCage( gelBench* bench )
{
	gelBenchBody body;
	bool ok = gelMakeBenchSample( bench, "bear", bench->quick ? 5000 : 20000, &body ) &&
		gelMeasurePhases( bench, "bear cage", &body );
	gelFreeBenchBody( &body );
	return ok;
}

static bool MeasureLevels( gelBench* bench )
{
	gelBenchBody body;
	bool ok = gelMakeBenchBeam( bench, 4000, &body ) && gelMeasureLevels( bench, "beam 4000", &body );
	gelFreeBenchBody( &body );
	return ok;
}

bool gelBenchStep( gelBench* bench )
{
	return gelMeasureModes( bench ) && gelMeasurePolar( bench ) && gelMeasureInstances( bench ) &&
		gelMeasureThreads( bench ) && MeasureLevels( bench ) && MeasureCage( bench ) && MeasureBeams( bench );
}
