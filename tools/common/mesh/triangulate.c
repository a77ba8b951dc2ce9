// SPDX-License-Identifier: MIT
// Ear clipping (Meisters 1975) with strict ears first. Cost grows with the square of the corner count; beyond
// MAX_CLIPPED corners only strictly convex polygons are told from others.
//
// A polygon of a file need not be plane, simple or convex. Convex ones are nearly all and become fans, which
// is what every other tool makes of them; only the rest is clipped.
#include "common/mesh/triangulate.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>

#define MAX_CLIPPED 1024u

// Plain comparisons: the C library's fmin and fmax are calls, and the points are finite.
static double Least( double a, double b )
{
	return a < b ? a : b;
}

static double Most( double a, double b )
{
	return a > b ? a : b;
}

// Twice the signed area of a triangle in the plane; positive is counter-clockwise.
static double Orient( const double* a, const double* b, const double* c )
{
	return ( b[0] - a[0] ) * ( c[1] - a[1] ) - ( b[1] - a[1] ) * ( c[0] - a[0] );
}

// Newell's normal, then the coordinate plane in which the polygon is largest and counter-clockwise. Dropping
// a coordinate, unlike rotating, keeps the given floats exact.
static bool Project( const float* const* points, uint32_t count, double* out )
{
	GEL_ASSERT( count >= 3 );
	double n[3] = { 0.0, 0.0, 0.0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		const float* p = points[i];
		const float* q = points[( i + 1 ) % count];
		for ( int d = 0; d < 3; ++d )
		{
			int e = ( d + 1 ) % 3, f = ( d + 2 ) % 3;
			// relative to corner 0: far from the origin the plain products would cancel badly
			double pe = (double)p[e] - points[0][e], qe = (double)q[e] - points[0][e];
			double pf = (double)p[f] - points[0][f], qf = (double)q[f] - points[0][f];
			n[d] += ( pe - qe ) * ( pf + qf );
		}
	}
	int axis = 0;
	for ( int d = 1; d < 3; ++d )
		if ( fabs( n[d] ) > fabs( n[axis] ) ) axis = d;
	int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
	if ( n[axis] < 0.0 )
	{
		int swap = u;
		u = v;
		v = swap;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[2 * i] = points[i][u];
		out[2 * i + 1] = points[i][v];
	}
	return n[axis] != 0.0 && isfinite( n[axis] );
}

// All turns left, and once round in total: no more than two changes of the horizontal direction.
static bool IsStrictlyConvex( const double* points, uint32_t count )
{
	GEL_ASSERT( count >= 3 );
	int changes = 0;
	double last = 0.0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const double* a = points + 2 * i;
		const double* b = points + 2 * ( ( i + 1 ) % count );
		const double* c = points + 2 * ( ( i + 2 ) % count );
		if ( !( Orient( a, b, c ) > 0.0 ) ) return false;
		double step = b[0] - a[0];
		if ( step == 0.0 ) continue;
		changes += last != 0.0 && ( step > 0.0 ) != ( last > 0.0 );
		last = step;
	}
	return changes <= 2;
}

// Whether two segments cross at a point inside of both.
static bool SegmentsCross( const double* a, const double* b, const double* c, const double* d )
{
	if ( Most( a[0], b[0] ) < Least( c[0], d[0] ) || Most( c[0], d[0] ) < Least( a[0], b[0] ) ) return false;
	if ( Most( a[1], b[1] ) < Least( c[1], d[1] ) || Most( c[1], d[1] ) < Least( a[1], b[1] ) ) return false;
	double abc = Orient( a, b, c ), abd = Orient( a, b, d ), cda = Orient( c, d, a ), cdb = Orient( c, d, b );
	return ( ( abc > 0.0 && abd < 0.0 ) || ( abc < 0.0 && abd > 0.0 ) ) &&
		( ( cda > 0.0 && cdb < 0.0 ) || ( cda < 0.0 && cdb > 0.0 ) );
}

// Sides may touch, as in a polygon with a hole that a double side ties to its rim, but not cross.
static bool HasCrossing( const double* points, uint32_t count )
{
	for ( uint32_t i = 0; i + 2 < count; ++i )
		for ( uint32_t j = i + 2; j < count; ++j )
			if ( SegmentsCross( points + 2 * i, points + 2 * i + 2, points + 2 * j,
					 points + 2 * ( ( j + 1 ) % count ) ) )
				return true;
	return false;
}

static bool SamePoint( const double* a, const double* b )
{
	return a[0] == b[0] && a[1] == b[1];
}

// An ear: a strict left turn whose closed triangle holds no other corner of what is left, save copies of its
// own.
static bool IsEar( const double* points, const uint32_t* next, uint32_t i0, uint32_t i1, uint32_t i2 )
{
	const double* a = points + 2 * i0;
	const double* b = points + 2 * i1;
	const double* c = points + 2 * i2;
	if ( !( Orient( a, b, c ) > 0.0 ) ) return false;
	double left = Least( a[0], Least( b[0], c[0] ) ), right = Most( a[0], Most( b[0], c[0] ) );
	double bottom = Least( a[1], Least( b[1], c[1] ) ), top = Most( a[1], Most( b[1], c[1] ) );
	for ( uint32_t k = next[i2]; k != i0; k = next[k] )
	{
		const double* p = points + 2 * k;
		if ( p[0] < left || p[0] > right || p[1] < bottom || p[1] > top ) continue;
		if ( Orient( a, b, p ) < 0.0 || Orient( b, c, p ) < 0.0 || Orient( c, a, p ) < 0.0 ) continue;
		if ( !SamePoint( p, a ) && !SamePoint( p, b ) && !SamePoint( p, c ) ) return false;
	}
	return true;
}

static bool ClipEars( const double* points, uint32_t* next, uint32_t count, uint32_t* out )
{
	GEL_ASSERT( count >= 3 );
	for ( uint32_t i = 0; i < count; ++i )
		next[i] = ( i + 1 ) % count;
	uint32_t left = count, misses = 0, at = 0;
	while ( left > 3 )
	{
		uint32_t i1 = next[at], i2 = next[i1];
		if ( !IsEar( points, next, at, i1, i2 ) )
		{
			at = i1;
			// Once round without an ear: touching sides or rounding; the caller falls back to a fan and says
			// so.
			if ( ++misses > left ) return false;
			continue;
		}
		out[0] = at, out[1] = i1, out[2] = i2;
		out += 3;
		next[at] = i2;
		--left;
		misses = 0;
	}
	out[0] = at, out[1] = next[at], out[2] = next[next[at]];
	return true;
}

static bool Reserve( gelTriangulator* triangulator, uint32_t count )
{
	if ( count <= triangulator->capacity ) return true;
	uint32_t wanted = count < 64 ? 64 : count + count / 2;
	double* points = realloc( triangulator->points, (size_t)wanted * 2 * sizeof( double ) );
	if ( points != NULL ) triangulator->points = points;
	uint32_t* links = realloc( triangulator->links, (size_t)wanted * sizeof( uint32_t ) );
	if ( links != NULL ) triangulator->links = links;
	if ( points == NULL || links == NULL ) return false;
	triangulator->capacity = wanted;
	return true;
}

static void MakeFan( uint32_t count, uint32_t* out )
{
	GEL_ASSERT( count >= 3 );
	for ( uint32_t i = 0; i + 2 < count; ++i )
	{
		out[3 * (size_t)i] = 0;
		out[3 * (size_t)i + 1] = i + 1;
		out[3 * (size_t)i + 2] = i + 2;
	}
}

gelTriangulation gelTriangulate(
	gelTriangulator* triangulator, const float* const* points, uint32_t count, uint32_t* outCorners )
{
	GEL_ASSERT( count >= 3 );
	MakeFan( count, outCorners );
	if ( count == 3 ) return gel_triangulationDone;
	if ( !Reserve( triangulator, count ) ) return gel_triangulationMemory;
	double* flat = triangulator->points;
	if ( !Project( points, count, flat ) ) return gel_triangulationFan;
	if ( IsStrictlyConvex( flat, count ) ) return gel_triangulationDone;
	if ( count > MAX_CLIPPED || HasCrossing( flat, count ) ) return gel_triangulationFan;
	if ( ClipEars( flat, triangulator->links, count, outCorners ) ) return gel_triangulationDone;
	// Ears that were cut already are overwritten.
	MakeFan( count, outCorners );
	return gel_triangulationFan;
}

void gelFreeTriangulator( gelTriangulator* triangulator )
{
	free( triangulator->points );
	free( triangulator->links );
	*triangulator = ( gelTriangulator ){ 0 };
}
