// SPDX-License-Identifier: MIT
// From a field to a triangle surface of a wanted size, in three passes that each keep a closed,
// oriented 2-manifold what it is: marching tetrahedra, edge collapse, smoothing.
#pragma once

#include "sample_field.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gelSampleSurface
{
	gelVec3d* points;
	uint32_t pointCount;
	size_t pointCapacity;
	/// 3 per triangle. A corner c = 3 t + i also names the edge opposite to it.
	uint32_t* corners;
	uint32_t triangleCount;
	size_t triangleCapacity;
	/// For each corner the one on the other side of its edge; made by gelSampleSurface_Connect.
	uint32_t* opposite;
	/// One corner at each point.
	uint32_t* pointToCorner;
} gelSampleSurface;

#define GEL_DEAD_CORNER 0xFFFFFFFFu

static inline uint32_t gelNextCorner( uint32_t c )
{
	return c % 3 == 2 ? c - 2 : c + 1;
}

static inline uint32_t gelPreviousCorner( uint32_t c )
{
	return c % 3 == 0 ? c + 2 : c - 1;
}

/// The next corner at the same point, turning clockwise seen from outside.
static inline uint32_t gelSwing( const gelSampleSurface* surface, uint32_t c )
{
	return gelPreviousCorner( surface->opposite[gelPreviousCorner( c )] );
}

/// Triangles around a point.
static inline int gelGetValence( const gelSampleSurface* surface, uint32_t p )
{
	uint32_t start = surface->pointToCorner[p], c = start;
	int count = 0;
	do
	{
		count += 1;
		c = gelSwing( surface, c );
	} while ( c != start );
	return count;
}

void gelFreeSampleSurface( gelSampleSurface* surface );

/// Marching tetrahedra on a body centerd cubic lattice. @param spacing of the cubes [m]
bool gelExtractSampleSurface( gelField* field, double spacing, gelSampleSurface* outSurface );

/// Fills opposite and pointToCorner. False: not a closed, oriented surface, or out of memory.
bool gelSampleSurface_Connect( gelSampleSurface* surface );

/// Connected components; 0 when out of memory. Needs Connect.
uint32_t gelSampleSurface_CountPieces( const gelSampleSurface* surface );

/// Collapses edges until at most triangleCount triangles are left, then closes the gaps in the arrays.
bool gelSampleSurface_Simplify( gelSampleSurface* surface, uint32_t triangleCount );

/// Evens out the triangles: flips edges and moves points along the surface and onto it.
/// @param snap lay edges along the borders between parts in the end
bool gelSampleSurface_Smooth( gelSampleSurface* surface, gelField* field, int rounds, bool snap );

/// [m^2]
double gelSampleSurface_Area( const gelSampleSurface* surface );

/// True when no two triangles without a common corner meet, with points moved onto the ground and rounded as
/// the mesh will have them. False also when out of memory.
bool gelSampleSurface_IsSimple( const gelSampleSurface* surface );
