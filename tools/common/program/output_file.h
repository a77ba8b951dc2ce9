// SPDX-License-Identifier: MIT
// Files: whole-file reading with a size limit, and atomic writing (temporary name in the same folder,
// fsync, rename), so that no half-written output is ever seen under its final name.
#pragma once

#include "common/program/findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads a whole regular file; one zero byte is appended (not counted). Adds T0001 on failure, also for
/// folders, pipes and devices. free() the result.
uint8_t* gelReadFile( const char* path, size_t maxBytes, size_t* outBytes, gelFindings* findings );

/// Writes a whole file atomically. Adds T0002 on failure; then nothing is left behind and an older file
/// of that name is untouched. A symbolic link stays one and the file behind it is replaced.
bool gelWriteFile( const char* path, const void* bytes, size_t byteCount, gelFindings* findings );

/// The file behind a chain of symbolic links, which need not exist yet. free() it; NULL: errno says why.
char* gelFollowLinks( const char* path );

/// For libraries that write to a FILE*: Begin opens the temporary file, Commit renames it, Abort removes it.
typedef struct gelOutputFile
{
	void* stream; // FILE*; NULL: a draft, which is written and closed
	char* path;
	char* temporaryPath; // NULL: a device or pipe, written to directly
	int writeError;      // errno of a write that failed, if the writer knows it; Commit also asks ferror
	int pendingSlot;     // slot in pending_files.h plus 1; 0: none
} gelOutputFile;
bool gelOutputFile_Begin( gelOutputFile* file, const char* path, gelFindings* findings );
/// Appends bytes; what goes wrong is kept for Commit.
void gelOutputFile_Write( gelOutputFile* file, const void* bytes, size_t byteCount );
bool gelOutputFile_Commit( gelOutputFile* file, gelFindings* findings );
void gelOutputFile_Abort( gelOutputFile* file );

/// Instead of Begin, for bytes that may still turn out to be of no use: the whole file, safe on the disk
/// under its temporary name. Commit is quick then. Adds no finding: where it fails, gelWriteFile says why. A
/// device or a pipe is not even opened, because what is written there cannot be taken back.
/// @return false: nothing is left behind, and *file is zero
bool gelDraftFile( gelOutputFile* file, const char* path, const void* bytes, size_t byteCount );
