// SPDX-License-Identifier: MIT
// Trees of bounds in the weights of a tet's nodes. They hold for every deformation of the tet, so they are
// built once. The tree has no pointers: it is the order of the triangles (formats/pack.md section 10).
#include "bake/surface/cdg.h"

#include "pack/pack_read_cdg.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>

// A b-DOP is { w : low_k <= w_k <= high_k, sum w = 1 } (Civit-Flores 5.4.2). Weights are in [0, 1], so the
// empty one is turned inside out within that range.
gelBdop gelBdop_Empty( void )
{
	return ( gelBdop ){ { 1.0f, 1.0f, 1.0f, 1.0f }, { 0.0f, 0.0f, 0.0f, 0.0f } };
}

void gelBdop_Add( gelBdop* bounds, const float weights[4] )
{
	for ( int k = 0; k < 4; ++k )
	{
		bounds->low[k] = weights[k] < bounds->low[k] ? weights[k] : bounds->low[k];
		bounds->high[k] = weights[k] > bounds->high[k] ? weights[k] : bounds->high[k];
	}
}

static void JoinBounds( gelBdop* bounds, const gelBdop* other )
{
	for ( int k = 0; k < 4; ++k )
	{
		bounds->low[k] = other->low[k] < bounds->low[k] ? other->low[k] : bounds->low[k];
		bounds->high[k] = other->high[k] > bounds->high[k] ? other->high[k] : bounds->high[k];
	}
}

// Eight bits per bound, never inside of the true one: low' = floor(256 low) / 256, high' = ceil(256 high) /
// 256, stored less one so that 1 fits. Bytes 0 to 3 are low, 4 to 7 high; the reader allows low' = high' + 1,
// which a single value makes. Bounds grow by half on average in a patch of 7200 triangles.
uint64_t gelBdop_Quantize( const gelBdop* bounds )
{
	uint64_t bits = 0;
	for ( int k = 0; k < 4; ++k )
	{
		// 256 x is exact, so the roundings are too
		float low = floorf( 256.0f * bounds->low[k] ), high = ceilf( 256.0f * bounds->high[k] ) - 1.0f;
		low = low > 255.0f ? 255.0f : low;
		high = high < 0.0f ? 0.0f : high;
		bits |= (uint64_t)low << 8 * k | (uint64_t)high << ( 32 + 8 * k );
	}
	return bits;
}

// Sum of the four widths, 0 to 4. A volume would be 0 for every flat triangle along an axis.
static double Size( const gelBdop* b )
{
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += (double)b->high[k] - (double)b->low[k];
	return sum;
}

typedef struct Element
{
	gelBdop bounds;
	uint32_t item;
	float middle; // twice the center along the axis of the present range
} Element;

static int CompareElements( const void* left, const void* right )
{
	const Element *a = left, *b = right;
	if ( a->middle != b->middle ) return a->middle < b->middle ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

static void Swap( Element* a, Element* b )
{
	Element t = *a;
	*a = *b;
	*b = t;
}

// Puts the lower half in front: elements before `middle` compare less than those from it on. Quickselect with
// the median of three; where its choices are bad again and again, a sort.
static void DivideAt( Element* e, uint32_t count, uint32_t middle )
{
	GEL_ASSERT( middle > 0 && middle < count );
	uint32_t first = 0, end = count, rounds = 0;
	while ( end - first > 8 )
	{
		if ( ++rounds > 64 ) break;
		Element *low = e + first, *high = e + end - 1, *pivot = e + first + ( end - first ) / 2;
		if ( CompareElements( pivot, low ) < 0 ) Swap( pivot, low );
		if ( CompareElements( high, pivot ) < 0 ) Swap( high, pivot );
		if ( CompareElements( pivot, low ) < 0 ) Swap( pivot, low );
		Swap( pivot, high - 1 );
		uint32_t kept = first + 1;
		for ( uint32_t i = first + 1; i < end - 2; ++i )
		{
			if ( CompareElements( e + i, high - 1 ) < 0 ) Swap( e + i, e + kept++ );
		}
		Swap( e + kept, high - 1 );
		if ( kept == middle ) return;
		if ( kept < middle )
			first = kept + 1;
		else
			end = kept;
	}
	qsort( e + first, end - first, sizeof( Element ), CompareElements );
}

// The largest triangle becomes the node: it inflates no child then.
static void PutLargestFirst( Element* e, uint32_t count )
{
	uint32_t best = 0;
	double bestSize = -1.0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		double size = Size( &e[i].bounds );
		if ( size < bestSize || ( size == bestSize && e[i].item > e[best].item ) ) continue;
		best = i;
		bestSize = size;
	}
	Swap( e, e + best );
}

// One node of the tree: its bounds are those of the whole range, its own triangle stands first and stays, the
// rest is divided at the median along the widest weight (Civit-Flores 5.4.2; there any triangle is the node).
static gelBdop OrderRange( Element* e, uint32_t count )
{
	gelBdop all = e[0].bounds;
	for ( uint32_t i = 1; i < count; ++i )
		JoinBounds( &all, &e[i].bounds );
	PutLargestFirst( e, count );
	if ( count < 3 ) return all; // one child at most: nothing to divide
	int axis = 0;
	for ( int k = 1; k < 4; ++k )
	{
		if ( all.high[k] - all.low[k] > all.high[axis] - all.low[axis] ) axis = k;
	}
	for ( uint32_t i = 1; i < count; ++i )
		e[i].middle = e[i].bounds.low[axis] + e[i].bounds.high[axis];
	DivideAt( e + 1, count - 1, ( count - 1 ) / 2 );
	return all;
}

void gelBuildBdopTree( gelBdop* bounds, uint32_t* items, uint32_t count, uint64_t* outBounds )
{
	GEL_ASSERT( count > 0 );
	gelBakePool scratch = { NULL };
	Element* elements = gelBakePool_Alloc( &scratch, count, sizeof( Element ) );
	for ( uint32_t i = 0; i < count; ++i )
		elements[i] = ( Element ){ bounds[i], items[i], 0.0f };
	gelCdgRange stack[GEL_CDG_MAX_DEPTH];
	uint32_t top = 0;
	stack[top++] = ( gelCdgRange ){ 0, count };
	while ( top > 0 )
	{
		gelCdgRange range = stack[--top], child[2];
		gelBdop all = OrderRange( elements + range.first, range.end - range.first );
		outBounds[range.first] = gelBdop_Quantize( &all );
		gelCdgRange_Split( range, child, child + 1 );
		for ( int k = 0; k < 2; ++k )
		{
			if ( child[k].first < child[k].end ) stack[top++] = child[k];
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bounds[i] = elements[i].bounds;
		items[i] = elements[i].item;
	}
	gelFreeBakePool( &scratch );
}
