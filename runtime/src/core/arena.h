// SPDX-License-Identifier: MIT
// Memory of the runtime: every world, body and asset is one block from the game's allocator, carved into
// aligned arrays. A layout function runs twice over the same code: once without memory to measure, once
// with memory to place, so that the two cannot disagree.
//
//     block  | struct | pad | array 0 ... | pad | array 1 ... | pad |
//            ^ 64-byte aligned  ^ 64-byte aligned  ^
#pragma once

#include "core/core.h"
#include "gelpack/base.h"

typedef struct gelArena
{
	uint8_t* base; // NULL while measuring
	size_t bytes;  // taken so far
	bool overflow; // the size left size_t
} gelArena;

/// Takes count elements, aligned to GEL_ALIGNMENT, not initialized. NULL while measuring or for count 0.
void* gelArena_Take( gelArena* arena, size_t count, size_t elementBytes );

/// Goes on behind another arena too, which has taken from the same place on: both are the same memory then.
void gelArena_Cover( gelArena* arena, const gelArena* other );

/// Both hooks, or neither.
bool gelAllocator_IsValid( const gelAllocator* allocator );

/// Zeroed memory aligned to GEL_ALIGNMENT, or NULL: out of memory, 0 bytes, or a hook that ignored the
/// alignment.
void* gelAllocate( const gelAllocator* allocator, size_t bytes );

/// NULL is allowed. bytes as given to gelAllocate.
void gelFree( const gelAllocator* allocator, void* memory, size_t bytes );

/// Takes all of a block, its struct first. @return that struct; NULL while measuring
typedef void* gelLayOutFcn( gelArena* arena, const void* context );

/// A block that a layout function has measured and placed. NULL: no memory.
void* gelCreateBlock(
	const gelAllocator* allocator, gelLayOutFcn* layOut, const void* context, size_t* outBytes );

/// A larger block for one that holds nothing of worth. false: no memory, and the old one stays
bool gelReplaceBlock( const gelAllocator* allocator, void** memory, size_t* bytes, size_t newBytes );
