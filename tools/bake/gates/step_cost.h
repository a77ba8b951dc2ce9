// SPDX-License-Identifier: MIT
// What a step of a baked body costs: counted operations and bytes, and from them an estimate of its time on
// the machine that bakes.
#pragma once

#include "bake/body/bake.h"

#include <gelpack/gelpack.h>

/// One step of the fast corotated solver in plain mode, with the default passes and sweeps. The counts depend
/// on the pack only.
typedef struct gelStepCost
{
	double flops; // floating-point operations
	double bytes; // bytes that have to come from memory when the body is larger than the caches
} gelStepCost;

/// At the shortest baked step length without pins. Zeros: there is none.
gelStepCost gelCountStepCost( const gelAsset* asset );

/// How fast this machine is, on one thread.
typedef struct gelMachineSpeed
{
	double flopsPerSecond; // speed that the runtime reaches on a body in the caches
	double bytesPerSecond; // speed that memory gives to a loop that reads
} gelMachineSpeed;

/// Bakes and steps a small box, and reads memory: about 50 ms. false: out of memory.
bool gelMeasureMachine( gelMachineSpeed* out );

/// [s]
double gelEstimateStepTime( gelStepCost cost, gelMachineSpeed speed );
