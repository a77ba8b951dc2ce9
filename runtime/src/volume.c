// SPDX-License-Identifier: MIT
#include "volume.h"

#include "blocks.h"

#include <string.h>

// C(x)    = det F - 1 = e1 . (e2 x e3) / (6 V) - 1
// n1      = e2 x e3 / (6 V), n2 = e3 x e1 / (6 V), n3 = e1 x e2 / (6 V), n0 = -(n1 + n2 + n3)   [1/m]
// dKappa  = ( -C - alpha kappa ) / ( sum w_i |n_i|^2 + alpha ),   alpha = 1 / (lambda V h^2)
// x_i    += w_i n_i dKappa
// The paper prints +C in Eq. 15 beside the + of Eq. 16, which amplifies the error; its alpha lacks h^2.
//
// Near inversion the gradients can be huge or vanish: alpha > 0 keeps the quotient finite, and the longest
// move is limited by scaling dKappa, which keeps the momentum balance (clamping single nodes would not).
void gelSolveVolumeTet_Ref( gelVolumeConstraint constraint, const float w[4], gelVec3* x[4], float* kappa )
{
	gelVec3 e1 = gelSub( *x[1], *x[0] );
	gelVec3 e2 = gelSub( *x[2], *x[0] );
	gelVec3 e3 = gelSub( *x[3], *x[0] );
	float inv = 1.0f / constraint.restDet;
	gelVec3 c1 = gelCross( e2, e3 );
	// (det - restDet) / restDet instead of det / restDet - 1: exactly zero at rest
	float C = ( gelDot( e1, c1 ) - constraint.restDet ) * inv;
	gelVec3 n[4];
	n[1] = gelScale( inv, c1 );
	n[2] = gelScale( inv, gelCross( e3, e1 ) );
	n[3] = gelScale( inv, gelCross( e1, e2 ) );
	n[0] = gelNeg( gelAdd( gelAdd( n[1], n[2] ), n[3] ) );

	float denominator = constraint.compliance;
	float longest2 = 0.0f; // of w_i n_i, squared
	for ( int k = 0; k < 4; ++k )
	{
		float length2 = gelLengthSquared( n[k] );
		denominator += w[k] * length2;
		longest2 = gelMaxFloat( w[k] * w[k] * length2, longest2 );
	}
	float dKappa = ( -C - constraint.compliance * *kappa ) / denominator;
	float move = fabsf( dKappa ) * sqrtf( longest2 );
	if ( move > constraint.maxMove ) dKappa *= constraint.maxMove / move;
	*kappa += dKappa;
	for ( int k = 0; k < 4; ++k )
		*x[k] = gelMulAdd( *x[k], w[k] * dKappa, n[k] );
}

static void SolveSlot(
	const gelAsset* asset, size_t slot, const float* invMasses, float invH2, float* kappa, gelVec3* x )
{
	const gelPackView* pack = &asset->pack;
	uint32_t t = asset->slotTets[slot];
	if ( t == GEL_NO_TET || gelGetLambda( pack, t ) <= 0.0f ) return; // nu = 0: volume costs nothing
	gelVolumeConstraint constraint = { asset->restDets[t], invH2 * gelGetInvLambdaVolume( pack, t ),
		asset->maxVolumeMoves[t] };
	const uint32_t* node = pack->tets[t].node;
	float w[4] = { invMasses[node[0]], invMasses[node[1]], invMasses[node[2]], invMasses[node[3]] };
	gelVec3* corners[4] = { x + node[0], x + node[1], x + node[2], x + node[3] };
	gelSolveVolumeTet_Ref( constraint, w, corners, kappa + slot );
}

void gelSolveVolume_Ref(
	const gelAsset* asset, const float* invMasses, float h, int sweepCount, float* kappa, gelVec3* x )
{
	size_t blockCount = (size_t)asset->blockCount;
	memset( kappa, 0, GEL_BLOCK_LANES * blockCount * sizeof( float ) );
	float invH2 = 1.0f / ( h * h );
	for ( int sweep = 0; sweep < sweepCount; ++sweep )
	{
		for ( size_t slot = 0; slot < GEL_BLOCK_LANES * blockCount; ++slot )
			SolveSlot( asset, slot, invMasses, invH2, kappa, x );
	}
}
