// SPDX-License-Identifier: MIT
// GEL_ASSERT, for what this library and its tools promise to themselves: indices in range, counts that agree,
// what one pass leaves to the next. What comes from a file or a person is a result or a finding instead, and
// what a game does wrong goes to gelSetAssertFcn (base.h). On
// when GEL_ENABLE_ASSERTS is defined (CMake: GELPACK_ASSERTS); otherwise the condition is not even evaluated.
// gelpack.h does not include this.
#pragma once

#ifdef GEL_ENABLE_ASSERTS
#include <stdio.h>
#include <stdlib.h>

/// Prints and aborts.
static inline void gelAssertFailed( const char* condition, const char* function, int line )
{
	fprintf( stderr, "gelpack: %s line %d: assertion failed: %s\n", function, line, condition );
	abort();
}

#define GEL_ASSERT( condition )                                                                              \
	do                                                                                                       \
	{                                                                                                        \
		if ( !( condition ) ) gelAssertFailed( #condition, __func__, __LINE__ );                             \
	} while ( 0 )
#else
// what only a condition uses counts as used
#define GEL_ASSERT( condition ) ( (void)sizeof( ( condition ) ? 1 : 0 ) )
#endif
