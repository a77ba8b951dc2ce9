// SPDX-License-Identifier: MIT
// The volume sweep over batches of eight tets without common nodes. Twin of gelSolveVolumeTet_Ref (volume.c).
#pragma once

#include "kernels.h"
#include "wide_math.h"

// Constants of one constraint per lane.
typedef struct gelVolumeConstantsW
{
	gelFloatW restDet, inv, alpha, maxMove;
} gelVolumeConstantsW;

// How the corners move: corner 0 against move[0], the others along move[k]. @return dKappa
GEL_FORCE_INLINE gelFloatW gelVolumeMovesW( const gelVolumeConstantsW* constants, gelVec3W e1, gelVec3W e2,
	gelVec3W e3, const gelFloatW w[4], const gelFloatW* kappa, gelVec3W move[4] )
{
	gelFloatW inv = constants->inv, alpha = constants->alpha, sum, longest2;
	gelVec3W c[4];
	c[1] = gelCrossW( e2, e3 );
	c[2] = gelCrossW( e3, e1 );
	c[3] = gelCrossW( e1, e2 );
	c[0] = gelAddVecW( gelAddVecW( c[1], c[2] ), c[3] );
	gelFloatW C = gelMulW( gelSubW( gelDotW( e1, c[1] ), constants->restDet ), inv );
	for ( int k = 0; k < 4; ++k )
	{
		gelFloatW term = gelMulW( w[k], gelDotW( c[k], c[k] ) ), squared = gelMulW( w[k], term );
		sum = k == 0 ? term : gelAddW( sum, term );
		longest2 = k == 0 ? squared : gelMaxW( longest2, squared );
	}
	gelFloatW denominator = gelAddW( alpha, gelMulW( inv, gelMulW( inv, sum ) ) ), wanted = gelNegW( C );
	if ( kappa ) wanted = gelSubW( wanted, gelMulW( alpha, *kappa ) );
	gelFloatW dKappa = gelDivW( wanted, denominator ), s = gelMulW( dKappa, inv );
	gelMaskW tooFar = gelGreaterW(
		gelMulW( gelMulW( s, s ), longest2 ), gelMulW( constants->maxMove, constants->maxMove ) );
	if ( gelMaskBitsW( tooFar ) != 0 ) // rare: an element near inversion
	{
		gelFloatW length = gelMulW( gelAbsW( s ), gelSqrtW( longest2 ) );
		gelFloatW shorter = gelSelectW( tooFar, gelDivW( constants->maxMove, length ), gelSplatW( 1.0f ) );
		dKappa = gelMulW( dKappa, shorter );
		s = gelMulW( s, shorter );
	}
	for ( int k = 0; k < 4; ++k )
		move[k] = gelScaleVecW( gelMulW( w[k], s ), c[k] );
	return dKappa;
}

// @param kappa NULL: zero, and nobody asks for it afterwards
GEL_FORCE_INLINE void gelSolveVolumeBlockW(
	const gelVolumeBlock* block, gelFloatW invH2, float* kappa, gelVec4* x )
{
	gelNodesW p[4];
	for ( int k = 0; k < 4; ++k )
		p[k] = gelGatherW( x, block->node[k] );
	gelVec3W x0 = { p[0].x, p[0].y, p[0].z };
	gelVec3W e1 = gelSubVecW( ( gelVec3W ){ p[1].x, p[1].y, p[1].z }, x0 );
	gelVec3W e2 = gelSubVecW( ( gelVec3W ){ p[2].x, p[2].y, p[2].z }, x0 );
	gelVec3W e3 = gelSubVecW( ( gelVec3W ){ p[3].x, p[3].y, p[3].z }, x0 );
	gelVolumeConstantsW constants = { gelLoadW( block->restDet ), gelLoadW( block->invRestDet ),
		gelMulW( invH2, gelLoadW( block->invLambdaVolume ) ), gelLoadW( block->maxMove ) };
	const gelFloatW w[4] = { p[0].w, p[1].w, p[2].w, p[3].w };
	gelVec3W move[4];
	gelFloatW before = kappa ? gelLoadW( kappa ) : gelSplatW( 0.0f );
	gelFloatW dKappa = gelVolumeMovesW( &constants, e1, e2, e3, w, kappa ? &before : NULL, move );
	if ( kappa ) gelStoreW( kappa, gelAddW( before, dKappa ) );
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3W at = { p[k].x, p[k].y, p[k].z };
		gelVec3W moved = k == 0 ? gelSubVecW( at, move[k] ) : gelAddVecW( at, move[k] );
		gelScatterW( x, block->node[k], ( gelNodesW ){ moved.x, moved.y, moved.z, p[k].w } );
	}
}

static void SweepVolume_W( const gelVolumeBlock* blocks, int blockCount, float h, float* kappa, gelVec4* x )
{
	gelFloatW invH2 = gelSplatW( 1.0f / ( h * h ) );
	if ( kappa )
	{
		for ( int i = 0; i < blockCount; ++i )
			gelSolveVolumeBlockW( blocks + i, invH2, kappa + GEL_LANES * (size_t)i, x );
	}
	else
	{
		for ( int i = 0; i < blockCount; ++i )
			gelSolveVolumeBlockW( blocks + i, invH2, NULL, x );
	}
}
