// SPDX-License-Identifier: MIT
// Which baked factor serves a body in a step of h seconds.
//
// The matrix of a factor baked for the step length b is M + b^2 K, with K that of the stretch term. It does
// not know whether b^2 K stands for a longer step or for a stiffer material:
//   plain mode      needs M + h^2 s K for a body whose stiffness is scaled by s, exactly: b = h sqrt( s )
//   quality mode    needs a matrix that is not softer than M + h^2 s ( K + volume term ), nor much stiffer;
//   it is
//                   a guide of the search and does not decide where it ends. With r^2 = 1 + lambda / (2 mu):
//                   the shortest b from h sqrt( s ) r up to GEL_MAX_GUIDE times that
#pragma once

#include "body.h"

/// How much longer than wanted the step length of the factor of a body in quality mode may be.
#define GEL_MAX_GUIDE 1.6f

/// Step length of the factor that a body wants, relative to that of the step: sqrt( s ), times r in quality
/// mode.
float gelGetFactorRatio( const gelAsset* asset, const gelBodyDef* def );

/// The factor for a step of h seconds; false: not baked.
bool gelAsset_ChooseFactor( const gelAsset* asset, gelSolverMode mode, float ratio, uint64_t pinSetId,
	float h, gelPackFactorView* outFactor );

/// Whether there is a step length for which the asset has a factor that serves the def: one that was baked.
bool gelAsset_HasFactorFor( const gelAsset* asset, const gelBodyDef* def );

/// Sets body->factor and what depends on it; false: not baked.
bool gelBody_ChooseFactor( gelBody* body, float h );
