// SPDX-License-Identifier: MIT
// Bodies come and go.
#pragma once

#include "solvers/solver.h"
#include "state/world.h"

/// Checks a valid def against its asset and makes a body that is nowhere yet: without state, slot and id.
gelResult gelMakeBody(
	struct gelWorld* world, const gelBodyDef* def, const gelSolver* solver, gelBody** outBody );

/// Destroys a body without looking at ids.
void gelFreeBody( struct gelWorld* world, gelBody* body );

/// gelCreateBody with a solver that need not be in the table of solvers; def->solver is not read.
gelResult gelCreateBodyWith(
	gelWorldId worldId, const gelBodyDef* def, const gelSolver* solver, gelBodyId* outBodyId );
