// SPDX-License-Identifier: MIT
// Text from files, paths and command lines is made harmless before it reaches a terminal or a report.
#pragma once

#include <stddef.h>

/// Copies text as valid, printable UTF-8: control characters, bidirectional overrides and bytes that are
/// not UTF-8 become escapes ("\n", "\x1B", "\u202E"). A terminal then shows what the text is instead of
/// obeying it.
/// @return heap memory for free(), or NULL when there is none left
char* gelCleanText( const char* text );

/// The same into a fixed buffer; what does not fit is cut off between characters.
void gelCleanTextTo( char* out, size_t capacity, const char* text );
