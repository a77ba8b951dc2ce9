// SPDX-License-Identifier: MIT
#include "contact/detect/support_points.h"

#include "gelpack/asserts.h"

#include <math.h>

// ---- scalar twins of the kernels -------------------------------------------------------------------------

gelSupportPoint gelSupportRun_Get( const gelSupportRun* run, uint32_t index, const float h[4] )
{
	GEL_ASSERT( index < run->count );
	gelSupportPoint p = { .slot = run->slots != NULL ? run->slots[index] : run->firstSlot + index };
	const gelCdgView weights = { .fixedWeights = run->fixed, .floatWeights = run->floats };
	gelCdg_GetWeights( &weights, index, p.w );
	p.height = p.w[0] * h[0];
	for ( int k = 1; k < 4; ++k )
		p.height += p.w[k] * h[k];
	return p;
}

void gelFindLowest_Ref( const gelSupportRun* run, const float h[4], gelSupportPoint* best )
{
	for ( uint32_t i = 0; i < run->count; ++i )
	{
		gelSupportPoint p = gelSupportRun_Get( run, i, h );
		if ( p.height < best->height ) *best = p;
	}
}

int gelScan_Ref(
	const gelSupportRun* run, const float h[4], float below, gelSupportPoint* out, int capacity, int count )
{
	for ( uint32_t i = 0; i < run->count; ++i )
	{
		gelSupportPoint p = gelSupportRun_Get( run, i, h );
		if ( !( p.height < below ) ) continue;
		if ( count < capacity ) out[count] = p;
		++count;
	}
	return count;
}

static const gelSupportKernels s_scalar = { gelFindLowest_Ref, gelScan_Ref };

// ---- runs of a cell --------------------------------------------------------------------------------------

// One list, or without it, one run per patch.
static uint32_t CountRuns( const gelAsset* asset, uint32_t cell )
{
	GEL_ASSERT( asset->pack.cells != NULL && cell < asset->pack.header->cdgTetCount );
	return asset->supports.first != NULL ? 1 : asset->pack.cells[cell].patchCount;
}

static gelSupportRun GetRun( const gelAsset* asset, uint32_t cell, uint32_t index )
{
	const gelSupportLists* lists = &asset->supports;
	gelSupportRun run = { 0 };
	size_t first;
	if ( lists->first != NULL )
	{
		first = lists->first[cell];
		run.count = gelSupportLists_GetCount( lists, cell );
		run.slots = lists->slots + first;
		run.fixed = lists->fixed != NULL ? lists->fixed + first : NULL;
		run.floats = lists->floats != NULL ? lists->floats + 4 * first : NULL;
		return run;
	}
	const gelCdgView* cdg = &asset->pack.cdg;
	const gelPackPatch* patch = asset->pack.patches + asset->pack.cells[cell].patchFirst + index;
	first = patch->vertexFirst;
	run.count = patch->vertexCount;
	run.firstSlot = patch->vertexFirst;
	run.fixed = cdg->fixedWeights != NULL ? cdg->fixedWeights + first : NULL;
	run.floats = cdg->floatWeights != NULL ? cdg->floatWeights + 4 * first : NULL;
	return run;
}

gelSupportPoint gelFindLowestSupport(
	const gelSupportKernels* kernels, const gelAsset* asset, uint32_t cell, const float h[4] )
{
	const gelSupportKernels* k = kernels != NULL ? kernels : &s_scalar;
	gelSupportPoint best = { .height = INFINITY };
	const uint32_t runCount = CountRuns( asset, cell );
	for ( uint32_t i = 0; i < runCount; ++i )
	{
		gelSupportRun run = GetRun( asset, cell, i );
		k->findLowest( &run, h, &best );
	}
	if ( best.height < INFINITY ) return best;
	gelSupportRun first = GetRun( asset, cell, 0 );
	return gelSupportRun_Get( &first, 0, h );
}

int gelScanSupport( const gelSupportKernels* kernels, const gelAsset* asset, uint32_t cell, const float h[4],
	float below, gelSupportPoint* out, int capacity )
{
	GEL_ASSERT( capacity >= 0 && ( capacity == 0 || out != NULL ) );
	const gelSupportKernels* k = kernels != NULL ? kernels : &s_scalar;
	const uint32_t runCount = CountRuns( asset, cell );
	int count = 0;
	for ( uint32_t i = 0; i < runCount; ++i )
	{
		gelSupportRun run = GetRun( asset, cell, i );
		count = k->scan( &run, h, below, out, capacity, count );
	}
	return count;
}
