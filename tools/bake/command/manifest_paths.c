// SPDX-License-Identifier: MIT
// No file of a batch may be written twice, or written while others read it: the art of a later asset would be
// a pack by then. Bakes run at the same time and know nothing of each other, so the manifest is looked at as
// a whole. Files that are there are told apart by what they are (links included), others by their names.
#define _XOPEN_SOURCE 700 // realpath
#include "bake/command/bake_batch.h"

#include <gelpack/asserts.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_KEY ( 2 * PATH_MAX + 8 )

typedef struct BatchFile
{
	const char* key;  // equal for equal files
	const char* name; // as the manifest has it
	int asset;        // -1: the manifest itself
	bool isOutput;
} BatchFile;

typedef struct FileList
{
	BatchFile* files;
	int count, capacity;
	const char* folder; // folder of the manifest, with its slash, or ""
	gelBakePool* pool;
} FileList;

// "/a/./b/../c" -> "/a/c", in place.
static void Normalize( char* path )
{
	char* out = path;
	for ( const char* p = path; *p != 0; )
	{
		p += strspn( p, "/" );
		size_t length = strcspn( p, "/" );
		if ( length == 2 && p[0] == '.' && p[1] == '.' )
		{
			while ( out > path && *--out != '/' )
			{
			}
		}
		else if ( length > 0 && !( length == 1 && p[0] == '.' ) )
		{
			*out++ = '/';
			memmove( out, p, length );
			out += length;
		}
		p += length;
	}
	*out = 0;
}

// False: it is no file that could be lost, such as a device or a folder.
static bool PrintKey( const char* path, char out[MAX_KEY] )
{
	struct stat status;
	if ( stat( path, &status ) == 0 )
	{
		snprintf(
			out, MAX_KEY, "%llx:%llx", (unsigned long long)status.st_dev, (unsigned long long)status.st_ino );
		return S_ISREG( status.st_mode );
	}
	char folder[PATH_MAX], real[PATH_MAX];
	const char* slash = strrchr( path, '/' );
	const char* name = slash != NULL ? slash + 1 : path;
	int length = snprintf( folder, sizeof( folder ), "%.*s.", (int)( name - path ), path );
	if ( length < 0 || length >= (int)sizeof( folder ) ) return false;
	if ( realpath( folder, real ) != NULL )
	{
		snprintf( out, MAX_KEY, "%s/%s", real, name );
		return true;
	}
	// folders that will be made
	const char* root = path[0] == '/' || realpath( ".", real ) == NULL ? "" : real;
	snprintf( out, MAX_KEY, "%s/%s", root, path );
	Normalize( out );
	return true;
}

static void AddFile( FileList* list, const char* name, int asset, bool isOutput )
{
	GEL_ASSERT( name != NULL && asset >= -1 );
	char path[PATH_MAX], key[MAX_KEY];
	int length =
		snprintf( path, sizeof( path ), "%s%s", name[0] == '/' || asset < 0 ? "" : list->folder, name );
	if ( length < 0 || length >= PATH_MAX || !PrintKey( path, key ) ) return;
	if ( list->count == list->capacity )
	{
		list->capacity = 2 * list->capacity + 64;
		BatchFile* files = gelBakePool_Alloc( list->pool, (size_t)list->capacity, sizeof( BatchFile ) );
		if ( list->count > 0 ) memcpy( files, list->files, (size_t)list->count * sizeof( BatchFile ) );
		list->files = files;
	}
	size_t bytes = strlen( key ) + 1;
	char* copy = memcpy( gelBakePool_Alloc( list->pool, bytes, 1 ), key, bytes );
	list->files[list->count++] = ( BatchFile ){ copy, name, asset, isOutput };
}

// Files that options name: values of --depfile are written, other values that are files are read.
static void AddOptions( FileList* list, const gelBatchAsset* asset, int index )
{
	static const char depfile[] = "--depfile";
	for ( int i = 0; i < asset->optionCount; ++i )
	{
		const char* word = asset->options[i];
		bool isAttached = strncmp( word, "--", 2 ) == 0 && strchr( word, '=' ) != NULL;
		bool isDepfile = isAttached ? strncmp( word, "--depfile=", sizeof( depfile ) ) == 0
									: i > 0 && strcmp( asset->options[i - 1], depfile ) == 0;
		const char* value = isAttached ? strchr( word, '=' ) + 1 : word;
		char path[PATH_MAX];
		struct stat status;
		int length = snprintf( path, sizeof( path ), "%s%s", value[0] == '/' ? "" : list->folder, value );
		// Which options take files is not looked up: a value that is the name of a file is taken for one, at
		// worst once too often.
		bool isThere = length < PATH_MAX && stat( path, &status ) == 0;
		if ( isDepfile || ( isThere && ( isAttached || value[0] != '-' ) ) )
			AddFile( list, value, index, isDepfile );
	}
}

static int CompareFiles( const void* a, const void* b )
{
	const BatchFile *x = a, *y = b;
	int order = strcmp( x->key, y->key );
	return order != 0 ? order : x->asset != y->asset ? x->asset - y->asset : x->isOutput - y->isOutput;
}

// Among files that are one: the last that is written, if there is another or somebody reads it; NULL: all is
// well.
static const BatchFile* FindClash( const BatchFile* files, int count, bool* outIsRead )
{
	const BatchFile* last = NULL;
	*outIsRead = false;
	for ( int i = 0; i < count; ++i )
	{
		if ( files[i].isOutput ) last = files + i;
		if ( !files[i].isOutput ) *outIsRead = true;
	}
	return count > 1 ? last : NULL;
}

bool gelCheckBatchPaths(
	const gelBatchManifest* manifest, const char* manifestPath, gelBakePool* pool, gelJsonReader* reader )
{
	GEL_ASSERT( manifest->count == 0 || manifest->assets != NULL );
	char folder[PATH_MAX] = "";
	const char* slash = strrchr( manifestPath, '/' );
	if ( slash != NULL )
		snprintf( folder, sizeof( folder ), "%.*s", (int)( slash - manifestPath ) + 1, manifestPath );
	FileList list = { .folder = folder, .pool = pool };
	AddFile( &list, manifestPath, -1, false );
	for ( int i = 0; i < manifest->count; ++i )
	{
		AddFile( &list, manifest->assets[i].input, i, false );
		AddFile( &list, manifest->assets[i].output, i, true );
		AddOptions( &list, manifest->assets + i, i );
	}
	if ( list.count > 1 ) qsort( list.files, (size_t)list.count, sizeof( BatchFile ), CompareFiles );
	for ( int first = 0, end = 0; first < list.count && !reader->failed; first = end )
	{
		while ( end < list.count && strcmp( list.files[end].key, list.files[first].key ) == 0 )
			end += 1;
		bool isRead;
		const BatchFile* clash = FindClash( list.files + first, end - first, &isRead );
		if ( clash == NULL ) continue;
		gelJson_EnterIndex( reader, clash->asset );
		gelJson_Fail( reader,
			isRead ? "%.120s is read by this batch and would be overwritten; give the output another name"
				   : "another asset is baked to %.120s, too; give them different outputs",
			clash->name );
		gelJson_Leave( reader );
	}
	return !reader->failed;
}
