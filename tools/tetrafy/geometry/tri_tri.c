// SPDX-License-Identifier: MIT
// All tests reduce to "does a segment meet a triangle", decided by five orientation signs when the segment is
// not in the triangle's plane. Segments in the plane need no test of their own unless everything is coplanar:
// where such a segment meets the triangle, an end point of it, or an edge of the triangle, meets the other
// body transversally and is found by another of the segment tests.
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

// Face k is opposite vertex k; for det[b-a, c-a, d-a] > 0 the listed order has its normal pointing outwards.
const uint8_t gelTetFaces[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };

// Zero agrees with both signs: touching counts.
static bool SameSign3( int a, int b, int c )
{
	return ( a >= 0 && b >= 0 && c >= 0 ) || ( a <= 0 && b <= 0 && c <= 0 );
}

// Segment u-w against triangle f, when the signs su, sw of its ends relative to f's plane are not both zero.
static bool CrossingMeets( gelVec3d u, gelVec3d w, int su, int sw, const gelVec3d f[3] )
{
	if ( su * sw > 0 || ( su == 0 && sw == 0 ) ) return false;
	// The line u-w passes all edges of f on the same side: through the triangle, or through an edge or a
	// corner of it.
	int a = gelOrient3d( u, w, f[0], f[1] );
	int b = gelOrient3d( u, w, f[1], f[2] );
	if ( a * b < 0 ) return false;
	return SameSign3( a, b, gelOrient3d( u, w, f[2], f[0] ) );
}

static bool PointInTriangle2d( gelVec3d p, const gelVec3d f[3], int axis )
{
	return SameSign3( gelOrient2d( f[0], f[1], p, axis ), gelOrient2d( f[1], f[2], p, axis ),
		gelOrient2d( f[2], f[0], p, axis ) );
}

// Both segments in one plane, seen along axis; end points in the other body are tested elsewhere, so only
// proper crossings and touching have to be found.
static bool SegmentsMeet2d( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d d, int axis )
{
	GEL_ASSERT( axis >= 0 && axis < 3 );
	int abc = gelOrient2d( a, b, c, axis ), abd = gelOrient2d( a, b, d, axis );
	int cda = gelOrient2d( c, d, a, axis ), cdb = gelOrient2d( c, d, b, axis );
	return abc * abd <= 0 && cda * cdb <= 0 && !( abc == 0 && abd == 0 );
}

static bool CoplanarMeet( const gelVec3d s[3], const gelVec3d f[3] )
{
	// Seen along an axis from which f is not a line; f is not degenerate, so there is one.
	int axis = 0;
	while ( axis < 2 && gelOrient2d( f[0], f[1], f[2], axis ) == 0 )
		axis += 1;
	for ( int i = 0; i < 3; ++i )
		if ( PointInTriangle2d( s[i], f, axis ) ) return true;
	if ( gelOrient2d( s[0], s[1], s[2], axis ) != 0 )
	{
		for ( int i = 0; i < 3; ++i )
			if ( PointInTriangle2d( f[i], s, axis ) ) return true;
	}
	for ( int i = 0; i < 3; ++i )
		for ( int j = 0; j < 3; ++j )
			if ( SegmentsMeet2d( s[i], s[( i + 1 ) % 3], f[j], f[( j + 1 ) % 3], axis ) ) return true;
	return false;
}

bool gelTriangleMeetsTriangle( const gelVec3d s[3], const gelVec3d f[3] )
{
	int sSide[3], fSide[3];
	for ( int i = 0; i < 3; ++i )
		sSide[i] = gelOrient3d( f[0], f[1], f[2], s[i] );
	if ( sSide[0] == sSide[1] && sSide[1] == sSide[2] ) return sSide[0] == 0 && CoplanarMeet( s, f );
	for ( int i = 0; i < 3; ++i )
		fSide[i] = gelOrient3d( s[0], s[1], s[2], f[i] );
	bool degenerate =
		fSide[0] == 0 && fSide[1] == 0 && fSide[2] == 0; // s is a segment: f is not in its plane
	if ( !degenerate && fSide[0] == fSide[1] && fSide[1] == fSide[2] ) return false;
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		if ( CrossingMeets( s[i], s[j], sSide[i], sSide[j], f ) ) return true;
		if ( !degenerate && CrossingMeets( f[i], f[j], fSide[i], fSide[j], s ) ) return true;
	}
	return false;
}

int gelPointInTet( gelVec3d p, const gelVec3d tet[4] )
{
	int result = 1;
	for ( int k = 0; k < 4; ++k )
	{
		const uint8_t* f = gelTetFaces[k];
		int side = gelOrient3d( tet[f[0]], tet[f[1]], tet[f[2]], p );
		if ( side > 0 ) return -1;
		if ( side == 0 ) result = 0;
	}
	return result;
}

// Tet edges against the interior of s: what is left when no part of the boundary of s meets the tet.
static bool TetEdgesMeet( const gelVec3d s[3], const gelVec3d tet[4] )
{
	static const uint8_t edges[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
	int side[4], positive = 0, negative = 0;
	for ( int i = 0; i < 4; ++i )
	{
		side[i] = gelOrient3d( s[0], s[1], s[2], tet[i] );
		positive += side[i] > 0;
		negative += side[i] < 0;
	}
	if ( positive == 4 || negative == 4 || positive + negative == 0 )
		return false; // the last: s is degenerate
	for ( int i = 0; i < 6; ++i )
	{
		int a = edges[i][0], b = edges[i][1];
		if ( CrossingMeets( tet[a], tet[b], side[a], side[b], s ) ) return true;
	}
	return false;
}

bool gelTriangleMeetsTet( const gelVec3d s[3], const gelVec3d tet[4] )
{
	// Face by face, so that most pairs end after three signs: all of s strictly outside one face.
	int side[4][3];
	bool inside[3] = { true, true, true };
	for ( int k = 0; k < 4; ++k )
	{
		const uint8_t* f = gelTetFaces[k];
		int outside = 0;
		for ( int i = 0; i < 3; ++i )
		{
			side[k][i] = gelOrient3d( tet[f[0]], tet[f[1]], tet[f[2]], s[i] );
			outside += side[k][i] > 0;
			inside[i] = inside[i] && side[k][i] <= 0;
		}
		if ( outside == 3 ) return false;
	}
	if ( inside[0] || inside[1] || inside[2] ) return true;
	for ( int k = 0; k < 4; ++k )
	{
		const uint8_t* f = gelTetFaces[k];
		gelVec3d face[3] = { tet[f[0]], tet[f[1]], tet[f[2]] };
		for ( int i = 0; i < 3; ++i )
		{
			int j = ( i + 1 ) % 3;
			if ( CrossingMeets( s[i], s[j], side[k][i], side[k][j], face ) ) return true;
		}
	}
	return TetEdgesMeet( s, tet );
}
