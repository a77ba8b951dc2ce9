// SPDX-License-Identifier: MIT
// Vertices of cells near a plane: those of a baked list against all vertices, kernels against their twins.
#include "test_support.h"

#include "contact/detect/support_points.h"
#include "query_stage.h"
#include "small_pack.h"
#include "state/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 4096

// Heights of the nodes of a cell above a plane with a normal of any length.
static void GetHeights(
	const gelPackView* pack, uint32_t cell, const gelVec3* x, gelVec3 normal, float offset, float h[4] )
{
	for ( int k = 0; k < 4; ++k )
		h[k] = gelDot( normal, x[pack->cells[cell].node[k]] ) - offset;
}

static float GetHeight( const float w[4], const float h[4] )
{
	return ( ( w[0] * h[0] + w[1] * h[1] ) + w[2] * h[2] ) + w[3] * h[3];
}

// Every vertex of the cell, one by one.
static float FindLowestHeight( const gelPackView* pack, uint32_t cell, const float h[4] )
{
	float lowest = INFINITY;
	for ( uint32_t p = 0; p < pack->cells[cell].patchCount; ++p )
	{
		const gelPackPatch* patch = pack->patches + pack->cells[cell].patchFirst + p;
		for ( uint32_t i = 0; i < patch->vertexCount; ++i )
		{
			float w[4];
			gelCdg_GetWeights( &pack->cdg, patch->vertexFirst + i, w );
			lowest = fminf( lowest, GetHeight( w, h ) );
		}
	}
	return lowest;
}

// The lowest of the list may be above the lowest of all by the slack, and by the rounding of both.
static float GetTolerance( const gelPackView* pack, const float h[4] )
{
	float high = -INFINITY, low = INFINITY, largest = 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		high = fmaxf( high, h[k] );
		low = fminf( low, h[k] );
		largest = fmaxf( largest, fabsf( h[k] ) );
	}
	return ( pack->supports.header != NULL ? pack->supports.header->slack : 0.0f ) * ( high - low ) +
		8.0f * 0x1p-23f * largest;
}

static void CheckPoint( const gelPackView* pack, uint32_t cell, const gelSupportPoint* p, const float h[4] )
{
	float w[4];
	gelCdg_GetWeights( &pack->cdg, p->slot, w );
	assert_memory_equal( w, p->w, sizeof( w ) );
	float height = GetHeight( w, h );
	assert_memory_equal( &height, &p->height, sizeof( height ) );
	const gelPackCell* c = pack->cells + cell;
	const gelPackPatch *front = pack->patches + c->patchFirst, *back = front + c->patchCount - 1;
	assert_true( p->slot >= front->vertexFirst && p->slot < back->vertexFirst + back->vertexCount );
}

// Twins, all kernels of this machine, and what they find against every vertex. @return vertices below
static int CheckCell( const gelAsset* asset, uint32_t cell, const float h[4], float below )
{
	const gelPackView* pack = &asset->pack;
	static gelSupportPoint expected[CAPACITY], found[CAPACITY];
	gelSupportPoint lowest = gelFindLowestSupport( NULL, asset, cell, h );
	int count = gelScanSupport( NULL, asset, cell, h, below, expected, CAPACITY );
	assert_in_range( count, 0, CAPACITY );
	CheckPoint( pack, cell, &lowest, h );
	float tolerance = GetTolerance( pack, h ), least = FindLowestHeight( pack, cell, h );
	assert_true( lowest.height - least <= tolerance && least <= lowest.height );
	if ( least < below - tolerance ) assert_true( count > 0 );
	if ( !( least < below ) ) assert_int_equal( count, 0 );
	for ( int i = 0; i < count; ++i )
	{
		CheckPoint( pack, cell, expected + i, h );
		assert_true( expected[i].height < below && expected[i].height >= lowest.height );
		if ( i > 0 ) assert_true( expected[i].slot > expected[i - 1].slot );
	}
	for ( int level = 1; level <= gel_simdAvx512; ++level )
	{
		if ( gelFindSimdLevel( (gelSimdLevel)level ) != (gelSimdLevel)level ) continue;
		const gelSupportKernels* kernels = gelGetSupportKernels( (gelSimdLevel)level );
		gelSupportPoint wide = gelFindLowestSupport( kernels, asset, cell, h );
		assert_memory_equal( &wide, &lowest, sizeof( wide ) );
		memset( found, 0xAB, sizeof( found[0] ) * (size_t)( count + 1 ) );
		assert_int_equal( gelScanSupport( kernels, asset, cell, h, below, found, CAPACITY ), count );
		assert_memory_equal( found, expected, sizeof( found[0] ) * (size_t)count );
		// too little room: as many as fit, and how many there are
		int half = count / 2;
		memset( found, 0xAB, sizeof( found[0] ) * (size_t)( count + 1 ) );
		gelSupportPoint untouched = found[0];
		assert_int_equal( gelScanSupport( kernels, asset, cell, h, below, found, half ), count );
		assert_memory_equal( found, expected, sizeof( found[0] ) * (size_t)half );
		assert_memory_equal( found + half, &untouched, sizeof( untouched ) );
		assert_int_equal( gelScanSupport( kernels, asset, cell, h, below, NULL, 0 ), count );
	}
	return count;
}

// A pack without the section, as earlier bakes wrote it.
static uint8_t* StripSupports( const uint8_t* bytes, size_t* outBytes )
{
	gelLooseSection *sections, kept[1024];
	uint32_t count = gelSplitPack( bytes, &sections ), keptCount = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( sections[i].entry.fourcc != GEL_SECTION_SUPP ) kept[keptCount++] = sections[i];
	}
	uint8_t* result = gelJoinSections( (const gelPackHeader*)bytes, kept, keptCount, outBytes );
	gelFreeSections( sections, count );
	return result;
}

// With marks, without; weights as floats, with marks and without.
typedef struct Assets
{
	gelAsset* items[4];
} Assets;

static Assets MakeAssets( const gelQueryStage* stage )
{
	uint8_t* bytes[4] = { gelCopyPack( stage->pack, stage->packBytes ) };
	size_t counts[4] = { stage->packBytes };
	Assets assets;
	bytes[1] = StripSupports( bytes[0], counts + 1 );
	bytes[2] = gelMakePlainPack( bytes[0], counts[0], GEL_CDG_NARROW_WORDS, counts + 2 );
	bytes[3] = StripSupports( bytes[2], counts + 3 );
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( gelLoadAsset( bytes[i], counts[i], NULL, assets.items + i, NULL ), gel_success );
		assert_int_equal( assets.items[i]->supports.first != NULL, i % 2 == 0 );
		assert_int_equal( assets.items[i]->pack.cdg.fixedWeights != NULL, i < 2 );
		free( bytes[i] );
	}
	return assets;
}

static void FreeAssets( Assets* assets )
{
	for ( int i = 0; i < 4; ++i )
		gelDestroyAsset( assets->items[i] );
}

static void TestAgainstAllVertices( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	int below = 0, cells = 0;
	for ( int art = 0; art < gel_queryArtCount; ++art )
	{
		gelQueryStage stage = gelMakeQueryStage( (gelQueryArt)art );
		Assets assets = MakeAssets( &stage );
		const gelPackView* pack = &assets.items[0]->pack;
		for ( int shape = 0; shape < gel_shapeCount; ++shape )
		{
			gelQueryStage_Deform( &stage, (gelQueryShape)shape, &random );
			gelVec3 normal = gelRandomVec3( &random, 1.0 );
			if ( shape % 3 == 0 ) normal = ( gelVec3 ){ 0.0f, 1.0f, 0.0f };
			uint32_t step = GEL_IS_SANITIZED ? 29 : 4;
			for ( uint32_t c = (uint32_t)shape % step; c < pack->header->cdgTetCount; c += step )
			{
				// the plane through the middle of the cell, and heights below which few or all are
				float h[4];
				gelVec3 x = stage.inside->x[pack->cells[c].node[1]];
				GetHeights( pack, c, stage.inside->x, normal, gelDot( normal, x ), h );
				for ( int i = 0; i < 4; ++i, ++cells )
					below +=
						CheckCell( assets.items[i], c, h, (float)gelRandom_Uniform( &random, -0.2, 0.1 ) );
			}
		}
		FreeAssets( &assets );
		gelFreeQueryStage( &stage );
	}
	assert_true( below > cells );
}

// Lists with and without padding, copies of vertices and floats give the same lowest vertex where it is the
// only one.
static void TestListsAgree( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryTorus );
	Assets assets = MakeAssets( &stage );
	gelRandom random = { 4 };
	for ( uint32_t c = 0; c < assets.items[0]->pack.header->cdgTetCount; ++c )
	{
		float h[4];
		for ( int k = 0; k < 4; ++k )
			h[k] = (float)gelRandom_Normal( &random );
		gelSupportPoint a = gelFindLowestSupport( NULL, assets.items[0], c, h );
		for ( int i = 1; i < 4; ++i )
		{
			gelSupportPoint b = gelFindLowestSupport( NULL, assets.items[i], c, h );
			assert_true( fabsf( a.height - b.height ) <= GetTolerance( &assets.items[0]->pack, h ) );
			if ( i == 2 ) assert_memory_equal( &a, &b, sizeof( a ) );
		}
	}
	FreeAssets( &assets );
	gelFreeQueryStage( &stage );
}

// What is not a number is below nothing, and everybody says the same.
static void TestWildHeights( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	Assets assets = MakeAssets( &stage );
	static const float wild[] = { NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 3.0e38f, -3.0e38f, 1.0e-40f };
	gelRandom random = { 6 };
	for ( int round = 0; round < 2000; ++round )
	{
		const gelAsset* asset = assets.items[round % 4];
		uint32_t cell = (uint32_t)( gelRandom_Next( &random ) % asset->pack.header->cdgTetCount );
		float h[4], below = wild[gelRandom_Next( &random ) % 8];
		for ( int k = 0; k < 4; ++k )
			h[k] = wild[gelRandom_Next( &random ) % 8];
		gelSupportPoint lowest = gelFindLowestSupport( NULL, asset, cell, h ), expected[64], found[64];
		int count = gelScanSupport( NULL, asset, cell, h, below, expected, 64 );
		for ( int level = 1; level <= gel_simdAvx512; ++level )
		{
			if ( gelFindSimdLevel( (gelSimdLevel)level ) != (gelSimdLevel)level ) continue;
			const gelSupportKernels* kernels = gelGetSupportKernels( (gelSimdLevel)level );
			gelSupportPoint wide = gelFindLowestSupport( kernels, asset, cell, h );
			assert_int_equal( wide.slot, lowest.slot );
			assert_true( wide.height == lowest.height || ( isnan( wide.height ) && isnan( lowest.height ) ) );
			assert_int_equal( gelScanSupport( kernels, asset, cell, h, below, found, 64 ), count );
			for ( int i = 0; i < count && i < 64; ++i )
				assert_int_equal( found[i].slot, expected[i].slot );
		}
	}
	FreeAssets( &assets );
	gelFreeQueryStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestAgainstAllVertices ),
		cmocka_unit_test( TestListsAgree ),
		cmocka_unit_test( TestWildHeights ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
