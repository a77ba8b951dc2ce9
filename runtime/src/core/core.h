// SPDX-License-Identifier: MIT
// What every source file of the runtime may use: asserts for our own mistakes, small helpers.
//
// Mistakes of the caller (null, NaN, stale id) are not asserted: they come back as a gelResult or, where a
// function has none, as zero. GEL_ASSERT guards what this library promises to itself.
#pragma once

#include "gelpack/asserts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Cache line, and the alignment of every array of the runtime [bytes].
#define GEL_ALIGNMENT 64u

/// Marks a def as made by its gelDefault*Def() function.
#define GEL_COOKIE 0x47454C31u

/// Coordinates beyond this [m] are as useless as infinity: squares and cubes of them leave float. Also the
/// bound of what callers may pass.
#define GEL_MAX_COORDINATE 1.0e9f

static inline int gelMinInt( int a, int b )
{
	return a < b ? a : b;
}

static inline int gelMaxInt( int a, int b )
{
	return a > b ? a : b;
}
