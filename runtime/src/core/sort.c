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

static char* GetItem( const Heap* heap, size_t i )
{
	return heap->items + i * heap->bytes;
}

// Most items are whole words: a copy without a call.
static void Copy( void* to, const void* from, size_t bytes )
{
	if ( bytes % sizeof( uint64_t ) != 0 )
	{
		memcpy( to, from, bytes );
		return;
	}
	for ( size_t i = 0; i < bytes; i += sizeof( uint64_t ) )
		memcpy( (char*)to + i, (const char*)from + i, sizeof( uint64_t ) );
}

// No child comes behind its parent: the item at the root, or one that takes its place, goes down until then.
static void SiftDown( const Heap* heap, const char* item, size_t root, size_t count )
{
	for ( size_t child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		char* larger = GetItem( heap, child );
		if ( child + 1 < count && heap->compare( larger, larger + heap->bytes, heap->context ) < 0 )
		{
			++child;
			larger += heap->bytes;
		}
		if ( heap->compare( item, larger, heap->context ) >= 0 ) break;
		Copy( GetItem( heap, root ), larger, heap->bytes );
		root = child;
	}
	Copy( GetItem( heap, root ), item, heap->bytes );
}

void gelSort( void* items, size_t count, size_t bytes, gelCompareFcn* compare, const void* context )
{
	GEL_ASSERT( bytes <= GEL_MAX_SORT_BYTES );
	Heap heap = { items, bytes, compare, context };
	char item[GEL_MAX_SORT_BYTES];
	for ( size_t i = count / 2; i-- > 0; )
	{
		Copy( item, GetItem( &heap, i ), bytes );
		SiftDown( &heap, item, i, count );
	}
	for ( size_t last = count; last-- > 1; )
	{
		Copy( item, GetItem( &heap, last ), bytes );
		Copy( GetItem( &heap, last ), items, bytes );
		SiftDown( &heap, item, 0, last );
	}
}
