// SPDX-License-Identifier: MIT
// Experiments on the implicit solver, after those of Civit-Flores' thesis (chapters 3 and 4): beams that
// swing under strong gravity, bodies whose nodes were scattered, dropped or squeezed. Tests run short ones
// and look at the numbers, gel-bench runs all of them and plots.
#pragma once

#include "test_bodies.h"

#include "gelpack/experimental.h"
#include "gelpack/gelpack.h"

typedef enum gelExperimentPins
{
	gel_experimentPinsNone,
	gel_experimentPinsUpperLeft, // nodes at x = 0 on the upper side
	gel_experimentPinsHalfBase,  // nodes of the lower side up to half of the length
} gelExperimentPins;

/// What to build. Start from one of the models below.
typedef struct gelExperimentDef
{
	const char* sample; // art of samples.h in a cage of about tetCount tets; NULL: a box
	int tetCount;
	int cells[3];
	double size[3]; // [m]
	double mass;    // [kg]
	double youngsModulus, poissonsRatio;
	gelExperimentPins pins;
	double gravity; // downwards [m/s^2]
	double height;  // height of the lowest point above a ground [m]; negative: there is no ground
	double step;    // [s]
	gelImplicitDef implicit;
	gelImplicitVariant variant;
} gelExperimentDef;

/// The models of the thesis. Beam2D is a slab, one cell thick, of 5 kg per metre of thickness: the runtime
/// has no triangles. Its scale divides the number of cells along each side.
gelExperimentDef gelMakeBeam2dDef( int scale );
gelExperimentDef gelMakeBeam3dDef( void );    // 324 tets, 112 nodes
gelExperimentDef gelMakeHalfBaseDef( void );  // the same beam on half of its base
gelExperimentDef gelMakeCubeDef( int cells ); // Cube666 for 6 cells along each side: 1296 tets, 343 nodes
/// Stand-ins for Armadillo1K, Dragon1K and Horse1K: "figure" 10 kPa, "dragon" 1 kPa, "horse" 100 kPa.
gelExperimentDef gelMakeCreatureDef( const char* sample );

/// A baked model; any number of runs can use it.
typedef struct gelExperimentModel
{
	uint8_t* pack;
	gelAsset* asset;
} gelExperimentModel;

/// @return false: findings say why
bool gelBakeExperiment( const gelExperimentDef* def, gelProgram* program, gelExperimentModel* out );
void gelFreeExperimentModel( gelExperimentModel* model );

typedef struct gelExperiment
{
	const gelAsset* asset;
	gelWorldId world;
	gelBodyId body;
	double step, gravity;
	int nodeCount, tetCount;
	gelVec3 *rest, *nodes, *velocities; // nodeCount each
} gelExperiment;

/// Places a model, which must have been baked for this def or one that differs in gravity, height, step and
/// settings of the solver only. False: out of memory, or settings that the runtime refuses.
bool gelMakeExperiment( const gelExperimentDef* def, const gelExperimentModel* model, gelExperiment* out );
void gelFreeExperiment( gelExperiment* experiment );

/// One step. False: it was refused.
bool gelExperiment_Step( gelExperiment* experiment );

/// Puts every node at a random place in the bounding box of the body, at rest.
void gelExperiment_Scatter( gelExperiment* experiment, uint64_t seed );

typedef struct gelExperimentState
{
	double kinetic, potential, elastic; // [J]; potential energy is zero at the start
	int degenerateCount;                // tets with det F < 0.1
	int invertedCount;                  // tets with det F < 0
	double largestStretch;              // largest singular value of F
} gelExperimentState;

/// Looks at the nodes as they are now. Elastic energy is that of the material with the rotation of ISVD,
/// whatever the solver used.
gelExperimentState gelExperiment_Measure( gelExperiment* experiment );

/// How a run went, step by step; entry 0 is the start.
typedef struct gelExperimentRecord
{
	int count;
	double* times; // [s]
	gelExperimentState* states;
	long linearIterations; // iterations of the linear solver, in all steps
	double seconds;        // processor time of the steps
} gelExperimentRecord;

/// Places a model, runs it for a duration [s] and takes it down.
/// @param scatterSeed of gelExperiment_Scatter; 0: from the rest shape
/// @return false: as gelMakeExperiment; the record is empty then
bool gelRecordExperiment( const gelExperimentDef* def, const gelExperimentModel* model, double duration,
	uint64_t scatterSeed, gelExperimentRecord* out );
void gelFreeExperimentRecord( gelExperimentRecord* record );
