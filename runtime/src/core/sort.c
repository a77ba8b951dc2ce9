// SPDX-License-Identifier: MIT
#include "core/sort.h"

#include "core/core.h"

#include <string.h>

typedef struct Heap
{
	char* items;
	size_t bytes; // per item
	gelCompareFcn* compare;
	const void* context;
} Heap;

static int Compare( const Heap* heap, size_t a, size_t b )
{
	return heap->compare( heap->items + a * heap->bytes, heap->items + b * heap->bytes, heap->context );
}

static void Swap( const Heap* heap, size_t a, size_t b )
{
	char moved[GEL_MAX_SORT_BYTES];
	memcpy( moved, heap->items + a * heap->bytes, heap->bytes );
	memcpy( heap->items + a * heap->bytes, heap->items + b * heap->bytes, heap->bytes );
	memcpy( heap->items + b * heap->bytes, moved, heap->bytes );
}

// No child comes behind its parent.
static void SiftDown( const Heap* heap, size_t root, size_t count )
{
	for ( size_t child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && Compare( heap, child, child + 1 ) < 0 ) ++child;
		if ( Compare( heap, root, child ) >= 0 ) return;
		Swap( heap, root, child );
		root = child;
	}
}

void gelSort( void* items, size_t count, size_t bytes, gelCompareFcn* compare, const void* context )
{
	GEL_ASSERT( bytes <= GEL_MAX_SORT_BYTES );
	Heap heap = { items, bytes, compare, context };
	for ( size_t i = count / 2; i-- > 0; )
		SiftDown( &heap, i, count );
	for ( size_t last = count; last-- > 1; )
	{
		Swap( &heap, 0, last );
		SiftDown( &heap, 0, last );
	}
}
