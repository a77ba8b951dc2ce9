// SPDX-License-Identifier: MIT
#include "preview/scene/loaded_packs.h"

#include "common/program/output_file.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

#define GEL_MAX_PREVIEW_PACK_BYTES ( (size_t)16 << 30 ) // formats/pack.md: no pack is larger

static void SayRefused( const char* path, const gelLoadError* error, gelFindings* findings )
{
	const char* rule = error->rule != NULL ? error->rule : "no more is known";
	if ( error->result == gel_errorMemory )
	{
		gelFindings_Add( findings, gel_findingNoMemory, path, "out of memory while the pack was loaded" );
	}
	else if ( error->section[0] != 0 )
	{
		gelFindings_Add( findings, gel_findingPackRefused, path,
			"%s: section %s, element %llu, byte %llu: %s; bake it again", gelResult_String( error->result ),
			error->section, (unsigned long long)error->index, (unsigned long long)error->byteOffset, rule );
	}
	else
	{
		gelFindings_Add( findings, gel_findingPackRefused, path,
			"%s: byte %llu: %s; it has to be a pack that gel-bake wrote", gelResult_String( error->result ),
			(unsigned long long)error->byteOffset, rule );
	}
}

static gelAsset* LoadPack( const char* path, gelFindings* findings )
{
	size_t byteCount = 0;
	uint8_t* bytes = gelReadFile( path, GEL_MAX_PREVIEW_PACK_BYTES, &byteCount, findings );
	if ( bytes == NULL ) return NULL;
	gelAsset* asset = NULL;
	gelLoadError error = { 0 };
	gelResult result = gelLoadAsset( bytes, byteCount, NULL, &asset, &error );
	free( bytes );
	if ( result == gel_success ) return asset;
	error.result = result;
	SayRefused( path, &error, findings );
	return NULL;
}

bool gelLoadPacks( gelPackSet* set, const char* const* paths, int count, gelFindings* findings )
{
	GEL_ASSERT( count >= 0 );
	*set = ( gelPackSet ){ calloc( (size_t)count, sizeof( gelAsset* ) ), paths, count };
	if ( set->assets == NULL )
	{
		gelFindings_Add( findings, gel_findingNoMemory, NULL, "out of memory for %d packs", count );
		set->count = 0;
		return false;
	}
	bool ok = true;
	for ( int i = 0; i < count; ++i )
	{
		set->assets[i] = LoadPack( paths[i], findings );
		ok = ok && set->assets[i] != NULL;
	}
	if ( !ok ) gelFreePacks( set );
	return ok;
}

void gelFreePacks( gelPackSet* set )
{
	for ( int i = 0; i < set->count; ++i )
		gelDestroyAsset( set->assets[i] );
	free( set->assets );
	memset( set, 0, sizeof( *set ) );
}
