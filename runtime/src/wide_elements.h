// SPDX-License-Identifier: MIT
// The element loop: deformation gradient, rotation and right-hand side of eight tets at a time, in one pass
// over memory. Twin of gelUpdateRotations_Ref, gelComputeCorners_Ref and gelAddCorners_Ref together.
#pragma once

#include "kernels.h"
#include "wide_polar.h"

// F = I + sum of u_k g_k^T, with displacements u relative to corner 0.
GEL_FORCE_INLINE gelMat3W gelDeformationW( const gelElementBlock* block, const gelVec4* u )
{
	gelNodesW n0 = gelGatherW( u, block->node[0] );
	gelVec3W u0 = { n0.x, n0.y, n0.z };
	gelFloatW one = gelSplatW( 1.0f ), zero = gelSplatW( 0.0f );
	gelMat3W F = { { one, zero, zero }, { zero, one, zero }, { zero, zero, one } };
	for ( int k = 0; k < 3; ++k )
	{
		gelNodesW n = gelGatherW( u, block->node[k + 1] );
		gelVec3W uk = gelSubVecW( ( gelVec3W ){ n.x, n.y, n.z }, u0 );
		F.cx = gelMulAddVecW( F.cx, gelLoadW( block->gradient[3 * k] ), uk );
		F.cy = gelMulAddVecW( F.cy, gelLoadW( block->gradient[3 * k + 1] ), uk );
		F.cz = gelMulAddVecW( F.cz, gelLoadW( block->gradient[3 * k + 2] ), uk );
	}
	return F;
}

GEL_FORCE_INLINE void gelRightHandSideW(
	const gelElementBlock* block, gelMat3W F, gelNodesW q, gelFloatW twoH2, gelVec4* rhs )
{
	gelMat3W Q = gelSubMatW( gelMakeMatFromQuatW( q ), F );
	gelFloatW c = gelMulW( twoH2, gelLoadW( block->muVolume ) );
	gelVec3W b[4];
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W g = { gelLoadW( block->gradient[3 * k] ), gelLoadW( block->gradient[3 * k + 1] ),
			gelLoadW( block->gradient[3 * k + 2] ) };
		b[k + 1] = gelScaleVecW( c, gelMulMVW( Q, g ) );
	}
	b[0] = gelNegVecW( gelAddVecW( gelAddVecW( b[1], b[2] ), b[3] ) );
	// no two of the tets have a common node: each node gets its terms in the order of the blocks
	for ( int k = 0; k < 4; ++k )
		gelScatterAddW( rhs, block->node[k], ( gelNodesW ){ b[k].x, b[k].y, b[k].z, gelSplatW( 0.0f ) } );
}

// Lanes whose quaternion is near unit length.
GEL_FORCE_INLINE gelFloatW gelIsUnitW( gelNodesW q )
{
	gelVec3W v = { q.x, q.y, q.z };
	gelFloatW length2 = gelAddW( gelDotW( v, v ), gelMulW( q.w, q.w ) );
	return gelAndW( gelGreaterW( length2, gelSplatW( 0.5f ) ), gelGreaterW( gelSplatW( 2.0f ), length2 ) );
}

// Blocks that go through the stages together. One element is a chain of operations that wait for each other,
// too long for the processor to look past it to the next; cut into stages over a few blocks it always finds
// work.
#define GEL_STAGED_BLOCKS 4

// Stages of up to GEL_STAGED_BLOCKS blocks. @return lanes whose quaternion is near unit length, in all blocks
GEL_FORCE_INLINE int gelUpdateStagedW( const gelElementBlock* blocks, int count, const gelVec4* uRotation,
	const gelVec4* uTilde, gelFloatW twoH2, gelQuat* q, gelVec4* rhs )
{
	gelMat3W F[GEL_STAGED_BLOCKS];
	gelVec3W dw[GEL_STAGED_BLOCKS];
	int usable = 0xFF;
	for ( int i = 0; i < count; ++i )
		F[i] = gelDeformationW( blocks + i, uRotation );
	for ( int i = 0; i < count; ++i )
		dw[i] = gelPolarIncrementW( F[i], gelLoadNodesW( q + GEL_LANES * i ) );
	for ( int i = 0; i < count && uTilde != uRotation; ++i )
		F[i] = gelDeformationW( blocks + i, uTilde );
	for ( int i = 0; i < count; ++i )
	{
		gelNodesW turned = gelTurnW( gelLoadNodesW( q + GEL_LANES * i ), dw[i] );
		gelStoreNodesW( q + GEL_LANES * i, turned );
		usable &= gelMaskBitsW( gelIsUnitW( turned ) );
		gelRightHandSideW( blocks + i, F[i], turned, twoH2, rhs );
	}
	return usable;
}

static bool UpdateElements_W( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	gelFloatW twoH2 = gelSplatW( 2.0f * h * h );
	int usable = 0xFF;
	for ( int i = 0; i < blockCount; i += GEL_STAGED_BLOCKS )
	{
		int count = blockCount - i < GEL_STAGED_BLOCKS ? blockCount - i : GEL_STAGED_BLOCKS;
		usable &=
			gelUpdateStagedW( blocks + i, count, uRotation, uTilde, twoH2, q + GEL_LANES * (size_t)i, rhs );
	}
	return usable == 0xFF;
}

static void PolarSteps_W( const float ( *F )[9][GEL_LANES], gelQuat* q, int blockCount, int iterations )
{
	for ( int i = 0; i < blockCount * iterations; ++i )
	{
		const float( *m )[GEL_LANES] = F[i % blockCount];
		gelQuat* to = q + GEL_LANES * (size_t)( i % blockCount );
		gelMat3W f = { { gelLoadW( m[0] ), gelLoadW( m[1] ), gelLoadW( m[2] ) },
			{ gelLoadW( m[3] ), gelLoadW( m[4] ), gelLoadW( m[5] ) },
			{ gelLoadW( m[6] ), gelLoadW( m[7] ), gelLoadW( m[8] ) } };
		gelNodesW from = gelLoadNodesW( to );
		gelStoreNodesW( to, gelTurnW( from, gelPolarIncrementW( f, from ) ) );
	}
}
