// SPDX-License-Identifier: MIT
// A solver that is not of the library: a rigid body, which the runtime moves by way of solvers/solver.h
// alone. What it proves is that a solver needs nothing but its table.
#pragma once

#include "solvers/solver.h"

extern const gelSolver gel_toySolver;
