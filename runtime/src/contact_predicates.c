// SPDX-License-Identifier: MIT
#include "contact_predicates.h"

typedef struct gelGridVec
{
	int64_t x, y, z;
} gelGridVec;

static gelGridVec SubPoint( gelGridPoint a, gelGridPoint b )
{
	return ( gelGridVec ){ (int64_t)a.x - b.x, (int64_t)a.y - b.y, (int64_t)a.z - b.z };
}

static gelGridVec CrossGrid( gelGridVec a, gelGridVec b )
{
	return ( gelGridVec ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static int Sign( int64_t a )
{
	return ( a > 0 ) - ( a < 0 );
}

// Sign of the dot product of a difference (31 bits with sign) and minors (62 bits with sign), which can need
// 95 bits: each minor is cut into high * 2^31 + low with 0 <= low < 2^31, so both sums fit 64.
static int SignOfDot( gelGridVec d, gelGridVec minors )
{
	const int64_t unit = (int64_t)1 << 31;
	int64_t a[3] = { d.x, d.y, d.z }, m[3] = { minors.x, minors.y, minors.z };
	int64_t high = 0, low = 0;
	for ( int k = 0; k < 3; ++k )
	{
		int64_t rest = m[k] & ( unit - 1 ); // two's complement: rounds towards minus infinity
		high += a[k] * ( ( m[k] - rest ) / unit );
		low += a[k] * rest;
	}
	int64_t rest = low & ( unit - 1 );
	high += ( low - rest ) / unit;
	return high != 0 ? Sign( high ) : Sign( rest );
}

int gelOrientExact( gelGridPoint p0, gelGridPoint p1, gelGridPoint p2, gelGridPoint p3, unsigned moved )
{
	gelGridVec u = SubPoint( p1, p0 ), v = SubPoint( p2, p0 ), w = SubPoint( p3, p0 );
	gelGridVec uv = CrossGrid( u, v );
	int sign = SignOfDot( w, uv );
	if ( sign != 0 ) return sign;

	// derivatives of det( u, v, w ) for moves of p1, p2, p3; moving p0 is moving the others back
	gelGridVec slopes[4] = { { 0, 0, 0 }, CrossGrid( v, w ), CrossGrid( w, u ), uv };
	unsigned mask = moved & 1u ? ~moved : moved;
	int direction = moved & 1u ? -1 : 1;
	gelGridVec sum = { 0, 0, 0 };
	for ( unsigned k = 1; k < 4; ++k )
	{
		if ( ( mask >> k & 1u ) == 0 ) continue;
		sum.x += slopes[k].x;
		sum.y += slopes[k].y;
		sum.z += slopes[k].z;
	}
	int64_t first = sum.x != 0 ? sum.x : sum.y != 0 ? sum.y : sum.z;
	return direction * Sign( first );
}

// ---- triangles against triangles ----

// Which points of a determinant belong to B.
#define MOVED_FACE  0x7u // three corners of B and a point of A
#define MOVED_POINT 0x8u // three corners of A and a point of B
#define MOVED_EDGE  0xCu // an edge of A and an edge of B

static int OrientOnGrid(
	gelGridPoint p0, gelGridPoint p1, gelGridPoint p2, gelGridPoint p3, unsigned moved, bool isWide )
{
	return isWide ? gelOrientExact( p0, p1, p2, p3, moved ) : gelOrient( p0, p1, p2, p3, moved );
}

// Whether all are on one side.
static bool AreSame( const int sign[3] )
{
	return sign[0] == sign[1] && sign[1] == sign[2] && sign[0] != 0;
}

static bool Differ( int a, int b )
{
	return a * b < 0;
}

// Signs of edge i of A against edge j of B, computed when asked for.
typedef struct EdgeSigns
{
	const gelGridPoint *a, *b;
	bool isWide;
	int8_t sign[3][3]; // 2: not known yet
} EdgeSigns;

static int GetEdgeSign( EdgeSigns* e, int i, int j )
{
	if ( e->sign[i][j] == 2 )
	{
		e->sign[i][j] = (int8_t)OrientOnGrid(
			e->a[i], e->a[( i + 1 ) % 3], e->b[j], e->b[( j + 1 ) % 3], MOVED_EDGE, e->isWide );
	}
	return e->sign[i][j];
}

// An edge whose ends are on different sides of a triangle goes through it when it passes all its edges on the
// same side. orient( p, q, a, b ) = orient( a, b, p, q ), so the two bodies share these signs.
static bool PassesThrough( EdgeSigns* e, bool isEdgeOfB, int edge )
{
	int first = isEdgeOfB ? GetEdgeSign( e, 0, edge ) : GetEdgeSign( e, edge, 0 );
	for ( int k = 1; k < 3 && first != 0; ++k )
	{
		int sign = isEdgeOfB ? GetEdgeSign( e, k, edge ) : GetEdgeSign( e, edge, k );
		if ( sign != first ) return false;
	}
	return first != 0;
}

// Sides of a plane on which three points are. The minors of the plane are the same for all of them.
static void FindSides(
	const gelGridPoint face[3], const gelGridPoint p[3], unsigned moved, bool isWide, int side[3] )
{
	double ux = face[1].x - face[0].x, uy = face[1].y - face[0].y, uz = face[1].z - face[0].z;
	double vx = face[2].x - face[0].x, vy = face[2].y - face[0].y, vz = face[2].z - face[0].z;
	double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
	for ( int k = 0; k < 3; ++k )
	{
		double det = ( p[k].x - face[0].x ) * nx + ( p[k].y - face[0].y ) * ny + ( p[k].z - face[0].z ) * nz;
		bool isCertain = !isWide && fabs( det ) > GEL_ORIENT_CERTAIN;
		side[k] =
			isCertain ? ( det > 0.0 ? 1 : -1 ) : gelOrientExact( face[0], face[1], face[2], p[k], moved );
	}
}

int gelCrossTriangles(
	const gelGridPoint a[3], const gelGridPoint b[3], bool isWide, gelTriangleCrossing out[2] )
{
	int side[2][3]; // corners of A against the plane of B, and of B against that of A
	FindSides( b, a, MOVED_FACE, isWide, side[0] );
	if ( AreSame( side[0] ) ) return 0;
	FindSides( a, b, MOVED_POINT, isWide, side[1] );
	if ( AreSame( side[1] ) ) return 0;

	EdgeSigns signs = { a, b, isWide, { { 2, 2, 2 }, { 2, 2, 2 }, { 2, 2, 2 } } };
	int count = 0;
	bool hasStart = false;
	for ( int body = 0; body < 2; ++body )
	{
		for ( int k = 0; k < 3 && count < 2; ++k )
		{
			int from = side[body][k], to = side[body][( k + 1 ) % 3];
			if ( !Differ( from, to ) || !PassesThrough( &signs, body == 1, k ) ) continue;
			bool enters = from > 0, isStart = body == 0 ? !enters : enters;
			gelTriangleCrossing crossing = { (uint8_t)body, (uint8_t)k, enters, isStart };
			GEL_ASSERT( count == 0 || isStart != hasStart );
			hasStart = isStart;
			out[isStart ? 0 : 1] = crossing;
			++count;
		}
	}
	GEL_ASSERT( count != 1 );
	return count;
}
