// SPDX-License-Identifier: MIT
// All solvers: a row each.
#pragma once

#include "contact/step/contact_step.h"
#include "solvers/solver.h"

/// NULL: no such solver, or this build leaves it out.
const gelSolver* gelFindSolver( gelSolverType type );

/// NULL: this build leaves particles out.
const gelParticleContact* gelFindParticleContact( void );
