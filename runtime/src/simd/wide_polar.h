// SPDX-License-Identifier: MIT
// Newton iterations of the polar decomposition, one per lane: gelPolarStep_Ref (polar.c, where the method is
// explained), lane by lane with the same bits.
#pragma once

#include "simd/wide_math.h"

#include "math/polar.h"

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

// The step of lanes whose element is inverted, nearly flat, or of a size far from its rest size. Y is
// R^T F / 2.
GEL_FORCE_INLINE gelVec3W gelRareIncrementW( gelMat3W F, gelMat3W Y )
{
	gelFloatW zero = gelSplatW( 0.0f ), size = gelMaxEntryW( F );
	gelFloatW scale =
		gelSelectW( gelGreaterW( size, gelSplatW( FLT_MIN ) ), gelDivW( gelSplatW( 2.0f ), size ), zero );
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

// Newton steps as fractions, dw = 2 n / D, and T = D^2 + 2.5 |n|^2, A = |n|^2 / 4.
typedef struct gelPolarFractionW
{
	gelVec3W n;
	gelFloatW T, A;
} gelPolarFractionW;

GEL_FORCE_INLINE gelPolarFractionW gelMakePolarFractionW( gelVec3W n, gelFloatW D )
{
	gelFloatW N = gelDotW( n, n );
	gelFloatW T = gelAddW( gelMulW( D, D ), gelMulW( gelSplatW( 2.5f ), N ) );
	return ( gelPolarFractionW ){ n, T, gelMulW( gelSplatW( 0.25f ), N ) };
}

// Twice the Hessian and the gradient of a step, from Y = R^T F / 2.
typedef struct gelPolarSystemW
{
	gelVec3W axl;
	gelFloatW xx, yy, zz, oxy, oxz, oyz; // off the diagonal with the other sign
} gelPolarSystemW;

GEL_FORCE_INLINE gelPolarSystemW gelMakePolarSystemW( gelMat3W Y )
{
	gelPolarSystemW s = { { gelSubW( Y.cy.z, Y.cz.y ), gelSubW( Y.cz.x, Y.cx.z ), gelSubW( Y.cx.y, Y.cy.x ) },
		gelAddW( Y.cy.y, Y.cz.z ), gelAddW( Y.cx.x, Y.cz.z ), gelAddW( Y.cx.x, Y.cy.y ),
		gelAddW( Y.cx.y, Y.cy.x ), gelAddW( Y.cx.z, Y.cz.x ), gelAddW( Y.cy.z, Y.cz.y ) };
	s.xx = gelAddW( s.xx, s.xx );
	s.yy = gelAddW( s.yy, s.yy );
	s.zz = gelAddW( s.zz, s.zz );
	return s;
}

// Cofactors of twice the Hessian.
GEL_FORCE_INLINE gelMat3W gelPolarCofactorsW( const gelPolarSystemW* s )
{
	gelMat3W c;
	c.cx.x = gelMulSubW( s->yy, s->zz, s->oyz, s->oyz );
	c.cy.x = c.cx.y = gelAddW( gelMulW( s->oxz, s->oyz ), gelMulW( s->oxy, s->zz ) );
	c.cz.x = c.cx.z = gelAddW( gelMulW( s->oxy, s->oyz ), gelMulW( s->oxz, s->yy ) );
	c.cy.y = gelMulSubW( s->xx, s->zz, s->oxz, s->oxz );
	c.cz.y = c.cy.z = gelAddW( gelMulW( s->oxy, s->oxz ), gelMulW( s->oyz, s->xx ) );
	c.cz.z = gelMulSubW( s->xx, s->yy, s->oxy, s->oxy );
	return c;
}

// A Newton step is dw = 2 n / D.
typedef struct gelPolarQuotientW
{
	gelVec3W n;
	gelFloatW D, least; // D of usual steps is larger
} gelPolarQuotientW;

GEL_FORCE_INLINE gelPolarQuotientW gelSolvePolarW( const gelPolarSystemW* s, const gelMat3W* c )
{
	gelFloatW D = gelSubW(
		gelSubW( gelMulW( s->xx, c->cx.x ), gelMulW( s->oxy, c->cx.y ) ), gelMulW( s->oxz, c->cx.z ) );
	gelFloatW trace = gelAddW( gelAddW( s->xx, s->yy ), s->zz );
	gelFloatW cube = gelMulW( gelMulW( gelMulW( gelSplatW( GEL_MIN_POLAR_RATIO ), trace ), trace ), trace );
	return (
		gelPolarQuotientW ){ { gelDotW( c->cx, s->axl ), gelDotW( c->cy, s->axl ), gelDotW( c->cz, s->axl ) },
		D, gelAddW( cube, gelSplatW( GEL_MIN_POLAR_DETERMINANT ) ) };
}

// The turn of one iteration from q, of unit length, and with the length of q taken back to one.
// Quaternions are x y z w, w the scalar part.
GEL_FORCE_INLINE gelNodesW gelFinishTurnW( gelMat3W F, gelMat3W Y, gelFloatW length2, gelFloatW xx,
	gelFloatW czz, const gelPolarQuotientW* quotient )
{
	gelPolarFractionW step = gelMakePolarFractionW( quotient->n, quotient->D );
	gelFloatW zero = gelSplatW( 0.0f );
	gelMaskW isUsual = gelAndW( gelAndW( gelGreaterW( xx, zero ), gelGreaterW( czz, zero ) ),
		gelAndW( gelGreaterW( quotient->D, quotient->least ),
			gelGreaterW( gelSplatW( GEL_MAX_POLAR_DENOMINATOR ), gelAddW( step.T, step.A ) ) ) );
	if ( gelMaskBitsW( isUsual ) != GEL_ALL_LANES )
	{
		gelVec3W rare = gelScaleVecW( gelSplatW( 0.5f ), gelRareIncrementW( F, Y ) );
		step = gelMakePolarFractionW( gelSelectVecW( isUsual, quotient->n, rare ),
			gelSelectW( isUsual, quotient->D, gelSplatW( 1.0f ) ) );
	}
	gelFloatW unit = gelSubW( gelSplatW( 1.5f ), gelMulW( gelSplatW( 0.5f ), length2 ) );
	gelFloatW inv = gelDivW( unit, gelAddW( step.T, step.A ) );
	gelVec3W v = gelScaleVecW( gelMulW( gelSqrtW( step.T ), inv ), step.n );
	return ( gelNodesW ){ v.x, v.y, v.z, gelMulW( gelSubW( step.T, step.A ), inv ) };
}

GEL_FORCE_INLINE gelNodesW gelFindTurnW( gelMat3W F, gelNodesW q, gelFloatW* outLength2 )
{
	gelMat3W Y = gelMulTransposedMMW( gelMakeHalfMatFromQuatW( q ), F );
	gelPolarSystemW system = gelMakePolarSystemW( Y );
	gelMat3W cofactors = gelPolarCofactorsW( &system );
	gelPolarQuotientW quotient = gelSolvePolarW( &system, &cofactors );
	*outLength2 = gelLengthSquaredQuatW( q );
	return gelFinishTurnW( F, Y, *outLength2, system.xx, cofactors.cz.z, &quotient );
}

// Lanes whose quaternion of this squared length can be taken back to unit length; none that is no number.
// What is wrong with a quaternion shows at once in the positions that come from it: this finds those which
// move nothing, between pinned nodes.
GEL_FORCE_INLINE gelMaskW gelIsBoundedW( gelFloatW length2 )
{
	return gelGreaterW( gelSplatW( 2.0f ), length2 );
}

GEL_FORCE_INLINE gelNodesW gelPolarStepW( gelMat3W F, gelNodesW q )
{
	gelFloatW length2;
	return gelMulQuatW( q, gelFindTurnW( F, q, &length2 ) );
}

// Lanes whose quaternion is near unit length.
GEL_FORCE_INLINE gelMaskW gelIsUnitW( gelNodesW q )
{
	gelFloatW length2 = gelLengthSquaredQuatW( q );
	return gelAndW( gelGreaterW( length2, gelSplatW( 0.5f ) ), gelGreaterW( gelSplatW( 2.0f ), length2 ) );
}
