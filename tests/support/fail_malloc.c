// SPDX-License-Identifier: MIT
// Preloaded (LD_PRELOAD): the n-th allocation of a program fails, once. Counted in all libraries, from when
// they are loaded and set up until the program ends.
//
//     GEL_FAIL_AT=n       which one fails, from 1; 0 or nothing: none
//     GEL_FAIL_COUNT=file how many there were, written when the program ends
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// The allocator under the names by which the C library knows it.
void* __libc_malloc( size_t bytes );
void* __libc_calloc( size_t count, size_t bytes );
void* __libc_realloc( void* memory, size_t bytes );
void* __libc_memalign( size_t alignment, size_t bytes );

static atomic_long s_count;
static long s_failAt = -1;
static bool s_counting;

// A place for a breakpoint: who asked is on the stack.
void gelAllocationFails( void );
__attribute__( ( noinline ) ) void gelAllocationFails( void )
{
	errno = ENOMEM;
}

static bool Fails( void )
{
	if ( !s_counting || atomic_fetch_add( &s_count, 1 ) + 1 != s_failAt ) return false;
	gelAllocationFails();
	return true;
}

void* malloc( size_t bytes )
{
	return Fails() ? NULL : __libc_malloc( bytes );
}

void* calloc( size_t count, size_t bytes )
{
	return Fails() ? NULL : __libc_calloc( count, bytes );
}

void* realloc( void* memory, size_t bytes )
{
	return Fails() ? NULL : __libc_realloc( memory, bytes );
}

void* aligned_alloc( size_t alignment, size_t bytes )
{
	return Fails() ? NULL : __libc_memalign( alignment, bytes );
}

int posix_memalign( void** outMemory, size_t alignment, size_t bytes )
{
	void* memory = Fails() ? NULL : __libc_memalign( alignment, bytes );
	if ( memory == NULL ) return ENOMEM;
	*outMemory = memory;
	return 0;
}

__attribute__( ( constructor ) ) static void Begin( void )
{
	const char* at = getenv( "GEL_FAIL_AT" );
	s_failAt = at != NULL ? atol( at ) : 0;
	unsetenv( "LD_PRELOAD" ); // programs that this one starts are on their own
	s_counting = true;
}

__attribute__( ( destructor ) ) static void End( void )
{
	s_counting = false;
	const char* path = getenv( "GEL_FAIL_COUNT" );
	FILE* stream = path != NULL ? fopen( path, "w" ) : NULL;
	if ( stream == NULL ) return;
	fprintf( stream, "%ld\n", atomic_load( &s_count ) );
	fclose( stream );
}
