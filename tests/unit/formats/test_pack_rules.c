// SPDX-License-Identifier: MIT
// Every rule of formats/pack.md has a pack here that breaks it and nothing else: the small pack with a few
// bytes changed and all hashes made right again. The reader must name the rule and the section.
#include "test_support.h"

#include "pack/pack_read.h"
#include "small_pack.h"

#include <stdlib.h>
#include <string.h>

// Where a patch goes.
typedef enum Place
{
	inFile,  // byte of the file
	inEntry, // byte of the section's entry in the table
	inData,  // byte of the section
	inArray, // byte of an inner array: 1000 * array + byte
} Place;

typedef struct Patch
{
	uint32_t fourcc, index; // index-th section with this name
	Place place;
	uint32_t offset;
	uint32_t width; // 1, 2, 4, 8 bytes
	uint64_t value;
	gelPackCode code;
	const char* rule; // part of the text
} Patch;

#define NAN_BITS      0x7FC00000u
#define INFINITY_BITS 0x7F800000u
#define MINUS_ONE     0xBF800000u
#define TINY_BITS     0x00000001u // a denormal
#define ONE           0x3F800000u
#define LARGE         0x4B000000u // 2^23

#define META        GEL_SECTION_META, 0
#define NODE        GEL_SECTION_NODE, 0
#define TETS        GEL_SECTION_TETS, 0
#define TREF        GEL_SECTION_TREF, 0
#define MASS        GEL_SECTION_MASS, 0
#define MATL        GEL_SECTION_MATL, 0
#define PINS        GEL_SECTION_PINS, 0
#define COLR        GEL_SECTION_COLR, 0
#define GATH        GEL_SECTION_GATH, 0
#define VEMB        GEL_SECTION_VEMB, 0
#define VIDX        GEL_SECTION_VIDX, 0
#define VNRM        GEL_SECTION_VNRM, 0
#define FACT        GEL_SECTION_FACT, 0
#define FILE_HEADER 0, 0

#define HEADER( field )   offsetof( gelPackHeader, field )
#define ENTRY( field )    offsetof( gelPackSection, field )
#define MATERIAL( field ) offsetof( gelPackMaterial, field )
#define FACTOR( field )   offsetof( gelPackFactor, field )

// clang-format off
static const Patch s_patches[] = {
	// header
	{ FILE_HEADER, inFile, 0, 1, 0x88, gel_packMagic, "starts with 89" },
	{ FILE_HEADER, inFile, 4, 1, '\n', gel_packMagic, "starts with 89" },
	{ FILE_HEADER, inFile, HEADER( endianTag ), 4, 0x04030201, gel_packEndian, "byte order" },
	{ FILE_HEADER, inFile, HEADER( versionMajor ), 2, GEL_PACK_VERSION_MAJOR + 1, gel_packVersion, "major version" },
	{ FILE_HEADER, inFile, HEADER( fileBytes ), 8, 64, gel_packTrailing, "there are more bytes" },
	{ FILE_HEADER, inFile, HEADER( fileBytes ), 8, UINT64_MAX, gel_packTruncated, "bytes are missing" },
	{ FILE_HEADER, inFile, HEADER( sectionCount ), 4, 1025, gel_packHeader, "at most 1024 sections" },
	{ FILE_HEADER, inFile, HEADER( sectionCount ), 4, UINT32_MAX, gel_packHeader, "at most 1024 sections" },
	{ FILE_HEADER, inFile, HEADER( sectionCount ), 4, 1000, gel_packHeader, "their table lies inside" },
	{ FILE_HEADER, inFile, HEADER( headerFlags ), 4, 1, gel_packHeader, "reserved bytes of the header" },
	{ FILE_HEADER, inFile, HEADER( scalarKind ), 4, 1, gel_packHeader, "reserved bytes of the header" },
	{ FILE_HEADER, inFile, HEADER( reserved ) + 11, 1, 1, gel_packHeader, "reserved bytes of the header" },
	{ FILE_HEADER, inFile, HEADER( nodeCount ), 4, 3, gel_packHeader, "within their caps" },
	{ FILE_HEADER, inFile, HEADER( nodeCount ), 4, GEL_PACK_MAX_NODES + 1, gel_packHeader, "within their caps" },
	{ FILE_HEADER, inFile, HEADER( nodeCount ), 4, GEL_PACK_MAX_NODES, gel_packSize, "as many elements" },
	{ FILE_HEADER, inFile, HEADER( tetCount ), 4, 0, gel_packHeader, "within their caps" },
	{ FILE_HEADER, inFile, HEADER( tetCount ), 4, UINT32_MAX, gel_packHeader, "within their caps" },
	{ FILE_HEADER, inFile, HEADER( artVertexCount ), 4, 0, gel_packHeader, "within their caps" },
	{ FILE_HEADER, inFile, HEADER( artVertexCount ), 4, GEL_PACK_MAX_VERTICES + 1, gel_packHeader, "within their caps" },
	{ FILE_HEADER, inFile, HEADER( artTriangleCount ), 4, 0, gel_packHeader, "within their caps" },
	{ FILE_HEADER, inFile, HEADER( artTriangleCount ), 4, UINT32_MAX, gel_packHeader, "within their caps" },
	{ FILE_HEADER, inFile, HEADER( cdgTetCount ), 4, 1, gel_packHeader, "collision geometry" },
	// table
	{ NODE, inEntry, ENTRY( fourcc ), 1, 'n', gel_packTable, "four of A-Z" },
	{ NODE, inEntry, ENTRY( flags ), 2, 2, gel_packTable, "unused section flags" },
	{ NODE, inEntry, ENTRY( version ), 2, 0, gel_packTable, "at least 1" },
	{ NODE, inEntry, ENTRY( version ), 2, 2, gel_packUnknownSection, "a version that the reader knows" },
	{ NODE, inEntry, ENTRY( reserved0 ), 4, 1, gel_packTable, "reserved fields of a section entry" },
	{ NODE, inEntry, ENTRY( reserved1 ), 8, 1, gel_packTable, "reserved fields of a section entry" },
	{ NODE, inEntry, ENTRY( alignment ), 4, 0, gel_packTable, "64 or 4096" },
	{ NODE, inEntry, ENTRY( alignment ), 4, 128, gel_packTable, "64 or 4096" },
	{ NODE, inEntry, ENTRY( alignment ), 4, 4096, gel_packTable, "first multiple of its alignment" },
	{ NODE, inEntry, ENTRY( stride ), 4, 0, gel_packTable, "stride of a section is not 0" },
	{ NODE, inEntry, ENTRY( count ), 4, 11, gel_packTable, "count times stride" },
	{ NODE, inEntry, ENTRY( count ), 4, UINT32_MAX, gel_packTable, "count times stride" },
	{ NODE, inEntry, ENTRY( bytes ), 8, UINT64_MAX, gel_packTable, "count times stride" },
	{ NODE, inEntry, ENTRY( offset ), 8, 0, gel_packTable, "first multiple of its alignment" },
	{ NODE, inEntry, ENTRY( offset ), 8, UINT64_MAX - 63, gel_packTable, "first multiple of its alignment" },
	{ NODE, inEntry, ENTRY( key ), 8, 1, gel_packTable, "there once is 0" },
	{ VNRM, inData, 36, 1, 1, gel_packTable, "gap in front of a section" }, // behind VNRM
	{ VIDX, inData, 144, 1, 1, gel_packTable, "file ends at the first" },   // behind the last section
	// META
	{ META, inEntry, ENTRY( fourcc ), 1, 'A', gel_packMissingSection, "are in every pack" }, // "AETA", sorts the same
	// NODE
	{ NODE, inData, 16 * 5, 4, NAN_BITS, gel_packValue, "node positions are finite" },
	{ NODE, inData, 16 * 5 + 4, 4, INFINITY_BITS, gel_packValue, "node positions are finite" },
	{ NODE, inData, 16 * 11 + 8, 4, INFINITY_BITS | 0x80000000u, gel_packValue, "node positions are finite" },
	{ NODE, inData, 16 * 3 + 12, 4, ONE, gel_packValue, "fourth number of a node" },
	{ NODE, inData, 16 * 3 + 12, 4, 0x80000000u, gel_packValue, "fourth number of a node" },
	{ NODE, inData, 16 * 3, 4, LARGE, gel_packStructure, "invDm is the inverse" },
	// TETS
	{ TETS, inData, 4, 4, 12, gel_packIndex, "corners of a tet are nodes" },
	{ TETS, inData, 16 * 9 + 12, 4, UINT32_MAX, gel_packIndex, "corners of a tet are nodes" },
	// TREF
	{ TREF, inData, 0, 4, NAN_BITS, gel_packValue, "entries of invDm are finite" },
	{ TREF, inData, 48 * 9 + 32, 4, INFINITY_BITS, gel_packValue, "entries of invDm are finite" },
	{ TREF, inData, 8, 4, LARGE, gel_packStructure, "invDm is the inverse" },
	{ TREF, inData, 36, 4, NAN_BITS, gel_packValue, "volume of a tet is > 0" },
	{ TREF, inData, 36, 4, 0, gel_packValue, "volume of a tet is > 0" },
	{ TREF, inData, 36, 4, TINY_BITS, gel_packValue, "volume of a tet is > 0" },
	{ TREF, inData, 36, 4, MINUS_ONE, gel_packValue, "volume of a tet is > 0" },
	{ TREF, inData, 36, 4, ONE, gel_packStructure, "volume of a tet is that of its nodes" },
	{ TREF, inData, 40, 2, 2, gel_packIndex, "one of MATL" },
	{ TREF, inData, 42, 2, 1, gel_packValue, "flags and reserved bytes of a tet" },
	{ TREF, inData, 44, 4, 1, gel_packValue, "flags and reserved bytes of a tet" },
	// MASS
	{ MASS, inData, 8, 4, NAN_BITS, gel_packValue, "mass of a node and its inverse are > 0" },
	{ MASS, inData, 8, 4, 0, gel_packValue, "mass of a node and its inverse are > 0" },
	{ MASS, inData, 12, 4, MINUS_ONE, gel_packValue, "mass of a node and its inverse are > 0" },
	{ MASS, inData, 12, 4, INFINITY_BITS, gel_packValue, "mass of a node and its inverse are > 0" },
	{ MASS, inData, 12, 4, ONE, gel_packValue, "1 / mass" },
	// MATL
	{ MATL, inData, 23, 1, 'x', gel_packValue, "ends in a zero byte" },
	{ MATL, inData, 10, 1, 'x', gel_packValue, "zero behind it" },
	{ MATL, inData, MATERIAL( density ), 4, NAN_BITS, gel_packValue, "density, Young's modulus" },
	{ MATL, inData, MATERIAL( density ), 4, 0, gel_packValue, "density, Young's modulus" },
	{ MATL, inData, MATERIAL( youngsModulus ), 4, INFINITY_BITS, gel_packValue, "density, Young's modulus" },
	{ MATL, inData, MATERIAL( mu ), 4, MINUS_ONE, gel_packValue, "density, Young's modulus" },
	{ MATL, inData, MATERIAL( poissonsRatio ), 4, 0x3F000000u, gel_packValue, "Poisson's ratio is between" },
	{ MATL, inData, MATERIAL( poissonsRatio ), 4, NAN_BITS, gel_packValue, "Poisson's ratio is between" },
	{ MATL, inData, MATERIAL( lambda ), 4, INFINITY_BITS, gel_packValue, "finite and >= 0" },
	{ MATL, inData, MATERIAL( damping ), 4, MINUS_ONE, gel_packValue, "finite and >= 0" },
	{ MATL, inData, MATERIAL( staticFriction ), 4, NAN_BITS, gel_packValue, "finite and >= 0" },
	{ MATL, inData, MATERIAL( dynamicFriction ), 4, NAN_BITS, gel_packValue, "finite and >= 0" },
	{ MATL, inData, MATERIAL( lambda ), 4, ONE, gel_packValue, "mu and lambda follow" },
	{ MATL, inData, MATERIAL( mu ), 4, ONE, gel_packValue, "mu and lambda follow" },
	{ MATL, inData, 64 + MATERIAL( zero ), 8, 1, gel_packValue, "reserved bytes of a material" },
	// PINS
	{ PINS, inData, 0, 4, 1, gel_packIndex, "nodes and ascend" },
	{ PINS, inData, 12, 4, 12, gel_packIndex, "nodes and ascend" },
	{ PINS, inData, 12, 4, 4, gel_packStructure, "hash of its nodes" },
	{ PINS, inEntry, ENTRY( key ), 8, 0, gel_packStructure, "hash of its nodes" },
	// COLR
	{ COLR, inData, 63, 1, 1, gel_packValue, "reserved bytes of an inner header" },
	{ COLR, inData, 0, 4, 0, gel_packSize, "first multiple of 64 behind the one before" },
	{ COLR, inData, 8, 4, UINT32_MAX, gel_packSize, "first multiple of 64 behind the one before" },
	{ COLR, inData, 12, 4, 9, gel_packSize, "number of elements that the counts" },
	{ COLR, inData, 4, 4, UINT32_MAX, gel_packSize, "lies inside its section" },
	{ COLR, inArray, 0, 4, 1, gel_packIndex, "color offsets" },
	{ COLR, inArray, 4, 4, UINT32_MAX, gel_packIndex, "color offsets" },
	{ COLR, inArray, 8, 4, 0, gel_packIndex, "color offsets" },
	{ COLR, inArray, 4, 4, 2, gel_packStructure, "share no node" },
	{ COLR, inArray, 1000, 4, 10, gel_packIndex, "colored tets are tets" },
	{ COLR, inArray, 1000, 4, 9, gel_packStructure, "every tet has one color" },
	// GATH
	{ GATH, inData, 20, 1, 1, gel_packValue, "reserved bytes of an inner header" },
	{ GATH, inData, 4, 4, 12, gel_packSize, "number of elements that the counts" },
	{ GATH, inArray, 52, 1, 1, gel_packSize, "gaps between inner arrays" },
	{ GATH, inArray, 0, 4, 1, gel_packIndex, "gather offsets" },
	{ GATH, inArray, 12 * 4, 4, 39, gel_packIndex, "gather offsets" },
	{ GATH, inArray, 12 * 4, 4, UINT32_MAX, gel_packIndex, "gather offsets" },
	{ GATH, inArray, 4, 4, 0, gel_packIndex, "no node is without a tet" },
	{ GATH, inArray, 1000, 4, 40, gel_packIndex, "4 * tet + corner" },
	{ GATH, inArray, 1000, 4, 39, gel_packStructure, "exactly its corners" },
	// VEMB
	{ VEMB, inData, 30, 1, 1, gel_packValue, "reserved bytes of an inner header" },
	{ VEMB, inData, 4, 4, 9, gel_packSize, "number of elements that the counts" },
	{ VEMB, inArray, 8, 4, 10, gel_packIndex, "lies in a tet" },
	{ VEMB, inArray, 1000, 4, NAN_BITS, gel_packValue, "between 0 and 1" },
	{ VEMB, inArray, 1000 + 32 + 4, 4, MINUS_ONE, gel_packValue, "between 0 and 1" },
	{ VEMB, inArray, 1000, 4, ONE + 1, gel_packValue, "between 0 and 1" },
	{ VEMB, inArray, 1000, 4, 0x3F7FFFF0u, gel_packValue, "sum to 1" },
	{ VEMB, inArray, 2000 + 8, 4, 0x80000000u, gel_packIndex, "source of an art vertex" },
	{ VEMB, inArray, 9 * 4, 4, 99, gel_packStructure, "padding repeats" },
	{ VEMB, inArray, 1000 + 128 + 15, 1, 0x7F, gel_packStructure, "padding repeats" },
	// VIDX, VNRM
	{ VIDX, inData, 12 * 11 + 8, 4, 9, gel_packIndex, "corners of an art triangle" },
	{ VIDX, inData, 0, 4, UINT32_MAX, gel_packIndex, "corners of an art triangle" },
	{ VNRM, inData, 4, 2, 0x8000, gel_packValue, "-32768" },
	{ VNRM, inData, 34, 2, 0x8000, gel_packValue, "-32768" },
	// FACT: header
	{ FACT, inData, FACTOR( solverKind ), 4, 2, gel_packValue, "solver kind" },
	{ FACT, inData, FACTOR( blockSize ), 4, 3, gel_packValue, "block size" },
	{ FACT, inData, FACTOR( stepBits ), 8, 0, gel_packValue, "step length" },
	{ FACT, inData, FACTOR( stepBits ), 8, 0x7FF8000000000000u, gel_packValue, "step length" },
	{ FACT, inData, FACTOR( stepBits ), 8, 0x3F91111111111111u, gel_packValue, "step length" }, // 1/60, not a float
	{ FACT, inData, FACTOR( stepBits ), 8, 0x4000000000000000u, gel_packValue, "step length" }, // 2 s
	{ FACT, inData, FACTOR( stepBits ), 8, 0x3FE0000000000000u, gel_packStructure, "key of a factor" },
	{ FACT, inData, FACTOR( regularisation ), 4, NAN_BITS, gel_packValue, "regularisation" },
	{ FACT, inData, FACTOR( residual ), 4, NAN_BITS, gel_packValue, "residual" },
	{ FACT, inData, FACTOR( residual ), 4, ONE, gel_packValue, "residual" },
	{ FACT, inData, FACTOR( n ), 4, 7, gel_packSize, "one row for each node" },
	{ FACT, inData, FACTOR( superCount ), 4, 0, gel_packSize, "between 1 and n panels" },
	{ FACT, inData, FACTOR( superCount ), 4, UINT32_MAX, gel_packSize, "between 1 and n panels" },
	{ FACT, inData, FACTOR( nonzeroCount ), 8, 1, gel_packValue, "number of nonzeros" },
	{ FACT, inData, FACTOR( nonzeroCount ), 8, UINT64_MAX, gel_packValue, "number of nonzeros" },
	{ FACT, inData, FACTOR( minDiagonal ), 4, ONE, gel_packValue, "smallest and largest" },
	{ FACT, inData, FACTOR( maxDiagonal ), 4, LARGE, gel_packValue, "smallest and largest" },
	{ FACT, inData, FACTOR( minDiagonal ), 4, LARGE, gel_packValue, "between minDiagonal" },
	{ FACT, inData, FACTOR( maxDiagonal ), 4, NAN_BITS, gel_packValue, "between minDiagonal" },
	{ FACT, inData, FACTOR( perm.count ), 4, 3, gel_packSize, "number of elements that the counts" },
	{ FACT, inData, FACTOR( values.count ), 4, UINT32_MAX, gel_packSize, "lies inside its section" },
	// FACT: arrays
	{ FACT, inArray, 4, 4, 12, gel_packIndex, "rows of a factor belong to nodes" },
	{ FACT, inArray, 1000, 4, 1, gel_packIndex, "first panel are 0" },
	{ FACT, inArray, 1004, 4, 0, gel_packIndex, "panels have columns" },
	{ FACT, inArray, 1004, 4, UINT32_MAX, gel_packIndex, "panels have columns" },
	{ FACT, inArray, 2004, 4, 0, gel_packIndex, "row offsets" },
	{ FACT, inArray, 2004, 4, UINT32_MAX, gel_packIndex, "row offsets" },
	{ FACT, inArray, 3000, 4, 1, gel_packIndex, "rows of a panel" },
	{ FACT, inArray, 3004, 4, 0, gel_packIndex, "rows of a panel" },
	{ FACT, inArray, 3004, 4, 99, gel_packIndex, "rows of a panel" },
	{ FACT, inArray, 4008, 8, 15, gel_packIndex, "value offsets" },
	{ FACT, inArray, 4008, 8, UINT64_MAX, gel_packIndex, "value offsets" },
	{ FACT, inArray, 5000, 4, 0, gel_packValue, "diagonal values" },
	{ FACT, inArray, 5000, 4, MINUS_ONE, gel_packValue, "diagonal values" },
	{ FACT, inArray, 5004, 4, NAN_BITS, gel_packValue, "values of a factor are finite" },
	{ FACT, inArray, 6000, 4, NAN_BITS, gel_packValue, "invDiagonal is" },
	{ FACT, inArray, 6000, 4, ONE, gel_packValue, "invDiagonal is" },
	{ FACT, inArray, 6004, 4, 0, gel_packValue, "invDiagonal is" },
	{ FACT, inArray, 7000, 4, 0, gel_packStructure, "parent of a panel" },
	{ FACT, inArray, 7000, 4, UINT32_MAX, gel_packStructure, "parent of a panel" },
};
// clang-format on

static uint8_t* FindPlace( uint8_t* bytes, const Patch* patch )
{
	if ( patch->place == inFile ) return bytes + patch->offset;
	uint8_t* entry = (uint8_t*)gelFindPackEntry( bytes, patch->fourcc, patch->index );
	uint8_t* data = gelFindPackData( bytes, patch->fourcc, patch->index );
	assert_non_null( entry );
	if ( patch->place == inEntry ) return entry + patch->offset;
	if ( patch->place == inData ) return data + patch->offset;
	uint32_t first = patch->fourcc == GEL_SECTION_FACT ? (uint32_t)FACTOR( perm ) : 0;
	const gelPackArray* arrays = (const gelPackArray*)( data + first );
	return data + 64u * arrays[patch->offset / 1000].offset64 + patch->offset % 1000;
}

static void EachPatchIsRefusedByItsRule( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* pack = gelMakeSmallPack( &byteCount );
	for ( size_t i = 0; i < sizeof( s_patches ) / sizeof( s_patches[0] ); ++i )
	{
		const Patch* patch = s_patches + i;
		uint8_t* bytes = gelCopyPack( pack, byteCount );
		uint8_t* place = FindPlace( bytes, patch );
		assert_true( place + patch->width <= bytes + byteCount );
		assert_memory_not_equal( place, &patch->value, patch->width );
		memcpy( place, &patch->value, patch->width );
		gelRepairPackHashes( bytes, byteCount );
		gelAssertPackRefused( bytes, byteCount, patch->code, patch->rule, 0 );
		free( bytes );
	}
	free( pack );
}

// Nothing but the hashes stands against a damaged byte; each one is in use.
static void EachHashIsChecked( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelPackHeader* header = (gelPackHeader*)bytes;
	header->provenance[5] ^= 1;
	gelAssertPackRefused( bytes, byteCount, gel_packChecksum, "header matches its hash", 0 );
	header->provenance[5] ^= 1;
	gelPackSection* entry = gelFindPackEntry( bytes, GEL_SECTION_META, 0 );
	entry->flags ^= 1;
	gelAssertPackRefused( bytes, byteCount, gel_packChecksum, "table matches its hash", 0 );
	entry->flags ^= 1;
	char* meta = gelFindPackData( bytes, GEL_SECTION_META, 0 );
	meta[3] ^= 1;
	gelAssertPackRefused( bytes, byteCount, gel_packChecksum, "section matches its hash", GEL_SECTION_META );
	meta[3] ^= 1;
	gelPackFault fault;
	assert_int_equal( gelTryPack( bytes, byteCount, NULL, &fault ), gel_packOk );
	free( bytes );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EachPatchIsRefusedByItsRule ),
		cmocka_unit_test( EachHashIsChecked ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
