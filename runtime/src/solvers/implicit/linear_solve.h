// SPDX-License-Identifier: MIT
// Iterative solvers for ( M + K ) d = b without assembling the matrix, with held nodes and linear constraints
// as a projection S of vectors of nodes (constraint_rows.h): S is applied to every residual and to every
// product, so that iterates keep what the start fulfils.
#pragma once

#include "state/body.h"
#include "solvers/implicit/implicit_kernels.h"

/// A linear system of one body. Vectors have `count` nodes.
typedef struct gelLinearSystem
{
	gelBody* body;
	gelStiffness stiffness;
	const float* masses; // diagonal part [kg]
	int count;           // nodes and padding, a multiple of eight
	gelPreconditioner preconditioner;
	const gelNodeBlock* blocks; // inverted, of gel_preconditionBlocks
	/// Nothing holds the body: K does not see translations, and they are solved for exactly.
	bool isFree;
	bool hasConstraints;                       // transient ones are active (constraint_rows.h)
	const struct gelRigidModes* modes;         // NULL: none
	const struct gelImplicitFactor* ownFactor; // preconditions instead (implicit.h); NULL: none
	int minIterations; // iterations of conjugate gradients, however small the residual is
	gelVec4* work[8];  // conjugate gradients: the first three
} gelLinearSystem;

/// How a solve ended.
typedef struct gelLinearResult
{
	int iterations;
	double residual; // |r| relative to the reference norm
} gelLinearResult;

/// y = A x, without projection.
void gelMultiplySystem( const gelLinearSystem* system, const gelVec4* x, gelVec4* y );

/// y <- S y: held nodes become zero, constrained directions vanish.
void gelProjectNodes( const gelLinearSystem* system, gelVec4* y );

/// Solves until |r| <= tolerance * reference.
/// @param r right-hand side; the residual b - A d afterwards, projected
/// @param d start, which fulfils the constraints; the solution afterwards
typedef gelLinearResult gelSolveFcn( const gelLinearSystem* system, int maxIterations, float tolerance,
	double reference, gelVec4* r, gelVec4* d );

/// By conjugate gradients.
gelLinearResult gelSolveSystem( const gelLinearSystem* system, int maxIterations, float tolerance,
	double reference, gelVec4* r, gelVec4* d );

// ---- parts of a solve -------------------------------------------------------------------------------------

/// z = S M^-1 r. @return r . z
double gelPrecondition( const gelLinearSystem* system, const gelVec4* r, gelVec4* z );

/// r becomes b - A d, projected, without force and torque on what may move as a whole. @return |r|
double gelBeginSolve( const gelLinearSystem* system, gelVec4* r, gelVec4* d );

/// The rigid motion that takes force and torque of a residual away or, without modes, the translation: for a
/// free body A maps a translation t to M t exactly, and a body keeps its momentum to rounding however few
/// iterations it is given.
void gelCorrectRigid( const gelLinearSystem* system, gelVec4* r, gelVec4* d );

/// |a|
double gelGetNorm( const gelLinearSystem* system, const gelVec4* a );
