// SPDX-License-Identifier: MIT
// Twist stiffness of the variants that experiments compare, in the terms of differential.h.
#pragma once

#include "solvers/implicit/differential.h"

/// Sweeps of Jacobi rotations; the fourth changes nothing that float can show.
#define GEL_EIGEN_SWEEPS 4

/// Whether a variant needs more than a mean twist stiffness.
static inline bool gelHasTwistTensor( gelDifferential differential )
{
	return differential == gel_differentialExact || differential == gel_differentialC;
}

/// Mean twist stiffness t = V mu gamma of a variant [J]. The tensor variants keep the mean of X.
static inline float gelVariantTwist(
	gelDifferential differential, gelSym3 e, float muVolume, float lambdaVolume )
{
	switch ( differential )
	{
		case gel_differentialOne:
			return muVolume;
		case gel_differentialTwo:
			return 0.0f;
		case gel_differentialH:
			return muVolume *
				gelMinFloat( ( 1.0f / 3.0f ) * ( fabsf( e.xx ) + fabsf( e.yy ) + fabsf( e.zz ) ), 1.0f );
		default:
			return gelMeanTwist( e, muVolume, lambdaVolume );
	}
}

/// Eigenvectors (columns) and eigenvalues of a symmetric matrix, by Jacobi rotations.
typedef struct gelEigen3
{
	float value[3];
	gelVec3 vector[3];
} gelEigen3;

// One rotation in the plane of p and q; r is the third axis. Tangent of the angle: the smaller root.
static inline void gelJacobiRotate(
	float* pp, float* qq, float* pq, float* pr, float* qr, gelVec3* p, gelVec3* q )
{
	float d = *qq - *pp, twice = 2.0f * *pq;
	float root = sqrtf( d * d + twice * twice );
	float t = twice / ( gelMaxFloat( fabsf( d ) + root, FLT_MIN ) );
	t = d < 0.0f ? -t : t;
	float c = 1.0f / sqrtf( t * t + 1.0f ), s = t * c;
	float change = t * *pq;
	*pp -= change;
	*qq += change;
	*pq = 0.0f;
	float oldPr = *pr, oldQr = *qr;
	*pr = c * oldPr - s * oldQr;
	*qr = s * oldPr + c * oldQr;
	gelVec3 oldP = *p, oldQ = *q;
	*p = gelSub( gelScale( c, oldP ), gelScale( s, oldQ ) );
	*q = gelAdd( gelScale( s, oldP ), gelScale( c, oldQ ) );
}

static inline gelEigen3 gelDecomposeSym( gelSym3 m )
{
	gelEigen3 eigen;
	eigen.vector[0] = gelMakeVec3( 1.0f, 0.0f, 0.0f );
	eigen.vector[1] = gelMakeVec3( 0.0f, 1.0f, 0.0f );
	eigen.vector[2] = gelMakeVec3( 0.0f, 0.0f, 1.0f );
	for ( int sweep = 0; sweep < GEL_EIGEN_SWEEPS; ++sweep )
	{
		gelJacobiRotate( &m.xx, &m.yy, &m.xy, &m.xz, &m.yz, eigen.vector, eigen.vector + 1 );
		gelJacobiRotate( &m.xx, &m.zz, &m.xz, &m.xy, &m.yz, eigen.vector, eigen.vector + 2 );
		gelJacobiRotate( &m.yy, &m.zz, &m.yz, &m.xy, &m.xz, eigen.vector + 1, eigen.vector + 2 );
	}
	eigen.value[0] = m.xx;
	eigen.value[1] = m.yy;
	eigen.value[2] = m.zz;
	return eigen;
}

/// T - 2 t I in the frame of the element [J], from the eigenvalues of H.
static inline gelSym3 gelTwistTensor(
	gelDifferential differential, gelSym3 e, float muVolume, float lambdaVolume, float mean )
{
	float trace = gelSymTrace( e ), lowest = differential == gel_differentialC ? 0.0f : -FLT_MAX;
	float k = 2.0f * ( lambdaVolume * trace - 2.0f * muVolume );
	// H = (3 + tr e) I - (I + e)
	gelEigen3 eigen = gelDecomposeSym( gelScaleSymAdd( -1.0f, e, 2.0f + trace ) );
	gelSym3 T = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < 3; ++i )
	{
		float value = 2.0f * muVolume + k / gelMaxFloat( eigen.value[i], GEL_MIN_TURN_STIFFNESS );
		value = gelMaxFloat( value, lowest ) - 2.0f * mean;
		gelVec3 v = eigen.vector[i], w = gelScale( value, v );
		T.xx += w.x * v.x;
		T.yy += w.y * v.y;
		T.zz += w.z * v.z;
		T.xy += w.x * v.y;
		T.xz += w.x * v.z;
		T.yz += w.y * v.z;
	}
	return T;
}

/// R m R^T
static inline gelSym3 gelTurnSym( gelMat3 R, gelSym3 m )
{
	gelVec3 x = gelMulMV( R, gelMakeVec3( m.xx, m.xy, m.xz ) ); // columns of R m
	gelVec3 y = gelMulMV( R, gelMakeVec3( m.xy, m.yy, m.yz ) );
	gelVec3 z = gelMulMV( R, gelMakeVec3( m.xz, m.yz, m.zz ) );
	return ( gelSym3 ){ x.x * R.cx.x + y.x * R.cy.x + z.x * R.cz.x,
		x.y * R.cx.y + y.y * R.cy.y + z.y * R.cz.y, x.z * R.cx.z + y.z * R.cy.z + z.z * R.cz.z,
		x.x * R.cx.y + y.x * R.cy.y + z.x * R.cz.y, x.x * R.cx.z + y.x * R.cy.z + z.x * R.cz.z,
		x.y * R.cx.z + y.y * R.cy.z + z.y * R.cz.z };
}
