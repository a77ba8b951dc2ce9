// SPDX-License-Identifier: MIT
// What several tests need: cmocka with its prerequisites, seeded random numbers, test bodies.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/// Sanitizers are ten times slower: long tests give them a part of their cases.
#if defined( __SANITIZE_ADDRESS__ ) || defined( __SANITIZE_THREAD__ )
#define GEL_IS_SANITIZED 1
#else
#define GEL_IS_SANITIZED 0
#endif

/// Deterministic random numbers (xorshift64*).
typedef struct gelRandom
{
	uint64_t state;
} gelRandom;
uint64_t gelRandom_Next( gelRandom* random );
double gelRandom_Uniform( gelRandom* random, double low, double high );
double gelRandom_Normal( gelRandom* random );

/// Zeroed memory, aligned to 64 bytes, never NULL; free().
void* gelTestAlloc( size_t count, size_t elementBytes );

/// Solves m x = b of n rows by Gauss with column pivots. m is lost, b becomes x.
void gelSolveTestSystem( double* m, double* b, int n );

/// For tests that make mistakes on purpose: debug builds of the runtime go on as release builds do.
void gelAllowMistakes( void );

/// Mistakes of callers since gelAllowMistakes; always 0 in release builds.
int gelCountMistakes( void );
