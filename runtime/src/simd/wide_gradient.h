// SPDX-License-Identifier: MIT
// The element loop of the quality mode (quality.h): energy and its gradient, eight tets at a time (sixteen
// with AVX-512: two blocks). Twin of gelDifferentiate_Ref.
#pragma once

#include "solvers/fast/quality_sums.h"
#include "simd/wide_elements.h"

// A column of the cofactor matrix is the cross product of the other two columns.
GEL_FORCE_INLINE gelMat3W gelCofactorW( gelMat3W F )
{
	return ( gelMat3W ){ gelCrossW( F.cy, F.cz ), gelCrossW( F.cz, F.cx ), gelCrossW( F.cx, F.cy ) };
}

// P V = 2 h^2 mu V (F - R) + h^2 lambda V (J - 1) cof F, added to the gradient by corners.
// @return h^2 V Psi
GEL_FORCE_INLINE gelFloatW gelAddStressW( const gelElementBlock* block, const float* lambdaVolumes,
	gelMat3W F, gelNodesW q, gelFloatW h2, gelVec4* gradient )
{
	gelFloatW half = gelSplatW( 0.5f ), one = gelSplatW( 1.0f ), zero = gelSplatW( 0.0f );
	gelMat3W D = gelSubMatW( F, gelMakeMatFromQuatW( q ) ), C = gelCofactorW( F );
	gelFloatW mu = gelMulW( h2, gelLoadBlocksW( block->muVolume, GEL_BLOCK_STRIDE ) );
	gelFloatW lambda =
		gelMulW( h2, gelLoadBlocksW( lambdaVolumes, GEL_BLOCK_LANES * sizeof( *lambdaVolumes ) ) );
	gelFloatW J1 = gelSubW( gelDotW( F.cx, C.cx ), one );
	gelFloatW stretch2 =
		gelAddW( gelAddW( gelDotW( D.cx, D.cx ), gelDotW( D.cy, D.cy ) ), gelDotW( D.cz, D.cz ) );
	gelFloatW pressure = gelMulW( lambda, J1 ), twoMu = gelAddW( mu, mu );
	gelMat3W P = {
		gelMulAddVecW( gelScaleVecW( twoMu, D.cx ), pressure, C.cx ),
		gelMulAddVecW( gelScaleVecW( twoMu, D.cy ), pressure, C.cy ),
		gelMulAddVecW( gelScaleVecW( twoMu, D.cz ), pressure, C.cz ),
	};
	gelNodesW f[4];
	gelVec3W sum;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W term = gelMulMVW( P, gelLoadElementGradientW( block, k ) );
		sum = k == 0 ? term : gelAddVecW( sum, term );
		f[k + 1] = ( gelNodesW ){ term.x, term.y, term.z, zero };
	}
	sum = gelNegVecW( sum );
	f[0] = ( gelNodesW ){ sum.x, sum.y, sum.z, zero };
	gelScatterAddBlocksW( gradient, block->node, GEL_BLOCK_STRIDE, f );
	return gelAddW( gelMulW( mu, stretch2 ), gelMulW( gelMulW( half, pressure ), J1 ) );
}

// Adds up block by block.
GEL_FORCE_INLINE double gelAddEnergyW( double energy, gelFloatW added )
{
	_Alignas( 64 ) float lane[GEL_LANES];
	gelStoreW( lane, added );
	for ( int i = 0; i < GEL_BLOCKS_W; ++i )
		energy += (double)gelSumLanes( lane + GEL_BLOCK_LANES * i );
	return energy;
}

// Stages as in wide_elements.h. @return lanes whose quaternion was usable, in all registers
GEL_FORCE_INLINE int gelDifferentiateStagedW( const gelElementBlock* blocks, const float* lambdaVolumes,
	int count, const gelVec4* u, gelFloatW h2, gelQuat* q, gelVec4* gradient, double* energy )
{
	gelMat3W F[GEL_STAGES];
	gelNodesW turn[GEL_STAGES];
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < count; ++i )
		F[i] = gelDeformationW( blocks + GEL_BLOCKS_W * i, u );
	for ( int i = 0; i < count; ++i )
	{
		gelFloatW length2;
		turn[i] = gelFindTurnW( F[i], gelLoadNodesW( q + GEL_LANES * i ), &length2 );
		usable &= gelMaskBitsW( gelIsBoundedW( length2 ) );
	}
	for ( int i = 0; i < count; ++i )
	{
		gelNodesW turned = gelMulQuatW( gelLoadNodesW( q + GEL_LANES * i ), turn[i] );
		gelStoreNodesW( q + GEL_LANES * i, turned );
		*energy = gelAddEnergyW( *energy,
			gelAddStressW(
				blocks + GEL_BLOCKS_W * i, lambdaVolumes + GEL_LANES * i, F[i], turned, h2, gradient ) );
	}
	return usable;
}

// blockCount must be a multiple of GEL_BLOCKS_W.
static bool Differentiate_W( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
	const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy )
{
	gelFloatW h2 = gelSplatW( h * h );
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < blockCount; i += GEL_BLOCKS_W * GEL_STAGES )
	{
		int count = ( blockCount - i ) / GEL_BLOCKS_W;
		size_t slot = GEL_BLOCK_LANES * (size_t)i;
		usable &= gelDifferentiateStagedW( blocks + i, lambdaVolumes + slot,
			count < GEL_STAGES ? count : GEL_STAGES, u, h2, q + slot, gradient, energy );
	}
	return usable == GEL_ALL_LANES;
}
