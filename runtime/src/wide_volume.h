// SPDX-License-Identifier: MIT
// The volume sweep over batches of eight tets without common nodes. Twin of gelSolveVolumeTet_Ref (volume.c).
#pragma once

#include "kernels.h"
#include "wide_math.h"

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
	gelFloatW inv = gelLoadW( block->invRestDet );
	gelFloatW alpha = gelMulW( invH2, gelLoadW( block->invLambdaVolume ) );
	gelVec3W c1 = gelCrossW( e2, e3 ), n[4];
	gelFloatW C = gelMulW( gelSubW( gelDotW( e1, c1 ), gelLoadW( block->restDet ) ), inv );
	n[1] = gelScaleVecW( inv, c1 );
	n[2] = gelScaleVecW( inv, gelCrossW( e3, e1 ) );
	n[3] = gelScaleVecW( inv, gelCrossW( e1, e2 ) );
	n[0] = gelNegVecW( gelAddVecW( gelAddVecW( n[1], n[2] ), n[3] ) );

	gelFloatW denominator = alpha, longest2 = gelSplatW( 0.0f );
	for ( int k = 0; k < 4; ++k )
	{
		gelFloatW length2 = gelDotW( n[k], n[k] );
		denominator = gelAddW( denominator, gelMulW( p[k].w, length2 ) );
		longest2 = gelMaxW( gelMulW( gelMulW( p[k].w, p[k].w ), length2 ), longest2 );
	}
	gelFloatW before = gelLoadW( kappa );
	gelFloatW dKappa = gelDivW( gelSubW( gelNegW( C ), gelMulW( alpha, before ) ), denominator );
	gelFloatW move = gelMulW( gelAbsW( dKappa ), gelSqrtW( longest2 ) );
	gelFloatW maxMove = gelLoadW( block->maxMove ), tooFar = gelGreaterW( move, maxMove );
	if ( gelMaskBitsW( tooFar ) != 0 ) // rare: an element near inversion
		dKappa = gelSelectW( tooFar, gelMulW( dKappa, gelDivW( maxMove, move ) ), dKappa );
	gelStoreW( kappa, gelAddW( before, dKappa ) );
	for ( int k = 0; k < 4; ++k )
	{
		gelFloatW s = gelMulW( p[k].w, dKappa );
		gelVec3W moved = gelMulAddVecW( ( gelVec3W ){ p[k].x, p[k].y, p[k].z }, s, n[k] );
		gelScatterW( x, block->node[k], ( gelNodesW ){ moved.x, moved.y, moved.z, p[k].w } );
	}
}

static void SweepVolume_W( const gelVolumeBlock* blocks, int blockCount, float h, float* kappa, gelVec4* x )
{
	gelFloatW invH2 = gelSplatW( 1.0f / ( h * h ) );
	for ( int i = 0; i < blockCount; ++i )
		gelSolveVolumeBlockW( blocks + i, invH2, kappa + GEL_LANES * (size_t)i, x );
}
