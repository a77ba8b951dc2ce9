// SPDX-License-Identifier: MIT
// What the targets share. Each is a program of its own: with GELPACK_FUZZ libFuzzer drives it, else
// fuzz_main.c, which replays files and tries some hundred changes of them, the same ones every time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

/// Changes an input in place. @return its size, at most maxSize
size_t LLVMFuzzerCustomMutator( uint8_t* data, size_t size, size_t maxSize, unsigned seed );

/// Aborts: a promise was broken.
void gelDemand( bool promise, const char* what );

/// Next of a row of numbers without pattern; *state is not zero.
uint32_t gelNextRandom( uint64_t* state );

/// Changes bytes without knowing what they mean.
size_t gelMutateBytes( uint8_t* data, size_t size, size_t maxSize, uint64_t* random );

/// Changes numbers of a section of a pack: to borders of their type, to neighbors, to numbers from elsewhere
/// in the section; then hashes are made anew.
size_t gelMutatePack( uint8_t* data, size_t size, size_t maxSize, unsigned seed );

/// Puts an input into a file, for readers that want a path. @return the path, valid until the next call
const char* gelMakeFuzzFile( const uint8_t* data, size_t size, const char* extension );
