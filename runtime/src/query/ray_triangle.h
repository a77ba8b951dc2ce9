// SPDX-License-Identifier: MIT
// A ray against a triangle, without gaps (Woop, Benthin, Wald 2013, "Watertight ray/triangle intersection").
//
// The triangle is moved to the ray's origin and sheared so that the ray becomes the z axis. What is left is
// whether the origin of the plane lies inside of a triangle of floats. Products of two floats are exact in
// double, so the signs of the edge functions are exact for these floats: as long as triangles share the bits
// of their vertices, the plane has no gap and no overlap, and neither has the surface.
#pragma once

#include "math/gel_math.h"

/// A ray in the space of a body. The largest component of the direction is 1 or -1.
typedef struct gelTrace
{
	gelVec3 origin, direction;
	float maxDistance; // in units of the direction
	int kx, ky, kz;    // kz: the axis of that component; the others in an order that keeps the handedness
	float shearX, shearY, signZ;
} gelTrace;

/// Where a trace meets a triangle.
typedef struct gelTriangleHit
{
	double distance;
	double weight[3];
	bool isBackFace;
} gelTriangleHit;

static inline float gelComponent( gelVec3 v, int k )
{
	return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

/// A vertex in the space where the ray is the z axis.
typedef struct gelShearedPoint
{
	float x, y, z;
} gelShearedPoint;

static inline gelShearedPoint gelShear( const gelTrace* trace, gelVec3 p )
{
	float a[3] = { p.x - trace->origin.x, p.y - trace->origin.y, p.z - trace->origin.z };
	float z = a[trace->kz];
	return ( gelShearedPoint ){ a[trace->kx] - trace->shearX * z, a[trace->ky] - trace->shearY * z,
		trace->signZ * z };
}

/// Twice the area of the triangle (0, a, b), exact: positive when b is to the left of a.
static inline double gelEdgeFunction( gelShearedPoint a, gelShearedPoint b )
{
	return (double)a.x * (double)b.y - (double)a.y * (double)b.x;
}

/// Whether a trace meets a triangle, given its sheared corners. Edges and corners belong to the triangle: a
/// ray through an edge hits both sides of it. A triangle seen edge-on is not hit; its neighbors are.
static inline bool gelHitSheared(
	gelShearedPoint a, gelShearedPoint b, gelShearedPoint c, double maxDistance, gelTriangleHit* out )
{
	double u = gelEdgeFunction( b, c ), v = gelEdgeFunction( c, a ), w = gelEdgeFunction( a, b );
	if ( ( u < 0.0 || v < 0.0 || w < 0.0 ) && ( u > 0.0 || v > 0.0 || w > 0.0 ) ) return false;
	double det = u + v + w;
	if ( det == 0.0 ) return false;
	double distance = ( u * (double)a.z + v * (double)b.z + w * (double)c.z ) / det;
	if ( !( distance >= 0.0 && distance <= maxDistance ) ) return false;
	*out = ( gelTriangleHit ){ distance, { u / det, v / det, w / det }, det > 0.0 };
	return true;
}

/// Sign of the edge function as if the ray had been moved by an infinitely small (e, e^2): never zero, but
/// for an edge without length. Two triangles at an edge see opposite signs.
static inline int gelPerturbedSide( gelShearedPoint a, gelShearedPoint b )
{
	double area = gelEdgeFunction( a, b );
	if ( area != 0.0 ) return area > 0.0 ? 1 : -1;
	if ( a.y != b.y ) return a.y > b.y ? 1 : -1;
	return a.x == b.x ? 0 : b.x > a.x ? 1 : -1;
}

/// How the trace, perturbed, crosses the triangle ahead of its origin: -1 inwards, 1 outwards, 0 not at all.
/// Over a closed surface the sum is the number of times that the surface winds around the origin.
static inline int gelCrossSheared( gelShearedPoint a, gelShearedPoint b, gelShearedPoint c )
{
	int side = gelPerturbedSide( a, b );
	if ( side == 0 || gelPerturbedSide( b, c ) != side || gelPerturbedSide( c, a ) != side ) return 0;
	double u = gelEdgeFunction( b, c ), v = gelEdgeFunction( c, a ), w = gelEdgeFunction( a, b );
	double det = u + v + w, height = u * (double)a.z + v * (double)b.z + w * (double)c.z;
	// det has the sign of side: a triangle without area has no inside for the perturbed ray to be in
	return det > 0.0 ? ( height > 0.0 ? 1 : 0 ) : ( height < 0.0 ? -1 : 0 );
}
