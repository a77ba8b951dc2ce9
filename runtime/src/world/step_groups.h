// SPDX-License-Identifier: MIT
// Which bodies are stepped together. Bodies that share asset, pin set and iteration counts also share a
// factor, and a group of them reads it once instead of once each. Large bodies come first, so that threads
// end together. None of this changes a bit of any body.
#pragma once

#include "solvers/solver.h"
#include "state/world.h"

/// Brings world->order and the groups up to date; nothing to do while no body comes or goes.
void gelWorld_UpdateGroups( struct gelWorld* world );

/// Makes room for stepping bodies of an asset side by side (lanes.h), for each worker, when the world has
/// enough of them. To be called when a body comes, since a step must not allocate. @return false: no memory
bool gelWorld_ReserveLanes( struct gelWorld* world, const gelAsset* asset, const gelSolver* solver );

void gelWorld_FreeLanes( struct gelWorld* world );

/// Scratch memory of a worker for a group of an asset with a solver; NULL: there is none.
float* gelWorld_GetLaneScratch(
	const struct gelWorld* world, const gelAsset* asset, const gelSolver* solver, int worker );
