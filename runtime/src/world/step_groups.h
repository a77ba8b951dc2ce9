// SPDX-License-Identifier: MIT
// Which bodies are stepped together. Bodies that share asset, pin set and iteration counts also share a
// factor, and a group of them reads it once instead of once each. Large bodies come first, so that threads
// end together. None of this changes a bit of any body.
#pragma once

#include "solvers/solver.h"
#include "state/world.h"

/// Brings world->order and the groups up to date; nothing to do while no body comes or goes.
void gelWorld_UpdateGroups( struct gelWorld* world );
