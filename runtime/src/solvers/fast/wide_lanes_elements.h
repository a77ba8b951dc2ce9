// SPDX-License-Identifier: MIT
// Bodies of one asset, one per lane (lanes.h): the element loop. Per body the operations are those of
// wide_elements.h, in the same order.
#pragma once

#include "simd/wide_lanes.h"
#include "simd/wide_polar.h"

// Gradient of corner k + 1 of slot `lane`.
GEL_FORCE_INLINE gelVec3W gelSplatGradientW( const gelElementBlock* block, int lane, int k )
{
	return ( gelVec3W ){ gelSplatW( block->gradient[3 * k][lane] ),
		gelSplatW( block->gradient[3 * k + 1][lane] ), gelSplatW( block->gradient[3 * k + 2][lane] ) };
}

GEL_FORCE_INLINE gelMat3W gelLaneDeformationW( const gelElementBlock* block, int lane, float* u )
{
	gelVec3W u0 = gelLoadLanesW( gelFindCornerW( block->node[0][lane], u ) );
	gelMat3W F;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W uk = gelSubVecW( gelLoadLanesW( gelFindCornerW( block->node[k + 1][lane], u ) ), u0 );
		gelAddDeformationW( &F, k, uk, gelSplatGradientW( block, lane, k ) );
	}
	return F;
}

// A slot whose rotation is found, and what its right-hand side needs.
typedef struct gelLaneSlotW
{
	const gelElementBlock* block;
	int lane;
	const float* scaled; // 2 h^2 mu V times the gradients, of the whole block
	gelMat3W F;
	gelNodesW q;
} gelLaneSlotW;

// Term k of three of the right-hand side. @param sum of the terms so far
GEL_FORCE_INLINE void gelAddTermW( const gelLaneSlotW* slot, int k, gelMat3W Q, gelVec3W* sum, float* rhs )
{
	const float* g = slot->scaled + 3 * GEL_BLOCK_LANES * k + slot->lane;
	gelVec3W term = gelMulMVW( Q,
		( gelVec3W ){
			gelSplatW( g[0] ), gelSplatW( g[GEL_BLOCK_LANES] ), gelSplatW( g[2 * GEL_BLOCK_LANES] ) } );
	*sum = k == 0 ? term : gelAddVecW( *sum, term );
	float* to = gelFindCornerW( slot->block->node[k + 1][slot->lane], rhs );
	gelStoreLanesW( to, gelAddVecW( gelLoadLanesW( to ), term ) );
	if ( k < 2 ) return;
	to = gelFindCornerW( slot->block->node[0][slot->lane], rhs );
	gelStoreLanesW( to, gelSubVecW( gelLoadLanesW( to ), *sum ) );
}

// The rotation of one slot and the right-hand side of the one before, in turns: the first is a chain of
// operations that wait for each other, mostly multiplications, the second adds and waits for memory.
GEL_FORCE_INLINE gelNodesW gelTurnSlotW(
	gelMat3W F, gelNodesW q, const gelLaneSlotW* last, bool hasLast, float* rhs, int* usable )
{
	gelMat3W R = gelMakeHalfMatFromQuatW( q ), Q;
	gelFloatW length2 = gelLengthSquaredQuatW( q );
	gelVec3W sum;
	*usable &= gelMaskBitsW( gelIsBoundedW( length2 ) );
	if ( hasLast ) Q = gelSubMatW( gelMakeMatFromQuatW( last->q ), last->F );
	gelMat3W Y = gelMulTransposedMMW( R, F );
	if ( hasLast ) gelAddTermW( last, 0, Q, &sum, rhs );
	gelPolarSystemW system = gelMakePolarSystemW( Y );
	gelMat3W cofactors = gelPolarCofactorsW( &system );
	if ( hasLast ) gelAddTermW( last, 1, Q, &sum, rhs );
	gelPolarQuotientW quotient = gelSolvePolarW( &system, &cofactors );
	if ( hasLast ) gelAddTermW( last, 2, Q, &sum, rhs );
	return gelFinishTurnW( F, Y, length2, system.xx, cofactors.cz.z, &quotient );
}

GEL_FORCE_INLINE void gelScaleGradientsW( const gelElementBlock* block, float twoH2, float* scaled )
{
	for ( int k = 0; k < 9; ++k )
	{
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
			scaled[GEL_BLOCK_LANES * k + lane] = twoH2 * block->muVolume[lane] * block->gradient[k][lane];
	}
}

static int LaneElements_W( const gelLanes* lanes, float* u )
{
	float twoH2 = 2.0f * lanes->elasticStep * lanes->elasticStep;
	float scaled[2][9 * GEL_BLOCK_LANES];
	int usable = GEL_ALL_LANES;
	size_t count = GEL_BLOCK_LANES * (size_t)lanes->blockCount;
	gelLaneSlotW last = { .block = lanes->elements };
	gelNodesW q[4];
	gelMat3W F = gelLaneDeformationW( lanes->elements, 0, u );
	for ( size_t slot = 0; slot < count; ++slot )
	{
		const gelElementBlock* block = lanes->elements + slot / GEL_BLOCK_LANES;
		int lane = (int)( slot % GEL_BLOCK_LANES );
		float* own = scaled[slot / GEL_BLOCK_LANES % 2];
		if ( lane == 0 ) gelScaleGradientsW( block, twoH2, own );
		if ( slot % 4 == 0 ) gelCollectFourSlotsW( lanes->q, slot, q );
		gelNodesW turn = gelTurnSlotW( F, q[slot % 4], &last, slot > 0, lanes->b, &usable );
		last = ( gelLaneSlotW ){ .block = block, .lane = lane, .scaled = own, .F = F };
		if ( u != lanes->uTilde ) last.F = gelLaneDeformationW( block, lane, lanes->uTilde );
		if ( slot + 1 < count )
			F = gelLaneDeformationW( lanes->elements + ( slot + 1 ) / GEL_BLOCK_LANES,
				(int)( ( slot + 1 ) % GEL_BLOCK_LANES ), u );
		last.q = q[slot % 4] = gelMulQuatW( q[slot % 4], turn );
		if ( slot % 4 == 3 ) gelDistributeFourSlotsW( lanes->q, slot - 3, q );
	}
	gelMat3W Q = gelSubMatW( gelMakeMatFromQuatW( last.q ), last.F );
	gelVec3W sum;
	for ( int k = 0; k < 3; ++k )
		gelAddTermW( &last, k, Q, &sum, lanes->b );
	return usable;
}
