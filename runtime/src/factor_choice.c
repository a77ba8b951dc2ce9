// SPDX-License-Identifier: MIT
#include "factor_choice.h"

#include <math.h>
#include <string.h>

// Near nu = 0.5 lambda grows without bounds, and with it the step length to bake; the search copes with a
// matrix that is too soft for the volume term, by shorter moves. 50 is nu = 0.495.
#define GEL_MAX_VOLUME_RATIO 50.0f

// Bake and game may round h sqrt( s ) differently.
#define GEL_STEP_TOLERANCE 1.0e-6

float gelGetFactorRatio( const gelAsset* asset, const gelBodyDef* def )
{
	float scale = def->stiffnessScale;
	if ( def->mode == gel_modePlain ) return sqrtf( scale );
	float volume = 0.0f;
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		const gelPackMaterial* material = asset->pack.materials + asset->pack.tetRests[t].material;
		volume = gelMaxFloat( 0.5f * material->lambda / material->mu, volume );
	}
	return sqrtf( scale * ( 1.0f + gelMinFloat( volume, GEL_MAX_VOLUME_RATIO ) ) );
}

static double GetStep( const gelPackFactor* header )
{
	double step;
	memcpy( &step, &header->stepBits, sizeof( step ) );
	return step;
}

// The shortest baked step length in [low, high] for a pin set.
static bool FindShortest(
	const gelAsset* asset, uint64_t pinSetId, double low, double high, gelPackFactorView* outFactor )
{
	double best = INFINITY;
	for ( uint32_t i = 0; i < gelPack_CountSections( &asset->pack, GEL_SECTION_FACT ); ++i )
	{
		gelPackFactorView factor =
			gelPack_GetFactor( &asset->pack, gelPack_GetSection( &asset->pack, GEL_SECTION_FACT, i ) );
		double step = GetStep( factor.header );
		gelPackFactorView found;
		if ( factor.header->pinSetId != pinSetId || step < low || step > high || step >= best ) continue;
		if ( !gelAsset_FindFactor( asset, (float)step, pinSetId, &found ) ) continue; // not one that we know
		best = step;
		*outFactor = found;
	}
	return best < (double)INFINITY;
}

bool gelAsset_ChooseFactor( const gelAsset* asset, gelSolverMode mode, float ratio, uint64_t pinSetId,
	float h, gelPackFactorView* outFactor )
{
	if ( ratio == 1.0f && gelAsset_FindFactor( asset, h, pinSetId, outFactor ) ) return true;
	double wanted = (double)h * ratio;
	double low = wanted * ( 1.0 - GEL_STEP_TOLERANCE ), high = wanted * ( 1.0 + GEL_STEP_TOLERANCE );
	if ( mode == gel_modeQuality ) high = wanted * (double)GEL_MAX_GUIDE;
	if ( ratio == 1.0f && mode == gel_modePlain ) return false; // exactly this float
	return FindShortest( asset, pinSetId, low, high, outFactor );
}

bool gelAsset_HasFactorFor( const gelAsset* asset, const gelBodyDef* def )
{
	float ratio = gelGetFactorRatio( asset, def );
	for ( uint32_t i = 0; i < gelPack_CountSections( &asset->pack, GEL_SECTION_FACT ); ++i )
	{
		gelPackFactorView factor =
			gelPack_GetFactor( &asset->pack, gelPack_GetSection( &asset->pack, GEL_SECTION_FACT, i ) );
		gelPackFactorView found;
		if ( factor.header->pinSetId == def->pinSetId &&
			gelAsset_ChooseFactor(
				asset, def->mode, ratio, def->pinSetId, (float)GetStep( factor.header ), &found ) )
			return true;
	}
	return false;
}

bool gelAsset_CanStep( const gelAsset* asset, const gelBodyDef* def, float dt )
{
	if ( asset == NULL || def == NULL || !( dt > 0.0f ) || isinf( dt ) ) return false;
	if ( !( def->stiffnessScale > 0.0f ) || isinf( def->stiffnessScale ) ) return false;
	int pinCount;
	if ( def->pinSetId != 0 && gelAsset_FindPinSet( asset, def->pinSetId, &pinCount ) == NULL ) return false;
	bool isImplicit = def->solver == gel_solverImplicit;
	if ( isImplicit && def->implicit.preconditioner != gel_preconditionFactor ) return true;
	gelPackFactorView factor;
	return gelAsset_ChooseFactor(
		asset, def->mode, gelGetFactorRatio( asset, def ), def->pinSetId, dt, &factor );
}

bool gelBody_ChooseFactor( gelBody* body, float h )
{
	if ( body->factorStep != h )
	{
		body->factorStep = 0.0f;
		if ( !gelAsset_ChooseFactor(
				 body->asset, body->mode, body->factorRatio, body->pinSetId, h, &body->factor ) )
			return false;
		body->factorStep = h;
		body->rowNodes = body->factor.perm;
		body->rowCount = body->factor.header->n;
		// plain mode: what the factor says, so that matrix and right-hand side agree
		body->elasticStep = body->mode == gel_modePlain ? (float)GetStep( body->factor.header )
														: h * sqrtf( body->stiffnessScale );
	}
	return true;
}
