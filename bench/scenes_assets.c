// SPDX-License-Identifier: MIT
#include "scenes_bench.h"

#include "bake/body/bake.h"
#include "samples.h"
#include "test_surfaces.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <stdlib.h>
#include <string.h>

// Largest bodies of the quick run.
#define QUICK_TRIANGLES 1000
#define QUICK_TETS      120

// What a body of a scene is baked from.
typedef struct AssetDef
{
	const char* sample;
	int triangles, tets; // to aim at
	double scale;        // factor of the sample's size
	double youngsModulus, poissonsRatio;
	bool isPaced;  // also for 1/30, 1/120 and 1/240 s; damped, which changes nothing about its rest
	bool isStatic; // a surface for colliders
} AssetDef;

static bool BakeAsset(
	gelBench* bench, const AssetDef* def, const gelMesh* mesh, const gelCage* cage, gelBenchBody* out )
{
	double steps[8] = { 1.0 / 60.0, 1.0 / 30.0, 1.0 / 120.0, 1.0 / 240.0 };
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.name = def->sample;
	settings.threads = bench->program->threads;
	settings.collision = gel_collisionFine;
	settings.material.youngsModulus = def->youngsModulus;
	settings.material.poissonsRatio = def->poissonsRatio;
	if ( def->isPaced ) settings.material.damping = 5.0; // [1/s]
	settings.isStatic = def->isStatic;
	settings.steps = steps;
	settings.stepCount = 0;
	if ( !def->isStatic )
	{
		settings.stepCount = gelAddQualitySteps( &settings.material, steps, def->isPaced ? 4 : 1 );
		settings.hasWarp = true;
		settings.particles.kind = gel_particlesSolid;
	}
	out->bytes = gelBake( mesh, cage, &settings, bench->program, &out->byteCount );
	if ( out->bytes == NULL ||
		gelLoadAsset( out->bytes, out->byteCount, NULL, &out->asset, NULL ) != gel_success )
		return false;
	out->info = gelAsset_GetInfo( out->asset );
	return true;
}

static bool MakeAsset( gelBench* bench, const AssetDef* def, gelBenchBody* out )
{
	gelMesh mesh;
	gelCage cage;
	gelTetrafyStats stats;
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.threads = bench->program->threads;
	bool isCoarse = bench->quick && def->tets > QUICK_TETS;
	settings.targetTets = isCoarse ? QUICK_TETS : def->tets;
	if ( !gelMakeSample( def->sample, isCoarse ? QUICK_TRIANGLES : (uint32_t)def->triangles, 1, &mesh ) )
		return false;
	for ( uint32_t i = 0; i < 3 * mesh.vertexCount; ++i )
		mesh.positions[i] = (float)( def->scale * (double)mesh.positions[i] );
	gelFinishMesh( &mesh );
	bool ok = gelTetrafy( &mesh, &settings, bench->program, &cage, &stats );
	if ( ok )
	{
		ok = BakeAsset( bench, def, &mesh, &cage, out );
		gelFreeCage( &cage );
	}
	gelFreeMesh( &mesh );
	return ok;
}

bool gelMakeSceneAssets( gelBench* bench, gelSceneAssets* out )
{
	// soft and stiff, small and large, fine and coarse
	static const AssetDef mixed[GEL_SCENE_MIXED] = {
		{ "bear", 4000, 500, 1.0, 5e4, 0.4, false, false },
		{ "torus", 2000, 200, 1.0, 2e5, 0.33, false, false },
		{ "box", 1000, 100, 0.6, 1e6, 0.3, false, false },
		{ "star", 2000, 200, 1.0, 5e4, 0.45, false, false },
		{ "horse", 8000, 400, 1.0, 2e5, 0.33, false, false },
	};
	static const char* const small[3] = { "sphere", "star", "box" };
	memset( out, 0, sizeof( *out ) );
	AssetDef bear = { "bear", 10000, 500, 1.0, 5e4, 0.4, false, false };
	AssetDef paced = { "bear", 10000, 500, 1.0, 5e4, 0.4, true, false };
	// A column of side b buckles by its own weight above a height of (7.84 E b^2 / (12 density g))^(1/3)
	// (Greenhill 1881): for three cubes of 0.5 m E must be above 2e5 Pa, for ten above 7.5e6 Pa.
	AssetDef box = { "box", 10000, 500, 1.0, 1e6, 0.4, false, false };
	AssetDef stiffBox = { "box", 10000, 500, 1.0, 3e7, 0.4, false, false };
	AssetDef bowl = { "bowl", 3000, 250, 5.0, 1e5, 0.3, false, true };
	bool ok = MakeAsset( bench, &bear, &out->bear ) && MakeAsset( bench, &paced, &out->paced ) &&
		MakeAsset( bench, &box, &out->box ) && MakeAsset( bench, &stiffBox, &out->stiffBox ) &&
		MakeAsset( bench, &bowl, &out->bowl );
	for ( int i = 0; ok && i < 3; ++i )
	{
		AssetDef def = { small[i], 1000, 60, 0.5, 2e5, 0.33, false, false };
		ok = MakeAsset( bench, &def, out->small + i );
	}
	for ( int i = 0; ok && i < GEL_SCENE_MIXED; ++i )
		ok = MakeAsset( bench, mixed + i, out->mixed + i );
	return ok;
}

void gelFreeSceneAssets( gelSceneAssets* assets )
{
	gelFreeBenchBody( &assets->bear );
	gelFreeBenchBody( &assets->paced );
	gelFreeBenchBody( &assets->box );
	gelFreeBenchBody( &assets->stiffBox );
	gelFreeBenchBody( &assets->bowl );
	for ( int i = 0; i < 3; ++i )
		gelFreeBenchBody( assets->small + i );
	for ( int i = 0; i < GEL_SCENE_MIXED; ++i )
		gelFreeBenchBody( assets->mixed + i );
}
