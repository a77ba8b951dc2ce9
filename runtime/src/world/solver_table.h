// SPDX-License-Identifier: MIT
// All solvers: a row each; and what else a build may leave out.
#pragma once

#include "constraints/constraint_set.h"
#include "contact/step/contact_step.h"
#include "solvers/solver.h"

/// NULL: no such solver, or this build leaves it out.
const gelSolver* gelFindSolver( gelSolverType type );

/// NULL: this build leaves constraints out.
const gelConstraintCalls* gelFindConstraintCalls( void );

/// NULL: this build leaves particles out.
const gelParticleContact* gelFindParticleContact( void );
