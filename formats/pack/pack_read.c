// SPDX-License-Identifier: MIT
// Opens a pack in the stages of formats/pack.md section 6: envelope, table, checksums, contents, cross
// checks. Nothing from the file is used in arithmetic before its range is known; nothing is allocated.
#include "pack/pack_validate.h"

#include "gelpack/asserts.h"

#include <float.h>
#include <string.h>

// What this reader knows about a section.
typedef struct KnownSection
{
	uint32_t fourcc;
	uint32_t strides[3]; // 0: several arrays behind an inner header; others that are allowed, or 0
	bool mandatory;
	bool keyed;            // may be there several times with different keys; else the key is 0
	uint16_t otherVersion; // the version that is known beside the first, or 0
} KnownSection;

// A game that leaves a part of the runtime out (GELPACK_NO_...) skips its sections, as those of a later
// version.
static const KnownSection s_known[] = {
	{ GEL_SECTION_META, { 1, 0, 0 }, true, false, 0 },
	{ GEL_SECTION_NODE, { sizeof( gelPackNode ), 0, 0 }, true, false, 0 },
	{ GEL_SECTION_TETS, { sizeof( gelPackTet ), 0, 0 }, true, false, 0 },
	{ GEL_SECTION_TREF, { sizeof( gelPackTetRest ), 0, 0 }, true, false, 0 },
	{ GEL_SECTION_MASS, { sizeof( gelPackMass ), 0, 0 }, true, false, 0 },
	{ GEL_SECTION_MATL, { sizeof( gelPackMaterial ), 0, 0 }, true, false, 0 },
	{ GEL_SECTION_COLR, { 0, 0, 0 }, true, false, 0 },
	{ GEL_SECTION_GATH, { 0, 0, 0 }, true, false, 0 },
	{ GEL_SECTION_VEMB, { 0, 0, 0 }, true, false, 0 },
	{ GEL_SECTION_VIDX, { sizeof( gelPackTriangle ), 0, 0 }, true, false, 0 },
	{ GEL_SECTION_VNRM, { sizeof( gelPackNormal ), 0, 0 }, true, false, 0 },
	{ GEL_SECTION_PINS, { sizeof( uint32_t ), 0, 0 }, false, true, 0 },
	{ GEL_SECTION_FACT, { 0, 0, 0 }, false, true, GEL_PACK_FACTOR_VERSION },
	{ GEL_SECTION_VBAT, { sizeof( uint32_t ), 0, 0 }, false, false, 0 },
	{ GEL_SECTION_NSRC, { sizeof( uint32_t ), 0, 0 }, false, false, 0 },
	{ GEL_SECTION_TSRC, { sizeof( uint32_t ), 0, 0 }, false, false, 0 },
	{ GEL_SECTION_ATCH, { sizeof( gelPackAttachment ), 0, 0 }, false, false, 0 },
	{ GEL_SECTION_CTET, { sizeof( gelPackCell ), 0, 0 }, false, false, 0 },
	{ GEL_SECTION_CPAT, { sizeof( gelPackPatch ), 0, 0 }, false, false, GEL_PACK_CDG_VERSION },
	{ GEL_SECTION_CVTX, { 0, 0, 0 }, false, false, GEL_PACK_CDG_VERSION },
	{ GEL_SECTION_CTRI, { 4 * GEL_CDG_SHORT_WORDS, 4 * GEL_CDG_NARROW_WORDS, 4 * GEL_CDG_WIDE_WORDS }, false,
		false, GEL_PACK_CDG_VERSION },
	{ GEL_SECTION_CSRC, { sizeof( uint32_t ), 0, 0 }, false, false, GEL_PACK_CDG_VERSION },
	{ GEL_SECTION_CADJ, { sizeof( gelPackLink ), 0, 0 }, false, false, 0 },
	{ GEL_SECTION_CBVH, { sizeof( gelPackBvhNode ), 0, 0 }, false, false, 0 },
	{ GEL_SECTION_SUPP, { 0, 0, 0 }, false, false, 0 },
#if !defined( GELPACK_NO_PARTICLES )
	{ GEL_SECTION_OPGR, { 0, 0, 0 }, false, false, 0 },
	{ GEL_SECTION_OPSK, { 0, 0, 0 }, false, false, 0 },
#endif
	{ GEL_SECTION_OPFA, { 0, 0, 0 }, false, true, GEL_PACK_FACTOR_VERSION }, // REQUIRED, so known anyway
#if !defined( GELPACK_NO_WARP )
	{ GEL_SECTION_UPDT, { 0, 0, 0 }, false, true, 0 },
	{ GEL_SECTION_WFAC, { 0, 0, 0 }, false, true, 0 },
#endif
	{ GEL_SECTION_LODP, { 0, 0, 0 }, false, true, 0 },
	{ GEL_SECTION_LMAP, { 0, 0, 0 }, false, true, 0 },
};
#define KNOWN_COUNT ( sizeof( s_known ) / sizeof( s_known[0] ) )

static const KnownSection* FindKnown( uint32_t fourcc )
{
	for ( size_t i = 0; i < KNOWN_COUNT; ++i )
	{
		if ( s_known[i].fourcc == fourcc ) return s_known + i;
	}
	return NULL;
}

bool gelPack_IsKnownSection( uint32_t fourcc )
{
	return FindKnown( fourcc ) != NULL;
}

static uint64_t RoundUp( uint64_t value, uint64_t unit )
{
	return ( value + unit - 1 ) / unit * unit;
}

// ---- shared by the files of the validator --------------------------------------------------------

bool gelPackChecker_Fail( gelPackChecker* checker, gelPackCode code, const gelPackSection* section,
	uint64_t index, uint64_t byteOffset, const char* text )
{
	*checker->fault = ( gelPackFault ){
		.code = code,
		.fourcc = section ? section->fourcc : 0,
		.key = section ? section->key : 0,
		.index = index,
		.byteOffset = byteOffset,
		.text = text,
	};
	return false;
}

bool gelPackChecker_FailAt( gelPackChecker* checker, gelPackCode code, const gelPackSection* section,
	uint64_t index, const void* element, const char* text )
{
	uint64_t byteOffset = (uint64_t)( (const uint8_t*)element - checker->view->bytes );
	return gelPackChecker_Fail( checker, code, section, index, byteOffset, text );
}

bool gelPack_IsZero( const uint8_t* bytes, uint64_t byteCount )
{
	uint8_t any = 0;
	for ( uint64_t i = 0; i < byteCount; ++i )
		any |= bytes[i];
	return any == 0;
}

bool gelPack_IsFinite( float x )
{
	return x >= -FLT_MAX && x <= FLT_MAX;
}

bool gelPack_IsPositive( float x )
{
	return x >= FLT_MIN && x <= FLT_MAX;
}

const void* gelPackView_Bytes( const gelPackView* view, const gelPackSection* section )
{
	return view->bytes + section->offset;
}

const void* gelPackView_Array( const gelPackView* view, const gelPackSection* section, gelPackArray array )
{
	return view->bytes + section->offset + (uint64_t)array.offset64 * GEL_PACK_ALIGNMENT;
}

bool gelPackChecker_CheckArrays( gelPackChecker* checker, const gelPackSection* section, uint32_t headerBytes,
	const gelPackArray* arrays, const gelPackArrayRule* rules, uint32_t arrayCount )
{
	GEL_ASSERT( arrayCount > 0 );
	const uint8_t* bytes = gelPackView_Bytes( checker->view, section );
	uint64_t end = headerBytes;
	for ( uint32_t i = 0; i < arrayCount; ++i )
	{
		const gelPackArray* array = arrays + i;
		uint64_t start = RoundUp( end, GEL_PACK_ALIGNMENT );
		if ( (uint64_t)array->offset64 * GEL_PACK_ALIGNMENT != start )
		{
			return gelPackChecker_FailAt( checker, gel_packSize, section, i, array,
				"an inner array starts at the first multiple of 64 behind the one before" );
		}
		if ( rules[i].count != GEL_ANY_COUNT && array->count != rules[i].count )
		{
			return gelPackChecker_FailAt( checker, gel_packSize, section, i, array,
				"an inner array has the number of elements that the counts of the header ask for" );
		}
		uint64_t arrayBytes = (uint64_t)array->count * rules[i].elementBytes;
		if ( start > section->bytes || arrayBytes > section->bytes - start )
		{
			return gelPackChecker_FailAt(
				checker, gel_packSize, section, i, array, "an inner array lies inside its section" );
		}
		if ( !gelPack_IsZero( bytes + end, start - end ) )
		{
			return gelPackChecker_FailAt(
				checker, gel_packSize, section, i, bytes + end, "gaps between inner arrays are zero bytes" );
		}
		end = start + arrayBytes;
	}
	if ( section->bytes != RoundUp( end, section->stride ) ||
		!gelPack_IsZero( bytes + end, section->bytes - end ) )
	{
		return gelPackChecker_FailAt( checker, gel_packSize, section, arrayCount, bytes + end,
			"a section ends with its last inner array" );
	}
	return true;
}

// ---- stage 1: envelope ---------------------------------------------------------------------------

static bool FailHeader( gelPackChecker* checker, gelPackCode code, size_t byteOffset, const char* text )
{
	return gelPackChecker_Fail( checker, code, NULL, 0, byteOffset, text );
}

// Is this a pack of our kind, complete, with an intact header?
static bool CheckIdentity( gelPackChecker* checker, const uint8_t* bytes, size_t byteCount )
{
	if ( ( (uintptr_t)bytes & ( GEL_PACK_ALIGNMENT - 1 ) ) != 0 )
		return FailHeader( checker, gel_packAlignment, 0, "the buffer must be 64-byte aligned" );
	size_t magicBytes = byteCount < sizeof( GEL_PACK_MAGIC ) ? byteCount : sizeof( GEL_PACK_MAGIC );
	if ( magicBytes > 0 && memcmp( bytes, GEL_PACK_MAGIC, magicBytes ) != 0 )
	{
		return FailHeader( checker, gel_packMagic, 0,
			"a pack starts with 89 47 45 4C 0D 0A 1A 0A (a text-mode copy destroys this)" );
	}
	if ( byteCount < sizeof( gelPackHeader ) )
		return FailHeader( checker, gel_packTruncated, byteCount, "a pack has a header of 128 bytes" );
	const gelPackHeader* header = (const gelPackHeader*)bytes;
	if ( header->endianTag != GEL_PACK_ENDIAN_TAG )
	{
		return FailHeader( checker, gel_packEndian, offsetof( gelPackHeader, endianTag ),
			"the byte order tag reads 0x01020304 on a little-endian machine" );
	}
	if ( header->versionMajor != GEL_PACK_VERSION_MAJOR )
	{
		return FailHeader( checker, gel_packVersion, offsetof( gelPackHeader, versionMajor ),
			"the major version is the one that this reader was built for: bake again" );
	}
	gelPackHeader copy = *header;
	copy.headerHash = 0;
	if ( gelPack_Hash( &copy, sizeof( copy ) ) != header->headerHash )
	{
		return FailHeader(
			checker, gel_packChecksum, offsetof( gelPackHeader, headerHash ), "the header matches its hash" );
	}
	if ( header->fileBytes > byteCount )
	{
		return FailHeader( checker, gel_packTruncated, byteCount,
			"the pack is as long as its header says; bytes are missing" );
	}
	if ( header->fileBytes < byteCount )
	{
		return FailHeader( checker, gel_packTrailing, (size_t)header->fileBytes,
			"the pack is as long as its header says; there are more bytes" );
	}
	return true;
}

static bool CheckHeaderFields( gelPackChecker* checker, const gelPackHeader* h )
{
	if ( h->fileBytes > GEL_PACK_MAX_BYTES || h->fileBytes % GEL_PACK_ALIGNMENT != 0 )
	{
		return FailHeader( checker, gel_packHeader, offsetof( gelPackHeader, fileBytes ),
			"the size of a pack is a multiple of 64 and at most 16 GiB" );
	}
	if ( h->sectionCount > GEL_PACK_MAX_SECTIONS ||
		sizeof( gelPackHeader ) + (uint64_t)h->sectionCount * sizeof( gelPackSection ) > h->fileBytes )
	{
		return FailHeader( checker, gel_packHeader, offsetof( gelPackHeader, sectionCount ),
			"there are at most 1024 sections and their table lies inside the file" );
	}
	if ( h->headerFlags != 0 || h->scalarKind != 0 || !gelPack_IsZero( h->reserved, sizeof( h->reserved ) ) )
	{
		return FailHeader( checker, gel_packHeader, offsetof( gelPackHeader, headerFlags ),
			"flags, scalar kind and reserved bytes of the header are 0" );
	}
	if ( h->nodeCount < 4 || h->nodeCount > GEL_PACK_MAX_NODES || h->tetCount < 1 ||
		h->tetCount > GEL_PACK_MAX_TETS || h->artVertexCount < 1 ||
		h->artVertexCount > GEL_PACK_MAX_VERTICES || h->artTriangleCount < 1 ||
		h->artTriangleCount > GEL_PACK_MAX_TRIANGLES )
	{
		return FailHeader( checker, gel_packHeader, offsetof( gelPackHeader, nodeCount ),
			"counts of nodes, tets, art vertices and art triangles are within their caps and not 0" );
	}
	const void* table = (const uint8_t*)h + sizeof( gelPackHeader );
	if ( gelPack_Hash( table, h->sectionCount * sizeof( gelPackSection ) ) != h->tableHash )
	{
		return FailHeader( checker, gel_packChecksum, offsetof( gelPackHeader, tableHash ),
			"the section table matches its hash" );
	}
	return true;
}

// ---- stage 2: table ------------------------------------------------------------------------------

static bool IsFourcc( uint32_t fourcc )
{
	for ( int shift = 0; shift < 32; shift += 8 )
	{
		uint32_t c = ( fourcc >> shift ) & 0xFFu;
		if ( !( c >= 'A' && c <= 'Z' ) && !( c >= '0' && c <= '9' ) ) return false;
	}
	return true;
}

// Fields of one entry that need no other entry. @return NULL, or the rule that is broken
static const char* FindEntryFault( const gelPackSection* s )
{
	if ( !IsFourcc( s->fourcc ) ) return "a section name is four of A-Z, 0-9";
	if ( ( s->flags & ~GEL_SECTION_REQUIRED ) != 0 ) return "unused section flags are 0";
	if ( s->version == 0 ) return "a section version is at least 1";
	if ( s->reserved0 != 0 || s->reserved1 != 0 ) return "reserved fields of a section entry are 0";
	if ( s->alignment != 64 && s->alignment != 4096 ) return "the alignment of a section is 64 or 4096";
	if ( s->stride == 0 ) return "the stride of a section is not 0";
	if ( s->bytes != (uint64_t)s->count * s->stride ) return "the size of a section is count times stride";
	return NULL;
}

static bool FailEntry( gelPackChecker* checker, gelPackCode code, const gelPackSection* s, const char* text )
{
	return gelPackChecker_FailAt( checker, code, s, (uint64_t)( s - checker->view->sections ), s, text );
}

static bool CheckTable( gelPackChecker* checker )
{
	const gelPackView* view = checker->view;
	uint64_t fileBytes = view->header->fileBytes;
	uint64_t end = sizeof( gelPackHeader ) + (uint64_t)view->header->sectionCount * sizeof( gelPackSection );
	for ( uint32_t i = 0; i < view->header->sectionCount; ++i )
	{
		const gelPackSection* s = view->sections + i;
		const char* rule = FindEntryFault( s );
		if ( rule != NULL ) return FailEntry( checker, gel_packTable, s, rule );
		if ( i > 0 && ( s->fourcc < s[-1].fourcc || ( s->fourcc == s[-1].fourcc && s->key <= s[-1].key ) ) )
		{
			return FailEntry( checker, gel_packTable, s,
				"sections are sorted by name and key, and no pair is there twice" );
		}
		if ( s->offset != RoundUp( end, s->alignment ) )
		{
			return FailEntry( checker, gel_packTable, s,
				"a section starts at the first multiple of its alignment behind the one before" );
		}
		if ( s->offset > fileBytes || s->bytes > fileBytes - s->offset )
			return FailEntry( checker, gel_packTable, s, "a section lies inside the file" );
		if ( !gelPack_IsZero( view->bytes + end, s->offset - end ) )
			return FailEntry( checker, gel_packTable, s, "the gap in front of a section is zero bytes" );
		end = s->offset + s->bytes;
	}
	if ( fileBytes != RoundUp( end, GEL_PACK_ALIGNMENT ) ||
		!gelPack_IsZero( view->bytes + end, fileBytes - end ) )
	{
		return gelPackChecker_Fail( checker, gel_packTable, NULL, view->header->sectionCount, end,
			"the file ends at the first multiple of 64 behind the last section, filled with zero bytes" );
	}
	return true;
}

// ---- stage 3: checksums --------------------------------------------------------------------------

static bool CheckHashes( gelPackChecker* checker )
{
	const gelPackView* view = checker->view;
	for ( uint32_t i = 0; i < view->header->sectionCount; ++i )
	{
		const gelPackSection* s = view->sections + i;
		if ( gelPack_Hash( gelPackView_Bytes( view, s ), (size_t)s->bytes ) != s->hash )
		{
			return gelPackChecker_Fail( checker, gel_packChecksum, s, i, s->offset,
				"a section matches its hash: the file is damaged" );
		}
	}
	return true;
}

// ---- stages 4 and 5: contents and cross checks ---------------------------------------------------

// Exact number of elements of a plain array, or 0 when the section has rules of its own.
static uint32_t ExpectedCount( const gelPackHeader* header, uint32_t fourcc )
{
	switch ( fourcc )
	{
		case GEL_SECTION_NODE:
		case GEL_SECTION_MASS:
			return header->nodeCount;
		case GEL_SECTION_TETS:
		case GEL_SECTION_TREF:
			return header->tetCount;
		case GEL_SECTION_VIDX:
			return header->artTriangleCount;
		case GEL_SECTION_VNRM:
			return header->artVertexCount;
		default:
			return 0;
	}
}

// Is the section known, and has it the shape that its name promises?
static bool CheckKind( gelPackChecker* checker, const gelPackSection* s )
{
	const KnownSection* known = FindKnown( s->fourcc );
	if ( known == NULL )
	{
		if ( ( s->flags & GEL_SECTION_REQUIRED ) == 0 ) return true;
		return FailEntry( checker, gel_packUnknownSection, s,
			"a section marked REQUIRED is known to the reader: the pack needs a newer one" );
	}
	if ( s->version != GEL_PACK_SECTION_VERSION && s->version != known->otherVersion )
	{
		return FailEntry( checker, gel_packUnknownSection, s,
			"a known section has a version that the reader knows: the pack needs a newer one" );
	}
	if ( !known->keyed && s->key != 0 )
		return FailEntry( checker, gel_packTable, s, "the key of a section that is there once is 0" );
	uint32_t blobStride = s->bytes <= UINT32_MAX ? 1 : GEL_PACK_ALIGNMENT;
	uint32_t expectedCount = ExpectedCount( checker->view->header, s->fourcc );
	uint32_t stride = known->strides[0] != 0 ? known->strides[0] : blobStride;
	if ( s->stride != stride && ( s->stride == 0 || s->stride != known->strides[1] ) &&
		( s->stride == 0 || s->stride != known->strides[2] ) )
	{
		return FailEntry(
			checker, gel_packSize, s, "the stride of a known section is the size of its elements" );
	}
	if ( expectedCount != 0 && s->count != expectedCount )
		return FailEntry( checker, gel_packSize, s, "a section has as many elements as the header counts" );
	return true;
}

static bool CheckKinds( gelPackChecker* checker )
{
	const gelPackView* view = checker->view;
	for ( uint32_t i = 0; i < view->header->sectionCount; ++i )
	{
		if ( !CheckKind( checker, view->sections + i ) ) return false;
	}
	for ( size_t k = 0; k < KNOWN_COUNT; ++k )
	{
		if ( !s_known[k].mandatory || gelPack_FindSection( view, s_known[k].fourcc, 0 ) != NULL ) continue;
		gelPackChecker_Fail( checker, gel_packMissingSection, NULL, 0, sizeof( gelPackHeader ),
			"META NODE TETS TREF MASS MATL COLR GATH VEMB VIDX VNRM are in every pack" );
		checker->fault->fourcc = s_known[k].fourcc;
		return false;
	}
	return true;
}

// Checks the sections of a kind in the order of the pack.
static bool CheckEach(
	gelPackChecker* checker, uint32_t fourcc, bool ( *check )( gelPackChecker*, const gelPackSection* ) )
{
	const gelPackView* view = checker->view;
	for ( uint32_t i = 0; i < view->header->sectionCount; ++i )
	{
		const gelPackSection* s = view->sections + i;
		if ( s->fourcc == fourcc && !check( checker, s ) ) return false;
	}
	return true;
}

// Factors refer to pin sets and particles, so those come first.
static bool CheckContents( gelPackChecker* checker )
{
	return gelPackChecker_CheckBody( checker ) && gelPackChecker_CheckBatches( checker ) &&
		gelPackChecker_CheckSources( checker ) && gelPackChecker_CheckAttachments( checker ) &&
#if !defined( GELPACK_NO_PARTICLES )
		gelPackChecker_CheckParticles( checker ) &&
#endif
		CheckEach( checker, GEL_SECTION_PINS, gelPackChecker_CheckPins ) &&
		CheckEach( checker, GEL_SECTION_FACT, gelPackChecker_CheckFactor ) &&
#if !defined( GELPACK_NO_PARTICLES )
		CheckEach( checker, GEL_SECTION_OPFA, gelPackChecker_CheckFactor ) &&
#endif
#if !defined( GELPACK_NO_WARP )
		CheckEach( checker, GEL_SECTION_UPDT, gelPackChecker_CheckWarp ) &&
		CheckEach( checker, GEL_SECTION_WFAC, gelPackChecker_CheckWarpFactor ) &&
#endif
		gelPackChecker_CheckCollision( checker ) && gelPackChecker_CheckSupports( checker );
}

// ---- interface -----------------------------------------------------------------------------------

// The scratch memory of one check at a time: the coloring wants a bit per tet and 16 bits per node, a
// permutation a bit per node, the coarse tree a byte per tree node and a bit per cell. 8 more bytes to align
// it, 8 to round the bits up.
static uint64_t ScratchBytes( uint64_t nodeCount, uint64_t tetCount, uint64_t cellCount )
{
	uint64_t body = 2 * nodeCount + tetCount / 8, tree = 2 * cellCount + cellCount / 8;
	return 16 + ( body > tree ? body : tree );
}

// Scratch memory for one pack, without its levels [bytes].
static uint64_t ScratchBytesOf( const uint8_t* bytes, uint64_t byteCount, gelPackHeader* outHeader )
{
	if ( byteCount < sizeof( gelPackHeader ) ) return 0;
	memcpy( outHeader, bytes, sizeof( *outHeader ) ); // a copy: the buffer may be unaligned here
	// A pack has 16 bytes for every node, tet and cell, so larger counts are refused before use.
	uint64_t most = byteCount / 16;
	uint64_t nodeCount = outHeader->nodeCount < most ? outHeader->nodeCount : most;
	uint64_t tetCount = outHeader->tetCount < most ? outHeader->tetCount : most;
	uint64_t cellCount = outHeader->cdgTetCount < most ? outHeader->cdgTetCount : most;
	return ScratchBytes( nodeCount, tetCount, cellCount );
}

// Levels are checked one after the other, so the largest need decides.
size_t gelPack_ScratchBytes( const void* bytes, size_t byteCount )
{
	gelPackHeader header = { 0 };
	if ( bytes == NULL ) return 0;
	uint64_t needed = ScratchBytesOf( bytes, byteCount, &header );
	uint64_t tableCount = needed == 0 ? 0 : ( byteCount - sizeof( header ) ) / sizeof( gelPackSection );
	if ( tableCount > header.sectionCount ) tableCount = header.sectionCount;
	if ( tableCount > GEL_PACK_MAX_SECTIONS ) tableCount = GEL_PACK_MAX_SECTIONS;
	for ( uint64_t i = 0; i < tableCount; ++i )
	{
		gelPackSection s;
		gelPackHeader level;
		memcpy( &s, (const uint8_t*)bytes + sizeof( header ) + i * sizeof( s ), sizeof( s ) );
		if ( s.fourcc != GEL_SECTION_LODP || s.offset > byteCount || s.bytes > byteCount - s.offset )
			continue;
		uint64_t more = ScratchBytesOf( (const uint8_t*)bytes + s.offset, s.bytes, &level );
		needed = more > needed ? more : needed;
	}
	return (size_t)needed;
}

static bool Open( gelPackChecker* checker, const uint8_t* bytes, size_t byteCount, void* scratch,
	size_t scratchBytes, uint32_t flags, gelPackView* levels )
{
	gelPackView* view = checker->view;
	if ( !CheckIdentity( checker, bytes, byteCount ) ) return false;
	view->bytes = bytes;
	view->header = (const gelPackHeader*)bytes;
	if ( !CheckHeaderFields( checker, view->header ) ) return false;
	view->sections = (const gelPackSection*)( bytes + sizeof( gelPackHeader ) );
	if ( !CheckTable( checker ) ) return false;
	if ( ( flags & GEL_PACK_TRUST_CHECKSUM ) == 0 && !CheckHashes( checker ) ) return false;
	if ( !CheckKinds( checker ) ) return false;

	const gelPackHeader* h = view->header;
	const gelPackSection* cells = gelPack_FindSection( view, GEL_SECTION_CTET, 0 );
	uint32_t cellCount = cells == NULL ? 0 : cells->count < h->cdgTetCount ? cells->count : h->cdgTetCount;
	uint64_t needed = ScratchBytes( h->nodeCount, h->tetCount, cellCount );
	if ( scratch == NULL || scratchBytes < needed )
		return FailHeader( checker, gel_packScratch, 0, "the scratch memory has gelPack_ScratchBytes" );
	uintptr_t misaligned = (uintptr_t)scratch & 7u;
	checker->scratch = (uint8_t*)scratch + ( misaligned ? 8 - misaligned : 0 );
	return CheckContents( checker ) &&
		gelPackChecker_CheckLevels( checker, scratch, scratchBytes, flags, levels );
}

gelPackCode gelPack_OpenLevels( const void* bytes, size_t byteCount, void* scratch, size_t scratchBytes,
	uint32_t flags, gelPackView* view, gelPackView* levels, gelPackFault* fault )
{
	gelPackFault localFault;
	gelPackChecker checker = { .view = view, .fault = fault ? fault : &localFault };
	memset( view, 0, sizeof( *view ) );
	memset( checker.fault, 0, sizeof( *checker.fault ) );
	checker.fault->text = "";
	if ( !Open( &checker, bytes, byteCount, scratch, scratchBytes, flags, levels ) )
	{
		memset( view, 0, sizeof( *view ) ); // nothing of a refused pack is handed out
	}
	return checker.fault->code;
}

gelPackCode gelPack_Open( const void* bytes, size_t byteCount, void* scratch, size_t scratchBytes,
	uint32_t flags, gelPackView* view, gelPackFault* fault )
{
	return gelPack_OpenLevels( bytes, byteCount, scratch, scratchBytes, flags, view, NULL, fault );
}

// Index of the first section with at least this (fourcc, key); the table is sorted.
static uint32_t LowerBound( const gelPackView* view, uint32_t fourcc, uint64_t key )
{
	uint32_t first = 0, last = view->header->sectionCount;
	while ( first < last )
	{
		uint32_t middle = first + ( last - first ) / 2;
		const gelPackSection* s = view->sections + middle;
		bool less = s->fourcc < fourcc || ( s->fourcc == fourcc && s->key < key );
		if ( less )
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

uint32_t gelPack_CountSections( const gelPackView* view, uint32_t fourcc )
{
	GEL_ASSERT( view->header != NULL );
	uint32_t count = 0;
	for ( uint32_t i = LowerBound( view, fourcc, 0 );
		  i < view->header->sectionCount && view->sections[i].fourcc == fourcc; ++i )
	{
		++count;
	}
	return count;
}

const gelPackSection* gelPack_GetSection( const gelPackView* view, uint32_t fourcc, uint32_t index )
{
	uint64_t i = (uint64_t)LowerBound( view, fourcc, 0 ) + index;
	if ( i >= view->header->sectionCount || view->sections[i].fourcc != fourcc ) return NULL;
	return view->sections + i;
}

const gelPackSection* gelPack_FindSection( const gelPackView* view, uint32_t fourcc, uint64_t key )
{
	GEL_ASSERT( view->sections != NULL );
	uint32_t i = LowerBound( view, fourcc, key );
	if ( i >= view->header->sectionCount ) return NULL;
	const gelPackSection* s = view->sections + i;
	return s->fourcc == fourcc && s->key == key ? s : NULL;
}

gelPackFactorView gelPack_GetFactor( const gelPackView* view, const gelPackSection* section )
{
	const gelPackFactor* header = gelPackView_Bytes( view, section );
	return ( gelPackFactorView ){
		.header = header,
		.perm = gelPackView_Array( view, section, header->perm ),
		.superFirst = gelPackView_Array( view, section, header->superFirst ),
		.rowFirst = gelPackView_Array( view, section, header->rowFirst ),
		.rows = gelPackView_Array( view, section, header->rows ),
		.valueFirst = gelPackView_Array( view, section, header->valueFirst ),
		.values = gelPackView_Array( view, section, header->values ),
		.invDiagonal = gelPackView_Array( view, section, header->invDiagonal ),
		.parent = gelPackView_Array( view, section, header->parent ),
		.key = section->key,
		.version = section->version,
	};
}
