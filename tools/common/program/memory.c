// SPDX-License-Identifier: MIT
#include "common/program/memory.h"

#include "common/program/findings.h"
#include "common/program/pending_files.h"

#include <gelpack/asserts.h>

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void gelExitWithoutMemory( size_t bytes, const char* advice )
{
	static atomic_flag s_isEnding = ATOMIC_FLAG_INIT;
	while ( atomic_flag_test_and_set( &s_isEnding ) )
	{
		pause(); // exit() may be called only once
	}
	fprintf( stderr, "error: T0003: out of memory: %zu more bytes are needed; %s\n", bytes, advice );
	gelRemovePendingFiles();
	exit( gel_exitInternal );
}

bool gelGrow( void** array, size_t* capacity, size_t needed, size_t elementBytes )
{
	GEL_ASSERT( elementBytes > 0 );
	if ( needed <= *capacity ) return true;
	size_t wanted = *capacity < 64 ? 64 : *capacity * 2;
	if ( wanted < needed ) wanted = needed;
	if ( wanted > SIZE_MAX / elementBytes ) return false;
	void* grown = realloc( *array, wanted * elementBytes );
	if ( grown == NULL ) return false;
	*array = grown;
	*capacity = wanted;
	return true;
}
