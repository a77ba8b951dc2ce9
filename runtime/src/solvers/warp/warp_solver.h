// SPDX-License-Identifier: MIT
// The row of gel_solverWarpCancelling in the table of solvers.
#pragma once

#include "solvers/solver.h"

extern const gelSolver gel_warpSolver;
