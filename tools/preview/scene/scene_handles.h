// SPDX-License-Identifier: MIT
// Handles at work: some cage nodes of a body that hang on a rigid frame, which moves.
#pragma once

#include "preview/scene/scene_def.h"

#include <gelpack/gelpack.h>

/// Nodes that one handle holds at most; a step gets dear with many constraints (docs/interaction.md).
#define GEL_HANDLE_POINTS 12

typedef struct gelHandle
{
	gelFrameId frame;
	gelVec3 start;                // where the frame is at the start: the middle of the points [m]
	int nodes[GEL_HANDLE_POINTS]; // nodes that are held
	int pointCount;
	bool released;
} gelHandle;

/// Takes hold of a body that stands where the scene starts. Fails with gel_errorArgument when no node is in
/// the region.
gelResult gelCreateHandle( gelHandle* handle, const gelHandleDef* def, gelBodyId body );

/// Moves the handle to where it is to be at a time [s], or lets go.
gelResult gelHandle_MoveTo( gelHandle* handle, const gelHandleDef* def, float time );

/// Where the handle is at a time [s].
gelTransform gelHandle_Pose( const gelHandle* handle, const gelHandleDef* def, float time );
