// SPDX-License-Identifier: MIT
// Oriented particles as ellipsoids in two shades, octant by octant, so that their rotation is seen. The eight
// octants are eight copies of one triangle, mirrored by the signs of its corner:
//
//           z            row 0: the pole
//          / .
//         /---.          row 1 ...
//        x-----y         row GEL_SIDE_PIECES: the equator
#include "preview/stage/ellipsoid_view.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

#include <stdlib.h>

#define GEL_LIGHT_SHADE 0.45f // how much of the way to white

// An octant of the unit sphere is a triangle whose sides are cut into this many pieces.
#define GEL_SIDE_PIECES      5
#define GEL_OCTANT_POINTS    ( ( GEL_SIDE_PIECES + 1 ) * ( GEL_SIDE_PIECES + 2 ) / 2 )
#define GEL_OCTANT_FACES     ( GEL_SIDE_PIECES * GEL_SIDE_PIECES )
#define GEL_ELLIPSOID_POINTS ( 8 * GEL_OCTANT_POINTS )
#define GEL_ELLIPSOID_FACES  ( 8 * GEL_OCTANT_FACES )

// ---- a ball ------------------------------------------------------------------------------------------

// Signs of the octant: bits 0, 1, 2 for x, y, z.
static gelVec3 OctantPoint( int octant, int row, int place )
{
	GEL_ASSERT( octant >= 0 && octant < 8 );
	float z = (float)( GEL_SIDE_PIECES - row ), y = (float)place, x = (float)( row - place );
	gelVec3 p = { octant & 1 ? -x : x, octant & 2 ? -y : y, octant & 4 ? -z : z };
	return gelNormalize( p );
}

static bool IsMirrored( int octant )
{
	return ( ( octant ^ octant >> 1 ^ octant >> 2 ) & 1 ) != 0;
}

// Points in rows from the pole (row 0) to the equator (row GEL_SIDE_PIECES).
static int PointIndex( int row, int place )
{
	return row * ( row + 1 ) / 2 + place;
}

static void FillBall( gelVec3 points[GEL_ELLIPSOID_POINTS], uint32_t faces[3 * GEL_ELLIPSOID_FACES] )
{
	uint32_t* face = faces;
	for ( int octant = 0; octant < 8; ++octant )
	{
		uint32_t first = (uint32_t)( octant * GEL_OCTANT_POINTS );
		for ( int row = 0; row <= GEL_SIDE_PIECES; ++row )
		{
			for ( int k = 0; k <= row; ++k )
				points[first + (uint32_t)PointIndex( row, k )] = OctantPoint( octant, row, k );
		}
		for ( int row = 0; row < GEL_SIDE_PIECES; ++row )
		{
			for ( int k = 0; k <= 2 * row; ++k, face += 3 )
			{
				int up = k / 2; // two faces between neighbors in a row, one pointing up and one down
				int a = PointIndex( row, up ), b = PointIndex( row + 1, up + ( k & 1 ) );
				int c = k & 1 ? PointIndex( row, up + 1 ) : PointIndex( row + 1, up + 1 );
				bool turn = IsMirrored( octant );
				face[0] = first + (uint32_t)a;
				face[1] = first + (uint32_t)( turn ? c : b );
				face[2] = first + (uint32_t)( turn ? b : c );
			}
		}
	}
}

// ---- all of them -------------------------------------------------------------------------------------

static gelColor Lighten( gelColor c )
{
	return ( gelColor ){ c.r + GEL_LIGHT_SHADE * ( 1.0f - c.r ), c.g + GEL_LIGHT_SHADE * ( 1.0f - c.g ),
		c.b + GEL_LIGHT_SHADE * ( 1.0f - c.b ) };
}

static bool AddEllipsoids( gelEllipsoidView* view, const gelDrawList* list, gelRenderer* renderer )
{
	gelVec3 points[GEL_ELLIPSOID_POINTS];
	uint32_t faces[3 * GEL_ELLIPSOID_FACES];
	FillBall( points, faces );
	size_t count = (size_t)view->count;
	uint32_t* triangles = malloc( count * sizeof( faces ) );
	gelColor* colors = malloc( count * GEL_ELLIPSOID_POINTS * sizeof( gelColor ) );
	bool ok = triangles != NULL && colors != NULL;
	for ( size_t i = 0; ok && i < count * 3 * GEL_ELLIPSOID_FACES; ++i )
		triangles[i] = (uint32_t)( i / ( 3 * GEL_ELLIPSOID_FACES ) * GEL_ELLIPSOID_POINTS ) +
			faces[i % ( 3 * GEL_ELLIPSOID_FACES )];
	for ( size_t i = 0; ok && i < count * GEL_ELLIPSOID_POINTS; ++i )
	{
		gelColor color = gelColorFromHex( list->ellipsoids[i / GEL_ELLIPSOID_POINTS].color );
		// Mirrored octants and others alternate like the fields of a chess board.
		bool isLight = IsMirrored( (int)( i % GEL_ELLIPSOID_POINTS / GEL_OCTANT_POINTS ) );
		colors[i] = isLight ? Lighten( color ) : color;
	}
	if ( ok )
		view->surface = gelRenderer_AddSurface( renderer, triangles, view->count * GEL_ELLIPSOID_FACES,
			view->count * GEL_ELLIPSOID_POINTS, gelColorFromHex( list->ellipsoids[0].color ), 1e-6f );
	if ( view->surface >= 0 )
	{
		gelRenderer_SetSurfaceClosed( renderer, view->surface, true );
		gelRenderer_SetSurfaceColors( renderer, view->surface, colors );
	}
	free( triangles );
	free( colors );
	return view->surface >= 0;
}

bool gelCreateEllipsoidView( gelEllipsoidView* view, const gelDrawList* list, gelRenderer* renderer )
{
	*view = ( gelEllipsoidView ){ .surface = -1, .count = list->ellipsoidCount };
	size_t count = (size_t)view->count;
	if ( count == 0 ) return true;
	view->positions = malloc( count * GEL_ELLIPSOID_POINTS * sizeof( gelVec3 ) );
	view->normals = malloc( count * GEL_ELLIPSOID_POINTS * sizeof( gelVec3 ) );
	if ( view->positions != NULL && view->normals != NULL && AddEllipsoids( view, list, renderer ) )
		return true;
	gelDestroyEllipsoidView( view );
	return false;
}

void gelDestroyEllipsoidView( gelEllipsoidView* view )
{
	free( view->positions );
	free( view->normals );
	*view = ( gelEllipsoidView ){ .surface = -1 };
}

void gelEllipsoidView_Update( gelEllipsoidView* view, const gelDrawList* list, gelRenderer* renderer )
{
	if ( view->count == 0 || list->ellipsoidCount != view->count ) return;
	gelVec3 points[GEL_ELLIPSOID_POINTS];
	uint32_t faces[3 * GEL_ELLIPSOID_FACES];
	FillBall( points, faces );
	for ( int i = 0; i < view->count; ++i )
	{
		const gelDrawnEllipsoid* drawn = list->ellipsoids + i;
		for ( int k = 0; k < GEL_ELLIPSOID_POINTS; ++k )
		{
			gelVec3 p = points[k], r = drawn->radius;
			// A normal of x^2/a^2 + y^2/b^2 + z^2/c^2 = 1 is its gradient.
			gelVec3 place = { p.x * r.x, p.y * r.y, p.z * r.z };
			gelVec3 normal = { p.x / r.x, p.y / r.y, p.z / r.z };
			size_t at = (size_t)i * GEL_ELLIPSOID_POINTS + (size_t)k;
			view->positions[at] = gelTransformPoint( drawn->transform, place );
			view->normals[at] = gelNormalize( gelRotate( drawn->transform.rotation, normal ) );
		}
	}
	gelRenderer_SetSurface( renderer, view->surface, view->positions, view->normals );
}
