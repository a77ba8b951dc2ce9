// SPDX-License-Identifier: MIT
// The element loop step by step, in the order of the paper: the slow twin of wide_elements.h.
#include "elements_ref.h"

#include "blocks.h"
#include "polar.h"

void gelUpdateRotations_Ref( const gelAsset* asset, const gelVec3* x, gelQuat* q )
{
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
		q[t] = gelPolarStep_Ref( gelDeformationGradient( &asset->pack, t, x ), q[t], NULL );
}

void gelComputeCorners_Ref(
	const gelAsset* asset, const gelVec3* xTilde, const gelQuat* q, float h, gelVec3* corners )
{
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
	{
		const gelPackTetRest* rest = asset->pack.tetRests + t;
		float c = 2.0f * h * h * gelGetMuVolume( &asset->pack, t );
		gelMat3 F = gelDeformationGradient( &asset->pack, t, xTilde );
		gelMat3 Q = gelSubMat3( gelMakeMat3FromQuat( q[t] ), F );
		gelVec3* b = corners + 4 * (size_t)t;
		for ( int k = 0; k < 3; ++k )
			b[k + 1] = gelScale( c, gelMulMV( Q, gelGetGradient( rest, k ) ) );
		b[0] = gelNeg( gelAdd( gelAdd( b[1], b[2] ), b[3] ) );
	}
}

void gelGatherCorners_Ref( const gelAsset* asset, const gelVec3* corners, gelVec3* rhs )
{
	const uint32_t* first = asset->pack.gatherFirst;
	const uint32_t* list = asset->pack.gatherCorners;
	for ( int node = 0; node < asset->nodeCount; ++node )
	{
		gelVec3 sum = { 0.0f, 0.0f, 0.0f };
		for ( uint32_t k = first[node]; k < first[node + 1]; ++k )
			sum = gelAdd( sum, corners[list[k]] );
		rhs[node] = sum;
	}
}
