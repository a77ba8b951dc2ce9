// SPDX-License-Identifier: MIT
// The row of gel_solverImplicit in the table of solvers.
#pragma once

#include "solvers/solver.h"

extern const gelSolver gel_implicitSolver;

/// State of all bodies that share the step. @return the number of spans
int gelImplicit_ListState( const gelBody* body, gelStateSpan* out );
