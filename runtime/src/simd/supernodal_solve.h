// SPDX-License-Identifier: MIT
// Solve with a baked Cholesky factor in supernodal panels (formats/pack.md, section FACT).
#pragma once

#include "simd/panel_kernels.h"

/// Solves L L^T y = y in place for three right-hand sides that share the factor.
/// @param y 3 * n floats: x, y, z of row 0, of row 1, ... in the order of the factor's rows
void gelSolveFactor_Ref( const gelPackFactorView* factor, float* y );

/// The same, for bodyCount bodies that share the factor. w of the right-hand sides must be 0 and stays 0.
/// @param scratch gelAsset.solveScratch floats, aligned to 64 bytes
void gelSolveFactor(
	gelSimdLevel level, const gelPackFactorView* factor, gelVec4* const* y, int bodyCount, float* scratch );
