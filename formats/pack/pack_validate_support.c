// SPDX-License-Identifier: MIT
// Vertices that can be the lowest of their cell (SUPP, formats/pack.md section 10). Whether all of those are
// marked is for gel-inspect --verify: a mark that is missing gives wrong contacts, but no fault.
#include "pack/pack_validate.h"

#include "gelpack/asserts.h"

#define FAIL( code, index, element, text )                                                                   \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

static bool CheckHeader( gelPackChecker* checker, const gelPackSection* section, gelSupportView* out )
{
	const gelPackView* view = checker->view;
	const gelPackSupports* header = gelPackView_Bytes( view, section );
	if ( section->bytes < sizeof( *header ) )
		return FAIL( gel_packSize, 0, header, "a section with inner arrays holds its inner header" );
	if ( header->zero0 != 0 || !gelPack_IsZero( header->zero, sizeof( header->zero ) ) )
		return FAIL( gel_packValue, 0, header->zero, "reserved bytes of an inner header are 0" );
	if ( !( header->slack >= 0.0f && header->slack <= GEL_SUPPORT_MAX_SLACK ) )
		return FAIL( gel_packValue, 0, header, "the slack of supports is between 0 and 1/16" );
	const gelPackArrayRule rule = { sizeof( uint32_t ), ( view->header->cdgVertexCount + 31u ) / 32u };
	if ( !gelPackChecker_CheckArrays( checker, section, sizeof( *header ), &header->bits, &rule, 1 ) )
		return false;
	*out = ( gelSupportView ){ header, gelPackView_Array( view, section, header->bits ) };
	return true;
}

static bool CheckCell(
	gelPackChecker* checker, const gelPackSection* section, const gelSupportView* s, uint32_t index )
{
	GEL_ASSERT( index < checker->view->header->cdgTetCount );
	const gelPackCell* cell = checker->view->cells + index;
	bool hasAny = false;
	for ( uint32_t p = cell->patchFirst; p < cell->patchFirst + cell->patchCount; ++p )
	{
		const gelPackPatch* patch = checker->view->patches + p;
		const uint32_t end = patch->vertexFirst + patch->vertexCount;
		for ( uint32_t slot = patch->vertexFirst; slot < end; ++slot )
			hasAny = hasAny || gelSupports_Has( s, slot );
		for ( uint32_t slot = end; slot % GEL_PACK_LANES != 0; ++slot )
		{
			if ( gelSupports_Has( s, slot ) )
				return FAIL( gel_packIndex, slot, s->bits + slot / 32, "supports are vertices, not padding" );
		}
	}
	if ( !hasAny ) return FAIL( gel_packStructure, index, s->bits, "every cell has a support" );
	return true;
}

bool gelPackChecker_CheckSupports( gelPackChecker* checker )
{
	gelPackView* view = checker->view;
	const gelPackSection* section = gelPack_FindSection( view, GEL_SECTION_SUPP, 0 );
	if ( section == NULL ) return true;
	gelSupportView supports;
	if ( view->cells == NULL )
	{
		return gelPackChecker_Fail( checker, gel_packMissingSection, section, 0, section->offset,
			"SUPP stands beside the sections of collision geometry" );
	}
	if ( !CheckHeader( checker, section, &supports ) ) return false;
	for ( uint32_t i = 0; i < view->header->cdgTetCount; ++i )
	{
		if ( !CheckCell( checker, section, &supports, i ) ) return false;
	}
	const uint32_t slotCount = view->header->cdgVertexCount, rest = slotCount & 31u;
	if ( rest != 0 && supports.bits[slotCount / 32] >> rest != 0 )
	{
		return FAIL( gel_packValue, slotCount, supports.bits + slotCount / 32,
			"bits behind the last slot of supports are 0" );
	}
	view->supports = supports;
	return true;
}
