// SPDX-License-Identifier: MIT
// A scene that lives: a world with its bodies, the handles that move them, and the time. Uses the runtime as
// a game does.
#pragma once

#include "preview/scene/scene_builtin.h"
#include "preview/scene/scene_colliders.h"
#include "preview/scene/scene_handles.h"

#include <gelpack/gelpack.h>

typedef struct gelSceneSettings
{
	const gelSceneKind* kind; // built in; not read when def is given
	const gelSceneDef* def;   // from a scene file; borrowed; NULL: kind
	double dropHeight;        // gap between ground and body [m]; < 0: by the body's size and the time
	double seconds;           // time that will be simulated [s]
	double step;              // [s]; 0: the first that all packs were baked for
	int copies;               // bodies of each pack
	gelPreviewSolver solver;
	bool chooseSolver;     // nobody asked for one: packs of rods and sheets are simulated as particles
	int passes;            // gelFastDef.passes, or Newton iterations; 0: default
	double stiffnessScale; // gelBodyDef.stiffnessScale; 0: 1
	int level;             // level of detail; the coarsest of packs that have fewer
	int threads;           // threads that are lent to the world; 0: one
} gelSceneSettings;

typedef struct gelScene
{
	gelSceneDef def;
	gelWorldId world;
	gelBodyId* bodies;
	int* packs; // per body: its pack in the set
	int bodyCount;
	int nodeCount;            // nodes of all bodies
	int shapeCount;           // vectors that gelScene_GetNodes writes
	gelColliderId* colliders; // as many as the def has
	gelHandle* handles;       // as many as the def has
	int64_t stepCount;        // since the start
	float step;               // [s]
	float ground;             // height [m]
	double stepSeconds;       // wall clock that the last step took
} gelScene;

/// False: a finding was added and nothing is left.
bool gelCreateScene(
	gelScene* scene, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings );
void gelDestroyScene( gelScene* scene );

/// Moves the handles on and advances the world by one step.
gelResult gelScene_Step( gelScene* scene );

/// Simulated time [s].
double gelScene_Time( const gelScene* scene );

/// Box around all bodies as they are now [m].
gelAabb gelScene_Bounds( const gelScene* scene );

/// How many bodies are simulated as particles.
int gelScene_CountParticleBodies( const gelScene* scene );

/// Cage nodes of all bodies, one body after the other, each with its particles behind them.
void gelScene_GetNodes( const gelScene* scene, gelVec3* outNodes );

/// Puts all bodies into a shape that gelScene_GetNodes gave, at rest, to draw it.
gelResult gelScene_SetNodes( gelScene* scene, const gelVec3* nodes );

/// One contact, to be drawn.
typedef struct gelContactMark
{
	gelVec3 place, normal; // [m], unit
} gelContactMark;
#define GEL_MAX_CONTACT_MARKS 512

/// Contacts of the last step of a scene.
int gelGetContactMarks( const gelScene* scene, gelContactMark* out, int outCapacity );

/// Steps that all packs can be simulated with under these settings, the first pack's order; for menus.
/// @return how many there are
int gelListSteps(
	const gelPackSet* packs, const gelSceneSettings* settings, float* outSteps, int outCapacity );

/// Multiples of Young's modulus that all packs can be simulated with in steps of a length [s]; for menus.
/// @return how many there are; 1 is among them when the step is one of gelListSteps
int gelListStiffness( const gelPackSet* packs, const gelSceneSettings* settings, float step, float* outScales,
	int outCapacity );
