// SPDX-License-Identifier: MIT
// What callers of gelBake put into its settings: pin sets by boxes, step lengths for the quality mode.
#include "bake/body/bake.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>

// ---- pins by place ---------------------------------------------------------------------------------------

static bool IsInside( const gelPinBox* box, const double* p )
{
	return box->low[0] <= p[0] && p[0] <= box->high[0] && box->low[1] <= p[1] && p[1] <= box->high[1] &&
		box->low[2] <= p[2] && p[2] <= box->high[2];
}

gelBakePinSet gelPinNodesInBoxes( const gelCage* cage, const gelPinBox* boxes, int boxCount )
{
	GEL_ASSERT( boxCount == 0 || boxes != NULL );
	gelBakePinSet pins = { gelTakeZeroed( cage->nodeCount, sizeof( uint32_t ) ), 0 };
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		bool inside = false;
		for ( int b = 0; b < boxCount; ++b )
			inside = inside || IsInside( boxes + b, cage->positions + 3 * (size_t)i );
		if ( inside ) pins.nodes[pins.nodeCount++] = i;
	}
	return pins;
}

// ---- the quality mode ------------------------------------------------------------------------------------

// Step lengths for the quality mode of the runtime. Its search is guided by the matrix of the stretch term
// with 2 mu + lambda in the place of 2 mu, and for one material that is the matrix of a longer step,
//     M + h^2 (2 mu + lambda) L = M + b^2 2 mu L,    b = h sqrt( 1 + lambda / (2 mu) ) = h sqrt( (1 - nu) /
//     (1 - 2 nu) )
// so the mode needs no factor of its own kind. lambda / (2 mu) is bounded as the runtime bounds it.
#define GEL_MAX_VOLUME_RATIO 50.0

static bool IsListed( const double* steps, int count, double step )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( (float)steps[i] == (float)step ) return true;
	}
	return false;
}

int gelAddQualitySteps( const gelBakeMaterial* material, double* steps, int count )
{
	GEL_ASSERT( count == 0 || steps != NULL );
	double nu = material->poissonsRatio;
	double ratio = nu < 0.5 ? fmin( nu / ( 1.0 - 2.0 * nu ), GEL_MAX_VOLUME_RATIO ) : GEL_MAX_VOLUME_RATIO;
	int total = count;
	for ( int i = 0; i < count; ++i )
	{
		double step = (double)(float)steps[i] * sqrt( 1.0 + fmax( ratio, 0.0 ) );
		if ( !IsListed( steps, total, step ) ) steps[total++] = step;
	}
	return total;
}

gelBakeMaterial gelGetQualityMaterial( const gelBakeSettings* settings, uint32_t tetCount )
{
	const gelBakeMaterial* tets = settings->tetMaterials;
	const gelBakeMaterial* worst = tets != NULL ? tets : &settings->material;
	for ( uint32_t t = 0; t < tetCount && tets != NULL; ++t )
	{
		if ( tets[t].poissonsRatio > worst->poissonsRatio ) worst = tets + t;
	}
	return *worst;
}
