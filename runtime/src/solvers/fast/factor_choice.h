// SPDX-License-Identifier: MIT
// Which baked factors serve a body in a step of h seconds.
//
// The matrix of a factor baked for the step length b is M + b^2 K, with K that of the stretch term. It does
// not know whether b^2 K stands for a longer step or for a stiffer material. A body whose stiffness is scaled
// by s needs M + h^2 s K, which is b = h sqrt( s ), exactly.
//
// The quality mode needs a second one, its guide: a matrix that is not softer than stretch and volume term
// together, nor much stiffer; it does not decide where the search ends. With r^2 = 1 + lambda / (2 mu) that
// is the shortest b from h sqrt( s ) r up to GEL_MAX_GUIDE times that.
#pragma once

#include "state/body.h"

/// How much longer than wanted the step length of a guide may be.
#define GEL_MAX_GUIDE 1.6f

/// r of the materials of an asset.
float gelGetGuideRatio( const gelAsset* asset );

/// Whether there is a step length, baked for plain bodies, for which the asset has what the def needs.
bool gelAsset_HasFactorFor( const gelAsset* asset, const gelBodyDef* def );

/// Whether there are factors for steps of h seconds.
bool gelFast_CanStep( const gelAsset* asset, const gelBodyDef* def, float h );

/// Sets body->factor and what depends on it, and the guide; false: not baked.
bool gelFast_ChooseFactor( gelBody* body, float h );
