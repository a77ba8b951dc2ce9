// SPDX-License-Identifier: MIT
// The order of nodes and tets in the pack. A step reads the tets one after the other and the nodes where the
// tets want them, so tets that follow each other should be neighbors in space, and so should nodes. Tets are
// taken along a Hilbert curve through their centers, nodes in the order in which these tets first touch them.
//
// Cages of generators are often as good already, and small ones fit into a first-level cache in any order:
// they stay as they are. What decides is how many cache lines of nodes a run of tets touches.
#include "bake/body/body_passes.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// Tets per run: as in the volume sweep (batches.c), what the first-level cache holds with all of their data.
#define GEL_LAYOUT_RUN 1024u
// Nodes per cache line of 64 bytes: a node is four floats.
#define GEL_LAYOUT_LINE 4u
// The curve has to save a tenth of them. The orders of generators of boxes and of the cage mesher touch 0.9
// to 1.05 times as many lines as the curve and are no slower; shuffled cages touch 2 to 27 times as many.
#define GEL_LAYOUT_GAIN 0.9
// Cells per axis: 2^GEL_CURVE_BITS.
#define GEL_CURVE_BITS 16

typedef struct TetPlace
{
	uint64_t place; // along the curve
	uint32_t tet;
} TetPlace;

static int ComparePlaces( const void* a, const void* b )
{
	const TetPlace *x = a, *y = b;
	if ( x->place != y->place ) return x->place < y->place ? -1 : 1;
	return x->tet < y->tet ? -1 : x->tet > y->tet;
}

// How far along the Hilbert curve a cell is (Skilling 2004, "Programming the Hilbert curve": the transpose of
// its distance, bit by bit).
static uint64_t FindOnCurve( uint32_t cell[3] )
{
	GEL_ASSERT( cell[0] >> GEL_CURVE_BITS == 0 && cell[1] >> GEL_CURVE_BITS == 0 );
	for ( uint32_t q = 1u << ( GEL_CURVE_BITS - 1 ); q > 1; q >>= 1 )
	{
		// Skilling's inverse undo: the upper bits decide how the cube below them is turned and mirrored.
		for ( int i = 0; i < 3; ++i )
		{
			uint32_t low = q - 1, t = ( cell[0] ^ cell[i] ) & low;
			bool isSet = ( cell[i] & q ) != 0;
			cell[0] ^= isSet ? low : t;
			cell[i] ^= isSet ? 0 : t;
		}
	}
	// Gray code.
	cell[1] ^= cell[0];
	cell[2] ^= cell[1];
	uint32_t t = 0;
	for ( uint32_t q = 1u << ( GEL_CURVE_BITS - 1 ); q > 1; q >>= 1 )
		t ^= ( cell[2] & q ) != 0 ? q - 1 : 0;
	uint64_t place = 0;
	for ( int bit = GEL_CURVE_BITS - 1; bit >= 0; --bit )
	{
		for ( int i = 0; i < 3; ++i )
			place = place << 1 | ( ( cell[i] ^ t ) >> bit & 1 );
	}
	return place;
}

// A cube around all nodes. @return its side [m], not zero
static double FindCube( const gelBakeCage* cage, double low[3] )
{
	double high[3];
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		const double x[3] = { (double)cage->nodes[i].x, (double)cage->nodes[i].y, (double)cage->nodes[i].z };
		for ( int c = 0; c < 3; ++c )
		{
			low[c] = i == 0 || x[c] < low[c] ? x[c] : low[c];
			high[c] = i == 0 || x[c] > high[c] ? x[c] : high[c];
		}
	}
	double size = 0.0;
	for ( int c = 0; c < 3; ++c )
		size = high[c] - low[c] > size ? high[c] - low[c] : size;
	return size > 0.0 ? size : 1.0; // all in one point: rest_shape.c will say so
}

// @return [tetCount]: the tets along the curve; those in the same place in the order of the cage
static uint32_t* OrderTets( const gelBakeCage* cage, gelBakePool* scratch, gelBakePool* pool )
{
	TetPlace* places = gelBakePool_Alloc( scratch, cage->tetCount, sizeof( TetPlace ) );
	double low[3];
	const double scale = (double)( ( 1u << GEL_CURVE_BITS ) - 1 ) / FindCube( cage, low );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		double center[3] = { 0.0, 0.0, 0.0 };
		for ( int k = 0; k < 4; ++k )
		{
			const gelPackNode* node = cage->nodes + cage->tets[t].node[k];
			center[0] += 0.25 * ( (double)node->x - low[0] );
			center[1] += 0.25 * ( (double)node->y - low[1] );
			center[2] += 0.25 * ( (double)node->z - low[2] );
		}
		uint32_t cell[3];
		for ( int c = 0; c < 3; ++c )
			cell[c] = (uint32_t)( scale * center[c] );
		places[t] = ( TetPlace ){ FindOnCurve( cell ), t };
	}
	qsort( places, cage->tetCount, sizeof( TetPlace ), ComparePlaces );
	uint32_t* order = gelBakePool_Alloc( pool, cage->tetCount, sizeof( uint32_t ) );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
		order[t] = places[t].tet;
	return order;
}

// Lines of nodes, summed over runs of tets.
static uint64_t CountLines( const gelPackTet* tets, uint32_t tetCount, uint32_t nodeCount )
{
	gelBakePool scratch = { NULL };
	uint32_t* lastRun = gelBakePool_Alloc( &scratch, nodeCount / GEL_LAYOUT_LINE + 1, sizeof( uint32_t ) );
	uint64_t count = 0;
	for ( size_t i = 0; i < 4 * (size_t)tetCount; ++i )
	{
		// Runs count from 1, so that fresh memory means "never".
		uint32_t run = 1 + (uint32_t)( i / 4 ) / GEL_LAYOUT_RUN;
		uint32_t* last = lastRun + tets[i / 4].node[i % 4] / GEL_LAYOUT_LINE;
		count += *last != run;
		*last = run;
	}
	gelFreeBakePool( &scratch );
	return count;
}

// Tets in a new order over nodes that they number as they come.
static gelPackTet* RenumberTets(
	const gelBakeCage* cage, const uint32_t* order, uint32_t* sourceNodes, gelBakePool* pool )
{
	gelBakePool scratch = { NULL };
	uint32_t* number = gelBakePool_Alloc( &scratch, cage->nodeCount, sizeof( uint32_t ) ); // 0: none yet
	gelPackTet* tets = gelBakePool_Alloc( pool, cage->tetCount, sizeof( gelPackTet ) );
	uint32_t count = 0;
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
	{
		uint32_t source = cage->tets[order[i / 4]].node[i % 4];
		if ( number[source] == 0 )
		{
			sourceNodes[count++] = source;
			number[source] = count;
		}
		tets[i / 4].node[i % 4] = number[source] - 1;
	}
	gelFreeBakePool( &scratch );
	return tets;
}

void gelOrderCage( gelBakeCage* cage, gelBakePool* pool )
{
	GEL_ASSERT( cage->sourceNodes == NULL && cage->sourceTets == NULL ); // ordered once
	if ( cage->tetCount <= GEL_LAYOUT_RUN ) return;
	gelBakePool scratch = { NULL };
	uint32_t* sourceTets = OrderTets( cage, &scratch, pool );
	uint32_t* sourceNodes = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( uint32_t ) );
	gelPackTet* tets = RenumberTets( cage, sourceTets, sourceNodes, pool );
	gelFreeBakePool( &scratch );
	uint64_t before = CountLines( cage->tets, cage->tetCount, cage->nodeCount );
	uint64_t after = CountLines( tets, cage->tetCount, cage->nodeCount );
	// Leaving the cage alone when nothing is gained keeps numbers of nodes that users know, and the pack
	// without NSRC and TSRC.
	if ( (double)after > GEL_LAYOUT_GAIN * (double)before ) return;
	gelPackNode* nodes = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( gelPackNode ) );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
		nodes[i] = cage->nodes[sourceNodes[i]];
	cage->nodes = nodes;
	cage->tets = tets;
	cage->sourceNodes = sourceNodes;
	cage->sourceTets = sourceTets;
}

static int CompareNodes( const void* a, const void* b )
{
	uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
	return x < y ? -1 : x > y;
}

gelBakePinSet gelOrderPins( const gelBakeCage* cage, const gelBakePinSet* pins, gelBakePool* pool )
{
	GEL_ASSERT( pins->nodeCount <= cage->nodeCount );
	if ( cage->sourceNodes == NULL ) return *pins;
	gelBakePool scratch = { NULL };
	uint32_t* number = gelBakePool_Alloc( &scratch, cage->nodeCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
		number[cage->sourceNodes[i]] = i;
	gelBakePinSet out = { gelBakePool_Alloc( pool, pins->nodeCount, sizeof( uint32_t ) ), pins->nodeCount };
	for ( uint32_t i = 0; i < pins->nodeCount; ++i )
		out.nodes[i] = number[pins->nodes[i]];
	qsort( out.nodes, out.nodeCount, sizeof( uint32_t ), CompareNodes );
	gelFreeBakePool( &scratch );
	return out;
}

uint32_t gelGetSourceTet( const gelBakeCage* cage, uint32_t tet )
{
	GEL_ASSERT( tet < cage->tetCount );
	return cage->sourceTets != NULL ? cage->sourceTets[tet] : tet;
}

uint32_t gelGetSourceNode( const gelBakeCage* cage, uint32_t node )
{
	GEL_ASSERT( node < cage->nodeCount );
	return cage->sourceNodes != NULL ? cage->sourceNodes[node] : node;
}

// ---- tets around each node --------------------------------------------------------------------------------

// The (tet, corner) pairs around each node. The runtime gathers forces through them instead of scattering,
// which needs no atomics and adds in one fixed order.
gelBakeGather gelBuildGather( const gelBakeCage* cage, gelBakePool* pool )
{
	GEL_ASSERT( cage->tetCount <= GEL_PACK_MAX_TETS );
	gelBakeGather gather;
	gather.nodeFirst = gelBakePool_Alloc( pool, (size_t)cage->nodeCount + 1, sizeof( uint32_t ) );
	gather.corners = gelBakePool_Alloc( pool, 4 * (size_t)cage->tetCount, sizeof( uint32_t ) );
	const uint32_t cornerCount = 4 * cage->tetCount;
	for ( uint32_t i = 0; i < cornerCount; ++i )
		gather.nodeFirst[cage->tets[i / 4].node[i % 4] + 1] += 1;
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
		gather.nodeFirst[i + 1] += gather.nodeFirst[i];
	// ascending corners are dealt out in order, so they ascend inside each node as well
	uint32_t* cursor = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < cornerCount; ++i )
	{
		uint32_t node = cage->tets[i / 4].node[i % 4];
		gather.corners[gather.nodeFirst[node] + cursor[node]++] = i;
	}
	return gather;
}
