// SPDX-License-Identifier: MIT
// Deformation gradients of eight tets at a time: what loops over elements have in common. Two or four blocks
// in wider registers.
#pragma once

#include "simd/tet_blocks.h"
#include "simd/wide_polar.h"

// Blocks of eight in one register, and the bytes from one to the next.
#define GEL_BLOCKS_W     ( GEL_LANES / GEL_BLOCK_LANES )
#define GEL_BLOCK_STRIDE sizeof( gelElementBlock )

GEL_FORCE_INLINE gelVec3W gelLoadDisplacementsW( const gelElementBlock* block, int corner, const gelVec4* u )
{
	gelNodesW n = gelGatherBlocksW( u, block->node[corner], GEL_BLOCK_STRIDE );
	return ( gelVec3W ){ n.x, n.y, n.z };
}

GEL_FORCE_INLINE gelVec3W gelLoadElementGradientW( const gelElementBlock* block, int k )
{
	return ( gelVec3W ){ gelLoadBlocksW( block->gradient[3 * k], GEL_BLOCK_STRIDE ),
		gelLoadBlocksW( block->gradient[3 * k + 1], GEL_BLOCK_STRIDE ),
		gelLoadBlocksW( block->gradient[3 * k + 2], GEL_BLOCK_STRIDE ) };
}

// F = I + sum of u_k g_k^T, with displacements u relative to corner 0.
GEL_FORCE_INLINE gelMat3W gelDeformationW( const gelElementBlock* block, const gelVec4* u )
{
	gelVec3W u0 = gelLoadDisplacementsW( block, 0, u );
	gelMat3W F;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W uk = gelSubVecW( gelLoadDisplacementsW( block, k + 1, u ), u0 );
		gelAddDeformationW( &F, k, uk, gelLoadElementGradientW( block, k ) );
	}
	return F;
}

// A column of the cofactor matrix is the cross product of the other two columns.
GEL_FORCE_INLINE gelMat3W gelCofactorW( gelMat3W F )
{
	return ( gelMat3W ){ gelCrossW( F.cy, F.cz ), gelCrossW( F.cz, F.cx ), gelCrossW( F.cx, F.cy ) };
}
