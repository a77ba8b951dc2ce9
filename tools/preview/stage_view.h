// SPDX-License-Identifier: MIT
// Joins a scene with the renderer: gives every body a surface and an overlay, and draws a shape.
#pragma once

#include "overlay.h"
#include "scene.h"

typedef struct gelStageView
{
	gelRenderer* renderer;
	gelScene* scene;
	int* surfaces;        // per body, in the renderer; -1: its overlay takes the place of the art
	gelOverlay* overlays; // per body
	int overlayCount;
	gelVec3* positions; // of the largest body
	gelVec3* normals;
	int vertexCapacity;
} gelStageView;

/// Needs a current OpenGL context. False: a finding was added and nothing is left.
bool gelCreateStageView(
	gelStageView* view, gelScene* scene, const gelOverlaySettings* overlay, gelFindings* findings );
void gelDestroyStageView( gelStageView* view );

/// Takes the shapes that the bodies have now over into the renderer.
void gelStageView_Update( gelStageView* view );
