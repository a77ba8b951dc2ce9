// SPDX-License-Identifier: MIT
// What several tests need: cmocka with its prerequisites, seeded random numbers, test bodies.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/// Deterministic random numbers (xorshift64*).
typedef struct gelRandom
{
	uint64_t state;
} gelRandom;
uint64_t gelRandom_Next( gelRandom* random );
double gelRandom_Uniform( gelRandom* random, double low, double high );
double gelRandom_Normal( gelRandom* random );
