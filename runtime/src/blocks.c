// SPDX-License-Identifier: MIT
// Constants of the tets in the order and layout of the inner loops (kernels.h), laid out once when an asset
// is loaded. The bake decides the order: that of TETS for the element loop, that of VBAT for the volume
// sweep.
#include "blocks.h"

#include "volume.h"

#include <string.h>

int gelCountElementBlocks( const gelPackView* pack )
{
	return (int)( ( pack->header->tetCount + GEL_BLOCK_LANES - 1 ) / GEL_BLOCK_LANES );
}

int gelCountVolumeBlocks( const gelPackView* pack )
{
	if ( pack->volumeBatches ) return (int)( pack->volumeBatchCount / GEL_BLOCK_LANES );
	uint32_t count = 0;
	for ( uint32_t c = 0; c < pack->colorCount; ++c )
		count += ( pack->colorFirst[c + 1] - pack->colorFirst[c] + GEL_BLOCK_LANES - 1 ) / GEL_BLOCK_LANES;
	return (int)count;
}

static void FillElementLane( const gelAsset* asset, uint32_t tet, gelElementBlock* block, int lane )
{
	const gelPackView* pack = &asset->pack;
	const gelPackTetRest* rest = pack->tetRests + tet;
	for ( int k = 0; k < 4; ++k )
		block->node[k][lane] = pack->tets[tet].node[k];
	for ( int k = 0; k < 9; ++k )
		block->gradient[k][lane] = rest->invDm[k];
	block->muVolume[lane] = gelGetMuVolume( pack, tet );
}

void gelFillElementBlocks( const gelAsset* asset, gelElementBlock* blocks )
{
	int laneCount = GEL_BLOCK_LANES * gelCountElementBlocks( &asset->pack );
	for ( int i = 0; i < laneCount; ++i )
	{
		gelElementBlock* block = blocks + i / GEL_BLOCK_LANES;
		int lane = i % GEL_BLOCK_LANES;
		if ( i < asset->tetCount )
		{
			FillElementLane( asset, (uint32_t)i, block, lane );
			continue;
		}
		for ( int k = 0; k < 4; ++k )
			block->node[k][lane] = (uint32_t)asset->nodeCount; // all else stays zero
	}
}

// Tets of the sweep in slots of eight; GEL_NO_TET: nothing there.
static void ListSweep( const gelPackView* pack, uint32_t* sweepTets )
{
	if ( pack->volumeBatches )
	{
		memcpy( sweepTets, pack->volumeBatches, pack->volumeBatchCount * sizeof( uint32_t ) );
		return;
	}
	size_t slot = 0;
	for ( uint32_t c = 0; c < pack->colorCount; ++c )
	{
		for ( uint32_t i = pack->colorFirst[c]; i < pack->colorFirst[c + 1]; ++i )
			sweepTets[slot++] = pack->colorTets[i];
		while ( slot % GEL_BLOCK_LANES != 0 )
			sweepTets[slot++] = GEL_NO_TET;
	}
}

static void FillVolumeLane( const gelAsset* asset, uint32_t tet, gelVolumeBlock* block, int lane )
{
	for ( int k = 0; k < 4; ++k )
		block->node[k][lane] = asset->pack.tets[tet].node[k];
	block->restDet[lane] = asset->restDets[tet];
	block->invRestDet[lane] = 1.0f / asset->restDets[tet];
	block->invLambdaVolume[lane] = gelGetInvLambdaVolume( &asset->pack, tet );
	block->maxMove[lane] = asset->maxVolumeMoves[tet];
}

// No volume error, no gradient, no move.
static void FillInertLane( const gelAsset* asset, gelVolumeBlock* block, int lane )
{
	for ( int k = 0; k < 4; ++k )
		block->node[k][lane] = (uint32_t)asset->nodeCount;
	block->restDet[lane] = 0.0f;
	block->invRestDet[lane] = block->invLambdaVolume[lane] = block->maxMove[lane] = 1.0f;
}

void gelFillVolumeBlocks( const gelAsset* asset, uint32_t* sweepTets, gelVolumeBlock* blocks )
{
	int slotCount = GEL_BLOCK_LANES * gelCountVolumeBlocks( &asset->pack );
	ListSweep( &asset->pack, sweepTets );
	for ( int i = 0; i < slotCount; ++i )
	{
		uint32_t t = sweepTets[i];
		if ( t != GEL_NO_TET && gelGetLambda( &asset->pack, t ) <= 0.0f ) t = sweepTets[i] = GEL_NO_TET;
		if ( t != GEL_NO_TET )
			FillVolumeLane( asset, t, blocks + i / GEL_BLOCK_LANES, i % GEL_BLOCK_LANES );
		else
			FillInertLane( asset, blocks + i / GEL_BLOCK_LANES, i % GEL_BLOCK_LANES );
	}
}
