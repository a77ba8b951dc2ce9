// SPDX-License-Identifier: MIT
#include "preview/stage/overlay_particles.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

#include <stdlib.h>

#define GEL_EDGE_COLOR  0x16324F
#define GEL_LIGHT_SHADE 0.45f // how much of the way to white

// An octant of the unit sphere is a triangle whose sides are cut into this many pieces.
#define GEL_SIDE_PIECES      5
#define GEL_OCTANT_POINTS    ( ( GEL_SIDE_PIECES + 1 ) * ( GEL_SIDE_PIECES + 2 ) / 2 )
#define GEL_OCTANT_FACES     ( GEL_SIDE_PIECES * GEL_SIDE_PIECES )
#define GEL_ELLIPSOID_POINTS ( 8 * GEL_OCTANT_POINTS )
#define GEL_ELLIPSOID_FACES  ( 8 * GEL_OCTANT_FACES )

bool gelHasParticles( gelBodyId body )
{
	return gelBody_GetParticlePoses( body, NULL, 0 ) > 0;
}

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

static bool AddEllipsoids( gelParticleView* view, gelColor color, gelRenderer* renderer )
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
		colors[i] =
			IsMirrored( (int)( i % GEL_ELLIPSOID_POINTS / GEL_OCTANT_POINTS ) ) ? Lighten( color ) : color;
	view->surface = ok ? gelRenderer_AddSurface( renderer, triangles, view->count * GEL_ELLIPSOID_FACES,
							 view->count * GEL_ELLIPSOID_POINTS, color, 1e-6f )
					   : -1;
	if ( view->surface >= 0 )
	{
		gelRenderer_SetSurfaceClosed( renderer, view->surface, true );
		gelRenderer_SetSurfaceColors( renderer, view->surface, colors );
	}
	free( triangles );
	free( colors );
	return view->surface >= 0;
}

static bool AddEdges( gelParticleView* view, const gelAsset* asset, gelRenderer* renderer )
{
	int count = gelAsset_GetParticleEdges( asset, NULL, 0 );
	int* edges = malloc( ( 2 * (size_t)count + 1 ) * sizeof( int ) );
	uint32_t* pairs = malloc( ( 2 * (size_t)count + 1 ) * sizeof( uint32_t ) );
	bool ok = edges != NULL && pairs != NULL;
	if ( ok )
	{
		gelAsset_GetParticleEdges( asset, edges, count );
		for ( int i = 0; i < 2 * count; ++i )
			pairs[i] = (uint32_t)edges[i];
		view->lines =
			gelRenderer_AddLines( renderer, pairs, count, view->count, gelColorFromHex( GEL_EDGE_COLOR ) );
		ok = view->lines >= 0;
	}
	if ( ok ) gelRenderer_SetLinesThrough( renderer, view->lines, 0.6f ); // they run inside of the ellipsoids
	free( edges );
	free( pairs );
	return ok;
}

bool gelCreateParticleView( gelParticleView* view, gelBodyId body, gelColor color, gelRenderer* renderer )
{
	*view = ( gelParticleView ){ .surface = -1, .lines = -1 };
	if ( !gelHasParticles( body ) ) return true;
	const gelAsset* asset = gelBody_GetAsset( body );
	view->count = gelAsset_GetParticles( asset, NULL, 0 );
	size_t count = (size_t)view->count;
	view->rest = malloc( count * sizeof( gelParticle ) );
	view->poses = malloc( count * sizeof( gelParticlePose ) );
	view->positions = malloc( count * GEL_ELLIPSOID_POINTS * sizeof( gelVec3 ) );
	view->normals = malloc( count * GEL_ELLIPSOID_POINTS * sizeof( gelVec3 ) );
	view->centers = malloc( count * sizeof( gelVec3 ) );
	bool ok = view->rest != NULL && view->poses != NULL && view->positions != NULL && view->normals != NULL &&
		view->centers != NULL && AddEllipsoids( view, color, renderer ) && AddEdges( view, asset, renderer );
	if ( !ok )
	{
		gelDestroyParticleView( view );
		return false;
	}
	gelAsset_GetParticles( asset, view->rest, view->count );
	return true;
}

void gelDestroyParticleView( gelParticleView* view )
{
	free( view->rest );
	free( view->poses );
	free( view->positions );
	free( view->normals );
	free( view->centers );
	*view = ( gelParticleView ){ .surface = -1, .lines = -1 };
}

void gelParticleView_Update( gelParticleView* view, gelBodyId body, gelRenderer* renderer )
{
	if ( view->count == 0 ) return;
	gelVec3 points[GEL_ELLIPSOID_POINTS];
	uint32_t faces[3 * GEL_ELLIPSOID_FACES];
	FillBall( points, faces );
	gelBody_GetParticlePoses( body, view->poses, view->count );
	for ( int i = 0; i < view->count; ++i )
	{
		const gelParticle* rest = view->rest + i;
		const gelParticlePose* pose = view->poses + i;
		view->centers[i] = pose->position;
		for ( int k = 0; k < GEL_ELLIPSOID_POINTS; ++k )
		{
			gelVec3 p = points[k], r = rest->radius;
			// A normal of x^2/a^2 + y^2/b^2 + z^2/c^2 = 1 is its gradient.
			gelVec3 place = { p.x * r.x, p.y * r.y, p.z * r.z };
			gelVec3 normal = { p.x / r.x, p.y / r.y, p.z / r.z };
			size_t at = (size_t)i * GEL_ELLIPSOID_POINTS + (size_t)k;
			view->positions[at] =
				gelAdd( pose->position, gelRotate( pose->rotation, gelRotate( rest->rotation, place ) ) );
			view->normals[at] =
				gelNormalize( gelRotate( pose->rotation, gelRotate( rest->rotation, normal ) ) );
		}
	}
	gelRenderer_SetSurface( renderer, view->surface, view->positions, view->normals );
	gelRenderer_SetLines( renderer, view->lines, view->centers );
}
