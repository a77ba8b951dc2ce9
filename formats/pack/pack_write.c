// SPDX-License-Identifier: MIT
// Lays out a pack:
//
//     header | table | section | zeros | section | zeros | ...     each section at a multiple of 64
//
// Sections are copied when they are added, sorted by (fourcc, key) at the end, and everything between them
// is zero, so the bytes depend on nothing but the contents.
#include "pack/pack_write.h"

#include "pack/pack_read.h"

#include "gelpack/asserts.h"

#include <stdlib.h>
#include <string.h>

typedef struct Section
{
	gelPackSection entry;
	uint8_t* data;
} Section;

struct gelPackWriter
{
	gelPackHeader header;
	Section* sections;
	uint32_t sectionCount, sectionCapacity;
	bool failed; // out of memory or over a cap; Finish returns NULL
	bool lacksMemory;
};

static uint64_t RoundUp( uint64_t value, uint64_t unit )
{
	return ( value + unit - 1 ) / unit * unit;
}

gelPackWriter* gelCreatePackWriter( void )
{
	return calloc( 1, sizeof( gelPackWriter ) );
}

void gelDestroyPackWriter( gelPackWriter* writer )
{
	if ( writer == NULL ) return;
	for ( uint32_t i = 0; i < writer->sectionCount; ++i )
		free( writer->sections[i].data );
	free( writer->sections );
	free( writer );
}

void gelPackWriter_SetCounts( gelPackWriter* writer, const gelPackHeader* counts )
{
	gelPackHeader* h = &writer->header;
	h->nodeCount = counts->nodeCount;
	h->tetCount = counts->tetCount;
	h->artVertexCount = counts->artVertexCount;
	h->artTriangleCount = counts->artTriangleCount;
	h->cdgVertexCount = counts->cdgVertexCount;
	h->cdgTriangleCount = counts->cdgTriangleCount;
	h->cdgPatchCount = counts->cdgPatchCount;
	h->cdgTetCount = counts->cdgTetCount;
}

void gelPackWriter_SetProvenance( gelPackWriter* writer, const uint8_t sha256[32] )
{
	memcpy( writer->header.provenance, sha256, 32 );
}

static uint8_t* FailMemory( gelPackWriter* writer )
{
	writer->failed = writer->lacksMemory = true;
	return NULL;
}

// Appends a section with zeroed memory for its contents. NULL: the writer has failed.
static uint8_t* AddSection(
	gelPackWriter* writer, uint32_t fourcc, uint64_t key, uint16_t flags, uint32_t count, uint32_t stride )
{
	GEL_ASSERT( stride > 0 );
	uint64_t bytes = (uint64_t)count * stride;
	if ( writer->failed || writer->sectionCount == GEL_PACK_MAX_SECTIONS || bytes > GEL_PACK_MAX_BYTES ||
		stride == 0 )
	{
		writer->failed = true;
		return NULL;
	}
	if ( writer->sectionCount == writer->sectionCapacity )
	{
		uint32_t capacity = writer->sectionCapacity ? 2 * writer->sectionCapacity : 16;
		Section* sections = realloc( writer->sections, capacity * sizeof( Section ) );
		if ( sections == NULL ) return FailMemory( writer );
		writer->sections = sections;
		writer->sectionCapacity = capacity;
	}
	uint8_t* data = calloc( bytes ? (size_t)bytes : 1, 1 );
	if ( data == NULL ) return FailMemory( writer );
	writer->sections[writer->sectionCount++] = ( Section ){
		.entry = { .fourcc = fourcc,
			.flags = flags,
			.version = GEL_PACK_SECTION_VERSION,
			.key = key,
			.bytes = bytes,
			.count = count,
			.stride = stride,
			.alignment = GEL_PACK_ALIGNMENT },
		.data = data,
	};
	return data;
}

void gelPackWriter_SetVersion( gelPackWriter* writer, uint16_t version )
{
	if ( !writer->failed && writer->sectionCount > 0 )
		writer->sections[writer->sectionCount - 1].entry.version = version;
}

void gelPackWriter_AddArray( gelPackWriter* writer, uint32_t fourcc, uint64_t key, uint16_t flags,
	const void* data, uint32_t count, uint32_t stride )
{
	uint8_t* copy = AddSection( writer, fourcc, key, flags, count, stride );
	if ( copy != NULL && count > 0 ) memcpy( copy, data, (size_t)count * stride );
}

void gelPackWriter_AddBlob( gelPackWriter* writer, uint32_t fourcc, uint64_t key, uint16_t flags,
	const void* innerHeader, uint32_t headerBytes, uint32_t arrayOffset, const gelPackInnerArray* arrays,
	uint32_t arrayCount )
{
	GEL_ASSERT( innerHeader != NULL && arrayOffset <= headerBytes );
	uint64_t bytes = headerBytes;
	for ( uint32_t i = 0; i < arrayCount; ++i )
	{
		uint64_t arrayBytes = (uint64_t)arrays[i].count * arrays[i].elementBytes;
		bytes = RoundUp( bytes, GEL_PACK_ALIGNMENT );
		if ( arrayBytes > GEL_PACK_MAX_BYTES || bytes + arrayBytes > GEL_PACK_MAX_BYTES )
		{
			writer->failed = true;
			return;
		}
		bytes += arrayBytes;
	}
	// The table counts in 32 bits; what does not fit in bytes is counted in units of 64.
	uint32_t stride = bytes <= UINT32_MAX ? 1 : GEL_PACK_ALIGNMENT;
	uint32_t count = (uint32_t)( RoundUp( bytes, stride ) / stride );
	uint8_t* copy = AddSection( writer, fourcc, key, flags, count, stride );
	if ( copy == NULL ) return;

	memcpy( copy, innerHeader, headerBytes );
	uint64_t offset = headerBytes;
	for ( uint32_t i = 0; i < arrayCount; ++i )
	{
		size_t arrayBytes = (size_t)arrays[i].count * arrays[i].elementBytes;
		offset = RoundUp( offset, GEL_PACK_ALIGNMENT );
		gelPackArray place = { (uint32_t)( offset / GEL_PACK_ALIGNMENT ), arrays[i].count };
		memcpy( copy + arrayOffset + i * sizeof( place ), &place, sizeof( place ) );
		if ( arrayBytes > 0 ) memcpy( copy + offset, arrays[i].data, arrayBytes );
		offset += arrayBytes;
	}
}

static int CompareSections( const void* left, const void* right )
{
	const gelPackSection* a = &( (const Section*)left )->entry;
	const gelPackSection* b = &( (const Section*)right )->entry;
	if ( a->fourcc != b->fourcc ) return a->fourcc < b->fourcc ? -1 : 1;
	if ( a->key != b->key ) return a->key < b->key ? -1 : 1;
	return 0;
}

// Gives every section its place. @return size of the file, or 0 when it is over a cap or a section is there
// twice
static uint64_t PlaceSections( gelPackWriter* writer )
{
	if ( writer->sectionCount > 0 )
		qsort( writer->sections, writer->sectionCount, sizeof( Section ), CompareSections );
	uint64_t end = sizeof( gelPackHeader ) + (uint64_t)writer->sectionCount * sizeof( gelPackSection );
	for ( uint32_t i = 0; i < writer->sectionCount; ++i )
	{
		Section* section = writer->sections + i;
		if ( i > 0 && CompareSections( section - 1, section ) == 0 ) return 0;
		section->entry.offset = RoundUp( end, section->entry.alignment );
		section->entry.hash = gelPack_Hash( section->data, (size_t)section->entry.bytes );
		end = section->entry.offset + section->entry.bytes;
		if ( end > GEL_PACK_MAX_BYTES ) return 0;
	}
	end = RoundUp( end, GEL_PACK_ALIGNMENT );
	return end <= GEL_PACK_MAX_BYTES ? end : 0;
}

uint8_t* gelPackWriter_Finish( gelPackWriter* writer, size_t* outBytes )
{
	*outBytes = 0;
	uint64_t fileBytes = writer->failed ? 0 : PlaceSections( writer );
	if ( fileBytes == 0 || fileBytes > SIZE_MAX ) return NULL;
	uint8_t* file = aligned_alloc( GEL_PACK_ALIGNMENT, (size_t)fileBytes );
	if ( file == NULL ) return FailMemory( writer );
	memset( file, 0, (size_t)fileBytes );

	uint8_t* table = file + sizeof( gelPackHeader );
	for ( uint32_t i = 0; i < writer->sectionCount; ++i )
	{
		const Section* section = writer->sections + i;
		memcpy( table + i * sizeof( gelPackSection ), &section->entry, sizeof( gelPackSection ) );
		memcpy( file + section->entry.offset, section->data, (size_t)section->entry.bytes );
	}

	gelPackHeader header = writer->header;
	memcpy( header.magic, GEL_PACK_MAGIC, sizeof( header.magic ) );
	header.versionMajor = GEL_PACK_VERSION_MAJOR;
	header.versionMinor = GEL_PACK_VERSION_MINOR;
	header.endianTag = GEL_PACK_ENDIAN_TAG;
	header.fileBytes = fileBytes;
	header.sectionCount = writer->sectionCount;
	header.tableHash = gelPack_Hash( table, writer->sectionCount * sizeof( gelPackSection ) );
	header.headerHash = 0;
	header.headerHash = gelPack_Hash( &header, sizeof( header ) );
	memcpy( file, &header, sizeof( header ) );
	*outBytes = (size_t)fileBytes;
	return file;
}

bool gelPackWriter_LacksMemory( const gelPackWriter* writer )
{
	return writer->lacksMemory;
}

void gelCleanFloats( float* values, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		if ( values[i] == 0.0f ) values[i] = 0.0f;
	}
}

bool gelPackPatternHash( const uint32_t* columnFirst, const uint32_t* rows, uint32_t n, uint64_t* outHash )
{
	GEL_ASSERT( columnFirst != NULL && ( n == 0 || rows != NULL ) );
	size_t firstBytes = ( (size_t)n + 1 ) * sizeof( uint32_t );
	size_t rowBytes = (size_t)columnFirst[n] * sizeof( uint32_t );
	uint8_t* both = malloc( firstBytes + rowBytes );
	if ( both == NULL ) return false;
	memcpy( both, columnFirst, firstBytes );
	if ( rowBytes > 0 ) memcpy( both + firstBytes, rows, rowBytes );
	*outHash = gelPack_Hash( both, firstBytes + rowBytes );
	free( both );
	return true;
}
