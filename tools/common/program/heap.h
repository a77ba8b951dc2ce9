// SPDX-License-Identifier: MIT
// A binary heap, the least item on top, in memory that its owner provides.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Items are ordered by key, then first, then second, then the sum of the stamps.
typedef struct gelHeapItem
{
	double key;
	uint32_t first, second;
	uint32_t stamps[2]; // stamps by the owner, such as to recognize items that are out of date
} gelHeapItem;

typedef struct gelHeap
{
	gelHeapItem* items;
	size_t count, capacity;
} gelHeap;

static inline bool gelHeapItem_IsBefore( const gelHeapItem* a, const gelHeapItem* b )
{
	if ( a->key != b->key ) return a->key < b->key;
	if ( a->first != b->first ) return a->first < b->first;
	if ( a->second != b->second ) return a->second < b->second;
	return a->stamps[0] + a->stamps[1] < b->stamps[0] + b->stamps[1];
}

/// There must be room for it.
static inline void gelHeap_Push( gelHeap* heap, gelHeapItem item )
{
	size_t i = heap->count++;
	for ( ; i > 0 && gelHeapItem_IsBefore( &item, heap->items + ( i - 1 ) / 2 ); i = ( i - 1 ) / 2 )
		heap->items[i] = heap->items[( i - 1 ) / 2];
	heap->items[i] = item;
}

/// The least item, of at least one.
static inline gelHeapItem gelHeap_Pop( gelHeap* heap )
{
	gelHeapItem top = heap->items[0], last = heap->items[--heap->count];
	size_t i = 0;
	for ( size_t child = 1; child < heap->count; child = 2 * i + 1 )
	{
		if ( child + 1 < heap->count && gelHeapItem_IsBefore( heap->items + child + 1, heap->items + child ) )
			++child;
		if ( !gelHeapItem_IsBefore( heap->items + child, &last ) ) break;
		heap->items[i] = heap->items[child];
		i = child;
	}
	heap->items[i] = last;
	return top;
}
