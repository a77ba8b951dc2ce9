// SPDX-License-Identifier: MIT
// The end of a tool that gets no memory.
#pragma once

#include <stddef.h>

/// Says that so many bytes are missing and what to do, and exits with gel_exitInternal. Pending files are
/// removed. Threads may get here together; the first one ends the process.
_Noreturn void gelExitWithoutMemory( size_t bytes, const char* advice );
