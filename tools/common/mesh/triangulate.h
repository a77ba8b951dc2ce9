// SPDX-License-Identifier: MIT
// Polygons in space to triangles.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Scratch for polygons of any size; zero it first.
typedef struct gelTriangulator
{
	double* points;
	uint32_t* links;
	uint32_t capacity;
} gelTriangulator;

typedef enum gelTriangulation
{
	gel_triangulationDone,
	gel_triangulationFan, // the polygon is not simple in its plane (or too large to tell): a plain fan was
						  // made
	gel_triangulationMemory,
} gelTriangulation;

/// Cuts a polygon into count - 2 triangles. Strictly convex polygons become a fan from corner 0, others are
/// ear-clipped in the coordinate plane that shows them largest; the result depends on nothing but the points.
/// @param points three coordinates for each of the count >= 3 corners
/// @param outCorners 3 * (count - 2) corner numbers
gelTriangulation gelTriangulate(
	gelTriangulator* triangulator, const float* const* points, uint32_t count, uint32_t* outCorners );

void gelFreeTriangulator( gelTriangulator* triangulator );
