// SPDX-License-Identifier: MIT
// Analytic polar decomposition (APD): the rotation nearest to a deformation gradient, by Newton's method
// on SO(3) with a warm start. Kugelstadt, Koschier, Bender 2018, section 3.3, Alg. 3; polar.c says where the
// signs differ.
#pragma once

#include "math/gel_math.h"

#include "gelpack/math_double.h"

/// Newton steps whose determinant D (polar.c) is larger than GEL_MIN_POLAR_RATIO tr^3 +
/// GEL_MIN_POLAR_DETERMINANT, tr the trace of twice the Hessian, and whose denominator D^2 + 2.75 |n|^2 is
/// less than GEL_MAX_POLAR_DENOMINATOR, come without overflow and underflow, and do not take rounding for a
/// turn of a fibre about itself. Other elements, inverted, squeezed to a fibre or of a size far from their
/// rest size, are looked at more closely.
#define GEL_MIN_POLAR_RATIO       1.0e-6f
#define GEL_MIN_POLAR_DETERMINANT 1.0e-18f
#define GEL_MAX_POLAR_DENOMINATOR 1.0e30f

/// One Newton iteration for R = argmin over SO(3) of 1/2 |R - F|^2, starting from unit quaternion q.
/// Finite F of any size and rank gives a unit quaternion; F = 0 gives q back.
/// @param outChange NULL, or receives |dw|^2 of the iteration [rad^2]
gelQuat gelPolarStep_Ref( gelMat3 F, gelQuat q, float* outChange );

/// Iterates until the change is below 1e-6 rad, at most maxIterations times. For cold starts: load,
/// teleport, reset.
gelQuat gelPolarSolve_Ref( gelMat3 F, gelQuat q, int maxIterations );

/// Iterations that find a rotation from nothing, at most: those of an inverted matrix creep at first.
#define GEL_COLD_ITERATIONS 60

/// Iterations at most from the rotation of the last step, for answers to a game: healthy elements stop after
/// two or three.
#define GEL_WARM_ITERATIONS 10

/// The rotation nearest to a matrix of any size. @param start where the search begins
gelQuat gelFindTurn( gelMat3d A, gelQuat start );

/// The same from four starts, a half turn about each axis apart: no rotation is far from all of them, so the
/// result does not depend on where a search begins. Scalar part >= 0.
gelQuat gelFindBestTurn( gelMat3d A );
