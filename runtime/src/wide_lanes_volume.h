// SPDX-License-Identifier: MIT
// Bodies of one asset, one per lane (lanes.h): the volume sweep. Per body the operations are those of
// wide_volume.h, in the same order.
#pragma once

#include "wide_lanes_corners.h"
#include "wide_volume_moves.h"

GEL_FORCE_INLINE void gelLaneVolumeSlotW(
	const gelLanes* lanes, const gelVolumeBlock* block, int lane, float invH2, float* kappa )
{
	gelCornerW corner[4];
	gelVec3W p[4], move[4];
	gelFloatW w[4];
	for ( int k = 0; k < 4; ++k )
	{
		corner[k] = gelFindCornerW( block->node[k] + lane, lanes->p );
		p[k] = gelLoadCornerW( corner[k] );
		w[k] = gelSplatW( lanes->invMasses[block->node[k][lane] / sizeof( gelVec4 )] );
	}
	gelVolumeConstantsW constants = { gelSplatW( block->restDet[lane] ), gelSplatW( block->invRestDet[lane] ),
		gelSplatW( invH2 * block->invLambdaVolume[lane] ), gelSplatW( block->maxMove[lane] ) };
	gelFloatW before = kappa ? gelLoadW( kappa ) : gelSplatW( 0.0f );
	gelFloatW dKappa = gelVolumeMovesW( &constants, gelSubVecW( p[1], p[0] ), gelSubVecW( p[2], p[0] ),
		gelSubVecW( p[3], p[0] ), w, kappa ? &before : NULL, move );
	if ( kappa ) gelStoreW( kappa, gelAddW( before, dKappa ) );
	// Positions are loaded again: registers are scarcer than loads.
	gelStoreCornerW( corner[0], gelSubVecW( p[0], move[0] ) );
	for ( int k = 1; k < 4; ++k )
		gelStoreCornerW( corner[k], gelAddVecW( gelLoadCornerW( corner[k] ), move[k] ) );
}

static void LaneVolume_W( const gelLanes* lanes, float* kappa )
{
	float invH2 = 1.0f / ( lanes->elasticStep * lanes->elasticStep );
	for ( int i = 0; i < lanes->blockCount && kappa == NULL; ++i )
	{
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
			gelLaneVolumeSlotW( lanes, lanes->volumes + i, lane, invH2, NULL );
	}
	for ( int i = 0; i < lanes->blockCount && kappa != NULL; ++i )
	{
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane, kappa += GEL_BODIES )
			gelLaneVolumeSlotW( lanes, lanes->volumes + i, lane, invH2, kappa );
	}
}
