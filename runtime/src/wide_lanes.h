// SPDX-License-Identifier: MIT
// Bodies of one asset, one per lane (lanes.h): the element loop, the volume sweep and the loops over nodes.
// Per body the operations are those of wide_elements.h, wide_volume.h and wide_nodes.h, in the same order.
#pragma once

#include "lanes.h"
#include "wide_elements.h"
#include "wide_volume_moves.h"

// Floats of one node of all lanes.
#define GEL_NODE_W ( 3 * GEL_LANES )

// Floats to a node whose offset in an array of gelVec4 is given.
GEL_FORCE_INLINE size_t gelLaneNode( uint32_t offset )
{
	return (size_t)offset / sizeof( gelVec4 ) * GEL_NODE_W;
}

GEL_FORCE_INLINE gelVec3W gelLoadLanesW( const float* node )
{
	return ( gelVec3W ){ gelLoadW( node ), gelLoadW( node + GEL_LANES ), gelLoadW( node + 2 * GEL_LANES ) };
}

GEL_FORCE_INLINE void gelStoreLanesW( float* node, gelVec3W a )
{
	gelStoreW( node, a.x );
	gelStoreW( node + GEL_LANES, a.y );
	gelStoreW( node + 2 * GEL_LANES, a.z );
}

GEL_FORCE_INLINE gelVec3W gelSplatVecW( float x, float y, float z )
{
	return ( gelVec3W ){ gelSplatW( x ), gelSplatW( y ), gelSplatW( z ) };
}

// Element i of an array of each body.
GEL_FORCE_INLINE gelVec3W gelCollectNodesW( const gelVec3* const* arrays, int i )
{
	gelFloat4 parts[GEL_LANES];
	for ( int k = 0; k < GEL_LANES; ++k )
		parts[k] = gelLoad3( arrays[k] + i );
	gelNodesW n = gelCollectLanesW( parts );
	return ( gelVec3W ){ n.x, n.y, n.z };
}

GEL_FORCE_INLINE gelNodesW gelCollectQuatsW( gelQuat* const* arrays, size_t i )
{
	gelFloat4 parts[GEL_LANES];
	for ( int k = 0; k < GEL_LANES; ++k )
		parts[k] = gelLoad4( arrays[k] + i );
	return gelCollectLanesW( parts );
}

GEL_FORCE_INLINE void gelDistributeQuatsW( gelQuat* const* arrays, size_t i, gelNodesW q )
{
	gelFloat4 parts[GEL_LANES];
	gelDistributeLanesW( q, parts );
	for ( int k = 0; k < GEL_LANES; ++k )
		gelStore4( arrays[k] + i, parts[k] );
}

// ---- nodes -----------------------------------------------------------------------------------------------

static void LanePredict_W( const gelLanes* lanes )
{
	gelFloatW h = gelSplatW( lanes->h );
	gelVec3W kick = gelScaleVecW( h, gelSplatVecW( lanes->gravity.x, lanes->gravity.y, lanes->gravity.z ) );
	for ( int i = 0; i < lanes->nodeCount; ++i )
	{
		gelVec3W velocity = gelAddVecW( gelCollectNodesW( lanes->v, i ), kick );
		gelFloatW hw = gelSplatW( lanes->h * lanes->invMasses[i] );
		velocity = gelMulAddVecW( velocity, hw, gelCollectNodesW( lanes->forces, i ) );
		gelVec3W x = gelMulAddVecW( gelCollectNodesW( lanes->x, i ), h, velocity );
		const gelPackNode* rest = lanes->rest + i;
		gelStoreLanesW( lanes->xTilde + GEL_NODE_W * (size_t)i, x );
		gelStoreLanesW( lanes->uTilde + GEL_NODE_W * (size_t)i,
			gelSubVecW( x, gelSplatVecW( rest->x, rest->y, rest->z ) ) );
	}
}

static void LaneSubtractRest_W( const gelLanes* lanes, float* u )
{
	for ( int i = 0; i < lanes->nodeCount; ++i )
	{
		const gelPackNode* rest = lanes->rest + i;
		gelVec3W p = gelLoadLanesW( lanes->p + GEL_NODE_W * (size_t)i );
		gelStoreLanesW(
			u + GEL_NODE_W * (size_t)i, gelSubVecW( p, gelSplatVecW( rest->x, rest->y, rest->z ) ) );
	}
}

static void LaneStore_W( const gelLanes* lanes )
{
	for ( int i = 0; i < lanes->nodeCount; ++i )
	{
		gelVec3W p = gelLoadLanesW( lanes->p + GEL_NODE_W * (size_t)i );
		gelNodesW n = { p.x, p.y, p.z, gelSplatW( 0.0f ) };
		gelFloat4 parts[GEL_LANES];
		gelDistributeLanesW( n, parts );
		for ( int k = 0; k < GEL_LANES; ++k )
			gelStore3( lanes->out[k] + i, parts[k] );
	}
}

// ---- elements --------------------------------------------------------------------------------------------

// Gradient of corner k + 1 of slot `lane`.
GEL_FORCE_INLINE gelVec3W gelSplatGradientW( const gelElementBlock* block, int lane, int k )
{
	return gelSplatVecW(
		block->gradient[3 * k][lane], block->gradient[3 * k + 1][lane], block->gradient[3 * k + 2][lane] );
}

GEL_FORCE_INLINE gelMat3W gelLaneDeformationW( const gelElementBlock* block, int lane, const float* u )
{
	gelVec3W u0 = gelLoadLanesW( u + gelLaneNode( block->node[0][lane] ) );
	gelFloatW one = gelSplatW( 1.0f ), zero = gelSplatW( 0.0f );
	gelMat3W F = { { one, zero, zero }, { zero, one, zero }, { zero, zero, one } };
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W uk = gelSubVecW( gelLoadLanesW( u + gelLaneNode( block->node[k + 1][lane] ) ), u0 );
		gelVec3W g = gelSplatGradientW( block, lane, k );
		F.cx = gelMulAddVecW( F.cx, g.x, uk );
		F.cy = gelMulAddVecW( F.cy, g.y, uk );
		F.cz = gelMulAddVecW( F.cz, g.z, uk );
	}
	return F;
}

GEL_FORCE_INLINE void gelAddLanesW( float* node, gelVec3W a )
{
	gelStoreLanesW( node, gelAddVecW( gelLoadLanesW( node ), a ) );
}

GEL_FORCE_INLINE void gelLaneRightHandSideW(
	const gelElementBlock* block, int lane, gelMat3W F, gelNodesW q, float twoH2, float* rhs )
{
	gelMat3W Q = gelSubMatW( gelMakeMatFromQuatW( q ), F );
	gelFloatW c = gelSplatW( twoH2 * block->muVolume[lane] );
	gelVec3W sum;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W term = gelScaleVecW( c, gelMulMVW( Q, gelSplatGradientW( block, lane, k ) ) );
		sum = k == 0 ? term : gelAddVecW( sum, term );
		gelAddLanesW( rhs + gelLaneNode( block->node[k + 1][lane] ), term );
	}
	gelAddLanesW( rhs + gelLaneNode( block->node[0][lane] ), gelNegVecW( sum ) );
}

// Slots of one block that go through the stages together, as in wide_elements.h.
#define GEL_LANE_STAGES 2

GEL_FORCE_INLINE int gelLaneStagesW( const gelLanes* lanes, int i, int first, const float* u, float twoH2 )
{
	const gelElementBlock* block = lanes->elements + i;
	gelMat3W F[GEL_LANE_STAGES];
	gelVec3W dw[GEL_LANE_STAGES];
	gelNodesW q[GEL_LANE_STAGES];
	int usable = GEL_ALL_LANES;
	size_t slot = GEL_BLOCK_LANES * (size_t)i + (size_t)first;
	for ( int k = 0; k < GEL_LANE_STAGES; ++k )
		F[k] = gelLaneDeformationW( block, first + k, u );
	for ( int k = 0; k < GEL_LANE_STAGES; ++k )
	{
		q[k] = gelCollectQuatsW( lanes->q, slot + (size_t)k );
		dw[k] = gelPolarIncrementW( F[k], q[k] );
	}
	for ( int k = 0; k < GEL_LANE_STAGES && u != lanes->uTilde; ++k )
		F[k] = gelLaneDeformationW( block, first + k, lanes->uTilde );
	for ( int k = 0; k < GEL_LANE_STAGES; ++k )
	{
		gelFloatW length2;
		gelNodesW turned = gelTurnAndMeasureW( q[k], dw[k], &length2 );
		gelDistributeQuatsW( lanes->q, slot + (size_t)k, turned );
		usable &= gelMaskBitsW( gelIsNearOneW( length2 ) );
		gelLaneRightHandSideW( block, first + k, F[k], turned, twoH2, lanes->b );
	}
	return usable;
}

static int LaneElements_W( const gelLanes* lanes, const float* u )
{
	float twoH2 = 2.0f * lanes->elasticStep * lanes->elasticStep;
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < lanes->blockCount; ++i )
	{
		for ( int first = 0; first < GEL_BLOCK_LANES; first += GEL_LANE_STAGES )
			usable &= gelLaneStagesW( lanes, i, first, u, twoH2 );
	}
	return usable;
}

// ---- volume ----------------------------------------------------------------------------------------------

GEL_FORCE_INLINE void gelLaneVolumeSlotW(
	const gelLanes* lanes, const gelVolumeBlock* block, int lane, float invH2, float* kappa )
{
	float* x[4];
	gelVec3W p[4], move[4];
	gelFloatW w[4];
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = block->node[k][lane] / (uint32_t)sizeof( gelVec4 );
		x[k] = lanes->p + GEL_NODE_W * (size_t)node;
		p[k] = gelLoadLanesW( x[k] );
		w[k] = gelSplatW( lanes->invMasses[node] );
	}
	gelVolumeConstantsW constants = { gelSplatW( block->restDet[lane] ), gelSplatW( block->invRestDet[lane] ),
		gelSplatW( invH2 * block->invLambdaVolume[lane] ), gelSplatW( block->maxMove[lane] ) };
	gelFloatW before = kappa ? gelLoadW( kappa ) : gelSplatW( 0.0f );
	gelFloatW dKappa = gelVolumeMovesW( &constants, gelSubVecW( p[1], p[0] ), gelSubVecW( p[2], p[0] ),
		gelSubVecW( p[3], p[0] ), w, kappa ? &before : NULL, move );
	if ( kappa ) gelStoreW( kappa, gelAddW( before, dKappa ) );
	gelStoreLanesW( x[0], gelSubVecW( p[0], move[0] ) );
	for ( int k = 1; k < 4; ++k )
		gelStoreLanesW( x[k], gelAddVecW( p[k], move[k] ) );
}

static void LaneVolume_W( const gelLanes* lanes, float* kappa )
{
	float invH2 = 1.0f / ( lanes->elasticStep * lanes->elasticStep );
	for ( int i = 0; i < lanes->blockCount; ++i )
	{
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
		{
			float* to = kappa ? kappa + GEL_LANES * (size_t)( GEL_BLOCK_LANES * i + lane ) : NULL;
			gelLaneVolumeSlotW( lanes, lanes->volumes + i, lane, invH2, to );
		}
	}
}
