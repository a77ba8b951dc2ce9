// SPDX-License-Identifier: MIT
// Imports of files that a test makes up.
#pragma once

#include "common/program/findings.h"
#include "common/import/mesh_import.h"

/// What an import gave. Messages are kept from the terminal.
typedef struct gelImportRun
{
	bool ok;
	gelMesh mesh;
	gelFindings findings;
	gelImportFiles files;
} gelImportRun;

/// The folder that all files of this test program go to; made when first asked for.
const char* gelImportFolder( void );
/// Group teardown for cmocka: removes the folder.
int gelRemoveImportFolder( void** state );

/// Writes a file into the folder.
void gelWriteTestFile( const char* name, const void* bytes, size_t count );

/// Writes a file and imports it.
void gelImportBytes( gelImportRun* run, const char* name, const void* bytes, size_t count );
void gelImportText( gelImportRun* run, const char* name, const char* text );
/// Imports a file of the folder.
void gelImportFile( gelImportRun* run, const char* name );
void gelImportFileWith( gelImportRun* run, const char* name, const gelImportOptions* options );
/// A GLB from its two chunks. @return heap memory
uint8_t* gelMakeGlb( const char* json, const void* bin, size_t binBytes, size_t* outBytes );
void gelImportGlb( gelImportRun* run, const char* json, const void* bin, size_t binBytes );

void gelFreeImportRun( gelImportRun* run );

/// Whether a finding of that number was made, and its text (of the last one), or NULL.
const char* gelFindText( const gelImportRun* run, int number );
