// SPDX-License-Identifier: MIT
// Constants of the tets in the layout of the inner loops.
#pragma once

#include "asset.h"

/// In gelAsset.sweepTets: a slot without a constraint.
#define GEL_NO_TET GEL_PACK_NO_TET

int gelCountElementBlocks( const gelPackView* pack );
int gelCountVolumeBlocks( const gelPackView* pack );

/// @param blocks gelCountElementBlocks of them, zeroed
void gelFillElementBlocks( const gelAsset* asset, gelElementBlock* blocks );

/// Needs restDets and maxVolumeMoves. @param sweepTets eight per block
void gelFillVolumeBlocks( const gelAsset* asset, uint32_t* sweepTets, gelVolumeBlock* blocks );

/// mu V of a tet [J].
static inline float gelGetMuVolume( const gelPackView* pack, uint32_t tet )
{
	const gelPackTetRest* rest = pack->tetRests + tet;
	return pack->materials[rest->material].mu * rest->volume;
}

/// lambda of a tet [Pa]; 0: volume costs nothing.
static inline float gelGetLambda( const gelPackView* pack, uint32_t tet )
{
	return pack->materials[pack->tetRests[tet].material].lambda;
}

/// 1 / (lambda V) [1/J]
static inline float gelGetInvLambdaVolume( const gelPackView* pack, uint32_t tet )
{
	return 1.0f / ( gelGetLambda( pack, tet ) * pack->tetRests[tet].volume );
}
