// SPDX-License-Identifier: MIT
#include "contact/detect/contact_predicates.h"

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

// Corner k of triangle side, as a point of a determinant.
typedef struct Corner
{
	int side, k;
} Corner;

static gelGridPoint ToGrid( const double p[3] )
{
	return ( gelGridPoint ){ (int32_t)p[0], (int32_t)p[1], (int32_t)p[2] };
}

static int OrientCorners( const gelCrossing* c, const Corner corners[4], unsigned moved )
{
	gelGridPoint p[4];
	uint32_t ids[4];
	for ( int i = 0; i < 4; ++i )
		p[i] = ToGrid( c->p[corners[i].side][corners[i].k] );
	if ( c->ids[0] == NULL ) return gelOrientExact( p[0], p[1], p[2], p[3], moved );
	for ( int i = 0; i < 4; ++i )
		ids[i] = c->ids[corners[i].side][corners[i].k];
	return gelOrientPerturbed( p, ids );
}

// Whether all are on one side.
static bool AreSame( const int8_t sign[3] )
{
	return sign[0] == sign[1] && sign[1] == sign[2] && sign[0] != 0;
}

// A sign that no filter can tell.
#define GEL_UNCERTAIN 2

static int FilterSign( double det )
{
	return det > GEL_ORIENT_CERTAIN ? 1 : det < -GEL_ORIENT_CERTAIN ? -1 : GEL_UNCERTAIN;
}

// Sides of the plane of one triangle on which the corners of the other one are. The minors of the plane are
// the same for all of them.
static void FilterSides( double face[3][3], double p[3][3], int8_t side[3] )
{
	double ux = face[1][0] - face[0][0], uy = face[1][1] - face[0][1], uz = face[1][2] - face[0][2];
	double vx = face[2][0] - face[0][0], vy = face[2][1] - face[0][1], vz = face[2][2] - face[0][2];
	double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
	for ( int k = 0; k < 3; ++k )
	{
		double det =
			( p[k][0] - face[0][0] ) * nx + ( p[k][1] - face[0][1] ) * ny + ( p[k][2] - face[0][2] ) * nz;
		side[k] = (int8_t)FilterSign( det );
	}
}

bool gelCrossing_Filter( gelCrossing* c )
{
	FilterSides( c->p[1], c->p[0], c->side[0] );
	if ( c->side[0][0] != GEL_UNCERTAIN && AreSame( c->side[0] ) ) return false;
	FilterSides( c->p[0], c->p[1], c->side[1] );
	return c->side[1][0] == GEL_UNCERTAIN || !AreSame( c->side[1] );
}

// Sides that the filter could not tell.
static void CompleteSides( gelCrossing* c, int body )
{
	int face = 1 - body;
	for ( int k = 0; k < 3; ++k )
	{
		if ( c->side[body][k] != GEL_UNCERTAIN ) continue;
		const Corner corners[4] = { { face, 0 }, { face, 1 }, { face, 2 }, { body, k } };
		c->side[body][k] = (int8_t)OrientCorners( c, corners, face == 1 ? MOVED_FACE : MOVED_POINT );
	}
}

// Edge i of A against edge j of B.
static int FindEdgeSign( const gelCrossing* c, int i, int j )
{
	int nextI = ( i + 1 ) % 3, nextJ = ( j + 1 ) % 3;
	const double *a = c->p[0][i], *b = c->p[0][nextI], *d = c->p[1][j], *e = c->p[1][nextJ];
	double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
	double vx = d[0] - a[0], vy = d[1] - a[1], vz = d[2] - a[2];
	double wx = e[0] - a[0], wy = e[1] - a[1], wz = e[2] - a[2];
	double det = wx * ( uy * vz - uz * vy ) + wy * ( uz * vx - ux * vz ) + wz * ( ux * vy - uy * vx );
	int sign = c->isWide ? GEL_UNCERTAIN : FilterSign( det );
	if ( sign != GEL_UNCERTAIN ) return sign;
	const Corner corners[4] = { { 0, i }, { 0, nextI }, { 1, j }, { 1, nextJ } };
	return OrientCorners( c, corners, MOVED_EDGE );
}

static int GetEdgeSign( gelCrossing* c, int i, int j )
{
	if ( c->edgeSigns[i][j] == GEL_UNCERTAIN ) c->edgeSigns[i][j] = (int8_t)FindEdgeSign( c, i, j );
	return c->edgeSigns[i][j];
}

// An edge whose ends are on different sides of a triangle goes through it when it passes all its edges on the
// same side. orient( p, q, a, b ) = orient( a, b, p, q ), so the two bodies share these signs.
static bool PassesThrough( gelCrossing* c, bool isEdgeOfB, int edge )
{
	int first = isEdgeOfB ? GetEdgeSign( c, 0, edge ) : GetEdgeSign( c, edge, 0 );
	for ( int k = 1; k < 3 && first != 0; ++k )
	{
		int sign = isEdgeOfB ? GetEdgeSign( c, k, edge ) : GetEdgeSign( c, edge, k );
		if ( sign != first ) return false;
	}
	return first != 0;
}

int gelCrossing_Find( gelCrossing* c, gelTriangleCrossing out[2] )
{
	CompleteSides( c, 0 );
	if ( AreSame( c->side[0] ) ) return 0;
	CompleteSides( c, 1 );
	if ( AreSame( c->side[1] ) ) return 0;

	memset( c->edgeSigns, GEL_UNCERTAIN, sizeof( c->edgeSigns ) );
	int count = 0;
	bool hasStart = false; // for the assert
	for ( int body = 0; body < 2; ++body )
	{
		for ( int k = 0; k < 3 && count < 2; ++k )
		{
			int from = c->side[body][k], to = c->side[body][( k + 1 ) % 3];
			if ( from * to >= 0 || !PassesThrough( c, body == 1, k ) ) continue;
			bool enters = from > 0, isStart = body == 0 ? !enters : enters;
			gelTriangleCrossing crossing = { (uint8_t)body, (uint8_t)k, enters, isStart };
			GEL_ASSERT( count == 0 || isStart != hasStart );
			hasStart = isStart;
			out[isStart ? 0 : 1] = crossing;
			++count;
		}
	}
	GEL_ASSERT( count != 1 );
	(void)hasStart;
	return count;
}

int gelCrossTriangles(
	const gelGridPoint a[3], const gelGridPoint b[3], bool isWide, gelTriangleCrossing out[2] )
{
	gelCrossing c;
	c.isWide = isWide;
	c.ids[0] = c.ids[1] = NULL;
	for ( int k = 0; k < 3; ++k )
	{
		c.p[0][k][0] = a[k].x, c.p[0][k][1] = a[k].y, c.p[0][k][2] = a[k].z;
		c.p[1][k][0] = b[k].x, c.p[1][k][1] = b[k].y, c.p[1][k][2] = b[k].z;
	}
	if ( isWide )
		memset( c.side, GEL_UNCERTAIN, sizeof( c.side ) );
	else if ( !gelCrossing_Filter( &c ) )
		return 0;
	return gelCrossing_Find( &c, out );
}
