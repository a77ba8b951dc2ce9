// SPDX-License-Identifier: MIT
// Arrays that grow, and the end of a tool that gets no memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Says that so many bytes are missing and what to do, and exits with gel_exitInternal. Pending files are
/// removed. Threads may get here together; the first one ends the process.
_Noreturn void gelExitWithoutMemory( size_t bytes, const char* advice );

/// Grows an array to hold at least needed elements, doubling. False: out of memory (the array is still
/// there).
bool gelGrow( void** array, size_t* capacity, size_t needed, size_t elementBytes );

/// The same, with the size of its elements.
#define GEL_GROW( array, capacity, needed )                                                                  \
	gelGrow( (void**)&( array ), &( capacity ), needed, sizeof( *( array ) ) )
