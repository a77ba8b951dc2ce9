// SPDX-License-Identifier: MIT
// Topology counts over welds. Everything is sorted with a total order, so the counts depend on nothing else.
#include "common/mesh/mesh.h"
#include "common/program/memory.h"
#include "common/program/union_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One side of a triangle: low << 32 | high weld, and whether it runs from low to high.
typedef struct HalfEdge
{
	uint64_t key;
	uint32_t forward;
} HalfEdge;

// LSD radix sort by key, 11 bits a pass. Stable, so ties keep triangle order.
static void SortHalfEdges( HalfEdge** edges, size_t count, uint32_t weldCount )
{
	HalfEdge* from = *edges;
	HalfEdge* to = gelTake( ( count + 1 ) * sizeof( HalfEdge ) );
	uint64_t weldBits = 1;
	while ( weldBits < weldCount )
		weldBits = 2 * weldBits + 1;
	uint64_t usedBits = ( weldBits << 32 ) | weldBits;
	for ( int shift = 0; shift < 64; shift += 11 )
	{
		if ( ( ( usedBits >> shift ) & 2047 ) == 0 ) continue; // this digit is zero in every key
		size_t starts[2049] = { 0 };
		for ( size_t i = 0; i < count; ++i )
			++starts[( ( from[i].key >> shift ) & 2047 ) + 1];
		for ( int d = 0; d < 2048; ++d )
			starts[d + 1] += starts[d];
		for ( size_t i = 0; i < count; ++i )
			to[starts[( from[i].key >> shift ) & 2047]++] = from[i];
		HalfEdge* swap = from;
		from = to;
		to = swap;
	}
	free( to );
	*edges = from;
}

static int CompareTriples( const void* left, const void* right )
{
	const uint32_t* a = left;
	const uint32_t* b = right;
	for ( int k = 0; k < 3; ++k )
		if ( a[k] != b[k] ) return a[k] < b[k] ? -1 : 1;
	return 0;
}

// Triangles that repeat the corners of another one, either way round, beyond the first. Triangles with equal
// corners meet in equal buckets by their lowest corner, so only small runs need sorting.
static uint32_t CountDuplicates( const uint32_t* corners, size_t count, uint32_t weldCount )
{
	size_t* starts = gelTakeZeroed( (size_t)weldCount + 2, sizeof( size_t ) );
	uint32_t* sorted = gelTake( ( 3 * count + 1 ) * sizeof( uint32_t ) );
	for ( size_t i = 0; i < count; ++i )
		++starts[corners[3 * i] + 1];
	for ( uint32_t w = 0; w < weldCount; ++w )
		starts[w + 1] += starts[w];
	for ( size_t i = 0; i < count; ++i )
		memcpy( sorted + 3 * starts[corners[3 * i]]++, corners + 3 * i, 3 * sizeof( uint32_t ) );
	uint32_t duplicates = 0;
	for ( size_t begin = 0, w = 0; w < weldCount; begin = starts[w], ++w )
	{
		// after the scatter, starts[w] is the end of bucket w
		size_t end = starts[w];
		if ( end - begin > 1 )
			qsort( sorted + 3 * begin, end - begin, 3 * sizeof( uint32_t ), CompareTriples );
		for ( size_t i = begin + 1; i < end; ++i )
			duplicates += CompareTriples( sorted + 3 * i - 3, sorted + 3 * i ) == 0;
	}
	free( starts );
	free( sorted );
	return duplicates;
}

static void CountEdges( const HalfEdge* edges, size_t count, gelMeshTopology* topology )
{
	for ( size_t i = 0, end; i < count; i = end )
	{
		uint32_t forward = 0;
		for ( end = i; end < count && edges[end].key == edges[i].key; ++end )
			forward += edges[end].forward;
		size_t uses = end - i;
		++topology->edgeCount;
		topology->openEdges += uses == 1;
		topology->nonManifoldEdges += uses > 2;
		topology->flippedEdges += uses == 2 && forward != 1;
	}
}

// Adds area and volume; true if the area is exactly zero.
static bool Measure( const gelMesh* mesh, const uint32_t* corners, gelMeshTopology* topology )
{
	double p[3][3];
	for ( int k = 0; k < 3; ++k )
		for ( int d = 0; d < 3; ++d )
			p[k][d] = (double)mesh->positions[3 * (size_t)corners[k] + d] - mesh->boundsMin[d];
	double u[3], v[3];
	for ( int d = 0; d < 3; ++d )
	{
		u[d] = p[1][d] - p[0][d];
		v[d] = p[2][d] - p[0][d];
	}
	double n[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
	double twiceArea = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
	topology->area += 0.5 * twiceArea;
	// tetrahedron to the corner of the bounds: n . p0 / 6; relative to the bounds since far offsets cancel
	// badly
	topology->signedVolume += ( n[0] * p[0][0] + n[1] * p[0][1] + n[2] * p[0][2] ) / 6.0;
	return twiceArea == 0.0;
}

static void SortThree( uint32_t w[3] )
{
	for ( int pass = 0; pass < 2; ++pass )
		for ( int k = 0; k < 2; ++k )
			if ( w[k] > w[k + 1] )
			{
				uint32_t swap = w[k];
				w[k] = w[k + 1];
				w[k + 1] = swap;
			}
}

typedef struct Gathered
{
	HalfEdge* edges;
	size_t edgeCount;
	uint32_t* corners; // sorted welds of triangles with three different ones
	size_t cornerCount;
	uint32_t* parents;
	bool* used;
} Gathered;

static void Gather( const gelMesh* mesh, Gathered* g, gelMeshTopology* topology )
{
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		const uint32_t* corners = mesh->indices + 3 * (size_t)t;
		uint32_t w[3];
		for ( int k = 0; k < 3; ++k )
		{
			w[k] = mesh->vertToWeld[corners[k]];
			g->used[w[k]] = true;
		}
		bool zeroArea = Measure( mesh, corners, topology );
		// Degenerate triangles join, too: a seam that is closed by slivers is closed.
		gelJoinSets( g->parents, w[0], w[1] );
		gelJoinSets( g->parents, w[0], w[2] );
		bool repeated = w[0] == w[1] || w[1] == w[2] || w[2] == w[0];
		topology->degenerateTriangles += repeated || zeroArea;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t a = w[k], b = w[( k + 1 ) % 3];
			if ( a == b || repeated ) continue;
			uint64_t key = a < b ? ( (uint64_t)a << 32 ) | b : ( (uint64_t)b << 32 ) | a;
			g->edges[g->edgeCount++] = ( HalfEdge ){ key, a < b };
		}
		if ( repeated ) continue;
		SortThree( w );
		memcpy( g->corners + 3 * g->cornerCount++, w, sizeof w );
	}
}

gelMeshTopology gelMesh_Analyse( const gelMesh* mesh )
{
	gelMeshTopology topology = { 0 };
	size_t triangles = mesh->triangleCount;
	Gathered g = {
		.edges = gelTake( ( 3 * triangles + 1 ) * sizeof( HalfEdge ) ),
		.corners = gelTake( ( 3 * triangles + 1 ) * sizeof( uint32_t ) ),
		.parents = gelTake( ( (size_t)mesh->weldCount + 1 ) * sizeof( uint32_t ) ),
		.used = gelTakeZeroed( (size_t)mesh->weldCount + 1, sizeof( bool ) ),
	};
	for ( uint32_t w = 0; w < mesh->weldCount; ++w )
		g.parents[w] = w;
	Gather( mesh, &g, &topology );
	SortHalfEdges( &g.edges, g.edgeCount, mesh->weldCount );
	topology.duplicateTriangles = CountDuplicates( g.corners, g.cornerCount, mesh->weldCount );
	CountEdges( g.edges, g.edgeCount, &topology );
	int64_t usedCount = 0;
	for ( uint32_t w = 0; w < mesh->weldCount; ++w )
	{
		usedCount += g.used[w];
		topology.componentCount += g.used[w] && g.parents[w] == w;
	}
	// V - E + F; 2 for each closed part without handles. Triangles with repeated corners are no faces.
	topology.euler = usedCount - (int64_t)topology.edgeCount + (int64_t)g.cornerCount;
	topology.closed = topology.edgeCount > 0 && topology.openEdges == 0 && topology.nonManifoldEdges == 0 &&
		topology.flippedEdges == 0;
	free( g.edges );
	free( g.corners );
	free( g.parents );
	free( g.used );
	return topology;
}
