// SPDX-License-Identifier: MIT
#include "tetrafy/geometry/tet_memory.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static _Noreturn void OutOfMemory( size_t count, size_t itemBytes )
{
	bool fits = itemBytes == 0 || count <= SIZE_MAX / itemBytes;
	gelExitWithoutMemory( fits ? count * itemBytes : SIZE_MAX, "decimate the art, or ask for fewer tets" );
}

void* gelTetAlloc( size_t count, size_t itemBytes )
{
	GEL_ASSERT( itemBytes > 0 );
	void* memory = calloc( count > 0 ? count : 1, itemBytes );
	if ( memory == NULL ) OutOfMemory( count, itemBytes );
	return memory;
}

void* gelTetGrow( void* memory, size_t count, size_t itemBytes )
{
	GEL_ASSERT( itemBytes > 0 && count > 0 );
	if ( count > SIZE_MAX / itemBytes ) OutOfMemory( count, itemBytes );
	void* grown = realloc( memory, count * itemBytes );
	if ( grown == NULL ) OutOfMemory( count, itemBytes );
	return grown;
}
