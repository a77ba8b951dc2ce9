// SPDX-License-Identifier: MIT
// A triangle in a tet is a convex polygon whose sides lie on seven lines: the three edges of the triangle
// and the four faces of the tet. In a generic position each vertex is where two of the lines meet, and each
// line that is used at all is entered at one vertex and left at another. So the polygon follows from signs:
//
//   art point in the tet             ends edge k - 1 and starts edge k
//   edge k comes in through a face   ends the face and starts the edge
//   edge k goes out through a face   ends the edge and starts the face
//   tet edge through the triangle    ends one of its two faces and starts the other
//
// For the last: let the triangle be horizontal, its normal up. Seen from outside, the polygon runs along
// each face with the upper part of the face to its left, so it starts where the face's boundary, run
// counter-clockwise, goes down, and ends where it goes up.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#define NOT_KNOWN 2

typedef struct Clip
{
	const gelCdgCage* cage;
	const uint32_t* node; // corners of the tet
	gelVec3d point[3];
	int8_t pointSide[3][4]; // side of art point k to face f: 1 outside
	int8_t nodeSide[4];     // side of corner j to the triangle
	int8_t edgeSide[3][6];  // side of art edge k to tet edge m, NOT_KNOWN until asked for

	gelCdgKey starts[7];            // where each line starts
	int8_t startsSet[7], endsAt[7]; // endsAt: the line that starts at the vertex where this one ends
	int lineCount;
	bool broken; // a line starts or ends twice
} Clip;

static gelVec3d GetNode( const Clip* clip, int corner )
{
	return clip->cage->nodes[clip->node[corner]];
}

// Sides of edges are exact determinants and the dearest part; most triangles need a few of the eighteen.
static int GetEdgeSide( Clip* clip, int k, int m )
{
	if ( clip->edgeSide[k][m] == NOT_KNOWN )
	{
		clip->edgeSide[k][m] = (int8_t)gelEdgeSide( clip->point[k], clip->point[( k + 1 ) % 3],
			GetNode( clip, GEL_CELL_EDGE[m][0] ), GetNode( clip, GEL_CELL_EDGE[m][1] ) );
	}
	return clip->edgeSide[k][m];
}

// Side of art edge k to edge j of face f, in the face's direction.
static int GetFaceEdgeSide( Clip* clip, int k, int f, int j )
{
	int m = GEL_CELL_FACE_EDGE[f][j];
	int side = GetEdgeSide( clip, k, m );
	return GEL_CELL_EDGE[m][0] == GEL_CELL_FACE[f][j] ? side : -side;
}

// A vertex joins two lines. In a generic position, which clip_signs.c pretends, no line can start or end
// twice; where it does all the same, the cage overlaps itself.
static void AddVertex( Clip* clip, gelCdgKey key, int endLine, int startLine )
{
	GEL_ASSERT( endLine != startLine );
	if ( clip->startsSet[startLine] || clip->endsAt[endLine] >= 0 )
	{
		clip->broken = true;
		return;
	}
	clip->starts[startLine] = key;
	clip->startsSet[startLine] = 1;
	clip->endsAt[endLine] = (int8_t)startLine;
	clip->lineCount += 1;
}

// An art edge crosses a face if its ends are on different sides of the plane and it passes all three edges of
// the face on the same side.
static void AddEdgeCrossings( Clip* clip, const uint32_t* sheets, const uint32_t* faces )
{
	for ( int k = 0; k < 3; ++k )
	{
		for ( int f = 0; f < 4; ++f )
		{
			int from = clip->pointSide[k][f], to = clip->pointSide[( k + 1 ) % 3][f];
			if ( from == to ) continue;
			int side = GetFaceEdgeSide( clip, k, f, 0 );
			if ( side == 0 || GetFaceEdgeSide( clip, k, f, 1 ) != side ||
				GetFaceEdgeSide( clip, k, f, 2 ) != side )
				continue;
			gelCdgKey key = { gel_keyEdgeFace, sheets[k], faces[f] };
			if ( from > 0 )
				AddVertex( clip, key, 3 + f, k );
			else
				AddVertex( clip, key, k, 3 + f );
		}
	}
}

// The two faces at tet edge m: the one that runs along it from its first to its second corner, and the other.
static void GetFacesAtEdge( int m, int out[2] )
{
	GEL_ASSERT( m >= 0 && m < 6 );
	for ( int f = 0; f < 4; ++f )
	{
		for ( int j = 0; j < 3; ++j )
		{
			if ( GEL_CELL_FACE_EDGE[f][j] == m ) out[GEL_CELL_FACE[f][j] != GEL_CELL_EDGE[m][0]] = f;
		}
	}
}

// A tet edge pierces the triangle if its ends are on different sides of the plane and it passes all three art
// edges on the same side: the same test with the roles exchanged, and so with the same determinants.
static void AddPiercings( Clip* clip, uint32_t triangle, const uint32_t* edges )
{
	for ( int m = 0; m < 6; ++m )
	{
		int from = clip->nodeSide[GEL_CELL_EDGE[m][0]], to = clip->nodeSide[GEL_CELL_EDGE[m][1]];
		if ( from == to ) continue;
		int side = GetEdgeSide( clip, 0, m );
		if ( side == 0 || GetEdgeSide( clip, 1, m ) != side || GetEdgeSide( clip, 2, m ) != side ) continue;
		gelCdgKey key = { gel_keyFaceEdge, triangle, edges[m] };
		int faces[2];
		GetFacesAtEdge( m, faces );
		int down = from > 0 ? 0 : 1;
		AddVertex( clip, key, 3 + faces[!down], 3 + faces[down] );
	}
}

// Twelve signs of points and faces, four of nodes and the triangle. Those of edges are asked for when needed.
static void FindSides( Clip* clip )
{
	for ( int f = 0; f < 4; ++f )
	{
		const uint8_t* c = GEL_CELL_FACE[f];
		for ( int k = 0; k < 3; ++k )
		{
			clip->pointSide[k][f] = (int8_t)gelArtSideOfFace(
				GetNode( clip, c[0] ), GetNode( clip, c[1] ), GetNode( clip, c[2] ), clip->point[k] );
		}
		clip->nodeSide[f] =
			(int8_t)gelNodeSideOfArt( clip->point[0], clip->point[1], clip->point[2], GetNode( clip, f ) );
	}
	for ( int i = 0; i < 18; ++i )
		clip->edgeSide[i / 6][i % 6] = NOT_KNOWN;
	for ( int line = 0; line < 7; ++line )
	{
		clip->startsSet[line] = 0;
		clip->endsAt[line] = -1;
	}
}

// Follows the lines. False: they are not one closed loop.
static bool CollectSides( const Clip* clip, gelCdgPolygon* out )
{
	int first = 0;
	while ( first < 7 && !clip->startsSet[first] )
		++first;
	if ( first == 7 ) return true;
	int line = first;
	do
	{
		if ( !clip->startsSet[line] || clip->endsAt[line] < 0 || out->count == clip->lineCount ) return false;
		out->sides[out->count++] = ( gelCdgSide ){ clip->starts[line], line };
		line = clip->endsAt[line];
	} while ( line != first );
	return out->count == clip->lineCount && out->count >= 3;
}

// The thesis clips polygons by one face after the other (Civit-Flores 5.4.1, Sutherland and Hodgman 1974),
// where each new point is a rounded one that decides about the next. Here all decisions are signs of the
// input's own coordinates, and no position is computed.
bool gelClipTriangle( const gelCdgArt* art, const gelCdgCage* cage, const uint32_t* cells, uint32_t triangle,
	uint32_t tet, gelCdgPolygon* out )
{
	const uint32_t* corner = art->corners + 3 * (size_t)triangle;
	Clip clip = { .cage = cage, .node = cage->tets[tet].node };
	out->count = 0;
	for ( int k = 0; k < 3; ++k )
		clip.point[k] = art->points[corner[k]];
	FindSides( &clip );
	for ( int k = 0; k < 3; ++k )
	{
		if ( cells[corner[k]] != tet ) continue;
		AddVertex( &clip, ( gelCdgKey ){ gel_keyPoint, corner[k], 0 }, ( k + 2 ) % 3, k );
	}
	AddEdgeCrossings( &clip, art->sheets + 3 * (size_t)triangle, cage->faces + 4 * (size_t)tet );
	AddPiercings( &clip, triangle, cage->edges + 6 * (size_t)tet );
	return !clip.broken && CollectSides( &clip, out );
}
