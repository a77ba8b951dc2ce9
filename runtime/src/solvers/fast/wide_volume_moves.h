// SPDX-License-Identifier: MIT
// The arithmetic of one volume constraint per lane. Twin of gelSolveVolumeTet_Ref (volume.c), where it is
// explained.
#pragma once

#include "simd/wide_math.h"

// Constants of one constraint per lane, and the largest of its inverse masses.
typedef struct gelVolumeConstantsW
{
	gelFloatW restDet, compliance, maxMove2, largest;
} gelVolumeConstantsW;

// Area vectors of one constraint per lane, the sum of their squares by inverse masses, and what the
// determinant lacks.
typedef struct gelVolumeAreasW
{
	gelVec3W c[4];
	gelFloatW sum, wanted;
} gelVolumeAreasW;

GEL_FORCE_INLINE gelVolumeAreasW gelVolumeAreasOfW(
	const gelVolumeConstantsW* constants, gelVec3W e1, gelVec3W e2, gelVec3W e3, const gelFloatW w[4] )
{
	gelVolumeAreasW a;
	a.c[1] = gelCrossW( e2, e3 );
	a.c[2] = gelCrossW( e3, e1 );
	a.c[3] = gelCrossW( e1, e2 );
	a.c[0] = gelAddVecW( gelAddVecW( a.c[1], a.c[2] ), a.c[3] );
	a.wanted = gelSubW( constants->restDet, gelDotW( e1, a.c[1] ) );
	a.sum = gelMulW( w[0], gelDotW( a.c[0], a.c[0] ) );
	for ( int k = 1; k < 4; ++k )
		a.sum = gelAddW( a.sum, gelMulW( w[k], gelDotW( a.c[k], a.c[k] ) ) );
	return a;
}

// By how much of w_k c_k the corners move: corner 0 against it, the others along. It is also the change of
// kappa.
GEL_FORCE_INLINE gelFloatW gelVolumeStepW(
	const gelVolumeConstantsW* constants, const gelVolumeAreasW* a, const gelFloatW* kappa )
{
	gelFloatW wanted = a->wanted;
	if ( kappa ) wanted = gelSubW( wanted, gelMulW( constants->compliance, *kappa ) );
	gelFloatW s = gelDivW( wanted, gelAddW( constants->compliance, a->sum ) );
	gelFloatW longest2 = gelMulW( gelMulW( s, s ), gelMulW( constants->largest, a->sum ) );
	gelMaskW tooFar = gelGreaterW( longest2, constants->maxMove2 );
	if ( gelMaskBitsW( tooFar ) != 0 ) // rare: an element near inversion
	{
		gelFloatW shorter = gelSqrtW( gelDivW( constants->maxMove2, longest2 ) );
		s = gelSelectW( tooFar, gelMulW( s, shorter ), s );
	}
	return s;
}
