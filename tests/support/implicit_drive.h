// SPDX-License-Identifier: MIT
// The elements of the implicit solver by themselves, and the same formulas in double: forces are compared
// with differences of the energy, products with differences of the forces.
#pragma once

#include "solvers/experiments/qr_element.h"
#include "solvers/experiments/twist_tensor.h"

/// A pass over a body at given positions.
typedef struct gelImplicitDrive
{
	const gelAsset* asset;
	const gelVariantKernels* kernels;
	bool isQr;
	gelImplicitPass pass;
	gelVec4 *u, *x, *y;
	gelQrBlock* qr;
	int nodeCount;
} gelImplicitDrive;

/// @param element polar or QR
gelImplicitDrive gelMakeImplicitDrive(
	const gelAsset* asset, gelDifferential differential, gelElementType element );
void gelFreeImplicitDrive( gelImplicitDrive* drive );

/// Rotations from nothing, forces and stiffness at positions; scales are 1.
void gelImplicitDrive_Update( gelImplicitDrive* drive, const gelVec3* positions );

/// Force on a node after an update [N].
gelVec3 gelImplicitDrive_GetForce( const gelImplicitDrive* drive, int node );

/// y = K x, 3 numbers per node.
void gelImplicitDrive_Multiply( gelImplicitDrive* drive, const double* x, double* y );

/// K by columns, (3 nodeCount)^2 numbers.
void gelImplicitDrive_Assemble( gelImplicitDrive* drive, double* matrix );

// ---- in double, 3x3 matrices by rows ---------------------------------------------------------------------

/// Eigenvalues and, if wanted, eigenvectors (columns) of a symmetric matrix by Jacobi rotations.
void gelEigenDense( int n, const double* matrix, double* values, double* vectors );

/// The rotation nearest to F with determinant 1, by signed singular values.
void gelPolarDense( const double F[9], double R[9] );

/// Psi = mu |e|^2 + lambda/2 tr(e)^2, e = R^T F - I [J/m^3]
double gelCorotatedEnergy( const double F[9], double mu, double lambda );

/// P = R { 2 mu e + lambda tr(e) I }
void gelCorotatedStress( const double F[9], double mu, double lambda, double P[9] );

/// dR = R [w]x, w = (tr(S) I - S)^-1 axl2(R^T dF)
void gelPolarDifferential( const double F[9], const double dF[9], double dR[9] );

/// dP = 2 mu dF + lambda tr(R^T dF) R + (lambda tr(e) - 2 mu) dR
void gelStressDifferential( const double F[9], const double dF[9], double mu, double lambda, double dP[9] );

/// a b and a^T b
void gelMulDense3( const double a[9], const double b[9], double out[9] );
