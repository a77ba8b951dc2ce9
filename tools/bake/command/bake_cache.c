// SPDX-License-Identifier: MIT
// A folder of packs by the hash of everything that decides about them. Nothing is locked: entries are written
// under another name and renamed, equal keys have equal bytes, so it does not matter who comes first. Entries
// are distrusted like any file, and a damaged one is removed and baked again.
#include "bake/command/bake_cache.h"

#include "common/program/output_file.h"
#include "cage/whole_file.h"

#include <cholmod.h>
#include <errno.h>
#include <fcntl.h>
#include <gelpack/asserts.h>
#include <gelpack/base.h>
#include <jansson.h>
#include <limits.h>
#include <metis.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define MAX_FILE_BYTES ( (size_t)4 << 30 )

static void AddText( struct sha256_ctx* sha, const char* text )
{
	sha256_update( sha, strlen( text ) + 1, (const uint8_t*)text ); // with its zero, as a separator
}

// The program by its bytes where the system shows them: a build of the same version may bake otherwise.
static void AddTool( struct sha256_ctx* sha )
{
	int cholmod[3];
	cholmod_version( cholmod );
	uint8_t* program = NULL;
	size_t bytes = 0;
	char reason[128], text[256];
	gelReadResult result =
		gelReadWholeFile( "/proc/self/exe", MAX_FILE_BYTES, &program, &bytes, reason, sizeof( reason ) );
	XXH128_hash_t hash = { 0, 0 };
	if ( result == gel_readOk ) hash = XXH3_128bits( program, bytes );
	free( program );
	snprintf( text, sizeof( text ), "gel-bake %s, pack %d.%d, cholmod %d.%d.%d, metis %d.%d.%d, %llx%llx",
		GEL_VERSION_STRING, GEL_PACK_VERSION_MAJOR, GEL_PACK_VERSION_MINOR, cholmod[0], cholmod[1],
		cholmod[2], METIS_VER_MAJOR, METIS_VER_MINOR, METIS_VER_SUBMINOR, (unsigned long long)hash.high64,
		(unsigned long long)hash.low64 );
	AddText( sha, text );
}

static bool AddFile( struct sha256_ctx* sha, const char* path, gelFindings* findings )
{
	size_t bytes = 0;
	uint8_t* content = gelReadFile( path, MAX_FILE_BYTES, &bytes, findings );
	if ( content == NULL ) return false;
	const uint64_t length = bytes;
	sha256_update( sha, sizeof( length ), (const uint8_t*)&length );
	sha256_update( sha, bytes, content );
	free( content );
	return true;
}

bool gelMakeCacheKey( const gelCacheInputs* inputs, gelFindings* findings, gelCacheKey* outKey )
{
	GEL_ASSERT( inputs->optionsText != NULL && inputs->name != NULL && inputs->artSha256 != NULL );
	struct sha256_ctx sha;
	sha256_init( &sha );
	AddTool( &sha );
	AddText( &sha, inputs->optionsText );
	AddText( &sha, inputs->name );
	sha256_update( &sha, 32, inputs->artSha256 );
	for ( int i = 0; i < 4; ++i )
	{
		AddText( &sha, inputs->files[i] != NULL ? "file" : "" );
		if ( inputs->files[i] != NULL && !AddFile( &sha, inputs->files[i], findings ) ) return false;
	}
	sha256_digest( &sha, sizeof( outKey->bytes ), outKey->bytes );
	memcpy( outKey->artSha256, inputs->artSha256, sizeof( outKey->artSha256 ) );
	return true;
}

int gelMakeFolders( const char* path )
{
	char text[PATH_MAX];
	if ( strlen( path ) >= sizeof( text ) ) return ENAMETOOLONG;
	strcpy( text, path );
	for ( char* p = text + 1;; ++p )
	{
		if ( *p != '/' && *p != 0 ) continue;
		char end = *p;
		*p = 0;
		if ( mkdir( text, 0777 ) != 0 && errno != EEXIST ) return errno;
		*p = end;
		if ( end == 0 ) break;
	}
	struct stat status;
	return stat( text, &status ) != 0 ? errno : S_ISDIR( status.st_mode ) ? 0 : ENOTDIR;
}

static void PrintDigits( const uint8_t bytes[32], char out[65] )
{
	for ( int i = 0; i < 32; ++i )
		snprintf( out + 2 * i, 3, "%02x", bytes[i] );
}

// "FOLDER/3f" and "FOLDER/3f/3f8a...c1.gel"; false: too long.
// Two levels, because folders of a hundred thousand files are slow on many file systems.
static bool PrintPaths( const char* folder, const gelCacheKey* key, char* outFolder, char* outPath )
{
	char digits[65];
	PrintDigits( key->bytes, digits );
	int length = snprintf( outFolder, PATH_MAX, "%s/%.2s", folder, digits );
	if ( length < 0 || length + 72 >= PATH_MAX ) return false;
	memcpy( outPath, outFolder, (size_t)length );
	snprintf( outPath + length, PATH_MAX - (size_t)length, "/%s.gel", digits );
	return true;
}

// A good pack may still be in the wrong place, after a copy of a folder, say.
static bool IsOfArt( const gelPackView* pack, const gelCacheKey* key )
{
	char digits[65];
	PrintDigits( key->artSha256, digits );
	json_t* meta = json_loadb( pack->meta, pack->metaBytes, 0, NULL );
	const char* text = json_string_value( json_object_get( json_object_get( meta, "input" ), "sha256" ) );
	bool isSame = text != NULL && strcmp( text, digits ) == 0;
	json_decref( meta );
	return isSame;
}

bool gelFindInCache(
	const char* folder, const gelCacheKey* key, gelBakePool* pool, gelPackView* outPack, size_t* outBytes )
{
	GEL_ASSERT( folder != NULL && outPack != NULL );
	char folderPath[PATH_MAX], path[PATH_MAX], reason[128];
	uint8_t* read = NULL;
	if ( !PrintPaths( folder, key, folderPath, path ) ) return false;
	if ( gelReadWholeFile( path, MAX_FILE_BYTES, &read, outBytes, reason, sizeof( reason ) ) != gel_readOk )
		return false;
	// The reader works in place and wants 64 bytes of alignment, which malloc does not promise.
	uint8_t* bytes = gelBakePool_Alloc( pool, *outBytes + 1, 1 ); // aligned, as the reader wants it
	memcpy( bytes, read, *outBytes );
	free( read );
	gelPackFault fault;
	size_t scratchBytes = gelPack_ScratchBytes( bytes, *outBytes );
	void* scratch = gelBakePool_Alloc( pool, scratchBytes + 1, 1 );
	if ( gelPack_Open( bytes, *outBytes, scratch, scratchBytes, 0, outPack, &fault ) != gel_packOk ||
		!IsOfArt( outPack, key ) )
	{
		unlink( path );
		return false;
	}
	// For those who remove what was not used for long.
	(void)utimensat( AT_FDCWD, path, NULL, 0 );
	return true;
}

void gelStoreInCache( const char* folder, const gelCacheKey* key, const uint8_t* bytes, size_t byteCount,
	gelFindings* findings )
{
	char folderPath[PATH_MAX], path[PATH_MAX];
	gelFindings problems = { .silent = true };
	int error = PrintPaths( folder, key, folderPath, path ) ? gelMakeFolders( folderPath ) : ENAMETOOLONG;
	if ( error != 0 )
		gelFindings_Add( findings, gel_findingCacheNotWritten, folder,
			"the pack was not put into the cache: %s; without it everything works, but slower",
			strerror( error ) );
	else if ( !gelWriteFile( path, bytes, byteCount, &problems ) )
		gelFindings_Add( findings, gel_findingCacheNotWritten, folder,
			"the pack was not put into the cache: it %s; without it everything works, but slower",
			problems.count > 0 ? problems.items[0].text : "cannot be written" );
	gelFreeFindings( &problems );
}
