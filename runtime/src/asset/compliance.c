// SPDX-License-Identifier: MIT
#include "asset/compliance.h"

#include "math/gel_math.h"
#include "simd/supernodal_solve.h"

#include <math.h>
#include <string.h>

// Solves at a time: three columns of the inverse each.
#define GEL_COMPLIANCE_GROUP 16u

// Factors whose step length is that of another one times this are guides of the quality mode (quality.h):
// sqrt( 1 + lambda / ( 2 mu ) ), for the stiffest of the materials.
static double GetGuideRatio( const gelPackView* pack )
{
	double volume = 0.0;
	for ( uint32_t t = 0; t < pack->header->tetCount; ++t )
	{
		const gelPackMaterial* material = pack->materials + pack->tetRests[t].material;
		volume = fmax( volume, 0.5 * (double)material->lambda / (double)material->mu );
	}
	return sqrt( 1.0 + volume );
}

static double GetStep( const gelPackFactor* header )
{
	double step;
	memcpy( &step, &header->stepBits, sizeof( step ) );
	return step;
}

static gelPackFactorView GetFactor( const gelPackView* pack, uint32_t index )
{
	return gelPack_GetFactor( pack, gelPack_GetSection( pack, GEL_SECTION_FACT, index ) );
}

static bool IsGuide( const gelPackView* pack, const gelPackFactor* header, double ratio )
{
	uint32_t count = gelPack_CountSections( pack, GEL_SECTION_FACT );
	for ( uint32_t i = 0; i < count; ++i )
	{
		gelPackFactorView other = GetFactor( pack, i );
		if ( other.header == header || other.header->pinSetId != header->pinSetId ) continue;
		double quotient = GetStep( header ) / GetStep( other.header );
		if ( ratio > 1.0 + 1.0e-5 && fabs( quotient / ratio - 1.0 ) < 1.0e-5 ) return true;
	}
	return false;
}

uint32_t gelCountCompliances( const gelPackView* pack )
{
	uint32_t count = 0, factorCount = gelPack_CountSections( pack, GEL_SECTION_FACT );
	if ( pack->header->nodeCount > GEL_MAX_COMPLIANCE_NODES ) return 0;
	double ratio = factorCount > 1 ? GetGuideRatio( pack ) : 1.0;
	for ( uint32_t i = 0; i < factorCount; ++i )
		count += !IsGuide( pack, GetFactor( pack, i ).header, ratio );
	return count;
}

static size_t GetStride( const gelPackView* pack )
{
	return ( (size_t)pack->header->nodeCount + 15 ) & ~(size_t)15;
}

size_t gelGetComplianceFloats( const gelPackView* pack )
{
	return (size_t)pack->header->nodeCount * GetStride( pack );
}

size_t gelGetComplianceScratch( const gelPackView* pack, size_t solveScratch )
{
	size_t rows = ( (size_t)pack->header->nodeCount + 4 ) & ~(size_t)3; // keeps what is behind aligned
	return GEL_COMPLIANCE_GROUP * 4 * rows + solveScratch;
}

// Columns of the rows first .. first + 3 GEL_COMPLIANCE_GROUP - 1 of the factor.
static void SolveColumns( const gelPackFactorView* factor, uint32_t first, gelVec4* const* y,
	float* solveScratch, gelCompliance* out )
{
	GEL_ASSERT( first < factor->header->n );
	uint32_t n = factor->header->n, count = 0;
	for ( ; count < GEL_COMPLIANCE_GROUP && first + 3 * count < n; ++count )
	{
		memset( y[count], 0, ( (size_t)n + 1 ) * sizeof( gelVec4 ) );
		for ( uint32_t c = 0; c < 3 && first + 3 * count + c < n; ++c )
			( &y[count][first + 3 * count + c].x )[c] = 1.0f;
	}
	gelSolveFactor( gelFindSimdLevel( gel_simdAutomatic ), factor, y, (int)count, solveScratch );
	for ( uint32_t i = 0; i < 3 * count && first + i < n; ++i )
	{
		const float* column = &y[i / 3]->x + i % 3;
		float* row = out->rows + (size_t)factor->perm[first + i] * out->stride;
		for ( uint32_t k = 0; k < n; ++k )
			row[factor->perm[k]] = column[4 * (size_t)k];
	}
}

// What solves in float leave of asymmetry would let impulses gain energy.
static void MakeSymmetric( gelCompliance* compliance, uint32_t nodeCount )
{
	for ( size_t i = 0; i < nodeCount; ++i )
	{
		for ( size_t k = 0; k < i; ++k )
		{
			float* a = compliance->rows + i * compliance->stride + k;
			float* b = compliance->rows + k * compliance->stride + i;
			*a = *b = 0.5f * ( *a + *b );
		}
	}
}

void gelFillCompliances(
	const gelPackView* pack, gelCompliance* compliances, float* scratch, size_t solveScratch )
{
	GEL_ASSERT( compliances != NULL && scratch != NULL );
	(void)solveScratch;
	gelVec4* y[GEL_COMPLIANCE_GROUP];
	size_t rows = ( (size_t)pack->header->nodeCount + 4 ) & ~(size_t)3;
	for ( uint32_t k = 0; k < GEL_COMPLIANCE_GROUP; ++k )
		y[k] = (gelVec4*)( scratch + 4 * rows * k );
	float* solve = scratch + GEL_COMPLIANCE_GROUP * 4 * rows;
	uint32_t factorCount = gelPack_CountSections( pack, GEL_SECTION_FACT ), next = 0;
	double ratio = factorCount > 1 ? GetGuideRatio( pack ) : 1.0;
	for ( uint32_t i = 0; i < factorCount; ++i )
	{
		gelPackFactorView factor = GetFactor( pack, i );
		if ( IsGuide( pack, factor.header, ratio ) ) continue;
		gelCompliance* compliance = compliances + next++;
		compliance->factor = factor.header;
		compliance->stride = GetStride( pack );
		for ( uint32_t first = 0; first < factor.header->n; first += 3 * GEL_COMPLIANCE_GROUP )
			SolveColumns( &factor, first, y, solve, compliance );
		MakeSymmetric( compliance, pack->header->nodeCount );
	}
}
