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

#include "math/gel_math.h"

#include <float.h>

/// Newton steps of APD at most. A warm start needs two or three, the first entry into degeneration a few
/// more.
#define GEL_APD_STEPS 12

typedef struct gelRotationParams
{
	gelRotationKind kind;
	float alpha;      // elements with J below this are degenerate
	float beta;       // DAPD: how far a degenerate element is displaced, >= 1
	bool exactForces; // DAPD: gradient of the energy instead of stress with a frozen rotation
} gelRotationParams;

/// DAPD, alpha 0.1, beta 3, approximate forces.
gelRotationParams gelDefaultRotationParams( void );

/// What an element keeps from one step to the next.
typedef struct gelRotationState
{
	gelQuat q;       // last rotation; PD with J < 0: that of -R
	uint8_t witness; // DAPD, Project, Reflect: gelWitness; CSVD: 1 while inverted; else 0
} gelRotationState;

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

static inline bool gelIsFiniteMat3( gelMat3 m )
{
	const gelVec3 columns[3] = { m.cx, m.cy, m.cz };
	bool finite = true;
	for ( int i = 0; i < 3; ++i )
		finite = finite && fabsf( columns[i].x ) <= FLT_MAX && fabsf( columns[i].y ) <= FLT_MAX &&
			fabsf( columns[i].z ) <= FLT_MAX;
	return finite;
}
