// SPDX-License-Identifier: MIT
#include "contact/detect/contact_contain.h"

// Patches that are given a contact, at most.
#define GEL_MAX_PUSHES 32u

// Vertices that are asked whether they are inside, at most.
#define GEL_MAX_WITNESSES 6u

// The normals of a gelDop, unit vectors.
#define GEL_DIAGONAL 0.57735027f
static const gelVec3 s_axes[GEL_DOP_AXES] = {
	{ 1.0f, 0.0f, 0.0f },
	{ 0.0f, 1.0f, 0.0f },
	{ 0.0f, 0.0f, 1.0f },
	{ GEL_DIAGONAL, GEL_DIAGONAL, GEL_DIAGONAL },
	{ GEL_DIAGONAL, GEL_DIAGONAL, -GEL_DIAGONAL },
	{ GEL_DIAGONAL, -GEL_DIAGONAL, GEL_DIAGONAL },
	{ -GEL_DIAGONAL, GEL_DIAGONAL, GEL_DIAGONAL },
};

static double GetVolume( const gelContactSurface* s )
{
	const gelDop* box = gelContactSurface_GetBox( s );
	double volume = 1.0;
	for ( int k = 0; k < 3; ++k )
		volume *= (double)box->high[k] - (double)box->low[k];
	return volume;
}

static int FindSmaller( const gelRayCaster* c )
{
	return GetVolume( c->surface[gel_sideA] ) <= GetVolume( c->surface[gel_sideB] ) ? gel_sideA : gel_sideB;
}

static gelSurfacePoint FindVertex( const gelContactSurface* s, uint32_t patch )
{
	float weights[4];
	gelCdg_GetWeights( &s->pack->cdg, s->pack->patches[patch].vertexFirst, weights );
	return gelMakeSurfacePoint( s, s->pack->patches[patch].cell, weights );
}

// Several vertices have to agree: one that lies exactly on the other surface, as those of a body that was put
// on top of another, may be counted as inside.
static bool IsContained( gelRayCaster* c, int side )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	uint32_t count = c->surface[side]->pack->header->cdgPatchCount;
	uint32_t step = ( count + GEL_MAX_WITNESSES - 1 ) / GEL_MAX_WITNESSES;
	for ( uint32_t patch = 0; patch < count; patch += step )
	{
		gelSurfacePoint vertex = FindVertex( c->surface[side], patch );
		if ( gelCountSurfaceWinding( c, 1 - side, vertex.position ) == 0 ) return false;
	}
	return count > 0;
}

int gelFindContained( gelRayCaster* c )
{
	int smaller = FindSmaller( c );
	if ( IsContained( c, smaller ) ) return smaller;
	return IsContained( c, 1 - smaller ) ? 1 - smaller : -1;
}

// The way out for a body from the inside of the other, 14 rays.
static gelVec3 FindWayOut( gelRayCaster* c, int side )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	const gelContactSurface* own = c->surface[side];
	const gelDop *box = gelContactSurface_GetBox( own ),
				 *outer = gelContactSurface_GetBox( c->surface[1 - side] );
	double middle[3], reach = 0.0, best = HUGE_VAL;
	for ( int k = 0; k < 3; ++k )
	{
		middle[k] = 0.5 * ( (double)box->low[k] + (double)box->high[k] ) + own->grid.offset[k];
		reach += 2.0 * ( (double)outer->high[k] - (double)outer->low[k] );
	}
	gelVec3 way = s_axes[1];
	for ( int k = 0; k < 2 * GEL_DOP_AXES; ++k )
	{
		int axis = k / 2;
		gelVec3 direction = k % 2 == 0 ? s_axes[axis] : gelNeg( s_axes[axis] );
		double extent = 0.5 * ( (double)box->high[axis] - (double)box->low[axis] );
		if ( axis >= 3 ) extent *= (double)GEL_DIAGONAL;
		gelContactHit hit;
		if ( !gelCastOut( c, 1 - side, middle, direction, 0.0, reach, &hit ) ) continue;
		if ( hit.distance + extent >= best ) continue;
		best = hit.distance + extent;
		way = direction;
	}
	return way;
}

// A contact for one patch. False: there is nothing in the way.
static bool PushPatch( gelRayCaster* c, int side, uint32_t index, gelVec3 way, gelFoundContact* out )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	const gelContactSurface* own = c->surface[side];
	const gelPackPatch* patch = own->pack->patches + index;
	const gelDop* outer = gelContactSurface_GetBox( c->surface[1 - side] );
	double reach = 0.0;
	for ( int k = 0; k < 3; ++k )
		reach += 2.0 * ( (double)outer->high[k] - (double)outer->low[k] );
	gelSurfacePoint from = gelMakeSurfacePoint( own, patch->cell, patch->centroid );
	gelContactHit hit;
	if ( !gelCastOut( c, 1 - side, from.position, way, 0.0, reach, &hit ) ) return false;
	*out = ( gelFoundContact ){
		.normal = side == gel_sideA ? way : gelNeg( way ),
		.area = patch->area,
		.flags = gel_foundFallback | ( side == gel_sideB ? gel_foundFromB : 0u ),
		.feature = (uint64_t)side << 63 | (uint64_t)index << 32,
	};
	gelPutPoints( c, side == gel_sideA ? &from : &hit.at, side == gel_sideA ? &hit.at : &from, out );
	return true;
}

void gelPushOut( gelRayCaster* c, gelContactList* list, bool isForced )
{
	int side = isForced ? FindSmaller( c ) : gelFindContained( c );
	if ( side < 0 ) return;
	gelVec3 way = FindWayOut( c, side );
	uint32_t count = c->surface[side]->pack->header->cdgPatchCount;
	uint32_t step = ( count + GEL_MAX_PUSHES - 1 ) / GEL_MAX_PUSHES;
	for ( uint32_t patch = 0; patch < count; patch += step )
	{
		gelFoundContact contact;
		if ( PushPatch( c, side, patch, way, &contact ) ) gelContactList_Add( list, &contact );
	}
}
