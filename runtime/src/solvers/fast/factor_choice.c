// SPDX-License-Identifier: MIT
#include "solvers/fast/factor_choice.h"

#include "solvers/fast/quality.h"

#include <math.h>
#include <string.h>

// Near nu = 0.5 lambda grows without bounds, and with it the step length to bake; the search copes with a
// matrix that is too soft for the volume term, by shorter moves. 50 is nu = 0.495.
#define GEL_MAX_VOLUME_RATIO 50.0f

// Bake and game may round h sqrt( s ) differently.
#define GEL_STEP_TOLERANCE 1.0e-6

float gelGetGuideRatio( const gelAsset* asset )
{
	float volume = 0.0f;
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		const gelPackMaterial* material = asset->pack.materials + asset->pack.tetRests[t].material;
		volume = gelMaxFloat( 0.5f * material->lambda / material->mu, volume );
	}
	return sqrtf( 1.0f + gelMinFloat( volume, GEL_MAX_VOLUME_RATIO ) );
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
	GEL_ASSERT( low <= high );
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

// What a body has to be served with.
typedef struct Wish
{
	uint64_t pinSetId;
	float ratio;      // sqrt( stiffnessScale )
	float guideRatio; // r; 0: no guide is needed
} Wish;

static Wish GetWish( const gelAsset* asset, const gelBodyDef* def )
{
	bool hasGuide = def->solver.fast.mode == gel_modeQuality;
	return ( Wish ){ def->pinSetId, sqrtf( def->solver.fast.stiffnessScale ),
		hasGuide ? gelGetGuideRatio( asset ) : 0.0f };
}

static bool FindFactors( const gelAsset* asset, const Wish* wish, float h, gelPackFactorView* outFactor,
	gelPackFactorView* outGuide )
{
	GEL_ASSERT( h > 0.0f );
	double wanted = (double)h * (double)wish->ratio;
	double low = 1.0 - GEL_STEP_TOLERANCE, high = 1.0 + GEL_STEP_TOLERANCE;
	bool isFound = wish->ratio == 1.0f // exactly this float then
		? gelAsset_FindFactor( asset, h, wish->pinSetId, outFactor )
		: FindShortest( asset, wish->pinSetId, low * wanted, high * wanted, outFactor );
	if ( !isFound || wish->guideRatio == 0.0f ) return isFound;
	wanted *= (double)wish->guideRatio;
	return FindShortest( asset, wish->pinSetId, low * wanted, (double)GEL_MAX_GUIDE * wanted, outGuide );
}

bool gelAsset_HasFactorFor( const gelAsset* asset, const gelBodyDef* def )
{
	Wish wish = GetWish( asset, def );
	for ( uint32_t i = 0; i < gelPack_CountSections( &asset->pack, GEL_SECTION_FACT ); ++i )
	{
		const gelPackSection* section = gelPack_GetSection( &asset->pack, GEL_SECTION_FACT, i );
		gelPackFactorView factor = gelPack_GetFactor( &asset->pack, section ), found, guide;
		float h = (float)GetStep( factor.header );
		if ( factor.header->pinSetId == def->pinSetId && FindFactors( asset, &wish, h, &found, &guide ) )
			return true;
	}
	return false;
}

bool gelFast_CanStep( const gelAsset* asset, const gelBodyDef* def, float h )
{
	Wish wish = GetWish( asset, def );
	gelPackFactorView factor, guide;
	return FindFactors( asset, &wish, h, &factor, &guide );
}

bool gelFast_ChooseFactor( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( body->factorStep == h ) return true;
	gelQuality* quality = gelGetQuality( body );
	Wish wish = { body->pinSetId, sqrtf( body->stiffnessScale ), quality ? quality->guideRatio : 0.0f };
	gelPackFactorView guide;
	body->factorStep = 0.0f;
	if ( !FindFactors( body->asset, &wish, h, &body->factor, &guide ) ) return false;
	if ( quality ) quality->guide = guide;
	body->factorStep = h;
	body->compliance = gelAsset_FindCompliance( body->asset, body->factor.header );
	body->rowNodes = body->factor.perm;
	body->rowCount = body->factor.header->n;
	body->elasticStep = (float)GetStep( body->factor.header );
	return true;
}
