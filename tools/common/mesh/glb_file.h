// SPDX-License-Identifier: MIT
// The one way to write binary glTF: bytes of the binary chunk with the views and accessors over them, and the
// file around the JSON of whoever knows what they mean.
#pragma once

#include "common/program/findings.h"

#include <jansson.h>

/// Numbers of glTF 2.0, section 3.6.2: types of components, and targets of views.
enum
{
	gel_glbUnsignedByte = 5121,
	gel_glbUnsignedShort = 5123,
	gel_glbUnsignedInt = 5125,
	gel_glbFloat = 5126,
	gel_glbArray = 34962,
	gel_glbElements = 34963,
};

/// Zero bits and two empty JSON arrays are an empty one.
typedef struct gelGlbBuffer
{
	uint8_t* bytes;
	size_t count, capacity; // a multiple of 4
	json_t *views, *accessors;
	bool failed; // out of memory: bytes are missing
} gelGlbBuffer;

gelGlbBuffer gelMakeGlbBuffer( void );
void gelFreeGlbBuffer( gelGlbBuffer* buffer );

/// Appends bytes as a view, padded to four bytes. @param target 0: none @return its number
int gelGlbBuffer_AddView( gelGlbBuffer* buffer, const void* bytes, size_t byteCount, int target );

/// Appends bytes as a view with one accessor, whose JSON is the last of buffer->accessors. @return its number
/// @param type "SCALAR", "VEC3", "MAT4"
int gelGlbBuffer_AddAccessor( gelGlbBuffer* buffer, const void* bytes, size_t byteCount, int componentType,
	const char* type, size_t count, int target );

/// Bounds of the accessor that was added last, as positions need them. @param components of low and high
void gelGlbBuffer_SetBounds( gelGlbBuffer* buffer, const float* low, const float* high, int components );

/// Floats as a JSON array; a new reference.
json_t* gelMakeGlbVector( const float* values, int count );

/// The JSON as it stands in the file. free() it; NULL: out of memory.
char* gelFormatGlbJson( const json_t* root );

/// Bytes of a file; the format ends at 0xFFFFFFFF.
uint64_t gelCountGlbBytes( size_t jsonBytes, size_t binBytes );

/// Writes 12 bytes of header, the JSON padded with blanks, and the binary chunk, atomically.
/// @param binBytes a multiple of 4
bool gelWriteGlb( const char* path, const char* json, size_t jsonBytes, const uint8_t* bin, size_t binBytes,
	gelFindings* findings );
