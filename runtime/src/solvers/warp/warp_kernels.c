// SPDX-License-Identifier: MIT
// Errors of the stale matrix of the warp-cancelling solver, eight tets at a time (warp_body.h).
#include "solvers/warp/warp_errors.h"
#include "simd/wide_turns.h"

// M^T v
GEL_FORCE_INLINE gelVec3W gelMulTransposedMVW( gelMat3W m, gelVec3W v )
{
	return ( gelVec3W ){ gelDotW( m.cx, v ), gelDotW( m.cy, v ), gelDotW( m.cz, v ) };
}

// V P of a velocity gradient, P = 2 mu sym( Y ) + lambda tr( Y ) I, by columns.
GEL_FORCE_INLINE gelMat3W gelStressW( gelMat3W Y, gelFloatW mu, gelFloatW lambda )
{
	gelFloatW two = gelAddW( mu, mu );
	gelFloatW trace = gelMulW( lambda, gelAddW( gelAddW( Y.cx.x, Y.cy.y ), Y.cz.z ) );
	gelFloatW xy = gelMulW( mu, gelAddW( Y.cx.y, Y.cy.x ) ), xz = gelMulW( mu, gelAddW( Y.cx.z, Y.cz.x ) );
	gelFloatW yz = gelMulW( mu, gelAddW( Y.cy.z, Y.cz.y ) );
	return ( gelMat3W ){ { gelAddW( gelMulW( two, Y.cx.x ), trace ), xy, xz },
		{ xy, gelAddW( gelMulW( two, Y.cy.y ), trace ), yz },
		{ xz, yz, gelAddW( gelMulW( two, Y.cz.z ), trace ) } };
}

// Y += w g^T
GEL_FORCE_INLINE void gelAddOuterW( gelMat3W* Y, gelVec3W w, gelVec3W g )
{
	Y->cx = gelMulAddVecW( Y->cx, g.x, w );
	Y->cy = gelMulAddVecW( Y->cy, g.y, w );
	Y->cz = gelMulAddVecW( Y->cz, g.z, w );
}

// In the frame of the element as it is now, where the matrix of now is K0: with r_k = Re^T Rn_k a_k and
// v_k' = Re^T v_k the error is K0 v' - r_i K0 ( r_j^T v_j' ).
static void WarpErrors_W( const gelWarpPass* pass )
{
	gelFloatW zero = gelSplatW( 0.0f );
	for ( int i = 0; i < pass->blockCount; ++i )
	{
		const gelElementBlock* block = pass->elements + i;
		const gelTurnBlock* turns = pass->turns + i;
		gelNodesW q = gelLoadNodesW( pass->q + GEL_LANES * (size_t)i );
		gelNodesW back = { gelNegW( q.x ), gelNegW( q.y ), gelNegW( q.z ), q.w };
		gelMat3W R = gelMakeMatFromQuatW( q ),
				 now = { { zero, zero, zero }, { zero, zero, zero }, { zero, zero, zero } };
		gelMat3W stale = now, r[4];
		gelVec3W g[4];
		for ( int k = 0; k < 3; ++k )
			g[k + 1] = ( gelVec3W ){ gelLoadW( block->gradient[3 * k] ),
				gelLoadW( block->gradient[3 * k + 1] ), gelLoadW( block->gradient[3 * k + 2] ) };
		g[0] = gelNegVecW( gelAddVecW( gelAddVecW( g[1], g[2] ), g[3] ) );
		for ( int k = 0; k < 4; ++k )
		{
			gelNodesW node = gelGatherW( pass->nodeTurns, block->node[k] );
			gelNodesW turn = { gelLoadW( turns->q[k][0] ), gelLoadW( turns->q[k][1] ),
				gelLoadW( turns->q[k][2] ), gelLoadW( turns->q[k][3] ) };
			r[k] = gelMakeMatFromQuatW( gelMulQuatW( back, gelMulQuatW( node, turn ) ) );
			gelNodesW velocity = gelGatherW( pass->velocities, block->node[k] );
			gelVec3W v = gelMulTransposedMVW( R, ( gelVec3W ){ velocity.x, velocity.y, velocity.z } );
			gelAddOuterW( &now, v, g[k] );
			gelAddOuterW( &stale, gelMulTransposedMVW( r[k], v ), g[k] );
		}
		gelFloatW mu = gelLoadW( block->muVolume ),
				  lambda = gelLoadW( pass->lambdaVolumes + GEL_LANES * (size_t)i );
		gelMat3W nowP = gelStressW( now, mu, lambda ), staleP = gelStressW( stale, mu, lambda );
		gelFloatW sum = zero;
		for ( int k = 0; k < 4; ++k )
		{
			gelVec3W d = gelSubVecW( gelMulMVW( nowP, g[k] ), gelMulMVW( r[k], gelMulMVW( staleP, g[k] ) ) );
			sum = gelAddW( sum, gelDotW( d, d ) );
		}
		gelFloatW scale =
			gelMulW( gelSplatW( pass->scale ), gelLoadW( pass->inverseMasses + GEL_LANES * (size_t)i ) );
		gelStoreW( pass->errors + GEL_LANES * (size_t)i, gelMulW( scale, gelSqrtW( sum ) ) );
	}
}

GEL_KERNELS( gelWarpKernels, gelGetWarpKernels ) = { WarpErrors_W };
