// SPDX-License-Identifier: MIT
// Bodies of one asset, one per lane (lanes.h): the volume sweep. Per body the operations are those of
// wide_volume.h, in the same order.
#pragma once

#include "simd/wide_lanes.h"
#include "solvers/fast/wide_volume_moves.h"

// One slot under way.
typedef struct gelLaneVolumeW
{
	gelVolumeConstantsW constants;
	gelVolumeAreasW areas;
} gelLaneVolumeW;

GEL_FORCE_INLINE float gelGetInvMass( const gelLanes* lanes, const gelVolumeBlock* block, int lane, int k )
{
	return *(const float*)( (const char*)lanes->invMasses + block->node[k][lane] / 4 );
}

GEL_FORCE_INLINE gelLaneVolumeW gelBeginLaneVolumeW(
	const gelLanes* lanes, const gelVolumeBlock* block, int lane, float invH2 )
{
	gelVec3W p[4];
	gelFloatW w[4];
	float largest = 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		p[k] = gelLoadLanesW( gelFindCornerW( block->node[k][lane], lanes->p ) );
		float weight = gelGetInvMass( lanes, block, lane, k );
		w[k] = gelSplatW( weight );
		largest = weight > largest ? weight : largest;
	}
	gelLaneVolumeW slot = { .constants = { gelSplatW( block->restDet[lane] ),
								gelSplatW( invH2 * block->compliance[lane] ),
								gelSplatW( block->maxMove2[lane] ), gelSplatW( largest ) } };
	slot.areas = gelVolumeAreasOfW(
		&slot.constants, gelSubVecW( p[1], p[0] ), gelSubVecW( p[2], p[0] ), gelSubVecW( p[3], p[0] ), w );
	return slot;
}

GEL_FORCE_INLINE void gelEndLaneVolumeW(
	const gelLanes* lanes, const gelVolumeBlock* block, int lane, const gelLaneVolumeW* slot, gelFloatW s )
{
	for ( int k = 0; k < 4; ++k )
	{
		float* corner = gelFindCornerW( block->node[k][lane], lanes->p );
		gelVec3W at = gelLoadLanesW( corner );
		gelVec3W move = gelScaleVecW(
			gelMulW( gelSplatW( gelGetInvMass( lanes, block, lane, k ) ), s ), slot->areas.c[k] );
		gelStoreLanesW( corner, k == 0 ? gelSubVecW( at, move ) : gelAddVecW( at, move ) );
	}
}

// The slots of a block have no common node: one begins while the division of the one before it is under way.
GEL_FORCE_INLINE void gelLaneVolumeBlockW(
	const gelLanes* lanes, const gelVolumeBlock* block, float invH2, float* kappa )
{
	gelLaneVolumeW slot = gelBeginLaneVolumeW( lanes, block, 0, invH2 );
	for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
	{
		gelLaneVolumeW last = slot;
		gelFloatW before = kappa ? gelLoadW( kappa + GEL_LANES * lane ) : gelSplatW( 0.0f );
		gelFloatW s = gelVolumeStepW( &last.constants, &last.areas, kappa ? &before : NULL );
		if ( kappa ) gelStoreW( kappa + GEL_LANES * lane, gelAddW( before, s ) );
		if ( lane + 1 < GEL_BLOCK_LANES ) slot = gelBeginLaneVolumeW( lanes, block, lane + 1, invH2 );
		gelEndLaneVolumeW( lanes, block, lane, &last, s );
	}
}

static void LaneVolume_W( const gelLanes* lanes, float* kappa )
{
	float invH2 = 1.0f / ( lanes->elasticStep * lanes->elasticStep );
	for ( int i = 0; i < lanes->blockCount && kappa == NULL; ++i )
		gelLaneVolumeBlockW( lanes, lanes->volumes + i, invH2, NULL );
	for ( int i = 0; i < lanes->blockCount && kappa != NULL; ++i )
		gelLaneVolumeBlockW(
			lanes, lanes->volumes + i, invH2, kappa + GEL_LANES * GEL_BLOCK_LANES * (size_t)i );
}
