// SPDX-License-Identifier: MIT
// Scratch memory for bodies of one asset that are stepped side by side (simd/lanes.h). It belongs to the
// workers of a world, not to bodies: it stays in the caches from one group to the next.
#pragma once

#include "solvers/solver.h"
#include "state/world.h"

/// Makes room for stepping bodies of an asset side by side (lanes.h), for each worker, when the world has
/// enough of them. To be called when a body comes, since a step must not allocate. @return false: no memory
bool gelWorld_ReserveLanes( struct gelWorld* world, const gelAsset* asset, const gelSolver* solver );

void gelWorld_FreeLanes( struct gelWorld* world );

/// Memory of the lanes of all workers [bytes].
size_t gelWorld_GetLaneBytes( const struct gelWorld* world );

/// Scratch memory of a worker for a group of an asset with a solver; NULL: there is none.
float* gelWorld_GetLaneScratch(
	const struct gelWorld* world, const gelAsset* asset, const gelSolver* solver, int worker );
