// SPDX-License-Identifier: MIT
// The outside of the cage as a triangle surface: an edge should have two of its faces, and the faces around a
// node should form one fan. Tets that touch at an edge or a node only break this:
//
//     +-----+
//     |  A  |
//     +-----+-----+      faces around the corner in the middle fall into two fans: those of A and those of B
//           |  B  |      cure (--manifold): take the External tets around the node back into the cage
//           +-----+
#include "tetrafy/verify/cage_manifold.h"

#include "tetrafy/geometry/tet_memory.h"
#include "common/program/union_find.h"
#include "tetrafy/geometry/tri_tri.h"
#include "tetrafy/mesher/split.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// A boundary edge as a boundary face sees it. Face corners are numbered 3 * face + i, in the order of
// gelTetFaces.
typedef struct EdgeUse
{
	uint32_t low, high;             // nodes
	uint32_t lowCorner, highCorner; // corners of the face
} EdgeUse;

static int CompareEdges( const void* left, const void* right )
{
	const EdgeUse* x = left;
	const EdgeUse* y = right;
	if ( x->low != y->low ) return x->low < y->low ? -1 : 1;
	if ( x->high != y->high ) return x->high < y->high ? -1 : 1;
	return x->lowCorner < y->lowCorner ? -1 : x->lowCorner > y->lowCorner;
}

typedef struct Boundary
{
	uint32_t faceCount;
	uint32_t* corners; // 3 per face: corner 4 * tet + k of the mesh
	uint32_t* parents; // union-find over face corners: fans around a node
} Boundary;

// Corners of boundary faces, not nodes, are what is joined: a node with two fans is one node but two sets.
static Boundary MakeBoundary( const gelTetMesh* mesh )
{
	gelTetFacesInfo faces = gelFindTetFaces( mesh->tets, mesh->tetCount );
	Boundary boundary = { 0 };
	boundary.corners = gelTetAlloc( 3 * (size_t)faces.boundaryCount, sizeof( uint32_t ) );
	boundary.parents = gelTetAlloc( 3 * (size_t)faces.boundaryCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < 4 * mesh->tetCount; ++i )
	{
		if ( faces.neighbors[i] != GEL_NO_TET ) continue;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t at = 3 * boundary.faceCount + (uint32_t)k;
			boundary.corners[at] = i / 4 * 4 + gelTetFaces[i % 4][k];
			boundary.parents[at] = at;
		}
		boundary.faceCount += 1;
	}
	gelFreeTetFaces( &faces );
	return boundary;
}

// Joins the fans across edges of two faces and counts the other edges.
static uint32_t JoinFans( const gelTetMesh* mesh, Boundary* boundary )
{
	uint32_t useCount = 3 * boundary->faceCount, crowded = 0;
	EdgeUse* uses = gelTetAlloc( useCount, sizeof( EdgeUse ) );
	for ( uint32_t i = 0; i < useCount; ++i )
	{
		uint32_t j = i % 3 == 2 ? i - 2 : i + 1;
		uint32_t a = mesh->tets[boundary->corners[i]], b = mesh->tets[boundary->corners[j]];
		uses[i] = a < b ? ( EdgeUse ){ a, b, i, j } : ( EdgeUse ){ b, a, j, i };
	}
	qsort( uses, useCount, sizeof( EdgeUse ), CompareEdges );
	for ( uint32_t i = 0, end; i < useCount; i = end )
	{
		for ( end = i + 1; end < useCount && uses[end].low == uses[i].low && uses[end].high == uses[i].high; )
			end += 1;
		if ( end == i + 2 )
		{
			gelJoinSets( boundary->parents, uses[i].lowCorner, uses[i + 1].lowCorner );
			gelJoinSets( boundary->parents, uses[i].highCorner, uses[i + 1].highCorner );
		}
		// Fans are not joined across a crowded edge: which two of its four faces belong together would be a
		// guess.
		crowded += end > i + 2;
	}
	free( uses );
	return crowded;
}

gelManifoldDefects gelFindManifoldDefects( const gelTetMesh* mesh )
{
	gelManifoldDefects defects = { 0 };
	Boundary boundary = MakeBoundary( mesh );
	defects.edgeCount = JoinFans( mesh, &boundary );

	// The second fan that a node shows makes it a defect.
	uint32_t* firstFan = gelTetAlloc( mesh->nodeCount, sizeof( uint32_t ) ); // root + 1
	uint32_t* found = gelTetAlloc( mesh->nodeCount, sizeof( uint32_t ) );    // corner + 1
	for ( uint32_t i = 0; i < 3 * boundary.faceCount; ++i )
	{
		uint32_t node = mesh->tets[boundary.corners[i]], root = gelFindRoot( boundary.parents, i ) + 1;
		if ( firstFan[node] == 0 ) firstFan[node] = root;
		if ( firstFan[node] != root && found[node] == 0 ) found[node] = boundary.corners[i] + 1;
	}
	defects.corners = gelTetAlloc( mesh->nodeCount, sizeof( uint32_t ) );
	for ( uint32_t node = 0; node < mesh->nodeCount; ++node )
		if ( found[node] != 0 ) defects.corners[defects.vertexCount++] = found[node] - 1;
	free( firstFan );
	free( found );
	free( boundary.corners );
	free( boundary.parents );
	return defects;
}

void gelFreeManifoldDefects( gelManifoldDefects* defects )
{
	free( defects->corners );
	*defects = ( gelManifoldDefects ){ 0 };
}

// Marks the lattice nodes of all defects of the cage as it is now. @return how many defects
static uint32_t MarkDefectNodes( const gelLattice* lattice, const gelSurfaceTree* tree, bool split,
	int threads, const gelClassification* classes, uint8_t* marks )
{
	uint32_t tetCount = gelLattice_TetCount( lattice ), kept = 0;
	uint32_t* keptToLattice = gelTetAlloc( classes->internal + classes->piercing, sizeof( uint32_t ) );
	for ( uint32_t tet = 0; tet < tetCount; ++tet )
		if ( classes->classes[tet] != gel_tetExternal ) keptToLattice[kept++] = tet;
	gelTetMesh mesh = gelMakeTetMesh( lattice, classes );
	if ( split ) gelSplitFeatures( &mesh, tree, threads );
	gelManifoldDefects defects = gelFindManifoldDefects( &mesh );
	for ( uint32_t i = 0; i < defects.vertexCount; ++i )
	{
		uint32_t nodes[4];
		// Kept tets are in lattice order, and corner k of a kept tet is corner k of its lattice tet, whatever
		// splitting did to the nodes.
		gelLattice_TetNodes( lattice, keptToLattice[defects.corners[i] / 4], nodes );
		marks[nodes[defects.corners[i] % 4]] = 1;
	}
	uint32_t count = defects.vertexCount;
	gelFreeManifoldDefects( &defects );
	gelFreeTetMesh( &mesh );
	free( keptToLattice );
	return count;
}

uint32_t gelFillManifoldDefects( const gelLattice* lattice, const gelSurfaceTree* tree, bool split,
	int threads, gelClassification* classes )
{
	GEL_ASSERT( threads >= 1 );
	uint32_t tetCount = gelLattice_TetCount( lattice ), filled = 0;
	uint8_t* marks = gelTetAlloc( gelLattice_NodeCount( lattice ), 1 );
	// Each round takes in at least one tet, or there is nothing left to take in around any defect.
	for ( uint32_t before = UINT32_MAX; before != filled; )
	{
		before = filled;
		if ( MarkDefectNodes( lattice, tree, split, threads, classes, marks ) == 0 ) break;
		for ( uint32_t tet = 0; tet < tetCount; ++tet )
		{
			if ( classes->classes[tet] != gel_tetExternal ) continue;
			uint32_t nodes[4];
			gelLattice_TetNodes( lattice, tet, nodes );
			if ( !( marks[nodes[0]] || marks[nodes[1]] || marks[nodes[2]] || marks[nodes[3]] ) ) continue;
			// Internal, although it is outside of the art: the class says that its faces stay glued, which is
			// the point.
			classes->classes[tet] = gel_tetInternal;
			classes->internal += 1;
			classes->external -= 1;
			filled += 1;
		}
	}
	free( marks );
	return filled;
}
