// SPDX-License-Identifier: MIT
#include "arena.h"

#include <stdlib.h>
#include <string.h>

void* gelArena_Take( gelArena* arena, size_t count, size_t elementBytes )
{
	if ( count == 0 ) return NULL;
	if ( elementBytes > ( SIZE_MAX - GEL_ALIGNMENT ) / count )
	{
		arena->overflow = true;
		return NULL;
	}
	size_t bytes = ( count * elementBytes + ( GEL_ALIGNMENT - 1 ) ) & ~(size_t)( GEL_ALIGNMENT - 1 );
	if ( bytes > SIZE_MAX - arena->bytes )
	{
		arena->overflow = true;
		return NULL;
	}
	void* result = arena->base ? arena->base + arena->bytes : NULL;
	arena->bytes += bytes;
	return result;
}

bool gelAllocator_IsValid( const gelAllocator* allocator )
{
	return ( allocator->alloc == NULL ) == ( allocator->free == NULL );
}

// malloc with an alignment of its own: aligned_alloc is missing on one platform that games ship on. The
// address that malloc gave stands just before the block.
static void* AllocateDefault( size_t bytes )
{
	size_t extra = GEL_ALIGNMENT + sizeof( void* );
	if ( bytes > SIZE_MAX - extra ) return NULL;
	uint8_t* raw = malloc( bytes + extra );
	if ( raw == NULL ) return NULL;
	uintptr_t address = ( (uintptr_t)raw + extra ) & ~(uintptr_t)( GEL_ALIGNMENT - 1 );
	uint8_t* memory = raw + ( address - (uintptr_t)raw );
	memcpy( memory - sizeof( void* ), &raw, sizeof( void* ) );
	return memory;
}

static void FreeDefault( void* memory )
{
	void* raw;
	memcpy( &raw, (uint8_t*)memory - sizeof( void* ), sizeof( void* ) );
	free( raw );
}

void* gelAllocate( const gelAllocator* allocator, size_t bytes )
{
	if ( bytes == 0 ) return NULL;
	void* memory = allocator->alloc ? allocator->alloc( allocator->context, bytes, GEL_ALIGNMENT )
									: AllocateDefault( bytes );
	if ( memory == NULL ) return NULL;
	if ( ( (uintptr_t)memory & ( GEL_ALIGNMENT - 1 ) ) != 0 )
	{
		gelFree( allocator, memory, bytes );
		return NULL;
	}
	memset( memory, 0, bytes );
	return memory;
}

void gelFree( const gelAllocator* allocator, void* memory, size_t bytes )
{
	if ( memory == NULL ) return;
	if ( allocator->free )
		allocator->free( allocator->context, memory, bytes );
	else
		FreeDefault( memory );
}
