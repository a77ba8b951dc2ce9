// SPDX-License-Identifier: MIT
// Memory of one bake, freed as a whole: a list of blocks of the C library. Not an arena in one piece, because
// arrays of a bake range from bytes to hundreds of megabytes and none of them grows.
//
//     memory (calloc)  |..gap..| gelBakeBlock (64 bytes) | piece, aligned to 64 bytes |
#include "bake/body/bake_pool.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Stands in front of every piece; its size keeps the piece aligned.
typedef struct gelBakeBlock
{
	struct gelBakeBlock* next;
	void* memory; // block of the C library, which does not align as we do
	char padding[64 - 2 * sizeof( void* )];
} gelBakeBlock;

// Zeroed by the C library, which knows what pages the system has cleared: a thread that fills them is the
// first to touch them.
static gelBakeBlock* AllocBlock( size_t bytes )
{
	char* memory = calloc( 1, bytes + 2 * sizeof( gelBakeBlock ) );
	if ( memory == NULL ) return NULL;
	gelBakeBlock* block = (gelBakeBlock*)(void*)( memory + ( 64 - (uintptr_t)memory % 64 ) % 64 );
	block->memory = memory;
	return block;
}

void* gelBakePool_Alloc( gelBakePool* pool, size_t count, size_t elementBytes )
{
	size_t bytes = count * elementBytes;
	bool overflow = elementBytes != 0 && bytes / elementBytes != count;
	gelBakeBlock* block = NULL;
	if ( !overflow && bytes <= SIZE_MAX / 2 ) block = AllocBlock( bytes );
	// Passes never see NULL: no path behind an allocation needs a way back, which no test would ever take.
	if ( block == NULL ) gelExitWithoutMemory( bytes, "use a coarser cage" );
	block->next = pool->newest;
	pool->newest = block;
	return block + 1;
}

char* gelBakePool_CopyText( gelBakePool* pool, const char* text )
{
	size_t bytes = strlen( text ) + 1;
	return memcpy( gelBakePool_Alloc( pool, bytes, 1 ), text, bytes );
}

void gelBakePool_Adopt( gelBakePool* pool, gelBakePool* from )
{
	GEL_ASSERT( pool != from );
	while ( from->newest != NULL )
	{
		gelBakeBlock* block = from->newest;
		from->newest = block->next;
		block->next = pool->newest;
		pool->newest = block;
	}
}

void gelFreeBakePool( gelBakePool* pool )
{
	while ( pool->newest != NULL )
	{
		gelBakeBlock* next = pool->newest->next;
		free( pool->newest->memory );
		pool->newest = next;
	}
}
