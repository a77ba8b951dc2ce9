// SPDX-License-Identifier: MIT
// Collision sections as earlier writers and large surfaces have them: floats, full indices, longer records.
#include "small_pack.h"

#include "test_support.h"

#include <stdlib.h>
#include <string.h>

static gelLooseSection* FindLoose( gelLooseSection* sections, uint32_t count, uint32_t fourcc )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( sections[i].entry.fourcc == fourcc ) return sections + i;
	}
	fail_msg( "no such section" );
	return NULL;
}

static void Replace( gelLooseSection* section, void* data, uint32_t count, uint32_t stride )
{
	free( section->data );
	section->data = data;
	section->entry.version = GEL_PACK_SECTION_VERSION;
	section->entry.count = count;
	section->entry.stride = stride;
	section->entry.bytes = (uint64_t)count * stride;
}

static void ReplaceVertices( const gelPackView* view, gelLooseSection* section )
{
	const uint32_t slots = view->header->cdgVertexCount, welds = view->cdgWeldCount;
	const uint32_t weldStart = ( 64 + 16 * slots + 63 ) / 64 * 64; // 8 slots are 128 bytes
	uint8_t* data = calloc( weldStart + 4 * welds, 1 );
	const gelPackCdgVertices header = {
		.weights = { 1, 4 * slots },
		.welds = { weldStart / 64, welds },
	};
	memcpy( data, &header, sizeof( header ) );
	float* weights = (float*)( data + 64 );
	for ( uint32_t slot = 0; slot < slots; ++slot )
	{
		float w[4];
		gelCdg_GetWeights( &view->cdg, slot, w );
		for ( uint32_t k = 0; k < 4; ++k )
			weights[slot / 8 * 32 + 8 * k + slot % 8] = w[k];
	}
	for ( uint32_t i = 0; i < welds; ++i )
		( (uint32_t*)( data + weldStart ) )[i] = gelBitArray_Get( view->cdg.welds, i );
	Replace( section, data, weldStart + 4 * welds, 1 );
}

static void ReplaceTriangles( const gelPackView* view, gelLooseSection* section, uint32_t words )
{
	const uint32_t count = view->header->cdgTriangleCount;
	uint32_t* data = calloc( count, 4 * (size_t)words );
	for ( uint32_t p = 0; p < view->header->cdgPatchCount; ++p )
	{
		const gelPackPatch* patch = view->patches + p;
		for ( uint32_t i = patch->triangleFirst; i < patch->triangleFirst + patch->triangleCount; ++i )
			gelCdg_PutTriangle( data, words, i, gelCdg_GetTriangle( &view->cdg, patch, i ) );
	}
	Replace( section, data, count, 4 * words );
}

uint8_t* gelMakePlainPack( const uint8_t* pack, size_t byteCount, uint32_t words, size_t* outBytes )
{
	gelPackView view;
	gelAssertPackOpens( pack, byteCount, &view );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( pack, &sections );
	ReplaceVertices( &view, FindLoose( sections, count, GEL_SECTION_CVTX ) );
	ReplaceTriangles( &view, FindLoose( sections, count, GEL_SECTION_CTRI ), words );
	uint32_t* sources = calloc( view.header->cdgTriangleCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < view.header->cdgTriangleCount; ++i )
		sources[i] = gelCdg_GetSource( &view.cdg, i );
	Replace( FindLoose( sections, count, GEL_SECTION_CSRC ), sources, view.header->cdgTriangleCount, 4 );
	gelLooseSection* patches = FindLoose( sections, count, GEL_SECTION_CPAT );
	patches->entry.version = GEL_PACK_SECTION_VERSION;
	for ( uint32_t p = 0; p < patches->entry.count; ++p )
		( (gelPackPatch*)(void*)patches->data )[p].borderFirst = 0;
	uint8_t* result = gelJoinSections( view.header, sections, count, outBytes );
	gelFreeSections( sections, count );
	return result;
}
