// SPDX-License-Identifier: MIT
// Arrays that grow, and the end of a tool that gets no memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Says that so many bytes are missing and what to do, and exits with gel_exitInternal. Pending files are
/// removed. Threads may get here together; the first one ends the process.
_Noreturn void gelExitWithoutMemory( size_t bytes, const char* advice );

/// Memory that a tool cannot do without: what an allocation gave, or the end as above.
void* gelHaveMemory( void* memory, size_t bytes );

/// malloc() and calloc() that never give NULL, not even for no bytes. free() what they gave.
void* gelTake( size_t bytes );
void* gelTakeZeroed( size_t count, size_t elementBytes );

/// Lets jansson have the same end, as it has a hundred functions that may fail, and the process the exit code
/// of an internal error when a library ends it, such as OpenMP without memory for its threads.
void gelWatchLibraries( void );

/// Main is about to return: the exit code is ours.
void gelEndWatch( void );

/// Grows an array to hold at least needed elements, doubling. False: out of memory (the array is still
/// there).
bool gelGrow( void** array, size_t* capacity, size_t needed, size_t elementBytes );

/// The same, with the size of its elements.
#define GEL_GROW( array, capacity, needed )                                                                  \
	gelGrow( (void**)&( array ), &( capacity ), needed, sizeof( *( array ) ) )
