// SPDX-License-Identifier: MIT
// Threads for tests, as a game would lend them.
#pragma once

#include "gelpack/gelpack.h"

#define GEL_MAX_TEST_WORKERS 8

/// A gelTaskSystem.parallelFor: every item on its own, the last first, workers in turns.
/// @param context an int: the number of workers
void gelTestPool_ParallelFor(
	void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext );
