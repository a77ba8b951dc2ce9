// SPDX-License-Identifier: MIT
// Samples into clusters of about the same size, each connected by links. Clusters grow from seeds, the sample
// nearest to its seed first, but only along links; then every seed moves to the sample nearest to the center
// of its cluster (Lloyd 1982). Ties go to the lower index, so the result is the same everywhere.
#include "bake/particles/particle_bake.h"

#include "common/program/heap.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define GEL_LLOYD_ROUNDS 12

// A sample, second, that may join a cluster, first.
static gelHeapItem MakeEntry( double key, uint32_t cluster, uint32_t sample )
{
	return ( gelHeapItem ){ key, cluster, sample, { 0, 0 } };
}

static double GetDistance2( gelVec3d a, gelVec3d b )
{
	gelVec3d d = gelSubD( a, b );
	return gelDotD( d, d );
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
	GEL_ASSERT( count > 0 && count <= graph->count );
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
			// The first round's distances were those from sample 0, which only served to find an end of the
			// body; they are replaced.
			nearest[i] = s == 0 || d < nearest[i] ? d : nearest[i];
		}
	}
	gelFreeBakePool( &scratch );
}

// All clusters grow at once from one heap, by the distance of the next sample from the center of the cluster
// that would take it. A sample may wait for several clusters; the first that comes out takes it. Distances
// are those through the air, but only linked samples are ever offered, so no cluster jumps over a gap.
static void Grow( const gelSampleGraph* graph, const uint32_t* seeds, uint32_t count, const gelVec3d* centers,
	gelHeap* heap, uint32_t* clusterOf )
{
	for ( uint32_t i = 0; i < graph->count; ++i )
		clusterOf[i] = GEL_NO_INDEX;
	for ( uint32_t s = 0; s < count; ++s )
		gelHeap_Push( heap, MakeEntry( -1.0, s, seeds[s] ) ); // every seed gets its own sample
	while ( heap->count > 0 )
	{
		gelHeapItem top = gelHeap_Pop( heap );
		if ( clusterOf[top.second] != GEL_NO_INDEX ) continue;
		clusterOf[top.second] = top.first;
		for ( uint32_t k = graph->linkFirst[top.second]; k < graph->linkFirst[top.second + 1]; ++k )
		{
			uint32_t j = graph->links[k];
			if ( clusterOf[j] != GEL_NO_INDEX ) continue;
			gelHeap_Push(
				heap, MakeEntry( GetDistance2( graph->points[j], centers[top.first] ), top.first, j ) );
		}
	}
}

// Weighted by what samples stand for. A center may lie outside of a bent cluster, which is why a seed has to
// be a sample (FindSeeds).
static void FindCenters(
	const gelSampleGraph* graph, const uint32_t* clusterOf, uint32_t count, gelVec3d* centers )
{
	gelBakePool scratch = { NULL };
	double* sums = gelBakePool_Alloc( &scratch, count, sizeof( double ) );
	memset( centers, 0, count * sizeof( *centers ) );
	for ( uint32_t i = 0; i < graph->count; ++i )
	{
		uint32_t c = clusterOf[i];
		if ( c == GEL_NO_INDEX ) continue;
		sums[c] += graph->weights[i];
		centers[c] = gelMulAddD( centers[c], graph->weights[i], graph->points[i] );
	}
	for ( uint32_t c = 0; c < count; ++c )
		centers[c] = ( gelVec3d ){ centers[c].x / sums[c], centers[c].y / sums[c], centers[c].z / sums[c] };
	gelFreeBakePool( &scratch );
}

// The sample of each cluster that is nearest to its center.
static void FindSeeds( const gelSampleGraph* graph, const uint32_t* clusterOf, uint32_t count,
	const gelVec3d* centers, uint32_t* seeds )
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
	GEL_ASSERT( wanted > 0 && graph->count > 0 );
	gelClusters clusters = { .count = wanted < graph->count ? wanted : graph->count };
	clusters.clusterOf = gelBakePool_Alloc( pool, graph->count, sizeof( uint32_t ) );
	gelBakePool scratch = { NULL };
	uint32_t* seeds = gelBakePool_Alloc( &scratch, clusters.count, sizeof( uint32_t ) );
	gelVec3d* centers = gelBakePool_Alloc( &scratch, clusters.count, sizeof( *centers ) );
	// Each link is offered once in each direction at most, and each seed once.
	size_t entries = (size_t)clusters.count + graph->linkFirst[graph->count];
	gelHeap heap = { gelBakePool_Alloc( &scratch, entries, sizeof( gelHeapItem ) ), 0, entries };
	ChooseSeeds( graph, clusters.count, seeds );
	for ( uint32_t c = 0; c < clusters.count; ++c )
		centers[c] = graph->points[seeds[c]];
	// A fixed number of rounds: clusters hardly move after ten, and a test for convergence would make the
	// result hang on rounding.
	for ( int round = 0; round < GEL_LLOYD_ROUNDS; ++round )
	{
		Grow( graph, seeds, clusters.count, centers, &heap, clusters.clusterOf );
		FindCenters( graph, clusters.clusterOf, clusters.count, centers );
		FindSeeds( graph, clusters.clusterOf, clusters.count, centers, seeds );
	}
	gelFreeBakePool( &scratch );
	return clusters;
}

// Distances through the links from one sample. @return the farthest
// Dijkstra with a heap that may hold a sample several times; the first time it comes out is the shortest way.
static uint32_t Measure( const gelSampleGraph* graph, uint32_t start, gelHeap* heap, double* distances )
{
	GEL_ASSERT( start < graph->count );
	for ( uint32_t i = 0; i < graph->count; ++i )
		distances[i] = DBL_MAX;
	gelHeap_Push( heap, MakeEntry( 0.0, 0, start ) );
	uint32_t last = start;
	while ( heap->count > 0 )
	{
		gelHeapItem top = gelHeap_Pop( heap );
		if ( distances[top.second] < DBL_MAX ) continue;
		distances[top.second] = top.key;
		last = top.second;
		for ( uint32_t k = graph->linkFirst[top.second]; k < graph->linkFirst[top.second + 1]; ++k )
		{
			uint32_t j = graph->links[k];
			if ( distances[j] < DBL_MAX ) continue;
			double step = sqrt( GetDistance2( graph->points[top.second], graph->points[j] ) );
			gelHeap_Push( heap, MakeEntry( top.key + step, 0, j ) );
		}
	}
	return last;
}

gelClusters gelChainSamples( const gelSampleGraph* graph, uint32_t wanted, gelBakePool* pool )
{
	GEL_ASSERT( wanted > 0 && graph->count > 0 );
	gelBakePool scratch = { NULL };
	double* distances = gelBakePool_Alloc( &scratch, graph->count, sizeof( double ) );
	size_t entries = 1 + (size_t)graph->linkFirst[graph->count];
	gelHeap heap = { gelBakePool_Alloc( &scratch, entries, sizeof( gelHeapItem ) ), 0, entries };
	// Two sweeps find the two ends of a tree exactly, and those of a solid rod closely enough.
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
