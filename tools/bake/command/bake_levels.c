// SPDX-License-Identifier: MIT
// Coarser levels of detail are whole bakes of the same art in cages of their own; the pack of level 0 holds
// them as sections. What depends on the cage is made anew for each: materials, paint, pins, steps of the
// quality mode.
#include "bake/command/bake_levels.h"

#include "bake/body/bake_pool.h"
#include "pack/pack_layout.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// The quality mode goes by the largest Poisson's ratio, and a coarser cage may have no tet of a small region.
static void SetQualitySteps(
	const gelLevelInputs* in, uint32_t tetCount, gelBakePool* pool, gelBakeSettings* settings )
{
	if ( in->plainStepCount == 0 ) return;
	gelBakeMaterial material = gelGetQualityMaterial( settings, tetCount );
	double* steps = gelBakePool_Alloc( pool, 2 * (size_t)in->plainStepCount, sizeof( double ) );
	for ( int i = 0; i < in->plainStepCount; ++i )
		steps[i] = in->settings->steps[i];
	settings->steps = steps;
	settings->stepCount = gelAddQualitySteps( &material, steps, in->plainStepCount );
}

// Everything as in level 0, but what belongs to its cage. Particles have no levels.
static bool BakeLevel(
	const gelLevelInputs* in, int level, const gelCage* cage, gelProgram* program, gelBakeLevel* out )
{
	GEL_ASSERT( level > 0 );
	gelBakePool pool = { NULL };
	gelBakeSettings settings = *in->settings;
	settings.particles = ( gelParticleSettings ){ 0 };
	settings.cageFile = settings.artFile;
	settings.levels = NULL;
	settings.levelCount = 0;
	settings.level = level;
	settings.tetMaterials = NULL;
	bool ok = true;
	if ( in->regionsPath != NULL )
	{
		gelMaterialRegions regions = *in->regions;
		regions.source = in->cage;
		settings.tetMaterials = gelPlaceMaterials(
			&regions, &settings.material, in->mesh, cage, in->regionsPath, &pool, &program->findings );
		ok = settings.tetMaterials != NULL;
	}
	gelBakePinSet pins = { NULL, 0 };
	if ( in->boxCount > 0 ) pins = gelPinNodesInBoxes( cage, in->boxes, in->boxCount );
	gelPaintInput paint = { in->paint, in->mesh, settings.artFile, cage, &settings.material,
		program->threads };
	gelPaintResult painted = { 0 };
	ok = ok && ( in->paint == NULL || gelReadPaint( &paint, &pool, &program->findings, &painted ) );
	if ( ok ) gelApplyPaint( &painted, cage, &pool, &settings, &pins );
	SetQualitySteps( in, cage->tetCount, &pool, &settings );
	settings.pinSets = &pins;
	if ( ok ) out->bytes = gelBake( in->mesh, cage, &settings, program, &out->byteCount );
	free( pins.nodes );
	gelFreeBakePool( &pool );
	return out->bytes != NULL;
}

bool gelBakeLevels(
	const gelLevelInputs* inputs, const int* tets, int count, gelProgram* program, gelBakeLevel* out )
{
	GEL_ASSERT( count == 0 || ( tets != NULL && out != NULL ) );
	bool ok = true;
	for ( int i = 0; i < count && ok; ++i )
	{
		gelTetrafySettings settings = gelDefaultTetrafySettings();
		gelTetrafyStats stats;
		gelCage cage = { 0 };
		settings.targetTets = tets[i];
		settings.artPath = inputs->settings->artFile;
		settings.threads = program->threads;
		gelReport_Phase( &program->report, "tetrafy" );
		ok = gelTetrafy( inputs->mesh, &settings, program, &cage, &stats ) &&
			BakeLevel( inputs, i + 1, &cage, program, out + i );
		gelFreeCage( &cage );
	}
	return ok;
}

void gelFreeBakeLevels( gelBakeLevel* levels, int count )
{
	for ( int i = 0; i < count; ++i )
		free( levels[i].bytes );
}
