// SPDX-License-Identifier: MIT
// Strain or stress as colors from blue to red. Both are constant in a tet; nodes take the mean of their tets
// and art vertices the weights of their embedding, so that colors run smoothly over the art.
#include "preview/stage/overlay_heat.h"

#include "preview/render/label.h"

#include <stdlib.h>
#include <string.h>

#define GEL_RED_STRAIN 0.5f
// Stress is red where a strain of this size makes it: not so little that a body at rest glows.
#define GEL_RED_STRESS_STRAIN 0.25f
#define GEL_LEAST_STRAIN      1e-3f // strain that stress is compared with: below, both are rounding

bool gelCreateHeat( gelHeat* heat, gelHeatKind kind, const gelAsset* asset )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	*heat = ( gelHeat ){ .kind = kind };
	heat->states = malloc( ( (size_t)info.tetCount + 1 ) * sizeof( gelTetState ) );
	heat->values = malloc( ( (size_t)info.nodeCount + 1 ) * sizeof( float ) );
	heat->weights = malloc( ( (size_t)info.nodeCount + 1 ) * sizeof( float ) );
	heat->points = malloc( ( (size_t)info.vertexCount + 1 ) * sizeof( gelEmbeddedPoint ) );
	heat->colors = malloc( ( (size_t)info.vertexCount + 1 ) * sizeof( gelColor ) );
	if ( heat->states == NULL || heat->values == NULL || heat->weights == NULL || heat->points == NULL ||
		heat->colors == NULL )
	{
		gelDestroyHeat( heat );
		return false;
	}
	for ( int i = 0; i < info.vertexCount; ++i )
		heat->points[i] = gelAsset_GetVertexPoint( asset, i );
	return true;
}

void gelDestroyHeat( gelHeat* heat )
{
	free( heat->states );
	free( heat->values );
	free( heat->weights );
	free( heat->points );
	free( heat->colors );
	memset( heat, 0, sizeof( *heat ) );
}

gelColor gelHeatColor( float value )
{
	static const uint32_t stops[5] = { 0x2B4FA8, 0x2AA7A0, 0x7BC043, 0xF2C531, 0xD9352B };
	float at = 4.0f * fminf( fmaxf( value, 0.0f ), 1.0f );
	int i = at < 3.0f ? (int)at : 3;
	float t = at - (float)i;
	gelColor a = gelColorFromHex( stops[i] ), b = gelColorFromHex( stops[i + 1] );
	return ( gelColor ){ a.r + t * ( b.r - a.r ), a.g + t * ( b.g - a.g ), a.b + t * ( b.b - a.b ) };
}

static float StrainOf( const gelTetState* tet )
{
	const float* e = tet->strain;
	// Frobenius norm of the symmetric strain tensor: xx yy zz once, xy xz yz twice.
	return sqrtf(
		e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 2.0f * ( e[3] * e[3] + e[4] * e[4] + e[5] * e[5] ) );
}

// Packs do not say how stiff they are; stress over strain does, and hardly changes while a body moves.
static float ValueOf( gelHeat* heat, const gelTetState* tet )
{
	float strain = StrainOf( tet );
	if ( heat->kind == gel_heatStrain ) return strain;
	if ( strain > GEL_LEAST_STRAIN ) heat->modulus = fmaxf( heat->modulus, tet->vonMises / strain );
	return tet->vonMises;
}

float gelHeat_Red( const gelHeat* heat )
{
	return heat->kind == gel_heatStrain ? GEL_RED_STRAIN : GEL_RED_STRESS_STRAIN * heat->modulus;
}

// Means of the tets around every node, so that colors go over from tet to tet.
static void SpreadToNodes( gelHeat* heat, const gelAsset* asset )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	const uint32_t* tets = gelAsset_GetTets( asset );
	memset( heat->values, 0, (size_t)info.nodeCount * sizeof( float ) );
	memset( heat->weights, 0, (size_t)info.nodeCount * sizeof( float ) );
	for ( int t = 0; t < info.tetCount; ++t )
	{
		float value = ValueOf( heat, heat->states + t );
		for ( int k = 0; k < 4; ++k )
		{
			heat->values[tets[4 * t + k]] += value;
			heat->weights[tets[4 * t + k]] += 1.0f;
		}
	}
	for ( int i = 0; i < info.nodeCount; ++i )
	{
		if ( heat->weights[i] > 0.0f ) heat->values[i] /= heat->weights[i];
	}
}

const gelColor* gelHeat_Update( gelHeat* heat, gelBodyId body )
{
	const gelAsset* asset = gelBody_GetAsset( body );
	gelAssetInfo info = gelAsset_GetInfo( asset );
	const uint32_t* tets = gelAsset_GetTets( asset );
	gelBody_GetTetStates( body, heat->states, info.tetCount );
	SpreadToNodes( heat, asset );
	float red = gelHeat_Red( heat ), scale = red > 0.0f ? 1.0f / red : 0.0f;
	for ( int i = 0; i < info.vertexCount; ++i )
	{
		const gelEmbeddedPoint* p = heat->points + i;
		float value = 0.0f;
		for ( int k = 0; k < 4; ++k )
			value += p->weight[k] * heat->values[tets[4 * p->tet + k]];
		heat->colors[i] = gelHeatColor( scale * value );
	}
	return heat->colors;
}

static uint8_t Encode( float linear )
{
	float s = linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf( linear, 1.0f / 2.4f ) - 0.055f;
	return (uint8_t)( 255.0f * fminf( fmaxf( s, 0.0f ), 1.0f ) + 0.5f ); // IEC 61966-2-1
}

void gelDrawHeatLegend( gelImage* image, const char* text )
{
	float size = fmaxf( 6.0f, 0.028f * (float)image->height );
	const gelLabelStyle style = { size, fmaxf( 1.0f, 0.115f * size ), { 38, 46, 58 }, 0.85f };
	int border = (int)( 1.2f * size ), height = (int)size, width = (int)gelLabelWidth( text, &style );
	int left = image->width - border - width, top = image->height - border - height;
	if ( left < 0 || top < 2 * height || width < 2 ) return;
	gelDrawLabel( image, text, (float)left, (float)top - 0.5f * size, &style );
	for ( int x = 0; x < width; ++x )
	{
		gelColor c = gelHeatColor( (float)x / (float)( width - 1 ) );
		for ( int y = top; y < top + height; ++y )
		{
			uint8_t* pixel = image->pixels + 3 * ( (size_t)y * (size_t)image->width + (size_t)( left + x ) );
			pixel[0] = Encode( c.r );
			pixel[1] = Encode( c.g );
			pixel[2] = Encode( c.b );
		}
	}
}
