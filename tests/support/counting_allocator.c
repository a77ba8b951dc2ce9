// SPDX-License-Identifier: MIT
#include "counting_allocator.h"

#include <stdlib.h>

static void* CountingAlloc( void* context, size_t bytes, size_t alignment )
{
	++*(int*)context;
	return aligned_alloc( alignment, ( bytes + alignment - 1 ) / alignment * alignment );
}

static void CountingFree( void* context, void* memory, size_t bytes )
{
	(void)bytes;
	++*(int*)context;
	free( memory );
}

gelAllocator gelMakeCountingAllocator( int* calls )
{
	return ( gelAllocator ){ CountingAlloc, CountingFree, calls };
}
