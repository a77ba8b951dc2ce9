// SPDX-License-Identifier: MIT
// A picture that is drawn without a window: multisampled sRGB color and depth, resolved and read back.
#pragma once

#include "preview/render/image.h"

#include <stdbool.h>

#define GEL_PICTURE_SAMPLES 4

typedef struct gelRenderTarget
{
	int width, height;
	unsigned framebuffer; // draw into this
	unsigned color, depth;
	unsigned resolveFramebuffer, resolveColor;
} gelRenderTarget;

/// Needs a current context. False: the driver refuses this size.
/// @param samples per pixel; fewer where the driver has no more; 0: no smoothing of edges
bool gelCreateRenderTarget( gelRenderTarget* target, int width, int height, int samples );
void gelDestroyRenderTarget( gelRenderTarget* target );

/// Copies what was drawn into another framebuffer of the same size, such as a window's (0).
void gelRenderTarget_Show( gelRenderTarget* target, unsigned framebuffer );

/// Copies what was drawn; the image has the size of the target. False: out of memory or lost context.
bool gelRenderTarget_Read( gelRenderTarget* target, gelImage* outImage );
