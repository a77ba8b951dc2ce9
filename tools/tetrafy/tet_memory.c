// SPDX-License-Identifier: MIT
#include "tet_math.h"

#include "findings.h"

#include <stdio.h>
#include <stdlib.h>

static void* OutOfMemory( size_t count, size_t itemBytes )
{
	fprintf( stderr, "error: T0003: out of memory (%zu items of %zu bytes); ask for fewer tets\n", count,
		itemBytes );
	exit( gel_exitInternal );
}

void* gelTetAlloc( size_t count, size_t itemBytes )
{
	void* memory = calloc( count > 0 ? count : 1, itemBytes );
	return memory != NULL ? memory : OutOfMemory( count, itemBytes );
}

void* gelTetGrow( void* memory, size_t count, size_t itemBytes )
{
	if ( count > SIZE_MAX / itemBytes ) OutOfMemory( count, itemBytes );
	void* grown = realloc( memory, count * itemBytes );
	return grown != NULL ? grown : OutOfMemory( count, itemBytes );
}
