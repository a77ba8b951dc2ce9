// SPDX-License-Identifier: MIT
#include "common/mesh/cage_file.h"

#include "common/program/output_file.h"

#include <gelpack/asserts.h>

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
			gelFindings_Add( findings, gel_findingCageTetsTurned, path,
				"%u of %u tets were listed inside out and turned round", turned, outCage->tetCount );
		}
		return true;
	}
	int number = error.isMemory ? gel_findingNoMemory
		: error.isIo            ? gel_findingCannotRead
								: gel_findingCageFileWrong;
	if ( error.line > 0 )
		gelFindings_Add(
			findings, number, error.file, "line %llu: %s", (unsigned long long)error.line, error.text );
	else
		gelFindings_Add( findings, number, error.file, "%s", error.text );
	return false;
}

static bool WriteText(
	gelOutputFile* file, const char* path, const char* text, size_t bytes, gelFindings* findings )
{
	if ( !gelOutputFile_Begin( file, path, findings ) ) return false;
	if ( fwrite( text, 1, bytes, file->stream ) != bytes ) file->writeError = errno;
	if ( fflush( file->stream ) != 0 && file->writeError == 0 ) file->writeError = errno;
	if ( file->writeError == 0 ) return true;
	return gelOutputFile_Commit( file, findings ); // reports why, and leaves what was there
}

// One cage under temporary names: two files for TetGen, else one.
static bool WriteCage( gelOutputFile* files, const gelCage* cage, const char* path, gelFindings* findings )
{
	gelCageFormat format;
	if ( !gelCageFormat_FromPath( path, &format ) )
	{
		gelFindings_Add( findings, gel_findingCageExtensionUnknown, path,
			"a cage is written as .msh, .msh4, .vtk, .vtu, .usda, .node or .ele" );
		return false;
	}
	char *paths[2] = { NULL, NULL }, *texts[2] = { NULL, NULL };
	size_t bytes[2] = { 0, 0 };
	texts[0] = gelFormatCage( cage, format, bytes + 0, texts + 1, bytes + 1 );
	bool ok = texts[0] != NULL && gelCagePaths( path, paths + 0, paths + 1 );
	if ( !ok )
		gelFindings_Add( findings, gel_findingNoMemory, path, "there is no memory for the text of the cage" );
	for ( int i = 0; i < 2; ++i )
	{
		if ( ok && paths[i] != NULL ) ok = WriteText( files + i, paths[i], texts[i], bytes[i], findings );
	}
	for ( int i = 0; i < 2; ++i )
	{
		free( paths[i] );
		free( texts[i] );
	}
	return ok;
}

bool gelSaveCages( const gelCage* const* cages, const char* const* paths, int count, gelFindings* findings )
{
	GEL_ASSERT( count > 0 );
	gelOutputFile* files = calloc( 2 * (size_t)count, sizeof( gelOutputFile ) );
	if ( files == NULL )
	{
		gelFindings_Add( findings, gel_findingNoMemory, paths[0], "there is no memory to write the cages" );
		return false;
	}
	bool ok = true;
	for ( int i = 0; ok && i < count; ++i )
		ok = WriteCage( files + 2 * i, cages[i], paths[i], findings );
	// Renames one after the other once all texts are on disk: what can fail (space, rights) has failed
	// before.
	for ( int i = 0; i < 2 * count; ++i )
	{
		if ( ok && files[i].path != NULL ) ok = gelOutputFile_Commit( files + i, findings );
		gelOutputFile_Abort( files + i );
	}
	free( files );
	return ok;
}

bool gelSaveCage( const gelCage* cage, const char* path, gelFindings* findings )
{
	return gelSaveCages( &cage, &path, 1, findings );
}
