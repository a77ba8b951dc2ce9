// SPDX-License-Identifier: MIT
// Small dense symmetric matrices in double: a few dozen rows of constraints.
#pragma once

/// Cholesky factor of a symmetric positive matrix, lower triangle by rows, in place; the diagonal is stored
/// inverted. Pivots below limit are treated as infinite: their row takes no part.
void gelFactorDense( double* matrix, int count, double limit );

/// Solves with it, in place.
void gelSolveDense( const double* matrix, int count, double* y );
