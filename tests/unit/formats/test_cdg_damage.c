// SPDX-License-Identifier: MIT
// Collision sections that are missing, too long, or damaged at random: refused, or every index can be
// followed.
#include "test_support.h"

#include "cdg_stage.h"
#include "pack_drive.h"
#include "pack/pack_read_cdg.h"
#include "small_pack.h"
#include "test_surfaces.h"

#include <stdlib.h>
#include <string.h>

static uint8_t* BakePack( size_t* outBytes )
{
	const double low[3] = { 0.3, 0.2, 0.25 }, high[3] = { 1.7, 0.8, 0.85 };
	gelCage cage = gelMakeBoxCage( 2, 1, 1, 2.0, 1.0, 1.0, gel_boxSplitFive );
	gelMesh mesh = gelMakeTestBoxSurface( low, high );
	uint8_t* bytes = gelBakeWithCollision( &mesh, &cage, outBytes );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return bytes;
}

// The sections come together or not at all, and the header knows.
static void TheGroupIsWhole( void** state )
{
	(void)state;
	static const uint32_t group[] = { GEL_SECTION_CTET, GEL_SECTION_CPAT, GEL_SECTION_CVTX, GEL_SECTION_CTRI,
		GEL_SECTION_CSRC, GEL_SECTION_CADJ, GEL_SECTION_CBVH };
	size_t byteCount, otherCount;
	uint8_t* original = BakePack( &byteCount );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( original, &sections );
	gelPackHeader header = *(const gelPackHeader*)original;
	for ( int g = 0; g <= 7; ++g )
	{
		// all but one; at last none
		gelLooseSection kept[1024];
		uint32_t keptCount = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bool member = false;
			for ( int k = 0; k < 7; ++k )
				member = member || ( sections[i].entry.fourcc == group[k] && ( g == 7 || g == k ) );
			if ( !member ) kept[keptCount++] = sections[i];
			if ( member ) assert_int_equal( sections[i].entry.flags, GEL_SECTION_REQUIRED );
		}
		uint8_t* bytes = gelJoinSections( &header, kept, keptCount, &otherCount );
		if ( g < 7 )
			gelAssertPackRefused( bytes, otherCount, gel_packMissingSection, "come together", group[g] );
		else
			gelAssertPackRefused( bytes, otherCount, gel_packHeader, "are 0 in a pack without it", 0 );
		free( bytes );
	}
	gelFreeSections( sections, count );
	free( original );
}

// A border more than the triangles have edges for.
static void BordersAreThoseOfTheTriangles( void** state )
{
	(void)state;
	size_t byteCount, otherCount;
	uint8_t* original = BakePack( &byteCount );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( original, &sections );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( sections[i].entry.fourcc != GEL_SECTION_CVTX ) continue;
		uint8_t* longer = calloc( sections[i].entry.bytes + 4, 1 );
		memcpy( longer, sections[i].data, sections[i].entry.bytes );
		( (gelPackCdgVertices*)(void*)longer )->borders.count += 1;
		free( sections[i].data );
		sections[i].data = longer;
		sections[i].entry.bytes += 4;
		sections[i].entry.count += 4;
	}
	uint8_t* bytes = gelJoinSections( (const gelPackHeader*)original, sections, count, &otherCount );
	gelAssertPackRefused( bytes, otherCount, gel_packSize, "as many borders", GEL_SECTION_CVTX );
	free( bytes );
	gelFreeSections( sections, count );
	free( original );
}

// Bits and words of the collision sections, hashes made right: refused, or every index can be followed.
static void Damage( const uint8_t* original, size_t byteCount, uint64_t seed )
{
	static const uint32_t words[] = { 0, 1, 2, 7, 8, 63, 0x1FFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
		0x7F800000, 0x3F800000, 0x3F000000 };
	uint8_t* damaged = gelCopyPack( original, byteCount );
	gelRandom random = { seed };
	int acceptedCount = 0, refusedCount = 0;
	for ( int round = 0; round < 30000; ++round )
	{
		memcpy( damaged, original, byteCount );
		size_t place; // anywhere in a section of the group
		do
		{
			const gelPackSection* table = (const gelPackSection*)( original + sizeof( gelPackHeader ) );
			const gelPackSection* s =
				table + gelRandom_Next( &random ) % ( (const gelPackHeader*)original )->sectionCount;
			place = ( s->fourcc & 0xFF ) == 'C' && s->fourcc != GEL_SECTION_COLR
				? s->offset + gelRandom_Next( &random ) % s->bytes
				: 0;
		} while ( place == 0 );
		if ( round % 2 == 0 )
			damaged[place] ^= (uint8_t)( 1u << gelRandom_Next( &random ) % 8 );
		else
			memcpy( damaged + place / 4 * 4, words + gelRandom_Next( &random ) % 13, 4 );
		gelRepairPackHashes( damaged, byteCount );
		gelPackView view;
		gelPackFault fault;
		bool accepted = gelTryPack( damaged, byteCount, &view, &fault ) == gel_packOk;
		if ( accepted ) gelTouchPack( &view );
		if ( accepted && round % 8 == 0 ) assert_true( gelDrivePack( damaged, byteCount ) );
		acceptedCount += accepted;
		refusedCount += !accepted;
	}
	assert_true( acceptedCount > 500 && refusedCount > 5000 );
	free( damaged );
}

static void DamageIsRefusedOrHarmless( void** state )
{
	(void)state;
	size_t byteCount, plainCount;
	uint8_t* packed = BakePack( &byteCount );
	uint8_t* plain = gelMakePlainPack( packed, byteCount, GEL_CDG_NARROW_WORDS, &plainCount );
	Damage( packed, byteCount, 31 );
	Damage( plain, plainCount, 32 );
	free( packed );
	free( plain );
}

// A patch that is too large for short records gets longer ones, and is refused if it claims to have them.
static void LargePatchesHaveLongerRecords( void** state )
{
	(void)state;
	gelCage cage = gelMakeTetCage( 10.0 );
	gelMesh mesh = gelMakeTestSphere( 0.4, 190 );
	for ( size_t i = 0; i < 3 * (size_t)mesh.vertexCount; ++i )
		mesh.positions[i] += 1.0f;
	gelFinishMesh( &mesh );
	assert_true( mesh.triangleCount > GEL_CDG_SHORT_NIL );
	size_t byteCount, otherCount;
	uint8_t* original = gelBakeWithCollision( &mesh, &cage, &byteCount );
	gelPackView view;
	gelAssertPackOpens( original, byteCount, &view );
	assert_int_equal( view.header->cdgPatchCount, 1 );
	assert_int_equal( view.cdg.words, GEL_CDG_NARROW_WORDS );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( original, &sections );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( sections[i].entry.fourcc != GEL_SECTION_CTRI ) continue;
		sections[i].entry.version = GEL_PACK_CDG_VERSION;
		sections[i].entry.stride = 4 * GEL_CDG_SHORT_WORDS;
		sections[i].entry.bytes = (uint64_t)sections[i].entry.count * sections[i].entry.stride;
	}
	uint8_t* bytes = gelJoinSections( view.header, sections, count, &otherCount );
	gelAssertPackRefused( bytes, otherCount, gel_packSize, "at most 65535 triangles", GEL_SECTION_CTRI );
	free( bytes );
	gelFreeSections( sections, count );
	free( original );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// A patch of n triangles that all have the last of n other patches of one triangle as neighbor, and links to
// all of them.
static void FillHub( gelLooseSection* section, uint32_t n, uint32_t artTriangles )
{
	gelPackSection* entry = &section->entry;
	gelPackCell cell = { 0 };
	if ( entry->fourcc == GEL_SECTION_CTET ) memcpy( &cell, section->data, sizeof( cell ) );
	const uint32_t slots = 8 + 8 * n, weldOffset = ( 64 + 8 * slots + 63 ) / 64;
	const uint64_t sourceWords = gelBitArray_Words( gelBitArray_Width( artTriangles ), 2 * n );
	const uint32_t counts[] = { 1, n + 1, 64 * weldOffset + 72, 2 * n, (uint32_t)sourceWords, n, 1 };
	const uint32_t strides[] = { sizeof( gelPackCell ), sizeof( gelPackPatch ), 1, 4 * GEL_CDG_NARROW_WORDS,
		4, sizeof( gelPackLink ), sizeof( gelPackBvhNode ) };
	static const uint32_t group[] = { GEL_SECTION_CTET, GEL_SECTION_CPAT, GEL_SECTION_CVTX, GEL_SECTION_CTRI,
		GEL_SECTION_CSRC, GEL_SECTION_CADJ, GEL_SECTION_CBVH };
	int kind = 0;
	while ( kind < 7 && group[kind] != entry->fourcc )
		++kind;
	if ( kind == 7 ) return;
	free( section->data );
	entry->count = counts[kind];
	entry->bytes = (uint64_t)counts[kind] * strides[kind];
	uint8_t* data = section->data = calloc( entry->bytes, 1 );
	gelPackPatch* patches = (gelPackPatch*)data;
	gelPackLink* links = (gelPackLink*)data;
	switch ( entry->fourcc )
	{
		case GEL_SECTION_CTET:
			*(gelPackCell*)data = cell;
			( (gelPackCell*)data )->patchCount = n + 1;
			memset( ( (gelPackCell*)data )->low, 0, 4 );
			memset( ( (gelPackCell*)data )->high, 255, 4 );
			break;
		case GEL_SECTION_CPAT:
			for ( uint32_t i = 0; i <= n; ++i )
			{
				patches[i] = ( gelPackPatch ){ .triangleFirst = i > 0 ? n + i - 1 : 0,
					.triangleCount = i > 0 ? 1 : n,
					.vertexFirst = 8 * i,
					.vertexCount = 3,
					.linkFirst = i > 0 ? n : 0,
					.linkCount = i > 0 ? 0 : n,
					.centroid = { 0.25f, 0.25f, 0.25f, 0.25f } };
			}
			break;
		case GEL_SECTION_CVTX:
			*(gelPackCdgVertices*)data = ( gelPackCdgVertices ){
				.weights = { 1, slots }, .welds = { weldOffset, 2 }, .borders = { weldOffset + 1, 2 }
			};
			for ( uint32_t i = 0; i < slots; ++i ) // in the middle of the tet
				( (uint64_t*)( data + 64 ) )[i] = (uint64_t)1 << 19 | (uint64_t)1 << 40 | (uint64_t)1 << 61;
			break;
		case GEL_SECTION_CTRI:
			entry->stride = strides[kind];
			entry->version = 1;
			for ( uint32_t i = 0; i < 2 * n; ++i )
			{
				uint32_t first = i < n ? 0 : 8 * ( i - n + 1 );
				gelCdgTriangle t = { .vertex = { first, first + 1, first + 2 },
					.neighbor = { i < n ? 2 * n - 1 : GEL_CDG_NIL, GEL_CDG_NIL, GEL_CDG_NIL },
					.flags = GEL_CDG_TRIANGLE_BORDER,
					.bounds = 0xFFFFFFFF00000000u };
				gelCdg_PutTriangle( (uint32_t*)data, GEL_CDG_NARROW_WORDS, i, t );
			}
			break;
		case GEL_SECTION_CADJ:
			for ( uint32_t i = 0; i < n; ++i )
				links[i] = ( gelPackLink ){ .patch = i + 1, .entry = n + i };
			break;
		case GEL_SECTION_CBVH:
			*(gelPackBvhNode*)data = ( gelPackBvhNode ){ GEL_CDG_NIL, 0 };
			break;
		default:
			break;
	}
}

// As many borders as links in one patch: looking at each link for each border would be 4 * 10^10 steps here,
// and the answer comes only when all triangles have been looked at.
static void HubsAreRefusedInTime( void** state )
{
	(void)state;
	const uint32_t n = 200000;
	size_t byteCount, hubBytes;
	uint8_t* original = BakePack( &byteCount );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( original, &sections );
	gelPackHeader header = *(const gelPackHeader*)original;
	header.cdgTetCount = 1;
	header.cdgPatchCount = n + 1;
	header.cdgTriangleCount = 2 * n;
	header.cdgVertexCount = 8 + 8 * n;
	for ( uint32_t i = 0; i < count; ++i )
		FillHub( sections + i, n, header.artTriangleCount );
	uint8_t* bytes = gelJoinSections( &header, sections, count, &hubBytes );
	gelAssertPackRefused( bytes, hubBytes, gel_packStructure, "points back", GEL_SECTION_CTRI );
	free( bytes );
	gelFreeSections( sections, count );
	free( original );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TheGroupIsWhole ),
		cmocka_unit_test( BordersAreThoseOfTheTriangles ),
		cmocka_unit_test( DamageIsRefusedOrHarmless ),
		cmocka_unit_test( HubsAreRefusedInTime ),
		cmocka_unit_test( LargePatchesHaveLongerRecords ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
