// SPDX-License-Identifier: MIT
// A body with a frame and three constraints, for calls that no game should make.
#pragma once

#include "stage.h"

#define GEL_HOSTILE_NODES 128

/// The call is refused with gel_errorArgument.
#define GEL_REFUSED( call ) assert_int_equal( call, gel_errorArgument )

typedef struct gelHostileScene
{
	gelStage stage;
	gelBodyId body;
	gelConstraintId pin, line, spring;
	gelFrameId frame;
	gelEmbeddedPoint point;
	gelVec3 zeros[GEL_HOSTILE_NODES];
} gelHostileScene;

/// A constraint def that is valid; kinds hold different tets.
gelConstraintDef gelMakeHold( const gelHostileScene* scene, gelConstraintKind kind );

/// Above a ground, in gravity. gelFreeStage( &scene.stage ) frees it.
gelHostileScene gelMakeHostileScene( gelSolverType solver );
