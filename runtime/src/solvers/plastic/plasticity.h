// SPDX-License-Identifier: MIT
// Permanent deformation: additive decomposition of the strain, e = e_elastic + e_plastic, per tet and in the
// frame of the material, where e = sym(R^T F) - I. Only the elastic part makes stress. After O'Brien,
// Bargteil, Hodgins 2002 (flow of the excess over the yield point, deviatoric) and Mueller, Gross 2004,
// section 3.6 (yield, creep, maximum in a corotated frame).
//
// With d the elastic strain (its deviator when volume is to be kept), n = |d| by Frobenius, while n > yield:
//     e_plastic += ( 1 - exp( -h c ) ) ( n - yield ) / n  d
// Mueller and Gross add h c d, which depends on the step length and, for h c > 1, overshoots. Here the excess
// n - yield of a held strain decays as exp( -c t ), and n steps of h are exactly one step of n h. Then
// e_plastic is brought back to |e_plastic| <= max by scaling. Unloading changes nothing.
#pragma once

#include "math/gel_math.h"

typedef struct gelPlasticFlow
{
	float yieldStrain; // elastic strain at which flow begins, Frobenius norm
	float relaxation;  // 1 - exp( -h c ), 0 .. 1
	float maxStrain;   // largest plastic strain, Frobenius norm, < 1
	bool isVolumeKept; // flow of the deviator only
} gelPlasticFlow;

/// Constants of one step. @param mu of the tet [Pa], for a yield point given as stress
gelPlasticFlow gelMakePlasticFlow( const gelPlasticityDef* def, float mu, float h );

/// 1 - exp( -x ) for x >= 0 by operations that round alike everywhere, which exp of libm need not.
float gelRelaxation( float x );

/// sym(R^T F) - I
gelSym3 gelComputeStrain( gelMat3 R, gelMat3 F );

/// Lets the plastic strain of one tet flow for a step in which its total strain is e.
/// @return whether it has changed
bool gelUpdatePlasticStrain( const gelPlasticFlow* flow, gelSym3 e, gelSym3* plastic );

/// Frobenius norm.
float gelNormSym3( gelSym3 e );

/// For the fast solver, whose energy is mu |F - R (I + e_p)|^2 then: its matrix stays the same, its
/// right-hand side uses R'(I + e_p) instead of R. R' is the minimizer of that energy, the polar factor of F
/// (I + e_p), so that the forces are its gradient and cannot turn a free body.
/// @param q rotation of F, where the search for R' starts
/// @return R' (I + e_p) - R
gelMat3 gelPlasticRestChange( gelMat3 F, gelQuat q, const gelSym3* plastic );
