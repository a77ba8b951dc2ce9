// SPDX-License-Identifier: MIT
// Disjoint sets: each item has the index of a parent in its set, the root its own. The root is the lowest
// item.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The parents of items: one uint32_t each, in an array of anything.
typedef struct gelForest
{
	void* first;   // parent of item 0
	size_t stride; // from one to the next [bytes]
} gelForest;

static inline uint32_t* gelForest_At( gelForest forest, uint32_t item )
{
	return (uint32_t*)(void*)( (char*)forest.first + item * forest.stride );
}

/// The root of an item. Paths are halved on the way.
static inline uint32_t gelForest_Find( gelForest forest, uint32_t item )
{
	for ( uint32_t* parent = gelForest_At( forest, item ); *parent != item;
		  parent = gelForest_At( forest, item ) )
		item = *parent = *gelForest_At( forest, *parent );
	return item;
}

/// Makes one set of those of two items.
static inline void gelForest_Join( gelForest forest, uint32_t a, uint32_t b )
{
	a = gelForest_Find( forest, a );
	b = gelForest_Find( forest, b );
	*gelForest_At( forest, a > b ? a : b ) = a < b ? a : b;
}
