// SPDX-License-Identifier: MIT
// Does a cage strictly bound a mesh? Brute force with 512-bit integers, written without any code of the
// mesher, to judge the mesher by.
#pragma once

#include "cage/cage_io.h"
#include "common/mesh/mesh.h"

typedef struct gelExactBounds
{
	uint32_t flatTets;     // volume <= 0
	uint32_t crowdedFaces; // used by more than two tets
	uint32_t boundaryFaces;
	uint32_t touchedFaces;    // boundary faces that meet a triangle of the mesh; touching counts
	uint32_t outsideVertices; // vertices of triangles that are in no tet
	uint32_t doubledVertices; // vertices strictly inside more than one tet
} gelExactBounds;

/// Coordinates must lie between 2^-80 and 2^28 in size, or be zero.
gelExactBounds gelCheckBounds( const gelMesh* mesh, const gelCage* cage );
bool gelExactBounds_Hold( const gelExactBounds* bounds );

/// Sign of det[ b-a, c-a, d-a ] by integers.
int gelIntegerOrient( const double a[3], const double b[3], const double c[3], const double d[3] );

/// Do two triangles meet? Either may be degenerate, but not both.
bool gelIntegerTrianglesMeet( const double* const a[3], const double* const b[3] );
