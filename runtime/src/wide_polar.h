// SPDX-License-Identifier: MIT
// Newton iterations of the polar decomposition, one per lane: gelPolarStep_Ref (polar.c, where the method is
// explained), lane by lane with the same bits.
#pragma once

#include "wide_math.h"

#include "polar.h"

#include <float.h>

// Symmetric 3x3 matrices.
typedef struct gelSym3W
{
	gelFloatW xx, yy, zz, xy, xz, yz;
} gelSym3W;

// Cofactors and determinant.
typedef struct gelCofactorsW
{
	gelFloatW xx, xy, xz, yy, yz, zz, det;
} gelCofactorsW;

GEL_FORCE_INLINE gelCofactorsW gelCofactorsOfW( gelSym3W h )
{
	gelCofactorsW c;
	c.xx = gelMulSubW( h.yy, h.zz, h.yz, h.yz );
	c.xy = gelMulSubW( h.xz, h.yz, h.xy, h.zz );
	c.xz = gelMulSubW( h.xy, h.yz, h.xz, h.yy );
	c.yy = gelMulSubW( h.xx, h.zz, h.xz, h.xz );
	c.yz = gelMulSubW( h.xy, h.xz, h.xx, h.yz );
	c.zz = gelMulSubW( h.xx, h.yy, h.xy, h.xy );
	c.det = gelAddW( gelAddW( gelMulW( h.xx, c.xx ), gelMulW( h.xy, c.xy ) ), gelMulW( h.xz, c.xz ) );
	return c;
}

GEL_FORCE_INLINE gelVec3W gelSolveSym3W( gelSym3W h, gelCofactorsW c, gelVec3W r )
{
	gelFloatW trace = gelAddW( gelAddW( h.xx, h.yy ), h.zz );
	gelFloatW floor = gelMulW( gelMulW( gelMulW( gelSplatW( 1.0e-6f ), trace ), trace ), trace );
	gelFloatW bounded = gelMaxW( gelMaxW( c.det, floor ), gelSplatW( FLT_MIN ) );
	gelFloatW inv = gelDivW( gelSplatW( 1.0f ), bounded );
	return ( gelVec3W ){ gelMulW( inv, gelDotW( ( gelVec3W ){ c.xx, c.xy, c.xz }, r ) ),
		gelMulW( inv, gelDotW( ( gelVec3W ){ c.xy, c.yy, c.yz }, r ) ),
		gelMulW( inv, gelDotW( ( gelVec3W ){ c.xz, c.yz, c.zz }, r ) ) };
}

GEL_FORCE_INLINE gelFloatW gelMaxEntryW( gelMat3W m )
{
	gelFloatW x = gelMaxW( gelMaxW( gelAbsW( m.cx.x ), gelAbsW( m.cy.x ) ), gelAbsW( m.cz.x ) );
	gelFloatW y = gelMaxW( gelMaxW( gelAbsW( m.cx.y ), gelAbsW( m.cy.y ) ), gelAbsW( m.cz.y ) );
	gelFloatW z = gelMaxW( gelMaxW( gelAbsW( m.cx.z ), gelAbsW( m.cy.z ) ), gelAbsW( m.cz.z ) );
	return gelMaxW( gelMaxW( x, y ), z );
}

GEL_FORCE_INLINE gelMaskW gelHasNegativeMinorW( gelSym3W h, gelCofactorsW c )
{
	gelFloatW one = gelMinW( h.xx, gelMinW( h.yy, h.zz ) );
	gelFloatW two = gelMinW( c.zz, gelMinW( c.yy, c.xx ) );
	return gelGreaterW( gelSplatW( -1.0e-3f ), gelMinW( one, gelMinW( two, c.det ) ) );
}

// The step of lanes whose Hessian is not positive definite.
GEL_FORCE_INLINE gelVec3W gelShiftedStepW( gelSym3W h, gelCofactorsW c, gelVec3W s, gelVec3W axl )
{
	gelFloatW squares = gelDotW( s, s );
	gelFloatW mixed =
		gelAddW( gelAddW( gelMulW( h.xy, h.xy ), gelMulW( h.xz, h.xz ) ), gelMulW( h.yz, h.yz ) );
	gelFloatW norm = gelSqrtW( gelAddW( squares, gelMulW( gelSplatW( 2.0f ), mixed ) ) );
	gelFloatW sigma = gelSubW( gelMulW( gelSplatW( 1.1f ), norm ), gelAddW( gelAddW( s.x, s.y ), s.z ) );
	gelSym3W shifted = h;
	shifted.xx = gelAddW( h.xx, sigma );
	shifted.yy = gelAddW( h.yy, sigma );
	shifted.zz = gelAddW( h.zz, sigma );
	gelVec3W dw = gelSolveSym3W( shifted, gelCofactorsOfW( shifted ), axl );
	gelMaskW stuck =
		gelAndW( gelGreaterW( gelSplatW( 1.0e-8f ), gelDotW( axl, axl ) ), gelHasNegativeMinorW( h, c ) );
	gelVec3W away = { gelSplatW( 0.31f ), gelSplatW( 0.23f ), gelSplatW( 0.17f ) };
	return gelSelectVecW( stuck, away, dw );
}

// q times the rotation by dw, shortened, with first-order renormalisation. @param outLength2 of the product
// before it was renormalised
GEL_FORCE_INLINE gelNodesW gelTurnAndMeasureW( gelNodesW q, gelVec3W dw, gelFloatW* outLength2 )
{
	gelFloatW L = gelDotW( dw, dw );
	gelFloatW t = gelAddW( gelSplatW( 1.0f ), gelMulW( L, gelSplatW( 1.0f / 1.6f ) ) );
	gelFloatW a = gelMulW( gelSplatW( 0.0625f ), L );
	gelFloatW inv = gelDivW( gelSplatW( 1.0f ), gelAddW( t, a ) );
	gelVec3W p = gelScaleVecW( gelMulW( gelMulW( gelSplatW( 0.5f ), gelSqrtW( t ) ), inv ), dw );
	gelFloatW ps = gelMulW( gelSubW( t, a ), inv );
	gelVec3W v = { q.x, q.y, q.z }, c = gelCrossW( v, p );
	gelVec3W r = { gelAddW( gelAddW( c.x, gelMulW( q.w, p.x ) ), gelMulW( ps, v.x ) ),
		gelAddW( gelAddW( c.y, gelMulW( q.w, p.y ) ), gelMulW( ps, v.y ) ),
		gelAddW( gelAddW( c.z, gelMulW( q.w, p.z ) ), gelMulW( ps, v.z ) ) };
	gelFloatW rs = gelSubW( gelMulW( q.w, ps ), gelDotW( v, p ) );
	gelFloatW length2 = gelAddW( gelDotW( r, r ), gelMulW( rs, rs ) );
	*outLength2 = length2;
	gelFloatW n = gelSubW( gelSplatW( 1.5f ), gelMulW( gelSplatW( 0.5f ), length2 ) );
	return ( gelNodesW ){ gelMulW( n, r.x ), gelMulW( n, r.y ), gelMulW( n, r.z ), gelMulW( n, rs ) };
}

GEL_FORCE_INLINE gelNodesW gelTurnW( gelNodesW q, gelVec3W dw )
{
	gelFloatW length2;
	return gelTurnAndMeasureW( q, dw, &length2 );
}

// The step of lanes whose element is inverted, nearly flat, or of a size far from its rest size.
GEL_FORCE_INLINE gelVec3W gelRareIncrementW( gelMat3W F, gelMat3W Y )
{
	gelFloatW zero = gelSplatW( 0.0f ), size = gelMaxEntryW( F );
	gelFloatW scale =
		gelSelectW( gelGreaterW( size, gelSplatW( FLT_MIN ) ), gelDivW( gelSplatW( 1.0f ), size ), zero );
	gelFloatW halfScale = gelMulW( gelSplatW( 0.5f ), scale );
	gelVec3W axl = { gelMulW( scale, gelSubW( Y.cy.z, Y.cz.y ) ), gelMulW( scale, gelSubW( Y.cz.x, Y.cx.z ) ),
		gelMulW( scale, gelSubW( Y.cx.y, Y.cy.x ) ) };
	gelVec3W s = { gelMulW( scale, Y.cx.x ), gelMulW( scale, Y.cy.y ), gelMulW( scale, Y.cz.z ) };
	gelSym3W H = { gelAddW( s.y, s.z ), gelAddW( s.x, s.z ), gelAddW( s.x, s.y ),
		gelNegW( gelMulW( halfScale, gelAddW( Y.cx.y, Y.cy.x ) ) ),
		gelNegW( gelMulW( halfScale, gelAddW( Y.cx.z, Y.cz.x ) ) ),
		gelNegW( gelMulW( halfScale, gelAddW( Y.cy.z, Y.cz.y ) ) ) };

	gelCofactorsW c = gelCofactorsOfW( H );
	gelMaskW definite = gelAndW(
		gelAndW( gelGreaterW( H.xx, zero ), gelGreaterW( c.zz, zero ) ), gelGreaterW( c.det, zero ) );
	return gelSelectVecW( definite, gelSolveSym3W( H, c, axl ), gelShiftedStepW( H, c, s, axl ) );
}

// The Newton increment of one iteration. Quaternions are x y z w, w the scalar part.
GEL_FORCE_INLINE gelVec3W gelPolarIncrementW( gelMat3W F, gelNodesW q )
{
	gelMat3W Y = gelMulTransposedMMW( gelMakeMatFromQuatW( q ), F );
	gelVec3W axl = { gelSubW( Y.cy.z, Y.cz.y ), gelSubW( Y.cz.x, Y.cx.z ), gelSubW( Y.cx.y, Y.cy.x ) };
	gelFloatW xx = gelAddW( Y.cy.y, Y.cz.z ), yy = gelAddW( Y.cx.x, Y.cz.z ), zz = gelAddW( Y.cx.x, Y.cy.y );
	gelFloatW oxy = gelAddW( Y.cx.y, Y.cy.x ), oxz = gelAddW( Y.cx.z, Y.cz.x ),
			  oyz = gelAddW( Y.cy.z, Y.cz.y );
	xx = gelAddW( xx, xx );
	yy = gelAddW( yy, yy );
	zz = gelAddW( zz, zz );
	gelVec3W cx = { gelMulSubW( yy, zz, oyz, oyz ), gelAddW( gelMulW( oxz, oyz ), gelMulW( oxy, zz ) ),
		gelAddW( gelMulW( oxy, oyz ), gelMulW( oxz, yy ) ) };
	gelVec3W cy = { cx.y, gelMulSubW( xx, zz, oxz, oxz ),
		gelAddW( gelMulW( oxy, oxz ), gelMulW( oyz, xx ) ) };
	gelVec3W cz = { cx.z, cy.z, gelMulSubW( xx, yy, oxy, oxy ) };
	gelFloatW det = gelSubW( gelSubW( gelMulW( xx, cx.x ), gelMulW( oxy, cx.y ) ), gelMulW( oxz, cx.z ) );

	gelFloatW zero = gelSplatW( 0.0f );
	gelMaskW isUsual = gelAndW( gelAndW( gelGreaterW( xx, zero ), gelGreaterW( cz.z, zero ) ),
		gelAndW( gelGreaterW( det, gelSplatW( GEL_MIN_DETERMINANT ) ),
			gelGreaterW( gelSplatW( GEL_MAX_DETERMINANT ), det ) ) );
	gelFloatW trace = gelAddW( gelAddW( xx, yy ), zz );
	gelFloatW floor = gelMulW( gelMulW( gelMulW( gelSplatW( 1.0e-6f ), trace ), trace ), trace );
	gelFloatW inv = gelDivW( gelSplatW( 2.0f ), gelMaxW( det, floor ) );
	gelVec3W dw = { gelMulW( inv, gelDotW( cx, axl ) ), gelMulW( inv, gelDotW( cy, axl ) ),
		gelMulW( inv, gelDotW( cz, axl ) ) };
	if ( gelMaskBitsW( isUsual ) != GEL_ALL_LANES )
		dw = gelSelectVecW( isUsual, dw, gelRareIncrementW( F, Y ) );
	return dw;
}

// Lanes whose quaternion is near unit length.
GEL_FORCE_INLINE gelMaskW gelIsNearOneW( gelFloatW length2 )
{
	return gelAndW( gelGreaterW( length2, gelSplatW( 0.5f ) ), gelGreaterW( gelSplatW( 2.0f ), length2 ) );
}

GEL_FORCE_INLINE gelMaskW gelIsUnitW( gelNodesW q )
{
	gelVec3W v = { q.x, q.y, q.z };
	return gelIsNearOneW( gelAddW( gelDotW( v, v ), gelMulW( q.w, q.w ) ) );
}
