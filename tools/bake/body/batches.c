// SPDX-License-Identifier: MIT
// The order of the volume sweep: batches of eight tets without common nodes, which the runtime solves at the
// same time. Coloring the whole cage would give as many colors as the busiest node has tets, half empty
// batches in small cages, and sweeps across the whole cage in large ones. Instead windows of tets that follow
// each other are dealt out, so that a batch and those after it find their nodes in the cache.
//
// In a window each batch takes the tets whose nodes are busiest: the number of tets left around the busiest
// node is the number of batches that are still needed, so it has to sink with every batch. Keeping batches
// that follow each other apart as well was tried and gained nothing.
#include "bake/body/body_passes.h"

#include <gelpack/asserts.h>

// Tets per window: some hundred nodes, half of a first-level cache with all that a sweep reads.
#define GEL_BATCH_WINDOW 1024u

typedef struct Window
{
	const gelBakeCage* cage;
	uint32_t* left; // tets of the window, ascending
	uint32_t leftCount;
	uint32_t* busy;     // per node: tets of the window around it that are left
	uint32_t* lastUsed; // per node: 1 + the last batch that it is in
} Window;

static bool IsFree( const Window* w, uint32_t tet, uint32_t stamp )
{
	const uint32_t* node = w->cage->tets[tet].node;
	return w->lastUsed[node[0]] != stamp && w->lastUsed[node[1]] != stamp && w->lastUsed[node[2]] != stamp &&
		w->lastUsed[node[3]] != stamp;
}

// The busiest node decides, then the sum of all four.
static uint32_t GetUrgency( const Window* w, uint32_t tet )
{
	uint32_t most = 0, sum = 0;
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t busy = w->busy[w->cage->tets[tet].node[k]];
		most = busy > most ? busy : most;
		sum += busy;
	}
	// Two keys in one number. The sum of four is at most four times the most, so 12 bits are not always
	// enough; nodes that busy are rare, and the order among them does not matter.
	return most < 65536 ? 4096 * most + sum : 65536u * 4096;
}

// Position of the most urgent free tet in left[], or GEL_NO_INDEX; the first of several.
static uint32_t FindUrgent( const Window* w, uint32_t stamp )
{
	uint32_t best = GEL_NO_INDEX, bestUrgency = 0;
	for ( uint32_t i = 0; i < w->leftCount; ++i )
	{
		if ( !IsFree( w, w->left[i], stamp ) ) continue;
		uint32_t urgency = GetUrgency( w, w->left[i] );
		if ( best != GEL_NO_INDEX && urgency <= bestUrgency ) continue;
		best = i;
		bestUrgency = urgency;
	}
	return best;
}

static void FillBatch( Window* w, uint32_t stamp, uint32_t* slots )
{
	for ( uint32_t lane = 0; lane < GEL_PACK_LANES; ++lane )
	{
		uint32_t i = FindUrgent( w, stamp );
		slots[lane] = i == GEL_NO_INDEX ? GEL_PACK_NO_TET : w->left[i];
		if ( i == GEL_NO_INDEX ) continue;
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t node = w->cage->tets[slots[lane]].node[k];
			w->lastUsed[node] = stamp;
			w->busy[node] -= 1;
		}
		// The order of the list stays, because ties go to the first. Moving some thousand numbers eight times
		// per batch is nothing against the search.
		w->leftCount -= 1;
		for ( uint32_t j = i; j < w->leftCount; ++j )
			w->left[j] = w->left[j + 1];
	}
}

gelBakeBatches gelBuildBatches( const gelBakeCage* cage, gelBakePool* pool )
{
	GEL_ASSERT( cage->tetCount > 0 );
	gelBakePool scratch = { NULL };
	// at worst every tet is alone
	uint32_t* slots = gelBakePool_Alloc( pool, (size_t)cage->tetCount * GEL_PACK_LANES, sizeof( uint32_t ) );
	Window w = { .cage = cage };
	w.left = gelBakePool_Alloc( &scratch, GEL_BATCH_WINDOW, sizeof( uint32_t ) );
	w.busy = gelBakePool_Alloc( &scratch, cage->nodeCount, sizeof( uint32_t ) );
	w.lastUsed = gelBakePool_Alloc( &scratch, cage->nodeCount, sizeof( uint32_t ) );
	uint32_t slotCount = 0;
	for ( uint32_t first = 0; first < cage->tetCount; first += GEL_BATCH_WINDOW )
	{
		for ( uint32_t t = first; t < cage->tetCount && t < first + GEL_BATCH_WINDOW; ++t )
		{
			w.left[w.leftCount++] = t;
			for ( int k = 0; k < 4; ++k )
				w.busy[cage->tets[t].node[k]] += 1;
		}
		while ( w.leftCount > 0 )
		{
			FillBatch( &w, slotCount / GEL_PACK_LANES + 1, slots + slotCount );
			slotCount += GEL_PACK_LANES;
		}
	}
	gelFreeBakePool( &scratch );
	return ( gelBakeBatches ){ slotCount, slots };
}
