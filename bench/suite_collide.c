// SPDX-License-Identifier: MIT
// Collision baking on one thread, against the time to import the art file: the pass alone, from a mesh and a
// cage to the records of the pack.
#include "bench.h"

#include "bake/body/body_passes.h"
#include "bake/surface/surface_passes.h"
#include "common/mesh/mesh_export.h"
#include "common/import/mesh_import.h"
#include "samples.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <stdio.h>

typedef struct Run
{
	const char* path;
	gelProgram* program;
	gelBakeData data;
	gelBakeCdg cdg;
	bool ok;
} Run;

static void Import( void* context )
{
	Run* run = context;
	gelMesh mesh;
	run->ok = run->ok && gelImportMesh( run->path, &run->program->findings, &mesh, NULL );
	if ( run->ok ) gelFreeMesh( &mesh );
}

static void Collide( void* context )
{
	Run* run = context;
	gelBakePool pool = { NULL };
	run->ok = run->ok && gelBuildCdg( &run->data, &pool, &run->program->findings, &run->cdg );
	gelFreeBakePool( &pool );
}

static bool Prepare( Run* run, const gelMesh* mesh, const gelBakeSettings* settings )
{
	gelTetrafySettings cageSettings = gelDefaultTetrafySettings();
	gelTetrafyStats stats;
	gelCage cage;
	cageSettings.threads = run->program->threads;
	if ( !gelTetrafy( mesh, &cageSettings, run->program, &cage, &stats ) ) return false;
	run->data.mesh = mesh;
	run->data.settings = settings;
	gelFindings* findings = &run->program->findings;
	bool ok = gelCheckCage( &cage, NULL, &run->data.pool, findings, &run->data.cage ) &&
		gelEmbedVertices( mesh, NULL, &run->data.cage, 1, &run->data.pool, findings, &run->data.embedding );
	gelFreeCage( &cage );
	return ok;
}

static bool Measure( gelBench* bench, int triangles, const char* path )
{
	Run run = { .path = path, .program = bench->program, .ok = true };
	gelMesh mesh;
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = gel_collisionFine;
	if ( !gelMakeSample( "dragon", (uint32_t)triangles, 1, &mesh ) ) return false;
	run.ok = gelExportMesh( &mesh, path, &bench->program->findings );
	gelFreeMesh( &mesh );
	if ( run.ok && gelImportMesh( path, &bench->program->findings, &mesh, NULL ) )
	{
		run.ok = Prepare( &run, &mesh, &settings );
		double import = run.ok ? gelBench_Best( bench, Import, &run ) : 0.0;
		double collide = run.ok ? gelBench_Best( bench, Collide, &run ) : 0.0;
		char name[64];
		snprintf( name, sizeof( name ), "dragon %dK", triangles / 1000 );
		if ( run.ok )
		{
			gelBench_Row( bench, "collide", name, "tets", (double)run.data.cage.tetCount, "patches",
				(double)run.cdg.patchCount, "triangles", (double)run.cdg.triangleCount, "import_ms",
				1e3 * import, "collide_ms", 1e3 * collide, "collide_times_import", collide / import,
				"us_per_art_triangle", 1e6 * collide / triangles, NULL );
		}
		gelFreeMesh( &mesh );
	}
	gelFreeBakePool( &run.data.pool );
	remove( path );
	return run.ok;
}

bool gelBenchCollide( gelBench* bench )
{
	return gelBench_ForArt( bench, Measure );
}
