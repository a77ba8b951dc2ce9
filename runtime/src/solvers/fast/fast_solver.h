// SPDX-License-Identifier: MIT
// The row of gel_solverFastCorotated in the table of solvers, both modes.
#pragma once

#include "solvers/solver.h"

extern const gelSolver gel_fastSolver;
