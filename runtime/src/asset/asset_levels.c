// SPDX-License-Identifier: MIT
// Levels of detail of an asset: coarser packs inside of its pack, each an asset like any other.
#include "asset/asset.h"

_Static_assert( GEL_MAX_LEVELS == GEL_PACK_MAX_LEVELS + 1, "the pack itself is level 0" );

bool gelAsset_MakeLevels( gelAsset* root, const gelPackView* levels )
{
	GEL_ASSERT( root->root == root && root->level == 0 && root->pack.levelCount < GEL_MAX_LEVELS );
	for ( uint32_t i = 0; i < root->pack.levelCount; ++i )
	{
		gelAsset* asset = gelMakeAsset( levels + i, &root->allocator );
		if ( asset == NULL ) return false;
		asset->root = root;
		asset->level = (int)i + 1;
		root->maps[i + 1] = gelPack_GetLevelMap( &root->pack, i + 1 );
		root->levels[i + 1] = asset;
		root->levelCount = (int)i + 2;
	}
	return true;
}

int gelAsset_GetLevelCount( const gelAsset* asset )
{
	return asset ? asset->root->levelCount : 0;
}

const gelAsset* gelAsset_GetLevel( const gelAsset* asset, int level )
{
	if ( asset == NULL || level < 0 || level >= asset->root->levelCount ) return NULL;
	return asset->root->levels[level];
}
