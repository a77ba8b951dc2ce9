// SPDX-License-Identifier: MIT
// What a piece of code prints, and a folder of its own for what it writes.
#pragma once

/// Redirects stdout (1) or stderr (2) into a file until End, which returns what was printed; free() it.
typedef struct gelCapture
{
	int descriptor; // 1 or 2
	int saved;
	void* file; // FILE*
} gelCapture;
void gelCapture_Begin( gelCapture* capture, int descriptor );
char* gelCapture_End( gelCapture* capture );

/// A new empty folder; remove it with gelRemoveFolder, which takes plain files in it along.
/// @return static memory, one folder at a time
const char* gelMakeFolder( void );
void gelRemoveFolder( const char* folder );
/// Names in a folder other than "." and "..".
int gelCountFiles( const char* folder );
