// SPDX-License-Identifier: MIT
// Taking packs apart and putting them together again, wrong on purpose where a test wants it.
#include "small_pack.h"

#include "test_support.h"

#include <stdlib.h>
#include <string.h>

gelPackSection* gelFindPackEntry( uint8_t* bytes, uint32_t fourcc, uint32_t index )
{
	const gelPackHeader* header = (const gelPackHeader*)bytes;
	gelPackSection* table = (gelPackSection*)( bytes + sizeof( gelPackHeader ) );
	for ( uint32_t i = 0; i < header->sectionCount; ++i )
	{
		if ( table[i].fourcc == fourcc && index-- == 0 ) return table + i;
	}
	return NULL;
}

void* gelFindPackData( uint8_t* bytes, uint32_t fourcc, uint32_t index )
{
	const gelPackSection* entry = gelFindPackEntry( bytes, fourcc, index );
	return entry ? bytes + entry->offset : NULL;
}

// aligned_alloc wants whole multiples of the alignment; posix_memalign gives exactly byteCount, and so a
// sanitizer's red zone starts right behind the last byte.
static uint8_t* AllocateExactly( size_t byteCount )
{
	void* memory = NULL;
	return posix_memalign( &memory, GEL_PACK_ALIGNMENT, byteCount ? byteCount : 1 ) == 0 ? memory : NULL;
}

uint8_t* gelCopyPack( const uint8_t* bytes, size_t byteCount )
{
	uint8_t* copy = AllocateExactly( byteCount );
	if ( byteCount > 0 ) memcpy( copy, bytes, byteCount );
	return copy;
}

uint32_t gelSplitPack( const uint8_t* bytes, gelLooseSection** outSections )
{
	const gelPackHeader* header = (const gelPackHeader*)bytes;
	const gelPackSection* table = (const gelPackSection*)( bytes + sizeof( gelPackHeader ) );
	gelLooseSection* sections = calloc( header->sectionCount + 1, sizeof( gelLooseSection ) );
	for ( uint32_t i = 0; i < header->sectionCount; ++i )
	{
		sections[i].entry = table[i];
		sections[i].data = malloc( table[i].bytes + 1 );
		memcpy( sections[i].data, bytes + table[i].offset, table[i].bytes );
	}
	*outSections = sections;
	return header->sectionCount;
}

void gelFreeSections( gelLooseSection* sections, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
		free( sections[i].data );
	free( sections );
}

static uint64_t RoundUp( uint64_t value, uint64_t unit )
{
	return ( value + unit - 1 ) / unit * unit;
}

uint8_t* gelJoinSections(
	const gelPackHeader* header, const gelLooseSection* sections, uint32_t count, size_t* outBytes )
{
	uint64_t tableEnd = sizeof( gelPackHeader ) + (uint64_t)count * sizeof( gelPackSection ), end = tableEnd;
	for ( uint32_t i = 0; i < count; ++i )
		end = RoundUp( end, sections[i].entry.alignment ) + sections[i].entry.bytes;
	size_t fileBytes = (size_t)RoundUp( end, GEL_PACK_ALIGNMENT );
	uint8_t* bytes = AllocateExactly( fileBytes );
	memset( bytes, 0, fileBytes );
	end = tableEnd;
	for ( uint32_t i = 0; i < count; ++i )
	{
		gelPackSection entry = sections[i].entry;
		entry.offset = RoundUp( end, entry.alignment );
		memcpy( bytes + entry.offset, sections[i].data, entry.bytes );
		memcpy( bytes + sizeof( gelPackHeader ) + i * sizeof( entry ), &entry, sizeof( entry ) );
		end = entry.offset + entry.bytes;
	}
	gelPackHeader newHeader = *header;
	newHeader.fileBytes = fileBytes;
	newHeader.sectionCount = count;
	memcpy( bytes, &newHeader, sizeof( newHeader ) );
	gelRepairPackHashes( bytes, fileBytes );
	*outBytes = fileBytes;
	return bytes;
}

gelPackCode gelTryPack( const uint8_t* bytes, size_t byteCount, gelPackView* view, gelPackFault* fault )
{
	gelPackView localView;
	if ( view == NULL ) view = &localView;
	size_t scratchBytes = gelPack_ScratchBytes( bytes, byteCount );
	assert_true( scratchBytes <= 16 + byteCount ); // hostile counts must not ask for the world
	void* scratch = malloc( scratchBytes );
	gelPackCode code = gelPack_Open( bytes, byteCount, scratch, scratchBytes, 0, view, fault );
	free( scratch );
	if ( code != gel_packOk )
	{
		assert_null( view->bytes );
		assert_true( fault->code == code && fault->text != NULL && fault->text[0] != 0 );
		assert_true( fault->byteOffset <= byteCount );
	}
	return code;
}

void gelAssertPackOpens( const uint8_t* bytes, size_t byteCount, gelPackView* view )
{
	gelPackFault fault;
	if ( gelTryPack( bytes, byteCount, view, &fault ) == gel_packOk ) return;
	fail_msg( "%s: %.4s element %llu at byte %llu: %s", gelPackCode_String( fault.code ),
		(const char*)&fault.fourcc, (unsigned long long)fault.index, (unsigned long long)fault.byteOffset,
		fault.text );
}

void gelAssertPackRefused(
	const uint8_t* bytes, size_t byteCount, gelPackCode code, const char* rule, uint32_t fourcc )
{
	gelPackFault fault;
	gelPackCode found = gelTryPack( bytes, byteCount, NULL, &fault );
	if ( found != code || strstr( fault.text, rule ) == NULL )
	{
		fail_msg( "expected '%s: %s', got '%s: %s'", gelPackCode_String( code ), rule,
			gelPackCode_String( found ), fault.text );
	}
	if ( fourcc != 0 ) assert_memory_equal( &fault.fourcc, &fourcc, sizeof( fourcc ) );
}

void gelAssertEditsRefused(
	const gelPackEdit* edits, size_t editCount, const uint8_t* pack, size_t byteCount )
{
	for ( size_t i = 0; i < editCount; ++i )
	{
		uint8_t* bytes = gelCopyPack( pack, byteCount );
		edits[i].edit( bytes );
		gelRepairPackHashes( bytes, byteCount );
		gelAssertPackRefused( bytes, byteCount, edits[i].code, edits[i].rule, edits[i].fourcc );
		free( bytes );
	}
}
