// SPDX-License-Identifier: MIT
// Parts of the suite `warp`.
#pragma once

#include "bench.h"

#include "pack_read_warp.h"

/// A whole factorisation and one solve by CHOLMOD, supernodal, in double [s].
double gelMeasureRefactor( gelBench* bench, const gelAsset* asset, const gelWarpTree* tree, float step );

/// Operations per second of one core in single precision; 0: unknown.
double gelMeasurePeak( gelBench* bench );
