// SPDX-License-Identifier: MIT
// Rules of the order of the cage. VBAT: every tet once, batches of eight without common nodes. NSRC and TSRC:
// permutations.
#include "pack/pack_validate.h"

#include "gelpack/asserts.h"

#include <string.h>

static bool CheckBatch(
	gelPackChecker* checker, const gelPackSection* s, const uint32_t* slots, uint32_t first, uint8_t* seen )
{
	GEL_ASSERT( first % 8 == 0 );
	const gelPackView* view = checker->view;
	uint32_t tetCount = view->header->tetCount;
	for ( uint32_t i = first; i < first + GEL_PACK_LANES; ++i )
	{
		if ( slots[i] == GEL_PACK_NO_TET ) continue;
		if ( slots[i] >= tetCount )
		{
			return gelPackChecker_FailAt(
				checker, gel_packIndex, s, i, slots + i, "the slots of a batch are tets or empty" );
		}
		if ( gelTestAndSetBit( seen, slots[i] ) )
		{
			return gelPackChecker_FailAt(
				checker, gel_packStructure, s, i, slots + i, "every tet is in one batch" );
		}
		const uint32_t* a = view->tets[slots[i]].node;
		for ( uint32_t j = first; j < i; ++j )
		{
			if ( slots[j] == GEL_PACK_NO_TET ) continue;
			const uint32_t* b = view->tets[slots[j]].node;
			for ( int k = 0; k < 16; ++k )
			{
				if ( a[k / 4] != b[k % 4] ) continue;
				return gelPackChecker_FailAt(
					checker, gel_packStructure, s, i, slots + i, "tets of one batch share no node" );
			}
		}
	}
	return true;
}

bool gelPackChecker_CheckBatches( gelPackChecker* checker )
{
	gelPackView* view = checker->view;
	const gelPackSection* s = gelPack_FindSection( view, GEL_SECTION_VBAT, 0 );
	if ( s == NULL ) return true;
	const uint32_t* slots = gelPackView_Bytes( view, s );
	uint32_t tetCount = view->header->tetCount;
	if ( s->count == 0 || s->count % GEL_PACK_LANES != 0 || s->count / GEL_PACK_LANES > tetCount )
	{
		return gelPackChecker_FailAt( checker, gel_packSize, s, 0, slots,
			"batches have 8 slots each, and there are no more than tets" );
	}
	uint8_t* seen = checker->scratch;
	memset( seen, 0, tetCount / 8 + 1 );
	uint32_t used = 0;
	for ( uint32_t first = 0; first < s->count; first += GEL_PACK_LANES )
	{
		if ( !CheckBatch( checker, s, slots, first, seen ) ) return false;
		for ( uint32_t i = first; i < first + GEL_PACK_LANES; ++i )
			used += slots[i] != GEL_PACK_NO_TET;
	}
	if ( used != tetCount )
	{
		return gelPackChecker_FailAt(
			checker, gel_packStructure, s, used, slots, "every tet is in one batch" );
	}
	view->volumeBatches = slots;
	view->volumeBatchCount = s->count;
	return true;
}

// @return false: refused; *out stays NULL when there is no such section
static bool CheckPermutation( gelPackChecker* checker, uint32_t fourcc, uint32_t count, const uint32_t** out )
{
	const gelPackSection* s = gelPack_FindSection( checker->view, fourcc, 0 );
	if ( s == NULL ) return true;
	const uint32_t* sources = gelPackView_Bytes( checker->view, s );
	if ( s->count != count )
	{
		return gelPackChecker_FailAt(
			checker, gel_packSize, s, 0, sources, "there is one source for each node and tet" );
	}
	uint8_t* seen = checker->scratch;
	memset( seen, 0, count / 8 + 1 );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( sources[i] >= count )
		{
			return gelPackChecker_FailAt(
				checker, gel_packIndex, s, i, sources + i, "sources are below the number of nodes and tets" );
		}
		if ( gelTestAndSetBit( seen, sources[i] ) )
		{
			return gelPackChecker_FailAt(
				checker, gel_packStructure, s, i, sources + i, "every source is there once" );
		}
	}
	*out = sources;
	return true;
}

bool gelPackChecker_CheckSources( gelPackChecker* checker )
{
	gelPackView* view = checker->view;
	return CheckPermutation( checker, GEL_SECTION_NSRC, view->header->nodeCount, &view->nodeSources ) &&
		CheckPermutation( checker, GEL_SECTION_TSRC, view->header->tetCount, &view->tetSources );
}
