// SPDX-License-Identifier: MIT
// Fill-reducing order of the free nodes: nested dissection by METIS with a fixed seed. Each connected part is
// ordered by itself, since METIS is not made for graphs that fall apart or have no edges (all but a few nodes
// pinned).
//
// The seed is a constant, so that METIS gives the same order for the same graph; the version of METIS is part
// of the provenance of a pack, because another one may not.
//
// Three numberings meet here. Everything in a factor is by position; perm of the pack goes straight to nodes:
//
//     position in L --order[]--> free node --freeToNode[]--> node of the cage     (pinned: no free number)
#include "bake/factor/factor_passes.h"

#include "common/program/memory.h"
#include "pack/pack_write.h"

#include <gelpack/asserts.h>

#include <metis.h>
#include <stdlib.h>
#include <string.h>

#define GEL_METIS_SEED 20180601

// Parts up to this size are full or nearly full blocks: no order is better than another.
#define GEL_SMALL_PART 4u

static int CompareIndices( const void* a, const void* b )
{
	uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
	return x < y ? -1 : x > y;
}

// Pins ascend, so one walk over the nodes finds all of them.
static void NumberFreeNodes(
	gelBakeGraph* graph, uint32_t nodeCount, const uint32_t* pins, uint32_t pinCount )
{
	for ( uint32_t i = 0, p = 0; i < nodeCount; ++i )
	{
		bool pinned = p < pinCount && pins[p] == i;
		p += pinned;
		graph->nodeToFree[i] = pinned ? GEL_NO_INDEX : graph->n;
		if ( !pinned ) graph->freeToNode[graph->n++] = i;
	}
}

// Neighbors of one free node, ascending. @return their number
// Marks are the node itself plus one, so that they need no clearing between nodes.
static uint32_t CollectNeighbors( const gelBakeGraph* graph, const gelBakeCage* cage,
	const gelBakeGather* gather, uint32_t i, uint32_t* seen, uint32_t* out )
{
	uint32_t node = graph->freeToNode[i], count = 0;
	seen[i] = i + 1;
	for ( uint32_t k = gather->nodeFirst[node]; k < gather->nodeFirst[node + 1]; ++k )
	{
		const gelPackTet* tet = cage->tets + gather->corners[k] / 4;
		for ( int c = 0; c < 4; ++c )
		{
			uint32_t j = graph->nodeToFree[tet->node[c]];
			if ( j == GEL_NO_INDEX || seen[j] == i + 1 ) continue;
			seen[j] = i + 1;
			out[count++] = j;
		}
	}
	qsort( out, count, sizeof( uint32_t ), CompareIndices );
	return count;
}

uint64_t gelHashPattern( const gelBakeGraph* graph )
{
	GEL_ASSERT( graph->neighborFirst[0] == 0 );
	gelBakePool pool = { NULL };
	uint32_t* columnFirst = gelBakePool_Alloc( &pool, (size_t)graph->n + 1, sizeof( uint32_t ) );
	uint32_t* rows =
		gelBakePool_Alloc( &pool, (size_t)graph->n + graph->neighborFirst[graph->n] / 2, sizeof( uint32_t ) );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < graph->n; ++i )
	{
		// Lower triangle by columns: diagonal, then what is below. gel-inspect --verify computes the same
		// from the tets and pins of a pack, and so tells whether a factor belongs to it.
		rows[count++] = i;
		for ( uint32_t k = graph->neighborFirst[i]; k < graph->neighborFirst[i + 1]; ++k )
		{
			if ( graph->neighbors[k] > i ) rows[count++] = graph->neighbors[k];
		}
		columnFirst[i + 1] = count;
	}
	uint64_t hash;
	if ( !gelPackPatternHash( columnFirst, rows, graph->n, &hash ) )
		gelExitWithoutMemory( ( (size_t)graph->n + count ) * sizeof( uint32_t ), "use a coarser cage" );
	gelFreeBakePool( &pool );
	return hash;
}

gelBakeGraph gelBuildGraph( const gelBakeCage* cage, const gelBakeGather* gather, const uint32_t* pins,
	uint32_t pinCount, gelBakePool* pool )
{
	GEL_ASSERT( pinCount <= cage->nodeCount && ( pinCount == 0 || pins != NULL ) );
	gelBakeGraph graph = { 0 };
	graph.freeToNode = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( uint32_t ) );
	graph.nodeToFree = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( uint32_t ) );
	NumberFreeNodes( &graph, cage->nodeCount, pins, pinCount );
	graph.neighborFirst = gelBakePool_Alloc( pool, (size_t)graph.n + 1, sizeof( uint32_t ) );

	gelBakePool scratch = { NULL };
	uint32_t* seen = gelBakePool_Alloc( &scratch, graph.n, sizeof( uint32_t ) );
	// a corner has three neighbors, shared between the tets of a node: this is never too little
	uint32_t* neighbors = gelBakePool_Alloc( &scratch, 12 * (size_t)cage->tetCount, sizeof( uint32_t ) );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < graph.n; ++i )
	{
		count += CollectNeighbors( &graph, cage, gather, i, seen, neighbors + count );
		graph.neighborFirst[i + 1] = count;
	}
	graph.neighbors = gelBakePool_Alloc( pool, count, sizeof( uint32_t ) );
	memcpy( graph.neighbors, neighbors, count * sizeof( uint32_t ) );
	gelFreeBakePool( &scratch );
	graph.patternHash = gelHashPattern( &graph );
	return graph;
}

// Breadth first from `start`. @return number of nodes; they are in part[], ascending
static uint32_t CollectPart( const gelBakeGraph* graph, uint32_t start, bool* visited, uint32_t* part )
{
	GEL_ASSERT( start < graph->n && !visited[start] );
	uint32_t count = 0;
	part[count++] = start;
	visited[start] = true;
	for ( uint32_t head = 0; head < count; ++head )
	{
		uint32_t i = part[head];
		for ( uint32_t k = graph->neighborFirst[i]; k < graph->neighborFirst[i + 1]; ++k )
		{
			uint32_t j = graph->neighbors[k];
			if ( visited[j] ) continue;
			visited[j] = true;
			part[count++] = j;
		}
	}
	qsort( part, count, sizeof( uint32_t ), CompareIndices );
	return count;
}

// Orders part[] in place. local: scratch of n entries.
static bool DissectPart( const gelBakeGraph* graph, uint32_t* part, uint32_t count, uint32_t* local )
{
	GEL_ASSERT( count > 0 && count <= graph->n );
	gelBakePool pool = { NULL };
	size_t edgeCount = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		local[part[i]] = i;
		edgeCount += graph->neighborFirst[part[i] + 1] - graph->neighborFirst[part[i]];
	}
	idx_t* first = gelBakePool_Alloc( &pool, (size_t)count + 1, sizeof( idx_t ) );
	idx_t* edges = gelBakePool_Alloc( &pool, edgeCount, sizeof( idx_t ) );
	idx_t* perm = gelBakePool_Alloc( &pool, count, sizeof( idx_t ) );
	idx_t* inverse = gelBakePool_Alloc( &pool, count, sizeof( idx_t ) );
	uint32_t* nodes = gelBakePool_Alloc( &pool, count, sizeof( uint32_t ) );
	idx_t edge = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = graph->neighborFirst[part[i]]; k < graph->neighborFirst[part[i] + 1]; ++k )
			edges[edge++] = (idx_t)local[graph->neighbors[k]];
		first[i + 1] = edge;
	}
	idx_t options[METIS_NOPTIONS], vertexCount = (idx_t)count;
	METIS_SetDefaultOptions( options );
	options[METIS_OPTION_SEED] = GEL_METIS_SEED;
	// Numbers from 0, as in C; METIS can also count from 1.
	options[METIS_OPTION_NUMBERING] = 0;
	// METIS: row i of the ordered matrix is row perm[i] of the original
	const int result = METIS_NodeND( &vertexCount, first, edges, NULL, options, perm, inverse );
	if ( result == METIS_ERROR_MEMORY )
		gelExitWithoutMemory( ( count + edgeCount ) * sizeof( idx_t ), "use a coarser cage" );
	bool ok = result == METIS_OK;
	memcpy( nodes, part, count * sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < count && ok; ++i )
		part[i] = nodes[perm[i]];
	gelFreeBakePool( &pool );
	return ok;
}

uint32_t* gelOrderNodes( const gelBakeGraph* graph, gelBakePool* pool )
{
	uint32_t* order = gelBakePool_Alloc( pool, graph->n, sizeof( uint32_t ) );
	gelBakePool scratch = { NULL };
	bool* visited = gelBakePool_Alloc( &scratch, graph->n, sizeof( bool ) );
	uint32_t* local = gelBakePool_Alloc( &scratch, graph->n, sizeof( uint32_t ) );
	uint32_t done = 0;
	bool ok = true;
	for ( uint32_t i = 0; i < graph->n && ok; ++i )
	{
		if ( visited[i] ) continue;
		uint32_t count = CollectPart( graph, i, visited, order + done );
		ok = count <= GEL_SMALL_PART || DissectPart( graph, order + done, count, local );
		done += count;
	}
	gelFreeBakePool( &scratch );
	return ok ? order : NULL;
}
