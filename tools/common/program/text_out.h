// SPDX-License-Identifier: MIT
// A text that grows while it is written. Whole, or the tool ends without memory: streams in memory of the C
// library lose what does not fit and close without an error.
#pragma once

#include <stddef.h>

/// Zero bits are an empty text.
typedef struct gelTextOut
{
	char* bytes; // no zero behind them
	size_t count, capacity;
} gelTextOut;

void gelTextOut_Put( gelTextOut* out, const char* text );
void gelTextOut_PutChar( gelTextOut* out, int c );
/// At most 255 bytes at once.
void gelTextOut_Print( gelTextOut* out, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );

/// Hands the text over: free() it.
char* gelTextOut_Finish( gelTextOut* out );
