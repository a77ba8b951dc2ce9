// SPDX-License-Identifier: MIT
// Does a surface pass through itself? Smoothing guards each point's own triangles against folding, but in a
// crease that is narrower than an edge a point may come through the wall on the other side.
#include "sample_surface.h"

#include <stdlib.h>

typedef struct Triangle
{
	gelVec3d p[3];
	gelVec3d low, high;
	uint32_t points[3];
} Triangle;

typedef struct TriangleGrid
{
	const gelSampleSurface* surface;
	double ground; // [m]
	gelVec3d origin;
	double cell; // [m]
	int size[3];
	uint32_t* first; // for each cell, into triangles
	uint32_t* triangles;
} TriangleGrid;

// As the mesh will have it. @param ground height that becomes zero [m]
static gelVec3d Rounded( gelVec3d p, double ground )
{
	// Two surfaces that are apart in doubles may meet once they are floats, and floats are what is written.
	return gelMakeVec3d( (float)p.x, (float)( p.y - ground ), (float)p.z );
}

static Triangle LoadTriangle( const TriangleGrid* grid, uint32_t t )
{
	const gelSampleSurface* surface = grid->surface;
	Triangle out;
	for ( size_t i = 0; i < 3; ++i )
	{
		out.points[i] = surface->corners[3 * (size_t)t + i];
		out.p[i] = Rounded( surface->points[out.points[i]], grid->ground );
	}
	const gelVec3d* p = out.p;
	out.low = gelMakeVec3d( fmin( p[0].x, fmin( p[1].x, p[2].x ) ), fmin( p[0].y, fmin( p[1].y, p[2].y ) ),
		fmin( p[0].z, fmin( p[1].z, p[2].z ) ) );
	out.high = gelMakeVec3d( fmax( p[0].x, fmax( p[1].x, p[2].x ) ), fmax( p[0].y, fmax( p[1].y, p[2].y ) ),
		fmax( p[0].z, fmax( p[1].z, p[2].z ) ) );
	return out;
}

// Six times the signed volume of a tetrahedron.
static double Volume( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d d )
{
	return gelDotD( gelSubD( b, a ), gelCrossD( gelSubD( c, a ), gelSubD( d, a ) ) );
}

static bool SegmentMeets( gelVec3d a, gelVec3d b, const gelVec3d t[3] )
{
	double sideA = Volume( t[0], t[1], t[2], a ), sideB = Volume( t[0], t[1], t[2], b );
	if ( ( sideA > 0.0 && sideB > 0.0 ) || ( sideA < 0.0 && sideB < 0.0 ) ) return false;
	double u = Volume( a, b, t[0], t[1] ), v = Volume( a, b, t[1], t[2] ), w = Volume( a, b, t[2], t[0] );
	return ( u >= 0.0 && v >= 0.0 && w >= 0.0 ) || ( u <= 0.0 && v <= 0.0 && w <= 0.0 );
}

static bool TrianglesMeet( const Triangle* s, const Triangle* t )
{
	if ( s->low.x > t->high.x || s->low.y > t->high.y || s->low.z > t->high.z || t->low.x > s->high.x ||
		t->low.y > s->high.y || t->low.z > s->high.z )
	{
		return false;
	}
	for ( int i = 0; i < 9; ++i )
	{
		if ( s->points[i / 3] == t->points[i % 3] )
		{
			return false; // neighbors touch
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		if ( SegmentMeets( s->p[i], s->p[j], t->p ) || SegmentMeets( t->p[i], t->p[j], s->p ) ) return true;
	}
	return false;
}

static int CellAlong( double x, double origin, double cell )
{
	return (int)( ( x - origin ) / cell );
}

// Counts a triangle in each cell of its box, or enters it there.
static void VisitCells( TriangleGrid* grid, uint32_t t, bool enter )
{
	Triangle triangle = LoadTriangle( grid, t );
	int x0 = CellAlong( triangle.low.x, grid->origin.x, grid->cell );
	int y0 = CellAlong( triangle.low.y, grid->origin.y, grid->cell );
	int z0 = CellAlong( triangle.low.z, grid->origin.z, grid->cell );
	int x1 = CellAlong( triangle.high.x, grid->origin.x, grid->cell );
	int y1 = CellAlong( triangle.high.y, grid->origin.y, grid->cell );
	int z1 = CellAlong( triangle.high.z, grid->origin.z, grid->cell );
	for ( int z = z0; z <= z1; ++z )
	{
		for ( int y = y0; y <= y1; ++y )
		{
			for ( int x = x0; x <= x1; ++x )
			{
				size_t index =
					( (size_t)z * (size_t)grid->size[1] + (size_t)y ) * (size_t)grid->size[0] + (size_t)x;
				uint32_t at = grid->first[index]++;
				if ( enter ) grid->triangles[at] = t;
			}
		}
	}
}

static bool FillGrid( TriangleGrid* grid )
{
	size_t cellCount = (size_t)grid->size[0] * (size_t)grid->size[1] * (size_t)grid->size[2];
	grid->first = calloc( cellCount + 1, sizeof( uint32_t ) );
	if ( grid->first == NULL ) return false;
	for ( uint32_t t = 0; t < grid->surface->triangleCount; ++t )
		VisitCells( grid, t, false );
	// Counts to starts; entering moves each start to the next one's, and the last loop moves them back.
	uint32_t sum = 0;
	for ( size_t i = 0; i <= cellCount; ++i )
	{
		uint32_t count = grid->first[i];
		grid->first[i] = sum;
		sum += count;
	}
	grid->triangles = malloc( (size_t)sum * sizeof( uint32_t ) + 1 );
	if ( grid->triangles == NULL ) return false;
	for ( uint32_t t = 0; t < grid->surface->triangleCount; ++t )
		VisitCells( grid, t, true );
	for ( size_t i = cellCount; i > 0; --i )
		grid->first[i] = grid->first[i - 1];
	grid->first[0] = 0;
	return true;
}

static bool CellIsClean( const TriangleGrid* grid, size_t cell )
{
	for ( uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; ++i )
	{
		Triangle s = LoadTriangle( grid, grid->triangles[i] );
		for ( uint32_t j = i + 1; j < grid->first[cell + 1]; ++j )
		{
			Triangle t = LoadTriangle( grid, grid->triangles[j] );
			if ( TrianglesMeet( &s, &t ) ) return false;
		}
	}
	return true;
}

bool gelSampleSurface_IsSimple( const gelSampleSurface* surface )
{
	TriangleGrid grid = { .surface = surface, .ground = surface->points[0].y };
	for ( uint32_t i = 1; i < surface->pointCount; ++i )
		grid.ground = fmin( grid.ground, surface->points[i].y );
	gelVec3d low = Rounded( surface->points[0], grid.ground ), high = low;
	for ( uint32_t i = 1; i < surface->pointCount; ++i )
	{
		gelVec3d p = Rounded( surface->points[i], grid.ground );
		low = gelMakeVec3d( fmin( low.x, p.x ), fmin( low.y, p.y ), fmin( low.z, p.z ) );
		high = gelMakeVec3d( fmax( high.x, p.x ), fmax( high.y, p.y ), fmax( high.z, p.z ) );
	}
	grid.origin = low;
	// About 1.3 times the mean edge: a triangle lies in a few cells, and a cell holds few triangles.
	grid.cell = 2.0 * sqrt( gelSampleSurface_Area( surface ) / surface->triangleCount );
	grid.size[0] = CellAlong( high.x, low.x, grid.cell ) + 1;
	grid.size[1] = CellAlong( high.y, low.y, grid.cell ) + 1;
	grid.size[2] = CellAlong( high.z, low.z, grid.cell ) + 1;
	bool ok = FillGrid( &grid );
	size_t cellCount = (size_t)grid.size[0] * (size_t)grid.size[1] * (size_t)grid.size[2];
	for ( size_t i = 0; ok && i < cellCount; ++i )
		ok = CellIsClean( &grid, i );
	free( grid.first );
	free( grid.triangles );
	return ok;
}
