// SPDX-License-Identifier: MIT
// From a field to a triangle surface of a wanted size, in three passes that each keep a closed,
// oriented 2-manifold what it is: marching tetrahedra, edge collapse, smoothing.
#pragma once

#include "sample_field.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gelSurface
{
	gelSampleVec* points;
	uint32_t pointCount, pointCapacity;
	/// 3 per triangle. A corner c = 3 t + i also names the edge opposite to it.
	uint32_t* corners;
	uint32_t triangleCount, triangleCapacity;
	/// For each corner the one on the other side of its edge; made by gelSurface_Connect.
	uint32_t* opposite;
	/// One corner at each point.
	uint32_t* pointToCorner;
} gelSurface;

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
static inline uint32_t gelSwing( const gelSurface* surface, uint32_t c )
{
	return gelPreviousCorner( surface->opposite[gelPreviousCorner( c )] );
}

void gelFreeSampleSurface( gelSurface* surface );

/// Marching tetrahedra on a body centred cubic lattice. @param spacing of the cubes [m]
bool gelExtractSurface( gelField* field, double spacing, gelSurface* outSurface );

/// Fills opposite and pointToCorner. False: not a closed, oriented surface, or out of memory.
bool gelSurface_Connect( gelSurface* surface );

/// Collapses edges until at most triangleCount triangles are left, then closes the gaps in the arrays.
bool gelSurface_Simplify( gelSurface* surface, uint32_t triangleCount );

/// Evens out the triangles: flips edges and moves points along the surface and onto it.
/// @param snap lay edges along the borders between parts in the end
bool gelSurface_Smooth( gelSurface* surface, gelField* field, int rounds, bool snap );

/// [m^2]
double gelSurface_Area( const gelSurface* surface );
