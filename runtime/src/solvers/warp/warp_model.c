// SPDX-License-Identifier: MIT
#include "solvers/warp/warp_model.h"

#include "asset/asset.h"
#include "solvers/warp/warp_body.h"

static void* LayOut( gelArena* arena, const gelPackView* view )
{
	uint32_t count = gelPack_CountSections( view, GEL_SECTION_UPDT );
	gelWarpModel* models = gelArena_Take( arena, count, sizeof( gelWarpModel ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		gelWarpTree tree = gelPack_GetWarpTree( view, gelPack_GetSection( view, GEL_SECTION_UPDT, i ) );
		size_t offsets = (size_t)tree.superCount + 1;
		tree.panelFirst = gelArena_Take( arena, offsets, sizeof( uint64_t ) );
		tree.updateFirst = gelArena_Take( arena, offsets, sizeof( uint64_t ) );
		tree.tileFirst = gelArena_Take( arena, offsets, sizeof( uint32_t ) );
		tree.childFirst = gelArena_Take( arena, offsets, sizeof( uint32_t ) );
		tree.children = gelArena_Take( arena, offsets, sizeof( uint32_t ) );
		tree.heightFirst = gelArena_Take( arena, offsets, sizeof( uint32_t ) );
		tree.byHeight = gelArena_Take( arena, offsets, sizeof( uint32_t ) );
		tree.heights = gelArena_Take( arena, offsets, sizeof( uint32_t ) );
		if ( models ) models[i].tree = tree;
	}
	return models;
}

static void Fill( void* model, const gelPackView* view )
{
	gelWarpModel* models = model;
	for ( uint32_t i = 0; i < gelPack_CountSections( view, GEL_SECTION_UPDT ); ++i )
	{
		models[i].pinSetId = gelPack_GetSection( view, GEL_SECTION_UPDT, i )->key;
		gelWarpTree_Complete( &models[i].tree );
	}
}

const gelAssetModel gel_warpAssetModel = { LayOut, Fill };

const gelWarpTree* gelAsset_FindWarpTree( const gelAsset* asset, uint64_t pinSetId )
{
	const gelWarpModel* models = asset->models[gel_solverWarpCancelling];
	for ( uint32_t i = 0; i < gelPack_CountSections( &asset->pack, GEL_SECTION_UPDT ); ++i )
	{
		if ( models[i].pinSetId == pinSetId ) return &models[i].tree;
	}
	return NULL;
}
