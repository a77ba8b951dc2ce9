// SPDX-License-Identifier: MIT
#include "asset/support_lists.h"

#include "core/core.h"

static uint32_t RoundUp( uint32_t count )
{
	return ( count + GEL_PACK_LANES - 1 ) & ~( GEL_PACK_LANES - 1 );
}

// Slots of a cell: those of its patches stand one behind another, with padding that is never marked.
static uint32_t GetEnd( const gelPackView* pack, const gelPackCell* cell )
{
	const gelPackPatch* last = pack->patches + cell->patchFirst + cell->patchCount - 1;
	return last->vertexFirst + last->vertexCount;
}

static uint32_t CountMarks( const gelPackView* pack, const gelPackCell* cell )
{
	uint32_t count = 0, end = GetEnd( pack, cell );
	for ( uint32_t slot = pack->patches[cell->patchFirst].vertexFirst; slot < end; ++slot )
		count += gelSupports_Has( &pack->supports, slot );
	return count;
}

size_t gelCountSupportEntries( const gelPackView* pack )
{
	if ( pack->supports.header == NULL ) return 0;
	size_t count = 0;
	for ( uint32_t i = 0; i < pack->header->cdgTetCount; ++i )
		count += RoundUp( CountMarks( pack, pack->cells + i ) );
	return count;
}

static void PutEntry( const gelPackView* pack, gelSupportLists* lists, uint32_t entry, uint32_t slot )
{
	lists->slots[entry] = slot;
	if ( lists->fixed != NULL )
	{
		lists->fixed[entry] = pack->cdg.fixedWeights[slot];
		return;
	}
	float w[4], *block = lists->floats + 4u * (size_t)( entry & ~( GEL_PACK_LANES - 1u ) );
	gelCdg_GetWeights( &pack->cdg, slot, w );
	for ( uint32_t k = 0; k < 4; ++k )
		block[GEL_PACK_LANES * k + ( entry & ( GEL_PACK_LANES - 1u ) )] = w[k];
}

void gelFillSupportLists( const gelPackView* pack, gelSupportLists* lists )
{
	if ( lists->first == NULL ) return;
	GEL_ASSERT( pack->supports.header != NULL && ( lists->fixed != NULL ) != ( lists->floats != NULL ) );
	uint32_t entry = 0;
	for ( uint32_t i = 0; i < pack->header->cdgTetCount; ++i )
	{
		const gelPackCell* cell = pack->cells + i;
		uint32_t end = GetEnd( pack, cell ), last = 0;
		lists->first[i] = entry;
		for ( uint32_t slot = pack->patches[cell->patchFirst].vertexFirst; slot < end; ++slot )
		{
			if ( !gelSupports_Has( &pack->supports, slot ) ) continue;
			PutEntry( pack, lists, entry++, slot );
			last = slot;
		}
		while ( entry % GEL_PACK_LANES != 0 )
			PutEntry( pack, lists, entry++, last );
	}
	lists->first[pack->header->cdgTetCount] = entry;
}
