// SPDX-License-Identifier: MIT
// Reads a whole regular file of limited size. Tools only.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum gelReadResult
{
	gel_readOk,
	gel_readFailed,
	gel_readNoMemory,
} gelReadResult;

/// One zero byte is appended (not counted). Folders, pipes and devices are refused, so that nothing is waited
/// for and nothing has no end. free() the bytes.
/// @param outReason a text that continues "FILE: ", when the result is not gel_readOk
gelReadResult gelReadWholeFile( const char* path, size_t maxBytes, uint8_t** outBytes, size_t* outByteCount,
	char* outReason, size_t reasonCapacity );
