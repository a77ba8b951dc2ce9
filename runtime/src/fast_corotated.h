// SPDX-License-Identifier: MIT
// The solver family "fast": corotated FEM by operator splitting (Kugelstadt, Koschier, Bender 2018).
//
// Energy density  Psi = mu |F - R|^2 + lambda/2 (det F - 1)^2.
// The first term is integrated implicitly with a matrix that never changes and was factored at bake time,
//     A_ij = delta_ij m_i + sum_t 2 h^2 mu_t V_t (g_i . g_j)     [kg], the same for x, y and z,
// the second afterwards by compliant constraints (volume.h). One step:
//     1  x~ = x + h v + h^2 f/m             prediction; pinned nodes: their target
//     2  R from F(x~), one Newton step      polar.h
//     3  b_i = sum_t 2 h^2 mu V (R - F(x~)) g_i,  A dx = b,  x = x~ + dx
//        more passes: R from F(x), then 3 again with the F of x~
//     4  volume sweeps                      volume.h
//     5  ground                             ground.h
//     6  v = (x - x_old)/h
//
// Known behaviour: backward Euler damps rotation; splitting makes statics with many sweeps too stiff and
// with few too soft (docs of the step settings in gelBodyDef).
#pragma once

#include "body.h"

/// Advances one body. body->factor must be the one for ctx->h. Touches nothing but the body.
void gelStepFastCorotated( gelBody* body, const gelStepContext* ctx );

/// Step 1.
void gelPredict_Ref( const gelBody* body, const gelStepContext* ctx, gelVec3* xTilde );

/// Step 2: one iteration of the polar decomposition per tet at positions x.
void gelUpdateRotations_Ref( const gelAsset* asset, const gelVec3* x, gelQuat* q );

/// Step 3, right-hand sides: 2 h^2 mu V (R - F) g_i per tet and corner [kg m]. They sum to zero per tet.
void gelComputeCorners_Ref(
	const gelAsset* asset, const gelVec3* xTilde, const gelQuat* q, float h, gelVec3* corners );

/// Sums the corners around each free node, in fixed order, into the row order of the factor.
void gelGatherCorners_Ref(
	const gelAsset* asset, const gelPackFactorView* factor, const gelVec3* corners, gelVec3* rhs );
