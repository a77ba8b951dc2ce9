// SPDX-License-Identifier: MIT
// Sections of the warp-cancelling solver.
//
// Two sections: UPDT is the tree, one per pin set and the same for all step lengths; WFAC is the factor at
// rest, one per pin set and step. WFAC is what the runtime itself computes at rest, so the bake lets the
// runtime do it: a pack without WFAC is written, opened, and written again with it. There is one
// implementation of the kernels then, and their bits are those of the game.
#include "bake/factor/warp_bake.h"

#include "common/program/memory.h"
#include "pack/pack_read.h"
#include "pack/pack_write.h"

#include <gelpack/asserts.h>
#include <gelpack/warp.h>
#include <gelpack/gelpack.h>

#include <string.h>

bool gelBuildWarp( gelBakeData* data, gelFindings* findings )
{
	const gelBakeSettings* settings = data->settings;
	if ( !settings->hasWarp || settings->isStatic ) return true;
	data->warpCount = settings->pinSetCount + 1;
	data->warps = gelBakePool_Alloc( &data->pool, (size_t)data->warpCount, sizeof( gelBakeWarp ) );
	for ( int p = 0; p < data->warpCount; ++p )
	{
		// Any step length will do: the pattern of a factor does not depend on it.
		const gelBakeFactor* panels = data->factors + p * settings->stepCount;
		data->warps[p].pinSetId = panels->pinSetId;
		gelWarpTree* tree = gelBakePool_Alloc( &data->pool, 1, sizeof( gelWarpTree ) );
		data->warps[p].tree = tree;
		bool fits = gelBuildWarpTree(
			panels, data->cage.tets, data->cage.tetCount, data->cage.nodeCount, &data->pool, tree );
		gelWarpSizes sizes = gelGetWarpSizes( tree );
		if ( fits && sizes.panels < GEL_PACK_MAX_VALUES && sizes.updates < GEL_PACK_MAX_VALUES ) continue;
		gelFindings_Add( findings, gel_findingFormatLimit, data->cage.file,
			"a front of the warp-cancelling solver has more than 65534 nodes; use a coarser cage, or bake "
			"without --warp" );
		return false;
	}
	return true;
}

// One step length.
static gelResult FactorAtRest(
	const gelAsset* asset, gelBakeWarp* warp, int index, double step, gelBakePool* pool )
{
	GEL_ASSERT( index >= 0 && step > 0.0 );
	gelWarpSizes sizes = gelGetWarpSizes( warp->tree );
	float* panels = gelBakePool_Alloc( pool, (size_t)sizes.panels, sizeof( float ) );
	float* updates = gelBakePool_Alloc( pool, (size_t)sizes.updates + 1, sizeof( float ) );
	float* tiles = gelBakePool_Alloc( pool, (size_t)sizes.tiles, sizeof( float ) );
	warp->panels[index] = panels;
	warp->updates[index] = updates;
	warp->tiles[index] = tiles;
	return gelAsset_MakeWarpFactor( asset, (float)step, warp->pinSetId, panels, updates, tiles );
}

bool gelFactorWarpAtRest( gelBakeData* data, const uint8_t* bytes, size_t byteCount, gelFindings* findings )
{
	const gelBakeSettings* settings = data->settings;
	size_t count = (size_t)settings->stepCount;
	gelAsset* asset = NULL;
	if ( data->warpCount == 0 ) return true;
	gelResult result = gelOpenAsset( bytes, byteCount, NULL, &asset, NULL );
	for ( int p = 0; p < data->warpCount && result == gel_success; ++p )
	{
		gelBakeWarp* warp = data->warps + p;
		warp->panels = gelBakePool_Alloc( &data->pool, count, sizeof( float* ) );
		warp->updates = gelBakePool_Alloc( &data->pool, count, sizeof( float* ) );
		warp->tiles = gelBakePool_Alloc( &data->pool, count, sizeof( float* ) );
		for ( int s = 0; s < settings->stepCount && result == gel_success; ++s )
			result = FactorAtRest( asset, warp, s, settings->steps[s], &data->pool );
	}
	gelDestroyAsset( asset );
	if ( result == gel_errorMemory ) gelExitWithoutMemory( byteCount, "use a coarser cage" );
	if ( result != gel_success )
		gelFindings_Add(
			findings, gel_findingInternal, NULL, "the factor of the warp-cancelling solver failed" );
	return result == gel_success;
}

static void AddFactors( gelPackWriter* writer, const gelBakeWarp* warp, const gelBakeSettings* settings )
{
	gelWarpSizes sizes = gelGetWarpSizes( warp->tree );
	for ( int i = 0; i < settings->stepCount && warp->panels != NULL; ++i )
	{
		double step = (double)(float)settings->steps[i];
		gelPackWarpFactor header = {
			.solverKind = GEL_FACTOR_WARP, .blockSize = 3, .pinSetId = warp->pinSetId
		};
		memcpy( &header.stepBits, &step, sizeof( step ) );
		const gelPackInnerArray arrays[] = {
			{ warp->panels[i], (uint32_t)sizes.panels, sizeof( float ) },
			{ warp->updates[i], (uint32_t)sizes.updates, sizeof( float ) },
			{ warp->tiles[i], (uint32_t)sizes.tiles, sizeof( float ) },
		};
		uint64_t key = gelPack_FactorKey( GEL_FACTOR_WARP, step, warp->pinSetId );
		gelPackWriter_AddBlob( writer, GEL_SECTION_WFAC, key, 0, &header, sizeof( header ),
			offsetof( gelPackWarpFactor, panels ), arrays, 3 );
	}
}

static void AddTree( gelPackWriter* writer, const gelBakeWarp* warp )
{
	const gelWarpTree* tree = warp->tree;
	gelPackWarp header = { .pinSetId = warp->pinSetId, .n = tree->n, .superCount = tree->superCount };
	uint32_t count = tree->superCount, tets = tree->tetFirst[count], rows = tree->rowFirst[count];
	const gelPackInnerArray arrays[] = {
		{ tree->perm, tree->n, sizeof( uint32_t ) },
		{ tree->superFirst, count + 1, sizeof( uint32_t ) },
		{ tree->rowFirst, count + 1, sizeof( uint32_t ) },
		{ tree->rows, rows, sizeof( uint32_t ) },
		{ tree->places, rows, sizeof( uint32_t ) },
		{ tree->parents, count, sizeof( uint32_t ) },
		{ tree->tetFirst, count + 1, sizeof( uint32_t ) },
		{ tree->tets, tets, sizeof( uint32_t ) },
		{ tree->corners, 4 * tets, sizeof( uint16_t ) },
		{ tree->costs, count, sizeof( uint64_t ) },
	};
	gelPackWriter_AddBlob( writer, GEL_SECTION_UPDT, warp->pinSetId, 0, &header, sizeof( header ),
		offsetof( gelPackWarp, perm ), arrays, 10 );
}

void gelAddWarpSections( gelPackWriter* writer, const gelBakeData* data )
{
	for ( int i = 0; i < data->warpCount; ++i )
	{
		AddTree( writer, data->warps + i );
		AddFactors( writer, data->warps + i, data->settings );
	}
}

void gelReportWarp( const gelBakeData* data, gelReport* report )
{
	if ( data->warpCount == 0 ) return;
	const gelWarpTree* tree = data->warps[0].tree;
	gelWarpSizes sizes = gelGetWarpSizes( tree );
	double operations = 0.0;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
		operations += (double)tree->costs[s];
	gelReport_SetInt( report, "counts.warp_supernodes", tree->superCount );
	gelReport_SetReal( report, "quality.warp_operations", operations );
	gelReport_SetInt(
		report, "counts.warp_body_bytes", (int64_t)( 4 * ( sizes.panels + sizes.updates + sizes.tiles ) ) );
}
