// SPDX-License-Identifier: MIT
// A picture that is drawn without a window: multisampled sRGB color and depth, resolved and read back.
#pragma once

#include "image.h"

#include <stdbool.h>

typedef struct gelRenderTarget
{
	int width, height;
	unsigned framebuffer; // draw into this
	unsigned color, depth;
	unsigned resolveFramebuffer, resolveColor;
} gelRenderTarget;

/// Needs a current context. False: the driver refuses this size.
bool gelCreateRenderTarget( gelRenderTarget* target, int width, int height );
void gelDestroyRenderTarget( gelRenderTarget* target );

/// Copies what was drawn; the image has the size of the target. False: out of memory or lost context.
bool gelRenderTarget_Read( gelRenderTarget* target, gelImage* outImage );
