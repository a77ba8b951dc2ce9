// SPDX-License-Identifier: MIT
#include "common/import/gltf_memory.h"

#include <stdlib.h>

// cgltf's records are up to some 60 times larger than the JSON that real files spend on them; a file of empty
// objects would reach 500 times.
#define MEMORY_BASE     ( (size_t)64 << 20 )
#define MEMORY_PER_BYTE 64u

// Header in front of each allocation, as wide as the strictest alignment.
#define HEADER_BYTES 32u
_Static_assert( sizeof( gelGltfBlock ) <= HEADER_BYTES, "the links must fit" );

static void* Allocate( void* user, cgltf_size bytes )
{
	gelGltfMemory* memory = user;
	memory->exhausted = bytes > memory->left;
	gelGltfBlock* block = memory->exhausted ? NULL : malloc( HEADER_BYTES + bytes );
	if ( block == NULL ) longjmp( memory->escape, 1 );
	memory->left -= bytes;
	block->previous = &memory->blocks;
	block->next = memory->blocks.next;
	block->next->previous = block;
	memory->blocks.next = block;
	return (uint8_t*)block + HEADER_BYTES;
}

static void Release( void* user, void* pointer )
{
	(void)user;
	if ( pointer == NULL ) return;
	gelGltfBlock* block = (gelGltfBlock*)( (uint8_t*)pointer - HEADER_BYTES );
	block->previous->next = block->next;
	block->next->previous = block->previous;
	free( block );
}

// Buffers are loaded by gltf_buffers.c.
static void ReleaseBuffer( const struct cgltf_memory_options* memory, const struct cgltf_file_options* file,
	void* data, cgltf_size bytes )
{
	(void)memory;
	(void)file;
	(void)bytes;
	free( data );
}

cgltf_result gelParseGltf(
	gelGltfMemory* memory, const uint8_t* data, size_t bytes, size_t jsonBytes, cgltf_data** out )
{
	memory->blocks = ( gelGltfBlock ){ &memory->blocks, &memory->blocks };
	memory->left = MEMORY_BASE + MEMORY_PER_BYTE * jsonBytes;
	memory->exhausted = false;
	if ( setjmp( memory->escape ) != 0 )
	{
		while ( memory->blocks.next != &memory->blocks )
			Release( memory, (uint8_t*)memory->blocks.next + HEADER_BYTES );
		*out = NULL;
		return cgltf_result_out_of_memory;
	}
	const cgltf_options options = {
		.memory = { Allocate, Release, memory },
		.file = { .release = ReleaseBuffer },
	};
	return cgltf_parse( &options, data, bytes, out );
}

void gelFreeGltf( cgltf_data* data )
{
	cgltf_free( data );
}
