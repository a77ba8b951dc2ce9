// SPDX-License-Identifier: MIT
// What must hold for good packs: the hash is XXH64, a pack that was written opens with the same contents,
// writing is canonical, growth within a major version is accepted, and the frozen pack stays readable.
#include "test_support.h"

#include "pack/pack_read.h"
#include "pack/pack_write.h"
#include "small_pack.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// ---- hash ------------------------------------------------------------------------------------------

static void HashIsXxh64( void** state )
{
	(void)state;
	size_t bigBytes = ( 1u << 20 ) + 13;
	uint8_t* data = malloc( bigBytes );
	gelRandom random = { 7 };
	for ( size_t i = 0; i < bigBytes; ++i )
		data[i] = (uint8_t)gelRandom_Next( &random );
	for ( size_t length = 0; length <= 300; ++length )
	{
		for ( size_t offset = 0; offset < 8; ++offset ) // every alignment
		{
			assert_true( gelPack_Hash( data + offset, length ) == XXH64( data + offset, length, 0 ) );
		}
	}
	assert_true( gelPack_Hash( data + 5, bigBytes - 5 ) == XXH64( data + 5, bigBytes - 5, 0 ) );
	assert_true( gelPack_Hash( NULL, 0 ) == 0xEF46DB3751D8E999u ); // the published value for no bytes
	free( data );
}

static void FactorKeyHashesTheDocumentedBytes( void** state )
{
	(void)state;
	gelPackFactorKey key = { GEL_FACTOR_FAST, 1, 0, 42 };
	double step = (double)(float)( 1.0 / 60.0 );
	memcpy( &key.stepBits, &step, sizeof( step ) );
	assert_true( gelPack_FactorKey( GEL_FACTOR_FAST, 1.0 / 60.0, 42 ) == XXH64( &key, sizeof( key ), 0 ) );
	assert_true( gelPack_FactorKey( GEL_FACTOR_FAST, 1.0 / 60.0, 42 ) ==
		gelPack_FactorKey( GEL_FACTOR_FAST, (float)( 1.0 / 60.0 ), 42 ) );
	assert_true( gelPack_FactorKey( GEL_FACTOR_FAST, 1.0 / 30.0, 42 ) != XXH64( &key, sizeof( key ), 0 ) );
}

// ---- round trips -----------------------------------------------------------------------------------

static void SmallPackOpensWithItsContents( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	assert_non_null( bytes );
	assert_true( ( (uintptr_t)bytes & 63u ) == 0 );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	assert_int_equal( view.header->nodeCount, 12 );
	assert_int_equal( view.header->tetCount, 10 );
	assert_int_equal( view.header->artVertexCount, 9 );
	assert_int_equal( view.header->artTriangleCount, 12 );
	assert_int_equal( view.materialCount, 2 );
	assert_string_equal( view.materials[1].name, "rubber" );
	assert_memory_equal( view.meta, "{\"name\": \"small\"}\n", view.metaBytes );
	assert_true( view.nodes[11].x == 2.0f && view.nodes[11].y == 1.0f && view.nodes[11].z == 1.0f );
	double volume = 0.0, mass = 0.0;
	for ( uint32_t i = 0; i < 10; ++i )
		volume += view.tetRests[i].volume;
	for ( uint32_t i = 0; i < 12; ++i )
		mass += view.masses[i].mass;
	assert_true( volume > 2.0 - 1e-6 && volume < 2.0 + 1e-6 );
	assert_true( mass > 2100.0 - 1e-2 && mass < 2100.0 + 1e-2 );
	free( bytes );
}

static void SectionsAreFoundByNameAndKey( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	assert_int_equal( gelPack_CountSections( &view, GEL_SECTION_FACT ), 2 );
	assert_int_equal( gelPack_CountSections( &view, GEL_SECTION_PINS ), 1 );
	assert_int_equal( gelPack_CountSections( &view, GEL_FOURCC( 'N', 'O', 'N', 'E' ) ), 0 );
	assert_null( gelPack_GetSection( &view, GEL_SECTION_FACT, 2 ) );
	assert_null( gelPack_GetSection( &view, GEL_SECTION_FACT, UINT32_MAX ) );
	assert_null( gelPack_FindSection( &view, GEL_SECTION_FACT, 1 ) );
	uint64_t pinSets[2] = { 0, gelSmallPackPinSetId() };
	for ( int i = 0; i < 2; ++i )
	{
		uint64_t key = gelPack_FactorKey( GEL_FACTOR_FAST, GEL_SMALL_PACK_STEP, pinSets[i] );
		const gelPackSection* section = gelPack_FindSection( &view, GEL_SECTION_FACT, key );
		assert_non_null( section );
		gelPackFactorView factor = gelPack_GetFactor( &view, section );
		assert_true( factor.key == key && factor.header->pinSetId == pinSets[i] );
		assert_int_equal( factor.header->n, i == 0 ? 12 : 8 );
		assert_int_equal( factor.superFirst[factor.header->superCount], factor.header->n );
		assert_true( factor.header->superCount > 1 ); // else the tests of panels would test little
	}
	free( bytes );
}

// Adds every section of a pack to a writer, in table order or against it.
static uint8_t* Rewrite( const gelPackView* view, bool backwards, size_t* outBytes )
{
	gelPackWriter* writer = gelCreatePackWriter();
	gelPackWriter_SetCounts( writer, view->header );
	gelPackWriter_SetProvenance( writer, view->header->provenance );
	uint32_t count = view->header->sectionCount;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const gelPackSection* s = view->sections + ( backwards ? count - 1 - i : i );
		gelPackWriter_AddArray(
			writer, s->fourcc, s->key, s->flags, view->bytes + s->offset, s->count, s->stride );
	}
	uint8_t* bytes = gelPackWriter_Finish( writer, outBytes );
	gelDestroyPackWriter( writer );
	return bytes;
}

static void RewritingGivesTheSameBytes( void** state )
{
	(void)state;
	size_t byteCount, againCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	for ( int backwards = 0; backwards < 2; ++backwards )
	{
		uint8_t* again = Rewrite( &view, backwards, &againCount );
		assert_int_equal( againCount, byteCount );
		assert_memory_equal( again, bytes, byteCount );
		free( again );
	}
	free( bytes );
}

static void ViewPointsIntoTheBufferAndNothingIsWritten( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	uint8_t* copy = gelCopyPack( bytes, byteCount );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	assert_memory_equal( bytes, copy, byteCount );
	assert_true( (const uint8_t*)view.nodes > bytes && (const uint8_t*)view.nodes < bytes + byteCount );
	free( copy );
	free( bytes );
}

static void ScratchMayHaveAnyAlignment( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	size_t scratchBytes = gelPack_ScratchBytes( bytes, byteCount );
	gelPackView view;
	gelPackFault fault;
	for ( size_t shift = 0; shift < 16; ++shift )
	{
		uint8_t* scratch = malloc( shift + scratchBytes ); // the sanitizer watches the end
		assert_int_equal(
			gelPack_Open( bytes, byteCount, scratch + shift, scratchBytes, 0, &view, &fault ), gel_packOk );
		free( scratch );
	}
	uint8_t scratch[64];
	assert_int_equal(
		gelPack_Open( bytes, byteCount, scratch, scratchBytes - 1, 0, &view, &fault ), gel_packScratch );
	assert_int_equal( gelPack_Open( bytes, byteCount, NULL, 1 << 20, 0, &view, &fault ), gel_packScratch );
	assert_null( view.nodes );
	free( bytes );
}

// ---- writer ----------------------------------------------------------------------------------------

static void WriterRefusesWhatTheFormatCannotHold( void** state )
{
	(void)state;
	size_t byteCount = 1;
	uint32_t value = 1;
	gelPackWriter* writer = gelCreatePackWriter();
	gelPackWriter_AddArray( writer, GEL_SECTION_NODE, 0, 0, &value, 1, 4 );
	gelPackWriter_AddArray( writer, GEL_SECTION_NODE, 0, 0, &value, 1, 4 );
	assert_null( gelPackWriter_Finish( writer, &byteCount ) ); // one name and key twice
	assert_int_equal( byteCount, 0 );
	gelDestroyPackWriter( writer );

	writer = gelCreatePackWriter();
	for ( uint32_t i = 0; i <= GEL_PACK_MAX_SECTIONS; ++i )
		gelPackWriter_AddArray( writer, GEL_SECTION_PINS, i, 0, &value, 1, 4 );
	assert_null( gelPackWriter_Finish( writer, &byteCount ) ); // one section too many
	gelDestroyPackWriter( writer );

	writer = gelCreatePackWriter(); // over 16 GiB: must fail before memory is asked for or data is read
	gelPackWriter_AddArray( writer, GEL_SECTION_NODE, 0, 0, &value, UINT32_MAX, UINT32_MAX );
	assert_null( gelPackWriter_Finish( writer, &byteCount ) );
	gelDestroyPackWriter( writer );

	gelPackInnerArray arrays[2] = { { &value, UINT32_MAX, UINT32_MAX }, { &value, UINT32_MAX, UINT32_MAX } };
	gelPackColoring header = { 0 };
	writer = gelCreatePackWriter();
	gelPackWriter_AddBlob( writer, GEL_SECTION_COLR, 0, 0, &header, sizeof( header ), 0, arrays, 2 );
	assert_null( gelPackWriter_Finish( writer, &byteCount ) );
	gelDestroyPackWriter( writer );
	gelDestroyPackWriter( NULL );
}

static void CleanFloatsHaveNoNegativeZero( void** state )
{
	(void)state;
	float values[4] = { -0.0f, 0.0f, -1.0f, 2.0f };
	const float expected[4] = { 0.0f, 0.0f, -1.0f, 2.0f };
	gelCleanFloats( values, 4 );
	assert_memory_equal( values, expected, sizeof( values ) );
}

// ---- growth ----------------------------------------------------------------------------------------

// The small pack with one more section.
static uint8_t* WithExtraSection( uint32_t fourcc, uint16_t flags, size_t* outBytes )
{
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	gelPackWriter* writer = gelCreatePackWriter();
	gelPackWriter_SetCounts( writer, view.header );
	gelPackWriter_SetProvenance( writer, view.header->provenance );
	gelPackWriter_AddArray( writer, fourcc, 5, flags, "something", 9, 1 );
	for ( uint32_t i = 0; i < view.header->sectionCount; ++i )
	{
		const gelPackSection* s = view.sections + i;
		gelPackWriter_AddArray( writer, s->fourcc, s->key, s->flags, bytes + s->offset, s->count, s->stride );
	}
	uint8_t* result = gelPackWriter_Finish( writer, outBytes );
	gelDestroyPackWriter( writer );
	free( bytes );
	return result;
}

static void UnknownOptionalSectionIsSkipped( void** state )
{
	(void)state;
	// sorted first, and sorted last
	uint32_t names[2] = { GEL_FOURCC( '0', '0', '0', '0' ), GEL_FOURCC( 'Z', 'Z', 'Z', 'Z' ) };
	for ( int i = 0; i < 2; ++i )
	{
		size_t byteCount;
		uint8_t* bytes = WithExtraSection( names[i], 0, &byteCount );
		gelPackView view;
		gelAssertPackOpens( bytes, byteCount, &view );
		assert_non_null( gelPack_FindSection( &view, names[i], 5 ) );
		// skipped, but not unwatched
		( (uint8_t*)gelFindPackData( bytes, names[i], 0 ) )[3] ^= 1;
		gelPackFault fault;
		assert_int_equal( gelTryPack( bytes, byteCount, &view, &fault ), gel_packChecksum );
		assert_int_equal( fault.fourcc, names[i] );
		free( bytes );
	}
}

static void UnknownRequiredSectionIsRefused( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = WithExtraSection( GEL_FOURCC( 'N', 'E', 'W', '1' ), GEL_SECTION_REQUIRED, &byteCount );
	gelPackView view;
	gelPackFault fault;
	assert_int_equal( gelTryPack( bytes, byteCount, &view, &fault ), gel_packUnknownSection );
	assert_int_equal( fault.fourcc, GEL_FOURCC( 'N', 'E', 'W', '1' ) );
	assert_int_equal( fault.key, 5 );
	free( bytes );
}

static void NewerMinorVersionIsAccepted( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = WithExtraSection( GEL_FOURCC( 'N', 'E', 'W', '1' ), 0, &byteCount );
	gelPackHeader* header = (gelPackHeader*)bytes;
	header->versionMinor = GEL_PACK_VERSION_MINOR + 1;
	header->cdgPatchCount = 77; // counts of sections that we do not know
	gelRepairPackHashes( bytes, byteCount );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	free( bytes );
}

static void TrustedChecksumsStillCheckTheContents( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	uint8_t scratch[256];
	gelPackView view;
	gelPackFault fault;
	gelPackMass* masses = gelFindPackData( bytes, GEL_SECTION_MASS, 0 );
	gelPackNode* nodes = gelFindPackData( bytes, GEL_SECTION_NODE, 0 );
	nodes[3].x += 1e-6f; // harmless, but not what was hashed
	assert_int_equal(
		gelPack_Open( bytes, byteCount, scratch, sizeof( scratch ), 0, &view, &fault ), gel_packChecksum );
	uint32_t trust = GEL_PACK_TRUST_CHECKSUM;
	assert_int_equal(
		gelPack_Open( bytes, byteCount, scratch, sizeof( scratch ), trust, &view, &fault ), gel_packOk );
	masses[2].mass = -1.0f;
	assert_int_equal(
		gelPack_Open( bytes, byteCount, scratch, sizeof( scratch ), trust, &view, &fault ), gel_packValue );
	assert_int_equal( fault.fourcc, GEL_SECTION_MASS );
	assert_int_equal( fault.index, 2 );
	assert_int_equal( fault.byteOffset, (uint8_t*)( masses + 2 ) - bytes );
	free( bytes );
}

static void EveryCodeHasAName( void** state )
{
	(void)state;
	for ( int i = 0; i < gel_packCodeCount; ++i )
	{
		assert_non_null( gelPackCode_String( (gelPackCode)i ) );
		assert_string_not_equal( gelPackCode_String( (gelPackCode)i ), "unknown code" );
	}
	assert_string_equal( gelPackCode_String( (gelPackCode)1000 ), "unknown code" );
	assert_string_equal( gelPackCode_String( (gelPackCode)-1 ), "unknown code" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( HashIsXxh64 ),
		cmocka_unit_test( FactorKeyHashesTheDocumentedBytes ),
		cmocka_unit_test( SmallPackOpensWithItsContents ),
		cmocka_unit_test( SectionsAreFoundByNameAndKey ),
		cmocka_unit_test( RewritingGivesTheSameBytes ),
		cmocka_unit_test( ViewPointsIntoTheBufferAndNothingIsWritten ),
		cmocka_unit_test( ScratchMayHaveAnyAlignment ),
		cmocka_unit_test( WriterRefusesWhatTheFormatCannotHold ),
		cmocka_unit_test( CleanFloatsHaveNoNegativeZero ),
		cmocka_unit_test( UnknownOptionalSectionIsSkipped ),
		cmocka_unit_test( UnknownRequiredSectionIsRefused ),
		cmocka_unit_test( NewerMinorVersionIsAccepted ),
		cmocka_unit_test( TrustedChecksumsStillCheckTheContents ),
		cmocka_unit_test( EveryCodeHasAName ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
