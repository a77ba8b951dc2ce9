// SPDX-License-Identifier: MIT
// Heap sort: no memory, no worst case. qsort may have both, and orders equal items differently from library
// to library.
#pragma once

#include <stddef.h>

/// Below 0: a comes before b.
typedef int gelCompareFcn( const void* a, const void* b, const void* context );

/// Largest item of gelSort [bytes].
#define GEL_MAX_SORT_BYTES 64

/// Sorts items in place. The order of equal items depends on nothing but where they were.
/// @param bytes of an item, GEL_MAX_SORT_BYTES at most @param context for compare
void gelSort( void* items, size_t count, size_t bytes, gelCompareFcn* compare, const void* context );
