// SPDX-License-Identifier: MIT
// A scene as plain data: which bodies start where, what holds and moves them. Built-in scenes
// (scene_builtin.c) and scene files (scene_file.c) are both made into this, and scene.c makes a world of it.
#pragma once

#include "preview/render/camera.h"

#include <stdbool.h>

#define GEL_MAX_SCENE_BODIES    1024
#define GEL_MAX_SCENE_HANDLES   256
#define GEL_MAX_SCENE_COLLIDERS 64
#define GEL_MAX_MOTION_KEYS     256
#define GEL_MAX_SCENE_NAME      48

/// How bodies are simulated, as a person chooses it.
typedef enum gelPreviewSolver
{
	gel_previewFast,      // fast corotated, plain mode
	gel_previewQuality,   // fast corotated, quality mode
	gel_previewImplicit,  // implicit corotated
	gel_previewParticles, // oriented particles
	gel_previewWarp,      // warp-cancelling corotated
} gelPreviewSolver;
#define GEL_PREVIEW_SOLVERS 5
#define GEL_SOLVER_WORDS    "fast|quality|implicit|particles|warp" // in this order

/// "fast", "quality", "implicit", "particles", "warp".
const char* gelPreviewSolver_Name( gelPreviewSolver solver );

/// Where something that moves is at a time, relative to its start.
typedef struct gelMotionKey
{
	float time;       // [s], ascending
	gelVec3 position; // [m]
	gelVec3 rotation; // axis times angle [rad]
} gelMotionKey;

typedef struct gelMotion
{
	gelMotionKey* keys; // none: stands still
	int keyCount;
	bool repeats; // after the last key it starts again
} gelMotion;

/// Position and rotation of a motion at a time: between keys it starts and stops softly (smoothstep), so
/// that no step sees a jump of velocity.
gelMotionKey gelMotion_At( const gelMotion* motion, float time );

typedef enum gelHandleKind
{
	gel_handleHold,  // points are held in all directions
	gel_handlePress, // points stay on a plane but may slide on it: a piston
} gelHandleKind;

/// Holds the cage nodes in a part of a body and moves them together.
typedef struct gelHandleDef
{
	int body;
	gelAabb region; // in the box of the body at rest: 0 .. 1 along each axis
	gelHandleKind kind;
	gelMotion motion;
	float release;    // time at which it lets go [s]; INFINITY: never
	int line, column; // where its region is in the scene file; 0: built in
} gelHandleDef;

typedef struct gelSceneBodyDef
{
	int pack;
	gelVec3 at;       // middle of the lower side of the body's box [m]
	gelQuat rotation; // turn of the pack's axes
	gelVec3 velocity; // [m/s]
	gelVec3 spin;     // [rad/s]
	int solver;       // gelPreviewSolver; -1: that of the run
	bool pinned;      // by the first pin set of the pack
	bool keepSpin;
	bool isSheet;     // solver warp: leaves rotations of nodes out
	bool isCollapsed; // solver particles: all of them begin in the middle
	int line, column; // where its pack is in the scene file; 0: built in
} gelSceneBodyDef;

typedef enum gelColliderKind
{
	gel_colliderKindSphere,
	gel_colliderKindCapsule,
	gel_colliderKindBox,
	gel_colliderKindPlane, // all below its y = 0
} gelColliderKind;

/// A rigid thing that stands still or moves as told.
typedef struct gelSceneColliderDef
{
	gelColliderKind kind;
	gelVec3 position; // its middle [m]
	gelQuat rotation; //
	gelVec3 halfSize; // half sides of a box [m]
	float radius;     // radius of a sphere or a capsule; box: round edges beyond its half size [m]
	float halfLength; // half a capsule along its y axis, without the caps [m]
	float staticFriction, dynamicFriction;
	gelMotion motion;
} gelSceneColliderDef;

typedef struct gelSceneCamera
{
	bool isSet;
	float yaw, pitch; // [rad]
	bool hasTarget;   // else everything that happens is framed
	gelVec3 target;   // [m]
	float distance;   // [m]
} gelSceneCamera;

typedef struct gelSceneDef
{
	char name[GEL_MAX_SCENE_NAME];
	const char* file; // path that it was read from, borrowed; NULL: built in
	gelVec3 gravity;  // [m/s^2]
	bool hasGround;
	float ground; // height [m]
	float groundStaticFriction, groundDynamicFriction;
	gelSceneBodyDef* bodies;
	int bodyCount;
	gelHandleDef* handles;
	int handleCount;
	gelSceneColliderDef* colliders;
	int colliderCount;
	gelSceneCamera camera;
	int frames;  // frames that are worth seeing; 0: not said
	double step; // [s]; 0: not said
	int solver;  // -1: not said
} gelSceneDef;

/// Room for so many of each; defaults elsewhere. False: out of memory, and nothing is left.
bool gelInitSceneDef( gelSceneDef* def, const char* name, int bodies, int handles, int colliders );
void gelFreeSceneDef( gelSceneDef* def );

/// Gives a motion its keys. False: out of memory.
bool gelMotion_Set( gelMotion* motion, const gelMotionKey* keys, int count );
