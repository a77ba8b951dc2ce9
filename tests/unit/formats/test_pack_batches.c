// SPDX-License-Identifier: MIT
// Rules of VBAT and of version 2 of FACT: each has an edit that breaks it and nothing else; and what the bake
// makes of a cage obeys them and wastes few slots.
#include "test_support.h"

#include "pack_drive.h"
#include "small_pack.h"
#include "stage.h"

#include "asset/asset.h"

#include <math.h>

static uint32_t* GetSlots( uint8_t* bytes )
{
	return gelFindPackData( bytes, GEL_SECTION_VBAT, 0 );
}

static float* GetValues( uint8_t* bytes )
{
	gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_FACT, 0 );
	return (float*)( (uint8_t*)f + 64u * f->values.offset64 );
}

static void RepeatTet( uint8_t* bytes )
{
	GetSlots( bytes )[8] = GetSlots( bytes )[0];
}

static void LoseTet( uint8_t* bytes )
{
	GetSlots( bytes )[3] = GEL_PACK_NO_TET;
}

static void NameNoTet( uint8_t* bytes )
{
	GetSlots( bytes )[3] = 0x7FFFFFFFu;
}

// Two tets that share a face change places until they meet in a batch.
static void MeetInBatch( uint8_t* bytes )
{
	const gelPackTet* tets = gelFindPackData( bytes, GEL_SECTION_TETS, 0 );
	uint32_t* slots = GetSlots( bytes );
	for ( uint32_t i = 8; i < 16; ++i )
	{
		for ( int k = 0; k < 16 && slots[i] != GEL_PACK_NO_TET; ++k )
		{
			if ( tets[slots[i]].node[k / 4] != tets[slots[0]].node[k % 4] ) continue;
			uint32_t tet = slots[1];
			slots[1] = slots[i];
			slots[i] = tet;
			return;
		}
	}
	fail_msg( "no neighbors in the first two batches" );
}

static void MakeInfinite( uint8_t* bytes )
{
	GetValues( bytes )[0] = INFINITY;
}

static void ChangeDiagonal( uint8_t* bytes )
{
	GetValues( bytes )[0] *= 1.001f; // no longer what invDiagonal says
}

static void MakeDiagonalNegative( uint8_t* bytes )
{
	GetValues( bytes )[0] *= -1.0f;
}

// Column 1 of the first panel, row 0: the second float of eight in the first tile.
static void FillAboveDiagonal( uint8_t* bytes )
{
	gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_FACT, 0 );
	const uint32_t* superFirst = (const uint32_t*)( (uint8_t*)f + 64u * f->superFirst.offset64 );
	const uint64_t* valueFirst = (const uint64_t*)( (uint8_t*)f + 64u * f->valueFirst.offset64 );
	for ( uint32_t s = 0; s < f->superCount; ++s )
	{
		if ( superFirst[s + 1] - superFirst[s] < 2 ) continue;
		GetValues( bytes )[valueFirst[s] + 8] = 1.0f;
		return;
	}
	fail_msg( "no panel of two columns" );
}

static void TakeUnknownVersion( uint8_t* bytes )
{
	gelFindPackEntry( bytes, GEL_SECTION_FACT, 0 )->version = 3;
}

static void EachEditIsRefused( void** state )
{
	(void)state;
	static const gelPackEdit cases[] = {
		{ RepeatTet, gel_packStructure, GEL_SECTION_VBAT, "every tet is in one batch" },
		{ LoseTet, gel_packStructure, GEL_SECTION_VBAT, "every tet is in one batch" },
		{ NameNoTet, gel_packIndex, GEL_SECTION_VBAT, "tets or empty" },
		{ MeetInBatch, gel_packStructure, GEL_SECTION_VBAT, "share no node" },
		{ MakeInfinite, gel_packValue, GEL_SECTION_FACT, "finite" },
		{ ChangeDiagonal, gel_packValue, GEL_SECTION_FACT, "diagonal values" },
		{ MakeDiagonalNegative, gel_packValue, GEL_SECTION_FACT, "diagonal values" },
		{ FillAboveDiagonal, gel_packValue, GEL_SECTION_FACT, "above the diagonal" },
		{ TakeUnknownVersion, gel_packUnknownSection, GEL_SECTION_FACT, "version that the reader knows" },
	};
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelAssertEditsRefused( cases, sizeof( cases ) / sizeof( cases[0] ), stage.pack, stage.packBytes );
	gelFreeStage( &stage );
}

// At most one slot in ten is empty, from a few hundred tets on.
static void BatchesAreFull( void** state )
{
	(void)state;
	for ( int cells = 3; cells <= 6; ++cells )
	{
		gelStageDef def = gelDefaultStageDef();
		def.cells[0] = 2 * cells;
		def.cells[1] = def.cells[2] = cells;
		def.split = cells % 2 == 0 ? gel_boxSplitSix : def.split;
		gelStage stage = gelMakeStage( &def );
		assert_non_null( stage.asset->pack.volumeBatches );
		assert_true( 8 * stage.asset->blockCount <= stage.asset->tetCount * 11 / 10 + 8 );
		gelFreeStage( &stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EachEditIsRefused ),
		cmocka_unit_test( BatchesAreFull ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
