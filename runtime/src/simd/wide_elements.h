// SPDX-License-Identifier: MIT
// The element loop: deformation gradient, rotation and right-hand side of eight tets at a time (sixteen with
// AVX-512: two blocks), in one pass over memory. Twin of gelUpdateRotations_Ref, gelComputeCorners_Ref and
// gelAddCorners_Ref together.
#pragma once

#include "simd/kernels.h"
#include "simd/wide_polar.h"

// Blocks of eight in one register, and the bytes from one to the next.
#define GEL_BLOCKS_W     ( GEL_LANES / GEL_BLOCK_LANES )
#define GEL_BLOCK_STRIDE sizeof( gelElementBlock )

GEL_FORCE_INLINE gelVec3W gelLoadDisplacementsW( const gelElementBlock* block, int corner, const gelVec4* u )
{
	gelNodesW n = gelGatherBlocksW( u, block->node[corner], GEL_BLOCK_STRIDE );
	return ( gelVec3W ){ n.x, n.y, n.z };
}

GEL_FORCE_INLINE gelVec3W gelLoadElementGradientW( const gelElementBlock* block, int k )
{
	return ( gelVec3W ){ gelLoadBlocksW( block->gradient[3 * k], GEL_BLOCK_STRIDE ),
		gelLoadBlocksW( block->gradient[3 * k + 1], GEL_BLOCK_STRIDE ),
		gelLoadBlocksW( block->gradient[3 * k + 2], GEL_BLOCK_STRIDE ) };
}

// F = I + sum of u_k g_k^T, with displacements u relative to corner 0.
GEL_FORCE_INLINE gelMat3W gelDeformationW( const gelElementBlock* block, const gelVec4* u )
{
	gelVec3W u0 = gelLoadDisplacementsW( block, 0, u );
	gelMat3W F;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W uk = gelSubVecW( gelLoadDisplacementsW( block, k + 1, u ), u0 );
		gelAddDeformationW( &F, k, uk, gelLoadElementGradientW( block, k ) );
	}
	return F;
}

GEL_FORCE_INLINE void gelRightHandSideW(
	const gelElementBlock* block, gelMat3W F, gelNodesW q, gelFloatW twoH2, gelVec4* rhs )
{
	gelMat3W Q = gelSubMatW( gelMakeMatFromQuatW( q ), F );
	gelFloatW c = gelMulW( twoH2, gelLoadBlocksW( block->muVolume, GEL_BLOCK_STRIDE ) );
	gelNodesW b[4];
	gelVec3W sum;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W term = gelMulMVW( Q, gelScaleVecW( c, gelLoadElementGradientW( block, k ) ) );
		sum = k == 0 ? term : gelAddVecW( sum, term );
		b[k + 1] = ( gelNodesW ){ term.x, term.y, term.z, gelSplatW( 0.0f ) };
	}
	sum = gelNegVecW( sum );
	b[0] = ( gelNodesW ){ sum.x, sum.y, sum.z, gelSplatW( 0.0f ) };
	// no two tets of a block have a common node: each node gets its terms in the order of the blocks
	gelScatterAddBlocksW( rhs, block->node, GEL_BLOCK_STRIDE, b );
}

// Registers of tets that go through the stages together. One element is a chain of operations that wait for
// each other, too long for the processor to look past it to the next; cut into stages over a few it always
// finds work.
#define GEL_STAGES 4

// Up to GEL_STAGES registers of tets. @return lanes whose quaternion was usable, in all of them
GEL_FORCE_INLINE int gelUpdateStagedW( const gelElementBlock* blocks, int count, const gelVec4* uRotation,
	const gelVec4* uTilde, gelFloatW twoH2, gelQuat* q, gelVec4* rhs )
{
	gelMat3W F[GEL_STAGES];
	gelNodesW turn[GEL_STAGES];
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < count; ++i )
		F[i] = gelDeformationW( blocks + GEL_BLOCKS_W * i, uRotation );
	for ( int i = 0; i < count; ++i )
	{
		gelFloatW length2;
		turn[i] = gelFindTurnW( F[i], gelLoadNodesW( q + GEL_LANES * i ), &length2 );
		usable &= gelMaskBitsW( gelIsBoundedW( length2 ) );
	}
	for ( int i = 0; i < count && uTilde != uRotation; ++i )
		F[i] = gelDeformationW( blocks + GEL_BLOCKS_W * i, uTilde );
	for ( int i = 0; i < count; ++i )
	{
		gelNodesW turned = gelMulQuatW( gelLoadNodesW( q + GEL_LANES * i ), turn[i] );
		gelStoreNodesW( q + GEL_LANES * i, turned );
		gelRightHandSideW( blocks + GEL_BLOCKS_W * i, F[i], turned, twoH2, rhs );
	}
	return usable;
}

// blockCount must be a multiple of GEL_BLOCKS_W.
static bool UpdateElements_W( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	gelFloatW twoH2 = gelSplatW( 2.0f * h * h );
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < blockCount; i += GEL_BLOCKS_W * GEL_STAGES )
	{
		int count = ( blockCount - i ) / GEL_BLOCKS_W;
		usable &= gelUpdateStagedW( blocks + i, count < GEL_STAGES ? count : GEL_STAGES, uRotation, uTilde,
			twoH2, q + GEL_BLOCK_LANES * (size_t)i, rhs );
	}
	return usable == GEL_ALL_LANES;
}

// blockCount must be a multiple of GEL_BLOCKS_W.
static void PolarSteps_W( const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations )
{
	for ( int k = 0; k < iterations; ++k )
	{
		for ( int i = 0; i < blockCount; i += GEL_BLOCKS_W )
		{
			gelFloatW m[9];
			for ( int e = 0; e < 9; ++e )
				m[e] = gelLoadBlocksW( F[i][e], sizeof( *F ) );
			gelMat3W f = { { m[0], m[1], m[2] }, { m[3], m[4], m[5] }, { m[6], m[7], m[8] } };
			gelNodesW from = gelLoadNodesW( q + GEL_BLOCK_LANES * (size_t)i );
			gelStoreNodesW( q + GEL_BLOCK_LANES * (size_t)i, gelPolarStepW( f, from ) );
		}
	}
}
