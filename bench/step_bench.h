// SPDX-License-Identifier: MIT
// Parts of the suite "step", one file each.
#pragma once

#include "bench.h"

#include "gelpack/types.h"

/// Instruction sets that are measured beside each other, where the processor has them.
#define GEL_BENCH_LEVELS 4
static const gelSimdLevel gel_benchLevels[GEL_BENCH_LEVELS] = { gel_simdSse2, gel_simdNeon, gel_simdAvx2,
	gel_simdAvx512 };

/// Seconds of a solve with three right-hand sides by CHOLMOD, the same matrix, METIS order, double.
typedef struct gelCholmodTimes
{
	double simplicial, supernodal;
	double nonzeros; // entries of the simplicial factor
} gelCholmodTimes;

bool gelMeasureCholmod( gelBench* bench, const gelAsset* asset, float step, gelCholmodTimes* out );

/// One body by itself: phases of its step, each against what it is measured by.
bool gelMeasurePhases( gelBench* bench, const char* name, const gelBenchBody* body );

/// The same phases with each instruction set that the processor has.
bool gelMeasureLevels( gelBench* bench, const char* name, const gelBenchBody* body );

/// Bodies of one asset, 1 to 1024; a crowd of 105 bodies on 1 to all threads.
bool gelMeasureInstances( gelBench* bench );
bool gelMeasureThreads( gelBench* bench );

/// Plain and quality mode against each other; cost over stiffness and step length.
bool gelMeasureModes( gelBench* bench );

/// Polar decomposition of 800 thousand matrices: wide, scalar, and by a Jacobi SVD.
bool gelMeasurePolar( gelBench* bench );
