// SPDX-License-Identifier: MIT
// Levels of detail (formats/pack.md section 13): each LODP is a pack of its own, in which no other is nested,
// so the one step into it is all the recursion there is. LMAP is judged by the counts of the two packs it
// joins.
#include "pack/pack_validate.h"

#include <math.h>
#include <string.h>

#define FAIL( code, section, index, element, text )                                                          \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

static bool CheckKeys( gelPackChecker* checker, uint32_t levelCount )
{
	const gelPackView* view = checker->view;
	for ( uint32_t i = 0; i < levelCount; ++i )
	{
		const gelPackSection* level = gelPack_GetSection( view, GEL_SECTION_LODP, i );
		if ( level->key != (uint64_t)i + 1 || i >= GEL_PACK_MAX_LEVELS )
		{
			return gelPackChecker_Fail( checker, gel_packStructure, level, i, level->offset,
				"levels have the keys 1, 2, ... up to 7" );
		}
		if ( gelPack_FindSection( view, GEL_SECTION_LMAP, level->key ) == NULL )
		{
			return gelPackChecker_Fail( checker, gel_packMissingSection, level, i, level->offset,
				"a level comes with a map of the same key" );
		}
	}
	const gelPackSection* extra = gelPack_GetSection( view, GEL_SECTION_LMAP, levelCount );
	if ( extra == NULL ) return true;
	return gelPackChecker_Fail( checker, gel_packMissingSection, extra, levelCount, extra->offset,
		"a map comes with a level of the same key" );
}

// Nodes of one cage in tets of the other.
static bool CheckPlaces( gelPackChecker* checker, const gelPackSection* s, const uint32_t* tets,
	const float* weights, uint32_t nodeCount, uint32_t tetCount )
{
	for ( uint32_t i = 0; i < nodeCount; ++i )
	{
		if ( tets[i] >= tetCount )
			return FAIL( gel_packIndex, s, i, tets + i, "a node lies in a tet of the other level" );
		double sum = 0.0;
		for ( int k = 0; k < 4; ++k )
		{
			const float* w = weights + 4 * (size_t)i + k;
			if ( !( *w >= 0.0f && *w <= 1.0f ) )
				return FAIL( gel_packValue, s, i, w, "weights in the other level are between 0 and 1" );
			sum += *w;
		}
		if ( fabs( sum - 1.0 ) > 0x1p-22 )
			return FAIL(
				gel_packValue, s, i, weights + 4 * (size_t)i, "weights in the other level sum to 1" );
	}
	return true;
}

static bool CheckMap(
	gelPackChecker* checker, const gelPackSection* s, const gelPackHeader* fine, const gelPackHeader* coarse )
{
	const gelPackLevelMap* header = gelPackView_Bytes( checker->view, s );
	if ( s->bytes < sizeof( *header ) )
		return FAIL( gel_packSize, s, 0, header, "a section with several arrays has its inner header" );
	const gelPackArrayRule rules[4] = {
		{ sizeof( uint32_t ), coarse->nodeCount },
		{ sizeof( float ), 4 * (uint64_t)coarse->nodeCount },
		{ sizeof( uint32_t ), fine->nodeCount },
		{ sizeof( float ), 4 * (uint64_t)fine->nodeCount },
	};
	if ( !gelPack_IsZero( header->zero, sizeof( header->zero ) ) )
		return FAIL( gel_packValue, s, 0, header->zero, "reserved bytes of an inner header are 0" );
	if ( !gelPackChecker_CheckArrays( checker, s, sizeof( *header ), &header->coarseTets, rules, 4 ) )
		return false;
	gelPackMapView map = gelPack_GetLevelMap( checker->view, (uint32_t)s->key );
	return CheckPlaces( checker, s, map.coarseTets, map.coarseWeights, coarse->nodeCount, fine->tetCount ) &&
		CheckPlaces( checker, s, map.fineTets, map.fineWeights, fine->nodeCount, coarse->tetCount );
}

// What the game takes for granted: the same art, fewer tets, pins and attachment points here as there.
static bool CheckKinship(
	gelPackChecker* checker, const gelPackSection* s, const gelPackView* fine, const gelPackView* coarse )
{
	const gelPackHeader *a = fine->header, *b = coarse->header;
	if ( b->artVertexCount != a->artVertexCount || b->artTriangleCount != a->artTriangleCount ||
		memcmp( fine->triangles, coarse->triangles, a->artTriangleCount * sizeof( gelPackTriangle ) ) != 0 )
		return FAIL( gel_packStructure, s, 0, coarse->bytes, "all levels have the same art triangles" );
	if ( b->tetCount >= a->tetCount )
		return FAIL( gel_packStructure, s, 0, coarse->bytes, "a level has fewer tets than the one before" );
	uint32_t pinSets = gelPack_CountSections( fine, GEL_SECTION_PINS );
	if ( pinSets > 1 || gelPack_CountSections( coarse, GEL_SECTION_PINS ) != pinSets )
		return FAIL( gel_packStructure, s, 0, coarse->bytes,
			"a pack with levels has one pin set in each of them, or none in any" );
	bool isSame = fine->attachmentCount == coarse->attachmentCount;
	for ( uint32_t i = 0; i < fine->attachmentCount && isSame; ++i )
		isSame = strcmp( fine->attachments[i].name, coarse->attachments[i].name ) == 0;
	if ( !isSame )
		return FAIL( gel_packStructure, s, 0, coarse->bytes, "all levels have the same attachment points" );
	return true;
}

static bool OpenLevel( gelPackChecker* checker, const gelPackSection* s, void* scratch, size_t scratchBytes,
	uint32_t flags, gelPackView* out )
{
	gelPackFault fault;
	const uint8_t* bytes = gelPackView_Bytes( checker->view, s );
	gelPackCode code = gelPack_Open(
		bytes, (size_t)s->bytes, scratch, scratchBytes, flags | GEL_PACK_IS_LEVEL, out, &fault );
	if ( code == gel_packOk ) return true;
	return gelPackChecker_Fail( checker, code, s, fault.index, s->offset + fault.byteOffset, fault.text );
}

bool gelPackChecker_CheckLevels(
	gelPackChecker* checker, void* scratch, size_t scratchBytes, uint32_t flags, gelPackView* outLevels )
{
	gelPackView* view = checker->view;
	const uint32_t levelCount = gelPack_CountSections( view, GEL_SECTION_LODP );
	const uint32_t mapCount = gelPack_CountSections( view, GEL_SECTION_LMAP );
	if ( ( flags & GEL_PACK_IS_LEVEL ) != 0 && levelCount + mapCount > 0 )
	{
		const gelPackSection* s =
			gelPack_GetSection( view, levelCount > 0 ? GEL_SECTION_LODP : GEL_SECTION_LMAP, 0 );
		return gelPackChecker_Fail(
			checker, gel_packStructure, s, 0, s->offset, "a level has no levels of its own" );
	}
	if ( !CheckKeys( checker, levelCount ) ) return false;
	gelPackView places[2], *fine = view;
	for ( uint32_t i = 0; i < levelCount; ++i )
	{
		gelPackView* coarse = outLevels ? outLevels + i : places + i % 2;
		const gelPackSection* s = gelPack_FindSection( view, GEL_SECTION_LODP, (uint64_t)i + 1 );
		const gelPackSection* map = gelPack_FindSection( view, GEL_SECTION_LMAP, (uint64_t)i + 1 );
		if ( !OpenLevel( checker, s, scratch, scratchBytes, flags, coarse ) ||
			!CheckKinship( checker, s, fine, coarse ) ||
			!CheckMap( checker, map, fine->header, coarse->header ) )
			return false;
		fine = coarse;
	}
	view->levelCount = levelCount;
	return true;
}

gelPackMapView gelPack_GetLevelMap( const gelPackView* view, uint32_t level )
{
	const gelPackSection* section = gelPack_FindSection( view, GEL_SECTION_LMAP, level );
	const gelPackLevelMap* header = gelPackView_Bytes( view, section );
	return ( gelPackMapView ){
		.coarseTets = gelPackView_Array( view, section, header->coarseTets ),
		.coarseWeights = gelPackView_Array( view, section, header->coarseWeights ),
		.fineTets = gelPackView_Array( view, section, header->fineTets ),
		.fineWeights = gelPackView_Array( view, section, header->fineWeights ),
	};
}
