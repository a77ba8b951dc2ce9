// SPDX-License-Identifier: MIT
// What a person did to a scene, step by step, as a file: record once, replay bit for bit.
//
// Text, one line each; numbers with a fraction are hexadecimal floats, so no bit is lost:
//     gel-inputs 1
//     pack SHA256          provenance of each pack, in order
//     start KEY VALUE      scene, solver, step, copies, height, seconds, passes, stiffness
//     TICK KIND VALUE X Y Z X Y Z
//     TICK end HASH        steps in all, and the hash of the state then
#pragma once

#include "preview/scene/loaded_packs.h"
#include "preview/scene/scene.h"

typedef enum gelInputKind
{
	gel_inputGrab,      // v: origin and direction of a ray
	gel_inputDrag,      // v: target
	gel_inputRelease,   //
	gel_inputPin,       // v: origin and direction of a ray; a point that is pinned there is unpinned
	gel_inputPush,      // v: origin and direction of a ray
	gel_inputReset,     //
	gel_inputSolver,    // value: gelPreviewSolver
	gel_inputStep,      // v[0].x: length [s]
	gel_inputPasses,    // value
	gel_inputGravity,   // v[0]: [m/s^2]
	gel_inputScene,     // value: number of a built-in scene
	gel_inputStiffness, // v[0].x: scale
	gel_inputUnpin,     // all
	gel_inputKinds
} gelInputKind;

typedef struct gelInput
{
	int64_t tick; // steps before it, over all resets
	gelInputKind kind;
	int value;
	gelVec3 v[2];
} gelInput;

typedef struct gelInputLog
{
	gelInput* items;
	int count;
	size_t capacity;
	// the start
	int scene; // number of a built-in scene; -1: a scene file, which the command line has to name
	gelSceneSettings settings;
	int packCount;
	uint8_t ( *packs )[32];
	// the end
	int64_t tickCount;
	uint64_t hash;
} gelInputLog;

/// False: out of memory.
bool gelInputLog_Add( gelInputLog* log, const gelInput* input );
void gelFreeInputLog( gelInputLog* log );

/// Notes the packs and settings that the log starts with. False: out of memory.
bool gelInputLog_Begin( gelInputLog* log, const gelPackSet* packs, const gelSceneSettings* settings );

bool gelWriteInputLog( const gelInputLog* log, const char* path, gelFindings* findings );

/// False: a finding with the line was added and nothing is left.
bool gelReadInputLog( gelInputLog* log, const char* path, gelFindings* findings );

/// Whether the log was made with these packs. False: a finding was added.
bool gelInputLog_CheckPacks(
	const gelInputLog* log, const gelPackSet* packs, const char* path, gelFindings* findings );
