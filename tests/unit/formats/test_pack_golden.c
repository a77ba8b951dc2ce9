// SPDX-License-Identifier: MIT
// Packs that were written once and never again: every reader of the same major version must open them and
// find what stands in the text beside them. tests/golden/README.md says how one is added.
#include "test_support.h"

#include "pack_drive.h"
#include "small_pack.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t* ReadPack( const char* name, size_t* outBytes )
{
	char path[1024];
	snprintf( path, sizeof( path ), "%s/%s", GEL_TEST_DATA, name );
	FILE* stream = fopen( path, "rb" );
	assert_non_null( stream );
	assert_int_equal( fseek( stream, 0, SEEK_END ), 0 );
	size_t byteCount = (size_t)ftell( stream );
	rewind( stream );
	uint8_t* bytes = aligned_alloc( 64, ( byteCount + 63 ) / 64 * 64 );
	assert_int_equal( fread( bytes, 1, byteCount, stream ), byteCount );
	fclose( stream );
	*outBytes = byteCount;
	return bytes;
}

// The figures of a pack by the names that the texts use. @return NAN for a name that does not exist
static double FindFigure( const gelPackView* view, const char* name )
{
	const gelPackHeader* h = view->header;
	double mass = 0.0, volume = 0.0, area = 0.0, collisionVertices = 0.0;
	for ( uint32_t i = 0; i < h->nodeCount; ++i )
		mass += view->masses[i].mass;
	for ( uint32_t i = 0; i < h->tetCount; ++i )
		volume += view->tetRests[i].volume;
	for ( uint32_t i = 0; i < h->cdgPatchCount; ++i )
	{
		area += (double)view->patches[i].area;
		collisionVertices += view->patches[i].vertexCount;
	}
	const struct
	{
		const char* name;
		double value;
	} figures[] = {
		{ "bytes", (double)h->fileBytes },
		{ "nodes", h->nodeCount },
		{ "tets", h->tetCount },
		{ "vertices", h->artVertexCount },
		{ "triangles", h->artTriangleCount },
		{ "colors", view->colorCount },
		{ "materials", view->materialCount },
		{ "pin_sets", gelPack_CountSections( view, GEL_SECTION_PINS ) },
		{ "factors", gelPack_CountSections( view, GEL_SECTION_FACT ) },
		{ "mass", mass },
		{ "volume", volume },
		{ "cells", h->cdgTetCount },
		{ "patches", h->cdgPatchCount },
		{ "collision_triangles", h->cdgTriangleCount },
		{ "collision_vertices", collisionVertices },
		{ "area", area },
	};
	for ( size_t i = 0; i < sizeof( figures ) / sizeof( figures[0] ); ++i )
	{
		if ( strcmp( figures[i].name, name ) == 0 ) return figures[i].value;
	}
	return NAN;
}

// Lines "name value"; "hash" is 16 hexadecimal digits, XXH64 of the file.
static void CheckFacts( const char* packName, const gelPackView* view )
{
	char path[1024], line[256], name[64], value[64];
	snprintf( path, sizeof( path ), "%s/%.*s.txt", GEL_TEST_DATA, (int)( strlen( packName ) - 4 ), packName );
	FILE* stream = fopen( path, "r" );
	assert_non_null( stream );
	int figureCount = 0;
	bool hasHash = false;
	while ( fgets( line, sizeof( line ), stream ) != NULL )
	{
		if ( line[0] == '#' || sscanf( line, "%63s %63s", name, value ) != 2 ) continue;
		if ( strcmp( name, "hash" ) == 0 )
		{
			uint64_t hash = gelPack_Hash( view->bytes, (size_t)view->header->fileBytes );
			char text[32];
			snprintf( text, sizeof( text ), "%016" PRIx64, hash );
			assert_string_equal( text, value );
			hasHash = true;
			continue;
		}
		double found = FindFigure( view, name ), expected = strtod( value, NULL );
		if ( !( fabs( found - expected ) <= 1e-6 * fabs( expected ) ) )
			fail_msg( "%s: %s is %.9g, expected %s", packName, name, found, value );
		++figureCount;
	}
	fclose( stream );
	assert_true( hasHash );
	assert_int_equal( figureCount, view->cells != NULL ? 16 : 11 );
}

static void EveryGoldenPackLoadsAndSteps( void** state )
{
	(void)state;
	DIR* folder = opendir( GEL_TEST_DATA );
	assert_non_null( folder );
	int count = 0;
	for ( struct dirent* entry; ( entry = readdir( folder ) ) != NULL; )
	{
		size_t length = strlen( entry->d_name );
		if ( length < 5 || strcmp( entry->d_name + length - 4, ".gel" ) != 0 ) continue;
		size_t byteCount;
		uint8_t* bytes = ReadPack( entry->d_name, &byteCount );
		gelPackView view;
		gelAssertPackOpens( bytes, byteCount, &view );
		CheckFacts( entry->d_name, &view );
		gelTouchPack( &view );
		assert_true( gelDrivePack( bytes, byteCount ) );
		free( bytes );
		++count;
	}
	closedir( folder );
	assert_true( count >= 5 );
}

// Baked packs, damaged: larger and with more structure than the one made by hand.
static void DamageGolden( const char* name, int rounds )
{
	size_t byteCount;
	uint8_t* bytes = ReadPack( name, &byteCount );
	uint8_t* damaged = gelCopyPack( bytes, byteCount );
	gelRandom random = { 11 };
	for ( int round = 0; round < rounds; ++round )
	{
		memcpy( damaged, bytes, byteCount );
		damaged[gelRandom_Next( &random ) % byteCount] ^= (uint8_t)( 1u << gelRandom_Next( &random ) % 8 );
		gelPackFault fault;
		assert_int_not_equal( gelTryPack( damaged, byteCount, NULL, &fault ), gel_packOk );
		gelRepairPackHashes( damaged, byteCount );
		gelPackView view;
		bool accepted = gelTryPack( damaged, byteCount, &view, &fault ) == gel_packOk;
		if ( accepted ) gelTouchPack( &view );
		if ( accepted && round % 4 == 0 ) assert_true( gelDrivePack( damaged, byteCount ) );
	}
	free( damaged );
	free( bytes );
}

static void DamagedGoldenPackIsRefusedOrHarmless( void** state )
{
	(void)state;
	DamageGolden( "ball-0.1.gel", 3000 );
	DamageGolden( "torus-0.3.gel", 1000 ); // with collision geometry
	DamageGolden( "torus-0.4.gel", 1000 ); // in short records
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EveryGoldenPackLoadsAndSteps ),
		cmocka_unit_test( DamagedGoldenPackIsRefusedOrHarmless ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
