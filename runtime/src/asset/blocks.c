// SPDX-License-Identifier: MIT
// Constants of the tets in the order and layout of the inner loops (tet_blocks.h), laid out once when an
// asset is loaded. The bake decides the order (VBAT).
#include "asset/blocks.h"

#include <string.h>

int gelCountBlocks( const gelPackView* pack )
{
	if ( pack->volumeBatches ) return (int)( pack->volumeBatchCount / GEL_BLOCK_LANES );
	uint32_t count = 0;
	for ( uint32_t c = 0; c < pack->colorCount; ++c )
		count += ( pack->colorFirst[c + 1] - pack->colorFirst[c] + GEL_BLOCK_LANES - 1 ) / GEL_BLOCK_LANES;
	return (int)count;
}

// Without VBAT the colors are cut into blocks.
static void ListTets( const gelPackView* pack, uint32_t* slotTets )
{
	GEL_ASSERT( slotTets != NULL );
	if ( pack->volumeBatches )
	{
		memcpy( slotTets, pack->volumeBatches, pack->volumeBatchCount * sizeof( uint32_t ) );
		return;
	}
	size_t slot = 0;
	for ( uint32_t c = 0; c < pack->colorCount; ++c )
	{
		for ( uint32_t i = pack->colorFirst[c]; i < pack->colorFirst[c + 1]; ++i )
			slotTets[slot++] = pack->colorTets[i];
		while ( slot % GEL_BLOCK_LANES != 0 )
			slotTets[slot++] = GEL_NO_TET;
	}
}

// An empty slot has no stiffness; the rest stays zero.
static void FillElementLane( const gelAsset* asset, uint32_t tet, gelElementBlock* block, int lane )
{
	GEL_ASSERT( tet == GEL_NO_TET || tet < (uint32_t)asset->tetCount );
	GEL_ASSERT( lane >= 0 && lane < GEL_BLOCK_LANES );
	const gelPackView* pack = &asset->pack;
	uint32_t padding = (uint32_t)( sizeof( gelVec4 ) * (size_t)asset->nodeCount );
	for ( int k = 0; k < 4; ++k )
		block->node[k][lane] = tet == GEL_NO_TET ? padding : 16 * pack->tets[tet].node[k];
	if ( tet == GEL_NO_TET ) return;
	for ( int k = 0; k < 9; ++k )
		block->gradient[k][lane] = pack->tetRests[tet].invDm[k];
	block->muVolume[lane] = gelGetMuVolume( pack, tet );
}

// An empty slot has no volume error, no gradient and no move.
static void FillVolumeLane( const gelAsset* asset, uint32_t tet, gelVolumeBlock* block, int lane )
{
	GEL_ASSERT( lane >= 0 && lane < GEL_BLOCK_LANES );
	const gelPackView* pack = &asset->pack;
	uint32_t padding = (uint32_t)( sizeof( gelVec4 ) * (size_t)asset->nodeCount );
	bool isInert = tet == GEL_NO_TET;
	for ( int k = 0; k < 4; ++k )
		block->node[k][lane] = isInert ? padding : 16 * pack->tets[tet].node[k];
	block->restDet[lane] = isInert ? 0.0f : asset->restDets[tet];
	block->compliance[lane] = isInert ? 1.0f : gelGetVolumeCompliance( asset, tet );
	block->maxMove2[lane] = isInert ? 1.0f : asset->maxVolumeMoves[tet] * asset->maxVolumeMoves[tet];
}

void gelFillBlocks( gelAsset* asset )
{
	GEL_ASSERT( asset->blockCount == gelCountBlocks( &asset->pack ) );
	ListTets( &asset->pack, asset->slotTets );
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		int block = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
		FillElementLane( asset, asset->slotTets[slot], asset->elements + block, lane );
		FillVolumeLane( asset, asset->slotTets[slot], asset->volumes + block, lane );
		uint32_t t = asset->slotTets[slot];
		if ( t != GEL_NO_TET )
			asset->lambdaVolumes[slot] =
				gelMaxFloat( gelGetLambda( &asset->pack, t ), 0.0f ) * asset->pack.tetRests[t].volume;
	}
}

gelMat3 gelGetSlotDeformation( const gelElementBlock* block, int lane, const gelVec4* u )
{
	gelVec3 u0 = gelGetNodeAt( u, block->node[0][lane] );
	gelVec3 uk[3], g[3];
	for ( int k = 0; k < 3; ++k )
	{
		uk[k] = gelSub( gelGetNodeAt( u, block->node[k + 1][lane] ), u0 );
		g[k] = gelGetLaneVector( block->gradient, k, lane );
	}
	return gelMakeDeformation( uk, g );
}

void gelAddCornerForces( const gelElementBlock* block, int lane, const gelVec3 forces[3], gelVec4* sums )
{
	gelVec3 corner[4] = { gelNeg( gelAdd( gelAdd( forces[0], forces[1] ), forces[2] ) ), forces[0], forces[1],
		forces[2] };
	for ( int k = 0; k < 4; ++k )
		gelAddToNodeAt( sums, block->node[k][lane], corner[k] );
}
