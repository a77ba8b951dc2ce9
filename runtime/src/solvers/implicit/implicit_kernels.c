// SPDX-License-Identifier: MIT
// The element loops of the implicit solver, eight tets at a time.
#include "solvers/implicit/implicit_kernels.h"

#include "solvers/implicit/wide_implicit.h"

static bool UpdateImplicit_W( const gelImplicitPass* pass )
{
	int usable = 0xFF;
	bool hasTwist = pass->differential != gel_differentialTwo;
	for ( int i = 0; i < pass->blockCount; ++i )
	{
		gelMat3W R;
		gelSym3W e = gelUpdateBlockW( pass, i, &R, &usable );
		gelFloatW mu = gelLoadW( pass->elements[i].muVolume );
		gelFloatW lambda = gelLoadW( pass->lambdaVolumes + GEL_LANES * (size_t)i );
		gelStoreStiffnessW( pass, i, R, hasTwist ? gelMeanTwistW( e, mu, lambda ) : gelSplatW( 0.0f ) );
	}
	return usable == 0xFF;
}

static void FindFlat_W(
	const gelElementBlock* blocks, int blockCount, const gelVec4* u, float limit, uint8_t* lanes )
{
	for ( int i = 0; i < blockCount; ++i )
	{
		gelFloatW J = gelDeterminantW( gelDeformationW( blocks + i, u ) );
		lanes[i] = (uint8_t)( ~gelMaskBitsW( gelGreaterW( J, gelSplatW( limit ) ) ) & 0xFF );
	}
}

static void MultiplyStiffness_W( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y )
{
	for ( int i = 0; i < stiffness->blockCount; ++i )
		gelMultiplyBlockW( stiffness->blocks + i, NULL, x, y );
}

static void AddDiagonal_W( const gelStiffness* stiffness, gelVec4* blocks )
{
	gelFloatW zero = gelSplatW( 0.0f );
	for ( int i = 0; i < stiffness->blockCount; ++i )
	{
		const gelStiffnessBlock* block = stiffness->blocks + i;
		gelFloatW a = gelLoadW( block->a ), bc = gelAddW( gelLoadW( block->b ), gelLoadW( block->c ) );
		gelVec3W h[4];
		for ( int k = 1; k < 4; ++k )
			h[k] = gelLoadGradientW( block->gradient, k - 1 );
		h[0] = gelAddVecW( gelAddVecW( h[1], h[2] ), h[3] );
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t first[GEL_BLOCK_LANES], second[GEL_BLOCK_LANES];
			for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
			{
				first[lane] = 2 * block->node[k][lane];
				second[lane] = first[lane] + (uint32_t)sizeof( gelVec4 );
			}
			gelFloatW diagonal = gelMulW( a, gelDotW( h[k], h[k] ) );
			gelVec3W th = gelScaleVecW( bc, h[k] );
			gelScatterAddW( blocks, first,
				( gelNodesW ){ gelAddW( diagonal, gelMulW( th.x, h[k].x ) ),
					gelAddW( diagonal, gelMulW( th.y, h[k].y ) ),
					gelAddW( diagonal, gelMulW( th.z, h[k].z ) ), zero } );
			gelScatterAddW( blocks, second,
				( gelNodesW ){
					gelMulW( th.x, h[k].y ), gelMulW( th.x, h[k].z ), gelMulW( th.y, h[k].z ), zero } );
		}
	}
}

GEL_KERNELS( gelImplicitKernels, gelGetImplicitKernels ) = { UpdateImplicit_W, FindFlat_W, AddDiagonal_W,
	MultiplyStiffness_W };
