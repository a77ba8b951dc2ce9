// SPDX-License-Identifier: MIT
#include "contact_predicates.h"

#include <string.h>

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

// ---- ties inside of one body -----------------------------------------------------------------------------

// The determinant of rows ( x, y, z, 1 ) without some rows and columns: it has at most two coordinates per
// product, so it fits 64 bits. With the sign that these rows, replaced by unit vectors, give it.
static int64_t GetMinor( int64_t m[4][4], const int rowToColumn[4] )
{
	int rows[4], columns[4], rowCount = 4, columnCount = 4;
	int64_t sign = 1;
	for ( int k = 0; k < 4; ++k )
		rows[k] = columns[k] = k;
	for ( int r = 0; r < 4; ++r )
	{
		if ( rowToColumn[r] < 0 ) continue;
		int i = 0, j = 0;
		while ( rows[i] != r )
			++i;
		while ( columns[j] != rowToColumn[r] )
			++j;
		sign = ( i + j ) % 2 == 0 ? sign : -sign;
		--rowCount;
		--columnCount;
		for ( ; i < rowCount; ++i )
			rows[i] = rows[i + 1];
		for ( ; j < columnCount; ++j )
			columns[j] = columns[j + 1];
	}
	int64_t s[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int i = 0; i < rowCount; ++i )
	{
		for ( int j = 0; j < columnCount; ++j )
			s[i][j] = m[rows[i]][columns[j]];
	}
	return sign *
		( s[0][0] * ( s[1][1] * s[2][2] - s[1][2] * s[2][1] ) +
			s[0][1] * ( s[1][2] * s[2][0] - s[1][0] * s[2][2] ) +
			s[0][2] * ( s[1][0] * s[2][1] - s[1][1] * s[2][0] ) );
}

// Terms of the perturbed determinant are products of moves of different coordinates of different vertices:
// bit 3 r + k is coordinate k of the vertex with rank r, and larger numbers are smaller terms. False: no
// term.
static bool TakeTerm( unsigned term, int rowToColumn[4] )
{
	unsigned columns = 0;
	for ( int r = 0; r < 4; ++r )
	{
		unsigned bits = term >> 3 * r & 7u;
		if ( ( bits & ( bits - 1u ) ) != 0 || ( bits & columns ) != 0 ) return false;
		columns |= bits;
		rowToColumn[r] = bits == 0 ? -1 : (int)( bits >> 1 ); // 1, 2, 4: 0, 1, 2
	}
	return true;
}

int gelOrientPerturbed( const gelGridPoint p[4], const uint32_t ids[4] )
{
	int sign =
		SignOfDot( SubPoint( p[3], p[0] ), CrossGrid( SubPoint( p[1], p[0] ), SubPoint( p[2], p[0] ) ) );
	if ( sign != 0 ) return sign;
	int order[4] = { 0, 1, 2, 3 },
		parity = -1; // det of the rows is that of differences from the first, negated
	for ( int i = 1; i < 4; ++i )
	{
		for ( int j = i; j > 0 && ids[order[j]] < ids[order[j - 1]]; --j )
		{
			int swap = order[j];
			order[j] = order[j - 1];
			order[j - 1] = swap;
			parity = -parity;
		}
	}
	int64_t m[4][4];
	for ( int r = 0; r < 4; ++r )
	{
		m[r][0] = p[order[r]].x;
		m[r][1] = p[order[r]].y;
		m[r][2] = p[order[r]].z;
		m[r][3] = 1;
	}
	for ( unsigned term = 1; term < 1u << 12; ++term )
	{
		int rowToColumn[4];
		if ( !TakeTerm( term, rowToColumn ) ) continue;
		int64_t minor = GetMinor( m, rowToColumn );
		if ( minor != 0 ) return parity * Sign( minor );
	}
	return 0; // not reached: with three coordinates gone, a 1 is left
}

// ---- triangles against triangles -------------------------------------------------------------------------

// Which points of a determinant belong to B.
#define MOVED_FACE  0x7u // three corners of B and a point of A
#define MOVED_POINT 0x8u // three corners of A and a point of B
#define MOVED_EDGE  0xCu // an edge of A and an edge of B

// Two triangles, and how ties are broken.
typedef struct Crossing
{
	const gelGridPoint* corners[2];
	const uint32_t* ids[2]; // of one body; NULL: of two
	bool isWide;
	int8_t edgeSigns[3][3]; // edge i of A against edge j of B; 2: not known yet
} Crossing;

// Corner k of triangle side, as a point of a determinant.
typedef struct Corner
{
	int side, k;
} Corner;

static int OrientCorners( const Crossing* c, const Corner corners[4], unsigned moved )
{
	gelGridPoint p[4];
	uint32_t ids[4];
	for ( int i = 0; i < 4; ++i )
		p[i] = c->corners[corners[i].side][corners[i].k];
	if ( c->ids[0] == NULL ) return gelOrientExact( p[0], p[1], p[2], p[3], moved );
	for ( int i = 0; i < 4; ++i )
		ids[i] = c->ids[corners[i].side][corners[i].k];
	return gelOrientPerturbed( p, ids );
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

static int GetEdgeSign( Crossing* c, int i, int j )
{
	if ( c->edgeSigns[i][j] != 2 ) return c->edgeSigns[i][j];
	const Corner corners[4] = { { 0, i }, { 0, ( i + 1 ) % 3 }, { 1, j }, { 1, ( j + 1 ) % 3 } };
	const gelGridPoint *a = c->corners[0], *b = c->corners[1];
	double det = gelOrientValue( a[i], a[( i + 1 ) % 3], b[j], b[( j + 1 ) % 3] );
	bool isCertain = !c->isWide && fabs( det ) > GEL_ORIENT_CERTAIN;
	int sign = isCertain ? ( det > 0.0 ? 1 : -1 ) : OrientCorners( c, corners, MOVED_EDGE );
	c->edgeSigns[i][j] = (int8_t)sign;
	return sign;
}

// An edge whose ends are on different sides of a triangle goes through it when it passes all its edges on the
// same side. orient( p, q, a, b ) = orient( a, b, p, q ), so the two bodies share these signs.
static bool PassesThrough( Crossing* e, bool isEdgeOfB, int edge )
{
	int first = isEdgeOfB ? GetEdgeSign( e, 0, edge ) : GetEdgeSign( e, edge, 0 );
	for ( int k = 1; k < 3 && first != 0; ++k )
	{
		int sign = isEdgeOfB ? GetEdgeSign( e, k, edge ) : GetEdgeSign( e, edge, k );
		if ( sign != first ) return false;
	}
	return first != 0;
}

// Sides of the plane of one triangle on which the corners of the other one are. The minors of the plane are
// the same for all of them.
static void FindSides( const Crossing* c, int faceSide, int side[3] )
{
	const gelGridPoint *face = c->corners[faceSide], *p = c->corners[1 - faceSide];
	double ux = face[1].x - face[0].x, uy = face[1].y - face[0].y, uz = face[1].z - face[0].z;
	double vx = face[2].x - face[0].x, vy = face[2].y - face[0].y, vz = face[2].z - face[0].z;
	double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
	for ( int k = 0; k < 3; ++k )
	{
		double det = ( p[k].x - face[0].x ) * nx + ( p[k].y - face[0].y ) * ny + ( p[k].z - face[0].z ) * nz;
		const Corner corners[4] = { { faceSide, 0 }, { faceSide, 1 }, { faceSide, 2 }, { 1 - faceSide, k } };
		bool isCertain = !c->isWide && fabs( det ) > GEL_ORIENT_CERTAIN;
		side[k] = isCertain ? ( det > 0.0 ? 1 : -1 )
							: OrientCorners( c, corners, faceSide == 1 ? MOVED_FACE : MOVED_POINT );
	}
}

static int Cross( Crossing* c, gelTriangleCrossing out[2] )
{
	int side[2][3]; // corners of A against the plane of B, and of B against that of A
	FindSides( c, 1, side[0] );
	if ( AreSame( side[0] ) ) return 0;
	FindSides( c, 0, side[1] );
	if ( AreSame( side[1] ) ) return 0;

	memset( c->edgeSigns, 2, sizeof( c->edgeSigns ) );
	int count = 0;
	bool hasStart = false;
	for ( int body = 0; body < 2; ++body )
	{
		for ( int k = 0; k < 3 && count < 2; ++k )
		{
			int from = side[body][k], to = side[body][( k + 1 ) % 3];
			if ( !Differ( from, to ) || !PassesThrough( c, body == 1, k ) ) continue;
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

int gelCrossTriangles(
	const gelGridPoint a[3], const gelGridPoint b[3], bool isWide, gelTriangleCrossing out[2] )
{
	Crossing crossing;
	crossing.corners[0] = a;
	crossing.corners[1] = b;
	crossing.ids[0] = crossing.ids[1] = NULL;
	crossing.isWide = isWide;
	return Cross( &crossing, out );
}

int gelCrossOwnTriangles( const gelGridPoint a[3], const gelGridPoint b[3], const uint32_t idsA[3],
	const uint32_t idsB[3], gelTriangleCrossing out[2] )
{
	Crossing crossing;
	crossing.corners[0] = a;
	crossing.corners[1] = b;
	crossing.ids[0] = idsA;
	crossing.ids[1] = idsB;
	crossing.isWide = false;
	return Cross( &crossing, out );
}
