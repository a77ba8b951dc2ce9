// SPDX-License-Identifier: MIT
// Checked memory for the cage mesher.
#pragma once

#include <stddef.h>

/// Memory for count items, zeroed. A tool that runs out of memory says so and ends with exit code 4; nothing
/// is left behind because all output is written at the end and atomically.
void* gelTetAlloc( size_t count, size_t itemBytes );

/// The same for growing an array; new items are not zeroed.
void* gelTetGrow( void* memory, size_t count, size_t itemBytes );
