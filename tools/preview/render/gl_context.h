// SPDX-License-Identifier: MIT
// An OpenGL 3.3 core context without a window or a display: EGL on Mesa's surfaceless platform (works on
// llvmpipe, without a GPU), else on an EGL device, else with a small pbuffer on the default display.
#pragma once

#include <stdbool.h>

typedef struct gelGlContext
{
	void* display;
	void* context;
	void* surface;     // pbuffer, or NULL
	char renderer[96]; // what draws, such as "llvmpipe (LLVM 15.0.6, 256 bits)"
	char error[160];   // why there is no context
} gelGlContext;

/// Makes a context and makes it current on this thread. False: error says why.
bool gelCreateGlContext( gelGlContext* context );

/// Allowed on a context that could not be made, and on zeros.
void gelDestroyGlContext( gelGlContext* context );
