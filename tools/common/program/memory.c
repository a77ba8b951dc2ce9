// SPDX-License-Identifier: MIT
#include "common/program/memory.h"

#include "common/program/findings.h"
#include "common/program/pending_files.h"

#include <gelpack/asserts.h>
#include <jansson.h>

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
	fflush( stdout );
	_exit( gel_exitInternal ); // nothing that runs at exit could be relied on to do without memory
}

void* gelHaveMemory( void* memory, size_t bytes )
{
	if ( memory == NULL ) gelExitWithoutMemory( bytes, "close other programs or use a smaller input" );
	return memory;
}

void* gelTake( size_t bytes )
{
	return gelHaveMemory( malloc( bytes > 0 ? bytes : 1 ), bytes );
}

void* gelTakeZeroed( size_t count, size_t elementBytes )
{
	return gelHaveMemory( calloc( count > 0 ? count : 1, elementBytes ), count * elementBytes );
}

// Global, because what the C library calls at the end takes no arguments.
static bool s_isOurExit;

// Behind the exit of a library: its message is out, its exit code would say that the command line is wrong.
static void EndAfterLibrary( void )
{
	if ( s_isOurExit ) return;
	gelRemovePendingFiles();
	_exit( gel_exitInternal );
}

void gelWatchLibraries( void )
{
	static bool s_isWatching;
	s_isOurExit = false;
	if ( !s_isWatching ) atexit( EndAfterLibrary );
	s_isWatching = true;
	json_set_alloc_funcs( gelTake, free );
}

void gelEndWatch( void )
{
	s_isOurExit = true;
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
