// SPDX-License-Identifier: MIT
// Open addressing with linear probing; an edge is found by its two points in one or two looks. Key 0 would be
// the edge from point 0 to itself, which no triangle here has, so it can mark empty slots.
#include "tetrafy/surface/surface_edges.h"

#include "tetrafy/geometry/tet_memory.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// Multiplication by the golden ratio, as Fibonacci hashing does: neighbors in a mesh have numbers in long
// runs, which a mask alone would put side by side.
static uint64_t MixKey( uint64_t key )
{
	key = ( key ^ ( key >> 32 ) ) * UINT64_C( 0x9E3779B97F4A7C15 );
	return key ^ ( key >> 29 );
}

// A power of two, filled by two thirds at most.
static uint64_t SlotCount( uint64_t items )
{
	uint64_t slots = 16;
	while ( 2 * slots < 3 * items )
		slots *= 2;
	return slots;
}

static uint64_t EdgeKey( uint32_t a, uint32_t b )
{
	GEL_ASSERT( a != b ); // an edge has two ends
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static gelSurfaceEdge* FindEdge( const gelEdgeTable* table, uint32_t a, uint32_t b )
{
	uint64_t key = EdgeKey( a, b );
	uint64_t slot = MixKey( key ) & table->mask;
	while ( table->slots[slot].key != 0 && table->slots[slot].key != key )
		slot = ( slot + 1 ) & table->mask;
	return table->slots + slot;
}

static gelEdgeTable MakeTable( uint64_t slots )
{
	return ( gelEdgeTable ){ gelTetAlloc( slots, sizeof( gelSurfaceEdge ) ), slots - 1, 0 };
}

// Moves to a table twice the size when two thirds of the slots are taken.
static void GrowWhenFull( gelEdgeTable* table )
{
	if ( 3 * table->count < 2 * table->mask ) return;
	gelEdgeTable larger = MakeTable( 2 * ( table->mask + 1 ) );
	larger.count = table->count;
	for ( uint64_t i = 0; i <= table->mask; ++i )
	{
		uint64_t key = table->slots[i].key;
		if ( key == 0 ) continue;
		*FindEdge( &larger, (uint32_t)( key >> 32 ), (uint32_t)key ) = table->slots[i];
	}
	free( table->slots );
	*table = larger;
}

gelEdgeTable gelMakeEdgeTable( const uint32_t* tris, uint32_t triCount )
{
	GEL_ASSERT( triCount == 0 || tris != NULL );
	// Euler: a closed surface has 1.5 edges per triangle. A soup has 3, and the table grows.
	gelEdgeTable table = MakeTable( SlotCount( triCount + (uint64_t)triCount / 2 ) );
	for ( uint32_t i = 0; i < triCount; ++i )
	{
		const uint32_t* t = tris + 3 * (size_t)i;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t a = t[k], b = t[( k + 1 ) % 3];
			gelSurfaceEdge* edge = FindEdge( &table, a, b );
			table.count += edge->key == 0;
			edge->key = EdgeKey( a, b );
			if ( a < b )
				edge->forward += 1;
			else
				edge->backward += 1;
		}
		GrowWhenFull( &table );
	}
	return table;
}

void gelFreeEdgeTable( gelEdgeTable* table )
{
	free( table->slots );
	*table = ( gelEdgeTable ){ 0 };
}

// A repeated triangle uses all of its three edges at least twice in its own direction; few others do.
static bool MayRepeat( const gelEdgeTable* table, const uint32_t* t )
{
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t a = t[k], b = t[( k + 1 ) % 3];
		const gelSurfaceEdge* edge = FindEdge( table, a, b );
		if ( ( a < b ? edge->forward : edge->backward ) < 2 ) return false;
	}
	return true;
}

typedef struct TriangleKey
{
	uint32_t a, b, c; // turned so that a is the smallest
	uint32_t index;
} TriangleKey;

// Rotated, not sorted: a triangle that repeats another one the other way round is the back of a sheet, and
// stays.
static TriangleKey KeyOf( const uint32_t* t, uint32_t index )
{
	int first = t[0] < t[1] ? ( t[0] < t[2] ? 0 : 2 ) : ( t[1] < t[2] ? 1 : 2 );
	return ( TriangleKey ){ t[first], t[( first + 1 ) % 3], t[( first + 2 ) % 3], index };
}

static int CompareKeys( const void* left, const void* right )
{
	const TriangleKey* x = left;
	const TriangleKey* y = right;
	if ( x->a != y->a ) return x->a < y->a ? -1 : 1;
	if ( x->b != y->b ) return x->b < y->b ? -1 : 1;
	if ( x->c != y->c ) return x->c < y->c ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

// Counts go down, the slot stays: emptying it would break the chains of probes behind it.
static void TakeOut( gelEdgeTable* table, const uint32_t* t )
{
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t a = t[k], b = t[( k + 1 ) % 3];
		gelSurfaceEdge* edge = FindEdge( table, a, b );
		if ( a < b )
			edge->forward -= 1;
		else
			edge->backward -= 1;
	}
}

uint32_t gelEdgeTable_MarkDuplicates(
	gelEdgeTable* table, const uint32_t* tris, uint32_t triCount, uint8_t* outMarks )
{
	bool clean = true; // the usual case, seen without looking up every edge again
	for ( uint64_t i = 0; i <= table->mask && clean; ++i )
		clean = table->slots[i].forward < 2 && table->slots[i].backward < 2;
	if ( clean ) return 0;

	uint32_t suspects = 0;
	for ( uint32_t i = 0; i < triCount; ++i )
		suspects += MayRepeat( table, tris + 3 * (size_t)i );
	if ( suspects == 0 ) return 0;

	TriangleKey* keys = gelTetAlloc( suspects, sizeof( TriangleKey ) );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < triCount; ++i )
		if ( MayRepeat( table, tris + 3 * (size_t)i ) ) keys[count++] = KeyOf( tris + 3 * (size_t)i, i );
	qsort( keys, suspects, sizeof( TriangleKey ), CompareKeys );

	uint32_t repeated = 0;
	for ( uint32_t i = 1; i < suspects; ++i )
	{
		const TriangleKey *x = keys + i - 1, *y = keys + i;
		if ( x->a != y->a || x->b != y->b || x->c != y->c ) continue;
		outMarks[y->index] = 1;
		TakeOut( table, tris + 3 * (size_t)y->index );
		repeated += 1;
	}
	free( keys );
	return repeated;
}

void gelEdgeTable_MarkUnbalanced( const gelEdgeTable* table, uint8_t* outMarks )
{
	for ( uint64_t i = 0; i <= table->mask; ++i )
	{
		const gelSurfaceEdge* edge = table->slots + i;
		if ( edge->forward == edge->backward ) continue;
		outMarks[edge->key >> 32] = 1;
		outMarks[(uint32_t)edge->key] = 1;
	}
}

gelEdgeCounts gelEdgeTable_Count( const gelEdgeTable* table, const uint32_t* tris, uint32_t triCount )
{
	gelEdgeCounts counts = { 0 };
	for ( uint64_t i = 0; i <= table->mask; ++i )
	{
		uint32_t forward = table->slots[i].forward, backward = table->slots[i].backward;
		counts.total += forward + backward > 0;
		counts.open += forward + backward == 1;
		counts.nonManifold += forward + backward > 2;
		counts.flipped += forward + backward == 2 && forward != 1;
		counts.unbalanced += forward != backward;
	}
	// A second walk, by triangle, for places: the order of the table is that of its hash, and says nothing to
	// anybody.
	bool openFound = counts.open == 0, manyFound = counts.nonManifold == 0,
		 flippedFound = counts.flipped == 0;
	for ( size_t i = 0; i < 3 * (size_t)triCount && !( openFound && manyFound && flippedFound ); ++i )
	{
		uint32_t a = tris[i], b = tris[i % 3 == 2 ? i - 2 : i + 1];
		const gelSurfaceEdge* edge = FindEdge( table, a, b );
		uint32_t uses = edge->forward + edge->backward;
		if ( !openFound && uses == 1 ) counts.firstOpen = a, openFound = true;
		if ( !manyFound && uses > 2 ) counts.firstNonManifold = a, manyFound = true;
		if ( !flippedFound && uses == 2 && edge->forward != 1 ) counts.firstFlipped = a, flippedFound = true;
	}
	return counts;
}
