// SPDX-License-Identifier: MIT
// Parts of the suite `warp`.
#pragma once

#include "bench.h"

#include "pack/pack_read_warp.h"

/// The BLAS that CHOLMOD uses.
void gelGetBlasName( char* out, size_t capacity );

/// CPU time of this process [s].
double gelGetCpuSeconds( void );

/// A whole factorization and one solve by CHOLMOD, supernodal, in double: the best of several, CPU time [s].
double gelMeasureRefactor( gelBench* bench, const gelAsset* asset, const gelWarpTree* tree, float step );

/// Operations per second of one core in single precision; 0: unknown.
double gelMeasurePeak( gelBench* bench );
