// SPDX-License-Identifier: MIT
// Bodies of one asset, one per lane (lanes.h): the element loop. Per body the operations are those of
// wide_elements.h, in the same order.
#pragma once

#include "wide_elements.h"
#include "wide_lanes_corners.h"

// Bits of bodies out of bits of lanes.
GEL_FORCE_INLINE int gelFoldSlotsW( int bits )
{
	return bits & ( bits >> ( GEL_LANES - GEL_BODIES ) ) & ( ( 1 << GEL_BODIES ) - 1 );
}

// Gradient of corner k + 1 of slots `lane` and on.
GEL_FORCE_INLINE gelVec3W gelSplatGradientW( const gelElementBlock* block, int lane, int k )
{
	return ( gelVec3W ){ gelSplatSlotsW( block->gradient[3 * k] + lane ),
		gelSplatSlotsW( block->gradient[3 * k + 1] + lane ),
		gelSplatSlotsW( block->gradient[3 * k + 2] + lane ) };
}

GEL_FORCE_INLINE gelMat3W gelLaneDeformationW( const gelElementBlock* block, int lane, float* u )
{
	gelVec3W u0 = gelLoadCornerW( gelFindCornerW( block->node[0] + lane, u ) );
	gelFloatW one = gelSplatW( 1.0f ), zero = gelSplatW( 0.0f );
	gelMat3W F = { { one, zero, zero }, { zero, one, zero }, { zero, zero, one } };
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W uk = gelSubVecW( gelLoadCornerW( gelFindCornerW( block->node[k + 1] + lane, u ) ), u0 );
		gelVec3W g = gelSplatGradientW( block, lane, k );
		F.cx = gelMulAddVecW( F.cx, g.x, uk );
		F.cy = gelMulAddVecW( F.cy, g.y, uk );
		F.cz = gelMulAddVecW( F.cz, g.z, uk );
	}
	return F;
}

GEL_FORCE_INLINE void gelAddCornerW( gelCornerW c, gelVec3W a )
{
	gelStoreCornerW( c, gelAddVecW( gelLoadCornerW( c ), a ) );
}

GEL_FORCE_INLINE void gelLaneRightHandSideW(
	const gelElementBlock* block, int lane, gelMat3W F, gelNodesW q, gelFloatW twoH2, float* rhs )
{
	gelMat3W Q = gelSubMatW( gelMakeMatFromQuatW( q ), F );
	gelFloatW c = gelMulW( twoH2, gelSplatSlotsW( block->muVolume + lane ) );
	gelVec3W sum;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W term = gelScaleVecW( c, gelMulMVW( Q, gelSplatGradientW( block, lane, k ) ) );
		sum = k == 0 ? term : gelAddVecW( sum, term );
		gelAddCornerW( gelFindCornerW( block->node[k + 1] + lane, rhs ), term );
	}
	gelCornerW corner = gelFindCornerW( block->node[0] + lane, rhs );
	gelStoreCornerW( corner, gelSubVecW( gelLoadCornerW( corner ), sum ) );
}

// Registers that go through the stages together, as in wide_elements.h: four slots of one block.
#define GEL_LANE_STAGES ( 4 / GEL_SLOTS )

// Asks for four rotations of each body: as many streams are more than the processor sees by itself.
GEL_FORCE_INLINE void gelPrefetchSlots( gelQuat* const* q, size_t slot )
{
#if defined( __GNUC__ )
	for ( int k = 0; k < GEL_BODIES; ++k )
		__builtin_prefetch( q[k] + slot, 1, 3 );
#else
	(void)q;
	(void)slot;
#endif
}

GEL_FORCE_INLINE int gelLaneStagesW( const gelLanes* lanes, int i, int first, float* u, gelFloatW twoH2 )
{
	const gelElementBlock* block = lanes->elements + i;
	gelMat3W F[GEL_LANE_STAGES];
	gelVec3W dw[GEL_LANE_STAGES];
	gelNodesW q[GEL_LANE_STAGES];
	int usable = GEL_ALL_LANES;
	size_t slot = GEL_BLOCK_LANES * (size_t)i + (size_t)first;
	if ( slot + 12 < GEL_BLOCK_LANES * (size_t)lanes->blockCount ) gelPrefetchSlots( lanes->q, slot + 8 );
	for ( int k = 0; k < GEL_LANE_STAGES; ++k )
		F[k] = gelLaneDeformationW( block, first + GEL_SLOTS * k, u );
	gelCollectFourSlotsW( lanes->q, slot, q );
	for ( int k = 0; k < GEL_LANE_STAGES; ++k )
		dw[k] = gelPolarIncrementW( F[k], q[k] );
	for ( int k = 0; k < GEL_LANE_STAGES && u != lanes->uTilde; ++k )
		F[k] = gelLaneDeformationW( block, first + GEL_SLOTS * k, lanes->uTilde );
	for ( int k = 0; k < GEL_LANE_STAGES; ++k )
	{
		gelFloatW length2;
		q[k] = gelTurnAndMeasureW( q[k], dw[k], &length2 );
		usable &= gelMaskBitsW( gelIsNearOneW( length2 ) );
	}
	for ( int k = 0; k < GEL_LANE_STAGES; ++k )
		gelLaneRightHandSideW( block, first + GEL_SLOTS * k, F[k], q[k], twoH2, lanes->b );
	gelDistributeFourSlotsW( lanes->q, slot, q );
	return usable;
}

static int LaneElements_W( const gelLanes* lanes, float* u )
{
	gelFloatW twoH2 = gelSplatW( 2.0f * lanes->elasticStep * lanes->elasticStep );
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < lanes->blockCount; ++i )
	{
		for ( int first = 0; first < GEL_BLOCK_LANES; first += GEL_SLOTS * GEL_LANE_STAGES )
			usable &= gelLaneStagesW( lanes, i, first, u, twoH2 );
	}
	return gelFoldSlotsW( usable );
}
