// SPDX-License-Identifier: MIT
// The pipeline on a sample asset: importing, cage meshing and baking, against the time to import the art
// file.
#include "bench.h"

#include "bake/body/bake.h"
#include "common/mesh/mesh_export.h"
#include "common/import/mesh_import.h"
#include "samples.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <stdlib.h>

typedef struct gelPipelineTimes
{
	double import, cage, bake; // [s]
	size_t packBytes;
	uint32_t tetCount;
} gelPipelineTimes;

static bool RunPipeline( gelBench* bench, const char* path, gelPipelineTimes* times )
{
	gelProgram* program = bench->program;
	gelTetrafySettings cageSettings = gelDefaultTetrafySettings();
	gelBakeSettings bakeSettings = gelDefaultBakeSettings();
	cageSettings.threads = bakeSettings.threads = program->threads;
	bakeSettings.name = "bench";
	gelMesh mesh;
	gelCage cage;
	gelTetrafyStats stats;

	double start = gelNow();
	if ( !gelImportMesh( path, &program->findings, &mesh, NULL ) ) return false;
	double imported = gelNow();
	bool ok = gelTetrafy( &mesh, &cageSettings, program, &cage, &stats );
	double meshed = gelNow();
	if ( ok )
	{
		uint8_t* bytes = gelBake( &mesh, &cage, &bakeSettings, program, &times->packBytes );
		ok = bytes != NULL;
		free( bytes );
		times->tetCount = cage.tetCount;
		gelFreeCage( &cage );
	}
	times->import = imported - start;
	times->cage = meshed - imported;
	times->bake = gelNow() - meshed;
	gelFreeMesh( &mesh );
	return ok;
}

static bool MeasurePipeline( gelBench* bench, int triangles, const char* path )
{
	gelMesh mesh;
	if ( !gelMakeSample( "bear", (uint32_t)triangles, 1, &mesh ) ) return false;
	bool ok = gelExportMesh( &mesh, path, &bench->program->findings );
	gelFreeMesh( &mesh );

	gelPipelineTimes best = { 1e30, 1e30, 1e30, 0, 0 };
	for ( int i = 0; ok && i < ( bench->quick ? 1 : 3 ); ++i )
	{
		gelPipelineTimes times = { 0 };
		ok = RunPipeline( bench, path, &times );
		if ( times.import < best.import ) best.import = times.import;
		if ( times.cage < best.cage ) best.cage = times.cage;
		if ( times.bake < best.bake ) best.bake = times.bake;
		best.packBytes = times.packBytes;
		best.tetCount = times.tetCount;
	}
	remove( path );
	if ( !ok ) return false;
	char name[64];
	snprintf( name, sizeof( name ), "bear %dK", triangles / 1000 );
	gelBench_Row( bench, "bake", name, "tets", (double)best.tetCount, "import_ms", best.import * 1e3,
		"cage_ms", best.cage * 1e3, "bake_ms", best.bake * 1e3, "cage_times_import", best.cage / best.import,
		"bake_times_import", best.bake / best.import, "pack_bytes_per_triangle",
		(double)best.packBytes / triangles, NULL );
	return true;
}

bool gelBenchBake( gelBench* bench )
{
	return gelBench_ForArt( bench, MeasurePipeline );
}
