// SPDX-License-Identifier: MIT
// The element loop step by step, in the order of the paper: the slow twin of element_kernels.c.
#include "elements_ref.h"

#include "asset/blocks.h"
#include "math/polar.h"

#include <string.h>

void gelUpdateRotations_Ref( const gelAsset* asset, const gelVec3* x, gelQuat* q )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		uint32_t t = asset->slotTets[slot];
		if ( t == GEL_NO_TET ) continue;
		q[slot] = gelPolarStep_Ref( gelDeformationGradient( &asset->pack, t, x ), q[slot], NULL );
	}
}

void gelComputeCorners_Ref(
	const gelAsset* asset, const gelVec3* xTilde, const gelQuat* q, float h, gelVec3* corners )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		uint32_t t = asset->slotTets[slot];
		gelVec3* b = corners + 4 * (size_t)slot;
		b[0] = b[1] = b[2] = b[3] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		if ( t == GEL_NO_TET ) continue;
		float c = 2.0f * h * h * gelGetMuVolume( &asset->pack, t );
		gelMat3 F = gelDeformationGradient( &asset->pack, t, xTilde );
		gelMat3 Q = gelSubMat3( gelMakeMat3FromQuat( q[slot] ), F );
		for ( int k = 0; k < 3; ++k )
			b[k + 1] = gelMulMV( Q, gelScale( c, gelGetGradient( asset->pack.tetRests + t, k ) ) );
		b[0] = gelNeg( gelAdd( gelAdd( b[1], b[2] ), b[3] ) );
	}
}

void gelAddCorners_Ref( const gelAsset* asset, const gelVec3* corners, gelVec3* rhs )
{
	memset( rhs, 0, (size_t)asset->nodeCount * sizeof( gelVec3 ) );
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		uint32_t t = asset->slotTets[slot];
		for ( int k = 0; k < 4 && t != GEL_NO_TET; ++k )
		{
			gelVec3* sum = rhs + asset->pack.tets[t].node[k];
			*sum = gelAdd( *sum, corners[4 * (size_t)slot + (size_t)k] );
		}
	}
}
