// SPDX-License-Identifier: MIT
// Files appear whole or not at all: written under a temporary name in the same folder, flushed to the disk,
// renamed. A run that fails or is killed leaves what was there before (pending_files.c removes the temporary
// name on signals).
//
//     Begin    follow links, refuse folders and write-protected files, open .gelpack-PID-N.tmp beside it
//     Write    errors are kept, and told once by Commit
//     Commit   flush, fsync, rename, fsync of the folder
#include "common/program/output_file.h"

#include "cage/whole_file.h"
#include "common/program/memory.h"
#include "common/program/pending_files.h"

#include <gelpack/asserts.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS    40 // as many symbolic links in a row as Linux follows
#define MAX_ATTEMPTS 100

uint8_t* gelReadFile( const char* path, size_t maxBytes, size_t* outBytes, gelFindings* findings )
{
	GEL_ASSERT( path != NULL && maxBytes > 0 );
	uint8_t* bytes;
	char reason[128];
	gelReadResult result = gelReadWholeFile( path, maxBytes, &bytes, outBytes, reason, sizeof( reason ) );
	if ( result == gel_readOk ) return bytes;
	gelFindings_Add( findings, result == gel_readNoMemory ? gel_findingNoMemory : gel_findingCannotRead, path,
		"%s", reason );
	return NULL;
}

static char* Join( const char* folder, size_t folderLength, const char* name )
{
	size_t length = strlen( name );
	char* path = gelTake( folderLength + length + 1 );
	memcpy( path, folder, folderLength );
	memcpy( path + folderLength, name, length + 1 );
	return path;
}

// Length of "folder/" in "folder/name".
static size_t FolderLength( const char* path )
{
	const char* slash = strrchr( path, '/' );
	return slash == NULL ? 0 : (size_t)( slash - path ) + 1;
}

// Renaming onto a link itself would replace the link and leave the file that it names as it was.
char* gelFollowLinks( const char* path )
{
	char* current = Join( "", 0, path );
	for ( int i = 0; current != NULL; ++i )
	{
		struct stat status;
		if ( lstat( current, &status ) != 0 || !S_ISLNK( status.st_mode ) ) return current;
		char target[PATH_MAX];
		ssize_t length = i < MAX_LINKS ? readlink( current, target, sizeof( target ) - 1 ) : -1;
		if ( i == MAX_LINKS ) errno = ELOOP;
		char* next = NULL;
		if ( length >= 0 )
		{
			target[length] = 0;
			next = Join( current, target[0] == '/' ? 0 : FolderLength( current ), target );
		}
		free( current );
		current = next;
	}
	return NULL;
}

// A device or a pipe with a reader is written to directly: there is nothing to replace.
static int OpenSpecial( const gelOutputFile* file, mode_t mode )
{
	if ( !S_ISCHR( mode ) && !S_ISFIFO( mode ) )
	{
		errno = S_ISDIR( mode ) ? EISDIR : EINVAL;
		return -1;
	}
	int descriptor = open( file->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC );
	if ( descriptor >= 0 ) fcntl( descriptor, F_SETFL, fcntl( descriptor, F_GETFL ) & ~O_NONBLOCK );
	return descriptor;
}

// A new file with a name of its own beside the final one: a rename is atomic only within one file system.
static int OpenTemporary( gelOutputFile* file )
{
	static unsigned s_serial;
	for ( int attempt = 0; attempt < MAX_ATTEMPTS; ++attempt )
	{
		char name[64];
		snprintf( name, sizeof( name ), ".gelpack-%ld-%u.tmp", (long)getpid(), s_serial++ );
		file->temporaryPath = Join( file->path, FolderLength( file->path ), name );
		if ( file->temporaryPath == NULL ) return -1;
		int descriptor = open( file->temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666 );
		if ( descriptor >= 0 )
		{
			file->pendingSlot = gelAddPendingFile( file->temporaryPath ) + 1;
			return descriptor;
		}
		free( file->temporaryPath );
		file->temporaryPath = NULL;
		if ( errno != EEXIST ) return -1;
	}
	return -1;
}

static int OpenOutput( gelOutputFile* file, const char* path, bool isDraft )
{
	file->path = gelFollowLinks( path );
	if ( file->path == NULL ) return -1;
	struct stat status;
	bool exists = stat( file->path, &status ) == 0;
	if ( exists && !S_ISREG( status.st_mode ) )
		return isDraft ? -1 : OpenSpecial( file, status.st_mode ); // who reads there would see the draft
	if ( exists && access( file->path, W_OK ) != 0 ) return -1;    // write-protected: rename would not care
	size_t length = strlen( file->path );
	if ( length == 0 || file->path[length - 1] == '/' )
	{
		errno = EISDIR;
		return -1;
	}
	int descriptor = OpenTemporary( file );
	if ( descriptor >= 0 && exists && fchmod( descriptor, status.st_mode & 0777 ) != 0 )
	{
		close( descriptor );
		return -1;
	}
	return descriptor;
}

// False: errno says why.
static bool OpenStream( gelOutputFile* file, const char* path, bool isDraft )
{
	*file = ( gelOutputFile ){ 0 };
	int descriptor = OpenOutput( file, path, isDraft );
	file->stream = descriptor >= 0 ? fdopen( descriptor, "wb" ) : NULL;
	if ( file->stream != NULL ) return true;
	int error = errno;
	if ( descriptor >= 0 ) close( descriptor );
	errno = error;
	return false;
}

// What errno says.
static void AddWriteError( gelFindings* findings, const char* path )
{
	gelFindings_Add( findings, errno == ENOMEM ? gel_findingNoMemory : gel_findingCannotWrite, path,
		"cannot be written: %s", strerror( errno ) );
}

bool gelOutputFile_Begin( gelOutputFile* file, const char* path, gelFindings* findings )
{
	if ( OpenStream( file, path, false ) ) return true;
	AddWriteError( findings, path );
	gelOutputFile_Abort( file );
	return false;
}

// The rename itself must survive a power cut too. Not every file system can do this; the data is safe either
// way.
static void SyncFolder( const char* path )
{
	char* folder = Join( path, FolderLength( path ), "." );
	int descriptor = folder != NULL ? open( folder, O_RDONLY | O_CLOEXEC ) : -1;
	if ( descriptor >= 0 )
	{
		(void)fsync( descriptor );
		close( descriptor );
	}
	free( folder );
}

// Flushes and closes. A full disk may show up in any of these.
static bool CloseStream( gelOutputFile* file, bool sync )
{
	FILE* stream = file->stream;
	bool written = !ferror( stream );
	int error = written ? 0 : file->writeError != 0 ? file->writeError : EIO;
	if ( written && ( fflush( stream ) != 0 || ( sync && fsync( fileno( stream ) ) != 0 ) ) ) error = errno;
	if ( fclose( stream ) != 0 && error == 0 ) error = errno;
	file->stream = NULL;
	errno = error;
	return error == 0;
}

bool gelOutputFile_Commit( gelOutputFile* file, gelFindings* findings )
{
	bool ok = file->stream == NULL || CloseStream( file, file->temporaryPath != NULL ); // NULL: a draft
	if ( ok && file->temporaryPath != NULL )
	{
		ok = rename( file->temporaryPath, file->path ) == 0;
		if ( ok )
		{
			free( file->temporaryPath );
			file->temporaryPath = NULL;
			SyncFolder( file->path );
		}
	}
	if ( !ok ) AddWriteError( findings, file->path );
	gelOutputFile_Abort( file );
	return ok;
}

void gelOutputFile_Abort( gelOutputFile* file )
{
	if ( file->stream != NULL ) fclose( file->stream );
	if ( file->temporaryPath != NULL ) unlink( file->temporaryPath );
	gelForgetPendingFile( file->pendingSlot - 1 );
	free( file->temporaryPath );
	free( file->path );
	*file = ( gelOutputFile ){ 0 };
}

void gelOutputFile_Write( gelOutputFile* file, const void* bytes, size_t byteCount )
{
	GEL_ASSERT( file->stream != NULL );
	if ( byteCount > 0 && fwrite( bytes, 1, byteCount, file->stream ) != byteCount ) file->writeError = errno;
}

bool gelDraftFile( gelOutputFile* file, const char* path, const void* bytes, size_t byteCount )
{
	bool ok = OpenStream( file, path, true );
	if ( ok )
	{
		gelOutputFile_Write( file, bytes, byteCount );
		ok = CloseStream( file, true );
	}
	if ( !ok ) gelOutputFile_Abort( file );
	return ok;
}

bool gelWriteFile( const char* path, const void* bytes, size_t byteCount, gelFindings* findings )
{
	GEL_ASSERT( bytes != NULL || byteCount == 0 );
	gelOutputFile file;
	if ( !gelOutputFile_Begin( &file, path, findings ) ) return false;
	gelOutputFile_Write( &file, bytes, byteCount );
	return gelOutputFile_Commit( &file, findings );
}
