// SPDX-License-Identifier: MIT
// Provenance: SHA-256 of everything that decides what a pack contains. Equal provenance, equal pack, so a
// build can skip a bake; and a pack tells whether it is that of a given source.
#include "bake/passes/pack_parts.h"

#include <gelpack/asserts.h>
#include <gelpack/base.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void AddText( struct sha256_ctx* sha, const char* text )
{
	sha256_update( sha, strlen( text ) + 1, (const uint8_t*)text ); // with its zero, as a separator
}

// Byte by byte, so that machines of either order give the same hash.
static void AddU32( struct sha256_ctx* sha, uint32_t value )
{
	const uint8_t bytes[4] = { (uint8_t)value, (uint8_t)( value >> 8 ), (uint8_t)( value >> 16 ),
		(uint8_t)( value >> 24 ) };
	sha256_update( sha, sizeof( bytes ), bytes );
}

// The cage by its contents, so that its file format does not matter, nor whether it was made in the same run.
static void AddCage( struct sha256_ctx* sha, const gelCage* cage )
{
	AddU32( sha, cage->nodeCount );
	AddU32( sha, cage->tetCount );
	for ( size_t i = 0; i < 3 * (size_t)cage->nodeCount; ++i )
	{
		double value = cage->positions[i] + 0.0; // -0 becomes +0
		uint64_t bits;
		memcpy( &bits, &value, sizeof( bits ) );
		AddU32( sha, (uint32_t)bits );
		AddU32( sha, (uint32_t)( bits >> 32 ) );
	}
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
		AddU32( sha, cage->tets[i] );
}

void gelBuildProvenance(
	const gelBakeData* data, const gelCage* cage, const gelFindings* findings, uint8_t out[32] )
{
	GEL_ASSERT( data->settings != NULL && cage != NULL );
	struct sha256_ctx sha;
	char versions[96];
	snprintf( versions, sizeof( versions ), "gel-bake %d.%d.%d, pack %d.%d", GEL_VERSION_MAJOR,
		GEL_VERSION_MINOR, GEL_VERSION_PATCH, GEL_PACK_VERSION_MAJOR, GEL_PACK_VERSION_MINOR );
	// Another METIS orders otherwise, another CHOLMOD may round otherwise.
	json_t* settings = json_pack(
		"{s:o, s:o}", "libraries", gelBuildLibrariesJson(), "settings", gelBuildSettingsJson( data ) );
	char* text = gelFormatStableJson( settings );
	sha256_init( &sha );
	AddText( &sha, versions );
	sha256_update( &sha, 32, data->settings->inputHash );
	AddCage( &sha, cage );
	AddText( &sha, text != NULL ? text : "" );
	// Levels are packs with a provenance of their own; theirs stands for all that is in them.
	for ( int i = 0; i < data->settings->levelCount; ++i )
	{
		const gelPackHeader* level = (const gelPackHeader*)(const void*)data->settings->levels[i].bytes;
		sha256_update( &sha, sizeof( level->provenance ), level->provenance );
	}
	// META lists warnings, and a cage that is made in the same run may give some that the same cage from a
	// file does not: without this, equal provenance would not mean equal bytes.
	json_t* warnings = gelBuildWarningsJson( findings );
	char* warningText = json_array_size( warnings ) > 0 ? gelFormatStableJson( warnings ) : NULL;
	if ( warningText != NULL ) AddText( &sha, warningText );
	sha256_digest( &sha, 32, out );
	free( warningText );
	json_decref( warnings );
	free( text );
	json_decref( settings );
}
