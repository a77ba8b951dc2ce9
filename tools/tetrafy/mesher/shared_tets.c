// SPDX-License-Identifier: MIT
// Two fingers in one tet move as one, and neither splitting nor fitting can help: the artist has to ask for
// more tets, so the report counts such tets. Counting every tet with two pieces of surface was tried first
// and warned about every thin limb, whose two sides are two pieces, too. So a pair counts only with air
// between its pieces, and only if they do not join within twice the size of the tet: a fold that closes just
// outside of it is no gap that anybody wants to move.
#include "tetrafy/mesher/shared_tets.h"

#include "tetrafy/geometry/tet_memory.h"
#include "common/program/union_find.h"
#include "tetrafy/geometry/box_plane.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

#define MAX_PIECES 8   // pieces of the surface in one tet that are looked at; more make no difference
#define NEARBY     2.0 // pieces that are joined inside a tet of so many times the size are one part

static void AddSlot( gelSlotList* list, uint32_t slot )
{
	GEL_ASSERT( list->count <= list->capacity );
	if ( list->count == list->capacity )
	{
		list->capacity = 2 * list->capacity + 64;
		list->slots = gelTetGrow( list->slots, list->capacity, sizeof( uint32_t ) );
	}
	list->slots[list->count++] = slot;
}

// The faces of a tet with outward normals.
// Quick answers for whole boxes of the tree; what is close to a plane goes on to the exact test.
typedef struct TetPlanes
{
	gelBoxPlane planes[4];
} TetPlanes;

static TetPlanes MakeTetPlanes( const gelVec3d p[4], double scale )
{
	TetPlanes tet;
	for ( int k = 0; k < 4; ++k )
	{
		const uint8_t* f = gelTetFaces[k];
		gelVec3d n = gelCrossD( gelSubD( p[f[1]], p[f[0]] ), gelSubD( p[f[2]], p[f[0]] ) );
		tet.planes[k] = gelMakeBoxPlane( n, p[f[0]], scale );
	}
	return tet;
}

static bool IsOutside( const TetPlanes* tet, const gelBox3d* box )
{
	return gelBoxIsAbove( tet->planes, box ) || gelBoxIsAbove( tet->planes + 1, box ) ||
		gelBoxIsAbove( tet->planes + 2, box ) || gelBoxIsAbove( tet->planes + 3, box );
}

static bool IsInside( const TetPlanes* tet, const gelBox3d* box )
{
	return gelBoxIsBelow( tet->planes, box ) && gelBoxIsBelow( tet->planes + 1, box ) &&
		gelBoxIsBelow( tet->planes + 2, box ) && gelBoxIsBelow( tet->planes + 3, box );
}

// A leaf that is inside all four planes has only triangles that meet the tet; inner nodes of the tree have no
// triangles of their own (count 0) and are just passed through.
void gelFindSlotsInTet( const gelSurfaceTree* tree, const gelVec3d p[4], gelSlotList* list )
{
	list->count = 0;
	gelBox3d box = gelBox3d_Empty();
	for ( int k = 0; k < 4; ++k )
		gelBox3d_AddPoint( &box, p[k] );
	TetPlanes planes = MakeTetPlanes( p, gelBox3d_Scale( &box ) + gelBox3d_Scale( &tree->surface->box ) );
	for ( uint32_t at = 0; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		bool isMissed = !gelBox3d_Overlaps( &box, &node->box ) || IsOutside( &planes, &node->box );
		at = isMissed ? node->skip : at + 1;
		if ( isMissed ) continue;
		bool inside = node->count > 0 && IsInside( &planes, &node->box );
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
			if ( inside || gelTriangleMeetsTet( tree->corners + 3 * (size_t)i, p ) ) AddSlot( list, i );
	}
}

// Scratch of one thread.
typedef struct Patches
{
	gelSlotList list;
	uint32_t* parents; // per entry of the list
	uint32_t capacity;
	uint32_t* pointToEntry; // entry + 1 that last had the point
} Patches;

// One piece of the surface inside a tet.
typedef struct Piece
{
	uint32_t root;
	double distance2; // from the middle of the tet [m^2]
	gelVec3d point;   // the nearest one
} Piece;

// Joins the triangles of the list at common points. @return how many pieces there are
// Union-find over triangles by common points. pointToEntry is as long as all points of the art and kept
// between tets, so it is cleared by walking the same triangles again, not as a whole.
static uint32_t JoinPatches( const gelSurfaceTree* tree, Patches* patches )
{
	const gelSurface* surface = tree->surface;
	uint32_t count = patches->list.count, pieces = count;
	if ( patches->capacity < count )
	{
		patches->capacity = 2 * count;
		patches->parents = gelTetGrow( patches->parents, patches->capacity, sizeof( uint32_t ) );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		patches->parents[i] = i;
		const uint32_t* t = surface->tris + 3 * (size_t)tree->slotToTri[patches->list.slots[i]];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* entry = patches->pointToEntry + t[k];
			if ( *entry != 0 ) pieces -= gelJoinSets( patches->parents, *entry - 1, i );
			*entry = i + 1;
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* t = surface->tris + 3 * (size_t)tree->slotToTri[patches->list.slots[i]];
		for ( int k = 0; k < 3; ++k )
			patches->pointToEntry[t[k]] = 0;
	}
	return pieces;
}

static gelVec3d NearestOnSegment( gelVec3d p, gelVec3d a, gelVec3d b )
{
	gelVec3d ab = gelSubD( b, a );
	double length2 = gelDotD( ab, ab );
	double t = length2 > 0.0 ? gelDotD( gelSubD( p, a ), ab ) / length2 : 0.0;
	return gelMulAddD( a, gelMaxDouble( 0.0, gelMinDouble( 1.0, t ) ), ab );
}

static double Distance2( gelVec3d a, gelVec3d b )
{
	gelVec3d d = gelSubD( a, b );
	return gelDotD( d, d );
}

// Also for degenerate triangles, whose normal is zero: then one of the edges has the answer. "Above" is that
// p lies over the triangle, on the inner side of all three edges as seen along the normal.
static gelVec3d NearestOnTriangle( gelVec3d p, const gelVec3d c[3] )
{
	gelVec3d n = gelCrossD( gelSubD( c[1], c[0] ), gelSubD( c[2], c[0] ) );
	double size = gelDotD( n, n );
	bool above = size > 0.0;
	gelVec3d nearest = c[0];
	for ( int i = 0; i < 3; ++i )
	{
		gelVec3d a = c[i], b = c[( i + 1 ) % 3], q = NearestOnSegment( p, a, b );
		if ( Distance2( p, q ) < Distance2( p, nearest ) ) nearest = q;
		above = above && gelDotD( n, gelCrossD( gelSubD( b, a ), gelSubD( p, a ) ) ) >= 0.0;
	}
	if ( !above ) return nearest;
	return gelMulAddD( p, -gelDotD( n, gelSubD( p, c[0] ) ) / size, n );
}

static gelVec3d Middle( const gelVec3d p[4] )
{
	return gelScaleD( 0.25, gelAddD( gelAddD( p[0], p[1] ), gelAddD( p[2], p[3] ) ) );
}

// The pieces that meet the tet, out of a joined list that reaches farther.
// A piece is represented by the point nearest to the middle of the tet: between two such points there is
// either the gap in question, or material.
static int CollectPieces(
	const gelSurfaceTree* tree, const gelVec3d p[4], Patches* patches, Piece pieces[MAX_PIECES] )
{
	int count = 0;
	gelVec3d middle = Middle( p );
	for ( uint32_t i = 0; i < patches->list.count; ++i )
	{
		const gelVec3d* corners = tree->corners + 3 * (size_t)patches->list.slots[i];
		if ( !gelTriangleMeetsTet( corners, p ) ) continue;
		uint32_t root = gelFindRoot( patches->parents, i );
		int at = 0;
		while ( at < count && pieces[at].root != root )
			at += 1;
		if ( at == MAX_PIECES ) continue;
		gelVec3d point = NearestOnTriangle( middle, corners );
		double distance2 = Distance2( middle, point );
		if ( at < count && pieces[at].distance2 <= distance2 ) continue;
		pieces[at] = ( Piece ){ root, distance2, point };
		count = at < count ? count : count + 1;
	}
	return count;
}

// Two rounds. The first, in the tet alone, ends most tets: one piece, nothing to part. The second joins what
// hangs together in the enlarged tet and asks for air between what is left.
static bool IsShared( const gelSurfaceTree* tree, const gelVec3d p[4], Patches* patches )
{
	gelFindSlotsInTet( tree, p, &patches->list );
	if ( JoinPatches( tree, patches ) < 2 ) return false;

	gelVec3d middle = Middle( p ), larger[4];
	for ( int k = 0; k < 4; ++k )
		larger[k] = gelMulAddD( middle, NEARBY, gelSubD( p[k], middle ) );
	gelFindSlotsInTet( tree, larger, &patches->list );
	JoinPatches( tree, patches );
	Piece pieces[MAX_PIECES];
	int count = CollectPieces( tree, p, patches, pieces );
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			gelVec3d between = gelScaleD( 0.5, gelAddD( pieces[i].point, pieces[j].point ) );
			if ( !gelSurfaceTree_IsInside( tree, between ) ) return true;
		}
	}
	return false;
}

uint32_t gelCountSharedTets( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( threads > 0 );
	(void)threads;
	uint32_t shared = 0;
#pragma omp parallel num_threads( threads ) reduction( + : shared )
	{
		Patches patches = { 0 };
		patches.pointToEntry = gelTetAlloc( tree->surface->pointCount, sizeof( uint32_t ) );
#pragma omp for schedule( dynamic, 8 )
		for ( int64_t tet = 0; tet < (int64_t)mesh->tetCount; ++tet )
		{
			gelVec3d p[4];
			gelTetMesh_TetPoints( mesh, (uint32_t)tet, p );
			shared += IsShared( tree, p, &patches );
		}
		free( patches.list.slots );
		free( patches.parents );
		free( patches.pointToEntry );
	}
	return shared;
}

// Joined without ranks or path halving beyond that of gelFindRoot; the smaller root stays, so pieces keep
// their first node as their name.
uint32_t gelCountCagePieces( const gelTetMesh* mesh )
{
	uint32_t* parents = gelTetAlloc( mesh->nodeCount, sizeof( uint32_t ) );
	uint32_t pieces = mesh->nodeCount;
	for ( uint32_t i = 0; i < mesh->nodeCount; ++i )
		parents[i] = i;
	for ( size_t i = 0; i < 4 * (size_t)mesh->tetCount; ++i )
	{
		uint32_t a = gelFindRoot( parents, mesh->tets[i - i % 4] ), b = gelFindRoot( parents, mesh->tets[i] );
		pieces -= a != b;
		parents[a > b ? a : b] = a > b ? b : a;
	}
	free( parents );
	return pieces;
}
