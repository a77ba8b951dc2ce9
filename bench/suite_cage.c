// SPDX-License-Identifier: MIT
// Cage meshing over the size of the art: core time (cleaning, search tree, search for the cell, splitting,
// fitting; without the independent verification), each phase at its fastest, against sorting as many keys as
// the art has triangles. The growth is the exponent e in time ~ triangles^e from one size to the next: 1 is
// linear.
#include "bench.h"

#include "samples.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CORE_PHASES 8
static const char* const corePhases[CORE_PHASES] = { "clean", "tree", "parts", "classify", "search",
	"manifold", "split", "fit" };

// Takes over the seconds of core phases that are less than the best so far, from the phases that stand in the
// report from index first on. A disturbance in one phase does not spoil the others.
static void KeepFastest( const json_t* phases, size_t first, double best[CORE_PHASES] )
{
	for ( size_t i = first; i < json_array_size( phases ); ++i )
	{
		const json_t* phase = json_array_get( phases, i );
		const char* name = json_string_value( json_object_get( phase, "name" ) );
		for ( int k = 0; k < CORE_PHASES; ++k )
		{
			if ( strcmp( name, corePhases[k] ) != 0 ) continue;
			best[k] = fmin( best[k], json_real_value( json_object_get( phase, "seconds" ) ) );
		}
	}
}

// Phases that were not run count nothing.
static double SumPhases( const double best[CORE_PHASES] )
{
	double sum = 0.0;
	for ( int k = 0; k < CORE_PHASES; ++k )
	{
		if ( best[k] < 1e30 ) sum += best[k];
	}
	return sum;
}

static int CompareKeys( const void* a, const void* b )
{
	uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
	return x < y ? -1 : x > y;
}

// The yardstick: qsort of scrambled keys.
static double SortSeconds( uint32_t count )
{
	uint64_t* keys = malloc( count * sizeof( uint64_t ) );
	if ( keys == NULL ) return 1e30;
	for ( uint32_t i = 0; i < count; ++i )
		keys[i] = ( i + 1u ) * 0x9E3779B97F4A7C15u;
	double start = gelNow();
	qsort( keys, count, sizeof( uint64_t ), CompareKeys );
	double seconds = gelNow() - start;
	free( keys );
	return seconds;
}

static bool MeasureCage( gelBench* bench, uint32_t triangles, double* lastSeconds, uint32_t* lastTriangles )
{
	gelMesh mesh;
	if ( !gelMakeSample( "star", triangles, 1, &mesh ) ) return false;
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.threads = 1;
	double fastest[CORE_PHASES], sort = 1e30;
	for ( int k = 0; k < CORE_PHASES; ++k )
		fastest[k] = 1e30;
	gelTetrafyStats stats = { 0 };
	uint32_t tets = 0;
	bool ok = true;
	for ( int i = 0; ok && i < ( bench->quick ? 1 : 5 ); ++i )
	{
		gelCage cage;
		size_t first = json_array_size( bench->program->report.phases );
		ok = gelTetrafy( &mesh, &settings, bench->program, &cage, &stats );
		if ( !ok ) break;
		KeepFastest( bench->program->report.phases, first, fastest );
		sort = fmin( sort, SortSeconds( mesh.triangleCount ) );
		tets = cage.tetCount;
		gelFreeCage( &cage );
	}
	if ( ok )
	{
		double best = SumPhases( fastest );
		char name[64];
		snprintf( name, sizeof( name ), "star %uK", triangles / 1000 );
		double growth = *lastTriangles > 0
			? log( best / *lastSeconds ) / log( (double)mesh.triangleCount / *lastTriangles )
			: 1.0;
		gelBench_Row( bench, "cage", name, "tets", (double)tets, "core_ms", best * 1e3, "ns_per_triangle",
			best * 1e9 / mesh.triangleCount, "times_sort", best / sort, "growth", growth, "volume_ratio",
			stats.cageVolume / stats.solidVolume, "min_dihedral", stats.minDihedral, NULL );
		*lastSeconds = best;
		*lastTriangles = mesh.triangleCount;
	}
	gelFreeMesh( &mesh );
	return ok;
}

bool gelBenchCage( gelBench* bench )
{
	static const uint32_t triangles[] = { 10000, 30000, 100000, 300000, 1000000 };
	double lastSeconds = 0.0;
	uint32_t lastTriangles = 0;
	bool ok = true;
	for ( int i = 0; ok && i < ( bench->quick ? 2 : 5 ); ++i ) // growth needs two
	{
		ok = MeasureCage( bench, triangles[i], &lastSeconds, &lastTriangles );
	}
	return ok;
}
