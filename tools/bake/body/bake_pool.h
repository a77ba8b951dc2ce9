// SPDX-License-Identifier: MIT
// Memory of one bake: allocated piece by piece, freed whole.
#pragma once

#include <stddef.h>

/// Zero bits are an empty pool. Not for use from several threads at once.
typedef struct gelBakePool
{
	struct gelBakeBlock* newest;
} gelBakePool;

/// Zeroed memory, 64-byte aligned, never NULL: a bake that runs out of memory can only end, so a message
/// is printed and the process exits with gel_exitInternal. No output file exists at that time.
void* gelBakePool_Alloc( gelBakePool* pool, size_t count, size_t elementBytes );

char* gelBakePool_CopyText( gelBakePool* pool, const char* text );

/// Moves everything from one pool to another, for results of a thread.
void gelBakePool_Adopt( gelBakePool* pool, gelBakePool* from );

void gelFreeBakePool( gelBakePool* pool );
