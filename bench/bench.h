// SPDX-License-Identifier: MIT
// Benchmarks. Machines are shared and noisy, so every figure that means something is a ratio of two things
// that were measured in the same run; the best of several repetitions counts. Results are JSON (--json).
#pragma once

#include "common/program/program.h"

#include <gelpack/gelpack.h>

typedef struct gelBench
{
	gelProgram* program;
	json_t* results;      // object of the suite that is running
	double readBandwidth; // rate at which one thread reads memory far beyond the caches [bytes/s]
	double copyBandwidth; // bytes copied per second
	bool quick;           // fewer sizes and repetitions, for the test run
	const char* output;   // folder for plots and tables of the experiments
	const char* only;     // rows of the suite "scenes" to run, by a part of their name; NULL: all
} gelBench;

typedef bool gelSuiteFcn( gelBench* bench );
gelSuiteFcn gelBenchBake, gelBenchCage, gelBenchCollide, gelBenchContact, gelBenchContactStep,
	gelBenchExperiments, gelBenchImplicit, gelBenchLoad, gelBenchLod, gelBenchParticles, gelBenchRay,
	gelBenchScenes, gelBenchSkin, gelBenchStep, gelBenchWarp;

/// Measures the bandwidths of the machine.
void gelBench_MeasureMachine( gelBench* bench );

/// Best time of one call of run [s]; repeats until the time budget is used up, at least three times.
double gelBench_Best( const gelBench* bench, void ( *run )( void* context ), void* context );

/// Adds a row { "name": ..., figures... } to the array `table` of the running suite and prints it.
/// figures: alternating const char* name, double value; ends with NULL.
void gelBench_Row( gelBench* bench, const char* table, const char* name, ... );

/// A baked body for measurements. Free with gelFreeBenchBody.
typedef struct gelBenchBody
{
	uint8_t* bytes; // the pack
	size_t byteCount;
	gelAsset* asset;
	gelAssetInfo info;
} gelBenchBody;

/// A regular beam of about tetCount tets.
bool gelMakeBenchBeam( gelBench* bench, int tetCount, gelBenchBody* out );
/// The same, clamped at x = 0 (its one pin set), of another modulus [Pa], for the warp-cancelling solver.
bool gelMakeBenchClamped( gelBench* bench, int tetCount, double modulus, gelBenchBody* out );
/// A sample asset in a cage of about 500 tets.
bool gelMakeBenchSample( gelBench* bench, const char* name, int triangleCount, gelBenchBody* out );
/// The same in a cage of about tetCount tets.
bool gelMakeBenchCaged(
	gelBench* bench, const char* name, int triangleCount, int tetCount, gelBenchBody* out );
/// The same with oriented particles, without collision geometry.
bool gelMakeBenchParticles(
	gelBench* bench, const char* name, int triangleCount, int particleCount, gelBenchBody* out );
/// The same without particles, with coarser levels of about so many tets, as --lod takes them.
bool gelMakeBenchLevels( gelBench* bench, const char* name, int triangleCount, int tetCount,
	const int* levelTets, int levelCount, gelBenchBody* out );
void gelFreeBenchBody( gelBenchBody* body );

/// Runs a measurement for art of 10K, 100K and 400K triangles (quick: the first). @param measure the path is
/// where the art file may be written, in a temporary folder; it must be removed again
bool gelBench_ForArt(
	gelBench* bench, bool ( *measure )( gelBench* bench, int triangleCount, const char* path ) );
