// SPDX-License-Identifier: MIT
// Depfiles in the syntax that Make and Ninja read: "target: file file".
#pragma once

/// Text of a Make rule that says that target depends on the files. free() the result.
char* gelFormatDepfile( const char* target, const char* const* files, int fileCount );
