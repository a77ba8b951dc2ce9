// SPDX-License-Identifier: MIT
// Parts of the suite "scenes", one file each. They call what a game calls and nothing else of the runtime, so
// that figures of today and of a runtime that is made anew inside can be put beside each other.
#pragma once

#include "bench.h"
#include "crew.h"

#define GEL_SCENE_MAX_BODIES 500
#define GEL_SCENE_MIXED      5

// ---- assets ----------------------------------------------------------------------------------------------

/// Bodies that the scenes are made of, each baked for every solver and for 1/60 s.
typedef struct gelSceneAssets
{
	gelBenchBody bear;  // 10K triangles, about 500 tets, 5e4 Pa, nu 0.4
	gelBenchBody paced; // the same for 1/30, 1/120 and 1/240 s, too, and damped so that it soon lies still
	// Cubes of 0.5 m for stacks, 10K triangles, about 500 tets: so stiff that three, or ten, do not buckle.
	gelBenchBody box, stiffBox;
	gelBenchBody bowl;                   // a static surface of 2.5 m
	gelBenchBody small[3];               // bodies of 0.25 m and 60 tets, for the bowl
	gelBenchBody mixed[GEL_SCENE_MIXED]; // bodies of 0.3 to 1 m, 5e4 to 1e6 Pa, 100 to 500 tets
} gelSceneAssets;

/// @return false: a bake failed; what was made is to be freed all the same
bool gelMakeSceneAssets( gelBench* bench, gelSceneAssets* out );
void gelFreeSceneAssets( gelSceneAssets* assets );

// ---- scenes ----------------------------------------------------------------------------------------------

/// Memory that a world has taken from the allocator of its def.
typedef struct gelSceneMemory
{
	size_t bytes;   // now
	int blockCount; // blocks that were ever taken
} gelSceneMemory;

/// Whether bodies of a scene may fall asleep.
typedef enum gelSceneSleep
{
	gel_sceneAwake = 0,
	gel_sceneSleep,
	gel_sceneSleepDefault, // as gelDefaultBodyDef has it
} gelSceneSleep;

/// How to make a world for a scene.
typedef struct gelBenchSceneDef
{
	gelSolverDef solver; // for every body
	float step;          // [s]
	int threads;
	bool hasGround;
	gelSceneSleep sleep;
	int bodyCapacity; // 0: default
} gelBenchSceneDef;

/// A world with its bodies. Must stay where it is until gelFreeBenchScene.
typedef struct gelBenchScene
{
	gelBenchSceneDef def;
	gelWorldId world;
	gelBodyId bodies[GEL_SCENE_MAX_BODIES];
	int bodyCount;
	gelCrew crew;
	gelSceneMemory memory;
	double startHeight; // mean height of the centers of mass before the first step [m]
} gelBenchScene;

/// A world with contact, and without bodies yet.
bool gelMakeBenchScene( const gelBenchSceneDef* def, gelBenchScene* out );
void gelFreeBenchScene( gelBenchScene* scene );

/// Adds a body. @param turn about the y axis [rad]
bool gelBenchScene_Add( gelBenchScene* scene, const gelAsset* asset, gelVec3 position, float turn );

/// Fills a world: bodies where they touch or nearly do, and colliders. @param count bodies
typedef bool gelArrangeFcn( const gelSceneAssets* assets, gelBenchScene* scene, int count );
gelArrangeFcn gelArrangeFlight, gelArrangeGround, gelArrangePlane, gelArrangeSlab, gelArrangeCapsule,
	gelArrangeStack, gelArrangeTower, gelArrangePit, gelArrangeBowl, gelArrangeHeap;

/// Steps for so long [s]. False: a step failed.
bool gelBenchScene_Run( gelBenchScene* scene, double seconds );

// ---- figures ---------------------------------------------------------------------------------------------

/// Times of single steps [s].
typedef struct gelSceneTimes
{
	double fastest, median;
} gelSceneTimes;

/// Takes steps until the budget [s] is used up, at least 8 samples and at most 300. On one thread it is the
/// time of the processor that counts, so that other work on the machine does not; on several, that of the
/// wall.
/// @param stepsPerSample more than 1 for steps that are hardly longer than reading a clock
bool gelTimeScene( gelBenchScene* scene, double budget, int stepsPerSample, gelSceneTimes* out );

/// Sum of what each body of the scene costs when it is alone in the air: a step of it in a world of its
/// own with contact [s], the fastest. Measured now, since the load of the machine changes. False: a call
/// failed.
bool gelTimeFlights( const gelBenchScene* scene, double budget, double* outSum );

/// How fast a scene moves [m/s].
typedef struct gelSceneSpeed
{
	double rms;     // root mean square over the mass of all bodies
	double fastest; // speed of the fastest node of all cages
} gelSceneSpeed;
gelSceneSpeed gelBenchScene_GetSpeed( const gelBenchScene* scene );

/// Shape and place of the bodies of a scene.
typedef struct gelSceneRest
{
	double height;      // mean height of the centers of mass [m]
	double volume;      // volumes of the cages over those at rest, mean
	double leastVolume; // and the least
	double depth;       // deepest contact in the list of the world [m]
	double below;       // how far the lowest vertex of the art is below y = 0 [m], >= 0
	int contactCount;   // contacts in the list
	int lostCount;      // bodies with a center of mass below y = 0, or beyond `reach` from the y axis
	int invertedTetCount;
	int resetCount; // bodies that were put back because of numbers that are none
} gelSceneRest;
gelSceneRest gelBenchScene_GetRest( const gelBenchScene* scene, double reach );

// ---- parts -----------------------------------------------------------------------------------------------

/// How the bodies of a pass over all scenes are simulated.
typedef struct gelSceneSolver
{
	const char* name;
	gelSolverDef def;
	bool isBrief; // its scenes of many bodies run for two seconds alone, to save time
} gelSceneSolver;

/// Cost of a step of bodies that sleep; time until bodies sleep.
bool gelMeasureSleep( gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver );

/// Volume of the bear at rest on the ground over its rest volume, as its material says it.
typedef struct gelTrueVolume
{
	double implicit, fast; // the solvers differ in the energy of volume
} gelTrueVolume;

/// Finds that without contact.
bool gelMeasureTrueVolume( gelBench* bench, const gelSceneAssets* assets, gelTrueVolume* out );

/// Volume of the bear at rest on the ground, by step length.
bool gelMeasureVolume( gelBench* bench, const gelSceneAssets* assets, const gelSceneSolver* solver,
	const gelTrueVolume* trueVolume );
