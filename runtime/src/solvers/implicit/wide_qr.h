// SPDX-License-Identifier: MIT
// The element of Nesme et al., eight tets at a time. Twin of qr_element.c, operation by operation.
#pragma once

#include "solvers/implicit/wide_implicit.h"

// Frame and coordinates of eight deformed tets.
typedef struct gelQrFrameW
{
	gelMat3W axes;
	gelFloatW xb, xc, yc, xd, yd, zd;
} gelQrFrameW;

GEL_FORCE_INLINE gelQrFrameW gelMakeQrFrameW( const gelImplicitPass* pass, int i )
{
	const gelStiffnessBlock* block = pass->blocks + i;
	gelNodesW n0 = gelGatherW( pass->u, block->node[0] );
	gelVec3W u0 = { n0.x, n0.y, n0.z }, e[3];
	for ( int k = 0; k < 3; ++k )
	{
		gelNodesW n = gelGatherW( pass->u, block->node[k + 1] );
		gelVec3W change = gelSubVecW( ( gelVec3W ){ n.x, n.y, n.z }, u0 );
		e[k] = gelAddVecW( gelLoadGradientW( pass->qr[i].edge, k ), change );
	}
	gelFloatW one = gelSplatW( 1.0f );
	gelQrFrameW frame;
	frame.xb = gelSqrtW( gelDotW( e[0], e[0] ) );
	frame.axes.cx = gelScaleVecW( gelDivW( one, frame.xb ), e[0] );
	frame.xc = gelDotW( frame.axes.cx, e[1] );
	gelVec3W t = gelMulAddVecW( e[1], gelNegW( frame.xc ), frame.axes.cx );
	frame.yc = gelSqrtW( gelDotW( t, t ) );
	frame.axes.cy = gelScaleVecW( gelDivW( one, frame.yc ), t );
	frame.axes.cz = gelCrossW( frame.axes.cx, frame.axes.cy );
	frame.xd = gelDotW( frame.axes.cx, e[2] );
	frame.yd = gelDotW( frame.axes.cy, e[2] );
	frame.zd = gelDotW( frame.axes.cz, e[2] );
	return frame;
}

// Strain in the frame, from the nonzero components of displacements and gradients g.
GEL_FORCE_INLINE gelSym3W gelQrStrainW( const gelQrBlock* qr, const gelQrFrameW* frame, const gelVec3W g[3] )
{
	gelFloatW half = gelSplatW( 0.5f );
	gelFloatW ub = gelSubW( frame->xb, gelLoadW( qr->local[0] ) );
	gelFloatW ucx = gelSubW( frame->xc, gelLoadW( qr->local[1] ) );
	gelFloatW ucy = gelSubW( frame->yc, gelLoadW( qr->local[2] ) );
	gelFloatW udx = gelSubW( frame->xd, gelLoadW( qr->local[3] ) );
	gelFloatW udy = gelSubW( frame->yd, gelLoadW( qr->local[4] ) );
	gelFloatW udz = gelSubW( frame->zd, gelLoadW( qr->local[5] ) );
	return ( gelSym3W ){ gelMulW( ub, g[0].x ), gelMulW( ucy, g[1].y ), gelMulW( udz, g[2].z ),
		gelMulW( half, gelAddW( gelMulW( ub, g[0].y ), gelMulW( ucx, g[1].y ) ) ),
		gelMulW( half, gelSum3W( gelMulW( ub, g[0].z ), gelMulW( ucx, g[1].z ), gelMulW( udx, g[2].z ) ) ),
		gelMulW( half, gelAddW( gelMulW( ucy, g[1].z ), gelMulW( udy, g[2].z ) ) ) };
}

GEL_FORCE_INLINE void gelUpdateQrBlockW( const gelImplicitPass* pass, int i )
{
	const gelQrBlock* qr = pass->qr + i;
	gelStiffnessBlock* block = pass->blocks + i;
	gelQrFrameW f = gelMakeQrFrameW( pass, i );
	int fine = gelMaskBitsW( gelGreaterW( f.xb, gelLoadW( qr->minBase ) ) ) &
		gelMaskBitsW( gelGreaterW( f.yc, gelLoadW( qr->minHeight ) ) );
	int left = ~fine & 0xFF;
	pass->leftLanes[i] = (uint8_t)left;

	gelFloatW v = gelLoadW( qr->invSixVolume ), zero = gelSplatW( 0.0f );
	gelVec3W g[3] = {
		{ gelMulW( v, gelMulW( f.yc, f.zd ) ), gelMulW( v, gelNegW( gelMulW( f.xc, f.zd ) ) ),
			gelMulW( v, gelMulSubW( f.xc, f.yd, f.yc, f.xd ) ) },
		{ zero, gelMulW( v, gelMulW( f.xb, f.zd ) ), gelMulW( v, gelNegW( gelMulW( f.xb, f.yd ) ) ) },
		{ zero, zero, gelMulW( v, gelMulW( f.xb, f.yc ) ) },
	};
	gelSym3W e = gelQrStrainW( qr, &f, g );
	gelFloatW mu = gelLoadW( qr->muVolume ), s = gelSplatW( pass->stiffnessScale );
	gelFloatW lambda = gelLoadW( pass->lambdaVolumes + GEL_LANES * (size_t)i );
	gelFloatW pressure = gelMulW( lambda, gelSum3W( e.xx, e.yy, e.zz ) );
	gelSym3W Z = gelScaleSymAddW( gelMulW( gelSplatW( 2.0f ), mu ), e, pressure );
	gelVec3W forces[4];
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W force = gelMulMVW( f.axes, gelMulSymVW( Z, g[k] ) );
		forces[k + 1] = gelScaleVecW( gelSplatW( -pass->forceScale ), force );
		gelVec3W h = gelMulMVW( f.axes, g[k] );
		gelStoreW( block->gradient[3 * k], h.x );
		gelStoreW( block->gradient[3 * k + 1], h.y );
		gelStoreW( block->gradient[3 * k + 2], h.z );
	}
	if ( left != 0 ) gelDropForcesW( left, forces );
	gelScatterForcesW( ( (const gelStiffnessBlock*)block )->node, forces, pass->forces );
	gelStoreW( block->a, gelMulW( s, mu ) );
	gelStoreW( block->b, gelMulW( s, mu ) );
	gelStoreW( block->c, gelMulW( s, lambda ) );
}

static bool UpdateQr_W( const gelImplicitPass* pass )
{
	for ( int i = 0; i < pass->blockCount; ++i )
		gelUpdateQrBlockW( pass, i );
	return true;
}
