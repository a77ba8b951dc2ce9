// SPDX-License-Identifier: MIT
// Names to numbers in order of first use.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gelNameTable
{
	char** names;
	uint32_t count;
	size_t capacity;
	uint32_t* slots; // open addressing; number + 1, 0: free
	uint32_t slotCount;
} gelNameTable;

/// Number of a name, which is added when it is new. False: out of memory.
bool gelNameTable_Add( gelNameTable* table, const char* name, size_t length, uint32_t* outNumber );

/// Number of a name, or GEL_NO_INDEX.
uint32_t gelNameTable_Find( const gelNameTable* table, const char* name, size_t length );

void gelFreeNameTable( gelNameTable* table );
