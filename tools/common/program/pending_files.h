// SPDX-License-Identifier: MIT
// Temporary files that are removed when the user or the build system stops the program.
#pragma once

/// Lets signals that end the process remove pending files first (interrupt, termination, hangup, quit, abort,
/// a pipe without reader, the limit of processor time), and ignores the one of the file size limit, so that
/// write fails and is reported instead. Called when the first file becomes pending; more calls do nothing.
void gelWatchSignals( void );

/// Remembers a path until it is forgotten again.
/// @return a slot, or -1 when there is none left; such a file is not looked after
int gelAddPendingFile( const char* path );
void gelForgetPendingFile( int slot );

/// For an end of the process that nobody cleans up after.
void gelRemovePendingFiles( void );
