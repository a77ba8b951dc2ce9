// SPDX-License-Identifier: MIT
#include "volume_ref.h"

#include "asset/blocks.h"

#include <string.h>

void gelSolveVolumeTet_Ref( gelVolumeConstraint constraint, const float w[4], gelVec3* x[4], float* kappa )
{
	gelVec3 e1 = gelSub( *x[1], *x[0] );
	gelVec3 e2 = gelSub( *x[2], *x[0] );
	gelVec3 e3 = gelSub( *x[3], *x[0] );
	gelVec3 c[4] = { { 0.0f, 0.0f, 0.0f }, gelCross( e2, e3 ), gelCross( e3, e1 ), gelCross( e1, e2 ) };
	c[0] = gelAdd( gelAdd( c[1], c[2] ), c[3] ); // turned round

	float sum = w[0] * gelLengthSquared( c[0] );
	for ( int k = 1; k < 4; ++k )
		sum += w[k] * gelLengthSquared( c[k] );
	float wanted = constraint.restDet - gelDot( e1, c[1] ) - constraint.compliance * *kappa;
	float s = wanted / ( constraint.compliance + sum );
	float largest = gelMaxFloat( gelMaxFloat( w[0], w[1] ), gelMaxFloat( w[2], w[3] ) );
	float longest2 = s * s * ( largest * sum );
	if ( longest2 > constraint.maxMove2 ) s *= sqrtf( constraint.maxMove2 / longest2 );
	*kappa += s;
	*x[0] = gelSub( *x[0], gelScale( w[0] * s, c[0] ) );
	for ( int k = 1; k < 4; ++k )
		*x[k] = gelMulAdd( *x[k], w[k] * s, c[k] );
}

static void SolveSlot(
	const gelAsset* asset, size_t slot, const float* invMasses, float invH2, float* kappa, gelVec3* x )
{
	const gelPackView* pack = &asset->pack;
	uint32_t t = asset->slotTets[slot];
	if ( t == GEL_NO_TET ) return;
	float maxMove = asset->maxVolumeMoves[t];
	gelVolumeConstraint constraint = { asset->restDets[t], invH2 * gelGetVolumeCompliance( asset, t ),
		maxMove * maxMove };
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
