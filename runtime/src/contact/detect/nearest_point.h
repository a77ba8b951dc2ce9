// SPDX-License-Identifier: MIT
// The point of a deformed surface that is nearest to a center, where distances are those in the space in
// which an ellipsoid around the center is the unit sphere.
#pragma once

#include "contact/detect/contact_surface.h"

typedef struct gelNearestPoint
{
	float distance2; // in radii, squared
	float facing;    // height of the center over the triangle, in radii; negative: it is behind it
	gelVec3 point;   // [m, body space]
	gelVec3 normal;  // unit: gradient of the ellipsoid at the point, out of the surface
	float weight[4];
	uint32_t cell, triangle;
} gelNearestPoint;

/// A part of the coarse tree and where its box is, in lanes.
typedef struct gelSurfacePiece
{
	uint32_t child, box;
} gelSurfacePiece;

#define GEL_MAX_PIECES 64

typedef struct gelSurfacePieces
{
	gelSurfacePiece items[GEL_MAX_PIECES];
	int count;
} gelSurfacePieces;

/// All that a box reaches of a surface: cells, or where those are too many, nodes above them. For many
/// searches in the box. @param low, high of the box, in the space of the surface [m]
void gelFindSurfacePieces(
	const gelContactSurface* surface, gelVec3 low, gelVec3 high, gelSurfacePieces* out );

/// @param pieces where it is searched @param center in the space of the surface [m] @param shape
/// R diag( a^2, b^2, c^2 ) R^T of the ellipsoid [m^2] @param radii how far around it is looked
/// @return false: nothing is there
bool gelFindNearestPoint( const gelContactSurface* surface, const gelSurfacePieces* pieces, gelVec3 center,
	gelSym3 shape, float radii, gelNearestPoint* out );
