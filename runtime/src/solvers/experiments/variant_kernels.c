// SPDX-License-Identifier: MIT
// Element loops of experiments, eight tets at a time. Twins of twist_tensor.h and qr_element.c, operation by
// operation.
#include "solvers/experiments/variant_kernels.h"

#include "solvers/experiments/twist_tensor.h"
#include "solvers/implicit/wide_implicit.h"

GEL_FORCE_INLINE gelFloatW gelVariantTwistW(
	gelDifferential differential, gelSym3W e, gelFloatW muVolume, gelFloatW lambdaVolume )
{
	gelFloatW zero = gelSplatW( 0.0f );
	if ( differential == gel_differentialOne ) return muVolume;
	if ( differential == gel_differentialTwo ) return zero;
	if ( differential == gel_differentialH )
	{
		gelFloatW sum = gelSum3W( gelAbsW( e.xx ), gelAbsW( e.yy ), gelAbsW( e.zz ) );
		return gelMulW( muVolume, gelMinW( gelMulW( gelSplatW( 1.0f / 3.0f ), sum ), gelSplatW( 1.0f ) ) );
	}
	return gelMeanTwistW( e, muVolume, lambdaVolume );
}

GEL_FORCE_INLINE void gelJacobiRotateW(
	gelFloatW* pp, gelFloatW* qq, gelFloatW* pq, gelFloatW* pr, gelFloatW* qr, gelVec3W* p, gelVec3W* q )
{
	gelFloatW zero = gelSplatW( 0.0f ), one = gelSplatW( 1.0f );
	gelFloatW d = gelSubW( *qq, *pp ), twice = gelMulW( gelSplatW( 2.0f ), *pq );
	gelFloatW root = gelSqrtW( gelAddW( gelMulW( d, d ), gelMulW( twice, twice ) ) );
	gelFloatW t = gelDivW( twice, gelMaxW( gelAddW( gelAbsW( d ), root ), gelSplatW( FLT_MIN ) ) );
	t = gelSelectW( gelGreaterW( zero, d ), gelNegW( t ), t );
	gelFloatW c = gelDivW( one, gelSqrtW( gelAddW( gelMulW( t, t ), one ) ) ), s = gelMulW( t, c );
	gelFloatW change = gelMulW( t, *pq );
	*pp = gelSubW( *pp, change );
	*qq = gelAddW( *qq, change );
	*pq = zero;
	gelFloatW oldPr = *pr, oldQr = *qr;
	*pr = gelSubW( gelMulW( c, oldPr ), gelMulW( s, oldQr ) );
	*qr = gelAddW( gelMulW( s, oldPr ), gelMulW( c, oldQr ) );
	gelVec3W oldP = *p, oldQ = *q;
	*p = gelSubVecW( gelScaleVecW( c, oldP ), gelScaleVecW( s, oldQ ) );
	*q = gelAddVecW( gelScaleVecW( s, oldP ), gelScaleVecW( c, oldQ ) );
}

GEL_FORCE_INLINE gelSym3W gelTwistTensorW(
	gelDifferential differential, gelSym3W e, gelFloatW muVolume, gelFloatW lambdaVolume, gelFloatW mean )
{
	gelFloatW zero = gelSplatW( 0.0f ), one = gelSplatW( 1.0f ), two = gelSplatW( 2.0f );
	gelFloatW trace = gelSum3W( e.xx, e.yy, e.zz );
	gelFloatW lowest = gelSplatW( differential == gel_differentialC ? 0.0f : -FLT_MAX );
	gelFloatW k = gelMulW( two, gelSubW( gelMulW( lambdaVolume, trace ), gelMulW( two, muVolume ) ) );
	gelSym3W m = gelScaleSymAddW( gelSplatW( -1.0f ), e, gelAddW( two, trace ) );
	gelVec3W v[3] = { { one, zero, zero }, { zero, one, zero }, { zero, zero, one } };
	for ( int sweep = 0; sweep < GEL_EIGEN_SWEEPS; ++sweep )
	{
		gelJacobiRotateW( &m.xx, &m.yy, &m.xy, &m.xz, &m.yz, v, v + 1 );
		gelJacobiRotateW( &m.xx, &m.zz, &m.xz, &m.xy, &m.yz, v, v + 2 );
		gelJacobiRotateW( &m.yy, &m.zz, &m.yz, &m.xy, &m.xz, v + 1, v + 2 );
	}
	gelFloatW values[3] = { m.xx, m.yy, m.zz };
	gelSym3W T = { zero, zero, zero, zero, zero, zero };
	for ( int i = 0; i < 3; ++i )
	{
		gelFloatW bounded = gelMaxW( values[i], gelSplatW( GEL_MIN_TURN_STIFFNESS ) );
		gelFloatW value = gelAddW( gelMulW( two, muVolume ), gelDivW( k, bounded ) );
		value = gelSubW( gelMaxW( value, lowest ), gelMulW( two, mean ) );
		gelVec3W w = gelScaleVecW( value, v[i] );
		T.xx = gelAddW( T.xx, gelMulW( w.x, v[i].x ) );
		T.yy = gelAddW( T.yy, gelMulW( w.y, v[i].y ) );
		T.zz = gelAddW( T.zz, gelMulW( w.z, v[i].z ) );
		T.xy = gelAddW( T.xy, gelMulW( w.x, v[i].y ) );
		T.xz = gelAddW( T.xz, gelMulW( w.x, v[i].z ) );
		T.yz = gelAddW( T.yz, gelMulW( w.y, v[i].z ) );
	}
	return T;
}

GEL_FORCE_INLINE gelSym3W gelTurnSymW( gelMat3W R, gelSym3W m )
{
	gelVec3W x = gelMulMVW( R, ( gelVec3W ){ m.xx, m.xy, m.xz } );
	gelVec3W y = gelMulMVW( R, ( gelVec3W ){ m.xy, m.yy, m.yz } );
	gelVec3W z = gelMulMVW( R, ( gelVec3W ){ m.xz, m.yz, m.zz } );
	return ( gelSym3W ){ gelSum3W( gelMulW( x.x, R.cx.x ), gelMulW( y.x, R.cy.x ), gelMulW( z.x, R.cz.x ) ),
		gelSum3W( gelMulW( x.y, R.cx.y ), gelMulW( y.y, R.cy.y ), gelMulW( z.y, R.cz.y ) ),
		gelSum3W( gelMulW( x.z, R.cx.z ), gelMulW( y.z, R.cy.z ), gelMulW( z.z, R.cz.z ) ),
		gelSum3W( gelMulW( x.x, R.cx.y ), gelMulW( y.x, R.cy.y ), gelMulW( z.x, R.cz.y ) ),
		gelSum3W( gelMulW( x.x, R.cx.z ), gelMulW( y.x, R.cy.z ), gelMulW( z.x, R.cz.z ) ),
		gelSum3W( gelMulW( x.y, R.cx.z ), gelMulW( y.y, R.cy.z ), gelMulW( z.y, R.cz.z ) ) };
}

GEL_FORCE_INLINE void gelStoreTwistW( gelFloatW s, gelSym3W T, float ( *rows )[GEL_LANES] )
{
	gelStoreW( rows[0], gelMulW( s, T.xx ) );
	gelStoreW( rows[1], gelMulW( s, T.yy ) );
	gelStoreW( rows[2], gelMulW( s, T.zz ) );
	gelStoreW( rows[3], gelMulW( s, T.xy ) );
	gelStoreW( rows[4], gelMulW( s, T.xz ) );
	gelStoreW( rows[5], gelMulW( s, T.yz ) );
}

static bool UpdateVariant_W( const gelImplicitPass* pass )
{
	int usable = 0xFF;
	for ( int i = 0; i < pass->blockCount; ++i )
	{
		gelMat3W R;
		gelSym3W e = gelUpdateBlockW( pass, i, &R, &usable );
		gelFloatW mu = gelLoadW( pass->elements[i].muVolume );
		gelFloatW lambda = gelLoadW( pass->lambdaVolumes + GEL_LANES * (size_t)i );
		gelFloatW t = gelVariantTwistW( pass->differential, e, mu, lambda );
		gelStoreStiffnessW( pass, i, R, t );
		if ( pass->twists == NULL ) continue;
		gelSym3W T = gelTwistTensorW( pass->differential, e, mu, lambda, t );
		gelStoreTwistW( gelSplatW( pass->stiffnessScale ), gelTurnSymW( R, T ), pass->twists[i].T );
	}
	return usable == 0xFF;
}

static void MultiplyTwisted_W( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y )
{
	for ( int i = 0; i < stiffness->blockCount; ++i )
		gelMultiplyBlockW( stiffness->blocks + i, stiffness->twists + i, x, y );
}

// ---- the element of Nesme et al., twin of qr_element.c ---------------------------------------------------

// Frame and coordinates of eight deformed tets.
typedef struct gelQrFrameW
{
	gelMat3W axes;
	gelFloatW xb, xc, yc, xd, yd, zd;
} gelQrFrameW;

GEL_FORCE_INLINE gelQrFrameW gelMakeQrFrameW( const gelImplicitPass* pass, const gelQrBlock* qr, int i )
{
	const gelStiffnessBlock* block = pass->blocks + i;
	gelNodesW n0 = gelGatherW( pass->u, block->node[0] );
	gelVec3W u0 = { n0.x, n0.y, n0.z }, e[3];
	for ( int k = 0; k < 3; ++k )
	{
		gelNodesW n = gelGatherW( pass->u, block->node[k + 1] );
		gelVec3W change = gelSubVecW( ( gelVec3W ){ n.x, n.y, n.z }, u0 );
		e[k] = gelAddVecW( gelLoadGradientW( qr->edge, k ), change );
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

GEL_FORCE_INLINE void gelUpdateQrBlockW( const gelImplicitPass* pass, const gelQrBlock* qr, int i )
{
	gelStiffnessBlock* block = pass->blocks + i;
	gelQrFrameW f = gelMakeQrFrameW( pass, qr, i );
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

static void UpdateQr_W( const gelImplicitPass* pass, const gelQrBlock* qr )
{
	for ( int i = 0; i < pass->blockCount; ++i )
		gelUpdateQrBlockW( pass, qr + i, i );
}

GEL_KERNELS( gelVariantKernels, gelGetVariantKernels ) = { UpdateVariant_W, UpdateQr_W, MultiplyTwisted_W };
