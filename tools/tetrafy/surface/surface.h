// SPDX-License-Identifier: MIT
// The art surface as the mesher sees it: welded points in double precision and triangles, cleaned of what
// would confuse it. Nothing is repaired silently: every change can be reported.
#pragma once

#include "common/mesh/mesh.h"
#include "common/program/program.h"
#include "tetrafy/surface/surface_edges.h"

#include <gelpack/math_double.h>

/// How many of something, and where the first one is.
typedef struct gelPlaceCount
{
	uint32_t count;
	uint32_t firstTriangle; // index in the mesh
	gelVec3d firstPoint;    // [m]
} gelPlaceCount;

typedef struct gelSurface
{
	gelVec3d* points; // one per weld of the mesh [m]
	uint32_t pointCount;

	// Triangles that a cage has to bound, 3 points each, counter-clockwise from outside, in three runs:
	// [0, properCount)          with an area
	// [properCount, edgedCount) three points on a line: they close T-junctions but enclose nothing
	// [edgedCount, triCount)    segments and points
	uint32_t* tris;
	uint32_t properCount, edgedCount, triCount;
	uint32_t* triToSource; // triangle of the mesh

	gelBox3d box;
	double area;         // [m^2]
	double signedVolume; // [m^3], meaningful when closed
	// Every edge is used equally often in both directions. Then the winding number is a whole number that
	// changes only across the surface, also where more than two triangles share an edge.
	bool closed;

	// Closed, and with a volume that is more than rounding: a sheet with two sides has none.
	bool encloses;

	uint8_t* rims; // per point: 1 where an edge is not used equally often in both directions; NULL: closed

	gelPlaceCount degenerate, duplicate, turned;
	gelEdgeCounts edges; // before triangles were turned
	bool insideOut;      // was turned round as a whole

	// From gelOrientParts.
	uint32_t partCount;          // sets of triangles that hang together at points
	gelPlaceCount reversedParts; // parts of the mesh: closed, with nothing around them, and inside out
	bool overlaps; // parts lie in each other, or may: the signed volume counts what they share twice
} gelSurface;

/// Takes the triangles of a mesh (at least one), drops repetitions, turns triangles that face the other way
/// than the rest of their piece, and an inside-out surface as a whole.
gelSurface gelMakeSurface( const gelMesh* mesh );
void gelFreeSurface( gelSurface* surface );

/// Is a signed volume [m^3] more than rounding for a surface of this area [m^2]?
bool gelEnclosesVolume( double volume, double area );

/// Turns the smaller part of every piece whose triangles do not agree, where a piece has two sides at all.
void gelOrientSurface( gelSurface* surface );

/// Adds what was found to the findings and the report of a program.
/// @param file the art file, for the findings; may be NULL
void gelSurface_Report( const gelSurface* surface, const char* file, gelProgram* program );
