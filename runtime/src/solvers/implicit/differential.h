// SPDX-License-Identifier: MIT
// Derivatives of the corotated stress in twist form. With F = R S, e = S - I, Y = R^T dF, and y the axial
// vector of the skew part of Y,
//
//     P  = R { 2 mu e + lambda tr(e) I }
//     dP = R { 2 mu sym(Y) + lambda tr(Y) I + [T y]x }
//     T  = 2 mu I + 2 (lambda tr(e) - 2 mu) H^-1,  H = tr(S) I - S                            exactly
//
// (Civit-Flores, Eq. 3.13 and 3.16; the inner contraction of 3.13 is twice the axial vector, the outer one
// builds [w]x.) The variants differ in the twist stiffness T only:
//
//     1    2 mu I                    rotation not differentiated (Eq. 3.19)
//     2    0                         stiffness matrix of the rest shape, turned (Eq. 3.21)
//     H    2 mu gamma I              gamma = mean of |e_ii|, at most 1 (Eq. 3.22, 3.23)
//     X    2 mu gamma I              gamma = T averaged over the axes of an isotropic S, at least 0
//     C    T, eigenvalues >= 0       the nearest one without negative curvature
//
// An element multiplies all by its rest volume V, and turns its frame into that of the world: with h_i = R
// g_i and L = sum dx_i h_i^T = R Y R^T, the change of the force on corner i is -V dP g_i = -Z h_i,
//
//     Z = a L + b L^T + c tr(L) I + [T' y']x,   a = V mu + t,  b = V mu - t,  c = V lambda
//
// where t = V mu gamma is the mean twist stiffness and T' = R T R^T - 2 t I what is left of T. Here is X,
// which is the default; the warp-cancelling solver uses 2. The others are in
// solvers/experiments/twist_tensor.h.
#pragma once

#include "gelpack/experimental.h"
#include "math/gel_math.h"

#include <float.h>

/// Eigenvalues of H below this are taken for it: they vanish where two stretches cancel, and the rotation of
/// such an element has no derivative.
#define GEL_MIN_TURN_STIFFNESS 0.05f

static inline float gelSymTrace( gelSym3 m )
{
	return m.xx + m.yy + m.zz;
}

static inline gelVec3 gelMulSymV( gelSym3 m, gelVec3 v )
{
	return ( gelVec3 ){ m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
		m.xz * v.x + m.yz * v.y + m.zz * v.z };
}

/// s m + d I
static inline gelSym3 gelScaleSymAdd( float s, gelSym3 m, float d )
{
	return ( gelSym3 ){ s * m.xx + d, s * m.yy + d, s * m.zz + d, s * m.xy, s * m.xz, s * m.yz };
}

/// Mean twist stiffness t = V mu gamma of X [J].
static inline float gelMeanTwist( gelSym3 e, float muVolume, float lambdaVolume )
{
	float trace = gelSymTrace( e ), size = 3.0f + trace;
	float mean = muVolume - ( muVolume - 0.5f * lambdaVolume * trace ) * ( 3.0f / size );
	return size > 0.0f ? gelMaxFloat( mean, 0.0f ) : 0.0f;
}

/// What the rotation adds to the stress of an element with plastic strain p. Without it P = R Z is the
/// gradient of the energy, since Z = 2 mu (e - p) + lambda tr(e - p) I commutes with S = I + e; p does not,
/// and the element would turn as a whole, by itself. The gradient is P = R (Z + [q]x) with
///     q = H^-1 axl2( S Z ) = -2 mu H^-1 axl2( e p ),  axl2(Y) = (Y32 - Y23, Y13 - Y31, Y21 - Y12)
/// With principal stretches s the parts of H^-1 axl2( e p ) are p_jk (s_j - s_k) / (s_j + s_k): while all are
/// positive, |q| <= sqrt(2) mu |p|. Elements that are not healthy are held to that; H is singular somewhere
/// among them, and q would tear the body apart.
/// @param e total strain @return V q [J]
static inline gelVec3 gelPlasticTwist( gelSym3 e, gelSym3 p, float muVolume )
{
	gelVec3 e1 = { e.xx, e.xy, e.xz }, e2 = { e.xy, e.yy, e.yz }, e3 = { e.xz, e.yz, e.zz };
	gelVec3 p1 = { p.xx, p.xy, p.xz }, p2 = { p.xy, p.yy, p.yz }, p3 = { p.xz, p.yz, p.zz };
	gelVec3 y = { gelDot( e3, p2 ) - gelDot( e2, p3 ), gelDot( e1, p3 ) - gelDot( e3, p1 ),
		gelDot( e2, p1 ) - gelDot( e1, p2 ) };
	gelSym3 H = gelScaleSymAdd( -1.0f, e, 2.0f + gelSymTrace( e ) );
	gelVec3 h1 = { H.xx, H.xy, H.xz }, h2 = { H.xy, H.yy, H.yz }, h3 = { H.xz, H.yz, H.zz };
	gelMat3 C = { gelCross( h2, h3 ), gelCross( h3, h1 ), gelCross( h1, h2 ) };
	// a healthy element has det H > 0; as small as this only where two stretches vanish
	float det = gelMaxFloat( gelDot( h1, C.cx ), GEL_MIN_TURN_STIFFNESS );
	gelVec3 r = gelScale( 1.0f / det, gelMulMV( C, y ) );
	float limit = 0.5f * ( gelDot( p1, p1 ) + gelDot( p2, p2 ) + gelDot( p3, p3 ) );
	float part = gelMinFloat( sqrtf( limit / gelMaxFloat( gelDot( r, r ), FLT_MIN ) ), 1.0f );
	return gelScale( -2.0f * muVolume * part, r );
}
