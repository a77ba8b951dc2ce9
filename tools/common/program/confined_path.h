// SPDX-License-Identifier: MIT
// Names of files that another file gives.
#pragma once

#include <stdbool.h>

/// Whether a relative name stays inside its folder: not empty, not absolute, no drive or scheme, no "..", no
/// control characters. An art file must not make a tool read a file elsewhere.
bool gelIsConfinedPath( const char* path );

/// Replaces %XX in place (RFC 3986). False: a broken escape, or one for a zero byte.
bool gelDecodePercents( char* text );
