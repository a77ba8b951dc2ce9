// SPDX-License-Identifier: MIT
#if defined( __linux__ ) && !defined( _DEFAULT_SOURCE )
#define _DEFAULT_SOURCE // madvise
#endif

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

#if defined( __linux__ )
#include <sys/mman.h>
#endif

void* gelArena_Take( gelArena* arena, size_t count, size_t elementBytes )
{
	GEL_ASSERT( elementBytes > 0 );
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

void gelArena_Cover( gelArena* arena, const gelArena* other )
{
	GEL_ASSERT( arena->base == other->base );
	if ( other->bytes > arena->bytes ) arena->bytes = other->bytes;
	arena->overflow = arena->overflow || other->overflow;
}

bool gelAllocator_IsValid( const gelAllocator* allocator )
{
	return ( allocator->alloc == NULL ) == ( allocator->free == NULL );
}

// Asks for huge pages inside of a large block, before it is touched. Factors and elements of large bodies are
// read from end to end in every step, several hundred pages of 4 KiB per megabyte; without their entries in
// the table of pages the solve of 170 thousand tets takes a sixth less time. A system that has none says no.
static void AskForHugePages( void* memory, size_t bytes )
{
#if defined( __linux__ ) && defined( MADV_HUGEPAGE )
	const uintptr_t page = (uintptr_t)2 << 20;
	uintptr_t first = ( (uintptr_t)memory + page - 1 ) & ~( page - 1 );
	uintptr_t end = ( (uintptr_t)memory + bytes ) & ~( page - 1 );
	if ( first < end )
		(void)madvise( (uint8_t*)memory + ( first - (uintptr_t)memory ), end - first, MADV_HUGEPAGE );
#else
	(void)memory;
	(void)bytes;
#endif
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
	AskForHugePages( memory, bytes );
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
	GEL_ASSERT( gelAllocator_IsValid( allocator ) );
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

void* gelCreateBlock(
	const gelAllocator* allocator, gelLayOutFcn* layOut, const void* context, size_t* outBytes )
{
	gelArena arena = { 0 };
	layOut( &arena, context );
	void* memory = arena.overflow ? NULL : gelAllocate( allocator, arena.bytes );
	if ( memory == NULL ) return NULL;
	*outBytes = arena.bytes;
	arena = ( gelArena ){ .base = memory };
	void* block = layOut( &arena, context );
	GEL_ASSERT( arena.bytes == *outBytes && block == memory );
	return block;
}

bool gelReplaceBlock( const gelAllocator* allocator, void** memory, size_t* bytes, size_t newBytes )
{
	GEL_ASSERT( ( *memory == NULL ) == ( *bytes == 0 ) );
	void* block = gelAllocate( allocator, newBytes );
	if ( block == NULL ) return false;
	gelFree( allocator, *memory, *bytes );
	*memory = block;
	*bytes = newBytes;
	return true;
}
