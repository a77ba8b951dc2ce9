// SPDX-License-Identifier: MIT
// Samples of what has no inside: open surfaces, and polylines. Both are cut into pieces of about the same
// size; samples stand where pieces meet and get their share of the pieces around them.
#include "bake/particles/particle_bake.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_SURFACE_SAMPLES 400000u

typedef struct Pair
{
	uint32_t a, b;     // a < b
	uint32_t triangle; // slot of the edge: 3 * triangle + edge; of a line: its number
} Pair;

static int ComparePairs( const void* x, const void* y )
{
	const Pair *p = x, *q = y;
	if ( p->a != q->a ) return p->a < q->a ? -1 : 1;
	if ( p->b != q->b ) return p->b < q->b ? -1 : 1;
	return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

// Both directions of sorted, distinct pairs.
static void LinkPairs( const Pair* pairs, size_t count, gelBakePool* pool, gelSampleGraph* graph )
{
	gelBakePool scratch = { NULL };
	uint32_t* at = gelBakePool_Alloc( &scratch, graph->count, sizeof( uint32_t ) );
	graph->linkFirst = gelBakePool_Alloc( pool, (size_t)graph->count + 1, sizeof( uint32_t ) );
	graph->links = gelBakePool_Alloc( pool, 2 * count + 1, sizeof( uint32_t ) );
	for ( size_t i = 0; i < count; ++i )
	{
		graph->linkFirst[pairs[i].a + 1] += 1;
		graph->linkFirst[pairs[i].b + 1] += 1;
	}
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		graph->linkFirst[i + 1] += graph->linkFirst[i];
		at[i] = graph->linkFirst[i];
	}
	for ( size_t i = 0; i < count; ++i )
	{
		graph->links[at[pairs[i].a]++] = pairs[i].b;
		graph->links[at[pairs[i].b]++] = pairs[i].a;
	}
	gelFreeBakePool( &scratch );
}

// ---- surfaces --------------------------------------------------------------------------------------------

// Triangles over points, all of one level of cutting.
typedef struct Soup
{
	uint32_t pointCount, triangleCount;
	gelVec3d* points;
	uint32_t* corners; // 3 per triangle
} Soup;

// Edges of all triangles, each once for every triangle, sorted.
static Pair* ListEdges( const Soup* soup, gelBakePool* pool )
{
	Pair* pairs = gelBakePool_Alloc( pool, 3 * (size_t)soup->triangleCount, sizeof( Pair ) );
	for ( uint32_t i = 0; i < 3 * soup->triangleCount; ++i )
	{
		uint32_t a = soup->corners[i], b = soup->corners[i - i % 3 + ( i + 1 ) % 3];
		pairs[i] = ( Pair ){ a < b ? a : b, a < b ? b : a, i };
	}
	if ( soup->triangleCount > 0 )
		qsort( pairs, 3 * (size_t)soup->triangleCount, sizeof( Pair ), ComparePairs );
	return pairs;
}

// Cuts every triangle into four at the middles of its edges.
static Soup Subdivide( const Soup* soup, gelBakePool* pool )
{
	gelBakePool scratch = { NULL };
	Pair* pairs = ListEdges( soup, &scratch );
	size_t edgeSlots = 3 * (size_t)soup->triangleCount;
	uint32_t* middles = gelBakePool_Alloc( &scratch, edgeSlots, sizeof( uint32_t ) );
	Soup out = { .pointCount = soup->pointCount, .triangleCount = 4 * soup->triangleCount };
	out.points = gelBakePool_Alloc( pool, soup->pointCount + edgeSlots, sizeof( *out.points ) );
	out.corners = gelBakePool_Alloc( pool, 4 * edgeSlots, sizeof( uint32_t ) );
	if ( soup->pointCount > 0 ) memcpy( out.points, soup->points, soup->pointCount * sizeof( *out.points ) );
	for ( size_t i = 0; i < edgeSlots; ++i )
	{
		bool isNew = i == 0 || pairs[i].a != pairs[i - 1].a || pairs[i].b != pairs[i - 1].b;
		if ( isNew )
		{
			gelVec3d sum = gelAddD( soup->points[pairs[i].a], soup->points[pairs[i].b] );
			out.points[out.pointCount++] = gelScaleD( 0.5, sum );
		}
		middles[pairs[i].triangle] = out.pointCount - 1;
	}
	for ( uint32_t t = 0; t < soup->triangleCount; ++t )
	{
		const uint32_t *c = soup->corners + 3 * (size_t)t, *m = middles + 3 * (size_t)t;
		// Corner triangles first, then the middle one, all in the winding of the large triangle.
		const uint32_t four[12] = { c[0], m[0], m[2], m[0], c[1], m[1], m[2], m[1], c[2], m[0], m[1], m[2] };
		memcpy( out.corners + 12 * (size_t)t, four, sizeof( four ) );
	}
	gelFreeBakePool( &scratch );
	return out;
}

static double GetArea( const Soup* soup, uint32_t t )
{
	const uint32_t* c = soup->corners + 3 * (size_t)t;
	gelVec3d x = soup->points[c[0]];
	gelVec3d u = gelSubD( soup->points[c[1]], x ), v = gelSubD( soup->points[c[2]], x );
	return 0.5 * gelLengthD( gelCrossD( u, v ) );
}

// Welded positions: seams of the art are no gaps.
static Soup MakeSoup( const gelMesh* mesh, gelBakePool* pool )
{
	Soup soup = { .pointCount = mesh->weldCount, .triangleCount = mesh->triangleCount };
	soup.points = gelBakePool_Alloc( pool, soup.pointCount, sizeof( *soup.points ) );
	soup.corners = gelBakePool_Alloc( pool, 3 * (size_t)soup.triangleCount, sizeof( uint32_t ) );
	for ( uint32_t v = 0; v < mesh->vertexCount; ++v )
	{
		const float* p = mesh->positions + 3 * (size_t)v;
		soup.points[mesh->vertToWeld[v]] = ( gelVec3d ){ (double)p[0], (double)p[1], (double)p[2] };
	}
	for ( size_t i = 0; i < 3 * (size_t)soup.triangleCount; ++i )
		soup.corners[i] = mesh->vertToWeld[mesh->indices[i]];
	return soup;
}

gelSampleGraph gelSampleSurface( const gelMesh* mesh, uint32_t wanted, gelBakePool* pool )
{
	GEL_ASSERT( wanted > 0 && mesh->triangleCount > 0 );
	gelBakePool scratch = { NULL };
	Soup soup = MakeSoup( mesh, &scratch );
	while ( soup.pointCount < wanted && 4 * (uint64_t)soup.pointCount < GEL_MAX_SURFACE_SAMPLES )
		soup = Subdivide( &soup, &scratch );
	gelSampleGraph graph = { .count = soup.pointCount };
	graph.points = gelBakePool_Alloc( pool, graph.count, sizeof( *graph.points ) );
	graph.weights = gelBakePool_Alloc( pool, graph.count, sizeof( double ) );
	if ( graph.count > 0 ) memcpy( graph.points, soup.points, graph.count * sizeof( *graph.points ) );
	double area = 0.0;
	for ( uint32_t t = 0; t < soup.triangleCount; ++t )
	{
		double share = GetArea( &soup, t ) / 3.0;
		area += 3.0 * share;
		for ( int k = 0; k < 3; ++k )
			graph.weights[soup.corners[3 * (size_t)t + (size_t)k]] += share;
	}
	for ( uint32_t i = 0; i < graph.count; ++i ) // no cluster may weigh nothing
		graph.weights[i] = fmax( graph.weights[i], 1e-9 * area / graph.count );
	Pair* pairs = ListEdges( &soup, &scratch );
	size_t kept = 0;
	for ( size_t i = 0; i < 3 * (size_t)soup.triangleCount; ++i )
	{
		// Sorted, so that repetitions of an edge follow each other; a triangle with two corners in one weld
		// has an edge from a point to itself, which is no link.
		bool isNew = kept == 0 || pairs[i].a != pairs[kept - 1].a || pairs[i].b != pairs[kept - 1].b;
		if ( isNew && pairs[i].a != pairs[i].b ) pairs[kept++] = pairs[i];
	}
	LinkPairs( pairs, kept, pool, &graph );
	// Side of a square with the share of area of one sample [m].
	graph.spacing = graph.count > 0 ? sqrt( area / graph.count ) : 0.0;
	gelFreeBakePool( &scratch );
	gelFindParts( &graph, pool );
	return graph;
}

// ---- lines -----------------------------------------------------------------------------------------------

gelSampleGraph gelSampleLines( const gelMesh* mesh, uint32_t wanted, gelBakePool* pool )
{
	GEL_ASSERT( wanted > 0 );
	gelBakePool scratch = { NULL };
	uint32_t* ends = gelBakePool_Alloc( &scratch, 2 * (size_t)mesh->lineCount, sizeof( uint32_t ) );
	gelSampleGraph graph = { .count = gelMesh_WeldLineEnds( mesh, ends ) };
	if ( graph.count == 0 && mesh->lineCount > 0 )
		gelExitWithoutMemory( 32 * (size_t)mesh->lineCount, "use fewer lines" );
	double length = 0.0;
	for ( uint32_t i = 0; i < mesh->lineCount; ++i )
		length += gelMesh_GetLineLength( mesh, i );
	double piece = length / wanted;
	size_t capacity = (size_t)graph.count + wanted + mesh->lineCount;
	graph.points = gelBakePool_Alloc( pool, capacity, sizeof( *graph.points ) );
	graph.weights = gelBakePool_Alloc( pool, capacity, sizeof( double ) );
	Pair* pairs = gelBakePool_Alloc( &scratch, capacity + mesh->lineCount, sizeof( Pair ) );
	uint32_t pairCount = 0;
	for ( uint32_t i = 0; i < mesh->lineCount; ++i )
	{
		const float* p = mesh->linePoints + 6 * (size_t)i;
		gelVec3d from = { (double)p[0], (double)p[1], (double)p[2] };
		gelVec3d to = { (double)p[3], (double)p[4], (double)p[5] };
		double own = gelMesh_GetLineLength( mesh, i );
		// Pieces of a segment are at most as long as all pieces should be on average; ends of segments are
		// samples in any case, so that branches stay joined.
		//
		//     end 0      new      new     end 1
		//       o---------o--------o--------o      cuts = 2: three pieces, half of each to both of its ends
		uint32_t cuts = piece > 0.0 ? (uint32_t)( own / piece ) : 0, last = ends[2 * i];
		for ( uint32_t c = 0; c <= cuts; ++c )
		{
			uint32_t next = c < cuts ? graph.count++ : ends[2 * i + 1];
			if ( c == 0 ) graph.points[last] = from;
			graph.points[next] = gelMulAddD( from, ( c + 1.0 ) / ( cuts + 1.0 ), gelSubD( to, from ) );
			graph.weights[last] += 0.5 * own / ( cuts + 1.0 );
			graph.weights[next] += 0.5 * own / ( cuts + 1.0 );
			if ( last != next )
				pairs[pairCount++] = ( Pair ){ last < next ? last : next, last < next ? next : last, i };
			last = next;
		}
	}
	if ( pairCount > 0 ) qsort( pairs, pairCount, sizeof( Pair ), ComparePairs );
	LinkPairs( pairs, pairCount, pool, &graph );
	graph.spacing = piece;
	gelFreeBakePool( &scratch );
	gelFindParts( &graph, pool );
	return graph;
}
