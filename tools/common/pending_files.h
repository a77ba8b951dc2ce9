// SPDX-License-Identifier: MIT
// Temporary files that are removed when the user or the build system stops the program.
#pragma once

/// Remembers a path until it is forgotten again; SIGINT, SIGTERM and SIGHUP remove it before they end the
/// process.
/// @return a slot, or -1 when there is none left; such a file is not looked after
int gelAddPendingFile( const char* path );
void gelForgetPendingFile( int slot );
