// SPDX-License-Identifier: MIT
// Asserts of the tools: what a caller promises and a pass promises to itself. What comes from a file or a
// person is a finding instead. On wherever GEL_ASSERT of the runtime is.
#pragma once

#ifdef GEL_ENABLE_ASSERTS
#include <stdio.h>
#include <stdlib.h>
#define GEL_TOOL_ASSERT( condition )                                                                         \
	do                                                                                                       \
	{                                                                                                        \
		if ( !( condition ) )                                                                                \
		{                                                                                                    \
			fprintf(                                                                                         \
				stderr, "gelpack: %s line %d: assertion failed: %s\n", __func__, __LINE__, #condition );     \
			abort();                                                                                         \
		}                                                                                                    \
	} while ( 0 )
#else
#define GEL_TOOL_ASSERT( condition ) ( (void)0 )
#endif
