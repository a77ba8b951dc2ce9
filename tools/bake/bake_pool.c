// SPDX-License-Identifier: MIT
#include "bake_pool.h"

#include "findings.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stands in front of every piece; its size keeps the piece aligned.
typedef struct gelBakeBlock
{
	struct gelBakeBlock* next;
	char padding[64 - sizeof( void* )];
} gelBakeBlock;

void* gelBakePool_Alloc( gelBakePool* pool, size_t count, size_t elementBytes )
{
	size_t bytes = count * elementBytes;
	bool overflow = elementBytes != 0 && bytes / elementBytes != count;
	gelBakeBlock* block = NULL;
	if ( !overflow && bytes <= SIZE_MAX / 2 )
	{
		bytes = ( bytes + 63 ) / 64 * 64;
		block = aligned_alloc( 64, sizeof( gelBakeBlock ) + bytes );
	}
	if ( block == NULL )
	{
		fprintf(
			stderr, "error: T0003: out of memory: %zu more bytes are needed; use a coarser cage\n", bytes );
		exit( gel_exitInternal );
	}
	memset( block, 0, sizeof( gelBakeBlock ) + bytes );
	block->next = pool->newest;
	pool->newest = block;
	return block + 1;
}

void gelBakePool_Adopt( gelBakePool* pool, gelBakePool* from )
{
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
		free( pool->newest );
		pool->newest = next;
	}
}
