// SPDX-License-Identifier: MIT
// The row of gel_solverOrientedParticles in the table of solvers.
#pragma once

#include "solvers/solver.h"

extern const gelSolver gel_particleSolver;
