// SPDX-License-Identifier: MIT
// Joins a scene with the renderer: gives every body a surface and, if wanted, cage lines, and draws a shape.
#pragma once

#include "renderer.h"
#include "scene.h"

typedef struct gelStageView
{
	gelRenderer* renderer;
	gelScene* scene;
	gelVec3* positions; // of the largest body
	gelVec3* normals;
	int vertexCapacity;
	bool showCage;
} gelStageView;

/// Needs a current OpenGL context. False: a finding was added and nothing is left.
bool gelCreateStageView( gelStageView* view, gelScene* scene, bool showCage, gelFindings* findings );
void gelDestroyStageView( gelStageView* view );

/// Takes the shapes that the bodies have now over into the renderer.
void gelStageView_Update( gelStageView* view );
