// SPDX-License-Identifier: MIT
#include "cage_file.h"

#include "output_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

bool gelLoadCage( const char* path, gelFindings* findings, gelCage* outCage )
{
	gelCageError error;
	uint32_t turned;
	if ( gelReadCage( path, outCage, &turned, &error ) )
	{
		if ( turned > 0 )
		{
			gelFindings_Add( findings, gel_finding302, path,
				"%u of %u tets were listed inside out and turned round", turned, outCage->tetCount );
		}
		return true;
	}
	int number = error.isMemory ? gel_finding3 : error.isIo ? gel_finding1 : gel_finding301;
	if ( error.line > 0 )
		gelFindings_Add(
			findings, number, error.file, "line %llu: %s", (unsigned long long)error.line, error.text );
	else
		gelFindings_Add( findings, number, error.file, "%s", error.text );
	return false;
}

// Both files are complete under temporary names before the first gets its final one.
static bool WritePair( char* const* paths, char* const* texts, const size_t* bytes, gelFindings* findings )
{
	gelOutputFile files[2] = { { 0 }, { 0 } };
	bool ok = true;
	for ( int i = 0; ok && i < 2 && paths[i] != NULL; ++i )
	{
		ok = gelOutputFile_Begin( files + i, paths[i], findings );
		if ( ok && fwrite( texts[i], 1, bytes[i], files[i].stream ) != bytes[i] ) files[i].writeError = errno;
		if ( ok && fflush( files[i].stream ) != 0 && files[i].writeError == 0 ) files[i].writeError = errno;
	}
	// A second file that failed is committed first: that reports why, and the first one is then given up.
	int first = ok && files[1].writeError != 0 ? 1 : 0;
	for ( int k = 0; ok && k < 2; ++k )
	{
		gelOutputFile* file = files + ( first ^ k );
		if ( file->path != NULL ) ok = gelOutputFile_Commit( file, findings );
	}
	gelOutputFile_Abort( files + 0 );
	gelOutputFile_Abort( files + 1 );
	return ok;
}

bool gelSaveCage( const gelCage* cage, const char* path, gelFindings* findings )
{
	gelCageFormat format;
	if ( !gelCageFormat_FromPath( path, &format ) )
	{
		gelFindings_Add(
			findings, gel_finding303, path, "a cage is written as .msh, .msh4, .vtk, .node or .ele" );
		return false;
	}
	char *paths[2] = { NULL, NULL }, *texts[2] = { NULL, NULL };
	size_t bytes[2] = { 0, 0 };
	texts[0] = gelFormatCage( cage, format, bytes + 0, texts + 1, bytes + 1 );
	bool ok = texts[0] != NULL && gelCagePaths( path, paths + 0, paths + 1 );
	if ( ok )
		ok = WritePair( paths, texts, bytes, findings );
	else
		gelFindings_Add( findings, gel_finding3, path, "there is no memory for the text of the cage" );
	for ( int i = 0; i < 2; ++i )
	{
		free( paths[i] );
		free( texts[i] );
	}
	return ok;
}
