// SPDX-License-Identifier: MIT
// Variants of the implicit solver that figures of papers are made with (gel-bench experiments). A game needs
// none of them, gelpack.h does not include this header, and a program that does not call
// gelDefaultImplicitVariant has none of their code when its linker drops what is not used. They may change or
// go in any release.
#pragma once

#include "types.h"

/// How the rotation of an element is found. All agree on healthy elements (but QR, which depends on the
/// axes of the material); they differ in how flat and inverted elements find back.
typedef enum gelRotationKind
{
	gel_rotationDapd = 0, ///< polar factor of a displaced, valid configuration (Civit-Flores): the default
	gel_rotationApd,      ///< Newton on SO(3) from the last rotation (Kugelstadt et al. 2018)
	gel_rotationPd,       ///< polar factor; a reflection when inverted: for comparisons only
	gel_rotationQr,       ///< Gram-Schmidt (Nesme et al. 2005)
	gel_rotationIsvd,     ///< singular values with sign (Irving et al. 2004)
	gel_rotationCsvd,     ///< the same, keeps the axis of inversion (Schmedding and Teschner 2008)
	gel_rotationProject,  ///< as DAPD with beta 1, without its smooth transition
	gel_rotationReflect,  ///< as DAPD with beta 2, without its smooth transition
} gelRotationKind;

/// Which derivative of the stress the implicit solver uses. All but the exact one give a matrix without
/// negative eigenvalues, which conjugate gradients need.
typedef enum gelDifferential
{
	gel_differentialX = 0,   ///< twist stiffness of the exact one, averaged over the axes and not below 0
	gel_differentialH = 1,   ///< twist stiffness by the size of the strain
	gel_differentialC = 2,   ///< the exact one with its negative eigenvalues set to 0; costs eigenvectors
	gel_differentialOne = 3, ///< rotation not differentiated: too stiff against turning
	/// No twist stiffness: may alternate between two states when stretched far. For comparisons.
	gel_differentialTwo = 4,
	/// Often indefinite: use gel_linearMinres. Iterations that do not lower the energy of the step are
	/// repeated with C. For comparisons.
	gel_differentialExact = 5,
} gelDifferential;

/// How the implicit solver solves its linear systems.
typedef enum gelLinearSolver
{
	gel_linearCg = 0,     ///< conjugate gradients; stops at negative curvature
	gel_linearMinres = 1, ///< minimal residuals, also for indefinite matrices
} gelLinearSolver;

typedef enum gelElementType
{
	gel_elementPolar = 0, ///< frame by polar decomposition, gradients of the rest shape: an energy exists
	gel_elementQr = 1,    ///< frame along edges, gradients of the deformed shape (Nesme et al. 2005)
} gelElementType;

/// What an implicit step does in place of its defaults; gelImplicitDef.variant and gelWarpDef.variant point
/// to one while a body is made. Start from gelDefaultImplicitVariant().
typedef struct gelImplicitVariant
{
	gelLinearSolver linearSolver; ///< not read by the warp-cancelling solver
	gelDifferential differential; ///< not read by the warp-cancelling solver
	gelElementType element;       ///< not read by the warp-cancelling solver
	/// How gel_elementPolar finds rotations. Default gel_rotationDapd; all but it and gel_rotationApd are
	/// computed element by element, for comparisons.
	gelRotationKind rotation;
	/// Elements with det F below this are degenerate, 0 .. 1. Default 0.1.
	float degenerateBelow;
	/// How far gel_rotationDapd displaces degenerate elements, 1 .. 100. Default 3.
	float degeneratePush;
	/// Gradient of the energy for degenerate elements instead of stress with a frozen rotation. Default
	/// false.
	bool hasExactForces;
	/// Filled by gelDefaultImplicitVariant(): a variant that did not start there is refused.
	const struct gelVariantCode* code;
} gelImplicitVariant;

/// The normal step: conjugate gradients, gel_differentialX, gel_elementPolar, gel_rotationDapd.
GEL_API gelImplicitVariant gelDefaultImplicitVariant( void );
