// SPDX-License-Identifier: MIT
// Damage of every kind. A pack that is cut, longer, moved or has one byte changed is refused; one whose
// hashes were made right after the change is refused or can be used without fault, down to stepping it.
// Worth most under the address and undefined-behavior sanitizers.
#include "test_support.h"

#include "pack_drive.h"
#include "small_pack.h"

#include <gelpack/gelpack.h>

#include <stdlib.h>
#include <string.h>

// The other tests mean something only if an undamaged pack really moves.
static void TheUndamagedPackSteps( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelAsset* asset;
	assert_int_equal( gelLoadAsset( bytes, byteCount, NULL, &asset, NULL ), gel_success );
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_success );
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = asset;
	gelBodyId body;
	assert_int_equal( gelCreateBody( world, &bodyDef, &body ), gel_success );
	gelVec3 before[9], after[9];
	assert_int_equal( gelBody_GetPositions( body, before, 9 ), 9 );
	assert_int_equal( gelWorld_Step( world, (float)GEL_SMALL_PACK_STEP ), gel_success );
	assert_int_equal( gelBody_GetPositions( body, after, 9 ), 9 );
	for ( int i = 0; i < 9; ++i )
	{
		float fall = before[i].y - after[i].y, expected = 9.81f / 3600.0f; // g h^2, backward Euler
		assert_true( fall > 0.99f * expected && fall < 1.01f * expected );
	}
	gelDestroyWorld( world );
	gelDestroyAsset( asset );
	free( bytes );
}

static void EveryTruncationIsRefused( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	for ( size_t length = 0; length < byteCount; ++length )
	{
		uint8_t* cut = gelCopyPack( bytes, length ); // ends where its memory ends
		gelPackFault fault;
		assert_int_equal( gelTryPack( cut, length, NULL, &fault ), gel_packTruncated );
		assert_false( gelDrivePack( cut, length ) );
		// the same with a header that agrees with the length
		if ( length >= sizeof( gelPackHeader ) )
		{
			( (gelPackHeader*)cut )->fileBytes = length;
			gelRepairPackHashes( cut, length );
			assert_int_not_equal( gelTryPack( cut, length, NULL, &fault ), gel_packOk );
		}
		free( cut );
	}
	free( bytes );
}

static void TrailingBytesAreRefused( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	for ( size_t extra = 1; extra <= 128; ++extra )
	{
		size_t room = ( byteCount + extra + 63 ) / 64 * 64;
		uint8_t* grown = aligned_alloc( 64, room );
		memset( grown, 0, room );
		memcpy( grown, bytes, byteCount );
		gelPackFault fault;
		assert_int_equal( gelTryPack( grown, byteCount + extra, NULL, &fault ), gel_packTrailing );
		( (gelPackHeader*)grown )->fileBytes = byteCount + extra;
		gelRepairPackHashes( grown, byteCount + extra );
		assert_int_not_equal( gelTryPack( grown, byteCount + extra, NULL, &fault ), gel_packOk );
		free( grown );
	}
	free( bytes );
}

static void EveryFlippedByteIsRefused( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	for ( size_t i = 0; i < byteCount; ++i )
	{
		for ( int bit = 0; bit < 8; ++bit )
		{
			bytes[i] ^= (uint8_t)( 1u << bit );
			gelPackFault fault;
			if ( gelTryPack( bytes, byteCount, NULL, &fault ) == gel_packOk )
				fail_msg( "bit %d of byte %zu may be flipped", bit, i );
			bytes[i] ^= (uint8_t)( 1u << bit );
		}
	}
	free( bytes );
}

// With the hashes repaired only the rules stand between a flipped byte and the runtime.
static void EveryRepairedFlipIsRefusedOrHarmless( void** state )
{
	(void)state;
	static const uint8_t masks[] = { 0x01, 0x10, 0x80, 0xFF };
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	uint8_t* damaged = gelCopyPack( bytes, byteCount );
	int acceptedCount = 0, refusedCount = 0;
	for ( size_t i = 0; i < 4 * byteCount; ++i )
	{
		memcpy( damaged, bytes, byteCount );
		damaged[i / 4] ^= masks[i % 4];
		gelRepairPackHashes( damaged, byteCount );
		gelPackView view;
		gelPackFault fault;
		bool accepted = gelTryPack( damaged, byteCount, &view, &fault ) == gel_packOk;
		if ( accepted ) gelTouchPack( &view );
		assert_int_equal( gelDrivePack( damaged, byteCount ), accepted );
		acceptedCount += accepted;
		refusedCount += !accepted;
	}
	// Neither may die out: META, provenance and low bits of floats may change, structure may not.
	assert_true( acceptedCount > 500 && refusedCount > 5000 );
	free( damaged );
	free( bytes );
}

// Several bytes at once, anywhere or inside one section, and words with telling values.
static void RandomDamageIsRefusedOrHarmless( void** state )
{
	(void)state;
	static const uint32_t words[] = { 0, 1, 2, 7, 12, 63, 64, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000,
		0x7FC00000, 0x00000001, 0xFF7FFFFF, 0x3F800000 };
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	uint8_t* damaged = gelCopyPack( bytes, byteCount );
	gelRandom random = { 20 };
	for ( int round = 0; round < 20000; ++round )
	{
		memcpy( damaged, bytes, byteCount );
		int count = 1 + (int)( gelRandom_Next( &random ) % 3 );
		for ( int k = 0; k < count; ++k )
		{
			size_t place = gelRandom_Next( &random ) % ( byteCount / 4 ) * 4;
			uint32_t word = words[gelRandom_Next( &random ) % ( sizeof( words ) / sizeof( words[0] ) )];
			memcpy( damaged + place, &word, sizeof( word ) );
		}
		gelRepairPackHashes( damaged, byteCount );
		gelPackView view;
		gelPackFault fault;
		bool accepted = gelTryPack( damaged, byteCount, &view, &fault ) == gel_packOk;
		if ( accepted ) gelTouchPack( &view );
		if ( accepted ) assert_true( gelDrivePack( damaged, byteCount ) );
	}
	free( damaged );
	free( bytes );
}

static void OddAddressesAreRefusedAndCopiesWork( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	uint8_t* room = aligned_alloc( 64, ( byteCount + 127 ) / 64 * 64 );
	for ( size_t shift = 1; shift < 64; ++shift )
	{
		memcpy( room + shift, bytes, byteCount );
		gelPackFault fault;
		assert_int_equal( gelTryPack( room + shift, byteCount, NULL, &fault ), gel_packAlignment );
	}
	memcpy( room + 13, bytes, byteCount );
	assert_true( gelDrivePack( room + 13, byteCount ) ); // the runtime's helper copies
	free( room );
	free( bytes );
}

static void OtherFilesAreNotPacks( void** state )
{
	(void)state;
	_Alignas( 64 ) uint8_t bytes[512];
	gelPackFault fault;
	assert_int_equal( gelTryPack( NULL, 0, NULL, &fault ), gel_packTruncated );
	memset( bytes, 0, sizeof( bytes ) );
	assert_int_equal( gelTryPack( bytes, sizeof( bytes ), NULL, &fault ), gel_packMagic );
	memcpy( bytes, "\x89PNG\r\n\x1A\n", 8 );
	assert_int_equal( gelTryPack( bytes, sizeof( bytes ), NULL, &fault ), gel_packMagic );
	assert_int_equal( gelTryPack( bytes, 3, NULL, &fault ), gel_packMagic );
	gelRandom random = { 3 };
	for ( int round = 0; round < 2000; ++round )
	{
		for ( size_t i = 0; i < sizeof( bytes ); ++i )
			bytes[i] = (uint8_t)gelRandom_Next( &random );
		// random bytes behind a believable start
		gelPackHeader* header = (gelPackHeader*)bytes;
		memcpy( header->magic, GEL_PACK_MAGIC, 8 );
		header->versionMajor = GEL_PACK_VERSION_MAJOR;
		header->endianTag = GEL_PACK_ENDIAN_TAG;
		header->fileBytes = sizeof( bytes );
		header->sectionCount = (uint32_t)( round % 8 );
		if ( round % 2 ) header->headerFlags = header->scalarKind = 0;
		if ( round % 2 ) memset( header->reserved, 0, sizeof( header->reserved ) );
		if ( round % 4 == 1 )
			header->nodeCount = header->tetCount = header->artVertexCount = header->artTriangleCount = 9;
		gelRepairPackHashes( bytes, sizeof( bytes ) );
		assert_int_not_equal( gelTryPack( bytes, sizeof( bytes ), NULL, &fault ), gel_packOk );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TheUndamagedPackSteps ),
		cmocka_unit_test( EveryTruncationIsRefused ),
		cmocka_unit_test( TrailingBytesAreRefused ),
		cmocka_unit_test( EveryFlippedByteIsRefused ),
		cmocka_unit_test( EveryRepairedFlipIsRefusedOrHarmless ),
		cmocka_unit_test( RandomDamageIsRefusedOrHarmless ),
		cmocka_unit_test( OddAddressesAreRefusedAndCopiesWork ),
		cmocka_unit_test( OtherFilesAreNotPacks ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
