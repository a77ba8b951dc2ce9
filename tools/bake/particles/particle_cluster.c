// SPDX-License-Identifier: MIT
// Samples into clusters of about the same size, each connected by links. Clusters grow from seeds, the sample
// nearest to its seed first, but only along links; then every seed moves to the sample nearest to the centre
// of its cluster (Lloyd 1982). Ties go to the lower index, so the result is the same everywhere.
#include "bake/particles/particle_bake.h"

#include "common/program/tool_assert.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define GEL_LLOYD_ROUNDS 12

typedef struct Entry
{
	double key;
	uint32_t sample, cluster;
} Entry;

// A binary heap, the smallest key first.
typedef struct Heap
{
	Entry* items;
	size_t count;
} Heap;

static bool IsBefore( const Entry* a, const Entry* b )
{
	if ( a->key != b->key ) return a->key < b->key;
	return a->cluster != b->cluster ? a->cluster < b->cluster : a->sample < b->sample;
}

static void Push( Heap* heap, Entry entry )
{
	size_t i = heap->count++;
	for ( ; i > 0 && IsBefore( &entry, heap->items + ( i - 1 ) / 2 ); i = ( i - 1 ) / 2 )
		heap->items[i] = heap->items[( i - 1 ) / 2];
	heap->items[i] = entry;
}

static Entry Pop( Heap* heap )
{
	GEL_TOOL_ASSERT( heap->count > 0 );
	Entry top = heap->items[0], last = heap->items[--heap->count];
	size_t i = 0;
	for ( size_t child = 1; child < heap->count; child = 2 * i + 1 )
	{
		if ( child + 1 < heap->count && IsBefore( heap->items + child + 1, heap->items + child ) ) ++child;
		if ( !IsBefore( heap->items + child, &last ) ) break;
		heap->items[i] = heap->items[child];
		i = child;
	}
	heap->items[i] = last;
	return top;
}

static double GetDistance2( const double a[3], const double b[3] )
{
	double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
	return x * x + y * y + z * z;
}

void gelFindParts( gelSampleGraph* graph, gelBakePool* pool )
{
	gelBakePool scratch = { NULL };
	uint32_t* queue = gelBakePool_Alloc( &scratch, graph->count, sizeof( uint32_t ) );
	graph->partOf = gelBakePool_Alloc( pool, graph->count, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < graph->count; ++i )
		graph->partOf[i] = GEL_NO_INDEX;
	graph->partCount = 0;
	for ( uint32_t start = 0; start < graph->count; ++start )
	{
		if ( graph->partOf[start] != GEL_NO_INDEX ) continue;
		uint32_t count = 0;
		queue[count++] = start;
		graph->partOf[start] = graph->partCount;
		for ( uint32_t head = 0; head < count; ++head )
		{
			for ( uint32_t k = graph->linkFirst[queue[head]]; k < graph->linkFirst[queue[head] + 1]; ++k )
			{
				uint32_t j = graph->links[k];
				if ( graph->partOf[j] != GEL_NO_INDEX ) continue;
				graph->partOf[j] = graph->partCount;
				queue[count++] = j;
			}
		}
		graph->partCount += 1;
	}
	gelFreeBakePool( &scratch );
}

// Seeds one after another, each as far as can be from those before it; the first is the one farthest from
// the first sample.
static void ChooseSeeds( const gelSampleGraph* graph, uint32_t count, uint32_t* seeds )
{
	GEL_TOOL_ASSERT( count > 0 && count <= graph->count );
	gelBakePool scratch = { NULL };
	double* nearest = gelBakePool_Alloc( &scratch, graph->count, sizeof( double ) );
	for ( uint32_t i = 0; i < graph->count; ++i )
		nearest[i] = GetDistance2( graph->points[i], graph->points[0] );
	for ( uint32_t s = 0; s < count; ++s )
	{
		uint32_t best = 0;
		for ( uint32_t i = 1; i < graph->count; ++i )
			best = nearest[i] > nearest[best] ? i : best;
		seeds[s] = best;
		for ( uint32_t i = 0; i < graph->count; ++i )
		{
			double d = GetDistance2( graph->points[i], graph->points[best] );
			nearest[i] = s == 0 || d < nearest[i] ? d : nearest[i];
		}
	}
	gelFreeBakePool( &scratch );
}

static void Grow( const gelSampleGraph* graph, const uint32_t* seeds, uint32_t count,
	const double ( *centers )[3], Heap* heap, uint32_t* clusterOf )
{
	for ( uint32_t i = 0; i < graph->count; ++i )
		clusterOf[i] = GEL_NO_INDEX;
	for ( uint32_t s = 0; s < count; ++s )
		Push( heap, ( Entry ){ -1.0, seeds[s], s } ); // every seed gets its own sample
	while ( heap->count > 0 )
	{
		Entry top = Pop( heap );
		if ( clusterOf[top.sample] != GEL_NO_INDEX ) continue;
		clusterOf[top.sample] = top.cluster;
		for ( uint32_t k = graph->linkFirst[top.sample]; k < graph->linkFirst[top.sample + 1]; ++k )
		{
			uint32_t j = graph->links[k];
			if ( clusterOf[j] != GEL_NO_INDEX ) continue;
			Push( heap, ( Entry ){ GetDistance2( graph->points[j], centers[top.cluster] ), j, top.cluster } );
		}
	}
}

static void FindCenters(
	const gelSampleGraph* graph, const uint32_t* clusterOf, uint32_t count, double ( *centers )[3] )
{
	gelBakePool scratch = { NULL };
	double* sums = gelBakePool_Alloc( &scratch, count, sizeof( double ) );
	memset( centers, 0, count * sizeof( *centers ) );
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		uint32_t c = clusterOf[i];
		if ( c == GEL_NO_INDEX ) continue;
		sums[c] += graph->weights[i];
		for ( int k = 0; k < 3; ++k )
			centers[c][k] += graph->weights[i] * graph->points[i][k];
	}
	for ( uint32_t c = 0; c < count; ++c )
	{
		for ( int k = 0; k < 3; ++k )
			centers[c][k] /= sums[c];
	}
	gelFreeBakePool( &scratch );
}

// The sample of each cluster that is nearest to its centre.
static void FindSeeds( const gelSampleGraph* graph, const uint32_t* clusterOf, uint32_t count,
	const double ( *centers )[3], uint32_t* seeds )
{
	gelBakePool scratch = { NULL };
	double* nearest = gelBakePool_Alloc( &scratch, count, sizeof( double ) );
	for ( uint32_t c = 0; c < count; ++c )
		nearest[c] = DBL_MAX;
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		uint32_t c = clusterOf[i];
		if ( c == GEL_NO_INDEX ) continue;
		double d = GetDistance2( graph->points[i], centers[c] );
		if ( d >= nearest[c] ) continue;
		nearest[c] = d;
		seeds[c] = i;
	}
	gelFreeBakePool( &scratch );
}

gelClusters gelClusterSamples( const gelSampleGraph* graph, uint32_t wanted, gelBakePool* pool )
{
	GEL_TOOL_ASSERT( wanted > 0 && graph->count > 0 );
	gelClusters clusters = { .count = wanted < graph->count ? wanted : graph->count };
	clusters.clusterOf = gelBakePool_Alloc( pool, graph->count, sizeof( uint32_t ) );
	gelBakePool scratch = { NULL };
	uint32_t* seeds = gelBakePool_Alloc( &scratch, clusters.count, sizeof( uint32_t ) );
	double( *centers )[3] = gelBakePool_Alloc( &scratch, clusters.count, sizeof( *centers ) );
	size_t entries = (size_t)clusters.count + graph->linkFirst[graph->count];
	Heap heap = { gelBakePool_Alloc( &scratch, entries, sizeof( Entry ) ), 0 };
	ChooseSeeds( graph, clusters.count, seeds );
	for ( uint32_t c = 0; c < clusters.count; ++c )
		memcpy( centers[c], graph->points[seeds[c]], sizeof( centers[c] ) );
	for ( int round = 0; round < GEL_LLOYD_ROUNDS; ++round )
	{
		Grow( graph, seeds, clusters.count, (const double( * )[3])centers, &heap, clusters.clusterOf );
		FindCenters( graph, clusters.clusterOf, clusters.count, centers );
		FindSeeds( graph, clusters.clusterOf, clusters.count, (const double( * )[3])centers, seeds );
	}
	gelFreeBakePool( &scratch );
	return clusters;
}

// Distances through the links from one sample. @return the farthest
static uint32_t Measure( const gelSampleGraph* graph, uint32_t start, Heap* heap, double* distances )
{
	GEL_TOOL_ASSERT( start < graph->count );
	for ( uint32_t i = 0; i < graph->count; ++i )
		distances[i] = DBL_MAX;
	Push( heap, ( Entry ){ 0.0, start, 0 } );
	uint32_t last = start;
	while ( heap->count > 0 )
	{
		Entry top = Pop( heap );
		if ( distances[top.sample] < DBL_MAX ) continue;
		distances[top.sample] = top.key;
		last = top.sample;
		for ( uint32_t k = graph->linkFirst[top.sample]; k < graph->linkFirst[top.sample + 1]; ++k )
		{
			uint32_t j = graph->links[k];
			if ( distances[j] < DBL_MAX ) continue;
			double step = sqrt( GetDistance2( graph->points[top.sample], graph->points[j] ) );
			Push( heap, ( Entry ){ top.key + step, j, 0 } );
		}
	}
	return last;
}

gelClusters gelChainSamples( const gelSampleGraph* graph, uint32_t wanted, gelBakePool* pool )
{
	GEL_TOOL_ASSERT( wanted > 0 && graph->count > 0 );
	gelBakePool scratch = { NULL };
	double* distances = gelBakePool_Alloc( &scratch, graph->count, sizeof( double ) );
	size_t entries = 1 + (size_t)graph->linkFirst[graph->count];
	Heap heap = { gelBakePool_Alloc( &scratch, entries, sizeof( Entry ) ), 0 };
	uint32_t one = Measure( graph, 0, &heap, distances ); // one end, whatever sample is the first
	uint32_t other = Measure( graph, one, &heap, distances );
	double length = distances[other];
	gelClusters clusters = { .count = wanted };
	clusters.clusterOf = gelBakePool_Alloc( pool, graph->count, sizeof( uint32_t ) );
	uint32_t* names = gelBakePool_Alloc( &scratch, wanted, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		double share = length > 0.0 && distances[i] < DBL_MAX ? distances[i] / length : 0.0;
		uint32_t c = (uint32_t)fmin( wanted - 1.0, floor( share * wanted ) );
		clusters.clusterOf[i] = c;
		names[c] = 1;
	}
	clusters.count = 0; // bands that no sample is in are left out
	for ( uint32_t c = 0; c < wanted; ++c )
		names[c] = names[c] != 0 ? clusters.count++ : GEL_NO_INDEX;
	for ( uint32_t i = 0; i < graph->count; ++i )
		clusters.clusterOf[i] = names[clusters.clusterOf[i]];
	gelFreeBakePool( &scratch );
	return clusters;
}
