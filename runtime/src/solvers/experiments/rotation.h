// SPDX-License-Identifier: MIT
// The question that every corotated solver asks per tet: which rotation R belongs to a deformation gradient
// F? For healthy elements all methods but QR give the polar factor. They differ in what they do with
// elements that are flat or inside out (J = det F below a threshold alpha):
//
//   PD       polar factor; a reflection for J < 0, which pulls the element to its mirror image
//   QR       Gram-Schmidt on the columns of F (Nesme, Payan, Faure 2005): cheap, depends on the material axes
//   ISVD     singular values, the sign of J in the smallest (Irving, Teran, Fedkiw 2004)
//   CSVD     ISVD that keeps the axis of its inversion over time (Schmedding, Teschner 2008)
//   APD      Newton on SO(3) from the last rotation (polar.h): the minimizer of ISVD, damped in time
//   Project, Reflect, DAPD  polar factor of a displaced, valid configuration (degenerate.h)
#pragma once

#include "solvers/implicit/degenerate.h"

/// Whether this method displaces degenerate elements, and hence wants gelUpdateWitness after each step.
static inline bool gelUsesWitness( gelRotationKind kind )
{
	return kind == gel_rotationDapd || kind == gel_rotationProject || kind == gel_rotationReflect;
}

/// What a variant asks for.
gelRotationParams gelMakeRotationParams( const gelImplicitVariant* variant );

/// F -> Fbar in float. @return false: lost
bool gelDisplaceGradient(
	const gelRotationParams* params, const gelVec3 gradients[3], gelWitness witness, gelMat3* F );

/// The gradient of the energy by way of Rbar, gelRotationParams.getRotationStress.
gelMat3d gelGetRotationStress( const gelDisplacement* d, double alpha, gelMat3d F, gelMat3d R, gelMat3d Z );

/// The rotation of an element. The witness is read, not changed, but for CSVD: gelUpdateWitness does that
/// once per step.
/// An F with entries that are not finite gives the last rotation back.
/// @param gradients of the shape functions of corners 1 to 3 [1/m]; read by DAPD, Project and Reflect
/// @return orthonormal, determinant 1 (PD: -1 for J < 0)
gelMat3 gelExtractRotation(
	const gelRotationParams* params, gelMat3 F, const gelVec3 gradients[3], gelRotationState* state );

/// Rotation U V^T of the signed singular value decomposition F = U diag(s) V^T, and what it was made of.
typedef struct gelSignedSvd
{
	gelMat3 U, V; // rotations
	float s[3];   // s[0] >= s[1] >= |s[2]|; s[2] has the sign of det F
} gelSignedSvd;

/// @param last where F leaves the rotation open, as near to this one as is easy
gelSignedSvd gelComputeSignedSvd( gelMat3 F, gelMat3 last );

gelMat3 gelRotationIsvd( gelMat3 F, gelMat3 last );

/// @param isInverted whether the element was inverted when `last` was found; updated
gelMat3 gelRotationCsvd( gelMat3 F, gelMat3 last, bool* isInverted );

/// Gram-Schmidt on F's columns, x first; the third axis is their cross product. Columns that vanish keep the
/// axes of `last` as far as they can.
gelMat3 gelRotationQr( gelMat3 F, gelMat3 last );

/// Unit quaternion of a rotation matrix.
gelQuat gelMakeQuatFromMat3( gelMat3 R );

/// Unit vector orthogonal to the unit vector n, nearest to the unit vector a; to b, orthogonal to a, where a
/// is nearly along n.
static inline gelVec3 gelMakeOrthogonal( gelVec3 n, gelVec3 a, gelVec3 b )
{
	gelVec3 r = gelMulAdd( a, -gelDot( a, n ), n );
	if ( gelLengthSquared( r ) < 0.25f ) r = gelMulAdd( b, -gelDot( b, n ), n );
	return gelScale( 1.0f / gelLength( r ), r );
}
