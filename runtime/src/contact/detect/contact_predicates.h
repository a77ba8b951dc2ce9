// SPDX-License-Identifier: MIT
// Signs that decide which triangles of two bodies cross, and how: exact, and never zero by accident.
//
// All topology of a contact follows from signs of 3x3 determinants. If two triangles with a common edge
// disagreed about one of them, intersection curves would not close. So the positions of a pair of bodies are
// snapped to a grid of integers, as fine as float is, and determinants of integers are exact: mostly by a
// filter in double, else in 128 bits. An exact zero (touching features) is broken by symbolic translation:
// body B is taken as moved by (e, e^2, e^3) for an infinitely small e, so the sign is that of the first
// component of the determinant's derivative that is not zero (Edelsbrunner and Muecke 1990, for the only
// perturbation that leaves both surfaces intact). A determinant is linear in such a move, since one that
// holds it twice vanishes. What is still zero then (parallel edges, triangles without area) crosses nothing.
#pragma once

#include "core/core.h"

#include <math.h>

/// Coordinates of grid points stay below this in magnitude. Differences then fit 24 bits and 2x2 minors 49,
/// which double holds exactly.
#define GEL_GRID_LIMIT ( 1 << 23 )

/// The same for wide grids: 2x2 minors fit 61 bits. Only the exact way serves them.
#define GEL_WIDE_GRID_LIMIT ( 1 << 29 )

/// A determinant from exact minors that is larger than this in magnitude has the right sign: three products
/// below 2^73 and two sums below 2^75 lose at most 3 * 2^20 + 2 * 2^22 < 2^25.
#define GEL_ORIENT_CERTAIN 0x1p25

typedef struct gelGridPoint
{
	int32_t x, y, z;
} gelGridPoint;

/// Where the grid of a pair of bodies lies, seen from one of them.
typedef struct gelGrid
{
	double offset[3]; // origin of the body minus origin of the grid [m]
	double scale;     // grid units per metre, a power of two
} gelGrid;

/// Nearest grid point: a function of nothing but the bits of p, so that copies of a vertex stay together.
/// p must be in the box that the grid was made for.
static inline gelGridPoint gelSnap( const gelGrid* grid, float x, float y, float z )
{
	return ( gelGridPoint ){ (int32_t)lrint( ( (double)x + grid->offset[0] ) * grid->scale ),
		(int32_t)lrint( ( (double)y + grid->offset[1] ) * grid->scale ),
		(int32_t)lrint( ( (double)z + grid->offset[2] ) * grid->scale ) };
}

/// Determinant of p1 - p0, p2 - p0, p3 - p0: six times the volume of the tet, positive when p3 is on the side
/// from which p0 p1 p2 run counter-clockwise. Exact minors, rounded sums.
static inline double gelOrientValue( gelGridPoint p0, gelGridPoint p1, gelGridPoint p2, gelGridPoint p3 )
{
	double ux = p1.x - p0.x, uy = p1.y - p0.y, uz = p1.z - p0.z;
	double vx = p2.x - p0.x, vy = p2.y - p0.y, vz = p2.z - p0.z;
	double wx = p3.x - p0.x, wy = p3.y - p0.y, wz = p3.z - p0.z;
	return wx * ( uy * vz - uz * vy ) + wy * ( uz * vx - ux * vz ) + wz * ( ux * vy - uy * vx );
}

/// Exact sign of gelOrientValue on grids of either size, ties broken by moving the points of the mask.
/// @param moved bit k: point k belongs to body B
/// @return -1, 1, or 0 for what no translation can decide
int gelOrientExact( gelGridPoint p0, gelGridPoint p1, gelGridPoint p2, gelGridPoint p3, unsigned moved );

/// The same, fast where it is clear. Not for wide grids.
static inline int gelOrient(
	gelGridPoint p0, gelGridPoint p1, gelGridPoint p2, gelGridPoint p3, unsigned moved )
{
	double det = gelOrientValue( p0, p1, p2, p3 );
	if ( det > GEL_ORIENT_CERTAIN ) return 1;
	if ( det < -GEL_ORIENT_CERTAIN ) return -1;
	return gelOrientExact( p0, p1, p2, p3, moved );
}

/// Exact sign for four points of one body, ties broken by moving every vertex on its own way: vertices are
/// numbered, coordinate k of vertex i is moved by e^( 2^( 3 i + k ) ), and the sign is that of the largest
/// term of the determinant that is not zero (Edelsbrunner and Muecke 1990). Never 0.
/// @param ids of the points: the same for all copies of a vertex, all different
int gelOrientPerturbed( const gelGridPoint p[4], const uint32_t ids[4] );

/// Where an edge of one triangle passes through another triangle.
typedef struct gelTriangleCrossing
{
	uint8_t isEdgeOfB; // 0: an edge of A through B; 1: an edge of B through A
	uint8_t edge;      // from corner `edge` to the next one
	uint8_t enters;    // from the outside of the crossed triangle to its inside, in the direction of the edge
	uint8_t isStart;   // the intersection segment, which has the inside of B on the left of A, starts here
} gelTriangleCrossing;

/// The segment in which triangle a of body A crosses triangle b of body B: none, or two crossings, the start
/// first. Corners counter-clockwise from outside.
/// @return 0 or 2
int gelCrossTriangles(
	const gelGridPoint a[3], const gelGridPoint b[3], bool isWide, gelTriangleCrossing out[2] );

/// The same in two parts, for many triangles most of which do not cross.
typedef struct gelCrossing
{
	double p[2][3][3];      // corners of A and of B: coordinates of grid points
	const uint32_t* ids[2]; // numbers of the corners, for two triangles of one body (gelOrientPerturbed);
							// NULL: two bodies
	bool isWide;
	// ---- inside ----
	int8_t side[2][3];      // signs of corners of A against the plane of B, and of B against that of A
	int8_t edgeSigns[3][3]; // sign of edge i of A against edge j of B
} gelCrossing;

/// A look at the planes; needs p only. Not for wide grids. False: one triangle is beside the plane of the
/// other.
bool gelCrossing_Filter( gelCrossing* crossing );

/// To be called after the filter. @return 0 or 2
int gelCrossing_Find( gelCrossing* crossing, gelTriangleCrossing out[2] );

/// How far along p -> q the plane of a, b, c is met, 0 .. 1. Geometry only, it decides nothing. Both
/// triangles of an edge must ask for the same direction.
static inline double gelCrossingFraction(
	gelGridPoint p, gelGridPoint q, gelGridPoint a, gelGridPoint b, gelGridPoint c )
{
	double dp = gelOrientValue( a, b, c, p ), dq = gelOrientValue( a, b, c, q ), t = dp / ( dp - dq );
	return t >= 0.0 && t <= 1.0 ? t : t > 1.0 ? 1.0 : t < 0.0 ? 0.0 : 0.5; // the last: 0 / 0
}
