// SPDX-License-Identifier: MIT
// Elements that are flat or inside out: which pair of features passed through each other, where the element
// would have to be to be valid again, and the forces that lead it back. Degeneration-aware polar
// decomposition, DAPD (Civit-Flores, Susin 2014 and Civit-Flores' thesis, chapter 4).
//
// A tet turns inside out when a vertex passes through the opposite face or an edge through the opposite
// edge. The pair (A, B) that did is remembered (the witness) until the tet is valid again. Displacing A
// along u, the area vector between A and B that points to A's healthy side,
//     u = det(Dm) cof(F) G,   G = sum of the gradients of the corners in A   (u . (x_A - x_B) = det(Ds))
//     r = 1 - J/alpha,  delta = beta alpha det(Dm) phi(r) u/|u|^2,  Fbar = F + delta G^T
//     phi(r) = 0 (r <= 0),  2 r^2 - r^3 (0 < r < 1),  r (r >= 1)              once differentiable
// gives det Fbar = alpha (1 - r + beta phi(r)) >= 0.85 alpha whatever happened, so the polar factor Rbar of
// Fbar exists, and does not turn on when the element goes deeper. The thesis prints u with the other sign for
// vertex-face pairs, with which every healthy tet would count as inverted.
//
// Strain and stress are those of the true F in the frame of Rbar:
//     e = sym(Rbar^T F) - I,  Z = 2 mu e + lambda tr(e) I,  Phat = Rbar Z,  f_i = -V Phat g_i
// These approximate forces are not the gradient of the energy, and turn the element as a whole; that torque
// is taken away again. The exact gradient costs about twice as much (solvers/experiments/exact_forces.c).
#pragma once

#include "gelpack/experimental.h"
#include "gelpack/math_double.h"
#include "math/gel_math.h"

#include <float.h>

/// The seven pairs; A is the part that is displaced. 0: none.
typedef enum gelWitness
{
	gel_witnessNone = 0,
	gel_witnessVertex0, ///< vertex 0 and face 1 3 2
	gel_witnessVertex1, ///< vertex 1 and face 0 2 3
	gel_witnessVertex2, ///< vertex 2 and face 0 3 1
	gel_witnessVertex3, ///< vertex 3 and face 0 1 2
	gel_witnessEdge01,  ///< edges 0 1 and 2 3
	gel_witnessEdge02,  ///< edges 0 2 and 3 1
	gel_witnessEdge03,  ///< edges 0 3 and 1 2
	gel_witnessCount,
} gelWitness;

/// Newton steps of APD at most. A warm start needs two or three, the first entry into degeneration a few
/// more.
#define GEL_APD_STEPS 12

/// What an element keeps from one step to the next.
typedef struct gelRotationState
{
	gelQuat q;       // last rotation
	uint8_t witness; // gelWitness; of other methods, theirs
} gelRotationState;

/// Constants of one element.
typedef struct gelElementRest
{
	gelVec3
		gradients[3]; // gradients of the shape functions of corners 1 to 3 [1/m]; corner 0: minus their sum
	float volume;     // [m^3]
	float mu, lambda; // [Pa]
} gelElementRest;

/// G: sum of the gradients of the corners that the pair displaces [1/m].
gelVec3 gelGetWitnessGradient( const gelVec3 gradients[3], gelWitness witness );

/// The witness after a step that moved all corners along straight lines, so that F went from F0 to F1. Valid
/// at the end: none. Degenerate with a witness: the same. Newly degenerate: the pair that is nearest to
/// touching where the path first met J = alpha, which is the pair with the largest |u| there. An F1 that is
/// not finite leaves the witness as it is.
gelWitness gelUpdateWitness(
	const gelVec3 gradients[3], float alpha, gelMat3 F0, gelMat3 F1, gelWitness witness );

/// phi and its derivative; without blend phi(r) = max(0, r).
double gelDisplacementCurve( double r, bool hasBlend, double* outSlope );

/// F displaced, and what its derivative needs. With c = cof(F) G the displaced gradient is
///     Fbar = F + k phi(r) c G^T / |c|^2,   k = beta alpha
typedef struct gelDisplacement
{
	gelMat3d Fbar;
	gelVec3d G, c;
	double k, phi, slope, cc; // cc = |c|^2
	bool isActive;            // there is a displacement
	bool isLost;              // the pair has no direction any more
} gelDisplacement;

typedef struct gelRotationParams gelRotationParams;

/// How rotations and forces of degenerate elements are found.
struct gelRotationParams
{
	float alpha;   // elements with J below this are degenerate
	float beta;    // how far a degenerate element is displaced, >= 1
	bool hasBlend; // phi as above; else max(0, r)

	/// The rotation of an element by another method (solvers/experiments); NULL: displaced polar factor.
	gelMat3 ( *extract )(
		const gelRotationParams* params, gelMat3 F, const gelVec3 gradients[3], gelRotationState* state );
	gelRotationKind kind; // read by extract

	/// What is missing of the gradient of the energy, by way of Rbar (solvers/experiments); NULL: left out.
	/// @param Z stress in the frame of the element [Pa]
	gelMat3d ( *getRotationStress )(
		const gelDisplacement* d, double alpha, gelMat3d F, gelMat3d R, gelMat3d Z );
};

/// Displaced, alpha 0.1, beta 3, approximate forces.
gelRotationParams gelDefaultRotationParams( void );

/// F -> Fbar. F stays as it is when it is valid or without witness. Lost: the features of the pair have
/// shrunk to nothing (|u| below 1e-3 of that at rest), and the last rotation is to be kept.
gelDisplacement gelDisplace(
	const gelRotationParams* params, const gelVec3 gradients[3], gelWitness witness, gelMat3d F );

/// (tr(S) I - S)^-1 y for the symmetric part of S, in which the turn of the polar factor answers to a change
/// of F. Its eigenvalues are sums of two stretches; below 0.05 it is made stiffer, so that turns stay
/// bounded.
gelVec3d gelSolveTwistD( gelMat3d S, gelVec3d y );

/// What an element says to its solver.
typedef struct gelElementResponse
{
	gelMat3 R;         // rotation; also for the stiffness, with T = 2 mu I (gamma 1) when degenerate
	gelVec3 forces[4]; // on the corners [N]; their sum and torque vanish
	double energy;     // [J]
	bool isDegenerate; // J < alpha
} gelElementResponse;

/// Rotation and forces of one element, healthy or not. Scalar: the inner loops call it for the
/// few elements with J < alpha or with a witness.
/// @param F deformation gradient at x, by the caller, who can form it without cancellation
/// @param x corners [m], relative to any point
/// @param plasticStrain subtracted from the strain, in the frame of the material; NULL: none
gelElementResponse gelComputeElement( const gelRotationParams* params, const gelElementRest* rest,
	const gelSym3* plasticStrain, gelMat3 F, const gelVec3 x[4], gelRotationState* state );

/// The same in double and before it becomes corner forces, for tests: first Piola stress and energy density.
typedef struct gelElementStress
{
	gelMat3d R, P;        // [1], [Pa]
	double energyDensity; // [J/m^3]
	bool isDegenerate;
} gelElementStress;
gelElementStress gelComputeElementStress( const gelRotationParams* params, const gelElementRest* rest,
	const gelSym3* plasticStrain, gelMat3d F, gelRotationState* state );

static inline bool gelIsFiniteMat3( gelMat3 m )
{
	const gelVec3 columns[3] = { m.cx, m.cy, m.cz };
	bool finite = true;
	for ( int i = 0; i < 3; ++i )
		finite = finite && fabsf( columns[i].x ) <= FLT_MAX && fabsf( columns[i].y ) <= FLT_MAX &&
			fabsf( columns[i].z ) <= FLT_MAX;
	return finite;
}
