// SPDX-License-Identifier: MIT
// The solver family "fast": corotated FEM by operator splitting (Kugelstadt, Koschier, Bender 2018).
//
// Energy density  Psi = mu |F - R|^2 + lambda/2 (det F - 1)^2.
// The first term is integrated implicitly with a matrix that never changes and was factored at bake time,
//     A_ij = delta_ij m_i + sum_t 2 h^2 mu_t V_t (g_i . g_j)     [kg], the same for x, y and z,
// the second afterwards by compliant constraints (wide_volume_moves.h). One step (Alg. 2 of the paper):
//     1  x~ = x + h v + h^2 f/m             prediction; pinned nodes: their target
//     2  R from F(x~), one Newton step      polar.h
//     3  b_i = sum_t 2 h^2 mu V (R - F(x~)) g_i,  A dx = b,  x = x~ + dx
//        more passes: R from F(x), then 3 again with the F of x~
//     4  volume sweeps                      wide_volume_moves.h
//     5  contacts, the ground among them    contact/
//     6  v = (x - x_old)/h
// The loops over elements, constraints and panels are in fast_kernels.h, each beside a scalar twin that ends
// in _Ref.
//
// Known behavior: backward Euler damps rotation (spin_keeper.h); splitting makes statics with many sweeps
// too stiff and with few too soft (quality.h does not split; figures are in docs/solvers.md).
#pragma once

#include "solvers/solver.h"

/// Advances bodies that have the same asset, pin set and iteration counts. body->factor must be the one for
/// ctx->h. Touches nothing but the bodies, and gives each the bits that it would have got alone.
/// @param laneScratch NULL, or gelGetLaneScratch floats for this asset, aligned to 64 bytes: enough bodies
/// are then stepped side by side (lanes.h)
void gelStepFastCorotated( gelBody* const* bodies, int count, const gelStepContext* ctx, float* laneScratch );

/// From the positions in body->p to the candidate positions: constraints.
void gelFinishFastStep( gelBody* body, const gelStepContext* ctx );

/// Brings tets that are flat or inside out back to a part of their volume (unfolding.h), if there may be any.
/// The endPush of the solver.
void gelUnfoldTets( gelBody* body );

/// The endStep of the solver.
void gelEndFastStep( gelBody* body, const gelStepContext* ctx );
