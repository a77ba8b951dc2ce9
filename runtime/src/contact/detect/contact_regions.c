// SPDX-License-Identifier: MIT
#include "contact/detect/contact_regions.h"

// |N| of a region below this share of the area of its parts says nothing about a direction.
#define GEL_MIN_NORMAL 0.05

// Length of the mean normal below which parts look into all directions.
#define GEL_MIN_MEAN 0.2

// Curves with less than this share of the vector area of their region have no say about its normal.
#define GEL_MIN_CURVE 0.02

// Cosine of 30 degrees: then any two normals are less than 60 degrees apart.
#define GEL_ONE_NORMAL 0.866

// A flood from an open curve that covers more than this of a surface has got out through the hole.
#define GEL_MAX_FLOOD 0.9

static double GetLength( const double v[3] )
{
	return sqrt( v[0] * v[0] + v[1] * v[1] + v[2] * v[2] );
}

// -v / |v|
static gelVec3 Reverse( const double v[3] )
{
	double inverse = -1.0 / GetLength( v );
	return gelMakeVec3( (float)( inverse * v[0] ), (float)( inverse * v[1] ), (float)( inverse * v[2] ) );
}

static void CollectCurves( gelContactScratch* s )
{
	for ( uint32_t i = 0; i < s->curveCount; ++i )
	{
		for ( int side = 0; side < gel_sideCount; ++side )
			gelJoinCurves( s->curves, gel_forestRegion, i, gelFindRoot( s->curves, side, i ) );
	}
	for ( uint32_t i = 0; i < s->curveCount; ++i )
	{
		gelCurve* curve = s->curves + i;
		uint32_t root = gelFindRoot( s->curves, gel_forestRegion, i ); // not above i
		if ( root == i )
		{
			curve->region = s->regionCount;
			s->regions[s->regionCount++] = ( gelRegion ){ .hasOneNormal = true };
		}
		curve->region = s->curves[root].region;
		gelRegion* region = s->regions + curve->region;
		++region->curveCount;
		for ( int k = 0; k < 3; ++k )
			region->vectorArea[k] += curve->vectorArea[k];
		if ( curve->isOpen ) region->flags |= gel_foundOpen;
		if ( region->curveCount > 1 ) region->flags |= gel_foundComplex;
	}
}

static void CollectParts( gelContactScratch* s, int side, uint32_t triangleCount )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	bool isFlooded = s->side[side].innerTriangles > GEL_MAX_FLOOD * triangleCount;
	for ( uint32_t i = 0; i < s->side[side].partCount; ++i )
	{
		const gelPart* part = s->side[side].parts + i;
		gelRegion* region = s->regions + gelGetRegion( s, part );
		double length = GetLength( part->vectorArea ), sign = side == gel_sideA ? -1.0 : 1.0;
		region->area += part->area;
		for ( int k = 0; k < 3 && length > 0.0; ++k )
			region->meanNormal[k] += sign * part->area / length * part->vectorArea[k];
		if ( isFlooded && ( region->flags & gel_foundOpen ) != 0 ) region->isDropped = true;
	}
}

static void ChooseNormal( gelRegion* region )
{
	double length = GetLength( region->vectorArea ), mean = GetLength( region->meanNormal );
	if ( length > 0.5 * GEL_MIN_NORMAL * region->area )
	{
		region->normal = Reverse( region->vectorArea );
		return;
	}
	region->flags |= gel_foundMeanNormal;
	if ( !( mean > GEL_MIN_MEAN * region->area ) )
	{
		region->isDropped = true;
		return;
	}
	const double minus[3] = { -region->meanNormal[0], -region->meanNormal[1], -region->meanNormal[2] };
	region->normal = Reverse( minus );
}

// Normals of curves of regions with several ones.
static void ChooseNormals( gelContactScratch* s )
{
	for ( uint32_t i = 0; i < s->regionCount; ++i )
		ChooseNormal( s->regions + i );
	for ( uint32_t i = 0; i < s->curveCount; ++i )
	{
		gelCurve* curve = s->curves + i;
		gelRegion* region = s->regions + curve->region;
		double length = GetLength( curve->vectorArea );
		curve->normal = region->normal;
		if ( region->curveCount == 1 || !( length > GEL_MIN_CURVE * GetLength( region->vectorArea ) ) )
			continue;
		curve->normal = Reverse( curve->vectorArea );
		bool isAlone = ( region->flags & gel_foundMeanNormal ) != 0;
		if ( isAlone || gelDot( curve->normal, region->normal ) < (float)GEL_ONE_NORMAL )
			region->hasOneNormal = false;
	}
	for ( uint32_t i = 0; i < s->regionCount; ++i )
	{
		// rods and tubes: curves have normals even though their sum has none
		if ( !s->regions[i].hasOneNormal && ( s->regions[i].flags & gel_foundMeanNormal ) != 0 )
		{
			s->regions[i].isDropped = false;
			s->regions[i].flags &= ~(uint32_t)gel_foundMeanNormal;
		}
	}
}

// What a contact of the part stands for: all of a connected part of the surface, or the share of a curve.
static uint32_t GetKey( gelContactScratch* s, int side, const gelPart* part )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	const gelRegion* region = s->regions + gelGetRegion( s, part );
	return region->hasOneNormal ? gelFindRoot( s->curves, side, part->label ) : part->label;
}

static void JoinParts( gelContactScratch* s, int side )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	gelContactSideScratch* own = s->side + side;
	for ( uint32_t i = 0; i < own->partCount; ++i )
	{
		gelPart* part = own->parts + i;
		uint32_t key = GetKey( s, side, part );
		for ( uint32_t j = part->next; j != 0; j = own->parts[j - 1].next ) // made before this one
		{
			gelPart* other = own->parts + j - 1;
			if ( other->area <= 0.0 || GetKey( s, side, other ) != key ) continue;
			gelAddPart( other, part );
			part->area = 0.0;
			break;
		}
	}
}

void gelMakeRegions( gelContactScratch* s, const uint32_t triangleCounts[gel_sideCount] )
{
	CollectCurves( s );
	for ( int side = 0; side < gel_sideCount; ++side )
		CollectParts( s, side, triangleCounts[side] );
	ChooseNormals( s );
	for ( int side = 0; side < gel_sideCount; ++side )
		JoinParts( s, side );
}
