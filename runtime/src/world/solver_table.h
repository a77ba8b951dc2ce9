// SPDX-License-Identifier: MIT
// All solvers: a row each.
#pragma once

#include "solvers/solver.h"

/// NULL: no such solver, or this build leaves it out.
const gelSolver* gelFindSolver( gelSolverType type );
