// SPDX-License-Identifier: MIT
// What happens in a preview: which bodies stand where, and what moves them. Uses the runtime as a game does.
#pragma once

#include "loaded_packs.h"

#include <gelpack/gelpack.h>

typedef struct gelSceneKind gelSceneKind;

typedef struct gelSceneSettings
{
	const gelSceneKind* kind;
	double dropHeight; // gap between ground and body [m]; < 0: by the body's size and the time
	double seconds;    // that will be simulated
	double step;       // [s]; 0: the first that all packs were baked for
	int copies;        // of each pack
	gelSolverType solver;
} gelSceneSettings;

/// NULL: there is none of this name.
const gelSceneKind* gelFindScene( const char* name );

/// Names of all scenes, for messages: "drop, hang".
const char* gelSceneNames( void );

typedef struct gelScene
{
	gelWorldId world;
	gelBodyId* bodies;
	int* packs; // per body: its pack in the set
	int bodyCount;
	int nodeCount; // of all bodies
	float step;    // [s]
	float ground;  // height [m]
} gelScene;

/// False: a finding was added and nothing is left.
bool gelCreateScene(
	gelScene* scene, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings );
void gelDestroyScene( gelScene* scene );

/// Cage nodes of all bodies, one body after the other.
void gelScene_GetNodes( const gelScene* scene, gelVec3* outNodes );

/// Puts all bodies into a shape that gelScene_GetNodes gave, at rest, to draw it.
gelResult gelScene_SetNodes( gelScene* scene, const gelVec3* nodes );
