// SPDX-License-Identifier: MIT
// The write side of the pack format (tools only). Collects sections in any order and lays them out
// in the one order that the format allows, so that the same sections always give the same bytes.
#pragma once

#include "pack/pack_layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gelPackWriter gelPackWriter;

gelPackWriter* gelCreatePackWriter( void );
void gelDestroyPackWriter( gelPackWriter* writer );

/// Sets the counts of the header and the provenance; the rest of the header is made by Finish.
void gelPackWriter_SetCounts( gelPackWriter* writer, const gelPackHeader* counts );
void gelPackWriter_SetProvenance( gelPackWriter* writer, const uint8_t sha256[32] );

/// Adds a plain array section; the data is copied. -0 becomes +0 is the caller's duty (gelCleanFloats).
void gelPackWriter_AddArray( gelPackWriter* writer, uint32_t fourcc, uint64_t key, uint16_t flags,
	const void* data, uint32_t count, uint32_t stride );

/// One array of a section with an inner header.
typedef struct gelPackInnerArray
{
	const void* data;
	uint32_t count, elementBytes;
} gelPackInnerArray;

/// Adds a section with several arrays. innerHeader is copied to the front (headerBytes, a multiple of
/// 64) and its gelPackArray fields, which must stand together from byte arrayOffset on in the order of
/// `arrays`, are filled in.
void gelPackWriter_AddBlob( gelPackWriter* writer, uint32_t fourcc, uint64_t key, uint16_t flags,
	const void* innerHeader, uint32_t headerBytes, uint32_t arrayOffset, const gelPackInnerArray* arrays,
	uint32_t arrayCount );

/// Version of the section added last; 1 unless set.
void gelPackWriter_SetVersion( gelPackWriter* writer, uint16_t version );

/// Lays out the file. The bytes belong to the caller: free() them. NULL: out of memory or over a cap.
/// The memory is 64-byte aligned.
uint8_t* gelPackWriter_Finish( gelPackWriter* writer, size_t* outBytes );

/// Whether memory is what a writer without a result has failed for; else a cap.
bool gelPackWriter_LacksMemory( const gelPackWriter* writer );

/// Replaces every -0 by +0.
void gelCleanFloats( float* values, size_t count );

/// The patternHash of a FACT section: XXH64 (seed 0) of columnFirst[n + 1] followed by rows[], the lower
/// triangle (with diagonal) of A's pattern by columns, rows ascending inside a column, over the free nodes
/// numbered 0 .. n - 1 in ascending node order (not in the order of the factor).
/// False: out of memory.
bool gelPackPatternHash( const uint32_t* columnFirst, const uint32_t* rows, uint32_t n, uint64_t* outHash );
