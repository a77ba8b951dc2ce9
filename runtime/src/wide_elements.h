// SPDX-License-Identifier: MIT
// The element loop: deformation gradient, rotation and right-hand side of eight tets at a time, in one pass
// over memory. Twin of gelUpdateRotations_Ref, gelComputeCorners_Ref and gelGatherCorners_Ref together.
#pragma once

#include "kernels.h"
#include "wide_polar.h"

// F = I + sum of u_k g_k^T, with displacements u relative to corner 0.
static inline gelMat3W gelDeformationW( const gelElementBlock* block, const gelVec4* u )
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

// Adds the corners of eight tets to their nodes, tet by tet: a node gets its terms in the order of its gather
// list, ascending by tet and corner, and so the bits of a sum over that list.
static inline void gelAddCornersW( const gelElementBlock* block, const gelVec3W b[4], gelVec4* rhs )
{
	gelVec4 corners[GEL_LANES][4];
	gelFloatW zero = gelSplatW( 0.0f );
	for ( int k = 0; k < 4; ++k )
		gelStoreNodesW( &corners[0][k], 4, ( gelNodesW ){ b[k].x, b[k].y, b[k].z, zero } );
	for ( int lane = 0; lane < GEL_LANES; ++lane )
	{
		for ( int k = 0; k < 4; ++k )
		{
			gelVec4* to = rhs + block->node[k][lane];
			gelStore4( to, gelAdd4( gelLoad4( to ), gelLoad4( &corners[lane][k] ) ) );
		}
	}
}

static inline void gelRightHandSideW(
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
	gelAddCornersW( block, b, rhs );
}

// Lanes whose quaternion is near unit length.
static inline gelFloatW gelIsUnitW( gelNodesW q )
{
	gelVec3W v = { q.x, q.y, q.z };
	gelFloatW length2 = gelAddW( gelDotW( v, v ), gelMulW( q.w, q.w ) );
	return gelAndW( gelGreaterW( length2, gelSplatW( 0.5f ) ), gelGreaterW( gelSplatW( 2.0f ), length2 ) );
}

static bool UpdateElements_W( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	gelFloatW twoH2 = gelSplatW( 2.0f * h * h );
	int usable = 0xFF;
	for ( int i = 0; i < blockCount; ++i )
	{
		const gelElementBlock* block = blocks + i;
		gelMat3W F = gelDeformationW( block, uRotation );
		gelNodesW turned = gelPolarStepW( F, gelLoadNodesW( q + GEL_LANES * (size_t)i ) );
		gelStoreNodesW( q + GEL_LANES * (size_t)i, 1, turned );
		usable &= gelMaskBitsW( gelIsUnitW( turned ) );
		if ( uTilde != uRotation ) F = gelDeformationW( block, uTilde );
		gelRightHandSideW( block, F, turned, twoH2, rhs );
	}
	return usable == 0xFF;
}

static void PolarSteps_W( const float ( *F )[9][GEL_LANES], gelQuat* q, int blockCount, int iterations )
{
	for ( int i = 0; i < blockCount; ++i )
	{
		gelNodesW r = gelLoadNodesW( q + GEL_LANES * (size_t)i );
		gelMat3W m = { { gelLoadW( F[i][0] ), gelLoadW( F[i][1] ), gelLoadW( F[i][2] ) },
			{ gelLoadW( F[i][3] ), gelLoadW( F[i][4] ), gelLoadW( F[i][5] ) },
			{ gelLoadW( F[i][6] ), gelLoadW( F[i][7] ), gelLoadW( F[i][8] ) } };
		for ( int k = 0; k < iterations; ++k )
			r = gelPolarStepW( m, r );
		gelStoreNodesW( q + GEL_LANES * (size_t)i, 1, r );
	}
}
