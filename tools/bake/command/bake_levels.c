// SPDX-License-Identifier: MIT
#include "bake/command/bake_levels.h"

#include "bake/body/bake_pool.h"
#include "pack/pack_layout.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <stdlib.h>

static bool ParseTets( const char* text, int* out )
{
	double value = 0.0;
	if ( !gelParseNumber( text, &value ) || value != floor( value ) ) return false;
	if ( value < GEL_MIN_TARGET_TETS || value > GEL_MAX_TARGET_TETS ) return false;
	*out = (int)value;
	return true;
}

bool gelParseLevels(
	const gelStringList* texts, int targetTets, const gelRecipe* recipes, gelFindings* findings )
{
	int before = targetTets, tets = 0;
	if ( texts->count > (int)GEL_PACK_MAX_LEVELS )
	{
		gelFailOption( recipes, "lod", findings, "--lod is there %d times; a pack holds at most %u levels",
			texts->count, GEL_PACK_MAX_LEVELS );
		return false;
	}
	for ( int i = 0; i < texts->count; ++i, before = tets )
	{
		if ( ParseTets( texts->items[i], &tets ) && tets < before ) continue;
		gelFailOption( recipes, "lod", findings,
			"--lod %.40s is not a number of tets from %d on and below that of the level before it, %d",
			texts->items[i], GEL_MIN_TARGET_TETS, before );
		return false;
	}
	return true;
}

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
	gelPaintResult painted = { NULL };
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
	const gelLevelInputs* inputs, const gelStringList* texts, gelProgram* program, gelBakeLevel* out )
{
	bool ok = true;
	for ( int i = 0; i < texts->count && ok; ++i )
	{
		gelTetrafySettings settings = gelDefaultTetrafySettings();
		gelTetrafyStats stats;
		gelCage cage = { 0 };
		ParseTets( texts->items[i], &settings.targetTets );
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
	{
		free( levels[i].bytes );
	}
}
