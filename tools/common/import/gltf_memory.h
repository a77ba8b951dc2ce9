// SPDX-License-Identifier: MIT
// Memory for cgltf. When a file asks for more than its size can justify, or the machine has no more, cgltf
// must not go on: its cleanup walks arrays whose allocation failed. So the allocator does not return then,
// but jumps out of the parser, and everything that it had is freed from a list.
#pragma once

#include "common/import/gltf_internal.h"

#include <setjmp.h>

typedef struct gelGltfBlock
{
	struct gelGltfBlock* previous;
	struct gelGltfBlock* next;
} gelGltfBlock;

typedef struct gelGltfMemory
{
	gelGltfBlock blocks; // ring of all allocations
	size_t left;         // bytes that may still be asked for
	jmp_buf escape;
	bool exhausted; // the file's share, not the machine
} gelGltfMemory;

/// cgltf_parse with guarded memory, which must stay until gelFreeGltf. Data of buffers may be put into the
/// result with cgltf_data_free_method_file_release if it came from malloc.
/// @param jsonBytes size of the JSON part, which measures the file's share
cgltf_result gelParseGltf(
	gelGltfMemory* memory, const uint8_t* data, size_t bytes, size_t jsonBytes, cgltf_data** out );

void gelFreeGltf( cgltf_data* data );
