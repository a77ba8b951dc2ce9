// SPDX-License-Identifier: MIT
// The quality mode of the fast corotated solver: the same energy and the same kind of factor, but no operator
// splitting. A step of backward Euler minimizes
//     phi(y) = 1/2 |y - x~|^2_M + h^2 E(y),   E = sum over tets of V ( mu |F - R|^2 + lambda/2 (J - 1)^2 )
// by L-BFGS with a baked factor as the first guess of the Hessian (Liu, Bouaziz, Kavan 2017).
//
// Why its statics are right however few iterations are done: the search starts at y0 = x + h v, which has no
// gravity in it. At rest y0 = x, and grad phi(y0) = h^2 ( grad E(x) - f ) is zero exactly when the body is in
// equilibrium: then nothing moves. What iterations decide is only how fast a body gets there. Splitting has
// no such fixed point: its two stages undo a part of each other's work in every step, for ever.
//
// Why few iterations are enough: the pairs of moves and changes of the gradient that L-BFGS learns the
// curvature from are kept from step to step. Soft modes, bending above all, are those that the factor is too
// stiff for; they are also those that keep moving in the same direction for many steps.
//
// The factor, its guide, is that of the stretch term with 2 mu + lambda instead of 2 mu, which is not softer
// than the true Hessian near rest. For one material that is the matrix of the plain mode for the step length
// h sqrt( 1 + lambda / (2 mu) ), so gel-bake --quality simply bakes that step length, too (factor_choice.h).
//
// Safety: a move is kept when phi falls, else shortened. Only the last move of a step is made without
// looking, when the one before it went well and it promises less than that one. The volume term grows with
// the sixth power of the strain: far from rest (turned inside out, torn by its pins) a search of few
// iterations gets nowhere, while the constraints of the plain mode always do. So a step that starts there, or
// in which a move had to be shortened more than twice, is made in plain mode instead.
#pragma once

#include "state/body.h"
#include "solvers/fast/fast_kernels.h"

// Pairs that are kept. 8 instead of 5 halve the error of free vibrations at nu 0.49 and cost 6 % more.
#define GEL_QUALITY_PAIRS 5

/// What a body in quality mode has in addition. Vectors have vectorCount nodes, zero behind the last one and
/// in their w.
typedef struct gelQuality
{
	int vectorCount;
	float guideRatio;
	double wildEnergy; // elastic energy from which on the body is too far from rest [J]
	gelPackFactorView guide;
	gelVec4* masses; // m m m 0 [kg]; 0 for pinned nodes
	gelVec4* target; // displacements of x~ from rest [m]

	// Where the search is; pointers change places when a trial is taken.
	gelVec4 *u, *uTrial; // displacements from rest [m]
	gelVec4 *g, *gTrial; // gradients of phi there [kg m]
	gelVec4* d;          // direction [m]
	double phi;          // [kg m^2]
	double slope;        // g . d, < 0
	double lastGain;     // what the last move promised, 0: it had to be shortened
	bool isDone;         // the rest would be rounding, or the body is wild
	bool isWild;         // too far from rest for a search
	bool isStrained;     // so far from rest that it takes longer

	// ---- pairs ----
	// State: one vec4 (index of the oldest pair, number of pairs, elastic step length that they were found
	// with [s], 0), then the vectors s and y of each pair.
	gelVec4* state;
	gelVec4 *s[GEL_QUALITY_PAIRS], *y[GEL_QUALITY_PAIRS]; // from the oldest on
	double sy[GEL_QUALITY_PAIRS][GEL_QUALITY_PAIRS];      // s_i . y_j for i <= j
	double alpha[GEL_QUALITY_PAIRS];                      // scratch of a direction
	int oldest, pairCount;
} gelQuality;

/// NULL in plain mode.
static inline gelQuality* gelGetQuality( const gelBody* body )
{
	return body->data;
}

/// Takes the memory from the arena of a body; NULL while sizes are added up.
gelQuality* gelQuality_LayOut( gelArena* arena, const gelAsset* asset );

/// Constants, after the body has its asset and pins.
void gelQuality_Init( gelBody* body );

/// Forgets the pairs: the body is somewhere else.
void gelQuality_Forget( gelBody* body );

/// Bytes of quality->state.
size_t gelQuality_GetStateBytes( const gelQuality* quality );

/// After quality->state was overwritten by an earlier one, or by anything made of finite floats.
void gelQuality_Restore( gelBody* body );

/// As gelStepFastCorotated, for bodies in quality mode.
void gelStepQuality( gelBody* const* bodies, int count, const gelStepContext* ctx );

// ---- quality_pairs.c ---------------------------------------------------------------------------------

/// Finds the pairs after oldest has changed.
void gelQuality_ListPairs( gelQuality* quality );

/// First half of a direction: q = -g - sum of alpha_j y_j into quality->d.
void gelQuality_BeginDirection( gelQuality* quality, const gelQualityKernels* kernels );

/// Second half, from A^-1 q in quality->d; also finds the slope.
void gelQuality_EndDirection( gelQuality* quality, const gelQualityKernels* kernels );

/// Keeps the move s = scale d and the change of the gradient gTrial - g, unless the energy is not convex
/// between them. @param slope1 gTrial . d @return whether it was kept; it is the newest pair then
bool gelQuality_AddPair( gelQuality* quality, const gelQualityKernels* kernels, float scale, double slope1 );
