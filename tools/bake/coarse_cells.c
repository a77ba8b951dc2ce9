// SPDX-License-Identifier: MIT
// Fewer cells for art of few triangles. Where triangles are larger than tets, the cuts outnumber the art; a
// coarser cage over the same nodes makes fewer of them. Inner nodes are merged into a neighbour one by one,
// as long as the tets that are left are positive and well shaped. The outside of the cage stays as it is, so
// it bounds the art as before, and the cells are still deformed by nodes that are simulated. What is lost:
// inside a cell the surface no longer follows each tet of the cage, so when the body bends, collision and
// picture differ by as much as one linear function differs from several.
#include "cdg.h"

#include "exact_orient.h"

#include <string.h>

#define GEL_COARSE_PASSES  32
#define GEL_COARSE_QUALITY 0.1 // of 1 for a regular tet; thinner ones only where the cage has them too

typedef struct Coarsener
{
	const gelDvec* nodes;
	uint32_t nodeCount, tetCount;
	gelPackTet* tets;
	bool* alive;      // per tet
	bool* touched;    // per tet, in the present pass
	bool* outside;    // per node
	uint32_t* first;  // [nodeCount + 2] into around
	uint32_t* around; // tets around each node
} Coarsener;

static bool Has( const gelPackTet* tet, uint32_t node )
{
	return tet->node[0] == node || tet->node[1] == node || tet->node[2] == node || tet->node[3] == node;
}

// 1 for a regular tet; negative or 0: not positive, exactly.
static double Quality( const Coarsener* c, const uint32_t n[4] )
{
	const gelDvec* x = c->nodes;
	if ( gelOrient3d( x[n[0]], x[n[1]], x[n[2]], x[n[3]] ) <= 0 ) return -1.0;
	double longest = 0.0;
	for ( int i = 0; i < 6; ++i )
	{
		gelDvec d = gelDvec_Sub( x[n[GEL_CELL_EDGE[i][0]]], x[n[GEL_CELL_EDGE[i][1]]] );
		longest = gelMax( longest, gelDvec_Dot( d, d ) );
	}
	gelDvec u = gelDvec_Sub( x[n[1]], x[n[0]] ), v = gelDvec_Sub( x[n[2]], x[n[0]] );
	gelDvec w = gelDvec_Sub( x[n[3]], x[n[0]] );
	return 1.4142135623730951 * gelDvec_Dot( u, gelDvec_Cross( v, w ) ) / ( longest * sqrt( longest ) );
}

// Worst quality of the tets around a node when it is moved to another one (or stays, with the same node).
static double RateMove( const Coarsener* c, uint32_t node, uint32_t to )
{
	double worst = INFINITY;
	for ( uint32_t i = c->first[node]; i < c->first[node + 1]; ++i )
	{
		gelPackTet tet = c->tets[c->around[i]];
		if ( to != node && Has( &tet, to ) ) continue; // it vanishes
		for ( int k = 0; k < 4; ++k )
		{
			if ( tet.node[k] == node ) tet.node[k] = to;
		}
		worst = gelMin( worst, Quality( c, tet.node ) );
	}
	return worst;
}

static void ListAround( Coarsener* c )
{
	memset( c->first, 0, ( (size_t)c->nodeCount + 2 ) * sizeof( uint32_t ) );
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t i = 0; i < 4 * c->tetCount; ++i )
		{
			if ( !c->alive[i / 4] ) continue;
			uint32_t node = c->tets[i / 4].node[i % 4];
			if ( pass == 0 )
				c->first[node + 2] += 1;
			else
				c->around[c->first[node + 1]++] = i / 4;
		}
		for ( uint32_t i = 2; i < c->nodeCount + 2 && pass == 0; ++i )
		{
			c->first[i] += c->first[i - 1];
		}
	}
}

static bool IsFree( const Coarsener* c, uint32_t node )
{
	bool free = !c->outside[node] && c->first[node] < c->first[node + 1];
	for ( uint32_t i = c->first[node]; i < c->first[node + 1]; ++i )
	{
		free = free && !c->touched[c->around[i]];
	}
	return free;
}

// Merges a node into the neighbour that leaves the best tets, if they are good enough.
static bool MergeNode( Coarsener* c, uint32_t node )
{
	uint32_t best = GEL_NO_INDEX;
	double bestQuality = gelMin( GEL_COARSE_QUALITY, RateMove( c, node, node ) );
	for ( uint32_t i = 4 * c->first[node]; i < 4 * c->first[node + 1]; ++i )
	{
		uint32_t to = c->tets[c->around[i / 4]].node[i % 4];
		if ( to == node || to == best ) continue;
		double quality = RateMove( c, node, to );
		if ( quality < bestQuality || ( quality == bestQuality && best != GEL_NO_INDEX && to > best ) )
			continue;
		best = to;
		bestQuality = quality;
	}
	if ( best == GEL_NO_INDEX || bestQuality <= 0.0 ) return false;
	for ( uint32_t i = c->first[node]; i < c->first[node + 1]; ++i )
	{
		gelPackTet* tet = c->tets + c->around[i];
		c->touched[c->around[i]] = true;
		c->alive[c->around[i]] = !Has( tet, best );
		for ( int k = 0; k < 4; ++k )
		{
			if ( tet->node[k] == node ) tet->node[k] = best;
		}
	}
	return true;
}

static void MarkOutside( Coarsener* c, const gelCdgCage* cage )
{
	for ( uint32_t i = 0; i < 4 * cage->tetCount; ++i )
	{
		if ( cage->neighbors[i] != GEL_NO_INDEX ) continue;
		for ( int k = 0; k < 3; ++k )
		{
			c->outside[cage->tets[i / 4].node[GEL_CELL_FACE[i % 4][k]]] = true;
		}
	}
}

uint32_t gelCoarsenCells( const gelCdgCage* cage, gelBakePool* pool, gelPackTet** outTets )
{
	gelBakePool scratch = { NULL };
	Coarsener c = { .nodes = cage->nodes, .nodeCount = cage->nodeCount, .tetCount = cage->tetCount };
	c.tets = gelBakePool_Alloc( pool, cage->tetCount, sizeof( gelPackTet ) );
	c.alive = gelBakePool_Alloc( &scratch, cage->tetCount, sizeof( bool ) );
	c.touched = gelBakePool_Alloc( &scratch, cage->tetCount, sizeof( bool ) );
	c.outside = gelBakePool_Alloc( &scratch, cage->nodeCount, sizeof( bool ) );
	c.first = gelBakePool_Alloc( &scratch, (size_t)cage->nodeCount + 2, sizeof( uint32_t ) );
	c.around = gelBakePool_Alloc( &scratch, 4 * (size_t)cage->tetCount, sizeof( uint32_t ) );
	memcpy( c.tets, cage->tets, cage->tetCount * sizeof( gelPackTet ) );
	memset( c.alive, 1, cage->tetCount * sizeof( bool ) );
	MarkOutside( &c, cage );
	// Nodes that share a tet wait for the next pass: the lists are of the tets as they were.
	bool changed = true;
	for ( int pass = 0; pass < GEL_COARSE_PASSES && changed; ++pass )
	{
		ListAround( &c );
		memset( c.touched, 0, cage->tetCount * sizeof( bool ) );
		changed = false;
		for ( uint32_t node = 0; node < cage->nodeCount; ++node )
		{
			if ( IsFree( &c, node ) && MergeNode( &c, node ) ) changed = true;
		}
	}
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
	{
		if ( c.alive[i] ) c.tets[kept++] = c.tets[i];
	}
	gelFreeBakePool( &scratch );
	*outTets = c.tets;
	return kept;
}
