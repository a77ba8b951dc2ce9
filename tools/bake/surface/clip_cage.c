// SPDX-License-Identifier: MIT
// Numbers for the faces and edges of the cells, and who is across.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// Face f is opposite of corner f, its corners counter-clockwise seen from outside of a positive tet. Edge j
// of a face runs from its corner j to the next; GEL_CELL_FACE_EDGE says which of the six that is.
const uint8_t GEL_CELL_FACE[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
const uint8_t GEL_CELL_EDGE[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
const uint8_t GEL_CELL_FACE_EDGE[4][3] = { { 3, 5, 4 }, { 2, 5, 1 }, { 0, 4, 2 }, { 1, 3, 0 } };

typedef struct Part
{
	uint32_t node[3]; // ascending; an edge has two and a 0
	uint32_t place;   // 4 * tet + face, or 6 * tet + edge
} Part;

static int CompareParts( const void* left, const void* right )
{
	const Part *a = left, *b = right;
	for ( int k = 0; k < 3; ++k )
	{
		if ( a->node[k] != b->node[k] ) return a->node[k] < b->node[k] ? -1 : 1;
	}
	return a->place < b->place ? -1 : a->place > b->place;
}

// The smaller one first: three of these sort a face.
static void Order( uint32_t* a, uint32_t* b )
{
	uint32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
	*a = low;
	*b = high;
}

// Faces by their sorted nodes: two tets that have the same three are neighbors. A face that is there once is
// on the boundary, which art inside of the cage never crosses.
static void NumberFaces( gelCdgCage* cage )
{
	gelBakePool scratch = { NULL };
	const size_t count = 4 * (size_t)cage->tetCount;
	Part* parts = gelBakePool_Alloc( &scratch, count, sizeof( Part ) );
	for ( size_t i = 0; i < count; ++i )
	{
		Part* part = parts + i;
		for ( int c = 0; c < 3; ++c )
			part->node[c] = cage->tets[i / 4].node[GEL_CELL_FACE[i % 4][c]];
		Order( part->node, part->node + 1 );
		Order( part->node + 1, part->node + 2 );
		Order( part->node, part->node + 1 );
		part->place = (uint32_t)i;
		cage->neighbors[i] = GEL_NO_INDEX;
	}
	qsort( parts, count, sizeof( Part ), CompareParts );
	for ( size_t i = 0; i < count; ++i )
	{
		bool same = i > 0 && memcmp( parts[i].node, parts[i - 1].node, sizeof( parts[i].node ) ) == 0;
		cage->faceCount += !same;
		cage->faces[parts[i].place] = cage->faceCount - 1;
		if ( !same ) continue;
		cage->neighbors[parts[i].place] = parts[i - 1].place / 4;
		cage->neighbors[parts[i - 1].place] = parts[i].place / 4;
	}
	gelFreeBakePool( &scratch );
}

static void NumberEdges( gelCdgCage* cage )
{
	gelBakePool scratch = { NULL };
	const size_t count = 6 * (size_t)cage->tetCount;
	Part* parts = gelBakePool_Alloc( &scratch, count, sizeof( Part ) );
	for ( size_t i = 0; i < count; ++i )
	{
		const uint32_t* n = cage->tets[i / 6].node;
		parts[i] = ( Part ){ { n[GEL_CELL_EDGE[i % 6][0]], n[GEL_CELL_EDGE[i % 6][1]], 0 }, (uint32_t)i };
		Order( parts[i].node, parts[i].node + 1 );
	}
	qsort( parts, count, sizeof( Part ), CompareParts );
	for ( size_t i = 0; i < count; ++i )
	{
		bool same = i > 0 && memcmp( parts[i].node, parts[i - 1].node, sizeof( parts[i].node ) ) == 0;
		cage->edgeCount += !same;
		cage->edges[parts[i].place] = cage->edgeCount - 1;
	}
	gelFreeBakePool( &scratch );
}

// Numbers of faces and edges are what vertices of the cut surface are keyed by (gelCdgKey): the same number
// from every tet around, so the vertex is made once and has the same bits in all of them.
gelCdgCage gelBuildCdgCage( const gelPackNode* nodes, uint32_t nodeCount, const gelPackTet* tets,
	uint32_t tetCount, gelBakePool* pool )
{
	GEL_ASSERT( nodeCount > 0 && tetCount > 0 );
	gelCdgCage cage = { .nodeCount = nodeCount, .tetCount = tetCount, .tets = tets };
	cage.nodes = gelBakePool_Alloc( pool, nodeCount, sizeof( gelVec3d ) );
	for ( uint32_t i = 0; i < nodeCount; ++i )
		cage.nodes[i] = ( gelVec3d ){ (double)nodes[i].x, (double)nodes[i].y, (double)nodes[i].z };
	cage.neighbors = gelBakePool_Alloc( pool, 4 * (size_t)tetCount, sizeof( uint32_t ) );
	cage.faces = gelBakePool_Alloc( pool, 4 * (size_t)tetCount, sizeof( uint32_t ) );
	cage.edges = gelBakePool_Alloc( pool, 6 * (size_t)tetCount, sizeof( uint32_t ) );
	NumberFaces( &cage );
	NumberEdges( &cage );
	return cage;
}
