// SPDX-License-Identifier: MIT
#include "exact_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Integers of 1024 bits in two's complement, least significant word first. A coordinate is an integer times
// 2^-EXPONENT and below 2^LARGEST: a difference has 330 bits, a product of three 990, and the sum of six of
// those 993. BigFrom lets nothing else in, so nothing can wrap. All floats are in that range, and doubles
// down to their last bit from 2^-148 on.
#define WORDS    16
#define EXPONENT 201
#define LARGEST  128
_Static_assert( 3 * ( EXPONENT + LARGEST + 1 ) + 3 < 64 * WORDS, "a determinant fits" );

__extension__ typedef unsigned __int128 Wide;

typedef struct Big
{
	uint64_t w[WORDS];
} Big;

static Big BigSub( Big a, Big b )
{
	Big out;
	uint64_t borrow = 0;
	for ( int i = 0; i < WORDS; ++i )
	{
		Wide d = (Wide)a.w[i] - b.w[i] - borrow;
		out.w[i] = (uint64_t)d;
		borrow = (uint64_t)( d >> 64 ) & 1;
	}
	return out;
}

static Big BigNegate( Big a )
{
	Big zero = { { 0 } };
	return BigSub( zero, a );
}

static int BigSign( const Big* a )
{
	if ( a->w[WORDS - 1] >> 63 ) return -1;
	for ( int i = 0; i < WORDS; ++i )
		if ( a->w[i] != 0 ) return 1;
	return 0;
}

static Big BigAdd( Big a, Big b )
{
	return BigSub( a, BigNegate( b ) );
}

static Big BigMul( Big a, Big b )
{
	Big out = { { 0 } };
	for ( int i = 0; i < WORDS; ++i )
	{
		uint64_t carry = 0;
		for ( int j = 0; i + j < WORDS; ++j )
		{
			Wide t = (Wide)a.w[i] * b.w[j] + out.w[i + j] + carry;
			out.w[i + j] = (uint64_t)t;
			carry = (uint64_t)( t >> 64 );
		}
	}
	return out;
}

static Big BigFrom( double x )
{
	Big out = { { 0 } };
	int exponent;
	double mantissa = frexp( fabs( x ), &exponent );
	uint64_t bits = (uint64_t)ldexp( mantissa, 53 );
	int shift = exponent - 53 + EXPONENT;
	if ( bits == 0 ) return out;
	if ( !isfinite( x ) || exponent > LARGEST ) abort(); // outside the stated range
	if ( shift < 0 )
	{
		if ( shift <= -64 || ( bits & ( ( UINT64_C( 1 ) << -shift ) - 1 ) ) != 0 ) abort();
		bits >>= -shift;
		shift = 0;
	}
	Wide placed = (Wide)bits << ( shift % 64 );
	out.w[shift / 64] = (uint64_t)placed;
	out.w[shift / 64 + 1] = (uint64_t)( placed >> 64 );
	return x < 0.0 ? BigNegate( out ) : out;
}

static Big Det2( Big a, Big b, Big c, Big d )
{
	return BigSub( BigMul( a, d ), BigMul( b, c ) );
}

int gelIntegerOrient( const double a[3], const double b[3], const double c[3], const double d[3] )
{
	const double* rows[3] = { b, c, d };
	Big m[3][3];
	for ( int i = 0; i < 3; ++i )
		for ( int k = 0; k < 3; ++k )
			m[i][k] = BigSub( BigFrom( rows[i][k] ), BigFrom( a[k] ) );
	Big det = BigMul( m[0][0], Det2( m[1][1], m[1][2], m[2][1], m[2][2] ) );
	det = BigAdd( det, BigMul( m[0][1], Det2( m[1][2], m[1][0], m[2][2], m[2][0] ) ) );
	det = BigAdd( det, BigMul( m[0][2], Det2( m[1][0], m[1][1], m[2][0], m[2][1] ) ) );
	return BigSign( &det );
}

// Doubles first, with a bound a thousand times the true one; integers where it is close, or where products
// might be too small for doubles.
static int Orient( const double* a, const double* b, const double* c, const double* d )
{
	double u[3], v[3], w[3];
	for ( int k = 0; k < 3; ++k )
		u[k] = b[k] - a[k], v[k] = c[k] - a[k], w[k] = d[k] - a[k];
	double det = 0.0, size = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		int i = ( k + 1 ) % 3, j = ( k + 2 ) % 3;
		det += u[k] * ( v[i] * w[j] - v[j] * w[i] );
		size += fabs( u[k] ) * ( fabs( v[i] * w[j] ) + fabs( v[j] * w[i] ) );
	}
	if ( size > 1e-250 && fabs( det ) > 1e-12 * size ) return det > 0.0 ? 1 : -1;
	return gelIntegerOrient( a, b, c, d );
}

// Orientation of three points seen along an axis.
static int Orient2( const double* a, const double* b, const double* c, int axis )
{
	int i = ( axis + 1 ) % 3, j = ( axis + 2 ) % 3;
	double left = ( b[i] - a[i] ) * ( c[j] - a[j] ), right = ( b[j] - a[j] ) * ( c[i] - a[i] );
	double size = fabs( left ) + fabs( right );
	if ( size > 1e-250 && fabs( left - right ) > 1e-12 * size ) return left > right ? 1 : -1;
	Big ux = BigSub( BigFrom( b[i] ), BigFrom( a[i] ) ), uy = BigSub( BigFrom( b[j] ), BigFrom( a[j] ) );
	Big vx = BigSub( BigFrom( c[i] ), BigFrom( a[i] ) ), vy = BigSub( BigFrom( c[j] ), BigFrom( a[j] ) );
	Big det = Det2( ux, uy, vx, vy );
	return BigSign( &det );
}

static bool OnSegment2( const double* p, const double* a, const double* b, int axis )
{
	if ( Orient2( a, b, p, axis ) != 0 ) return false;
	for ( int k = 1; k < 3; ++k )
	{
		int i = ( axis + k ) % 3;
		if ( p[i] < fmin( a[i], b[i] ) || p[i] > fmax( a[i], b[i] ) ) return false;
	}
	return true;
}

static bool SegmentsMeet2( const double* a, const double* b, const double* c, const double* d, int axis )
{
	if ( OnSegment2( a, c, d, axis ) || OnSegment2( b, c, d, axis ) ) return true;
	if ( OnSegment2( c, a, b, axis ) || OnSegment2( d, a, b, axis ) ) return true;
	return Orient2( a, b, c, axis ) * Orient2( a, b, d, axis ) < 0 &&
		Orient2( c, d, a, axis ) * Orient2( c, d, b, axis ) < 0;
}

static bool InTriangle2( const double* p, const double* const t[3], int axis )
{
	int a = Orient2( t[0], t[1], p, axis ), b = Orient2( t[1], t[2], p, axis ),
		c = Orient2( t[2], t[0], p, axis );
	return ( a >= 0 && b >= 0 && c >= 0 ) || ( a <= 0 && b <= 0 && c <= 0 );
}

// An axis along which the triangle has an area; -1 for a degenerate one.
static int AxisOf( const double* const t[3] )
{
	for ( int axis = 0; axis < 3; ++axis )
		if ( Orient2( t[0], t[1], t[2], axis ) != 0 ) return axis;
	return -1;
}

static bool SegmentMeetsTriangle( const double* u, const double* w, const double* const t[3] )
{
	int su = Orient( t[0], t[1], t[2], u ), sw = Orient( t[0], t[1], t[2], w );
	if ( su * sw > 0 ) return false;
	if ( su == 0 && sw == 0 )
	{
		int axis = AxisOf( t );
		if ( InTriangle2( u, t, axis ) || InTriangle2( w, t, axis ) ) return true;
		for ( int k = 0; k < 3; ++k )
			if ( SegmentsMeet2( u, w, t[k], t[( k + 1 ) % 3], axis ) ) return true;
		return false;
	}
	int a = Orient( u, w, t[0], t[1] ), b = Orient( u, w, t[1], t[2] ), c = Orient( u, w, t[2], t[0] );
	return ( a >= 0 && b >= 0 && c >= 0 ) || ( a <= 0 && b <= 0 && c <= 0 );
}

bool gelIntegerTrianglesMeet( const double* const a[3], const double* const b[3] )
{
	bool aFlat = AxisOf( a ) < 0, bFlat = AxisOf( b ) < 0;
	for ( int k = 0; k < 3; ++k )
	{
		if ( !bFlat && SegmentMeetsTriangle( a[k], a[( k + 1 ) % 3], b ) ) return true;
		if ( !aFlat && SegmentMeetsTriangle( b[k], b[( k + 1 ) % 3], a ) ) return true;
	}
	return false;
}

static bool BoxesMeet( const double* const a[3], const double* const b[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		double aLow = fmin( a[0][k], fmin( a[1][k], a[2][k] ) ),
			   aHigh = fmax( a[0][k], fmax( a[1][k], a[2][k] ) );
		double bLow = fmin( b[0][k], fmin( b[1][k], b[2][k] ) ),
			   bHigh = fmax( b[0][k], fmax( b[1][k], b[2][k] ) );
		if ( aHigh < bLow || bHigh < aLow ) return false;
	}
	return true;
}

// All on one side of the plane of b, clearly: most pairs end here.
static bool ClearOfPlane( const double* const a[3], const double* const b[3] )
{
	int s0 = Orient( b[0], b[1], b[2], a[0] ), s1 = Orient( b[0], b[1], b[2], a[1] ),
		s2 = Orient( b[0], b[1], b[2], a[2] );
	return s0 != 0 && s0 == s1 && s1 == s2;
}

typedef struct Face
{
	uint32_t key[3]; // sorted
	uint32_t nodes[3];
} Face;

static int CompareFaces( const void* x, const void* y )
{
	return memcmp( x, y, 3 * sizeof( uint32_t ) ); // any total order will do
}

static int CompareNodes( const void* x, const void* y )
{
	uint32_t a = *(const uint32_t*)x, b = *(const uint32_t*)y;
	return a < b ? -1 : a > b;
}

// Faces that occur once come first in out. @return how many
static uint32_t FindBoundary( const gelCage* cage, Face* faces, gelExactBounds* bounds )
{
	size_t count = 4 * (size_t)cage->tetCount;
	for ( size_t i = 0; i < count; ++i )
	{
		for ( size_t k = 0, n = 0; k < 4; ++k )
			if ( k != i % 4 ) faces[i].nodes[n++] = cage->tets[4 * ( i / 4 ) + k];
		memcpy( faces[i].key, faces[i].nodes, sizeof faces[i].key );
		qsort( faces[i].key, 3, sizeof( uint32_t ), CompareNodes );
	}
	qsort( faces, count, sizeof( Face ), CompareFaces );
	uint32_t kept = 0;
	for ( size_t i = 0, end; i < count; i = end )
	{
		for ( end = i + 1; end < count && CompareFaces( faces + i, faces + end ) == 0; )
			end += 1;
		bounds->crowdedFaces += end > i + 2;
		if ( end == i + 1 ) faces[kept++] = faces[i];
	}
	return kept;
}

static void CheckFaces(
	const gelMesh* mesh, const double* points, const gelCage* cage, gelExactBounds* bounds )
{
	Face* faces = malloc( 4 * (size_t)cage->tetCount * sizeof( Face ) );
	bounds->boundaryFaces = FindBoundary( cage, faces, bounds );
	for ( uint32_t i = 0; i < bounds->boundaryFaces; ++i )
	{
		const double* f[3];
		for ( int k = 0; k < 3; ++k )
			f[k] = cage->positions + 3 * (size_t)faces[i].nodes[k];
		bool meets = false;
		for ( uint32_t t = 0; t < mesh->triangleCount && !meets; ++t )
		{
			const double* s[3];
			for ( int k = 0; k < 3; ++k )
				s[k] = points + 3 * (size_t)mesh->indices[3 * (size_t)t + k];
			meets = BoxesMeet( f, s ) && !ClearOfPlane( s, f ) && gelIntegerTrianglesMeet( f, s );
		}
		bounds->touchedFaces += meets;
	}
	free( faces );
}

static void CheckVertices(
	const gelMesh* mesh, const double* points, const gelCage* cage, gelExactBounds* bounds )
{
	uint8_t* used = calloc( mesh->vertexCount + 1, 1 );
	for ( size_t i = 0; i < 3 * (size_t)mesh->triangleCount; ++i )
		used[mesh->indices[i]] = 1;
	for ( uint32_t v = 0; v < mesh->vertexCount; ++v )
	{
		const double* s = points + 3 * (size_t)v;
		int in = 0, strictly = 0;
		for ( uint32_t t = 0; t < cage->tetCount && used[v]; ++t )
		{
			const double* p[4];
			bool reach = true;
			for ( int k = 0; k < 4; ++k )
				p[k] = cage->positions + 3 * (size_t)cage->tets[4 * (size_t)t + k];
			for ( int k = 0; k < 3 && reach; ++k )
			{
				double low = fmin( fmin( p[0][k], p[1][k] ), fmin( p[2][k], p[3][k] ) );
				double high = fmax( fmax( p[0][k], p[1][k] ), fmax( p[2][k], p[3][k] ) );
				reach = s[k] >= low && s[k] <= high;
			}
			if ( !reach ) continue;
			int a = Orient( s, p[1], p[2], p[3] ), b = Orient( p[0], s, p[2], p[3] );
			int c = Orient( p[0], p[1], s, p[3] ), d = Orient( p[0], p[1], p[2], s );
			in += a >= 0 && b >= 0 && c >= 0 && d >= 0;
			strictly += a > 0 && b > 0 && c > 0 && d > 0;
		}
		bounds->outsideVertices += used[v] && in == 0;
		bounds->doubledVertices += strictly > 1;
	}
	free( used );
}

gelExactBounds gelCheckBounds( const gelMesh* mesh, const gelCage* cage )
{
	gelExactBounds bounds = { 0 };
	double* points = malloc( ( 3 * (size_t)mesh->vertexCount + 1 ) * sizeof( double ) );
	for ( size_t i = 0; i < 3 * (size_t)mesh->vertexCount; ++i )
		points[i] = mesh->positions[i];
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		const uint32_t* n = cage->tets + 4 * (size_t)t;
		const double* p = cage->positions;
		bounds.flatTets += Orient( p + 3 * (size_t)n[0], p + 3 * (size_t)n[1], p + 3 * (size_t)n[2],
							   p + 3 * (size_t)n[3] ) <= 0;
	}
	CheckFaces( mesh, points, cage, &bounds );
	CheckVertices( mesh, points, cage, &bounds );
	free( points );
	return bounds;
}

bool gelExactBounds_Hold( const gelExactBounds* bounds )
{
	return bounds->flatTets + bounds->crowdedFaces + bounds->touchedFaces + bounds->outsideVertices +
		bounds->doubledVertices ==
		0;
}
