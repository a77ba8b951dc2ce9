// SPDX-License-Identifier: MIT
// The arithmetic of one volume constraint per lane. Twin of gelSolveVolumeTet_Ref (volume.c), where it is
// explained.
#pragma once

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
