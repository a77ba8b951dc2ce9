// SPDX-License-Identifier: MIT
// The scenes that gel-preview knows by name.
#pragma once

#include "common/program/findings.h"
#include "preview/scene/loaded_packs.h"
#include "preview/scene/scene_def.h"

typedef struct gelSceneKind gelSceneKind;

/// What a built-in scene depends on.
typedef struct gelBuiltinSettings
{
	double dropHeight; // gap between ground and body [m]; < 0: by the body's size and the time
	double seconds;    // time that will be simulated [s]
	int copies;        // bodies of each pack
} gelBuiltinSettings;

/// NULL: there is none of this name.
const gelSceneKind* gelFindScene( const char* name );
/// By number, for menus. NULL: there is none.
const gelSceneKind* gelGetScene( int index );
const char* gelSceneKind_Name( const gelSceneKind* kind );

/// Names of all scenes, for messages: "drop, hang, ...".
const char* gelSceneNames( void );

/// Writes the scene for these packs. False: a finding was added and nothing is left.
bool gelMakeBuiltinScene( gelSceneDef* def, const gelSceneKind* kind, const gelPackSet* packs,
	const gelBuiltinSettings* settings, gelFindings* findings );
