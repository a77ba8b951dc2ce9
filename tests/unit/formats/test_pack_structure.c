// SPDX-License-Identifier: MIT
// Rules of formats/pack.md that take more than one number to break (the others are in test_pack_rules.c):
// permutations, trees, factors, and the order, size and presence of sections.
#include "test_support.h"

#include "pack/pack_read.h"
#include "small_pack.h"

#include <stdlib.h>
#include <string.h>

// ---- rules that take more than one number to break ---------------------------------------------------

typedef void EditFcn( uint8_t* bytes );

static void RepeatTetNode( uint8_t* bytes )
{
	gelPackTet* tets = gelFindPackData( bytes, GEL_SECTION_TETS, 0 );
	tets[4].node[3] = tets[4].node[1];
}

static void TurnTet( uint8_t* bytes )
{
	gelPackTet* tets = gelFindPackData( bytes, GEL_SECTION_TETS, 0 );
	uint32_t node = tets[7].node[0];
	tets[7].node[0] = tets[7].node[1];
	tets[7].node[1] = node;
}

static void SwapGatheredCorners( uint8_t* bytes )
{
	gelPackGather* header = gelFindPackData( bytes, GEL_SECTION_GATH, 0 );
	uint32_t* first = (uint32_t*)( (uint8_t*)header + 64u * header->nodeFirst.offset64 );
	uint32_t* corners = (uint32_t*)( (uint8_t*)header + 64u * header->corners.offset64 );
	for ( uint32_t node = 0; node < 12; ++node )
	{
		if ( first[node + 1] - first[node] < 2 ) continue;
		uint32_t corner = corners[first[node]];
		corners[first[node]] = corners[first[node] + 1];
		corners[first[node] + 1] = corner;
		return;
	}
}

static void RepeatRowOfFactor( uint8_t* bytes )
{
	gelPackFactor* factor = gelFindPackData( bytes, GEL_SECTION_FACT, 0 );
	uint32_t* perm = (uint32_t*)( (uint8_t*)factor + 64u * factor->perm.offset64 );
	perm[3] = perm[1];
}

// The first factor of the small pack need not be the pinned one: take the one with fewer rows.
static void GiveRowToPinnedNode( uint8_t* bytes )
{
	for ( uint32_t i = 0; i < 2; ++i )
	{
		gelPackFactor* factor = gelFindPackData( bytes, GEL_SECTION_FACT, i );
		if ( factor->pinSetId == 0 ) continue;
		( (uint32_t*)( (uint8_t*)factor + 64u * factor->perm.offset64 ) )[0] = 2;
	}
}

static void RemovePinSet( uint8_t* bytes )
{
	// an unknown optional section instead, with the same place in the order
	gelPackSection* entry = gelFindPackEntry( bytes, GEL_SECTION_PINS, 0 );
	entry->fourcc = GEL_FOURCC( 'O', 'I', 'N', 'S' );
}

static void FillUpperTriangle( uint8_t* bytes )
{
	for ( uint32_t i = 0; i < 2; ++i )
	{
		gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_FACT, i );
		const uint32_t* superFirst = (uint32_t*)( (uint8_t*)f + 64u * f->superFirst.offset64 );
		const uint32_t* rowFirst = (uint32_t*)( (uint8_t*)f + 64u * f->rowFirst.offset64 );
		const uint64_t* valueFirst = (uint64_t*)( (uint8_t*)f + 64u * f->valueFirst.offset64 );
		float* values = (float*)( (uint8_t*)f + 64u * f->values.offset64 );
		for ( uint32_t s = 0; s < f->superCount; ++s )
		{
			if ( superFirst[s + 1] - superFirst[s] < 2 ) continue;
			uint32_t padded = ( rowFirst[s + 1] - rowFirst[s] + 7 ) / 8 * 8;
			values[valueFirst[s] + padded] = 0.5f; // first entry of the second column
			return;
		}
	}
	fail_msg( "the small pack has no panel of two columns" );
}

static void FillRowPadding( uint8_t* bytes )
{
	gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_FACT, 0 );
	const uint32_t* rowFirst = (uint32_t*)( (uint8_t*)f + 64u * f->rowFirst.offset64 );
	assert_true( rowFirst[1] % 8 != 0 );
	( (float*)( (uint8_t*)f + 64u * f->values.offset64 ) )[rowFirst[1]] = 1e-30f;
}

static void FillPanelPadding( uint8_t* bytes )
{
	gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_FACT, 0 );
	const uint64_t* valueFirst = (uint64_t*)( (uint8_t*)f + 64u * f->valueFirst.offset64 );
	const uint32_t* superFirst = (uint32_t*)( (uint8_t*)f + 64u * f->superFirst.offset64 );
	assert_int_equal( superFirst[1] % 2, 1 ); // an odd number of columns of 8 rows leaves 8 floats
	( (float*)( (uint8_t*)f + 64u * f->values.offset64 ) )[valueFirst[1] - 1] = -0.0f;
}

// A leaf panel with a row that its parent lacks: still ascending, still < n.
static void BreakEliminationTree( uint8_t* bytes )
{
	for ( uint32_t i = 0; i < 2; ++i )
	{
		gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_FACT, i );
		const uint32_t* superFirst = (uint32_t*)( (uint8_t*)f + 64u * f->superFirst.offset64 );
		const uint32_t* rowFirst = (uint32_t*)( (uint8_t*)f + 64u * f->rowFirst.offset64 );
		const uint32_t* parent = (uint32_t*)( (uint8_t*)f + 64u * f->parent.offset64 );
		uint32_t* rows = (uint32_t*)( (uint8_t*)f + 64u * f->rows.offset64 );
		for ( uint32_t s = 0; s < f->superCount; ++s )
		{
			uint32_t width = superFirst[s + 1] - superFirst[s], count = rowFirst[s + 1] - rowFirst[s];
			if ( count < width + 2 ) continue;
			for ( uint32_t row = rows[rowFirst[s + 1] - 2] + 1; row < f->n; ++row )
			{
				bool found = false;
				for ( uint32_t k = rowFirst[parent[s]]; k < rowFirst[parent[s] + 1]; ++k )
					found = found || rows[k] == row;
				if ( found ) continue;
				rows[rowFirst[s + 1] - 1] = row;
				return;
			}
		}
	}
	fail_msg( "the small pack has no panel to break" );
}

// The pinned factor of the small pack ends in a panel of 4 columns and 4 rows.
static gelPackFactor* FindPinnedFactor( uint8_t* bytes )
{
	gelPackFactor* first = gelFindPackData( bytes, GEL_SECTION_FACT, 0 );
	return first->pinSetId != 0 ? first : gelFindPackData( bytes, GEL_SECTION_FACT, 1 );
}

static void TakeRowFromLastPanel( uint8_t* bytes )
{
	gelPackFactor* f = FindPinnedFactor( bytes );
	( (uint32_t*)( (uint8_t*)f + 64u * f->rowFirst.offset64 ) )[f->superCount - 1] += 1;
}

static void TakeLastColumn( uint8_t* bytes )
{
	gelPackFactor* f = FindPinnedFactor( bytes );
	( (uint32_t*)( (uint8_t*)f + 64u * f->superFirst.offset64 ) )[f->superCount] -= 1;
}

static void RemoveColors( uint8_t* bytes )
{
	gelPackColoring* header = gelFindPackData( bytes, GEL_SECTION_COLR, 0 );
	memset( (uint8_t*)header + 64, 0, 64 );
	header->colorFirst.count = 1;
}

static void RepeatFactorKey( uint8_t* bytes )
{
	gelPackSection *a = gelFindPackEntry( bytes, GEL_SECTION_FACT, 0 ), *b = a + 1;
	b->key = a->key;
}

static void SwapTableEntries( uint8_t* bytes )
{
	gelPackSection* a = gelFindPackEntry( bytes, GEL_SECTION_FACT, 0 );
	uint64_t key = a[0].key;
	a[0].key = a[1].key;
	a[1].key = key;
}

static void OverlapSections( uint8_t* bytes )
{
	gelPackSection* a = gelFindPackEntry( bytes, GEL_SECTION_FACT, 1 );
	a->offset -= 64;
}

static void GrowSectionBeyondFile( uint8_t* bytes )
{
	gelPackSection* last = gelFindPackEntry( bytes, GEL_SECTION_VIDX, 0 );
	last->count = UINT32_MAX;
	last->stride = UINT32_MAX;
	last->bytes = (uint64_t)UINT32_MAX * UINT32_MAX;
}

static void WrongStride( uint8_t* bytes )
{
	gelPackSection* entry = gelFindPackEntry( bytes, GEL_SECTION_NODE, 0 );
	entry->stride = 8;
	entry->count *= 2;
}

static void BlobStride( uint8_t* bytes )
{
	gelPackSection* entry = gelFindPackEntry( bytes, GEL_SECTION_COLR, 0 );
	entry->stride = 8;
	entry->count /= 8;
}

static void TwoFactorsForOneStep( uint8_t* bytes )
{
	gelPackFactor *a = gelFindPackData( bytes, GEL_SECTION_FACT, 0 ),
				  *b = gelFindPackData( bytes, GEL_SECTION_FACT, 1 );
	uint64_t id = a->pinSetId;
	a->pinSetId = b->pinSetId;
	b->pinSetId = id;
}

static void EachEditIsRefusedByItsRule( void** state )
{
	(void)state;
	static const struct
	{
		EditFcn* edit;
		gelPackCode code;
		uint32_t fourcc;
		const char* rule;
	} cases[] = {
		{ RepeatTetNode, gel_packStructure, GEL_SECTION_TETS, "different nodes" },
		{ TurnTet, gel_packStructure, GEL_SECTION_TREF, "positively oriented" },
		{ SwapGatheredCorners, gel_packStructure, GEL_SECTION_GATH, "exactly its corners, ascending" },
		{ RepeatRowOfFactor, gel_packStructure, GEL_SECTION_FACT, "exactly one row" },
		{ GiveRowToPinnedNode, gel_packStructure, GEL_SECTION_FACT, "pinned nodes have none" },
		{ RemovePinSet, gel_packMissingSection, GEL_SECTION_FACT, "pin set of a factor is in the pack" },
		{ FillUpperTriangle, gel_packValue, GEL_SECTION_FACT, "above the diagonal" },
		{ FillRowPadding, gel_packValue, GEL_SECTION_FACT, "exactly 0 in padding" },
		{ FillPanelPadding, gel_packValue, GEL_SECTION_FACT, "padding behind a panel" },
		{ BreakEliminationTree, gel_packStructure, GEL_SECTION_FACT, "rows of its parent" },
		{ TakeRowFromLastPanel, gel_packIndex, GEL_SECTION_FACT, "at least its own columns" },
		{ TakeLastColumn, gel_packIndex, GEL_SECTION_FACT, "offsets behind the last panel" },
		{ RemoveColors, gel_packSize, GEL_SECTION_COLR, "at least 1 color" },
		{ RepeatFactorKey, gel_packTable, GEL_SECTION_FACT, "no pair is there twice" },
		{ SwapTableEntries, gel_packTable, GEL_SECTION_FACT, "sorted by name and key" },
		{ OverlapSections, gel_packTable, GEL_SECTION_FACT, "behind the one before" },
		{ GrowSectionBeyondFile, gel_packTable, GEL_SECTION_VIDX, "inside the file" },
		{ WrongStride, gel_packSize, GEL_SECTION_NODE, "size of its elements" },
		{ BlobStride, gel_packSize, GEL_SECTION_COLR, "size of its elements" },
		{ TwoFactorsForOneStep, gel_packStructure, GEL_SECTION_FACT, "key of a factor" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		size_t byteCount;
		uint8_t* bytes = gelMakeSmallPack( &byteCount );
		cases[i].edit( bytes );
		gelRepairPackHashes( bytes, byteCount );
		gelAssertPackRefused( bytes, byteCount, cases[i].code, cases[i].rule, cases[i].fourcc );
		free( bytes );
	}
}

// ---- rules about the size of sections ------------------------------------------------------------------

// Gives a section of the small pack another size: cut, or filled up with zeros.
static void AssertResizeRefused( uint32_t fourcc, uint32_t newCount, gelPackCode code, const char* rule )
{
	size_t byteCount, newByteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( bytes, &sections );
	for ( uint32_t i = 0; i < count; ++i )
	{
		gelPackSection* entry = &sections[i].entry;
		if ( entry->fourcc != fourcc ) continue;
		uint64_t newBytes = (uint64_t)newCount * entry->stride;
		uint8_t* data = calloc( newBytes + 1, 1 );
		memcpy( data, sections[i].data, newBytes < entry->bytes ? newBytes : entry->bytes );
		free( sections[i].data );
		sections[i].data = data;
		entry->count = newCount;
		entry->bytes = newBytes;
		break;
	}
	uint8_t* changed = gelJoinSections( (const gelPackHeader*)bytes, sections, count, &newByteCount );
	gelAssertPackRefused( changed, newByteCount, code, rule, fourcc );
	free( changed );
	gelFreeSections( sections, count );
	free( bytes );
}

static void EachWrongSizeIsRefused( void** state )
{
	(void)state;
	AssertResizeRefused( GEL_SECTION_META, 0, gel_packSize, "at least 1 byte" );
	AssertResizeRefused( GEL_SECTION_META, GEL_PACK_MAX_META + 1, gel_packSize, "at most 1 MiB" );
	AssertResizeRefused( GEL_SECTION_NODE, 11, gel_packSize, "as many elements" );
	AssertResizeRefused( GEL_SECTION_NODE, 13, gel_packSize, "as many elements" );
	AssertResizeRefused( GEL_SECTION_TETS, 0, gel_packSize, "as many elements" );
	AssertResizeRefused( GEL_SECTION_TREF, 9, gel_packSize, "as many elements" );
	AssertResizeRefused( GEL_SECTION_MASS, 11, gel_packSize, "as many elements" );
	AssertResizeRefused( GEL_SECTION_VIDX, 13, gel_packSize, "as many elements" );
	AssertResizeRefused( GEL_SECTION_VNRM, 8, gel_packSize, "as many elements" );
	AssertResizeRefused( GEL_SECTION_MATL, 0, gel_packSize, "at least 1 material" );
	AssertResizeRefused( GEL_SECTION_MATL, 65537, gel_packSize, "at most 65536" );
	AssertResizeRefused( GEL_SECTION_PINS, 0, gel_packSize, "at least one node" );
	AssertResizeRefused( GEL_SECTION_PINS, 12, gel_packSize, "not all of them" );
	const uint32_t blobs[4] = { GEL_SECTION_COLR, GEL_SECTION_GATH, GEL_SECTION_VEMB, GEL_SECTION_FACT };
	for ( int i = 0; i < 4; ++i )
	{
		AssertResizeRefused( blobs[i], 0, gel_packSize, "has its inner header" );
		AssertResizeRefused( blobs[i], 63, gel_packSize, "has its inner header" );
		AssertResizeRefused( blobs[i], 128, gel_packSize, "" ); // an array reaches out of the section
		AssertResizeRefused( blobs[i], 2000, gel_packSize, "ends with its last inner array" );
	}
}

static void EachMandatorySectionIsMissed( void** state )
{
	(void)state;
	const uint32_t mandatory[] = { GEL_SECTION_META, GEL_SECTION_NODE, GEL_SECTION_TETS, GEL_SECTION_TREF,
		GEL_SECTION_MASS, GEL_SECTION_MATL, GEL_SECTION_COLR, GEL_SECTION_GATH, GEL_SECTION_VEMB,
		GEL_SECTION_VIDX, GEL_SECTION_VNRM };
	size_t byteCount, newByteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( bytes, &sections );
	for ( size_t m = 0; m < sizeof( mandatory ) / sizeof( mandatory[0] ); ++m )
	{
		gelLooseSection kept[32];
		uint32_t keptCount = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			if ( sections[i].entry.fourcc != mandatory[m] ) kept[keptCount++] = sections[i];
		}
		assert_int_equal( keptCount, count - 1 );
		uint8_t* changed = gelJoinSections( (const gelPackHeader*)bytes, kept, keptCount, &newByteCount );
		gelAssertPackRefused( changed, newByteCount, gel_packMissingSection, "in every pack", mandatory[m] );
		free( changed );
	}
	gelFreeSections( sections, count );
	free( bytes );
}

// Sections in another order than that of their names, every offset right for the place.
static void UnsortedSectionsAreRefused( void** state )
{
	(void)state;
	size_t byteCount, newByteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( bytes, &sections );
	for ( uint32_t i = 0; i + 1 < count; ++i )
	{
		gelLooseSection left = sections[i];
		sections[i] = sections[i + 1];
		sections[i + 1] = left;
		uint8_t* changed = gelJoinSections( (const gelPackHeader*)bytes, sections, count, &newByteCount );
		gelAssertPackRefused(
			changed, newByteCount, gel_packTable, "sorted by name and key", left.entry.fourcc );
		free( changed );
		sections[i + 1] = sections[i];
		sections[i] = left;
	}
	gelFreeSections( sections, count );
	free( bytes );
}

// 4096 is an alignment too, and the gap may then be longer than 64 bytes.
static void PageAlignedSectionIsAccepted( void** state )
{
	(void)state;
	size_t byteCount, newByteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( bytes, &sections );
	sections[5].entry.alignment = 4096;
	uint8_t* changed = gelJoinSections( (const gelPackHeader*)bytes, sections, count, &newByteCount );
	gelPackFault fault;
	assert_int_equal( gelTryPack( changed, newByteCount, NULL, &fault ), gel_packOk );
	changed[4095] = 1; // inside the gap
	gelAssertPackRefused( changed, newByteCount, gel_packTable, "zero bytes", sections[5].entry.fourcc );
	free( changed );
	gelFreeSections( sections, count );
	free( bytes );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EachEditIsRefusedByItsRule ),
		cmocka_unit_test( EachWrongSizeIsRefused ),
		cmocka_unit_test( EachMandatorySectionIsMissed ),
		cmocka_unit_test( UnsortedSectionsAreRefused ),
		cmocka_unit_test( PageAlignedSectionIsAccepted ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
